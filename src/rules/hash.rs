//! Zobrist keys: 64 bits that pick a hash bucket. Equality is decided by [`Board::code`].

use once_cell::sync::Lazy;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::board::Board;
use super::lines::{Line, LineSet};
use super::movegen::Effect;
use super::point::{Point, PointSet};

/// A Zobrist key of a [`Board`].
pub type ZobristKey = u64;

/// Numbers for the mover's stones; the other side's are the same, rotated by half, so that
/// changing sides rotates the whole key. ChaCha is stable across versions: keys never change.
static NUMBERS: Lazy<[u64; Point::COUNT]> = Lazy::new(|| {
    let mut rng = ChaCha8Rng::seed_from_u64(0xa19e_7e25);
    std::array::from_fn(|_| rng.next_u64())
});

fn stones(numbers: &[u64; Point::COUNT], set: PointSet) -> u64 {
    set.fold(0, |key, point| key ^ numbers[point.index()])
}

impl Board {
    /// The key of the board, computed afresh.
    pub fn key(self) -> ZobristKey {
        let numbers = &*NUMBERS;
        stones(numbers, self.own) ^ stones(numbers, self.other).rotate_left(32)
    }
}

/// The key after a turn, from the key before it.
#[inline]
pub fn toggle_key(key: ZobristKey, effect: Effect) -> ZobristKey {
    let numbers = &*NUMBERS;
    let moved = numbers[effect.from.index()] ^ numbers[effect.to.index()];
    let taken = stones(numbers, effect.captured).rotate_left(32);
    (key ^ moved ^ taken).rotate_left(32)
}

/// What a step along each line changes in a key, before the sides change.
pub(crate) struct StepKeys([ZobristKey; LineSet::BITS]);

/// The keys of steps.
pub(crate) fn step_keys() -> &'static StepKeys {
    static KEYS: Lazy<StepKeys> = Lazy::new(|| {
        let key = |line| stones(&NUMBERS, Line::numbered(line).ends());
        StepKeys(std::array::from_fn(key))
    });
    &KEYS
}

impl StepKeys {
    /// The key after the mover's step along a line, from the key before it.
    #[inline(always)]
    pub(crate) fn after(&self, key: ZobristKey, line: Line) -> ZobristKey {
        (key ^ self.0[line.number()]).rotate_left(32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;

    #[test]
    fn a_step_changes_the_key_to_that_of_the_board_after_it() {
        let board = Position::start().board();
        for line in board.steps() {
            let after = board.after_step(line);
            assert_eq!(step_keys().after(board.key(), line), after.key());
            assert_eq!(board.after(board.step_along(line)), after);
        }
    }
}
