//! What both sides could do on a board, found for both at once.

use super::board::Board;
use super::lines::{AXES, LineSet};

/// What both sides could do on a board if it were their turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Survey {
    /// Jumps with which captures of the mover can begin.
    pub jumps: LineSet,
    /// Steps of the mover, captures left aside.
    pub steps: u32,
    /// Steps of the other side, captures left aside.
    pub other_steps: u32,
    /// Jumps with which captures of the other side could begin.
    pub threats: u32,
}

impl Board {
    /// What both sides could do.
    #[inline(always)]
    pub(crate) fn survey(self) -> Survey {
        // The mover's view in the low half of a word, the other's in the high half. What a shift
        // moves from one half into the other lies above all lower ends of lines there.
        let word = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let (own, other, empty) = (self.own.bits(), self.other.bits(), self.empty().bits());
        let (movers, victims) = (word(own, other), word(other, own));
        let empty = word(empty, empty);
        let (mut steps, mut jumps) = ([0; AXES.len()], [0; AXES.len()]);
        for (a, axis) in AXES.into_iter().enumerate() {
            let d = axis.shift;
            let ends = movers & (empty >> d) | empty & (movers >> d);
            steps[a] = ends & word(axis.steps, axis.steps);
            let ends = movers & (empty >> (2 * d)) | empty & (movers >> (2 * d));
            jumps[a] = ends & (victims >> d) & word(axis.jumps, axis.jumps);
        }
        let mover = |lines: [u64; AXES.len()]| LineSet::of(lines.map(|lower| lower as u32));
        let other = |lines: [u64; AXES.len()]| LineSet::of(lines.map(|lower| (lower >> 32) as u32));
        Survey {
            jumps: mover(jumps),
            steps: mover(steps).len(),
            other_steps: other(steps).len(),
            threats: other(jumps).len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::{Point, PointSet};

    proptest! {
        #[test]
        fn both_sides_are_surveyed_as_each_alone(stones in prop::collection::vec(0..3, Point::COUNT)) {
            let set = |which| {
                let points = Point::all().zip(&stones);
                points.filter(|&(_, &stone)| stone == which).map(|(point, _)| point).collect()
            };
            let (own, other): (PointSet, PointSet) = (set(1), set(2));
            let board = Board { own, other };
            let survey = board.survey();
            prop_assert_eq!(survey.jumps, board.jumps());
            prop_assert_eq!(survey.steps, board.step_count());
            prop_assert_eq!(survey.other_steps, board.swapped().step_count());
            prop_assert_eq!(survey.threats, board.swapped().jump_count());
        }
    }
}
