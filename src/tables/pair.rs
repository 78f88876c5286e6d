//! The exact values of one pair of slices, (m,o) and (o,m), from those with fewer stones.
//!
//! A step leads from one slice of the pair into the other, a capture out of both. The builder
//! goes by *rows of the child*: with the other side's stones B fixed, every quiet position P with
//! B waiting and each of its children, in which B is to move, lie in the one row of B. The row is
//! small enough for the cache; only a value found for P goes far away.
//!
//! First each row plays out the captures its quiet positions can lead to. Then values spread in
//! the order of their distance: a child lost in n plies makes P won in n + 1; a child won makes P
//! lost as soon as all its children are won. What is never reached is drawn: whoever would leave
//! it can be held there for ever, and a position that repeats is a draw.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;
use thiserror::Error;

use super::index::{SliceIndex, Spread, colex_rank};
use super::slab::{CAPTURE_WINS, Code, LAST, LOST, OPEN, Slab, is_loss, is_win};
use super::smaller::Smaller;
use crate::rules::cpu::{Cpu, with_cpu};
use crate::rules::{Board, Point, PointSet, neighbours};

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
struct Side<'a> {
    /// The children: B to move.
    children: &'a Slab,
    /// Their parents: B waits.
    parents: &'a Slab,
    /// Which side has the parents' slab as its children.
    parent_side: usize,
    /// For each row, the codes that some place was set to and that are still to be spread.
    fresh: Vec<[AtomicU64; 4]>,
    /// For each row and column, whether the parent with these stones needs no look any more: it
    /// has a capture, or its value is known. Only the task at work on a row touches its words.
    closed: Vec<AtomicU64>,
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
fn closed_words(index: &SliceIndex) -> usize {
    index.columns().div_ceil(64)
}

struct Work<'a> {
    sides: Vec<Side<'a>>,
    measure: Measure,
    smaller: &'a Smaller,
    progress: &'a (dyn Fn(PairProgress) -> bool + Sync),
    /// Codes that some row has still to spread.
    waiting: [AtomicBool; 256],
    stopped: AtomicBool,
    places: AtomicUsize,
}

impl Work<'_> {
    fn run(&self) -> Result<(), PairError> {
        for side in &self.sides {
            let rows = 0..side.children.index().rows();
            rows.into_par_iter().for_each(|row| {
                if !self.stopped.load(Relaxed) {
                    let work = RowWork::new(self, side, row);
                    with_cpu!(|cpu| cpu.run(
                        #[inline(always)]
                        || work.play_out(cpu)
                    ));
                    self.report(side, 0);
                }
            });
        }
        // Lowest code first: a value is final when its turn comes.
        while let Some(code) = (LOST..=LAST).find(|&code| self.waiting[code as usize].load(Relaxed))
        {
            self.waiting[code as usize].store(false, Relaxed);
            for side in &self.sides {
                let rows = 0..side.children.index().rows();
                rows.into_par_iter()
                    .for_each(|row| self.spread_row(side, row, code));
            }
            self.tell(code as u32);
            if self.stopped.load(Relaxed) {
                return Err(PairError::Stopped);
            }
        }
        if self.waiting[LAST as usize + 1].load(Relaxed) {
            let (mover, other) = self.size();
            return Err(PairError::TooLong { mover, other });
        }
        Ok(())
    }

    fn size(&self) -> (usize, usize) {
        let index = self.sides[0].children.index();
        (index.mover(), index.other())
    }

    fn report(&self, side: &Side, ply: u32) {
        let columns = side.children.index().columns();
        let before = self.places.fetch_add(columns, Relaxed);
        // Small rows do not each deserve a report.
        if before >> 20 != (before + columns) >> 20 {
            self.tell(ply);
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
        if flags.load(Relaxed) & bit == 0 || self.stopped.load(Relaxed) {
            return;
        }
        flags.fetch_and(!bit, Relaxed);
        let work = RowWork::new(self, side, row);
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
    fn next(&self, code: Code) -> Code {
        match self.measure {
            // The last two take turns: where no distance is asked for, only the value counts.
            Measure::Conversion if code >= LAST - 1 => code - 1,
            _ => code + 1,
        }
    }

    /// Sets a code in a row and notes that it is to be spread.
    #[inline(always)]
    fn set(&self, side: &Side, row: usize, column: usize, code: Code) {
        side.children.row(row).set(column, code);
        let (word, bit) = (code as usize / 64, 1 << (code % 64));
        let flags = &side.fresh[row][word];
        if flags.load(Relaxed) & bit == 0 {
            flags.fetch_or(bit, Relaxed);
            self.waiting[code.min(LAST + 1) as usize].store(true, Relaxed);
        }
    }
}

/// The work on one row: B, the stones of the side to move in the children, is fixed.
struct RowWork<'a> {
    work: &'a Work<'a>,
    side: &'a Side<'a>,
    row: usize,
    /// The stones B.
    waiting: PointSet,
    closed: &'a [AtomicU64],
    spread: Spread,
    /// The column bit of each free point.
    column_bit: [u32; Point::COUNT],
}

