//! Exactness as a measure of strength: how often an engine's move keeps the exact value of a position.

use std::cmp::Ordering;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::engine::{Budget, Fault, Player};
use super::game::TableValue;
use crate::rules::{Board, Game, Move, Point, PointSet, Position, Side};

/// What is asked of an engine.
#[derive(Clone, Debug)]
pub struct Examination {
    /// Fewest and most stones on the board.
    pub stones: (u32, u32),
    /// The number of positions.
    pub positions: u64,
    /// Decides the positions.
    pub seed: u64,
    /// The `go` line.
    pub go: String,
    /// How long a move may take.
    pub budget: Budget,
}

/// Positions of one value in which there is a choice, and how the engine chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Choices {
    /// Positions in which some move keeps the value and some does not.
    pub positions: u64,
    /// In how many of them the engine's move kept it.
    pub kept: u64,
}

/// How exactly an engine played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Accuracy {
    /// Positions with a choice that are won: the others are wins given away.
    pub wins: Choices,
    /// Positions with a choice that are drawn: the others are draws lost.
    pub draws: Choices,
    /// Answers that were no legal move.
    pub wrong: u64,
    /// Positions looked at for those with a choice.
    pub sampled: u64,
}

impl Accuracy {
    /// Share of moves that keep the value, 0 to 1; 0 without positions.
    pub fn share(&self) -> f64 {
        let kept = self.wins.kept + self.draws.kept;
        kept as f64 / (self.wins.positions + self.draws.positions).max(1) as f64
    }
}

/// Asks an engine for moves in random positions with a choice. `value` gives the exact value of
/// positions for the mover; those it does not know are passed over. `tell` hears the state after each.
///
/// # Errors
/// If the engine fails.
pub fn examine(
    player: &mut Player,
    examination: &Examination,
    value: &TableValue,
    tell: &mut dyn FnMut(&Accuracy),
) -> Result<Accuracy, Fault> {
    // There may be no such position: a table may lack the stones that were asked for.
    const MAX_IN_VAIN: u64 = 1_000_000;
    let mut random = ChaCha8Rng::seed_from_u64(examination.seed);
    let mut accuracy = Accuracy::default();
    let (mut asked, mut in_vain) = (0, 0);
    while asked < examination.positions && in_vain < MAX_IN_VAIN {
        in_vain += 1;
        accuracy.sampled += 1;
        let Some(position) = random_position(examination.stones, &mut random) else {
            continue;
        };
        let Some(won) = has_choice(&position, value) else {
            continue;
        };
        (asked, in_vain) = (asked + 1, 0);
        player.new_game()?;
        let line = format!("position fen {position}");
        let answer = player.ask(&line, &examination.go, examination.budget)?;
        let choices = if won {
            &mut accuracy.wins
        } else {
            &mut accuracy.draws
        };
        choices.positions += 1;
        match legal(&position, &answer.text) {
            None => accuracy.wrong += 1,
            Some(mv) => choices.kept += u64::from(keeps(&position, mv, value) == Some(true)),
        }
        tell(&accuracy);
    }
    Ok(accuracy)
}

/// A random position, White to move, with any share of the stones on each side.
fn random_position(stones: (u32, u32), random: &mut ChaCha8Rng) -> Option<Position> {
    let total = random.random_range(stones.0..=stones.1);
    let white = random.random_range(1..total.max(2));
    if white > 12 || total - white > 12 || total - white == 0 {
        return None;
    }
    let mut points: Vec<Point> = Point::all().collect();
    points.shuffle(random);
    let set = |points: &[Point]| points.iter().fold(PointSet::EMPTY, |set, p| set | p.bit());
    let (own, other) = points[..total as usize].split_at(white as usize);
    let board = Board {
        own: set(own),
        other: set(other),
    };
    Some(Position::from_board(board, Side::White))
}

/// Whether the position is won (true) or drawn (false), if some moves keep that and some do not.
fn has_choice(position: &Position, value: &TableValue) -> Option<bool> {
    if Game::new(*position, 0).outcome().is_some() {
        return None;
    }
    let own = value(position)?;
    if own < 0 {
        return None;
    }
    let mut effects = Vec::new();
    position.board().effects(&mut effects);
    let (mut good, mut bad) = (false, false);
    for effect in effects {
        let kept = sign_after(&position.after(effect), value)? == own.signum();
        good |= kept;
        bad |= !kept;
    }
    (good && bad).then_some(own > 0)
}

fn keeps(position: &Position, mv: Move, value: &TableValue) -> Option<bool> {
    let after = sign_after(&position.after(mv.effect()), value)?;
    Some(after == value(position)?.signum())
}

/// The value for the side that has just moved: 1, 0 or -1.
fn sign_after(child: &Position, value: &TableValue) -> Option<i32> {
    let board = child.board();
    match board.own.is_empty() || board.is_lost() {
        true => Some(1),
        false => value(child).map(|value| match value.cmp(&0) {
            Ordering::Greater => -1,
            Ordering::Equal => 0,
            Ordering::Less => 1,
        }),
    }
}

fn legal(position: &Position, text: &str) -> Option<Move> {
    let mv: Move = text.parse().ok()?;
    mv.check(position.board()).is_ok().then_some(mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Not a value of the game, but of a known one: White wins with a stone on c3, else it is drawn.
    fn holds_c3(position: &Position) -> Option<i32> {
        let won = i32::from(position.stones(Side::White).has(Point::at(2, 2)));
        Some(if position.side() == Side::White {
            won
        } else {
            -won
        })
    }

    #[test]
    fn positions_are_as_asked_for_and_the_same_from_the_same_seed() {
        let make = |seed| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let of = |_| random_position((7, 10), &mut random);
            (0..50).filter_map(of).collect::<Vec<_>>()
        };
        let positions = make(4);
        assert_eq!(positions, make(4));
        assert_ne!(positions, make(5));
        assert!(positions.len() > 40);
        let stones: Vec<u32> = positions.iter().map(|p| p.board().stones()).collect();
        assert!(stones.iter().all(|n| (7..=10).contains(n)));
        assert!((7..=10).all(|n| stones.contains(&n)));
    }

    #[test]
    fn a_choice_has_moves_that_keep_the_value_and_moves_that_do_not() {
        let choice = |text: &str| {
            let position: Position = text.parse().expect("a position");
            (position, has_choice(&position, &holds_c3))
        };
        let (won, found) = choice("4b/5/2w2/5/w4 w");
        assert_eq!(found, Some(true));
        let kept = |text: &str| keeps(&won, text.parse().expect("a move"), &holds_c3);
        assert_eq!((kept("a1a2"), kept("c3c4")), (Some(true), Some(false)));
        assert_eq!(
            choice("4b/5/2w2/5/5 w").1,
            None,
            "every move gives the win away"
        );
        assert_eq!(
            choice("4b/5/1w3/5/5 w").1,
            Some(false),
            "drawn, and one move wins"
        );
        let unknown = |_: &Position| None;
        assert_eq!(has_choice(&won, &unknown), None);
    }
}
