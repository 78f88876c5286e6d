//! Perft: the number of move sequences of a given length, the standard check of a generator.

use rayon::prelude::*;

use super::board::Board;
use super::movegen::{count_moves, count_replies};
use super::moves::Move;

/// Counts the sequences of `depth` legal moves from `board`; 1 at depth 0. The last two plies
/// are counted in bulk, without making their moves.
pub fn perft(board: Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count_moves(board),
        2 => count_replies(board),
        _ => {
            let mut leaves = 0;
            board.for_each_child(|child| leaves += perft(child, depth - 1));
            leaves
        }
    }
}

/// The same count on the threads of the current rayon pool.
pub fn perft_parallel(board: Board, depth: u32) -> u64 {
    // The first plies are narrow: split until there is work for every thread.
    let (mut boards, mut left) = (vec![board], depth);
    while left > 4 && boards.len() < 2000 {
        let mut next = Vec::new();
        for parent in &boards {
            parent.for_each_child(|child| next.push(child));
        }
        boards = next;
        left -= 1;
    }
    boards.par_iter().map(|&board| perft(board, left)).sum()
}

/// The count below each legal move, in generation order. `depth` counts from the board itself and
/// is at least 1.
pub fn divide(board: Board, depth: u32) -> Vec<(Move, u64)> {
    let below = |mv: Move| perft_parallel(board.after(mv.effect()), depth.saturating_sub(1));
    board
        .moves()
        .into_iter()
        .map(|mv| (mv, below(mv)))
        .collect()
}
