//! Ends games early when they are as good as over. Every rule is off unless asked for, but for a
//! generous limit on the length.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::record::{GameResult, Reason};
use crate::arena::engine::Score;
use crate::rules::{Position, Side};

/// The exact value of a position for the mover, as far as it is known: greater than 0 a win, 0 a
/// draw, less a loss.
pub type TableValue = dyn Fn(&Position) -> Option<i32> + Send + Sync;

/// A draw when both sides see a level game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Plies before it can happen.
    pub after: usize,
    /// Moves of each side in a row.
    pub moves: u32,
    /// Largest score in hundredths of a stone.
    pub score: i32,
}

/// A loss when a side sees itself lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Moves in a row.
    pub moves: u32,
    /// How far behind at least, in hundredths of a stone.
    pub score: i32,
    /// Whether the opponent must see the same.
    pub twosided: bool,
}

/// When to end games early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Draw by scores.
    pub draw: Option<DrawRule>,
    /// Loss by scores.
    pub resign: Option<ResignRule>,
    /// Draw by length in plies, moves of the opening included.
    pub max_plies: usize,
}

/// Why a text is no rule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ParseRuleError(String);

/// Reads `key=value,...`.
fn pairs<'a>(
    text: &'a str,
    usage: &'a str,
) -> impl Iterator<Item = Result<(&'a str, i64), ParseRuleError>> {
    text.split(',').map(move |part| {
        let pair = part.split_once('=').and_then(|(key, value)| {
            let number = match value {
                "true" => 1,
                "false" => 0,
                _ => value.parse().ok().filter(|n| (0..=1_000_000).contains(n))?,
            };
            Some((key, number))
        });
        pair.ok_or_else(|| ParseRuleError(format!("'{part}' is wrong; write {usage}")))
    })
}

impl FromStr for DrawRule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<DrawRule, ParseRuleError> {
        const USAGE: &str = "moves=N,score=CENTISTONES[,after=PLIES]";
        let (mut after, mut moves, mut score) = (0, 0, -1);
        for pair in pairs(text, USAGE) {
            match pair? {
                ("after", n) => after = n as usize,
                ("moves", n) => moves = n as u32,
                ("score", n) => score = n as i32,
                (key, _) => return Err(ParseRuleError(format!("'{key}' is not known; {USAGE}"))),
            }
        }
        match moves > 0 && score >= 0 {
            true => Ok(DrawRule {
                after,
                moves,
                score,
            }),
            false => Err(ParseRuleError(format!(
                "moves and score are needed: {USAGE}"
            ))),
        }
    }
}

impl FromStr for ResignRule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<ResignRule, ParseRuleError> {
        const USAGE: &str = "moves=N,score=CENTISTONES[,twosided=true]";
        let (mut moves, mut score, mut twosided) = (0, 0, false);
        for pair in pairs(text, USAGE) {
            match pair? {
                ("moves", n) => moves = n as u32,
                ("score", n) => score = n as i32,
                ("twosided", n) => twosided = n != 0,
                (key, _) => return Err(ParseRuleError(format!("'{key}' is not known; {USAGE}"))),
            }
        }
        match moves > 0 && score > 0 {
            true => Ok(ResignRule {
                moves,
                score,
                twosided,
            }),
            false => Err(ParseRuleError(format!(
                "moves and score are needed: {USAGE}"
            ))),
        }
    }
}

/// Follows a game's scores.
pub(super) struct Adjudicator<'a> {
    rules: Adjudication,
    table: Option<&'a TableValue>,
    /// Moves in a row with a level score, both sides.
    level: u32,
    /// Moves in a row with a lost score, White's and Black's.
    lost: [u32; 2],
    /// Moves in a row with a won score.
    won: [u32; 2],
}

