//! The exact values of one pair of slices, (m,o) and (o,m), from those with fewer stones.
//!
//! A step leads from one slice of the pair into the other, a capture out of both. The builder
//! goes by *rows of the child*: with the other side's stones B fixed, every quiet position P with
//! B waiting and each of its children, in which B is to move, lie in the one row of B. The row is
//! small enough for the cache; only a value found for P goes far away.
//!
//! First each row is surveyed, many columns at a time: which parents are quiet, and which captures
//! they step into. Only those are played out. Then the quiet positions are found that have only
//! won captures ahead, or nothing. Then values spread in the order of their distance: a child lost
//! in n plies makes P won in n + 1; a child won makes P lost as soon as all its children are won.
//! What is never reached is drawn: whoever would leave it can be held there for ever, and a position
//! that repeats is a draw.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;
use thiserror::Error;

use super::index::SliceIndex;
use super::row::RowWork;
use super::slab::{Code, LAST, LOST, Slab, is_win};
use super::smaller::Smaller;
use crate::rules::cpu::{Run, with_cpu};

/// What is to be found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Win, draw or loss, with the plies to the end.
    Distance,
    /// Win, draw or loss, with the plies until a capture decides: whoever must capture has then
    /// won in one ply or lost in none.
    Conversion,
}

/// A pair that cannot be built.
#[derive(Debug, Error)]
pub enum PairError {
    /// A win or loss takes longer than a byte can say.
    #[error("slice {mover},{other}: an end more than {} plies away does not fit", LAST - 1)]
    TooLong {
        /// Stones of the mover.
        mover: usize,
        /// Stones of the other side.
        other: usize,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

/// How far the work on a pair has come.
#[derive(Clone, Copy, Debug)]
pub struct PairProgress {
    /// Places whose captures are played out.
    pub places: u64,
    /// Distance in plies that is being spread; 0 before.
    pub ply: u32,
}

/// Builds the pair (mover, other), calling `progress` now and then from any thread; it says
/// whether to go on.
pub fn build_pair(
    mover: usize,
    other: usize,
    measure: Measure,
    smaller: &Smaller,
    progress: &(dyn Fn(PairProgress) -> bool + Sync),
) -> Result<Vec<Slab>, PairError> {
    let mut sizes = vec![(mover, other), (other, mover)];
    sizes.dedup();
    let indices = sizes
        .iter()
        .map(|&(own, other)| SliceIndex::new(own, other));
    let slabs: Vec<Slab> = indices.map(Slab::new).collect();
    let sides = (0..slabs.len())
        .map(|side| Side::new(side, &slabs))
        .collect();
    let work = Work {
        sides,
        measure,
        smaller,
        progress,
        waiting: [const { AtomicBool::new(false) }; 256],
        stopped: AtomicBool::new(false),
        places: AtomicUsize::new(0),
    };
    work.run()?;
    drop(work);
    Ok(slabs)
}

/// One slice of the pair, as the slice of the children.
pub(super) struct Side<'a> {
    /// The children: B to move.
    pub(super) children: &'a Slab,
    /// Their parents: B waits.
    pub(super) parents: &'a Slab,
    /// Which side has the parents' slab as its children.
    pub(super) parent_side: usize,
    /// For each row, the codes that some place was set to and that are still to be spread.
    pub(super) fresh: Vec<[AtomicU64; 4]>,
    /// For each row and column, whether the parent with these stones needs no look any more: it
    /// has a capture, or its value is known. Only the task at work on a row touches its words.
    pub(super) closed: Vec<AtomicU64>,
}

impl<'a> Side<'a> {
    fn new(side: usize, slabs: &'a [Slab]) -> Side<'a> {
        let parent_side = slabs.len() - 1 - side;
        let index = slabs[side].index();
        Side {
            children: &slabs[side],
            parents: &slabs[parent_side],
            parent_side,
            fresh: (0..index.rows()).map(|_| Default::default()).collect(),
            closed: (0..index.rows() * closed_words(index))
                .map(|_| AtomicU64::new(0))
                .collect(),
        }
    }
}

/// The words of a row's bits, one for each column.
pub(super) fn closed_words(index: &SliceIndex) -> usize {
    index.columns().div_ceil(64)
}

pub(super) struct Work<'a> {
    pub(super) sides: Vec<Side<'a>>,
    pub(super) measure: Measure,
    pub(super) smaller: &'a Smaller,
    pub(super) progress: &'a (dyn Fn(PairProgress) -> bool + Sync),
    /// Codes that some row has still to spread.
    pub(super) waiting: [AtomicBool; 256],
    pub(super) stopped: AtomicBool,
    pub(super) places: AtomicUsize,
}

impl Work<'_> {
    fn run(&self) -> Result<(), PairError> {
        self.for_each_row(|side, row| {
            let work = RowWork::new(self, side, row);
            with_cpu!(|cpu| cpu.run(
                #[inline(always)]
                || work.play_out(cpu)
            ));
            self.report(side);
        })?;
        self.for_each_row(|side, row| {
            let mut work = RowWork::new(self, side, row);
            with_cpu!(|cpu| cpu.run(
                #[inline(always)]
                || work.find_first_losses(cpu)
            ));
        })?;
        // Lowest code first: a value is final when its turn comes.
        while let Some(code) = (LOST..=LAST).find(|&code| self.waiting[code as usize].load(Relaxed))
        {
            self.waiting[code as usize].store(false, Relaxed);
            self.tell(code as u32);
            self.for_each_row(|side, row| self.spread_row(side, row, code))?;
        }
        if self.waiting[LAST as usize + 1].load(Relaxed) {
            let (mover, other) = self.size();
            return Err(PairError::TooLong { mover, other });
        }
        Ok(())
    }

