//! How long it takes to look up a quiet position in files, from memory, in random order.
//!
//! `cargo bench --bench probe -- DIR [POSITIONS]` with the directory of tables made before.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use alquerque::rules::{Board, PointSet};
use alquerque::tables::Tables;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Positions of each number of stones, unless told otherwise.
const POSITIONS: usize = 400_000;

fn main() {
    // Cargo adds an argument of its own.
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"));
    let Some(dir) = arguments.next() else {
        println!("probe: skipped, give a directory of tables: cargo bench --bench probe -- DIR");
        return;
    };
    let positions = arguments.next().and_then(|count| count.parse().ok());
    let positions = positions.unwrap_or(POSITIONS);
    let begin = Instant::now();
    let (tables, refused) = Tables::open(Path::new(&dir));
    let opened = begin.elapsed();
    refused.iter().for_each(|error| println!("refused {error}"));
    println!("opened in {:.1} ms", opened.as_secs_f64() * 1e3);
    for stones in 4..=tables.covered() {
        let boards = quiet_boards(stones, positions);
        // Once for the page cache and the checksums.
        let sum = || boards.iter().filter_map(|&b| tables.quiet(b)).count();
        let found = sum();
        let begin = Instant::now();
        black_box(sum());
        let nanos = begin.elapsed().as_nanos() as usize / found.max(1);
        println!("{stones:>2} stones: {nanos:>5} ns a position, {found} positions");
    }
}

/// Random quiet positions of so many stones, all divisions among the sides as likely as in the
/// slices.
fn quiet_boards(stones: usize, count: usize) -> Vec<Board> {
    let mut rng = ChaCha8Rng::seed_from_u64(stones as u64);
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut sets = [PointSet::EMPTY; 2];
        let mut placed = 0;
        while placed < stones {
            let point = PointSet::from_bits(1 << rng.random_range(0..25u32));
            if !(sets[0] | sets[1]).meets(point) {
                let side = rng.random_range(0..2usize);
                sets[side] = sets[side] | point;
                placed += 1;
            }
        }
        let [own, other] = sets;
        let board = Board { own, other };
        let sides = 1..=12;
        if sides.contains(&own.len()) && sides.contains(&other.len()) && !board.can_capture() {
            boards.push(board);
        }
    }
    boards
}
