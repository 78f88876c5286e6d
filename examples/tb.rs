#![allow(missing_docs)]
use alquerque::tables::{file, pack, pair::*, slab::*, smaller::*};
use alquerque::tables::index::*;
use alquerque::rules::*;
use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[1].parse().unwrap();
    let measure = if a.get(2).map(|s| s == "c").unwrap_or(false) { Measure::Conversion } else { Measure::Distance };
    let stats = a.get(3).is_some();
    let mut smaller = Smaller::default();
    let t0 = Instant::now();
    for total in 2..=n {
        for other in 1..=total / 2 {
            let mover = total - other;
            if mover > 12 { continue; }
            let t = Instant::now();
            let slabs = build_pair(mover, other, measure, &smaller, &|_| true).unwrap();
            let el = t.elapsed().as_secs_f64();
            for slab in &slabs {
                let ix = slab.index();
                let (mut cnt, mut q, mut longest) = ([0u64; 3], [0u64; 3], 0u8);
                if stats || total == n {
                for row in 0..ix.rows() {
                    let w = ix.own_sets().orbit(row) as u64;
                    let own = ix.own_sets().representative(row);
                    let spread = Spread::over(!own);
                    for (col, bits) in subsets(25 - ix.mover(), ix.other()).enumerate() {
                        let b = Board { own, other: spread.points(bits) };
                        let quiet = !b.can_capture();
                        if !quiet && !stats { continue; }
                        let mut code = slab.row(row).get(col);
                        if !quiet && code == 0 { code = smaller.after_capture(b, measure); }
                        let k = if code == 0 || code == 255 { 1 } else if is_win(code) { 0 } else { 2 };
                        cnt[k] += w; if quiet { q[k] += w; }
                        if code < 253 { longest = longest.max(code); }
                    }
                } }
                println!("{},{} {:?} {:?} longest {} places {}", ix.mover(), ix.other(), cnt, q, longest as i32 - 1, ix.places());
            }
            println!("  {:.2}s total {:.2}", el, t0.elapsed().as_secs_f64());
            if std::env::var("PACK").is_ok() { for slab in &slabs {
                let t = Instant::now();
                for kind in [file::Kind::Value, file::Kind::Distance] {
                let p = pack::pack(slab, kind);
                let q: u64 = p.counts.quiet.iter().sum();
                println!("   {:?} quiet {} bytes {} bits/quiet(sym) {:.3} block {} {:.2}s", kind, q, p.data.len(), (p.data.len()+p.offsets.len()*4) as f64*64.0/q as f64, p.block_bits, t.elapsed().as_secs_f64());
                file::write(std::path::Path::new("/tmp/tb"), &p).unwrap();
                }
            } }
            for slab in slabs { smaller.insert(slab); }
        }
    }
}
#[allow(dead_code)]
fn _x() {}
