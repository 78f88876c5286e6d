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

/// The material term by numbers of own and other stones: a stone ahead decides the sooner the fewer
/// there are. A table, for a division takes longer than the rest of the evaluation.
static MATERIAL: [[i16; 32]; 32] = {
    let mut table = [[0; 32]; 32];
    let mut index = 0;
    while index < 32 * 32 {
        let (own, other) = (index / 32, index % 32);
        let ahead = own as i32 - other as i32;
        table[own][other] = (ahead * 100 + ahead * 400 / (own + other + 1) as i32) as i16;
        index += 1;
    }
    table
};

impl EvalTerms {
    /// The terms for a board.
    #[inline(always)]
    pub fn of(board: Board) -> EvalTerms {
        let (own, other) = (board.own.len() as usize, board.other.len() as usize);
        let inner = PointSet::from_bits(0b00000_01110_01110_01110_00000);
        let placed = |set: PointSet| {
            3 * (set & PointSet::STRONG).len() as i32 + 2 * (set & inner).len() as i32
        };
        EvalTerms {
            material: MATERIAL[own % 32][other % 32] as i32,
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
