//! Checking a certificate: small, and sharing nothing with the prover but rules and tables.

use std::collections::{HashMap, HashSet};

use thiserror::Error;

use super::certificate::{Certificate, Claim, Value};
use crate::rules::{Board, Move, MoveError};
use crate::tables::{Tables, Wdl};

/// What a check looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Positions of the certificate that the claims need.
    pub positions: u64,
    /// Positions that were looked up in tables.
    pub lookups: u64,
}

/// Why a certificate proves nothing.
#[derive(Debug, Error)]
pub enum CheckError {
    /// It claims nothing.
    #[error("there is no claim in it")]
    NoClaim,
    /// The tables at hand do not suffice.
    #[error("it needs tables of up to {needed} stones; those at hand know up to {covered}")]
    Tables {
        /// Stones it needs.
        needed: u32,
        /// Stones there are.
        covered: u32,
    },
    /// A position is neither in the certificate nor in a table with the value it needs.
    #[error(
        "position {code:x} is not proven: neither the certificate nor a table says it is {word}"
    )]
    Open {
        /// The position.
        code: u64,
        /// What it should be: `won` or `held`.
        word: &'static str,
    },
    /// The move of a position cannot be played.
    #[error("position {code:x}: {mv}: {fault}")]
    Move {
        /// The position.
        code: u64,
        /// The move.
        mv: Move,
        /// What is wrong with it.
        fault: MoveError,
    },
    /// A line of play returns to a position.
    #[error("a line returns to position {0:x}: whoever should win never gets on")]
    Cycle(u64),
}

/// Checks every claim of a certificate with the tables at hand.
///
/// # Errors
/// If one is not proven.
pub fn check(certificate: &Certificate, tables: &Tables) -> Result<Checked, CheckError> {
    if certificate.claims.is_empty() {
        return Err(CheckError::NoClaim);
    }
    let (needed, covered) = (certificate.tables, tables.covered() as u32);
    if needed > covered {
        return Err(CheckError::Tables { needed, covered });
    }
    let mut checker = Checker {
        certificate,
        tables,
        won: HashSet::new(),
        held: HashSet::new(),
        checked: Checked::default(),
    };
    for claim in &certificate.claims {
        checker.claim(claim)?;
    }
    Ok(checker.checked)
}

struct Checker<'a> {
    certificate: &'a Certificate,
    tables: &'a Tables,
    /// Codes of positions won by the side to move, beyond doubt.
    won: HashSet<u64>,
    /// Codes of positions in which the side to move holds, provided that no check fails.
    held: HashSet<u64>,
    checked: Checked,
}

/// A position on the line being followed, with the replies still to be looked at.
struct Step {
    code: u64,
    replies: Vec<Board>,
}

impl Checker<'_> {
    fn claim(&mut self, claim: &Claim) -> Result<(), CheckError> {
        let board = claim.position.board();
        // Whatever the side to move does, the other one holds or wins.
        let each = || children(board).into_iter();
        match claim.value {
            Value::Win => self.win(board),
            Value::Loss => each().try_for_each(|child| self.win(child)),
            Value::AtLeastDraw => self.hold(board),
            Value::AtMostDraw => each().try_for_each(|child| self.hold(child)),
            Value::Draw => {
                self.hold(board)?;
                each().try_for_each(|child| self.hold(child))
            }
        }
    }

    /// Shows that the side to move wins, by following every line to a table.
    fn win(&mut self, root: Board) -> Result<(), CheckError> {
        let mut line: Vec<Step> = Vec::new();
        let mut on_line = HashSet::new();
        let mut next = Some(root);
        loop {
            if let Some(board) = next.take()
                && !self.won.contains(&board.code())
                && self.look_up(board) != Some(Wdl::Win)
            {
                let code = board.code();
                if !on_line.insert(code) {
                    return Err(CheckError::Cycle(code));
                }
                let replies = replies(&self.certificate.wins, board, "won")?;
                line.push(Step { code, replies });
            }
            let Some(step) = line.last_mut() else {
                return Ok(());
            };
            match step.replies.pop() {
                Some(board) => next = Some(board),
                None => {
                    on_line.remove(&step.code);
                    self.won.insert(step.code);
                    self.checked.positions += 1;
                    line.pop();
                }
            }
        }
    }

    /// Shows that the side to move holds: no line ever leaves what is held.
    fn hold(&mut self, root: Board) -> Result<(), CheckError> {
        let mut open = vec![root];
        while let Some(board) = open.pop() {
            let is_held = matches!(self.look_up(board), Some(Wdl::Win | Wdl::Draw));
            if !is_held && self.held.insert(board.code()) {
                open.extend(replies(&self.certificate.holds, board, "held")?);
                self.checked.positions += 1;
            }
        }
        Ok(())
    }

    /// What the tables that the certificate relies on say of a board.
    fn look_up(&mut self, board: Board) -> Option<Wdl> {
        if board.stones() > self.certificate.tables {
            return None;
        }
        self.checked.lookups += 1;
        Some(self.tables.exact(board)?.wdl)
    }
}

/// Makes the certificate's move: the board after each reply to it.
fn replies(
    moves: &HashMap<u64, Move>,
    board: Board,
    word: &'static str,
) -> Result<Vec<Board>, CheckError> {
    let code = board.code();
    let &mv = moves.get(&code).ok_or(CheckError::Open { code, word })?;
    mv.check(board)
        .map_err(|fault| CheckError::Move { code, mv, fault })?;
    Ok(children(board.after(mv.effect())))
}

/// The boards after each legal move; none if the side to move has lost.
fn children(board: Board) -> Vec<Board> {
    board
        .moves()
        .iter()
        .map(|mv| board.after(mv.effect()))
        .collect()
}
