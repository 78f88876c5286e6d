//! A position as users know it: coloured stones, side to move and counters; and its text.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::board::Board;
use super::movegen::Effect;
use super::point::{Point, PointSet};

/// A side; White moves first in the starting position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The side of the `w` stones.
    White,
    /// The side of the `b` stones.
    Black,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The letter in a position text, `w` or `b`.
    pub fn letter(self) -> char {
        match self {
            Side::White => 'w',
            Side::Black => 'b',
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::White => "White",
            Side::Black => "Black",
        })
    }
}

/// Stones, side to move and counters; no history (see [`Game`](super::Game)).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    board: Board,
    side: Side,
    quiet_plies: u32,
    move_number: u32,
}

/// The most stones a side can have.
const MAX_STONES: u32 = 12;
const START: &str = "bbbbb/bbbbb/bb1ww/wwwww/wwwww";

impl Position {
    /// The starting position.
    pub fn start() -> Position {
        let white = PointSet::from_bits(0b11000_11111_11111);
        Position {
            board: Board {
                own: white,
                other: !white - Point::at(2, 2).bit(),
            },
            side: Side::White,
            quiet_plies: 0,
            move_number: 1,
        }
    }

    /// A position with these stones and `side` to move, at the beginning of a game. A side must
    /// have at most 12 stones.
    pub fn from_board(board: Board, side: Side) -> Position {
        Position {
            board,
            side,
            quiet_plies: 0,
            move_number: 1,
        }
    }

    /// The stones as the mover sees them.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Plies since the last capture.
    pub fn quiet_plies(&self) -> u32 {
        self.quiet_plies
    }

    /// The number of the move, 1 at the start, one more after each move of Black.
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// The stones of a side.
    pub fn stones(&self, side: Side) -> PointSet {
        if side == self.side {
            self.board.own
        } else {
            self.board.other
        }
    }

    /// The position after a legal turn.
    pub fn after(&self, effect: Effect) -> Position {
        let black_moved = self.side == Side::Black;
        Position {
            board: self.board.after(effect),
            side: self.side.other(),
            quiet_plies: match effect.is_capture() {
                true => 0,
                false => self.quiet_plies.saturating_add(1),
            },
            move_number: self.move_number.saturating_add(black_moved as u32),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (white, black) = (self.stones(Side::White), self.stones(Side::Black));
        for rank in (0..5).rev() {
            let mut gap = 0;
            for file in 0..5 {
                let point = Point::at(file, rank);
                let letter = match (white.has(point), black.has(point)) {
                    (true, _) => 'w',
                    (_, true) => 'b',
                    _ => {
                        gap += 1;
                        continue;
                    }
                };
                if gap > 0 {
                    write!(f, "{gap}")?;
                    gap = 0;
                }
                write!(f, "{letter}")?;
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
            if rank > 0 {
                write!(f, "/")?;
            }
        }
        let side = self.side.letter();
        write!(f, " {side} {} {}", self.quiet_plies, self.move_number)
    }
}

/// What is wrong with a position text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("bad position: {0}")]
pub struct ParsePositionError(String);

impl FromStr for Position {
    type Err = ParsePositionError;

    /// Reads `ranks side [plies-since-capture move-number]`, ranks from 5 down to 1.
    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [ranks, side, counters @ ..] = fields.as_slice() else {
            return error(format!("needs ranks and a side, as in '{START} w'"));
        };
        let (white, black) = parse_ranks(ranks)?;
        let side = match *side {
            "w" => Side::White,
            "b" => Side::Black,
            _ => return error(format!("the side is '{}', not w or b", short(side))),
        };
        if counters.len() > 2 {
            return error(format!("'{}' follows the move number", short(counters[2])));
        }
        let number = |index: usize, default: u32, name: &str| match counters.get(index) {
            None => Ok(default),
            // `parse` alone would take a plus sign.
            Some(word) if word.bytes().all(|b| b.is_ascii_digit()) => {
                let large = |_| format!("{name} '{}' is too large", short(word));
                word.parse().map_err(large).or_else(error)
            }
            Some(word) => error(format!("{name} '{}' is not a number", short(word))),
        };
        let quiet_plies = number(0, 0, "the plies since a capture")?;
        let move_number = number(1, 1, "the move number")?;
        if move_number == 0 {
            return error("the move number '0' is below 1".to_owned());
        }
        let (own, other) = match side {
            Side::White => (white, black),
            Side::Black => (black, white),
        };
        Ok(Position {
            board: Board { own, other },
            side,
            quiet_plies,
            move_number,
        })
    }
}

fn error<T>(text: String) -> Result<T, ParsePositionError> {
    Err(ParsePositionError(text))
}

/// Long input is quoted by its beginning only.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

fn parse_ranks(text: &str) -> Result<(PointSet, PointSet), ParsePositionError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 5 {
        return error(format!("{} ranks instead of 5", ranks.len()));
    }
    let (mut white, mut black) = (PointSet::EMPTY, PointSet::EMPTY);
    for (rank, row) in (0..5u8).rev().zip(ranks) {
        let mut file = 0u32;
        for letter in row.chars() {
            let (width, set) = match letter {
                'w' => (1, Some(&mut white)),
                'b' => (1, Some(&mut black)),
                '1'..='5' => (letter as u32 - '0' as u32, None),
                _ => {
                    return error(format!(
                        "'{letter}' on rank {} is not w, b or 1-5",
                        rank + 1
                    ));
                }
            };
            if file + width > 5 {
                return error(format!("rank {} has more than 5 points", rank + 1));
            }
            if let Some(set) = set {
                *set = *set | Point::at(file as u8, rank).bit();
            }
            file += width;
        }
        if file != 5 {
            return error(format!("rank {} has {file} points instead of 5", rank + 1));
        }
    }
    for (name, set) in [("White", white), ("Black", black)] {
        if set.len() > MAX_STONES {
            return error(format!("{name} has {} stones, more than 12", set.len()));
        }
    }
    Ok((white, black))
}