impl<'a> RowWork<'a> {
    fn new(work: &'a Work<'a>, side: &'a Side<'a>, row: usize) -> RowWork<'a> {
        let waiting = side.children.index().own_sets().representative(row);
        let mut column_bit = [0; Point::COUNT];
        for (i, point) in (!waiting).enumerate() {
            column_bit[point.index()] = 1 << i;
        }
        let words = closed_words(side.children.index());
        RowWork {
            work,
            side,
            row,
            waiting,
            closed: &side.closed[row * words..][..words],
            spread: Spread::over(!waiting),
            column_bit,
        }
    }

    /// The parent with stones A to move.
    #[inline(always)]
    fn parent(&self, own: PointSet) -> Board {
        Board {
            own,
            other: self.waiting,
        }
    }

    /// Plays out each capture that a quiet parent can lead to, and finds the parents that are
    /// lost because they lead to nothing better.
    #[inline(always)]
    fn play_out(&self, cpu: impl Cpu) {
        let index = self.side.children.index();
        // The children that were seen to have no capture.
        let mut quiet = vec![0u64; closed_words(index)];
        for (column, &bits) in index.column_sets().iter().enumerate() {
            let parent = self.parent(self.spread.points(bits));
            if parent.can_capture() {
                self.close(column);
                continue;
            }
            let (mut all_won, mut longest) = (true, OPEN);
            let empty = parent.empty();
            for from in parent.own {
                for to in neighbours(from) & empty {
                    let column = self.column_after(bits, from, to);
                    let code = self.child_code(cpu, parent, (from, to), column, &mut quiet);
                    all_won &= is_win(code);
                    longest = longest.max(plies_code(code));
                }
            }
            if all_won {
                self.close(column);
                self.set_parent(cpu, parent, longest + 1);
            }
        }
    }

    #[inline(always)]
    fn is_closed(&self, column: usize) -> bool {
        self.closed[column / 64].load(Relaxed) >> (column % 64) & 1 != 0
    }

    #[inline(always)]
    fn close(&self, column: usize) {
        let word = &self.closed[column / 64];
        // Nobody else is at work on this row.
        word.store(word.load(Relaxed) | 1 << (column % 64), Relaxed);
    }

    /// The code of the child after a step, its capture played out if it has one.
    #[inline(always)]
    fn child_code(
        &self,
        cpu: impl Cpu,
        parent: Board,
        (from, to): (Point, Point),
        column: usize,
        quiet: &mut [u64],
    ) -> Code {
        let known = self.side.children.row(self.row).get(column);
        if known != OPEN {
            return known;
        }
        let (word, bit) = (column / 64, 1 << (column % 64));
        if quiet[word] & bit != 0 {
            return OPEN;
        }
        let child = Board {
            own: self.waiting,
            other: parent.own ^ from.bit() ^ to.bit(),
        };
        if !child.can_capture() {
            quiet[word] |= bit;
            return OPEN;
        }
        let code = self
            .work
            .smaller
            .after_capture(cpu, child, self.work.measure);
        // Wins need no spreading: parents look at all their children themselves.
        if is_loss(code) {
            self.work.set(self.side, self.row, column, code);
        } else {
            self.side.children.row(self.row).set(column, code);
        }
        code
    }

    #[inline(always)]
    fn column_after(&self, bits: u32, from: Point, to: Point) -> usize {
        colex_rank(bits ^ self.column_bit[from.index()] ^ self.column_bit[to.index()])
    }

    /// Sets a quiet parent that is open, in every copy.
    #[inline(always)]
    fn set_parent(&self, cpu: impl Cpu, parent: Board, code: Code) {
        let side = &self.work.sides[self.side.parent_side];
        let slab = self.side.parents;
        slab.index().for_each_copy(
            cpu,
            parent,
            #[inline(always)]
            |row, column| {
                if slab.row(row).get(column) == OPEN {
                    self.work.set(side, row, column, code);
                }
            },
        );
    }

    /// Parents of children that are lost are won, one ply further away.
    #[inline(always)]
    fn spread_losses(&self, cpu: impl Cpu, code: Code) {
        let next = self.work.next(code);
        for column in self.side.children.row(self.row).columns_of(code) {
            let (bits, stones) = self.stones(column);
            let empty = stones.empty();
            // Lines have no direction: a step back is a step.
            for to in stones.own {
                for from in neighbours(to) & empty {
                    let column = self.column_after(bits, to, from);
                    if !self.is_closed(column) {
                        self.close(column);
                        self.set_parent(
                            cpu,
                            self.parent((stones.own - to.bit()) | from.bit()),
                            next,
                        );
                    }
                }
            }
        }
    }

    /// Parents of children that are won are lost if all their other children are won too.
    #[inline(always)]
    fn spread_wins(&self, cpu: impl Cpu, code: Code) {
        for column in self.side.children.row(self.row).columns_of(code) {
            let (bits, stones) = self.stones(column);
            // Parents met a won capture when they were played out.
            if stones.swapped().can_capture() {
                continue;
            }
            let empty = stones.empty();
            for to in stones.own {
                for from in neighbours(to) & empty {
                    let bits = bits ^ self.column_bit[from.index()] ^ self.column_bit[to.index()];
                    let column = colex_rank(bits);
                    if self.is_closed(column) {
                        continue;
                    }
                    let parent = self.parent((stones.own - to.bit()) | from.bit());
                    if let Some(longest) = self.longest_win(parent, bits) {
                        self.close(column);
                        self.set_parent(cpu, parent, self.work.next(longest));
                    }
                }
            }
        }
    }

    /// The bits and the stones of a column, seen by the parent.
    #[inline(always)]
    fn stones(&self, column: usize) -> (u32, Board) {
        let bits = self.side.children.index().column_sets()[column];
        (bits, self.parent(self.spread.points(bits)))
    }

    /// The longest win among the children, if all are won.
    #[inline(always)]
    fn longest_win(&self, parent: Board, bits: u32) -> Option<Code> {
        let row = self.side.children.row(self.row);
        let mut longest = OPEN;
        let empty = parent.empty();
        for from in parent.own {
            for to in neighbours(from) & empty {
                let code = row.get(self.column_after(bits, from, to));
                if !is_win(code) {
                    return None;
                }
                longest = longest.max(plies_code(code));
            }
        }
        Some(longest)
    }
}

/// The code that counts for the distance of the parent of a won child.
#[inline(always)]
fn plies_code(code: Code) -> Code {
    if code == CAPTURE_WINS { LOST + 1 } else { code }
}
