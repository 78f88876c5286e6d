//! From a finished slab to what its file holds.

use rayon::prelude::*;

use super::file::{Counts, Kind};
use super::huffman::{Encoder, code_lengths};
use super::index::{SliceIndex, Spread};
use super::runs::{LONGEST, Symbol, encode, symbol_count};
use super::slab::{Code, OPEN, Slab, is_loss, is_win};
use crate::rules::Board;

/// Quiet positions in a block, about: few enough to be read in well under a microsecond.
const QUIET_IN_BLOCK: usize = 256;
/// Blocks that one thread packs at a time.
const BLOCKS_IN_TASK: usize = 64;

/// What goes into the file of a slice.
pub struct Packed {
    /// What its codes say.
    pub kind: Kind,
    /// Stones of the mover.
    pub mover: usize,
    /// Stones of the other side.
    pub other: usize,
    /// A block has two to this power places.
    pub block_bits: u32,
    /// Counts over the quiet positions.
    pub counts: Counts,
    /// Code lengths of the symbols.
    pub code_lengths: Vec<u8>,
    /// Where each block begins in the data.
    pub offsets: Vec<u32>,
    /// The codes of the blocks.
    pub data: Vec<u8>,
}

/// What one thread made of its blocks.
struct Part {
    symbols: Vec<Symbol>,
    /// Where each block ends in `symbols`.
    ends: Vec<usize>,
    frequency: Vec<u64>,
    counts: Counts,
}

/// Packs the quiet positions of a finished slab. The result is the same for any number of
/// threads.
pub fn pack(slab: &Slab, kind: Kind) -> Packed {
    let index = slab.index();
    let block_bits = block_bits(index);
    let blocks = index.places().div_ceil(1 << block_bits);
    let parts: Vec<Part> = (0..blocks.div_ceil(BLOCKS_IN_TASK))
        .into_par_iter()
        .map(|task| {
            let first = task * BLOCKS_IN_TASK;
            let last = (first + BLOCKS_IN_TASK).min(blocks);
            symbols_of(slab, kind, first..last, block_bits)
        })
        .collect();
    let mut frequency = vec![0; symbol_count(kind.codes())];
    let mut counts = Counts::default();
    for part in &parts {
        frequency
            .iter_mut()
            .zip(&part.frequency)
            .for_each(|(all, one)| *all += one);
        counts
            .quiet
            .iter_mut()
            .zip(part.counts.quiet)
            .for_each(|(all, one)| *all += one);
        counts.longest = counts.longest.max(part.counts.longest);
    }
    let code_lengths = code_lengths(&frequency);
    let encoder = Encoder::new(&code_lengths);
    let written: Vec<(Vec<u8>, Vec<u32>)> = parts
        .into_par_iter()
        .map(|part| write_part(&part, &encoder))
        .collect();
    let (mut offsets, mut data) = (Vec::with_capacity(blocks), Vec::new());
    for (bytes, starts) in written {
        let base = data.len() as u32;
        offsets.extend(starts.into_iter().map(|start| base + start));
        data.extend(bytes);
    }
    Packed {
        kind,
        mover: index.mover(),
        other: index.other(),
        block_bits,
        counts,
        code_lengths,
        offsets,
        data,
    }
}

/// The code a file of this kind holds for a code of a slab.
#[inline(always)]
fn file_code(kind: Kind, code: Code) -> Code {
    match kind {
        Kind::Value if code == OPEN => 0,
        Kind::Value => 2 - (code & 1),
        Kind::Distance | Kind::Conversion => code,
    }
}

fn write_part(part: &Part, encoder: &Encoder) -> (Vec<u8>, Vec<u32>) {
    let (mut bytes, mut starts, mut from) = (Vec::new(), Vec::new(), 0);
    for &to in &part.ends {
        starts.push(bytes.len() as u32);
        encoder.write(&part.symbols[from..to], &mut bytes);
        from = to;
    }
    (bytes, starts)
}

fn symbols_of(slab: &Slab, kind: Kind, blocks: std::ops::Range<usize>, bits: u32) -> Part {
    let index = slab.index();
    let mut part = Part {
        symbols: Vec::new(),
        ends: Vec::new(),
        frequency: vec![0; symbol_count(kind.codes())],
        counts: Counts::default(),
    };
    let mut quiet = Vec::new();
    for block in blocks {
        let first = block << bits;
        let len = (1 << bits).min(index.places() - first);
        quiet.clear();
        for_each_quiet(index, first..first + len, |place, row, column| {
            let code = slab.row(row).get(column);
            let orbit = index.own_sets().orbit(row) as u64;
            let value = if is_win(code) {
                0
            } else {
                1 + is_loss(code) as usize
            };
            part.counts.quiet[value] += orbit;
            part.counts.longest = part.counts.longest.max(u32::from(code.saturating_sub(1)));
            quiet.push(((place - first) as u16, file_code(kind, code)));
        });
        let from = part.symbols.len();
        encode(&quiet, len, kind.codes(), &mut part.symbols);
        for &symbol in &part.symbols[from..] {
            part.frequency[symbol as usize] += 1;
        }
        part.ends.push(part.symbols.len());
    }
    part
}

/// Calls `visit` with place, row and column of each quiet position among `places`.
pub fn for_each_quiet(
    index: &SliceIndex,
    places: std::ops::Range<usize>,
    mut visit: impl FnMut(usize, usize, usize),
) {
    let columns = index.columns();
    let mut place = places.start;
    while place < places.end {
        let row = place / columns;
        let own = index.own_sets().representative(row);
        let spread = Spread::over(!own);
        let row_end = ((row + 1) * columns).min(places.end);
        for column in place - row * columns..row_end - row * columns {
            let other = spread.points(index.column_sets()[column]);
            if !(Board { own, other }).can_capture() {
                visit(row * columns + column, row, column);
            }
        }
        place = row_end;
    }
}

/// The block size at which about [`QUIET_IN_BLOCK`] positions are quiet, by a look at some.
fn block_bits(index: &SliceIndex) -> u32 {
    let samples = 4096.min(index.places());
    let step = index.places() / samples;
    let mut quiet = 0;
    for sample in 0..samples {
        let place = sample * step;
        for_each_quiet(index, place..place + 1, |_, _, _| quiet += 1);
    }
    let places = QUIET_IN_BLOCK * samples / quiet.max(1);
    places.max(64).ilog2().min(LONGEST.ilog2())
}
