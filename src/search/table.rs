//! The transposition table, shared by all threads.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use bytemuck::Zeroable;
use thiserror::Error;

use super::types::{Bound, Score};
use crate::memory::on_large_pages;
use crate::rules::cpu::prefetch;
use crate::rules::{Board, Effect, Point, PointSet, ZobristKey};

/// What the table keeps of a board. Packed into two words:
/// word 0 = exact code (50 bits), depth (8), generation (6);
/// word 1 = captured set (25), from (5), to (5), bound (2), has-move (1), score (16).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub depth: u32,
    pub bound: Bound,
    /// Score with distances counted from this board, not from the root.
    score: i32,
    pub best: Option<Effect>,
}

/// A slot holds word 0 XOR word 1, then word 1. A reader that sees halves of two writes gets a
/// code that is not the one it asked for: no lock, no data race.
#[derive(Zeroable)]
#[repr(transparent)]
struct Slot([AtomicU64; 2]);

const CODE_BITS: u32 = 50;
const CODE_MASK: u64 = (1 << CODE_BITS) - 1;
const GENERATIONS: u8 = 63;
/// Slots a board may use, in one cache line.
const BUCKET: usize = 4;
const CACHE_LINE: usize = BUCKET * size_of::<Slot>();

/// A hash table that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("cannot get {0} MiB for the hash table")]
pub struct TableError(pub usize);

/// The transposition table. Entries hold the exact board, so a hit is never another position.
pub struct Table {
    slots: Box<[Slot]>,
    /// The first slot that begins a cache line; the buckets begin here.
    first: usize,
    buckets: usize,
    generation: AtomicU8,
}

