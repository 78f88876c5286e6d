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
        let mut lower = [0; AXES.len()];
        for (lower, axis) in lower.iter_mut().zip(AXES) {
            let d = axis.shift;
            let ends = (movers & (empty >> (2 * d))) | (empty & (movers >> (2 * d)));
            *lower = ends & (other >> d) & axis.jumps;
        }
        Jumps(lower)
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; AXES.len()]
    }

    /// The lines that the jumps begin with at their lower ends.
    #[inline(always)]
    pub(super) fn lines(&self) -> LineSet {
        LineSet::of(self.0)
    }

    /// The jumps that must go on, by what [`go_on`] says: lower ends by axis.
    #[inline(always)]
    pub(super) fn going_on(&self, go_on: PointSet) -> [u32; AXES.len()] {
        // All points of it are empty, and of the two ends only the landing point is.
        let go_on = go_on.bits();
        array::from_fn(|a| self.0[a] & (go_on | go_on >> (2 * AXES[a].shift)))
    }

    /// The other jumps, which end the turn.
    #[inline(always)]
    pub(super) fn ending(&self, going_on: [u32; AXES.len()]) -> [u32; AXES.len()] {
        array::from_fn(|a| self.0[a] ^ going_on[a])
    }
}

/// The points from which a stone that has landed there must jump on. A first jump opens no other
/// jump from its landing point, and closes none but the one back: the board before it tells.
#[inline(always)]
pub(super) fn go_on(board: Board) -> PointSet {
    let (other, empty) = (board.other.bits(), board.empty().bits());
    let mut starts = 0;
    for axis in AXES {
        let d = axis.shift;
        // Where a stone on either end could jump to the other.
        let free = empty & (empty >> (2 * d)) & (other >> d) & axis.jumps;
        starts |= free | free << (2 * d);
    }
    PointSet::from_bits(starts)
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
