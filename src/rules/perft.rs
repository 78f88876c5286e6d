//! Perft: the number of move sequences of a given length, the standard check of a generator.

use rayon::prelude::*;

use super::board::Board;
use super::cpu::{Cpu, Portable, with_cpu};
use super::jumps::{Chain, Jumps};
use super::lines::opposite;
use super::moves::Move;
use super::point::PointSet;

/// Counts the sequences of `depth` legal moves from `board`; 1 at depth 0. The last ply is counted
/// in bulk, without making its moves.
pub fn perft(board: Board, depth: u32) -> u64 {
    with_cpu!(|cpu| perft_on(cpu, board, depth))
}

fn perft_on<C: Cpu>(cpu: C, board: Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count_moves(cpu, board),
        2 => cpu.run(
            #[inline(always)]
            || {
                let mut leaves = 0;
                board.for_each_child(cpu, |child| leaves += count_moves(cpu, child));
                leaves
            },
        ),
        _ => cpu.run(
            #[inline(always)]
            || {
                let mut leaves = 0;
                board.for_each_child(cpu, |child| leaves += perft_on(cpu, child, depth - 1));
                leaves
            },
        ),
    }
}

/// The number of legal moves (paths), without generating them.
fn count_moves<C: Cpu>(cpu: C, board: Board) -> u64 {
    cpu.run(
        #[inline(always)]
        || {
            let jumps = Jumps::of(board);
            let (count, steps) = (jumps.count(), board.step_count());
            if jumps.go_on().is_empty() {
                // Both are at hand: choosing is cheaper than a branch that cannot be foretold.
                return u64::from(if count == 0 { steps } else { count });
            }
            u64::from(count) + longer_chains(cpu, board, jumps.go_on())
        },
    )
}

/// How many more moves there are than first jumps, for the first jumps that land on `go_on` and
/// must go on from there.
fn longer_chains<C: Cpu>(cpu: C, board: Board, go_on: PointSet) -> u64 {
    cpu.run(
        #[inline(always)]
        || {
            let mut more = 0;
            for at in go_on {
                let next = cpu.halfway_to(at, board.empty()) & board.other;
                let before = cpu.halfway_to(at, board.own) & board.other;
                for over in before {
                    let chain = Chain::start(board, opposite(at, over)).taking(over);
                    more += chain.count_paths(cpu, at, next) - 1;
                }
            }
            more
        },
    )
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
    use super::*;
    use crate::rules::Position;

    /// The code for this processor and the portable code must count the same.
    #[test]
    fn portable_counts_equal_the_fast_ones() {
        let board = Position::start().board();
        assert_eq!(perft_on(Portable, board, 11), 510_413);
        assert_eq!(perft(board, 11), 510_413);
    }

    #[test]
    fn a_stop_ends_the_count() {
        let board = Position::start().board();
        assert_eq!(perft_parallel(board, 20, &|| true), None);
        assert_eq!(divide(board, 20, &|| true), None);
        assert_eq!(perft_parallel(board, 10, &|| false), Some(83_003));
    }
}
