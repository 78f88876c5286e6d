//! What may come in: commands, and how a line becomes one.

use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use super::reply::short;
use crate::engine::MAX_PERFT_DEPTH;
use crate::rules::{Move, ParseMoveError, ParsePositionError, Position, Side};
use crate::search::{Clock, Limits, MAX_DEPTH};

/// A command to the engine.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Say who you are, in UCI terms.
    Uci,
    /// Say who you are, in UGI terms.
    Ugi,
    /// Accepted and without effect.
    Debug,
    /// Say when you are ready.
    IsReady,
    /// Set an option.
    SetOption {
        /// Its name.
        name: String,
        /// Its value, if one is given.
        value: Option<String>,
    },
    /// The next search belongs to another game.
    NewGame,
    /// Set up a position.
    Position {
        /// The position.
        position: Position,
        /// Moves from there, not looked at yet.
        moves: Vec<String>,
    },
    /// Search.
    Go(Box<Go>),
    /// Count move sequences of this length.
    Perft(u32),
    /// End the search.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// Leave.
    Quit,
    /// A question about the game.
    Query(Query),
    /// Draw the board.
    Display,
    /// Explain the static evaluation.
    Eval,
    /// Measure.
    Bench,
    /// List the commands.
    Help,
    /// Take the next command when the search has ended.
    Wait,
}

/// A question of a UGI match tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// Whether the game is over.
    GameOver,
    /// Whether the side is to move.
    Turn(Side),
    /// Who has won.
    Result,
    /// The position.
    Fen,
    /// Whether the text is a legal move.
    IsLegal(String),
}

