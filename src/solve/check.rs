//! Checking a certificate: small, and sharing nothing with the prover but rules and tables.

use std::collections::HashSet;

use thiserror::Error;

use super::certificate::{Certificate, Claim, board_of};
use crate::rules::Board;
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
    /// A position is neither in the certificate nor known to be won.
    #[error("position {0:x} is not proven: neither the certificate nor a table says it is won")]
    Open(u64),
    /// The move of a position cannot be played.
    #[error("position {code:x}: {fault}")]
    Move {
        /// The position.
        code: u64,
        /// What is wrong with the move.
        fault: String,
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
        proven: HashSet::new(),
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
    proven: HashSet<u64>,
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
        if claim.wins {
            return self.win(board);
        }
        // Whoever loses may do what it likes.
        children(board)
            .into_iter()
            .try_for_each(|child| self.win(child))
    }

    /// Shows that the side to move wins, by following every line to a table.
    fn win(&mut self, root: Board) -> Result<(), CheckError> {
        let mut line: Vec<Step> = Vec::new();
        let mut on_line = HashSet::new();
        let mut next = Some(root);
        loop {
            if let Some(board) = next.take()
                && !self.is_known(board)
            {
                let code = board.code();
                if !on_line.insert(code) {
                    return Err(CheckError::Cycle(code));
                }
                line.push(self.step(board)?);
            }
            let Some(step) = line.last_mut() else {
                return Ok(());
            };
            match step.replies.pop() {
                Some(board) => next = Some(board),
                None => {
                    on_line.remove(&step.code);
                    self.proven.insert(step.code);
                    self.checked.positions += 1;
                    line.pop();
                }
            }
        }
    }

    /// Whether the side to move is known to win.
    fn is_known(&mut self, board: Board) -> bool {
        if self.proven.contains(&board.code()) {
            return true;
        }
        if board.stones() > self.certificate.tables {
            return false;
        }
        self.checked.lookups += 1;
        self.tables
            .exact(board)
            .is_some_and(|exact| exact.wdl == Wdl::Win)
    }

    /// The certificate's move, made, and every reply to it.
    fn step(&self, board: Board) -> Result<Step, CheckError> {
        let code = board.code();
        let mv = self
            .certificate
            .moves
            .get(&code)
            .ok_or(CheckError::Open(code))?;
        let fault = |error: crate::rules::MoveError| CheckError::Move {
            code,
            fault: format!("{mv}: {error}"),
        };
        mv.check(board).map_err(fault)?;
        debug_assert!(board_of(code) == Some(board));
        let replies = children(board.after(mv.effect()));
        Ok(Step { code, replies })
    }
}

/// The boards after each legal move; none if the side to move has lost.
fn children(board: Board) -> Vec<Board> {
    board
        .moves()
        .iter()
        .map(|mv| board.after(mv.effect()))
        .collect()
}