impl Table {
    /// A table of `mib` MiB.
    ///
    /// # Errors
    /// If the memory is not to be had.
    pub fn new(mib: usize) -> Result<Table, TableError> {
        let error = || TableError(mib);
        let buckets = mib.max(1).checked_mul((1 << 20) / CACHE_LINE);
        let buckets = buckets.ok_or_else(error)?;
        // Memory that the system hands out as zeros need not be touched here: no wait at start.
        let slots = bytemuck::try_zeroed_slice_box((buckets + 1) * BUCKET);
        let slots: Box<[Slot]> = on_large_pages(slots.map_err(|()| error())?);
        // Where the start of a line cannot be told, slots serve as well, only slower.
        let first = slots.as_ptr().align_offset(CACHE_LINE).min(BUCKET);
        Ok(Table {
            slots,
            first,
            buckets,
            generation: AtomicU8::new(0),
        })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in &self.slots {
            slot.0[0].store(0, Ordering::Relaxed);
            slot.0[1].store(0, Ordering::Relaxed);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Begins a search: entries of earlier ones are replaced first.
    pub(super) fn next_generation(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// The share of slots written in this search, in thousandths.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.slots[self.first..][..(self.buckets * BUCKET).min(1000)];
        let fresh = |slot: &&Slot| {
            let (w0, w1) = slot.read();
            w1 != 0 && (w0 >> 58) as u8 == generation
        };
        (sample.iter().filter(fresh).count() * 1000 / sample.len()) as u32
    }

    #[inline(always)]
    fn bucket(&self, key: ZobristKey) -> &[Slot] {
        // The high half of a product spreads keys over any number of buckets.
        let index = (key as u128 * self.buckets as u128) >> 64;
        let begin = self.first + index as usize * BUCKET;
        &self.slots[begin..begin + BUCKET]
    }

    /// Has the processor fetch what [`Table::probe`] will read, without waiting for it.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: ZobristKey) {
        prefetch(&self.bucket(key)[0]);
    }

    #[inline(always)]
    pub(super) fn probe(&self, key: ZobristKey, board: Board) -> Option<Entry> {
        let code = board.code();
        self.bucket(key).iter().find_map(|slot| {
            let (w0, w1) = slot.read();
            (w0 & CODE_MASK == code && w1 != 0).then(|| Entry::unpack(w0, w1))
        })
    }

    #[inline(always)]
    pub(super) fn store(&self, key: ZobristKey, board: Board, entry: Entry) {
        let code = board.code();
        let generation = self.generation.load(Ordering::Relaxed);
        let bucket = self.bucket(key);
        let mut victim = &bucket[0];
        let mut least = u32::MAX;
        for slot in bucket {
            let (w0, w1) = slot.read();
            if w0 & CODE_MASK == code || w1 == 0 {
                victim = slot;
                break;
            }
            let old = (w0 >> 58) as u8 != generation;
            let worth = (w0 >> 50 & 0xff) as u32 + if old { 0 } else { 256 };
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        let (w0, w1) = entry.pack(code, generation);
        victim.0[0].store(w0 ^ w1, Ordering::Relaxed);
        victim.0[1].store(w1, Ordering::Relaxed);
    }
}

impl Slot {
    #[inline(always)]
    fn read(&self) -> (u64, u64) {
        let w1 = self.0[1].load(Ordering::Relaxed);
        (self.0[0].load(Ordering::Relaxed) ^ w1, w1)
    }
}

impl Entry {
    /// What a search of `depth` plies found at `ply`.
    #[inline(always)]
    pub(super) fn new(
        depth: i32,
        score: i32,
        ply: usize,
        bound: Bound,
        best: Option<Effect>,
    ) -> Entry {
        Entry {
            depth: depth.clamp(0, 255) as u32,
            bound,
            score: score + away_from_0(score, ply),
            best,
        }
    }

    /// Plies to the proven end, if one is proven.
    #[inline(always)]
    pub(super) fn plies_to_end(self) -> Option<u32> {
        Score(self.score).plies_to_end().map(i32::unsigned_abs)
    }

    /// The score at `ply` if it was searched deep enough and decides this window.
    #[inline(always)]
    pub(super) fn decides(self, depth: i32, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
        let score = self.score - away_from_0(self.score, ply);
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        (self.depth as i32 >= depth && decides).then_some(score)
    }

    #[inline(always)]
    fn pack(self, code: u64, generation: u8) -> (u64, u64) {
        let w0 = code | (self.depth.min(255) as u64) << 50 | (generation as u64) << 58;
        let (captured, from, to, has) = match self.best {
            Some(e) => (e.captured.bits(), e.from.index(), e.to.index(), 1),
            None => (0, 0, 0, 0),
        };
        // Bounds are numbered from 1: a used second word is never 0.
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let w1 = captured as u64
            | (from as u64) << 25
            | (to as u64) << 30
            | bound << 35
            | has << 37
            | (self.score as i16 as u16 as u64) << 38;
        (w0, w1)
    }

    #[inline(always)]
    fn unpack(w0: u64, w1: u64) -> Entry {
        let point = |shift: u32| Point::new((w1 >> shift & 31) as u8);
        let best = match (w1 >> 37 & 1, point(25), point(30)) {
            (1, Some(from), Some(to)) => Some(Effect {
                from,
                to,
                captured: PointSet::from_bits(w1 as u32),
            }),
            _ => None,
        };
        Entry {
            depth: (w0 >> 50 & 0xff) as u32,
            bound: match w1 >> 35 & 3 {
                1 => Bound::Exact,
                2 => Bound::Lower,
                _ => Bound::Upper,
            },
            score: (w1 >> 38) as u16 as i16 as i32,
            best,
        }
    }
}

/// What a proven score grows by, away from 0, if its end is counted from `ply` plies further on.
#[inline(always)]
fn away_from_0(score: i32, ply: usize) -> i32 {
    match score {
        s if s >= Score::PROVEN => ply as i32,
        s if s <= -Score::PROVEN => -(ply as i32),
        _ => 0,
    }
}

/// What a score says about the true one, given the window it was searched with.
#[inline(always)]
pub(super) fn bound_of(score: i32, alpha: i32, beta: i32) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_entry_comes_back_as_it_was(
            depth in 0u32..256, score in -30_000i32..30_000, from in 0u8..25, to in 0u8..25,
            captured in 0u32..1 << 25, bound in 0usize..3, has_move: bool,
        ) {
            let best = has_move.then(|| Effect {
                from: Point::new(from).unwrap(),
                to: Point::new(to).unwrap(),
                captured: PointSet::from_bits(captured),
            });
            let bound = [Bound::Exact, Bound::Lower, Bound::Upper][bound];
            let entry = Entry { depth, bound, score, best };
            let table = Table::new(1).unwrap();
            let board = Position::start().board();
            table.store(board.key(), board, entry);
            prop_assert_eq!(table.probe(board.key(), board), Some(entry));
            prop_assert_eq!(table.probe(board.key(), board.swapped()), None);
        }
    }
}
