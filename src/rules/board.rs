//! The stones as the mover sees them.

use super::jumps::Jumps;
use super::lines::{AXES, LineSet};
use super::point::PointSet;

/// The stones of the mover and of the other side, without colours.
///
/// The lines have no direction, so a board means the same whichever colour moves; one generator,
/// one hash table and one set of exact tables serve both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Board {
    /// Stones of the side to move.
    pub own: PointSet,
    /// Stones of the other side.
    pub other: PointSet,
}

impl Board {
    /// The points without a stone.
    #[inline(always)]
    pub fn empty(self) -> PointSet {
        !(self.own | self.other)
    }

    /// The same stones with the other side to move.
    #[inline(always)]
    pub fn swapped(self) -> Board {
        Board {
            own: self.other,
            other: self.own,
        }
    }

    /// The board as one exact number of 50 bits: own stones low, the other's above.
    #[inline(always)]
    pub fn code(self) -> u64 {
        self.own.bits() as u64 | (self.other.bits() as u64) << 25
    }

    /// Stones on the board, both sides.
    #[inline(always)]
    pub fn stones(self) -> u32 {
        self.own.len() + self.other.len()
    }

    /// Whether the mover has a capture, and so must capture.
    #[inline(always)]
    pub fn can_capture(self) -> bool {
        !self.jumps().is_empty()
    }

    /// The number of jumps with which the mover's captures can begin.
    #[inline(always)]
    pub fn jump_count(self) -> u32 {
        self.jumps().len()
    }

    /// The jumps with which the mover's captures can begin: lines at their lower ends.
    #[inline(always)]
    pub(crate) fn jumps(self) -> LineSet {
        Jumps::of(self).lines()
    }

    /// The own stones that can capture.
    #[inline(always)]
    pub fn capturers(self) -> PointSet {
        let (own, other, empty) = (self.own.bits(), self.other.bits(), self.empty().bits());
        let mut from = 0;
        for axis in AXES {
            let d = axis.shift;
            let over = (other >> d) & axis.jumps;
            from |= own & (empty >> (2 * d)) & over;
            from |= own & ((empty & over) << (2 * d));
        }
        PointSet::from_bits(from)
    }

    /// Lines along which the mover can step, captures left aside: their lower ends by axis. An own
    /// stone stands on one end and no stone on the other.
    #[inline(always)]
    pub(super) fn step_lines(self) -> [u32; AXES.len()] {
        let (own, empty) = (self.own.bits(), self.empty().bits());
        let mut lower = [0; AXES.len()];
        for (lower, axis) in lower.iter_mut().zip(AXES) {
            let ends = (own & (empty >> axis.shift)) | (empty & (own >> axis.shift));
            *lower = ends & axis.steps;
        }
        lower
    }

    /// The number of steps, captures left aside.
    #[inline(always)]
    pub fn step_count(self) -> u32 {
        self.steps().len()
    }

    /// Lines along which the mover can step, captures left aside.
    #[inline(always)]
    pub(crate) fn steps(self) -> LineSet {
        LineSet::of(self.step_lines())
    }

    /// Whether the mover has no legal move and so has lost.
    #[inline(always)]
    pub fn is_lost(self) -> bool {
        self.step_count() == 0 && !self.can_capture()
    }
}
