//! Static evaluation of a quiet board.

use crate::rules::{Board, PointSet};

/// The parts of an evaluation in centistones, each from the mover's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EvalTerms {
    /// Stones, worth more when few are left.
    pub material: i32,
    /// Stones on the centre and on points with diagonals.
    pub placement: i32,
    /// Stones that cannot step, counted against their side.
    pub mobility: i32,
    /// The right to move.
    pub tempo: i32,
}

impl EvalTerms {
    /// The terms for a board.
    #[inline(always)]
    pub fn of(board: Board) -> EvalTerms {
        let (own, other) = (board.own.len() as i32, board.other.len() as i32);
        // A stone ahead decides the sooner the fewer there are.
        let material = (own - other) * 100 + (own - other) * 400 / (own + other + 1);
        let inner = PointSet::from_bits(0b00000_01110_01110_01110_00000);
        let placed = |set: PointSet| {
            3 * (set & PointSet::STRONG).len() as i32 + 2 * (set & inner).len() as i32
        };
        EvalTerms {
            material,
            placement: placed(board.own) - placed(board.other),
            mobility: 2 * (board.step_count() as i32 - board.swapped().step_count() as i32),
            tempo: 4,
        }
    }

    /// The sum of the terms.
    #[inline(always)]
    pub fn total(self) -> i32 {
        self.material + self.placement + self.mobility + self.tempo
    }
}

/// The value of a quiet board for the mover, in centistones.
#[inline(always)]
pub fn evaluate(board: Board) -> i32 {
    EvalTerms::of(board).total()
}

/// The value of a board without captures, or `None` if its mover is stuck and has lost.
#[inline(always)]
pub(super) fn evaluate_leaf(board: Board) -> Option<i32> {
    (board.step_count() > 0).then(|| evaluate(board))
}
