//! Levels below full strength, measured against each other.

use alquerque::engine::{Engine, levels};
use alquerque::rules::{Game, Outcome, Position, Side};
use alquerque::search::{Limits, Signal};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// A player of that Elo, or one of full strength to a small depth.
fn player(elo: Option<u32>, seed: u64) -> Engine {
    let mut engine = Engine::new().expect("there is memory");
    let mut set = |name: &str, value: &str| engine.set_option(name, Some(value)).expect(name);
    set("Hash", "1");
    if let Some(elo) = elo {
        set("UCI_LimitStrength", "true");
        set("UCI_Elo", &elo.to_string());
    }
    engine.set_seed(seed);
    engine
}

/// Some plies at random from the start.
fn opening(seed: u64) -> Vec<String> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Game::new(Position::start(), 0);
    let mut moves = Vec::new();
    while moves.len() < 8 && game.outcome().is_none() {
        let legal = game.position().board().moves();
        let mv = legal[random.random_range(0..legal.len())];
        game.play(mv).expect("a legal move");
        moves.push(mv.to_string());
    }
    moves
}

/// Points of the first player, in halves, over both colours of an opening.
fn pair(first: Option<u32>, second: Option<u32>, seed: u64) -> u32 {
    let mut points = 0;
    for first_is_white in [true, false] {
        let mut players = [player(first, seed), player(second, !seed)];
        let mut moves = opening(seed);
        let outcome = loop {
            let white = moves.len().is_multiple_of(2);
            let engine = &mut players[usize::from(white != first_is_white)];
            engine
                .set_position(Position::start(), &moves)
                .expect("legal moves");
            if let Some(outcome) = engine.game().outcome() {
                break outcome;
            }
            if moves.len() > 120 {
                break Outcome::Draw(alquerque::rules::DrawReason::NoCapture);
            }
            let limits = Limits {
                depth: Some(10),
                ..Limits::default()
            };
            let found = engine
                .go(limits, &Signal::default(), &mut |_| {})
                .expect("a search");
            let best = found.best.expect("a move");
            assert!(
                best.check(engine.game().position().board()).is_ok(),
                "never illegal"
            );
            moves.push(best.to_string());
        };
        points += match outcome {
            Outcome::Draw(_) => 1,
            Outcome::Win(side, _) => 2 * u32::from((side == Side::White) == first_is_white),
        };
    }
    points
}

/// The share of the points that the first player takes, 0 to 1.
fn score(first: Option<u32>, second: Option<u32>, pairs: u64) -> f64 {
    // A pool of its own: searches must not keep the engine from the common one.
    let pool = rayon::ThreadPoolBuilder::new().build();
    let points = |seed| pair(first, second, seed);
    let sum = || (0..pairs).into_par_iter().map(points).sum();
    let points: u32 = pool.expect("there are threads").install(sum);
    f64::from(points) / (4 * pairs) as f64
}

#[test]
fn each_level_beats_the_one_below() {
    // The seeds are fixed and no clock is involved: the result is always the same.
    let levels: Vec<u32> = levels().collect();
    for two in levels.windows(2) {
        let score = score(Some(two[1]), Some(two[0]), 16);
        assert!(score > 0.5, "{} against {}: {score}", two[1], two[0]);
    }
    let full = score(None, levels.last().copied(), 16);
    assert!(full > 0.5, "full strength against the last level: {full}");
}

#[test]
fn errors_follow_from_the_seed_and_stop_without_the_option() {
    let best = |elo: Option<u32>, seed: u64| {
        let mut engine = player(elo, seed);
        engine
            .set_position(Position::start(), &[""; 0])
            .expect("legal moves");
        let limits = Limits {
            depth: Some(8),
            ..Limits::default()
        };
        let found = engine.go(limits, &Signal::default(), &mut |_| {});
        found.expect("a search").best.expect("a move").to_string()
    };
    let weak: Vec<String> = (0..20).map(|seed| best(Some(400), seed)).collect();
    assert_eq!(
        weak,
        (0..20)
            .map(|seed| best(Some(400), seed))
            .collect::<Vec<_>>()
    );
    assert!(weak.iter().any(|mv| *mv != weak[0]), "they vary");
    let full: Vec<String> = (0..5).map(|seed| best(None, seed)).collect();
    assert!(full.iter().all(|mv| *mv == full[0]));
}

/// The figures in the README: `cargo test --test strength -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement of some minutes"]
fn differences_between_levels_in_elo() {
    let mut levels: Vec<Option<u32>> = levels().map(Some).collect();
    levels.push(None);
    for two in levels.windows(2) {
        let score = score(two[1], two[0], 100);
        let elo = -400.0 * (1.0 / score - 1.0).log10();
        println!(
            "{:?} against {:?}: {score:.3}, {elo:+.0} Elo",
            two[1], two[0]
        );
    }
}
