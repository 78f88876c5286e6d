//! A game: where it started, the moves made, and how it stands.

use std::fmt;

use thiserror::Error;

use super::board::Board;
use super::moves::{Move, MoveError};
use super::position::{Position, Side};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The side has won.
    Win(Side, WinReason),
    /// Drawn.
    Draw(DrawReason),
}

/// Why a side has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WinReason {
    /// The opponent has no stones left.
    NoStones,
    /// The opponent is to move and cannot.
    NoMove,
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawReason {
    /// The position stands for the third time with the same side to move.
    Repetition,
    /// The limit on plies without a capture is reached.
    NoCapture,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(side, WinReason::NoStones) => {
                write!(f, "{side} wins: {} has no stones", side.other())
            }
            Outcome::Win(side, WinReason::NoMove) => {
                write!(f, "{side} wins: {} cannot move", side.other())
            }
            Outcome::Draw(DrawReason::Repetition) => write!(f, "draw by repetition"),
            Outcome::Draw(DrawReason::NoCapture) => write!(f, "draw: no capture for too long"),
        }
    }
}

/// A move that cannot be made, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("illegal move {mv}: {reason}")]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The rule it breaks.
    pub reason: MoveError,
}

/// A position with the moves that led to it.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    /// Boards since the last capture, the present one last.
    boards: Vec<Board>,
    /// Plies without a capture at which the game is drawn; 0 = never.
    no_capture_limit: u32,
}

impl Game {
    /// A game that starts in `position`, which counts as its first occurrence.
    pub fn new(position: Position, no_capture_limit: u32) -> Game {
        Game {
            position,
            boards: vec![position.board()],
            no_capture_limit,
        }
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The limit on plies without a capture, 0 = none.
    pub fn no_capture_limit(&self) -> u32 {
        self.no_capture_limit
    }

    /// The same game under another limit.
    pub fn set_no_capture_limit(&mut self, limit: u32) {
        self.no_capture_limit = limit;
    }

    /// Boards since the last capture, each seen by its mover, the present one last. Boards two
    /// apart have the same side to move.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// Makes a move.
    ///
    /// # Errors
    /// If the game is over or the move breaks a rule; the game stays as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let illegal = |reason| IllegalMove { mv, reason };
        if self.outcome().is_some() {
            return Err(illegal(MoveError::GameOver));
        }
        mv.check(self.position.board()).map_err(illegal)?;
        self.position = self.position.after(mv.effect());
        if mv.is_capture() {
            self.boards.clear();
        }
        self.boards.push(self.position.board());
        Ok(())
    }

    /// How often the present position has stood with the same side to move, now included.
    pub fn occurrences(&self) -> usize {
        let now = self.position.board();
        let same_side = self.boards.iter().rev().step_by(2);
        same_side.filter(|&&board| board == now).count()
    }

    /// How the game has ended, or `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        let board = self.position.board();
        let (mover, other) = (self.position.side(), self.position.side().other());
        if board.own.is_empty() {
            Some(Outcome::Win(other, WinReason::NoStones))
        } else if board.other.is_empty() {
            Some(Outcome::Win(mover, WinReason::NoStones))
        } else if board.is_lost() {
            Some(Outcome::Win(other, WinReason::NoMove))
        } else if self.occurrences() >= 3 {
            Some(Outcome::Draw(DrawReason::Repetition))
        } else if self.no_capture_limit > 0 && self.position.quiet_plies() >= self.no_capture_limit
        {
            Some(Outcome::Draw(DrawReason::NoCapture))
        } else {
            None
        }
    }
}