    /// Calls `work` with every row of the pair, unless it is stopped.
    fn for_each_row(&self, work: impl Fn(&Side, usize) + Sync) -> Result<(), PairError> {
        for side in &self.sides {
            let rows = 0..side.children.index().rows();
            rows.into_par_iter().for_each(|row| {
                if !self.stopped.load(Relaxed) {
                    work(side, row);
                }
            });
        }
        match self.stopped.load(Relaxed) {
            true => Err(PairError::Stopped),
            false => Ok(()),
        }
    }

    fn size(&self) -> (usize, usize) {
        let index = self.sides[0].children.index();
        (index.mover(), index.other())
    }

    /// Counts a row that is played out, and tells of it now and then.
    fn report(&self, side: &Side) {
        let columns = side.children.index().columns();
        let before = self.places.fetch_add(columns, Relaxed);
        // Small rows do not each deserve a report.
        if before >> 20 != (before + columns) >> 20 {
            self.tell(0);
        }
    }

    fn tell(&self, ply: u32) {
        let places = self.places.load(Relaxed) as u64;
        if !(self.progress)(PairProgress { places, ply }) {
            self.stopped.store(true, Relaxed);
        }
    }

    fn spread_row(&self, side: &Side, row: usize, code: Code) {
        let (word, bit) = (code as usize / 64, 1 << (code % 64));
        let flags = &side.fresh[row][word];
        if flags.load(Relaxed) & bit == 0 {
            return;
        }
        flags.fetch_and(!bit, Relaxed);
        let mut work = RowWork::new(self, side, row);
        if is_win(code) {
            with_cpu!(|cpu| cpu.run(
                #[inline(always)]
                || work.spread_wins(cpu, code)
            ));
        } else {
            with_cpu!(|cpu| cpu.run(
                #[inline(always)]
                || work.spread_losses(cpu, code)
            ));
        }
    }

    /// The code after `code`, one ply further from the end.
    pub(super) fn next(&self, code: Code) -> Code {
        match self.measure {
            // The last two take turns: where no distance is asked for, only the value counts.
            Measure::Conversion if code >= LAST - 1 => code - 1,
            _ => code + 1,
        }
    }

    /// Sets a code in a row and notes that it is to be spread.
    #[inline(always)]
    pub(super) fn set(&self, side: &Side, row: usize, column: usize, code: Code) {
        side.children.row(row).set(column, code);
        self.note(side, row, code);
    }

    /// Notes that some place of a row has a code that is to be spread.
    #[inline(always)]
    pub(super) fn note(&self, side: &Side, row: usize, code: Code) {
        let (word, bit) = (code as usize / 64, 1 << (code % 64));
        let flags = &side.fresh[row][word];
        if flags.load(Relaxed) & bit == 0 {
            flags.fetch_or(bit, Relaxed);
            self.waiting[code.min(LAST + 1) as usize].store(true, Relaxed);
        }
    }
}
