//! Boards with what is known of their value.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::rules::{Board, Point, PointSet};
use crate::search::Chances;
use crate::search::eval::{FEATURES, features, stage_of};
use crate::tables::{MAX_SIDE, Tables, Wdl};

/// A quiet board as the fit sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// The places of the weights that the evaluation adds up.
    pub places: [u32; FEATURES],
    /// The stage of the game.
    pub stage: usize,
    /// What is known of the value.
    pub chances: Chances,
}

impl Sample {
    /// The sample of a quiet board.
    pub fn new(board: Board, chances: Chances) -> Sample {
        Sample {
            places: features(board),
            stage: stage_of(board.stones()),
            chances,
        }
    }
}

/// What is certain.
pub fn certain(value: Wdl) -> Chances {
    match value {
        Wdl::Win => [1.0, 0.0, 0.0],
        Wdl::Draw => [0.0, 1.0, 0.0],
        Wdl::Loss => [0.0, 0.0, 1.0],
    }
}

/// A random quiet board of so many stones on which the mover can move: every such board is as
/// likely as every other.
fn random_quiet(stones: usize, random: &mut ChaCha8Rng) -> Board {
    let mut points: Vec<Point> = Point::all().collect();
    loop {
        let mut sets = [PointSet::EMPTY; 2];
        let (taken, _) = points.partial_shuffle(random, stones);
        for point in taken {
            let side = random.random_range(0..2_usize);
            sets[side] = sets[side] | point.bit();
        }
        let [own, other] = sets;
        let board = Board { own, other };
        let sides = 1..=MAX_SIDE as u32;
        let possible = sides.contains(&own.len()) && sides.contains(&other.len());
        if possible && !board.can_capture() && board.step_count() > 0 {
            return board;
        }
    }
}

/// Random quiet boards of so many stones with their exact values, the same for the same seed
/// whatever the number of threads. `None` if the tables do not know them.
pub fn exact_boards(
    tables: &Tables,
    stones: usize,
    count: usize,
    seed: u64,
) -> Option<Vec<(Board, Wdl)>> {
    const CHUNK: usize = 4096;
    let chunk = |number: usize| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream((stones as u64) << 32 | number as u64);
        let size = CHUNK.min(count - number * CHUNK);
        let board = |_| {
            let board = random_quiet(stones, &mut random);
            Some((board, tables.quiet(board)?.wdl))
        };
        (0..size).map(board).collect::<Option<Vec<_>>>()
    };
    let chunks = (0..count.div_ceil(CHUNK)).into_par_iter().map(chunk);
    let chunks: Option<Vec<_>> = chunks.collect();
    Some(chunks?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::built_in;

    #[test]
    fn boards_are_quiet_with_their_values_and_follow_from_the_seed() {
        built_in::get();
        let tables = Tables::default().with_built_in();
        let make = |seed| exact_boards(&tables, 5, 5000, seed).expect("known");
        let boards = make(1);
        assert_eq!(boards, make(1));
        assert_ne!(boards, make(2));
        assert_eq!(boards.len(), 5000);
        for (board, value) in &boards {
            assert!(board.stones() == 5 && !board.can_capture() && !board.is_lost());
            assert_eq!(tables.exact(*board).map(|exact| exact.wdl), Some(*value));
        }
        // The second chunk is not the first again.
        assert_ne!(boards[..800], boards[4096..4896]);
        // Every stone has either colour, so one side has one stone, or four, in 10 of 30 boards of
        // all; quiet ones are fewer among the balanced.
        let uneven = boards
            .iter()
            .filter(|(b, _)| b.own.len() == 1 || b.own.len() == 4);
        assert!((1500..3000).contains(&uneven.count()));
        assert_eq!(exact_boards(&tables, 7, 1, 1), None);
    }
}
