//! One row of the child's slice: the parents and children that share the stones B.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::captures::Captures;
use super::pair::{Side, Work, closed_words};
use super::rank::Spread;
use super::slab::{CAPTURE_WINS, Code, LOST, OPEN, is_loss, is_win};
use super::survey::{RowSets, StepsBack, WORD, bits_between, bits_of};
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
    /// Places of parents that were found and their codes, not yet set.
    found: Vec<(u32, u32, Code)>,
}

/// Places fetched at a time.
const BATCH: usize = 64;

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
            found: Vec::new(),
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

    /// Closes the parents that have a capture, and plays out the captures that the others step
    /// into. Nobody else is at work on the row.
    #[inline(always)]
    pub(super) fn play_out(&self, cpu: impl Cpu) {
        let index = self.side.children.index();
        let sets = RowSets::new(self.waiting, index.other());
        let survey = sets.survey();
        for (closed, &bits) in self.closed.iter().zip(&survey.picked) {
            closed.store(bits, Relaxed);
        }
        let mut captures = Captures::new(self.work.smaller, self.work.measure, index.columns());
        for (word, &fixed) in survey.fixed.iter().enumerate() {
            let sure = survey.reached[word];
            for bit in bits_of(fixed & (sure | survey.doubtful[word])) {
                let column = word * WORD + bit;
                let parent = self.parent(sets.get(column));
                if sure >> bit & 1 != 0 || self.is_reached(parent, index.column_sets()[column]) {
                    captures.play_out(cpu, parent.swapped(), column);
                }
            }
        }
        captures.finish(cpu);
        let row = self.side.children.row(self.row);
        for (column, code) in captures.codes() {
            row.set_alone(column, code);
            // Wins need no spreading: the first losses are found by themselves.
            if is_loss(code) {
                self.work.note(self.side, self.row, code);
            }
        }
    }

    /// Whether some quiet parent steps into these stones.
    #[inline(always)]
    fn is_reached(&self, stones: Board, bits: u32) -> bool {
        let mut reached = false;
        for_each_step_back(
            stones,
            #[inline(always)]
            |to, from| reached |= !self.is_closed(self.column_after(bits, to, from)),
        );
        reached
    }

    /// Finds the quiet parents that are lost because all their children were found won by a
    /// capture, or because they have none.
    #[inline(always)]
    pub(super) fn find_first_losses(&mut self, cpu: impl Cpu) {
        let index = self.side.children.index();
        for (word, closed) in self.closed.iter().enumerate() {
            let open = !closed.load(Relaxed) & bits_between(0, index.columns(), word);
            for bit in bits_of(open) {
                let column = word * WORD + bit;
                let (bits, parent) = self.stones(column);
                if let Some(longest) = self.longest_win(parent, bits) {
                    self.close(column);
                    self.set_parent(cpu, parent, self.work.next(longest));
                }
            }
        }
        self.set_found();
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

    #[inline(always)]
    fn bits_after(&self, bits: u32, from: Point, to: Point) -> u32 {
        bits ^ self.column_bit[from.index()] ^ self.column_bit[to.index()]
    }

    #[inline(always)]
    fn column_after(&self, bits: u32, from: Point, to: Point) -> usize {
        let bits = self.bits_after(bits, from, to);
        self.side.children.index().column(bits)
    }

    /// Sets a quiet parent that is open, in every copy: later, when they have been fetched.
    #[inline(always)]
    fn set_parent(&mut self, cpu: impl Cpu, parent: Board, code: Code) {
        let slab = self.side.parents;
        slab.index().for_each_copy(
            cpu,
            parent,
            #[inline(always)]
            |row, column| {
                slab.row(row).place(column).prefetch();
                self.found.push((row as u32, column as u32, code));
            },
        );
        if self.found.len() >= BATCH {
            self.set_found();
        }
    }

    /// Sets the parents that were found.
    fn set_found(&mut self) {
        let side = &self.work.sides[self.side.parent_side];
        for (row, column, code) in self.found.drain(..) {
            let (row, column) = (row as usize, column as usize);
            if self.side.parents.row(row).get(column) == OPEN {
                self.work.set(side, row, column, code);
            }
        }
    }

    /// Parents of children that are lost are won, one ply further away.
    #[inline(always)]
    pub(super) fn spread_losses(&mut self, cpu: impl Cpu, code: Code) {
        let next = self.work.next(code);
        for column in self.side.children.row(self.row).columns_of(code) {
            let (bits, stones) = self.stones(column);
            for_each_step_back(
                stones,
                #[inline(always)]
                |to, from| {
                    let column = self.column_after(bits, to, from);
                    if !self.is_closed(column) {
                        self.close(column);
                        let parent = self.parent((stones.own - to.bit()) | from.bit());
                        self.set_parent(cpu, parent, next);
                    }
                },
            );
        }
        self.set_found();
    }

    /// Parents of children that are won are lost if all their other children are won too.
    #[inline(always)]
    pub(super) fn spread_wins(&mut self, cpu: impl Cpu, code: Code) {
        for column in self.side.children.row(self.row).columns_of(code) {
            let (bits, stones) = self.stones(column);
            // The first losses were found by themselves.
            if stones.swapped().can_capture() {
                continue;
            }
            for_each_step_back(
                stones,
                #[inline(always)]
                |to, from| {
                    let bits = self.bits_after(bits, to, from);
                    let column = self.side.children.index().column(bits);
                    if self.is_closed(column) {
                        return;
                    }
                    let parent = self.parent((stones.own - to.bit()) | from.bit());
                    if let Some(longest) = self.longest_win(parent, bits) {
                        self.close(column);
                        self.set_parent(cpu, parent, self.work.next(longest));
                    }
                },
            );
        }
        self.set_found();
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

/// Calls `visit` with both ends of the steps that may have led from a quiet position of the mover
/// to `after`; all that did are among them.
#[inline(always)]
fn for_each_step_back(after: Board, mut visit: impl FnMut(Point, Point)) {
    let back = StepsBack::of(after.own.bits(), after.other.bits());
    let movable = PointSet::from_bits(back.movable);
    let origins = PointSet::from_bits(back.origins);
    let (starts, landings) = (
        PointSet::from_bits(back.starts),
        PointSet::from_bits(back.landings),
    );
    // A jump was not there before: its stone has come, or has left the landing point behind.
    let movable = match landings.len() {
        0 | 1 => movable,
        _ => movable & starts,
    };
    for to in movable {
        let undone = starts - to.bit();
        // Lines have no direction: a step back is a step.
        let origins = match undone.is_empty() {
            true => origins,
            false => origins & landings,
        };
        for from in neighbours(to) & origins {
            visit(to, from);
        }
    }
}

/// The code that counts for the distance of the parent of a won child.
#[inline(always)]
fn plies_code(code: Code) -> Code {
    if code == CAPTURE_WINS { LOST + 1 } else { code }
}
