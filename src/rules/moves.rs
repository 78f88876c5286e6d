//! Moves as the path a stone takes, and their text.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::board::Board;
use super::lines::{halfway, landings, neighbours};
use super::movegen::Effect;
use super::point::{Point, PointSet};

/// A whole turn: every point the moving stone touches, in order.
///
/// A step touches two points, a chain of n captures n + 1. The path is the identity of a move:
/// two paths may do the same to the board and still are different moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    points: [Point; Move::MAX_POINTS],
    len: u8,
}

impl Move {
    /// The most points a move touches: a chain takes at most twelve stones.
    pub const MAX_POINTS: usize = 13;

    /// The move over these points, or `None` if there are fewer than 2 or more than 13 of them.
    /// Nothing is checked against a board; see [`Move::check`].
    pub fn from_path(path: &[Point]) -> Option<Move> {
        if path.len() < 2 || path.len() > Self::MAX_POINTS {
            return None;
        }
        let mut points = [path[0]; Self::MAX_POINTS];
        points[..path.len()].copy_from_slice(path);
        Some(Move {
            points,
            len: path.len() as u8,
        })
    }

    /// The points touched, 2 to 13.
    pub fn path(&self) -> &[Point] {
        &self.points[..self.len as usize]
    }

    /// Where the stone starts.
    pub fn from(&self) -> Point {
        self.points[0]
    }

    /// Where the stone ends.
    pub fn to(&self) -> Point {
        self.points[self.len as usize - 1]
    }

    /// Whether the move captures (its first leg is longer than a line).
    pub fn is_capture(&self) -> bool {
        landings(self.points[0]).has(self.points[1])
    }

    /// What the move does to a board on which it is legal.
    pub fn effect(&self) -> Effect {
        let captured = if self.is_capture() {
            let legs = self.path().windows(2);
            legs.map(|leg| halfway(leg[0], leg[1])).collect()
        } else {
            PointSet::EMPTY
        };
        Effect {
            from: self.from(),
            to: self.to(),
            captured,
        }
    }

    /// Checks the move against the rules on `board`.
    ///
    /// # Errors
    /// The first rule it breaks.
    pub fn check(&self, board: Board) -> Result<(), MoveError> {
        let from = self.from();
        if board.other.has(from) {
            return Err(MoveError::NotYours(from));
        }
        if !board.own.has(from) {
            return Err(MoveError::NoStone(from));
        }
        let to = self.points[1];
        if self.len == 2 && neighbours(from).has(to) {
            if !board.empty().has(to) {
                return Err(MoveError::Occupied(to));
            }
            return match board.can_capture() {
                true => Err(MoveError::MustCapture),
                false => Ok(()),
            };
        }
        self.check_chain(board)
    }

    fn check_chain(&self, board: Board) -> Result<(), MoveError> {
        let mut victims = board.other;
        let vacant = board.empty() | self.from().bit();
        for leg in self.path().windows(2) {
            let (from, to) = (leg[0], leg[1]);
            if !landings(from).has(to) {
                return Err(MoveError::NoLine(from, to));
            }
            let over = halfway(from, to);
            if !victims.has(over) {
                return Err(MoveError::NothingToJump(over));
            }
            // Points of stones taken earlier in the chain are vacant too.
            if !(vacant | (board.other - victims)).has(to) {
                return Err(MoveError::Occupied(to));
            }
            victims = victims - over.bit();
        }
        let end = Board {
            own: (board.own - self.from().bit()) | self.to().bit(),
            other: victims,
        };
        if end.capturers().has(self.to()) {
            return Err(MoveError::MustGoOn(self.to()));
        }
        Ok(())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Through a buffer so that width and alignment work.
        let text: String = self.path().iter().map(Point::to_string).collect();
        f.pad(&text)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A text that is not a move in any position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not a move (points written together, as in c2c3 or d4d2b4)")]
pub struct ParseMoveError(pub String);

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads `c2c3`, `c2-c3`, `c4xc2` and longer paths; the separators are optional.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let error = || ParseMoveError(text.chars().take(40).collect());
        let mut path = Vec::with_capacity(Move::MAX_POINTS);
        let mut rest = text;
        loop {
            let point = rest.get(..2).ok_or_else(error)?;
            path.push(point.parse().map_err(|_| error())?);
            rest = &rest[2..];
            if rest.is_empty() {
                break;
            }
            if path.len() == Move::MAX_POINTS {
                return Err(error());
            }
            rest = rest.strip_prefix(['-', 'x']).unwrap_or(rest);
        }
        Move::from_path(&path).ok_or_else(error)
    }
}

/// Why a move is not legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The path starts on an empty point.
    #[error("there is no stone on {0}")]
    NoStone(Point),
    /// The path starts on a stone of the other side.
    #[error("the stone on {0} is the opponent's")]
    NotYours(Point),
    /// The landing point holds a stone.
    #[error("{0} is occupied")]
    Occupied(Point),
    /// No line, or no jump along a line, joins two points of the path.
    #[error("no line leads from {0} to {1}")]
    NoLine(Point, Point),
    /// The jumped point holds no stone of the other side, or one already taken.
    #[error("there is no enemy stone to jump on {0}")]
    NothingToJump(Point),
    /// A step while a capture exists.
    #[error("a capture is compulsory")]
    MustCapture,
    /// The chain stops although the stone can jump on.
    #[error("the chain must go on from {0}")]
    MustGoOn(Point),
    /// The game is over.
    #[error("the game is over")]
    GameOver,
}
