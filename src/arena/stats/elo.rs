//! Elo differences with their errors.
//!
//! Logistic Elo: score = 1 / (1 + 10^(-elo / 400)). Normalised Elo measures the same edge in
//! standard deviations of one game, times 800 / ln 10 (M. Van den Bergh, "Comments on normalized
//! Elo", 2020), so that it does not depend on the share of draws.

use serde::Serialize;

use super::{Pentanomial, Sample, Wdl, with_sample};

/// 95% of a normal distribution lie within this many standard deviations.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;
/// Normalised Elo in one standard deviation of a game.
pub(super) const NELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// How strong the first engine is, seen from the second. Errors are halves of the 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Share of the points, 0 to 1.
    pub score: f64,
    /// Logistic Elo; infinite if all games were won or lost.
    pub elo: f64,
    /// Lower and upper end of its 95% interval.
    pub elo_95: [f64; 2],
    /// Normalised Elo; infinite or undefined if all observations are equal.
    pub nelo: f64,
    /// Half of its 95% interval.
    pub nelo_error: f64,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
}

impl Estimate {
    /// Half of the 95% interval of the logistic Elo.
    pub fn elo_error(&self) -> f64 {
        (self.elo_95[1] - self.elo_95[0]) / 2.0
    }
}

/// Estimates the difference from pairs of games, or from single games while no pair is complete;
/// `None` without games.
pub fn estimate(wdl: Wdl, pairs: Pentanomial) -> Option<Estimate> {
    (wdl.games() > 0 || pairs.pairs() > 0).then(|| with_sample(wdl, pairs, of_sample))
}

fn of_sample(sample: Sample<'_>) -> Estimate {
    let (mean, variance) = sample.mean_and_variance();
    let error = (variance / sample.size()).sqrt();
    let sigma = (variance * sample.games_each).sqrt();
    let games = sample.size() * sample.games_each;
    let reach = TWO_SIDED_95 * error;
    Estimate {
        score: mean,
        elo: elo_of_score(mean),
        elo_95: [elo_of_score(mean - reach), elo_of_score(mean + reach)],
        nelo: NELO_PER_SIGMA * (mean - 0.5) / sigma,
        nelo_error: NELO_PER_SIGMA * TWO_SIDED_95 / games.sqrt(),
        los: superiority(mean - 0.5, error),
    }
}

/// The chance that the true score is above one half: the normal distribution function.
fn superiority(edge: f64, error: f64) -> f64 {
    match (edge == 0.0, error == 0.0) {
        (true, _) => 0.5,
        (false, true) => f64::from(u8::from(edge > 0.0)),
        _ => 0.5 * libm::erfc(-edge / error / std::f64::consts::SQRT_2),
    }
}

fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    // Both ends are infinite; 0.5 is 0, not -0.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// The score, 0 to 1, that a logistic Elo difference stands for.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        let slack = (expected.abs() * 2e-4).max(0.006);
        assert!(
            (found - expected).abs() <= slack,
            "{found} is not {expected}"
        );
    }

    /// The estimate from single games.
    fn of_games(wins: u64, draws: u64, losses: u64) -> Option<Estimate> {
        let wdl = Wdl {
            wins,
            draws,
            losses,
        };
        estimate(wdl, Pentanomial::default())
    }

    /// Values of the unit tests of fastchess (`elo_test.cpp`): counts of wins, losses, draws.
    #[test]
    fn single_games_as_fastchess() {
        let of = |wins, losses, draws| of_games(wins, draws, losses).expect("there are games");
        let first = of(76, 89, 123);
        close(first.nelo, -20.76);
        close(first.nelo_error, 40.13);
        close(first.los, 0.1553);
        let second = of(136, 96, 111);
        close(second.nelo, 49.77);
        close(second.nelo_error, 36.77);
        close(second.elo, 40.70);
        close(second.elo_error(), 30.43);
        close(second.los, 0.9960);
        let third = of(34, 356, 0);
        close(third.nelo, -508.44);
        close(third.nelo_error, 34.48);
    }

    /// As above, for pairs: counts of 0, 1/2, 1, 3/2 and 2 points.
    #[test]
    fn pairs_as_fastchess() {
        let of = |counts| estimate(Wdl::default(), Pentanomial(counts)).expect("there are pairs");
        let first = of([34, 54, 31 + 32, 64, 75]);
        close(first.nelo, 57.94);
        close(first.nelo_error, 28.28);
        close(first.elo, 55.58);
        close(first.elo_error(), 27.65);
        close(first.los, 1.0);
        let second = of([332, 433, 457 + 41, 333, 334]);
        close(second.nelo, -9.17);
        close(second.nelo_error, 10.96);
        close(second.elo, -8.64);
        close(second.elo_error(), 10.33);
        close(second.los, 0.0505);
        let third = of([7895, 8757, 5485 + 200, 568, 9999]);
        close(third.nelo, -19.01);
        close(third.nelo_error, 2.65);
        close(third.elo, -21.04);
        close(third.elo_error(), 2.95);
    }

    /// A page of raw statistics of a Fishtest server: 256 games, [13, 37, 50, 25, 3].
    #[test]
    fn pairs_as_fishtest() {
        let found = estimate(Wdl::default(), Pentanomial([13, 37, 50, 25, 3])).expect("pairs");
        close(found.score, 0.4375);
        close(found.elo, -43.6578);
        close(found.nelo, -63.97);
    }

    #[test]
    fn extremes_are_no_accidents() {
        assert_eq!(of_games(0, 0, 0), None);
        assert_eq!(
            of_games(3, 0, 0).map(|e| (e.elo, e.los)),
            Some((f64::INFINITY, 1.0))
        );
        assert_eq!(
            of_games(0, 0, 3).map(|e| (e.elo, e.los)),
            Some((f64::NEG_INFINITY, 0.0))
        );
        assert_eq!(of_games(0, 5, 0).map(|e| (e.elo, e.los)), Some((0.0, 0.5)));
    }

    #[test]
    fn a_difference_of_400_is_ten_to_one() {
        close(score_of_elo(400.0), 10.0 / 11.0);
        close(elo_of_score(10.0 / 11.0), 400.0);
    }
}
