//! What is kept of a game: one JSON object, from which every other form is made.

use serde::{Deserialize, Serialize};

use crate::arena::engine::{Answer, Score};
use crate::arena::openings::Opening;
use crate::rules::{DrawReason, Outcome, Side, WinReason};

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// Number of the game in the match, from 1.
    pub game: u64,
    /// Number of the pair of games with one opening, from 1.
    pub pair: u64,
    /// Index of the engine with the white stones.
    pub white: usize,
    /// Index of the engine with the black stones.
    pub black: usize,
    /// Where the game starts.
    pub opening: Opening,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// White has won.
    #[serde(rename = "1-0")]
    White,
    /// Black has won.
    #[serde(rename = "0-1")]
    Black,
    /// Drawn.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// A win of a side.
    pub fn win(side: Side) -> GameResult {
        match side {
            Side::White => GameResult::White,
            Side::Black => GameResult::Black,
        }
    }

    /// As it stands in a PGN.
    pub fn text(self) -> &'static str {
        match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// White's half points, 0 to 2.
    pub fn white_half_points(self) -> u8 {
        match self {
            GameResult::White => 2,
            GameResult::Black => 0,
            GameResult::Draw => 1,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The loser has no stones.
    NoStones,
    /// The loser cannot move.
    NoMove,
    /// The position stood for the third time.
    Repetition,
    /// The limit on plies without a capture was reached.
    NoCapture,
    /// Both engines thought the game level for long enough.
    DrawAdjudication,
    /// The loser thought itself lost for long enough.
    ResignAdjudication,
    /// The value of the position is known.
    TableAdjudication,
    /// The limit on the length of a game was reached.
    LengthAdjudication,
    /// The loser's flag fell.
    TimeForfeit,
    /// The loser gave no answer at all.
    NoAnswer,
    /// The loser made an illegal move.
    IllegalMove,
    /// The loser's answer was no move.
    BadAnswer,
    /// The loser sent a second move for one position.
    SecondMove,
    /// The loser's process ended.
    Crash,
    /// The loser did not start, or was not ready for the game.
    StartFailure,
}

impl Reason {
    /// Every reason, in the order of tables.
    pub const ALL: [Reason; 15] = [
        Reason::NoStones,
        Reason::NoMove,
        Reason::Repetition,
        Reason::NoCapture,
        Reason::DrawAdjudication,
        Reason::ResignAdjudication,
        Reason::TableAdjudication,
        Reason::LengthAdjudication,
        Reason::TimeForfeit,
        Reason::NoAnswer,
        Reason::IllegalMove,
        Reason::BadAnswer,
        Reason::SecondMove,
        Reason::Crash,
        Reason::StartFailure,
    ];

    /// The word in records.
    pub fn word(self) -> &'static str {
        match self {
            Reason::NoStones => "no-stones",
            Reason::NoMove => "no-move",
            Reason::Repetition => "repetition",
            Reason::NoCapture => "no-capture",
            Reason::DrawAdjudication => "draw-adjudication",
            Reason::ResignAdjudication => "resign-adjudication",
            Reason::TableAdjudication => "table-adjudication",
            Reason::LengthAdjudication => "length-adjudication",
            Reason::TimeForfeit => "time-forfeit",
            Reason::NoAnswer => "no-answer",
            Reason::IllegalMove => "illegal-move",
            Reason::BadAnswer => "bad-answer",
            Reason::SecondMove => "second-move",
            Reason::Crash => "crash",
            Reason::StartFailure => "start-failure",
        }
    }

    /// The reason of that word.
    pub fn from_word(word: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.word() == word)
    }

    /// The PGN tag `Termination`, which knows fewer words.
    pub fn pgn(self) -> &'static str {
        match self {
            Reason::NoStones | Reason::NoMove | Reason::Repetition | Reason::NoCapture => "normal",
            Reason::DrawAdjudication
            | Reason::ResignAdjudication
            | Reason::TableAdjudication
            | Reason::LengthAdjudication => "adjudication",
            Reason::TimeForfeit | Reason::NoAnswer => "time forfeit",
            Reason::IllegalMove | Reason::BadAnswer | Reason::SecondMove => "rules infraction",
            Reason::Crash | Reason::StartFailure => "abandoned",
        }
    }

    /// Whether the loser lost by a fault of its own instead of on the board.
    pub fn is_fault(self) -> bool {
        !matches!(self.pgn(), "normal" | "adjudication")
    }

    /// Result and reason of a game that ended on the board.
    pub fn of_outcome(outcome: Outcome) -> (GameResult, Reason) {
        match outcome {
            Outcome::Win(side, WinReason::NoStones) => (GameResult::win(side), Reason::NoStones),
            Outcome::Win(side, WinReason::NoMove) => (GameResult::win(side), Reason::NoMove),
            Outcome::Draw(DrawReason::Repetition) => (GameResult::Draw, Reason::Repetition),
            Outcome::Draw(DrawReason::NoCapture) => (GameResult::Draw, Reason::NoCapture),
        }
    }
}

/// A move with what the engine said about it; a move of the opening has nothing but itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// Time used in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// `{"cp": N}` or `{"mate": N}`, from the mover's side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl MoveRecord {
    /// A move of the opening.
    pub fn of_book(text: String) -> MoveRecord {
        MoveRecord {
            text,
            ..MoveRecord::default()
        }
    }

    pub(super) fn of_answer(answer: &Answer) -> MoveRecord {
        MoveRecord {
            text: answer.text.clone(),
            // Microseconds are enough and keep the record short.
            ms: Some(answer.time.as_micros() as f64 / 1000.0),
            depth: answer.thought.depth,
            score: answer.thought.score,
            nodes: answer.thought.nodes,
        }
    }
}

/// What an engine said that is not so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// A win was announced that did not come.
    BrokenWinClaim,
    /// The expected line holds an illegal move.
    IllegalLine,
}

/// A false statement of an engine; it costs nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// The engine.
    pub engine: String,
    /// What kind of statement.
    pub kind: NoteKind,
    /// The ply before which it was made, from 0.
    pub ply: usize,
    /// What it said, and why that is wrong.
    pub text: String,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number of the game in the match, from 1.
    pub game: u64,
    /// Number of the pair of games with one opening, from 1.
    pub pair: u64,
    /// The engine with the white stones.
    pub white: String,
    /// The engine with the black stones.
    pub black: String,
    /// The result.
    pub result: GameResult,
    /// Why it ended.
    pub reason: Reason,
    /// More about a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// When it began, in UTC.
    pub started: String,
    /// How long it took in seconds.
    pub seconds: f64,
    /// Where it started, moves of the opening not yet made.
    pub position: String,
    /// The limit on plies without a capture; 0: none.
    pub no_capture_limit: u32,
    /// The PGN tags `TimeControl` of White and Black.
    pub time_controls: [String; 2],
    /// The number of plies.
    pub plies: usize,
    /// The moves.
    pub moves: Vec<MoveRecord>,
    /// False statements of the engines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_reasons_are_those_of_the_json() {
        for reason in Reason::ALL {
            let json = serde_json::to_string(&reason).expect("a word");
            assert_eq!(json, format!("\"{}\"", reason.word()));
            assert_eq!(Reason::from_word(reason.word()), Some(reason));
        }
    }
}
