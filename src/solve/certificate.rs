//! The file of a proof: text, one claim or position a line.
//!
//! ```text
//! alquerque certificate 1
//! tables 10
//! claim wins bbbbb/bbbbb/bb1ww/wwwww/wwwww w 0 1
//! claim loses bbbbb/bbbbb/bbwww/ww1ww/wwwww b 0 1
//! 3fffbfe000fff c2c3
//! ```
//!
//! `tables` is the most stones that the proof looks up. A position is the number of
//! [`Board::code`] in hexadecimal, own stones in the low 25 bits, and the move that wins it.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

use thiserror::Error;

use crate::rules::{Board, Move, PointSet, Position};

const HEAD: &str = "alquerque certificate 1";

/// What a certificate says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The position.
    pub position: Position,
    /// The side to move wins; if not, it loses.
    pub wins: bool,
}

/// Claims with the positions that prove them.
#[derive(Clone, Default, Debug)]
pub struct Certificate {
    /// Positions of up to so many stones are looked up in tables.
    pub tables: u32,
    /// What is claimed.
    pub claims: Vec<Claim>,
    /// The winning move of each position in which the side that wins is to move, by its code.
    pub moves: HashMap<u64, Move>,
}

/// A file that is no certificate.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not what it should be.
    #[error("line {line}: {fault}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
}

/// The board with this code; `None` if two stones stand on one point.
pub fn board_of(code: u64) -> Option<Board> {
    let board = Board {
        own: PointSet::from_bits(code as u32 & PointSet::ALL.bits()),
        other: PointSet::from_bits((code >> 25) as u32),
    };
    (code >> 50 == 0 && !board.own.meets(board.other)).then_some(board)
}

impl Certificate {
    /// Writes the file; positions come in ascending order of their codes.
    ///
    /// # Errors
    /// If the output fails.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{HEAD}\ntables {}", self.tables)?;
        for claim in &self.claims {
            let word = if claim.wins { "wins" } else { "loses" };
            writeln!(out, "claim {word} {}", claim.position)?;
        }
        let mut codes: Vec<_> = self.moves.iter().collect();
        codes.sort_unstable_by_key(|(code, _)| **code);
        for (code, mv) in codes {
            writeln!(out, "{code:x} {mv}")?;
        }
        out.flush()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or a line makes no sense.
    pub fn read(input: impl BufRead) -> Result<Certificate, CertificateError> {
        let mut certificate = Certificate::default();
        for (index, line) in input.lines().enumerate() {
            let line = line?;
            let fault = |fault: String| CertificateError::Line {
                line: index + 1,
                fault,
            };
            if index == 0 && line != HEAD {
                return Err(fault(format!("a certificate begins with '{HEAD}'")));
            } else if index > 0 {
                certificate.read_line(&line).map_err(fault)?;
            }
        }
        Ok(certificate)
    }

    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').ok_or("two words are needed")?;
        match word {
            "tables" => {
                self.tables = rest.parse().map_err(|_| format!("'{rest}' is no number"))?;
            }
            "claim" => {
                let (word, fen) = rest.split_once(' ').ok_or("a claim needs a position")?;
                let wins = match word {
                    "wins" => true,
                    "loses" => false,
                    other => return Err(format!("'{other}' is neither wins nor loses")),
                };
                let position = fen.parse().map_err(|error| format!("{error}"))?;
                self.claims.push(Claim { position, wins });
            }
            code => {
                let code = u64::from_str_radix(code, 16)
                    .ok()
                    .filter(|&code| board_of(code).is_some())
                    .ok_or_else(|| format!("'{code}' is not the code of a position"))?;
                let mv = rest.parse().map_err(|error| format!("{error}"))?;
                if self.moves.insert(code, mv).is_some() {
                    return Err(format!("position {code:x} stands twice"));
                }
            }
        }
        Ok(())
    }
}
