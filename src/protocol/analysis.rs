//! What a search found about one position, as a record for programs and a table for people.

use std::fmt;

use serde::Serialize;

use crate::engine::{Engine, GoError};
use crate::rules::{Game, Outcome, Side};
use crate::search::{Bound, Info, Limits, Score, Signal};
use crate::tables::{Exact, Wdl};

/// How a game ends under best play, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// The mover wins.
    Win,
    /// Nobody can force a win.
    Draw,
    /// The mover loses.
    Loss,
}

impl Value {
    /// The value of a finished game for `side`.
    pub fn of(outcome: Outcome, side: Side) -> Value {
        match outcome {
            Outcome::Win(winner, _) if winner == side => Value::Win,
            Outcome::Win(..) => Value::Loss,
            Outcome::Draw(_) => Value::Draw,
        }
    }
}

/// A score in a record: hundredths of a stone, or moves of the mover to a proven end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordScore {
    /// Hundredths of a stone from the mover's side.
    Cp(i32),
    /// The mover wins with its n-th move; negative: it loses in n of its moves.
    Mate(i32),
}

impl From<Score> for RecordScore {
    fn from(score: Score) -> RecordScore {
        match (score.centistones(), score.moves_to_end()) {
            (Some(cp), _) => RecordScore::Cp(cp),
            (None, moves) => RecordScore::Mate(moves.unwrap_or(0)),
        }
    }
}

/// One line of thought in a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RecordLine {
    /// Rank, 1 = best.
    pub multipv: usize,
    /// Its score, from the mover's side.
    pub score: RecordScore,
    /// `exact`, or `lower` or `upper` if the score is only a bound.
    pub bound: &'static str,
    /// Depth in plies to which this line was searched.
    pub depth: u32,
    /// The expected moves.
    pub pv: Vec<String>,
}

impl From<&Info> for RecordLine {
    fn from(info: &Info) -> RecordLine {
        RecordLine {
            multipv: info.multipv,
            score: info.score.into(),
            bound: match info.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            depth: info.depth,
            pv: info.pv.iter().map(ToString::to_string).collect(),
        }
    }
}

/// What a search found about a position. `protocol.md` describes the fields.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Analysis {
    /// The position.
    pub position: String,
    /// How the game has ended, if it has.
    pub result: Option<String>,
    /// The proven value for the mover, if there is a proof.
    pub value: Option<Value>,
    /// Plies to the end with best play, if the value is proven.
    pub plies: Option<u32>,
    /// The score of the best line.
    pub score: Option<RecordScore>,
    /// The last finished depth in plies.
    pub depth: u32,
    /// Boards visited.
    pub nodes: u64,
    /// Time taken in milliseconds.
    pub time_ms: u64,
    /// The best move.
    pub bestmove: Option<String>,
    /// The best lines, best first.
    pub lines: Vec<RecordLine>,
}

impl Analysis {
    /// Searches the engine's present position.
    ///
    /// # Errors
    /// If a move to search is not legal.
    pub fn of(engine: &Engine, limits: Limits, signal: &Signal) -> Result<Analysis, GoError> {
        let game = engine.game();
        let start = std::time::Instant::now();
        let mut lines: Vec<Info> = Vec::new();
        let found = engine.go(limits, signal, &mut |info| {
            // All lines of a depth come together, the best first.
            if info.multipv == 1 {
                lines.clear();
            }
            lines.push(info.clone());
        })?;
        let exact = engine.tables().exact(game.position().board());
        let (value, plies) = proof(game, lines.first(), exact);
        Ok(Analysis {
            position: game.position().to_string(),
            result: game.outcome().map(|outcome| outcome.to_string()),
            value,
            plies,
            score: lines.first().map(|info| info.score.into()),
            depth: lines.first().map_or(0, |info| info.depth),
            nodes: found.nodes,
            time_ms: start.elapsed().as_millis().try_into().unwrap_or(u64::MAX),
            bestmove: found.best.map(|mv| mv.to_string()),
            lines: lines.iter().map(RecordLine::from).collect(),
        })
    }
}

/// The value that is certain, from the rules, the tables or the search, and the plies to the end.
fn proof(game: &Game, best: Option<&Info>, exact: Option<Exact>) -> (Option<Value>, Option<u32>) {
    if let Some(outcome) = game.outcome() {
        let value = Value::of(outcome, game.position().side());
        return (Some(value), Some(0));
    }
    if let Some(exact) = exact {
        let value = match exact.wdl {
            Wdl::Win => Value::Win,
            Wdl::Draw => Value::Draw,
            Wdl::Loss => Value::Loss,
        };
        return (Some(value), exact.distance.plies());
    }
    match best.and_then(|info| info.score.plies_to_end()) {
        None => (None, None),
        Some(plies) if plies > 0 => (Some(Value::Win), Some(plies.unsigned_abs())),
        Some(plies) => (Some(Value::Loss), Some(plies.unsigned_abs())),
    }
}

impl fmt::Display for RecordScore {
    /// `+0.12` in stones, or `win in 3`, `loss in 2` in moves of the mover.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            RecordScore::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
            RecordScore::Mate(moves) if moves > 0 => format!("win in {moves}"),
            RecordScore::Mate(moves) => format!("loss in {}", -moves),
        };
        f.pad(&text)
    }
}

/// The heading of the table that [`Analysis`] prints.
pub const TABLE_HEADING: &str = "     score  depth       nodes     time  line";

impl fmt::Display for Analysis {
    /// A row for each line of thought, or the result of a finished game.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(result) = &self.result {
            return write!(f, "     {result}");
        }
        let seconds = self.time_ms as f64 / 1000.0;
        for (index, line) in self.lines.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            let (score, pv) = (line.score, line.pv.join(" "));
            write!(f, "{score:>10}  {:>5}  ", line.depth)?;
            match index {
                0 => write!(f, "{:>10}  {seconds:>6.2}s  {pv}", self.nodes)?,
                _ => write!(f, "{:>10}  {:>7}  {pv}", "", "")?,
            }
        }
        Ok(())
    }
}
