//! The sequential probability ratio test on pairs of games.
//!
//! Generalised SPRT: the likelihoods compared are those of the most likely distributions that obey
//! each hypothesis (M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation
//! value of a distribution" and "Comments on normalized Elo", 2020).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::elo::NELO_PER_SIGMA;
use super::{Pentanomial, Sample, Wdl, moments, score_of_elo, with_sample};

/// What the bounds of a test mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Elo as it shows in the score.
    Logistic,
    /// Elo in standard deviations of a game: independent of the share of draws.
    Normalized,
}

/// A test of "no better than elo0" against "at least elo1 better".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1, above `elo0`.
    pub elo1: f64,
    /// The chance to accept H1 although H0 holds, between 0 and 1/2.
    pub alpha: f64,
    /// The chance to accept H0 although H1 holds, between 0 and 1/2.
    pub beta: f64,
    /// What the bounds mean.
    pub model: EloModel,
}

/// What a test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Decision {
    /// The difference is elo0 rather than elo1.
    H0,
    /// The difference is elo1 rather than elo0.
    H1,
    /// More games are needed.
    #[serde(rename = "continue")]
    Continue,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// At or below this H0 is accepted.
    pub lower: f64,
    /// At or above this H1 is accepted.
    pub upper: f64,
    /// What follows.
    pub decision: Decision,
}

impl Sprt {
    /// The state after these results. Pairs count; single games only while no pair is complete, and
    /// they decide nothing.
    pub fn state(&self, wdl: Wdl, pairs: Pentanomial) -> SprtState {
        let llr = match wdl.games() + pairs.pairs() {
            0 => 0.0,
            _ => with_sample(wdl, pairs, |sample| self.llr(sample)),
        };
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let decision = match pairs.pairs() {
            0 => Decision::Continue,
            _ if llr >= upper => Decision::H1,
            _ if llr <= lower => Decision::H0,
            _ => Decision::Continue,
        };
        SprtState {
            llr,
            lower,
            upper,
            decision,
        }
    }

    fn llr(&self, sample: Sample<'_>) -> f64 {
        // An outcome not seen yet is not impossible: Fishtest and fastchess do the same.
        let counts: Vec<f64> = sample.counts.iter().map(|n| n.max(1e-3)).collect();
        let sample = Sample {
            counts: &counts,
            ..sample
        };
        let likely = |elo: f64| match self.model {
            EloModel::Logistic => with_mean(sample, score_of_elo(elo)),
            EloModel::Normalized => {
                with_edge(sample, elo / NELO_PER_SIGMA * sample.games_each.sqrt())
            }
        };
        let (p0, p1) = (likely(self.elo0), likely(self.elo1));
        let ratio = |(n, (p0, p1)): (&f64, (f64, f64))| n * (p1 / p0).ln();
        counts.iter().zip(p0.into_iter().zip(p1)).map(ratio).sum()
    }
}

/// The most likely distribution behind the sample whose mean is `mean`.
fn with_mean(sample: Sample<'_>, mean: f64) -> Vec<f64> {
    let gaps: Vec<f64> = (0..sample.counts.len())
        .map(|i| sample.value(i) - mean)
        .collect();
    balanced(sample, &gaps)
}

/// The most likely distribution behind the sample whose mean lies `edge` of its own standard
/// deviations above one half. The deviation depends on the answer, so it is found by repetition.
fn with_edge(sample: Sample<'_>, edge: f64) -> Vec<f64> {
    let size = sample.counts.len();
    let mut likely = vec![1.0 / size as f64; size];
    for _ in 0..50 {
        let (mean, variance) = moments((0..size).map(|i| (sample.value(i), likely[i])));
        let sigma = variance.sqrt();
        // Where the derivative of (mean - 1/2 - edge * sigma) by each probability is balanced.
        let gap = |i| {
            let z = (sample.value(i) - mean) / sigma;
            sample.value(i) - 0.5 - edge * sigma * (1.0 + z * z) / 2.0
        };
        let gaps: Vec<f64> = (0..size).map(gap).collect();
        let next = balanced(sample, &gaps);
        let change = next.iter().zip(&likely).map(|(a, b)| (a - b).abs());
        let settled = change.fold(0.0, f64::max) < 1e-9;
        likely = next;
        if settled {
            break;
        }
    }
    likely
}

