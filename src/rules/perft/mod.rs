//! Perft: the number of move sequences of a given length, the standard check of a generator.

mod bulk;
mod lanes;
mod queue;
mod turns;

use rayon::prelude::*;

use super::board::Board;
use super::cpu::{Portable, with_vectors};
use super::moves::Move;

/// Counts the sequences of `depth` legal moves from `board`; 1 at depth 0. The last ply is counted
/// in bulk, without making its moves, and many boards are counted at once.
pub fn perft(board: Board, depth: u32) -> u64 {
    with_vectors!(|cpu| bulk::count(cpu, board, depth))
}

/// Plies that are counted without a look at whether to stop: some hundredths of a second.
const UNSTOPPED_DEPTH: u32 = 8;

/// The same count on the threads of the present rayon pool. `None` if `stop` said so.
pub fn perft_parallel(board: Board, depth: u32, stop: &(dyn Fn() -> bool + Sync)) -> Option<u64> {
    if stop() {
        return None;
    }
    if depth <= UNSTOPPED_DEPTH {
        return Some(perft(board, depth));
    }
    let mut children = Vec::new();
    board.for_each_child(Portable, |child| children.push(child));
    let below = |&child: &Board| perft_parallel(child, depth - 1, stop);
    children.par_iter().map(below).sum()
}

/// The count below each legal move, in generation order; none at depth 0. `None` if `stop` said so.
pub fn divide(
    board: Board,
    depth: u32,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<(Move, u64)>> {
    let Some(below) = depth.checked_sub(1) else {
        return Some(Vec::new());
    };
    let count = |mv: Move| Some((mv, perft_parallel(board.after(mv.effect()), below, stop)?));
    board.moves().into_iter().map(count).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::rules::cpu::{Avx2, Avx512};
    use crate::rules::{Point, Position};

    /// The count of every kind of processor that this one is, by its name.
    fn counts(board: Board, depth: u32) -> Vec<(&'static str, u64)> {
        #[cfg(target_arch = "x86_64")]
        let vectors = [
            Avx2::detect().map(|cpu| ("AVX2", bulk::count(cpu, board, depth))),
            Avx512::detect().map(|cpu| ("AVX-512", bulk::count(cpu, board, depth))),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let vectors = [None; 2];
        let portable = ("portable", bulk::count(Portable, board, depth));
        vectors.into_iter().flatten().chain([portable]).collect()
    }

    /// One move after the other, none in bulk.
    fn slow_count(board: Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = board.moves();
        let below = |mv: &Move| slow_count(board.after(mv.effect()), depth - 1);
        moves.iter().map(below).sum()
    }

    fn board(text: &str) -> Board {
        text.parse::<Position>().expect("a position").board()
    }

    #[test]
    fn every_kind_of_processor_counts_the_start() {
        let kinds = counts(board("bbbbb/bbbbb/bb1ww/wwwww/wwwww w"), 11);
        if kinds.len() < 3 {
            eprintln!("SKIPPED in part: this processor does not have all vectors: {kinds:?}");
        }
        for (kind, leaves) in kinds {
            assert_eq!(leaves, 510_413, "{kind}");
        }
    }

    #[test]
    fn every_kind_of_processor_counts_the_longest_chains() {
        let chains = board("1b3/bbbbw/1bwb1/bbbbw/1b1w1 w");
        for (kind, moves) in counts(chains, 1) {
            assert_eq!(moves, 3_692, "{kind}");
        }
    }

    fn boards() -> impl Strategy<Value = Board> {
        let order = Just(Point::all().collect::<Vec<_>>()).prop_shuffle();
        (order, 0usize..=12, 0usize..=12).prop_map(|(order, own, other)| Board {
            own: order[..own].iter().copied().collect(),
            other: order[own..own + other].iter().copied().collect(),
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_kind_of_processor_counts_as_the_slow_way(board in boards(), depth in 0u32..=3) {
            let leaves = slow_count(board, depth);
            for (kind, counted) in counts(board, depth) {
                prop_assert_eq!(counted, leaves, "{}", kind);
            }
        }
    }

    #[test]
    fn a_stop_ends_the_count() {
        let board = Position::start().board();
        assert_eq!(perft_parallel(board, 20, &|| true), None);
        assert_eq!(divide(board, 20, &|| true), None);
        assert_eq!(perft_parallel(board, 10, &|| false), Some(83_003));
    }
}
