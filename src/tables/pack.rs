//! From a finished slab to what its file holds.

use rayon::prelude::*;

use super::file::Kind;
use super::header::Counts;
use super::huffman::{Encoder, code_lengths};
use super::index::SliceIndex;
use super::rank::Spread;
use super::runs::{LONGEST, Symbol, encode, symbol_count};
use super::slab::{Code, OPEN, Slab, is_loss, is_win};
use super::survey::{RowSets, WORD, bits_between, bits_of};
use crate::rules::Board;
use crate::rules::cpu::{Run, with_cpu};

/// Quiet positions in a block of a file of values, about: few enough to be read in well under a
/// microsecond.
const QUIET_IN_BLOCK: usize = 256;

/// The block size of a kind of file, from that of files of values: distances have far more runs,
/// so their blocks are a quarter as long.
fn bits_of_kind(kind: Kind, bits: u32) -> u32 {
    match kind {
        Kind::Value => bits,
        Kind::Distance | Kind::Conversion => bits - 2,
    }
}

/// Blocks that one thread packs or reads at a time.
pub(super) const BLOCKS_IN_TASK: usize = 64;

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

/// What one thread made of its blocks, for one kind of file.
struct Part {
    symbols: Vec<Symbol>,
    /// Where each block ends in `symbols`.
    ends: Vec<usize>,
    frequency: Vec<u64>,
    /// The block being packed.
    block: Vec<(u16, Code)>,
}

/// Packs the quiet positions of a finished slab for each kind of file. The result is the same for
/// any number of threads.
pub fn pack(slab: &Slab, kinds: &[Kind]) -> Vec<Packed> {
    let index = slab.index();
    let block_bits = block_bits(index);
    let blocks = index.places().div_ceil(1 << block_bits);
    let tasks: Vec<(Vec<Part>, Counts)> = (0..blocks.div_ceil(BLOCKS_IN_TASK))
        .into_par_iter()
        .map(|task| {
            let first = task * BLOCKS_IN_TASK;
            let last = (first + BLOCKS_IN_TASK).min(blocks);
            with_cpu!(|cpu| cpu.run(
                #[inline(always)]
                || symbols_of(slab, kinds, first..last, block_bits)
            ))
        })
        .collect();
    let mut counts = Counts::default();
    let mut parts: Vec<Vec<Part>> = kinds.iter().map(|_| Vec::new()).collect();
    for (of_kinds, some) in tasks {
        counts.add(&some);
        parts
            .iter_mut()
            .zip(of_kinds)
            .for_each(|(all, part)| all.push(part));
    }
    let of_kind = |(&kind, parts)| pack_kind(index, kind, block_bits, counts, parts);
    kinds.iter().zip(parts).map(of_kind).collect()
}

fn pack_kind(
    index: &SliceIndex,
    kind: Kind,
    block_bits: u32,
    counts: Counts,
    parts: Vec<Part>,
) -> Packed {
    let mut frequency = vec![0; symbol_count(kind.codes())];
    for part in &parts {
        frequency
            .iter_mut()
            .zip(&part.frequency)
            .for_each(|(all, one)| *all += one);
    }
    let code_lengths = code_lengths(&frequency);
    let encoder = Encoder::new(&code_lengths);
    let written: Vec<(Vec<u8>, Vec<u32>)> = parts
        .into_par_iter()
        .map(|part| write_part(&part, &encoder))
        .collect();
    let (mut offsets, mut data) = (Vec::new(), Vec::new());
    for (bytes, starts) in written {
        let base = data.len() as u32;
        offsets.extend(starts.into_iter().map(|start| base + start));
        data.extend(bytes);
    }
    Packed {
        kind,
        mover: index.mover(),
        other: index.other(),
        block_bits: bits_of_kind(kind, block_bits),
        counts,
        code_lengths,
        offsets,
        data,
    }
}

