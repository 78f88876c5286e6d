//! What the results of a match say: counts of games and of pairs, Elo with its error, and the
//! sequential test that decides when there are enough games.

mod elo;
mod sprt;

pub use elo::{Estimate, estimate, score_of_elo};
pub use sprt::{Decision, EloModel, ParseSprtError, Sprt, SprtState};

use serde::{Deserialize, Serialize};

/// Games won, drawn and lost, from the first engine's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts a game by its half points, 0 to 2.
    pub fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The number of games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: a win counts 1, a draw 1/2.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Share of drawn games, 0 to 1; 0 if there is no game.
    pub fn draw_ratio(self) -> f64 {
        self.draws as f64 / self.games().max(1) as f64
    }

    /// The same games from the other side.
    pub fn reversed(self) -> Wdl {
        Wdl {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }

    /// Both counts together.
    pub fn plus(self, other: Wdl) -> Wdl {
        Wdl {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

/// Pairs of games (one opening, each side once) by the points of the first engine: 0, 1/2, 1,
/// 3/2 and 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts a pair by its half points, 0 to 4.
    pub fn add(&mut self, half_points: u8) {
        self.0[usize::from(half_points.min(4))] += 1;
    }

    /// The number of pairs.
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs from the other side.
    pub fn reversed(mut self) -> Pentanomial {
        self.0.reverse();
        self
    }

    /// Both counts together.
    pub fn plus(mut self, other: Pentanomial) -> Pentanomial {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
        self
    }
}

/// Observations on an even scale from 0 (all lost) to 1 (all won), and how many games each is.
#[derive(Clone, Copy)]
struct Sample<'a> {
    counts: &'a [f64],
    games_each: f64,
}

impl Sample<'_> {
    fn value(self, index: usize) -> f64 {
        index as f64 / (self.counts.len() - 1) as f64
    }

    fn size(self) -> f64 {
        self.counts.iter().sum()
    }

    fn mean_and_variance(self) -> (f64, f64) {
        moments(
            self.counts
                .iter()
                .enumerate()
                .map(|(i, &n)| (self.value(i), n)),
        )
    }
}

/// Mean and variance of weighted values; the weights need not add up to 1.
fn moments(weighted: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let total: f64 = weighted.clone().map(|(_, weight)| weight).sum();
    let mean = weighted
        .clone()
        .map(|(value, weight)| value * weight)
        .sum::<f64>()
        / total;
    let square = |(value, weight): (f64, f64)| weight * (value - mean).powi(2);
    (mean, weighted.map(square).sum::<f64>() / total)
}

/// Runs `with` on the pairs, or on single games while no pair is complete.
fn with_sample<R>(wdl: Wdl, pairs: Pentanomial, with: impl FnOnce(Sample<'_>) -> R) -> R {
    if pairs.pairs() > 0 {
        with(Sample {
            counts: &pairs.0.map(|n| n as f64),
            games_each: 2.0,
        })
    } else {
        with(Sample {
            counts: &[wdl.losses, wdl.draws, wdl.wins].map(|n| n as f64),
            games_each: 1.0,
        })
    }
}
