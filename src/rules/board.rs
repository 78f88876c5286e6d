//! The stones as the mover sees them.

use super::lines::{AXES, Axis};
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

    /// Where the mover can jump along an axis, whatever comes after the jump: lower ends.
    #[inline(always)]
    fn jumps_along(self, axis: Axis) -> u32 {
        let (own, other, empty) = (self.own.bits(), self.other.bits(), self.empty().bits());
        let d = axis.shift;
        let ends = (own & (empty >> (2 * d))) | (empty & (own >> (2 * d)));
        ends & (other >> d) & axis.jumps
    }

    /// The same for all axes.
    #[inline(always)]
    fn jump_lines(self) -> [u32; AXES.len()] {
        AXES.map(
            #[inline(always)]
            |axis| self.jumps_along(axis),
        )
    }

    /// Whether the mover has a capture, and so must capture.
    #[inline(always)]
    pub fn can_capture(self) -> bool {
        let [a, b, c, d] = self.jump_lines();
        a | b | c | d != 0
    }

    /// The number of jumps with which the mover's captures can begin.
    #[inline(always)]
    pub fn jump_count(self) -> u32 {
        count(self.jump_lines())
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
        count(self.step_lines())
    }

    /// Whether the mover has no legal move and so has lost.
    #[inline(always)]
    pub fn is_lost(self) -> bool {
        self.step_count() == 0 && !self.can_capture()
    }
}

/// The number of points in four sets.
#[inline(always)]
fn count(sets: [u32; AXES.len()]) -> u32 {
    // Two axes share one 64-bit count.
    let [a, b, c, d] = sets.map(u64::from);
    (a | b << 32).count_ones() + (c | d << 32).count_ones()
}