/// The code in a file of values: draw 0, loss 1, win 2.
#[inline(always)]
fn value_code(code: Code) -> Code {
    match code {
        OPEN => 0,
        decided => 2 - (decided & 1),
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

#[inline(always)]
fn symbols_of(
    slab: &Slab,
    kinds: &[Kind],
    blocks: std::ops::Range<usize>,
    bits: u32,
) -> (Vec<Part>, Counts) {
    let index = slab.index();
    let mut counts = Counts::default();
    let new_part = |kind: &Kind| Part {
        symbols: Vec::new(),
        ends: Vec::new(),
        frequency: vec![0; symbol_count(kind.codes())],
        block: Vec::new(),
    };
    let mut parts: Vec<Part> = kinds.iter().map(new_part).collect();
    let mut places = QuietPlaces::of(index);
    let mut quiet = Vec::new();
    for block in blocks {
        let first = block << bits;
        let len = (1 << bits).min(index.places() - first);
        quiet.clear();
        places.for_each(
            first..first + len,
            #[inline(always)]
            |place, row, column| {
                let code = slab.row(row).get(column);
                counts.count(code, index.own_sets().orbit(row));
                quiet.push(((place - first) as u16, code));
            },
        );
        for (part, &kind) in parts.iter_mut().zip(kinds) {
            if kind == Kind::Value {
                quiet
                    .iter_mut()
                    .for_each(|(_, code)| *code = value_code(*code));
            }
            part.add(&quiet, len, kind, bits_of_kind(kind, bits));
        }
    }
    (parts, counts)
}

impl Part {
    /// Adds `len` places with these quiet ones and their codes, in blocks of two to the power of
    /// `bits` places.
    fn add(&mut self, quiet: &[(u16, Code)], len: usize, kind: Kind, bits: u32) {
        let from = self.symbols.len();
        let mut left = quiet;
        for first in (0..len).step_by(1 << bits) {
            let end = (first + (1 << bits)).min(len);
            let here = left.partition_point(|&(place, _)| (place as usize) < end);
            let block;
            (block, left) = left.split_at(here);
            let rebased = block
                .iter()
                .map(|&(place, code)| (place - first as u16, code));
            self.block.clear();
            self.block.extend(rebased);
            encode(&self.block, end - first, kind.codes(), &mut self.symbols);
            self.ends.push(self.symbols.len());
        }
        for &symbol in &self.symbols[from..] {
            self.frequency[symbol as usize] += 1;
        }
    }
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.quiet
            .iter_mut()
            .zip(other.quiet)
            .for_each(|(all, one)| *all += one);
        self.longest = self.longest.max(other.longest);
    }

    fn count(&mut self, code: Code, positions: usize) {
        let value = if is_win(code) {
            0
        } else {
            1 + is_loss(code) as usize
        };
        self.quiet[value] += positions as u64;
        self.longest = self.longest.max(u32::from(code.saturating_sub(1)));
    }
}

/// The quiet positions of a slice, row by row.
pub(super) struct QuietPlaces<'a> {
    index: &'a SliceIndex,
    /// The row that was looked at last.
    row: usize,
    /// A bit for each of its columns: whether the mover has a capture.
    captures: Vec<u64>,
}

impl<'a> QuietPlaces<'a> {
    /// Of the slice of this index.
    pub(super) fn of(index: &'a SliceIndex) -> QuietPlaces<'a> {
        QuietPlaces {
            index,
            row: usize::MAX,
            captures: Vec::new(),
        }
    }

    /// Calls `visit` with place, row and column of each quiet position among `places`.
    #[inline(always)]
    pub(super) fn for_each(
        &mut self,
        places: std::ops::Range<usize>,
        mut visit: impl FnMut(usize, usize, usize),
    ) {
        let columns = self.index.columns();
        let mut place = places.start;
        while place < places.end {
            let row = place / columns;
            if row != self.row {
                let own = self.index.own_sets().representative(row);
                self.captures = RowSets::new(own, self.index.other()).survey().fixed;
                self.row = row;
            }
            let first = row * columns;
            let end = (first + columns).min(places.end);
            for word in (place - first) / WORD..(end - first).div_ceil(WORD) {
                let wanted = bits_between(place - first, end - first, word);
                for bit in bits_of(!self.captures[word] & wanted) {
                    let column = word * WORD + bit;
                    visit(first + column, row, column);
                }
            }
            place = end;
        }
    }
}

/// Whether a place is quiet.
fn is_quiet(index: &SliceIndex, place: usize) -> bool {
    let (row, column) = (place / index.columns(), place % index.columns());
    let own = index.own_sets().representative(row);
    let other = Spread::over(!own).points(index.column_sets()[column]);
    !(Board { own, other }).can_capture()
}

/// The quiet ones among so many places of a slice, spread evenly.
pub(super) fn count_quiet(index: &SliceIndex, samples: usize) -> usize {
    let step = index.places() / samples;
    let quiet = |&sample: &usize| is_quiet(index, sample * step);
    (0..samples).filter(quiet).count()
}

/// The block size at which about [`QUIET_IN_BLOCK`] positions are quiet, by a look at some.
fn block_bits(index: &SliceIndex) -> u32 {
    let samples = 4096.min(index.places());
    let quiet = count_quiet(index, samples);
    let places = QUIET_IN_BLOCK * samples / quiet.max(1);
    places.max(64).ilog2().min(LONGEST.ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_places_are_those_without_a_capture() {
        let index = SliceIndex::new(2, 3);
        let mut places = QuietPlaces::of(&index);
        // Spans that begin and end anywhere, in a row or over several.
        for (first, len) in [
            (0, 1),
            (5, 58),
            (64, 64),
            (1700, 200),
            (1771, 1771),
            (3, 5000),
        ] {
            let mut found = Vec::new();
            places.for_each(first..first + len, |place, row, column| {
                assert_eq!(place, row * index.columns() + column);
                found.push(place);
            });
            let expected: Vec<usize> = (first..first + len)
                .filter(|&place| is_quiet(&index, place))
                .collect();
            assert_eq!(found, expected);
        }
    }
}
