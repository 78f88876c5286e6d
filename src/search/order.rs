//! Move ordering: the table's move, captures by stones taken, steps by history.

use crate::rules::{Board, Effect, Line, LineSet};

/// How well steps did so far in this search: by side, line and the end they start from.
pub(super) struct History([SideHistory; 2]);

/// The same for one side.
pub(super) struct SideHistory([i32; 2 * LineSet::BITS]);

const HISTORY_LIMIT: i32 = 1 << 16;

impl History {
    pub(super) fn new() -> History {
        History([0, 1].map(|_| SideHistory([0; 2 * LineSet::BITS])))
    }

    /// What is known of the steps of the side to move at `ply`.
    #[inline(always)]
    pub(super) fn of_side(&self, ply: usize) -> &SideHistory {
        &self.0[ply & 1]
    }

    /// A step of `board` cut off; the others of those `tried` did not.
    pub(super) fn reward(
        &mut self,
        ply: usize,
        board: Board,
        tried: LineSet,
        cut: Line,
        depth: i32,
    ) {
        let bonus = (depth * depth).min(1024);
        for line in tried {
            let cell = &mut self.0[ply & 1].0[place(board, line)];
            let gain = if line == cut { bonus } else { -bonus };
            // Shrinks towards 0 as it nears the limit.
            *cell += gain - *cell * bonus / HISTORY_LIMIT;
        }
    }
}

/// Where the history of the mover's step along a line is kept.
#[inline(always)]
fn place(board: Board, line: Line) -> usize {
    let (ends, from) = (line.ends(), line.ends() & board.own);
    // The bit of the higher end is more than half the sum of both.
    2 * line.number() + usize::from(2 * from.bits() > ends.bits())
}

/// Lines rated at a time: the words of two vectors.
const LANES: usize = 8;
const NONE: i32 = i32::MIN;

/// The steps of a node, best first. Each is a number of its own: its rating, and below that its line.
/// Thus those that are done are known by being higher than the last.
pub(super) struct StepOrder {
    ratings: [[i32; LANES]; LineSet::BITS / LANES],
    /// How many of `ratings` hold steps.
    used: usize,
}

impl StepOrder {
    pub(super) fn new() -> StepOrder {
        StepOrder {
            ratings: [[NONE; LANES]; LineSet::BITS / LANES],
            used: 0,
        }
    }

    /// Rates the mover's steps along these lines.
    #[inline(always)]
    pub(super) fn fill(&mut self, board: Board, steps: LineSet, history: &SideHistory) {
        let ratings = self.ratings.as_flattened_mut();
        let mut count = 0;
        for line in steps {
            let rating = history.0[place(board, line)] * LineSet::BITS as i32;
            // No more lines than there are numbers.
            ratings[count % LineSet::BITS] = rating + (LineSet::BITS - 1 - line.number()) as i32;
            count += 1;
        }
        self.used = count.div_ceil(LANES).min(LineSet::BITS / LANES);
        let end = self.used * LANES;
        ratings[count.min(end)..end].fill(NONE);
    }

    /// The best step rated below `last`, with its rating.
    #[inline(always)]
    pub(super) fn next(&self, last: i32) -> (Line, i32) {
        let mut best = [NONE; LANES];
        for ratings in &self.ratings[..self.used] {
            for (best, &rating) in best.iter_mut().zip(ratings) {
                let rating = if rating < last { rating } else { NONE };
                *best = rating.max(*best);
            }
        }
        let best = best.into_iter().fold(NONE, i32::max);
        let number = LineSet::BITS - 1 - best as usize % LineSet::BITS;
        (Line::numbered(number), best)
    }
}

/// The captures of the nodes on the present line, one node's after the other's: no buffer of fixed
/// size holds them all.
#[derive(Default)]
pub(super) struct Captures(Vec<Effect>);

impl Captures {
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Brings the best of those from `from` on to the front and returns it: `first` if it is there,
    /// otherwise the one that takes the most stones.
    #[inline(always)]
    pub(super) fn pick(&mut self, from: usize, first: Option<Effect>) -> Effect {
        let turns = &mut self.0[from..];
        let rate = |turn: Effect| match first == Some(turn) {
            true => u32::MAX,
            false => turn.captured.len(),
        };
        let (mut best, mut highest) = (0, 0);
        for (i, &turn) in turns.iter().enumerate() {
            let rating = rate(turn);
            if rating > highest {
                (best, highest) = (i, rating);
            }
        }
        turns.swap(0, best);
        turns[0]
    }

    /// For the generator to append to.
    #[inline(always)]
    pub(super) fn turns(&mut self) -> &mut Vec<Effect> {
        &mut self.0
    }

    #[inline(always)]
    pub(super) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::{Point, PointSet, Position};

    proptest! {
        #[test]
        fn steps_come_by_their_rating_each_once(
            set in prop::collection::hash_set(0u8..25, 0..13),
            ratings in prop::array::uniform32(-HISTORY_LIMIT..=HISTORY_LIMIT),
        ) {
            let own = set.into_iter().filter_map(Point::new).collect();
            let board = Board { own, other: PointSet::EMPTY };
            let mut history = SideHistory([0; 2 * LineSet::BITS]);
            for (cell, rating) in history.0.iter_mut().zip(ratings.iter().cycle()) {
                *cell = *rating;
            }
            let mut order = StepOrder::new();
            // What an earlier node left there must not show.
            order.fill(Position::start().board(), Position::start().board().steps(), &history);
            order.fill(board, board.steps(), &history);
            let mut expected: Vec<i32> = board.steps().map(|line| history.0[place(board, line)]).collect();
            expected.sort_by_key(|&rating| std::cmp::Reverse(rating));
            let (mut last, mut left) = (i32::MAX, board.steps());
            for rating in expected {
                let (line, key) = order.next(last);
                prop_assert!(key < last);
                prop_assert_eq!(history.0[place(board, line)], rating);
                prop_assert!(left.without(line) != left);
                (last, left) = (key, left.without(line));
            }
            prop_assert!(left.is_empty());
        }
    }

    #[test]
    fn both_ways_along_a_line_are_told_apart() {
        let [low, high] = [Point::at(1, 1), Point::at(2, 1)];
        let line = Line::between(low, high);
        let [up, down] = [low, high].map(|from| {
            let board = Board {
                own: from.bit(),
                other: PointSet::EMPTY,
            };
            place(board, line)
        });
        assert_ne!(up, down);
    }
}