/// The most likely distribution with the sum of probability times gap 0: each share `n / size` is
/// divided by `1 + x gap`, where x makes the sum 0.
fn balanced(sample: Sample<'_>, gaps: &[f64]) -> Vec<f64> {
    let size = sample.size();
    let share = |i: usize| sample.counts[i] / size;
    let sum = |x: f64| -> f64 {
        let term = |(i, gap): (usize, &f64)| share(i) * gap / (1.0 + x * gap);
        gaps.iter().enumerate().map(term).sum()
    };
    let largest = gaps.iter().copied().fold(f64::MIN, f64::max);
    let smallest = gaps.iter().copied().fold(f64::MAX, f64::min);
    if largest <= 0.0 || smallest >= 0.0 {
        // No distribution over these outcomes obeys the condition.
        return (0..gaps.len()).map(share).collect();
    }
    // The sum falls from infinity to minus infinity between the two poles.
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        match sum(middle) > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    let x = (low + high) / 2.0;
    let divided = |(i, gap): (usize, &f64)| share(i) / (1.0 + x * gap);
    gaps.iter().enumerate().map(divided).collect()
}

/// Why a text describes no test.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{0}; a test is written as elo0=0,elo1=5[,alpha=0.05][,beta=0.05][,model=normalized|logistic]"
)]
pub struct ParseSprtError(String);

impl FromStr for Sprt {
    type Err = ParseSprtError;