impl<'a> Adjudicator<'a> {
    pub(super) fn new(rules: Adjudication, table: Option<&'a TableValue>) -> Adjudicator<'a> {
        Adjudicator {
            rules,
            table,
            level: 0,
            lost: [0; 2],
            won: [0; 2],
        }
    }

    /// Takes in the score with which `side` made its move.
    pub(super) fn scored(&mut self, side: Side, score: Option<Score>) {
        let count = |count: &mut u32, holds: bool| *count = if holds { *count + 1 } else { 0 };
        let cp = score.map(Score::as_cp);
        let at = usize::from(side == Side::Black);
        if let Some(rule) = self.rules.draw {
            count(&mut self.level, cp.is_some_and(|cp| cp.abs() <= rule.score));
        }
        if let Some(rule) = self.rules.resign {
            count(&mut self.lost[at], cp.is_some_and(|cp| cp <= -rule.score));
            count(&mut self.won[at], cp.is_some_and(|cp| cp >= rule.score));
        }
    }

    /// The verdict on a game that goes on, if there is one.
    pub(super) fn verdict(
        &self,
        position: &Position,
        plies: usize,
    ) -> Option<(GameResult, Reason)> {
        self.by_table(position)
            .or_else(|| self.by_resignation())
            .or_else(|| self.by_level_scores(plies))
            .or_else(|| {
                let long = plies >= self.rules.max_plies;
                long.then_some((GameResult::Draw, Reason::LengthAdjudication))
            })
    }

    fn by_table(&self, position: &Position) -> Option<(GameResult, Reason)> {
        let value = self.table?(position)?;
        let result = match value.cmp(&0) {
            std::cmp::Ordering::Greater => GameResult::win(position.side()),
            std::cmp::Ordering::Equal => GameResult::Draw,
            std::cmp::Ordering::Less => GameResult::win(position.side().other()),
        };
        Some((result, Reason::TableAdjudication))
    }

    fn by_resignation(&self) -> Option<(GameResult, Reason)> {
        let rule = self.rules.resign?;
        let resigns = |loser: Side| {
            let at = usize::from(loser == Side::Black);
            let agreed = !rule.twosided || self.won[1 - at] >= rule.moves;
            (self.lost[at] >= rule.moves && agreed)
                .then(|| (GameResult::win(loser.other()), Reason::ResignAdjudication))
        };
        resigns(Side::White).or_else(|| resigns(Side::Black))
    }

    fn by_level_scores(&self, plies: usize) -> Option<(GameResult, Reason)> {
        let rule = self.rules.draw?;
        let level = plies >= rule.after && self.level >= 2 * rule.moves;
        level.then_some((GameResult::Draw, Reason::DrawAdjudication))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Adjudication = Adjudication {
        draw: None,
        resign: None,
        max_plies: 1000,
    };

    fn feed(adjudicator: &mut Adjudicator<'_>, scores: &[i32]) {
        for (ply, &cp) in scores.iter().enumerate() {
            let side = if ply % 2 == 0 {
                Side::White
            } else {
                Side::Black
            };
            adjudicator.scored(side, Some(Score::Cp(cp)));
        }
    }

    #[test]
    fn a_draw_needs_level_scores_of_both_sides_in_a_row() {
        let draw = "moves=2,score=5,after=10".parse().ok();
        let mut adjudicator = Adjudicator::new(Adjudication { draw, ..NONE }, None);
        let start = Position::start();
        feed(&mut adjudicator, &[0, 5, -5]);
        assert_eq!(adjudicator.verdict(&start, 20), None);
        feed(&mut adjudicator, &[0]);
        let drawn = Some((GameResult::Draw, Reason::DrawAdjudication));
        assert_eq!(adjudicator.verdict(&start, 20), drawn);
        assert_eq!(adjudicator.verdict(&start, 9), None, "too early");
        feed(&mut adjudicator, &[6]);
        assert_eq!(adjudicator.verdict(&start, 20), None);
    }

    #[test]
    fn resigning_may_need_the_opponents_consent() {
        let resign = "moves=2,score=300".parse().ok();
        let lost = Some((GameResult::Black, Reason::ResignAdjudication));
        let start = Position::start();
        let mut one = Adjudicator::new(Adjudication { resign, ..NONE }, None);
        feed(&mut one, &[-300, 0, -301]);
        assert_eq!(one.verdict(&start, 3), lost);
        let resign = "moves=2,score=300,twosided=true".parse().ok();
        let mut two = Adjudicator::new(Adjudication { resign, ..NONE }, None);
        feed(&mut two, &[-300, 0, -301, 400]);
        assert_eq!(two.verdict(&start, 4), None);
        feed(&mut two, &[-300, 350]);
        assert_eq!(two.verdict(&start, 6), lost);
    }

    #[test]
    fn tables_and_length_end_a_game() {
        let lost_for_mover = |_: &Position| Some(-3);
        let start = Position::start();
        let adjudicator = Adjudicator::new(NONE, Some(&lost_for_mover));
        let table = Some((GameResult::Black, Reason::TableAdjudication));
        assert_eq!(adjudicator.verdict(&start, 1), table);
        let adjudicator = Adjudicator::new(NONE, None);
        assert_eq!(adjudicator.verdict(&start, 999), None);
        let long = Some((GameResult::Draw, Reason::LengthAdjudication));
        assert_eq!(adjudicator.verdict(&start, 1000), long);
    }

    #[test]
    fn rules_that_make_no_sense_are_refused() {
        for text in [
            "",
            "moves=2",
            "score=3",
            "moves=0,score=1",
            "moves=x,score=1",
            "move=1",
        ] {
            assert!(text.parse::<DrawRule>().is_err(), "{text}");
            assert!(text.parse::<ResignRule>().is_err(), "{text}");
        }
        assert!("moves=1,score=-5".parse::<ResignRule>().is_err());
    }
}
