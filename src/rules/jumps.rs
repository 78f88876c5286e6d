//! All jumps of a board at once, and the chains that begin with them.

use std::array;

use super::board::Board;
use super::cpu::Cpu;
use super::lines::{AXES, for_each_line, opposite};
use super::point::{Point, PointSet};

/// The jumps open to the mover.
#[derive(Clone, Copy)]
pub(super) struct Jumps {
    /// Lower ends of the jumps, by axis: one end holds a mover, the other is empty.
    lower: [u32; AXES.len()],
    /// Landing points from which the stone must jump on. A first jump opens no other jump from
    /// its landing point, and closes none but the one back: the board before it tells.
    go_on: PointSet,
}

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
        let (mut ends, mut starts) = (0, 0);
        for (lower, axis) in lower.iter_mut().zip(AXES) {
            let d = axis.shift;
            let over = (other >> d) & axis.jumps;
            let beyond = empty >> (2 * d);
            *lower = ((movers & beyond) | (empty & (movers >> (2 * d)))) & over;
            ends |= *lower | *lower << (2 * d);
            // Where a stone on either end could jump to the other.
            let free = empty & beyond & over;
            starts |= free | free << (2 * d);
        }
        Jumps {
            lower,
            go_on: PointSet::from_bits(ends & empty & starts),
        }
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.lower == [0; AXES.len()]
    }

    /// Landing points from which the stone must jump on.
    #[inline(always)]
    pub(super) fn go_on(&self) -> PointSet {
        self.go_on
    }

    /// Lower ends of the jumps that must go on, by axis.
    #[inline(always)]
    pub(super) fn going_on(&self) -> [u32; AXES.len()] {
        let go_on = self.go_on.bits();
        // Of the two ends only the landing point can be one of these.
        array::from_fn(|a| self.lower[a] & (go_on | go_on >> (2 * AXES[a].shift)))
    }

    /// Lower ends of the jumps that end the turn, by axis.
    #[inline(always)]
    pub(super) fn ending(&self) -> [u32; AXES.len()] {
        let going_on = self.going_on();
        array::from_fn(|a| self.lower[a] ^ going_on[a])
    }

    /// Calls `visit` with start, victim and landing point of every jump.
    #[inline(always)]
    pub(super) fn for_each(&self, own: PointSet, mut visit: impl FnMut(Point, Point, Point)) {
        for_each_line(
            self.lower,
            #[inline(always)]
            |low, shift| {
                let point = |steps: u32| Point::from_bit(low + steps * shift);
                // Branch-free: which end holds the stone is anybody's guess.
                let down = own.has(point(2)) as u32 * 2;
                visit(point(down), point(1), point(2 - down));
            },
        );
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
