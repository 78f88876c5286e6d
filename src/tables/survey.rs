//! What the columns of a row are like, found out for many of them at a time in the processor's
//! vectors.

use super::rank::choose;
#[cfg(target_arch = "x86_64")]
use crate::rules::cpu::{Avx2, Avx512};
use crate::rules::cpu::{Portable, Run};
use crate::rules::{AXES, PointSet};

/// Columns that share a word of bits.
pub(super) const WORD: usize = 64;

/// What is true of the columns of a row, a bit for each: column 64 i + b is bit b of word i.
#[derive(Default, PartialEq, Eq, Debug)]
pub(super) struct Survey {
    /// The stones that pick the column can capture.
    pub(super) picked: Vec<u64>,
    /// The stones that the row holds fast can capture.
    pub(super) fixed: Vec<u64>,
    /// The stones that pick the column have jumps from more than one point and to more than one:
    /// most steps leave some of them.
    pub(super) tangled: Vec<u64>,
}

/// The stones that pick each column of a row.
pub(super) struct RowSets {
    fixed: PointSet,
    columns: usize,
    /// In the order of the columns, filled up to whole words.
    sets: Vec<u32>,
}

impl RowSets {
    /// For a row that holds the stones `fixed`, and columns of `stones` others.
    pub(super) fn new(fixed: PointSet, stones: usize) -> RowSets {
        let free: Vec<u32> = (!fixed).map(|point| point.bit().bits()).collect();
        let mut sets = vec![0];
        for size in 1..=stones {
            // In colex order the sets below a highest point come as they do without it.
            let mut larger = Vec::with_capacity(choose(free.len(), size).next_multiple_of(WORD));
            for (top, &point) in free.iter().enumerate().skip(size - 1) {
                let below = &sets[..choose(top, size - 1)];
                larger.extend(below.iter().map(|&set| set | point));
            }
            sets = larger;
        }
        let columns = sets.len();
        sets.resize(columns.next_multiple_of(WORD), 0);
        RowSets {
            fixed,
            columns,
            sets,
        }
    }

    /// The stones that pick a column.
    #[inline(always)]
    pub(super) fn get(&self, column: usize) -> PointSet {
        PointSet::from_bits(self.sets[column])
    }

    /// Looks at all columns.
    pub(super) fn survey(&self) -> Survey {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(cpu) = Avx512::detect() {
                return self.survey_on(cpu);
            }
            if let Some(cpu) = Avx2::detect() {
                return self.survey_on(cpu);
            }
        }
        self.survey_on(Portable)
    }

    fn survey_on(&self, cpu: impl Run) -> Survey {
        cpu.run(
            #[inline(always)]
            || {
                let words = self.sets.len() / WORD;
                let empty = || Vec::with_capacity(words);
                let mut survey = Survey {
                    picked: empty(),
                    fixed: empty(),
                    tangled: empty(),
                };
                let (chunks, _) = self.sets.as_chunks::<WORD>();
                for (word, sets) in chunks.iter().enumerate() {
                    let [picked, fixed, tangled] = look_at(self.fixed.bits(), sets);
                    let left = self.columns - word * WORD;
                    let full = if left < WORD { (1 << left) - 1 } else { !0 };
                    survey.picked.push(picked & full);
                    survey.fixed.push(fixed & full);
                    survey.tangled.push(tangled & full);
                }
                survey
            },
        )
    }
}

/// The three answers for a word of columns.
#[inline(always)]
fn look_at(fixed: u32, sets: &[u32; WORD]) -> [u64; 3] {
    let mut answers = [[0u8; WORD]; 3];
    for (column, &picked) in sets.iter().enumerate() {
        let empty = !(picked | fixed) & PointSet::ALL.bits();
        let (mut starts, mut landings, mut jumps) = (0, 0, 0);
        for axis in AXES {
            let d = axis.shift;
            let beyond = empty >> (2 * d);
            let over = (fixed >> d) & axis.jumps;
            let (up, down) = (picked & beyond & over, empty & (picked >> (2 * d)) & over);
            starts |= up | down << (2 * d);
            landings |= up << (2 * d) | down;
            let ends = (fixed & beyond) | (empty & (fixed >> (2 * d)));
            jumps |= ends & (picked >> d) & axis.jumps;
        }
        let many = |set: u32| set & set.wrapping_sub(1) != 0;
        answers[0][column] = u8::from(starts != 0);
        answers[1][column] = u8::from(jumps != 0);
        answers[2][column] = u8::from(many(starts) & many(landings));
    }
    answers.map(
        #[inline(always)]
        |bytes| bits_of_bytes(&bytes),
    )
}

/// A bit for each byte; the bytes are 0 or 1.
#[inline(always)]
fn bits_of_bytes(bytes: &[u8; WORD]) -> u64 {
    let (eights, _) = bytes.as_chunks::<8>();
    eights.iter().rev().fold(0, |bits, &eight| {
        // The product brings byte i to bit 56 + i; nothing below carries into these.
        bits << 8 | u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

/// The bits that are set, ascending.
#[inline(always)]
pub(super) fn bits_of(word: u64) -> impl Iterator<Item = usize> {
    let mut left = word;
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (bit < WORD).then_some(bit)
    })
}

/// The columns with a bit in `words`, ascending.
#[inline(always)]
pub(super) fn columns_in(words: &[u64]) -> impl Iterator<Item = usize> {
    words
        .iter()
        .enumerate()
        .flat_map(|(word, &bits)| bits_of(bits).map(move |bit| word * WORD + bit))
}
