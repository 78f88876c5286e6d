//! Makes sets of openings, the same ones from the same seed.

use std::collections::BTreeSet;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::rules::{Board, Effect, Game, Position, Symmetry};

/// Who says what positions are worth. A closure gives scores only.
pub trait Judge {
    /// The score of a position in hundredths of a stone from White's side, or `None` if it is
    /// decided.
    fn score(&mut self, position: &Position) -> Option<i32>;

    /// Whether a position whose score fits is to be kept; asked last, for it may take long.
    fn is_kept(&mut self, position: &Position) -> bool {
        let _ = position;
        true
    }
}

impl<F: FnMut(&Position) -> Option<i32>> Judge for F {
    fn score(&mut self, position: &Position) -> Option<i32> {
        self(position)
    }
}

/// A set of unequal positions to be found by random play.
#[derive(Clone, Copy, Debug)]
pub struct RandomSet {
    /// How many.
    pub count: usize,
    /// Fewest plies of random play.
    pub min_plies: u32,
    /// Most plies of random play.
    pub max_plies: u32,
    /// Smallest and largest score of the better side, in hundredths of a stone.
    pub window: (i32, i32),
    /// Decides the play.
    pub seed: u64,
}

/// All positions that can stand after this many plies, each once whatever the path to it, in the
/// order of their text. Mirror images are different positions. Finished games are left out.
pub fn all_positions(plies: u32) -> Vec<Position> {
    let mut level = vec![Position::start()];
    for _ in 0..plies {
        let mut seen = BTreeSet::new();
        let mut next = Vec::new();
        for position in &level {
            for effect in effects(position) {
                let child = position.after(effect);
                if seen.insert(child.board().code()) {
                    next.push(child);
                }
            }
        }
        level = next;
    }
    level.retain(|position| Game::new(*position, 0).outcome().is_none());
    level.sort_by_cached_key(Position::to_string);
    level
}

/// Plays random moves from the start and keeps quiet positions whose score lies in the window for one
/// side or the other, half of them for White as far as possible. No two are images of each other.
/// Calls `found` with the number kept so far. Ends early if new positions no longer come.
pub fn random_positions(
    set: RandomSet,
    judge: &mut dyn Judge,
    found: &mut dyn FnMut(usize),
) -> Vec<Position> {
    let mut random = ChaCha8Rng::seed_from_u64(set.seed);
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    let mut for_white = 0;
    let mut in_vain = 0;
    while kept.len() < set.count && in_vain < 100_000 {
        in_vain += 1;
        let Some(position) = random_position(&set, &mut random) else {
            continue;
        };
        if !seen.insert(canonical(position.board())) {
            continue;
        }
        let Some(score) = judge.score(&position) else {
            continue;
        };
        let (low, high) = set.window;
        let white_better = score > 0;
        let room = match white_better {
            true => for_white < set.count.div_ceil(2),
            false => kept.len() - for_white < set.count.div_ceil(2),
        };
        if (low..=high).contains(&score.abs()) && room && judge.is_kept(&position) {
            for_white += usize::from(white_better);
            kept.push(fresh(&position));
            in_vain = 0;
            found(kept.len());
        }
    }
    kept
}

fn effects(position: &Position) -> Vec<Effect> {
    let mut effects = Vec::new();
    if Game::new(*position, 0).outcome().is_none() {
        position.board().effects(&mut effects);
    }
    effects
}

/// A quiet position after random moves, or `None` if the game ended before.
fn random_position(set: &RandomSet, random: &mut ChaCha8Rng) -> Option<Position> {
    let plies = random.random_range(set.min_plies..=set.max_plies);
    let mut position = Position::start();
    for _ in 0..plies {
        position = position.after(*effects(&position).choose(random)?);
    }
    // Captures are played out, so that the score does not hang on the next one.
    while position.board().can_capture() {
        position = position.after(*effects(&position).choose(random)?);
    }
    (!effects(&position).is_empty()).then_some(position)
}

/// The same for all eight images of a board.
fn canonical(board: Board) -> u64 {
    let codes = Symmetry::all().map(|symmetry| board.mapped(symmetry).code());
    codes.min().unwrap_or_default()
}

/// The position as the first of a game.
fn fresh(position: &Position) -> Position {
    let text = position.to_string();
    let ranks = text.split(' ').next().unwrap_or("");
    let side = position.side().letter();
    format!("{ranks} {side} 0 1").parse().unwrap_or(*position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Side;

    /// A judge without a search: White's stones less Black's.
    fn material(position: &Position) -> Option<i32> {
        let stones = |side| position.stones(side).len() as i32;
        Some(100 * (stones(Side::White) - stones(Side::Black)))
    }

    /// Plies 6 and 7 have 107 and 523 lines if moves with one result are merged (known counts); here
    /// lines that meet again are merged too.
    #[test]
    fn positions_of_a_ply_are_counted_once() {
        let counts: Vec<usize> = (0..=5).map(|plies| all_positions(plies).len()).collect();
        assert_eq!(counts[..4], [1, 4, 5, 6]);
        assert!(all_positions(6).len() <= 107);
        let seventh = all_positions(7);
        assert!(seventh.len() <= 523);
        let texts: BTreeSet<String> = seventh.iter().map(Position::to_string).collect();
        assert_eq!(texts.len(), seventh.len());
    }

    #[test]
    fn a_seed_gives_the_same_quiet_positions_in_the_window() {
        let set = RandomSet {
            count: 40,
            min_plies: 8,
            max_plies: 16,
            window: (100, 100),
            seed: 5,
        };
        let make = |set| random_positions(set, &mut material, &mut |_| ());
        let positions = make(set);
        assert_eq!(positions, make(set));
        assert_ne!(positions, make(RandomSet { seed: 6, ..set }));
        assert_eq!(positions.len(), 40);
        let for_white = positions
            .iter()
            .filter(|p| material(p) == Some(100))
            .count();
        assert_eq!(for_white, 20);
        assert!(positions.iter().all(|p| !p.board().can_capture()));
        let images: BTreeSet<u64> = positions.iter().map(|p| canonical(p.board())).collect();
        assert_eq!(images.len(), 40);
    }
}
