//! Training of the evaluation: exact values from tables, games of the program against itself, and
//! weights fitted to both.
//!
//! The first weights come from exact values alone; what they know of few stones serves for more.
//! With them games are played, whose boards and results join the samples for the next weights, and so
//! on. Nothing depends on the weights in the program, on time or on the number of threads, so the
//! same plan gives the same weights.

mod fit;
mod games;
mod measure;
mod sample;

pub use fit::Fit;
pub use games::Play;
pub use measure::{Prediction, predict};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use crate::search::{Evaluation, Weights};
use crate::tables::Tables;
use fit::Fitted;
use sample::{Sample, certain, exact_boards};

/// What to learn from, and how.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// Decides everything that is random.
    pub seed: u64,
    /// The most stones of boards with exact values.
    pub stones: usize,
    /// Exact values for each number of stones.
    pub exact: usize,
    /// How often games are played and weights fitted again.
    pub rounds: usize,
    /// The games of a round.
    pub play: Play,
    /// How weights are fitted.
    pub fit: Fit,
}

/// The fewest stones of boards with exact values.
const FEWEST: usize = 4;
/// One of so many samples from games is kept for checking.
const HELD: usize = 20;

/// Tables that do not reach as far as the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the tables know positions of up to {known} stones, training wants {wanted}")]
pub struct MissingTables {
    known: usize,
    wanted: usize,
}

/// What a fit came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Round {
    /// Its number; 0 is the fit to exact values alone.
    pub number: usize,
    /// Samples it was fitted to.
    pub samples: usize,
    /// Samples from games that it was not fitted to.
    pub held: usize,
    /// The mean loss over those.
    pub loss: f64,
}

/// Who is told how a training gets on.
pub trait Observer: Sync {
    /// Games begin, so many.
    fn games(&self, round: usize, games: usize);
    /// A game has ended.
    fn game(&self);
    /// Weights are being fitted.
    fn fitting(&self, round: usize);
    /// Weights were fitted.
    fn fitted(&self, round: &Round);
}

/// Trains weights.
///
/// # Errors
/// If the tables do not know boards of as many stones as the plan wants.
pub fn train(
    tables: &Tables,
    plan: &Plan,
    observer: &dyn Observer,
) -> Result<Weights, MissingTables> {
    let mut samples = exact_samples(tables, plan)?;
    let mut held = Vec::new();
    let mut weights = refit(0, &mut samples, &held, plan, observer);
    for round in 1..=plan.rounds {
        observer.games(round, plan.play.games);
        let evaluation = Evaluation::new(&weights);
        let seed = plan.seed.wrapping_add(round as u64);
        let played = games::samples(tables, &evaluation, plan.play, seed, &|| observer.game());
        // Every so many games' boards, not single ones: boards of a game are alike.
        for (number, game) in played.into_iter().enumerate() {
            let into = match number % HELD {
                0 => &mut held,
                _ => &mut samples,
            };
            into.extend(game);
        }
        weights = refit(round, &mut samples, &held, plan, observer);
    }
    Ok(weights)
}

fn exact_samples(tables: &Tables, plan: &Plan) -> Result<Vec<Sample>, MissingTables> {
    let missing = MissingTables {
        known: tables.covered(),
        wanted: plan.stones,
    };
    let mut samples = Vec::new();
    for stones in FEWEST..=plan.stones {
        let boards = exact_boards(tables, stones, plan.exact, plan.seed).ok_or(missing)?;
        let sample = |(board, value)| Sample::new(board, certain(value));
        samples.extend(boards.into_iter().map(sample));
    }
    Ok(samples)
}

fn refit(
    number: usize,
    samples: &mut [Sample],
    held: &[Sample],
    plan: &Plan,
    observer: &dyn Observer,
) -> Weights {
    observer.fitting(number);
    samples.shuffle(&mut ChaCha8Rng::seed_from_u64(plan.seed));
    let mut fitted = Fitted::new();
    fitted.fit(samples, plan.fit);
    observer.fitted(&Round {
        number,
        samples: samples.len(),
        held: held.len(),
        loss: fitted.loss(held),
    });
    fitted.weights()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::built_in;
    use std::sync::Mutex;

    const SMALL: Plan = Plan {
        seed: 5,
        stones: 6,
        exact: 3000,
        rounds: 1,
        play: Play {
            games: 30,
            nodes: 200,
            side_nodes: 100,
        },
        fit: Fit {
            epochs: 2,
            rate: 0.15,
        },
    };

    #[derive(Default)]
    struct Rounds(Mutex<(Vec<Round>, usize)>);

    impl Observer for Rounds {
        fn games(&self, _: usize, _: usize) {}
        fn game(&self) {
            self.0.lock().expect("a lock").1 += 1;
        }
        fn fitting(&self, _: usize) {}
        fn fitted(&self, round: &Round) {
            self.0.lock().expect("a lock").0.push(*round);
        }
    }

    fn tables() -> Tables {
        built_in::get();
        Tables::default().with_built_in()
    }

    #[test]
    fn the_same_plan_gives_the_same_weights_on_any_number_of_threads() {
        let tables = tables();
        let weights = |threads: usize, seed| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let plan = Plan { seed, ..SMALL };
            let work = || train(&tables, &plan, &Rounds::default()).expect("tables");
            pool.expect("threads").install(work).to_bytes()
        };
        let one = weights(1, 5);
        assert!(one == weights(2, 5), "two threads, the same bytes");
        assert!(one != weights(1, 6), "another seed, other bytes");
    }

    #[test]
    fn training_beats_counting_stones() {
        let tables = tables();
        let rounds = Rounds::default();
        let plan = Plan {
            exact: 20_000,
            ..SMALL
        };
        let trained = train(&tables, &plan, &rounds).expect("tables");
        let seen = |weights: &Weights| {
            predict(&tables, &Evaluation::new(weights), 6, 20_000, 77).expect("known")
        };
        let (before, after) = (seen(&Fitted::new().weights()), seen(&trained));
        assert!(after.loss < 0.8 * before.loss, "{before:?} {after:?}");
        assert!(after.share() > before.share(), "{before:?} {after:?}");
        assert_eq!(after.boards(), 20_000);
        let (rounds, games) = rounds.0.into_inner().expect("a lock");
        assert_eq!((rounds.len(), games), (2, 30));
        assert_eq!((rounds[0].samples, rounds[0].held), (60_000, 0));
        let played = rounds[1].samples - rounds[0].samples;
        assert!(played > 100 && rounds[1].held > 0, "{rounds:?}");
    }

    #[test]
    fn tables_that_do_not_reach_are_named() {
        let plan = Plan { stones: 7, ..SMALL };
        let error = train(&tables(), &plan, &Rounds::default());
        let message = error.map_err(|error| error.to_string());
        assert_eq!(
            message.err().as_deref(),
            Some("the tables know positions of up to 6 stones, training wants 7")
        );
    }
}
