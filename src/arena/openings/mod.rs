//! Where games start: reading sets, and the sets that ship with the program.

mod generate;

pub use generate::{Judge, RandomSet, all_positions, random_positions};

use std::fmt;
use std::path::Path;

use thiserror::Error;

use crate::rules::{Game, Move, Position};

/// A position and the moves made from it before the engines take over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where the game starts.
    pub position: Position,
    /// Moves of the opening.
    pub moves: Vec<Move>,
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.position)?;
        if !self.moves.is_empty() {
            write!(f, " moves")?;
        }
        self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// A set of openings.
#[derive(Clone, Debug)]
pub struct Openings {
    /// The name it was asked for by.
    pub name: String,
    /// Its openings, never none.
    pub list: Vec<Opening>,
    /// Checksum of the openings.
    pub crc32: u32,
}

/// Why a set cannot be used.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("openings {0}: {1}; or use a set that ships with the program: unbalanced, balanced")]
    Read(String, std::io::Error),
    /// A line is wrong.
    #[error("openings {name}, line {line}: {why}")]
    Line {
        /// The set.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// There is nothing in it.
    #[error("openings {0}: there is no opening in it")]
    Empty(String),
}

/// The sets that ship with the program.
const SHIPPED: [(&str, &str); 2] = [
    ("unbalanced", include_str!("unbalanced.txt")),
    ("balanced", include_str!("balanced.txt")),
];

impl Openings {
    /// The set of that name, or in that file. In a file each line is a position, a position followed
    /// by `moves M...`, or moves from the start; `#` begins a comment.
    ///
    /// # Errors
    /// If the file cannot be read or a line is wrong.
    pub fn load(name: &str) -> Result<Openings, OpeningsError> {
        let shipped = SHIPPED.iter().find(|(known, _)| *known == name);
        let text = match shipped {
            Some((_, text)) => (*text).to_owned(),
            None => std::fs::read_to_string(Path::new(name))
                .map_err(|error| OpeningsError::Read(name.to_owned(), error))?,
        };
        Openings::parse(name, &text)
    }

    /// Reads the text of a set.
    ///
    /// # Errors
    /// If a line is wrong, or there is none.
    pub fn parse(name: &str, text: &str) -> Result<Openings, OpeningsError> {
        let mut list = Vec::new();
        let mut hasher = crc32fast::Hasher::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let opening = parse_line(line).map_err(|why| OpeningsError::Line {
                name: name.to_owned(),
                line: index + 1,
                why,
            })?;
            hasher.update(opening.to_string().as_bytes());
            list.push(opening);
        }
        if list.is_empty() {
            return Err(OpeningsError::Empty(name.to_owned()));
        }
        Ok(Openings {
            name: name.to_owned(),
            list,
            crc32: hasher.finalize(),
        })
    }
}

fn parse_line(line: &str) -> Result<Opening, String> {
    // Only positions have slashes.
    let (position, moves) = match line.split_once("moves") {
        Some((position, moves)) => (position.trim(), moves),
        None if line.contains('/') => (line, ""),
        None => ("startpos", line),
    };
    let position = match position {
        "startpos" => Position::start(),
        text => text.parse().map_err(|e| format!("{e}"))?,
    };
    let mut game = Game::new(position, 0);
    let mut made = Vec::new();
    for word in moves.split_whitespace() {
        let mv: Move = word.parse().map_err(|e| format!("{e}"))?;
        game.play(mv).map_err(|e| e.to_string())?;
        made.push(mv);
    }
    match game.outcome() {
        Some(outcome) => Err(format!("the game is over: {outcome}")),
        None => Ok(Opening {
            position,
            moves: made,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_move_lists_are_read() {
        let text = "# a set\n\nc2c3 c4c2  # moves\nbbbbb/bbbbb/bb1ww/wwwww/wwwww w\n\
                    5/2b2/5/2b2/2w2 w 0 1 moves c1c3c5\nstartpos moves c2c3\n";
        let error = Openings::parse("x", text).map_err(|e| e.to_string());
        let over = error.err().unwrap_or_default();
        assert!(
            over.contains("line 5: the game is over: White wins"),
            "{over}"
        );
        let text = text.replace("5/2b2/5/2b2/2w2 w 0 1 moves c1c3c5\n", "");
        let set = Openings::parse("x", &text).expect("a set");
        let moves: Vec<usize> = set.list.iter().map(|o| o.moves.len()).collect();
        assert_eq!(moves, [2, 0, 1]);
        assert!(set.list.iter().all(|o| o.position == Position::start()));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, why) in [
            ("", "no opening"),
            ("c2c3\nc2c4", "line 2: illegal move c2c4"),
            ("5/5 w", "line 1: bad position"),
            ("hello", "line 1: 'hello' is not a move"),
        ] {
            let error = Openings::parse("x", text).map_err(|e| e.to_string());
            assert!(
                error.as_ref().is_err_and(|e| e.contains(why)),
                "{text}: {error:?}"
            );
        }
    }

    #[test]
    fn shipped_sets_load() {
        for (name, _) in SHIPPED {
            assert!(Openings::load(name).is_ok(), "{name}");
        }
    }
}
