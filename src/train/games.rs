//! Games of the program against itself, to learn from.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::sample::{Sample, certain};
use crate::rules::{Effect, Game, Outcome, Position, Side};
use crate::search::{
    Chances, Evaluation, Info, Limits, Memory, Options, Score, Signal, Table, UNIT, chances, search,
};
use crate::tables::{Tables, Wdl};

/// How games are played and what is taken from them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Play {
    /// The number of games.
    pub games: usize,
    /// Nodes for a move.
    pub nodes: u64,
    /// Nodes for the value of a board beside the game.
    pub side_nodes: u64,
}

/// The hash table of a game.
const HASH_MIB: usize = 1;
/// Games end undecided after so many plies.
const LONGEST: usize = 160;
/// How much the result of the game counts for its boards; the rest is the search's opinion.
const RESULT_SHARE: f32 = 0.5;

/// Who plays: search, tables and evaluation.
struct Player<'a> {
    tables: &'a Tables,
    evaluation: &'a Evaluation,
    table: Table,
}

/// What a search says of the present position of a game.
struct Opinion {
    best: Effect,
    chances: Chances,
    /// Whether the value is proven.
    sure: bool,
}

impl Player<'_> {
    /// Thinks about a position; `None` if the game is over.
    fn think(&self, game: &Game, nodes: u64) -> Option<Opinion> {
        let memory = Memory {
            table: &self.table,
            tables: self.tables,
            evaluation: self.evaluation,
        };
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut score = Score::DRAW;
        let mut tell = |info: &Info| score = info.score;
        let found = search(
            game,
            &limits,
            &Options::default(),
            memory,
            &Signal::default(),
            &mut tell,
        );
        let best = found.best?.effect();
        let value = self.tables.exact(game.position().board());
        let known = value.map(|value| value.wdl).or(score.decided());
        Some(Opinion {
            best,
            chances: match known {
                Some(value) => certain(value),
                None => chances(score.0 as f32 / UNIT),
            },
            sure: known.is_some(),
        })
    }
}

/// Chances seen by the other side.
fn reversed([win, draw, loss]: Chances) -> Chances {
    [loss, draw, win]
}

/// The samples of each of some games, the same for the same seed whatever the number of threads.
/// `tell` is called after each game.
pub fn samples(
    tables: &Tables,
    evaluation: &Evaluation,
    play: Play,
    seed: u64,
    tell: &(dyn Fn() + Sync),
) -> Vec<Vec<Sample>> {
    let game = |number: usize| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(number as u64);
        // A game that finds no memory is left out.
        let player = Table::new(HASH_MIB).map(|table| Player {
            tables,
            evaluation,
            table,
        });
        let samples = player.map(|player| one_game(&player, play, &mut random));
        tell();
        samples.unwrap_or_default()
    };
    (0..play.games).into_par_iter().map(game).collect()
}

/// A game from a random opening.
fn one_game(player: &Player, play: Play, random: &mut ChaCha8Rng) -> Vec<Sample> {
    let mut samples = Vec::new();
    let Some(mut game) = opening(random) else {
        return samples;
    };
    // Quiet boards of the game: their side to move and what the search thought of them.
    let mut thoughts: Vec<(Side, Position, Chances)> = Vec::new();
    let mut result = None;
    for _ in 0..LONGEST {
        let Some(opinion) = player.think(&game, play.nodes) else {
            break;
        };
        let position = *game.position();
        if !position.board().can_capture() {
            thoughts.push((position.side(), position, opinion.chances));
        }
        if let Some(sample) = side_line(player, &game, play.side_nodes, random) {
            samples.push(sample);
        }
        if opinion.sure {
            result = Some((position.side(), opinion.chances));
            break;
        }
        make(&mut game, opinion.best);
    }
    let (side, chances) = result.unwrap_or_else(|| (Side::White, chances_of(game.outcome())));
    for (mover, position, opinion) in thoughts {
        let result = if mover == side {
            chances
        } else {
            reversed(chances)
        };
        let mixed = [0, 1, 2].map(|i| RESULT_SHARE * result[i] + (1.0 - RESULT_SHARE) * opinion[i]);
        samples.push(Sample::new(position.board(), mixed));
    }
    walk(player.tables, game, random, &mut samples);
    samples
}

/// The result for White.
fn chances_of(outcome: Option<Outcome>) -> Chances {
    certain(match outcome {
        Some(Outcome::Win(Side::White, _)) => Wdl::Win,
        Some(Outcome::Win(Side::Black, _)) => Wdl::Loss,
        _ => Wdl::Draw,
    })
}

fn make(game: &mut Game, effect: Effect) {
    if let Some(mv) = game.position().board().move_for(effect) {
        let _ = game.play(mv);
    }
}

/// Makes a random turn; `None` if the game is over.
fn make_any(game: &mut Game, random: &mut ChaCha8Rng) -> Option<()> {
    let mut effects = Vec::new();
    if game.outcome().is_none() {
        game.position().board().effects(&mut effects);
    }
    make(game, *effects.choose(random)?);
    Some(())
}

/// Some random plies from the start: level games and others.
fn opening(random: &mut ChaCha8Rng) -> Option<Game> {
    let mut game = Game::new(Position::start(), 0);
    for _ in 0..random.random_range(2..=16) {
        make_any(&mut game, random)?;
    }
    (game.outcome().is_none()).then_some(game)
}

/// A board such as a search meets beside the game: after a random turn, or two, captures played out.
fn side_line(player: &Player, game: &Game, nodes: u64, random: &mut ChaCha8Rng) -> Option<Sample> {
    let mut aside = Game::new(*game.position(), 0);
    for _ in 0..random.random_range(1..=2) {
        make_any(&mut aside, random)?;
    }
    while aside.position().board().can_capture() {
        make_any(&mut aside, random)?;
    }
    let opinion = player.think(&aside, nodes)?;
    Some(Sample::new(aside.position().board(), opinion.chances))
}

/// Boards after the game, as far as the tables know them: good turns with any turns among them.
fn walk(tables: &Tables, mut game: Game, random: &mut ChaCha8Rng, samples: &mut Vec<Sample>) {
    const PLIES: usize = 12;
    const GOOD: f64 = 0.6;
    for _ in 0..PLIES {
        let board = game.position().board();
        let quiet = !board.can_capture() && board.step_count() > 0;
        if let (true, Some(exact)) = (quiet, tables.exact(board)) {
            samples.push(Sample::new(board, certain(exact.wdl)));
        }
        let mut effects = Vec::new();
        board.effects(&mut effects);
        let value = |effect: &Effect| Some(tables.of_turn(board, *effect)?.preference());
        let best = effects.iter().copied().max_by_key(value);
        let any = effects.choose(random).copied();
        let picked = if random.random_bool(GOOD) { best } else { any };
        let Some(effect) = picked else {
            break;
        };
        make(&mut game, effect);
        if game.outcome().is_some() {
            break;
        }
    }
}
