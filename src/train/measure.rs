//! How well an evaluation knows exact values.

use super::fit::loss;
use super::sample::{certain, exact_boards};
use crate::search::{Evaluation, UNIT, chances};
use crate::tables::{Tables, Wdl};

/// How many values an evaluation predicts: the likeliest of win, draw and loss by its score.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Prediction {
    /// Stones on the boards.
    pub stones: usize,
    /// Boards by their exact value and by the predicted one, each in the order loss, draw, win.
    pub counts: [[u64; 3]; 3],
    /// Minus the mean logarithm of the chance that the evaluation gives to the exact value.
    pub loss: f64,
}

impl Prediction {
    /// The number of boards.
    pub fn boards(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// The share of boards predicted rightly, 0 to 1.
    pub fn share(&self) -> f64 {
        let right: u64 = (0..3).map(|value| self.counts[value][value]).sum();
        right as f64 / self.boards().max(1) as f64
    }
}

/// The value that a score makes likeliest.
fn likeliest(score: f32) -> Wdl {
    let [win, draw, loss] = chances(score);
    match () {
        () if win > draw && win > loss => Wdl::Win,
        () if loss > draw => Wdl::Loss,
        () => Wdl::Draw,
    }
}

/// Compares an evaluation with the exact values of random quiet boards of so many stones, every
/// such board as likely as every other. The same seed takes the same boards. `None` if the tables
/// do not know them.
pub fn predict(
    tables: &Tables,
    evaluation: &Evaluation,
    stones: usize,
    boards: usize,
    seed: u64,
) -> Option<Prediction> {
    let mut prediction = Prediction {
        stones,
        ..Prediction::default()
    };
    let mut sum = 0.0;
    for (board, value) in exact_boards(tables, stones, boards, seed)? {
        let score = evaluation.value(board) as f32 / UNIT;
        prediction.counts[value as usize][likeliest(score) as usize] += 1;
        sum += f64::from(loss(score, certain(value)));
    }
    prediction.loss = sum / boards.max(1) as f64;
    Some(prediction)
}