/// The words of a `go`.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Go {
    limits: Limits,
    /// Time left, White's first.
    left: [Option<Duration>; 2],
    /// Increments, White's first.
    increment: [Duration; 2],
    moves_to_go: Option<u32>,
    perft: Option<u32>,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandError {
    /// No word of the line is a command.
    #[error("no command in '{0}' (try help)")]
    Unknown(String),
    /// A word is missing.
    #[error("{0}")]
    Missing(&'static str),
    /// A number is missing or out of range.
    #[error("{word} needs a number from {min} to {max}, not '{text}'; nothing is started")]
    Number {
        /// The word before it.
        word: String,
        /// The smallest number.
        min: u64,
        /// The largest number.
        max: u64,
        /// What stands there.
        text: String,
    },
    /// A word of `searchmoves` is not a move.
    #[error("searchmoves: {0}; nothing is started")]
    SearchMove(#[from] ParseMoveError),
    /// A position is wrong.
    #[error("{0}; the position is unchanged")]
    Position(#[from] ParsePositionError),
}

/// The longest time taken, about 30 years in milliseconds.
const MAX_MILLIS: u64 = 1_000_000_000_000;
const MAX_MATE: u64 = 1000;

/// The words of `go` that end a list of `searchmoves`.
const GO_WORDS: [&str; 17] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

impl Command {
    /// Reads a line; `None` if it is blank. Words that begin no command are skipped.
    ///
    /// # Errors
    /// If no command is found or what follows it is wrong.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut rest = words.as_slice();
        while let [_, tail @ ..] = rest {
            if let Some(command) = Command::from_words(rest)? {
                return Ok(Some(command));
            }
            rest = tail;
        }
        match words.first() {
            None => Ok(None),
            Some(_) => Err(CommandError::Unknown(short(line.trim()))),
        }
    }

    /// The command these words begin with, if they do.
    fn from_words(words: &[&str]) -> Result<Option<Command>, CommandError> {
        Ok(Some(match words {
            ["uci", ..] => Command::Uci,
            ["ugi", ..] => Command::Ugi,
            ["debug", ..] => Command::Debug,
            ["isready", ..] => Command::IsReady,
            ["setoption", rest @ ..] => set_option(rest)?,
            ["ucinewgame" | "uginewgame", ..] => Command::NewGame,
            ["position", rest @ ..] => position(rest)?,
            ["go", rest @ ..] => go(rest)?,
            ["perft", rest @ ..] => Command::Perft(perft_depth(rest)?),
            ["stop", ..] => Command::Stop,
            ["ponderhit", ..] => Command::PonderHit,
            ["quit", ..] => Command::Quit,
            ["query", rest @ ..] => Command::Query(query(rest)?),
            ["d", ..] => Command::Display,
            ["eval", ..] => Command::Eval,
            ["bench", ..] => Command::Bench,
            ["help", ..] => Command::Help,
            ["wait", ..] => Command::Wait,
            _ => return Ok(None),
        }))
    }
}

fn set_option(words: &[&str]) -> Result<Command, CommandError> {
    const USAGE: &str = "setoption needs: name NAME [value VALUE]";
    let start = words.iter().position(|&w| w == "name");
    let words = start.map_or(&[][..], |at| &words[at + 1..]);
    let end = words.iter().position(|&w| w == "value");
    let (name, value) = match end {
        None => (words, None),
        Some(at) => (&words[..at], Some(words[at + 1..].join(" "))),
    };
    if name.is_empty() {
        return Err(CommandError::Missing(USAGE));
    }
    Ok(Command::SetOption {
        name: name.join(" "),
        value: value.filter(|text| !text.is_empty()),
    })
}

fn position(words: &[&str]) -> Result<Command, CommandError> {
    const USAGE: &str =
        "position needs: startpos or fen FEN, then [moves MOVE...]; the position is unchanged";
    // Unknown words are skipped here too.
    let start = words.iter().position(|w| matches!(*w, "startpos" | "fen"));
    let words = start.map_or(&[][..], |at| &words[at..]);
    let end = words
        .iter()
        .position(|&w| w == "moves")
        .unwrap_or(words.len());
    let position = match &words[..end] {
        ["startpos", ..] => Position::start(),
        ["fen", fields @ ..] => fields.join(" ").parse()?,
        _ => return Err(CommandError::Missing(USAGE)),
    };
    let moves = words.iter().skip(end + 1).map(|&w| w.to_owned()).collect();
    Ok(Command::Position { position, moves })
}

fn query(words: &[&str]) -> Result<Query, CommandError> {
    const USAGE: &str = "query needs: gameover, p1turn, p2turn, result, fen or islegal MOVE";
    Ok(match words {
        ["gameover", ..] => Query::GameOver,
        ["p1turn", ..] => Query::Turn(Side::White),
        ["p2turn", ..] => Query::Turn(Side::Black),
        ["result", ..] => Query::Result,
        ["fen", ..] => Query::Fen,
        ["islegal", text, ..] => Query::IsLegal((*text).to_owned()),
        _ => return Err(CommandError::Missing(USAGE)),
    })
}

/// Reads a number in a range; `word` is the one before it.
fn number<N>(word: &str, text: Option<&&str>, min: u64, max: u64) -> Result<N, CommandError>
where
    N: FromStr + TryFrom<u64>,
{
    let text = text.copied().unwrap_or("");
    let value: Option<u64> = text.parse().ok().filter(|n| (min..=max).contains(n));
    value
        .and_then(|n| N::try_from(n).ok())
        .ok_or_else(|| CommandError::Number {
            word: word.to_owned(),
            min,
            max,
            text: short(text),
        })
}

fn perft_depth(words: &[&str]) -> Result<u32, CommandError> {
    number("perft", words.first(), 0, MAX_PERFT_DEPTH.into())
}

fn go(words: &[&str]) -> Result<Command, CommandError> {
    let mut go = Go::default();
    let mut rest = words;
    while let [word, tail @ ..] = rest {
        rest = &tail[go.read(word, tail)?..];
    }
    Ok(match go.perft {
        Some(depth) => Command::Perft(depth),
        None => Command::Go(Box::new(go)),
    })
}

impl Go {
    /// Reads what belongs to `word` and says how many of the words after it that was.
    fn read(&mut self, word: &str, tail: &[&str]) -> Result<usize, CommandError> {
        let next = tail.first();
        let millis = || number(word, next, 0, MAX_MILLIS).map(Duration::from_millis);
        let limits = &mut self.limits;
        match word {
            "searchmoves" => return self.search_moves(tail),
            "ponder" => limits.ponder = true,
            "infinite" => limits.infinite = true,
            "wtime" | "p1time" => self.left[0] = Some(millis()?),
            "btime" | "p2time" => self.left[1] = Some(millis()?),
            "winc" | "p1inc" => self.increment[0] = millis()?,
            "binc" | "p2inc" => self.increment[1] = millis()?,
            "movetime" => limits.movetime = Some(millis()?),
            // Some senders write 0 for the rest of the game.
            "movestogo" => {
                let moves = number(word, next, 0, u32::MAX.into())?;
                self.moves_to_go = Some(moves).filter(|&n: &u32| n > 0);
            }
            "depth" => {
                let depth: u32 = number(word, next, 1, u32::MAX.into())?;
                limits.depth = Some(depth.min(MAX_DEPTH));
            }
            "nodes" => limits.nodes = Some(number(word, next, 1, u64::MAX)?),
            "mate" => limits.mate = Some(number(word, next, 1, MAX_MATE)?),
            "perft" => self.perft = Some(perft_depth(tail)?),
            _ => return Ok(0),
        }
        Ok(usize::from(!matches!(word, "ponder" | "infinite")))
    }

    fn search_moves(&mut self, words: &[&str]) -> Result<usize, CommandError> {
        let end = words.iter().position(|w| GO_WORDS.contains(w));
        let end = end.unwrap_or(words.len());
        for word in &words[..end] {
            self.limits.search_moves.push(Move::from_str(word)?);
        }
        if end == 0 {
            return Err(CommandError::Missing(
                "searchmoves needs moves; nothing is started",
            ));
        }
        Ok(end)
    }

    /// The limits for the side to move.
    ///
    /// # Errors
    /// If the only limit is the clock of the other side.
    pub fn limits(&self, side: Side) -> Result<Limits, CommandError> {
        let mut limits = self.limits.clone();
        let mover = usize::from(side == Side::Black);
        limits.clock = self.left[mover].map(|left| Clock {
            left,
            increment: self.increment[mover],
            moves_to_go: self.moves_to_go,
        });
        let timed = self.left.iter().any(Option::is_some);
        if timed && !limits.infinite && !is_finite(&limits) {
            return Err(CommandError::Missing(match side {
                Side::White => "go needs wtime when White is to move; nothing is started",
                Side::Black => "go needs btime when Black is to move; nothing is started",
            }));
        }
        Ok(limits)
    }
}

/// Whether a search within these limits ends by itself.
pub(super) fn is_finite(limits: &Limits) -> bool {
    let limited = limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.mate.is_some()
        || limits.movetime.is_some()
        || limits.clock.is_some();
    limited && !limits.infinite
}
