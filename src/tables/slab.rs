//! The working memory of a slice: one byte for each place, shared by all threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::index::{SliceIndex, class_count};
use super::rank::choose;
use crate::memory::on_large_pages;
use crate::rules::cpu::prefetch;

/// What a byte of a slab says of the side to move. Zero is undecided and, once a slice is
/// finished, drawn. Odd codes are losses and even ones wins, in `code - 1` plies.
pub type Code = u8;

/// Not decided; in a finished slice, a draw.
pub const OPEN: Code = 0;
/// Lost at once: no move.
pub const LOST: Code = 1;
/// The last code that stands for a number of plies.
pub const LAST: Code = 252;
/// A capture wins, in how many plies is not known.
pub const CAPTURE_WINS: Code = 254;
/// The best capture draws.
pub const CAPTURE_DRAWS: Code = 255;

/// Whether a code is a win for the side to move.
#[inline(always)]
pub fn is_win(code: Code) -> bool {
    code & 1 == 0 && code != OPEN
}

/// Whether a code is a loss for the side to move.
#[inline(always)]
pub const fn is_loss(code: Code) -> bool {
    code & 1 != 0 && code != CAPTURE_DRAWS
}

/// A slice in memory. A place is set once, to a value that does not depend on who sets it, so
/// relaxed atomics are enough between the barriers of the builder.
pub struct Slab {
    index: SliceIndex,
    /// Words of eight codes in a row.
    stride: usize,
    words: Box<[AtomicU64]>,
}

/// The bytes a slab of a slice takes.
pub fn slab_bytes(mover: usize, other: usize) -> u64 {
    (class_count(mover) * choose(25 - mover, other).div_ceil(8) * 8) as u64
}

impl Slab {
    /// A slab with every place open.
    pub fn new(index: SliceIndex) -> Slab {
        let stride = index.columns().div_ceil(8);
        Slab {
            index,
            stride,
            // Memory that comes as zeros from the system is not touched before it is used.
            words: on_large_pages(bytemuck::zeroed_slice_box(index.rows() * stride)),
        }
    }

    /// Where positions stand.
    pub fn index(&self) -> &SliceIndex {
        &self.index
    }

    /// The words of a row, eight codes each, the lowest byte first.
    #[inline(always)]
    pub fn row(&self, row: usize) -> Row<'_> {
        Row(&self.words[row * self.stride..][..self.stride])
    }
}

/// One row of a slab.
#[derive(Clone, Copy)]
pub struct Row<'a>(&'a [AtomicU64]);

impl<'a> Row<'a> {
    /// A column of the row.
    #[inline(always)]
    pub fn place(self, column: usize) -> Place<'a> {
        Place {
            word: &self.0[column / 8],
            shift: (column % 8 * 8) as u32,
        }
    }

    /// The code in a column.
    #[inline(always)]
    pub fn get(self, column: usize) -> Code {
        self.place(column).get()
    }

    /// [`Place::set`] for a column.
    #[inline(always)]
    pub fn set(self, column: usize, code: Code) {
        self.place(column).set(code);
    }

    /// [`Row::set`] where nobody else sets places of this row at the time.
    #[inline(always)]
    pub fn set_alone(self, column: usize, code: Code) {
        debug_assert!(matches!(self.get(column), OPEN));
        let word = &self.0[column / 8];
        word.store(
            word.load(Relaxed) | u64::from(code) << (column % 8 * 8),
            Relaxed,
        );
    }

    /// The columns that hold `code`, ascending.
    #[inline(always)]
    pub fn columns_of(self, code: Code) -> ColumnsOf<'a> {
        ColumnsOf {
            words: self.0,
            next_word: 0,
            pattern: LOW_BITS * u64::from(code),
            hits: 0,
        }
    }
}

/// One place of a slab.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    word: &'a AtomicU64,
    shift: u32,
}

impl Place<'_> {
    /// Its code.
    #[inline(always)]
    pub fn get(self) -> Code {
        (self.word.load(Relaxed) >> self.shift) as Code
    }

    /// Sets it if it is open. Setting it twice to the same code is harmless.
    #[inline(always)]
    pub fn set(self, code: Code) {
        debug_assert!(matches!(self.get(), OPEN) || self.get() == code);
        self.word.fetch_or(u64::from(code) << self.shift, Relaxed);
    }

    /// Has its code fetched, without waiting for it.
    #[inline(always)]
    pub fn prefetch(self) {
        prefetch(self.word);
    }
}

const LOW_BITS: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = LOW_BITS << 7;

/// The columns of a row that hold one code, found eight at a time.
pub struct ColumnsOf<'a> {
    words: &'a [AtomicU64],
    next_word: usize,
    pattern: u64,
    /// High bits of the bytes of the last word that match and were not given out yet.
    hits: u64,
}

impl Iterator for ColumnsOf<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.hits == 0 {
            let difference = self.words.get(self.next_word)?.load(Relaxed) ^ self.pattern;
            self.next_word += 1;
            // The bytes that are zero, exactly (Hacker's Delight, section 6-1).
            let sums = (difference & !HIGH_BITS) + !HIGH_BITS;
            self.hits = !(sums | difference | !HIGH_BITS);
        }
        let byte = self.hits.trailing_zeros() as usize / 8;
        self.hits &= self.hits - 1;
        Some((self.next_word - 1) * 8 + byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_finds_the_columns_it_was_given() {
        let slab = Slab::new(SliceIndex::new(2, 3));
        let row = slab.row(5);
        for (column, code) in [(0, 7), (9, 7), (15, 8), (16, 255), (40, 7)] {
            row.set(column, code);
            assert_eq!(row.get(column), code);
        }
        assert_eq!(row.columns_of(7).collect::<Vec<_>>(), [0, 9, 40]);
        assert_eq!(slab.row(4).get(16), OPEN);
    }
}