    fn from_str(text: &str) -> Result<Sprt, ParseSprtError> {
        let fail = |why: String| Err(ParseSprtError(why));
        let mut sprt = Sprt {
            elo0: f64::NAN,
            elo1: f64::NAN,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Normalized,
        };
        for part in text.split(',') {
            let Some((key, value)) = part.split_once('=') else {
                return fail(format!("'{part}' has no '='"));
            };
            let number = || match value.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                _ => Err(ParseSprtError(format!("'{value}' is not a number"))),
            };
            match key.trim() {
                "elo0" => sprt.elo0 = number()?,
                "elo1" => sprt.elo1 = number()?,
                "alpha" => sprt.alpha = number()?,
                "beta" => sprt.beta = number()?,
                "model" => {
                    sprt.model = match value {
                        "logistic" => EloModel::Logistic,
                        "normalized" | "normalised" => EloModel::Normalized,
                        _ => return fail(format!("no model is called '{value}'")),
                    }
                }
                other => return fail(format!("'{other}' is not known")),
            }
        }
        let chance = |p: f64| p > 0.0 && p < 0.5;
        match sprt {
            Sprt { elo0, elo1, .. } if elo0.is_nan() || elo1.is_nan() => {
                fail("elo0 and elo1 are needed".to_owned())
            }
            Sprt { elo0, elo1, .. } if elo0 >= elo1 => fail("elo0 must be below elo1".to_owned()),
            Sprt { alpha, beta, .. } if !chance(alpha) || !chance(beta) => {
                fail("alpha and beta must lie between 0 and 0.5".to_owned())
            }
            _ => Ok(sprt),
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = match self.model {
            EloModel::Logistic => "logistic",
            EloModel::Normalized => "normalized",
        };
        write!(f, "[{}, {}] {model} Elo", self.elo0, self.elo1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use EloModel::{Logistic, Normalized};

    fn test(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
        Sprt {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
            model,
        }
    }

    fn of_pairs(sprt: Sprt, counts: [u64; 5]) -> f64 {
        sprt.state(Wdl::default(), Pentanomial(counts)).llr
    }

    fn close(found: f64, expected: f64, slack: f64) {
        assert!(
            (found - expected).abs() <= slack,
            "{found} is not {expected}"
        );
    }

    /// Values of the unit tests of fastchess (`sprt_test.cpp`), given there to two decimals.
    #[test]
    fn pairs_as_fastchess() {
        for (elo0, elo1, model, counts, llr) in [
            (
                0.0,
                2.0,
                Normalized,
                [365, 16618, 36029 + 200, 16974, 390],
                2.25,
            ),
            (
                -1.75,
                0.25,
                Normalized,
                [127, 4883, 10311 + 401, 5150, 104],
                3.01,
            ),
            (0.0, 5.0, Normalized, [0, 0, 0, 0, 5550], 111.82),
            (
                0.5,
                2.5,
                Logistic,
                [223, 9863, 20279 + 1000, 10037, 246],
                -3.07,
            ),
            (
                0.0,
                2.0,
                Logistic,
                [871, 26175, 55003 + 980, 26678, 821],
                -4.98,
            ),
        ] {
            close(
                of_pairs(test(elo0, elo1, model), counts),
                llr,
                0.01 * (1.0 + llr.abs()),
            );
        }
    }

    /// As above, single games: wins, losses, draws.
    #[test]
    fn single_games_as_fastchess() {
        for (elo0, elo1, model, (wins, losses, draws), llr) in [
            (0.0, 2.0, Normalized, (36433, 36027, 68692), 0.92),
            (-1.75, 0.25, Normalized, (10871, 10650, 20431), 2.30),
            (0.0, 10.0, Normalized, (4250, 0, 0), 120.56),
            (0.5, 2.5, Logistic, (21404, 21184, 40708), -1.57),
            (0.0, 2.0, Logistic, (57433, 57030, 106_593), -2.59),
        ] {
            let wdl = Wdl {
                wins,
                draws,
                losses,
            };
            let state = test(elo0, elo1, model).state(wdl, Pentanomial::default());
            close(state.llr, llr, 0.01 * (1.0 + llr.abs()));
            assert_eq!(
                state.decision,
                Decision::Continue,
                "single games decide nothing"
            );
        }
    }

    /// A page of raw statistics of a Fishtest server gives five decimals ("exact").
    #[test]
    fn pairs_as_fishtest() {
        let counts = [13, 37, 50, 25, 3];
        close(of_pairs(test(0.0, 4.0, Normalized), counts), -0.54912, 2e-5);
        close(of_pairs(test(0.0, 2.716, Logistic), counts), -0.53772, 2e-4);
    }

    /// Values of the unit tests of racetrack, with beta 0.1: 0, 1/2, 1, 3/2 and 2 points.
    #[test]
    fn decisions_as_racetrack() {
        for (counts, elo0, elo1, expected) in [
            ([485, 1923, 2942, 1937, 594], 0.0, 5.0, Decision::H1),
            ([261, 739, 2683, 737, 253], -10.0, 0.0, Decision::H1),
            ([63, 252, 385, 250, 74], 0.0, 10.0, Decision::Continue),
            ([527, 1007, 1932, 933, 511], 0.0, 5.0, Decision::H0),
            ([175, 305, 694, 291, 157], 0.0, 10.0, Decision::H0),
        ] {
            let sprt = Sprt {
                beta: 0.1,
                ..test(elo0, elo1, Logistic)
            };
            let state = sprt.state(Wdl::default(), Pentanomial(counts));
            assert_eq!(state.decision, expected, "{counts:?}");
        }
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let state = test(0.0, 5.0, Normalized).state(Wdl::default(), Pentanomial::default());
        close(state.lower, -2.9444, 1e-4);
        close(state.upper, 2.9444, 1e-4);
        assert_eq!((state.llr, state.decision), (0.0, Decision::Continue));
    }

    #[test]
    fn swapping_sides_turns_the_ratio_round() {
        for model in [Logistic, Normalized] {
            let sprt = test(-3.0, 3.0, model);
            let counts = [3, 20, 60, 31, 4];
            let mut reversed = counts;
            reversed.reverse();
            close(of_pairs(sprt, counts), -of_pairs(sprt, reversed), 1e-6);
        }
    }

    #[test]
    fn a_text_is_a_test_or_an_error_that_says_why() {
        let parsed: Result<Sprt, _> = "elo0=-1,elo1=4,model=logistic,beta=0.1".parse();
        let expected = Sprt {
            beta: 0.1,
            ..test(-1.0, 4.0, Logistic)
        };
        assert_eq!(parsed, Ok(expected));
        for (text, why) in [
            ("elo0=0", "elo1 are needed"),
            ("elo0=5,elo1=0", "must be below"),
            ("elo0=0,elo1=5,alpha=0.7", "between 0 and 0.5"),
            ("elo0=0,elo1=x", "'x' is not a number"),
            ("elo0=0,elo1=inf", "'inf' is not a number"),
            ("elo0=0,elo2=5", "'elo2' is not known"),
        ] {
            let error = text.parse::<Sprt>().map_err(|e| e.to_string());
            assert!(
                error.as_ref().is_err_and(|e| e.contains(why)),
                "{text}: {error:?}"
            );
        }
    }
}
