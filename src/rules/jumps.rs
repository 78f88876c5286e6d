//! All jumps of a board at once, and the chains that begin with them.

use std::array;

use super::board::Board;
use super::cpu::Cpu;
use super::lines::{AXES, Line, LineSet, opposite};
use super::point::{Point, PointSet};

/// The jumps open to the mover: their lower ends by axis. One end holds a mover, the other is empty.
#[derive(Clone, Copy)]
pub(super) struct Jumps([u32; AXES.len()]);

impl Jumps {
    #[inline(always)]
    pub(super) fn of(board: Board) -> Jumps {
        Jumps::by(board.own, board)
    }

    /// The jumps of some of the mover's stones: after a jump, of the one that jumped.
    #[inline(always)]
    pub(super) fn by(movers: PointSet, board: Board) -> Jumps {
        let (movers, other) = (movers.bits(), board.other.bits());
        let empty = board.empty().bits();
        Jumps(AXES.map(
            #[inline(always)]
            |axis| {
                let d = axis.shift;
                let ends = (movers & (empty >> (2 * d))) | (empty & (movers >> (2 * d)));
                ends & (other >> d) & axis.jumps
            },
        ))
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.lines().is_empty()
    }

    /// The lines that the jumps begin with at their lower ends.
    #[inline(always)]
    pub(super) fn lines(&self) -> LineSet {
        LineSet::of(self.0)
    }

    /// Landing points on `board` from which the stone must jump on. A first jump opens no other
    /// jump from its landing point, and closes none but the one back: the board before it tells.
    #[inline(always)]
    pub(super) fn go_on(&self, board: Board) -> PointSet {
        let (other, empty) = (board.other.bits(), board.empty().bits());
        let (mut ends, mut starts) = (0, 0);
        for (lower, axis) in self.0.into_iter().zip(AXES) {
            let d = axis.shift;
            ends |= lower | lower << (2 * d);
            // Where a stone on either end could jump to the other.
            let free = empty & (empty >> (2 * d)) & (other >> d) & axis.jumps;
            starts |= free | free << (2 * d);
        }
        PointSet::from_bits(ends & empty & starts)
    }

    /// The jumps that must go on, landing on one of `go_on`: lower ends by axis.
    #[inline(always)]
    pub(super) fn going_on(&self, go_on: PointSet) -> [u32; AXES.len()] {
        let go_on = go_on.bits();
        // Of the two ends only the landing point can be one of these.
        array::from_fn(|a| self.0[a] & (go_on | go_on >> (2 * AXES[a].shift)))
    }

    /// The jumps that end the turn, landing on none of `go_on`: lower ends by axis.
    #[inline(always)]
    pub(super) fn ending(&self, go_on: PointSet) -> [u32; AXES.len()] {
        let going_on = self.going_on(go_on);
        array::from_fn(|a| self.0[a] ^ going_on[a])
    }

    /// Calls `visit` with start, victim and landing point of every jump.
    #[inline(always)]
    pub(super) fn for_each(&self, own: PointSet, mut visit: impl FnMut(Point, Point, Point)) {
        for line in self.lines() {
            let (from, over, to) = jump_along(line, own);
            visit(from, over, to);
        }
    }
}

/// Start, victim and landing point of the jump that begins with a line at its lower end, by one of
/// the `own` stones.
#[inline(always)]
pub(super) fn jump_along(line: Line, own: PointSet) -> (Point, Point, Point) {
    let (low, over) = (line.low(), line.high());
    let high = opposite(low, over);
    match own.has(low) {
        true => (low, over, high),
        false => (high, over, low),
    }
}

/// A chain in progress: the moving stone is lifted off the board.
#[derive(Clone, Copy)]
pub(crate) struct Chain {
    vacant: PointSet,
    victims: PointSet,
}

impl Chain {
    #[inline(always)]
    pub(crate) fn start(board: Board, from: Point) -> Chain {
        Chain {
            vacant: board.empty() | from.bit(),
            victims: board.other,
        }
    }

    /// The enemy stones that a jump from `at` can take.
    #[inline(always)]
    pub(crate) fn victims_from(self, cpu: impl Cpu, at: Point) -> PointSet {
        cpu.halfway_to(at, self.vacant) & self.victims
    }

    #[inline(always)]
    pub(crate) fn taking(self, over: Point) -> Chain {
        Chain {
            vacant: self.vacant | over.bit(),
            victims: self.victims - over.bit(),
        }
    }

    /// Calls `visit` with the last point and the stones taken of each chain that goes on from `at`
    /// over one of `next`, which is not empty; `taken` are the stones taken before.
    pub(crate) fn for_each_end<C: Cpu>(
        self,
        cpu: C,
        at: Point,
        next: PointSet,
        taken: PointSet,
        visit: &mut impl FnMut(Point, PointSet),
    ) {
        cpu.run(
            #[inline(always)]
            || {
                for over in next {
                    let (to, taken) = (opposite(at, over), taken | over.bit());
                    let chain = self.taking(over);
                    let further = chain.victims_from(cpu, to);
                    if further.is_empty() {
                        visit(to, taken);
                    } else {
                        chain.for_each_end(cpu, to, further, taken, visit);
                    }
                }
            },
        );
    }
}
