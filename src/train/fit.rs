//! Fitting weights to chances by ordinal logistic regression.
//!
//! The model is that of `UCI_ShowWDL`: with a score of `s` centistones the mover wins with the
//! chance 1 / (1 + exp((150 - s) / 50)) and loses with 1 / (1 + exp((150 + s) / 50)). The fit makes
//! what is known as likely as it can, so scores mean what that option says.

use crate::search::eval::{MATERIAL, SIDES, Weights, len, material_place, stage_len};

use super::sample::Sample;
use crate::search::chances::{EDGE, logistic};
use crate::search::{Chances, UNIT, chances};

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    /// How often all samples are gone through.
    pub epochs: usize,
    /// The first step of every weight, in units.
    pub rate: f32,
}

/// How unlikely the model finds what is known: minus the mean logarithm of its chances.
pub fn loss(score: f32, known: Chances) -> f32 {
    let model = chances(score);
    let term = |(known, model): (f32, f32)| -known * libm::logf(model.max(1e-9));
    known.into_iter().zip(model).map(term).sum()
}

/// The slope of [`loss`] by the score.
fn slope(score: f32, [win, _, loss]: Chances) -> f32 {
    // With b the chance of a win and a that of no loss, the logarithms of b, a - b and 1 - a have
    // the slopes 1 - b, 1 - a - b and -a.
    let (b, a) = (logistic(score - EDGE), logistic(score + EDGE));
    b * (1.0 - loss) + a * (1.0 - win) - (1.0 - loss)
}

/// Weights while they are being fitted, in units. Each stage's are the sum of its own and of those
/// that all stages share, so that stages learn from each other what they have in common.
pub struct Fitted {
    /// The weights of the evaluation, then the shared ones.
    values: Vec<f32>,
    /// Sums of squared slopes.
    squares: Vec<f32>,
}

impl Fitted {
    /// Weights that know what a stone is worth, and nothing else.
    pub fn new() -> Fitted {
        let mut values = vec![0.0; len() + stage_len()];
        for own in 0..SIDES as u32 {
            for other in 0..SIDES as u32 {
                let ahead = own as f32 - other as f32;
                // A stone ahead decides the sooner the fewer there are.
                let worth = 100.0 + 400.0 / (own + other + 1) as f32;
                values[material_place(own, other)] = ahead * worth / UNIT;
            }
        }
        Fitted {
            squares: vec![0.0; values.len()],
            values,
        }
    }

    /// The place of the shared weight beside that of a stage.
    fn shared(place: usize, stage: usize) -> Option<usize> {
        let inside = place.checked_sub(MATERIAL + stage * stage_len())?;
        Some(len() + inside)
    }

    /// The score of a sample in units.
    pub fn score(&self, sample: &Sample) -> f32 {
        let value = |&place: &u32| self.value(place as usize, sample.stage);
        sample.places.iter().map(value).sum()
    }

    fn value(&self, place: usize, stage: usize) -> f32 {
        let shared = Self::shared(place, stage).map_or(0.0, |place| self.values[place]);
        self.values[place] + shared
    }

    /// The mean loss over samples.
    pub fn loss(&self, samples: &[Sample]) -> f64 {
        let loss = |sample: &Sample| f64::from(loss(self.score(sample), sample.chances));
        samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
    }

    /// Goes through the samples in their order, so often as asked.
    pub fn fit(&mut self, samples: &[Sample], fit: Fit) {
        for _ in 0..fit.epochs {
            for sample in samples {
                let slope = slope(self.score(sample), sample.chances);
                for &place in &sample.places {
                    self.step(place as usize, slope, fit.rate);
                    if let Some(shared) = Self::shared(place as usize, sample.stage) {
                        self.step(shared, slope, fit.rate);
                    }
                }
            }
        }
    }

    /// A step of one weight: the smaller, the more it has moved before (Adagrad).
    fn step(&mut self, place: usize, slope: f32, rate: f32) {
        let (value, square) = (&mut self.values[place], &mut self.squares[place]);
        *square += slope * slope;
        *value -= rate * slope / (square.sqrt() + 1e-6);
    }

    /// The weights in centistones.
    pub fn weights(&self) -> Weights {
        let value = |place: usize| {
            let stage = place.saturating_sub(MATERIAL) / stage_len();
            UNIT * self.value(place, stage)
        };
        let values: Vec<f32> = (0..len()).map(value).collect();
        Weights::rounded(&values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Board;
    use crate::rules::PointSet;
    use crate::search::Evaluation;

    const KNOWN: [Chances; 4] = [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.2, 0.7, 0.1],
    ];

    #[test]
    fn the_slope_is_the_difference_quotient() {
        for known in KNOWN {
            for score in [-7.0, -3.0, -0.4, 0.0, 1.5, 3.2, 6.0] {
                let step = 0.01;
                let quotient =
                    (loss(score + step, known) - loss(score - step, known)) / (2.0 * step);
                let exact = slope(score, known);
                assert!(
                    (exact - quotient).abs() < 1e-3,
                    "{known:?} at {score}: {exact} {quotient}"
                );
            }
        }
    }

    #[test]
    fn a_fit_learns_what_a_pattern_is_worth() {
        // Level in stones, so nothing but the patterns tells them apart.
        let board = |own: u32, other: u32| Board {
            own: PointSet::from_bits(own),
            other: PointSet::from_bits(other),
        };
        let (won, lost) = (board(0b11, 3 << 20), board(3 << 12, 3 << 20));
        let samples = [Sample::new(won, KNOWN[0]), Sample::new(lost, KNOWN[2])];
        let mut fitted = Fitted::new();
        let before = fitted.loss(&samples);
        let fit = Fit {
            epochs: 60,
            rate: 0.2,
        };
        fitted.fit(&samples, fit);
        assert!(fitted.loss(&samples) < before / 4.0);
        let evaluation = Evaluation::new(&fitted.weights());
        assert!(evaluation.value(won) > 150 && evaluation.value(lost) < -150);
        // What all stages share is known in another one too.
        let more = |board: Board| Board {
            own: board.own | PointSet::from_bits(0b11 << 15),
            other: board.other | PointSet::from_bits(0b11 << 23),
        };
        assert!(evaluation.value(more(more(won))) > evaluation.value(more(more(lost))));
    }

    #[test]
    fn rounded_weights_score_as_the_fitted_ones() {
        let board = Board {
            own: PointSet::from_bits(0b00110_01000_10000),
            other: PointSet::from_bits(0b11011 << 20),
        };
        let sample = Sample::new(board, KNOWN[3]);
        let mut fitted = Fitted::new();
        fitted.fit(
            &[sample],
            Fit {
                epochs: 5,
                rate: 0.1,
            },
        );
        let exact = fitted.score(&sample) * UNIT;
        let rounded = Evaluation::new(&fitted.weights()).value(board) as f32;
        // Half a centistone for each of the thirteen terms at most.
        assert!((exact - rounded).abs() <= 6.5, "{exact} {rounded}");
    }
}
