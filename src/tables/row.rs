//! One row of the child's slice: the parents and children that share the stones B.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::pair::{Side, Work, closed_words};
use super::rank::{Spread, colex_rank};
use super::slab::{CAPTURE_WINS, Code, LOST, OPEN, is_loss, is_win};
use crate::rules::cpu::Cpu;
use crate::rules::{Board, Point, PointSet, neighbours};

/// The work on one row: B, the stones of the side to move in the children, is fixed.
pub(super) struct RowWork<'a> {
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
    pub(super) fn new(work: &'a Work<'a>, side: &'a Side<'a>, row: usize) -> RowWork<'a> {
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
    pub(super) fn play_out(&self, cpu: impl Cpu) {
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
    pub(super) fn spread_losses(&self, cpu: impl Cpu, code: Code) {
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
    pub(super) fn spread_wins(&self, cpu: impl Cpu, code: Code) {
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
