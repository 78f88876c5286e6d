//! The file of a proof.
#![doc = include_str!("../../docs/certificate.md")]

use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::str::FromStr;

use thiserror::Error;

use crate::rules::{Move, PointSet, Position};

const HEAD: &str = "alquerque certificate 1";

/// What is proven of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// It wins.
    Win,
    /// It loses.
    Loss,
    /// It neither wins nor loses.
    Draw,
    /// It does not lose.
    AtLeastDraw,
    /// It does not win.
    AtMostDraw,
}

impl Value {
    const WORDS: [(Value, &'static str); 5] = [
        (Value::Win, "wins"),
        (Value::Loss, "loses"),
        (Value::Draw, "draws"),
        (Value::AtLeastDraw, "holds"),
        (Value::AtMostDraw, "held"),
    ];

    /// The same for the other side.
    pub fn reversed(self) -> Value {
        match self {
            Value::Win => Value::Loss,
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::AtLeastDraw => Value::AtMostDraw,
            Value::AtMostDraw => Value::AtLeastDraw,
        }
    }
}

impl fmt::Display for Value {
    /// The word of a claim: `wins`, `loses`, `draws`, `holds` or `held`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = Value::WORDS.iter().find(|(value, _)| value == self);
        f.write_str(word.map_or("", |(_, word)| word))
    }
}

impl FromStr for Value {
    type Err = String;

    fn from_str(text: &str) -> Result<Value, String> {
        let value = Value::WORDS.iter().find(|(_, word)| *word == text);
        value.map(|&(value, _)| value).ok_or_else(|| {
            format!("'{text}' is no claim (wins, loses, draws, holds at least a draw, held to one)")
        })
    }
}

/// What a certificate says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The position.
    pub position: Position,
    /// What it is worth to the side to move.
    pub value: Value,
}

/// Claims with the positions that prove them.
#[derive(Clone, Default, Debug)]
pub struct Certificate {
    /// Positions of up to so many stones are looked up in tables.
    pub tables: u32,
    /// What is claimed.
    pub claims: Vec<Claim>,
    /// The winning move of each position in which the side that wins is to move, by its code.
    pub wins: HashMap<u64, Move>,
    /// The move of each position in which a side that holds is to move, by its code.
    pub holds: HashMap<u64, Move>,
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

/// Whether a board has this code.
fn is_code(code: u64) -> bool {
    let all = u64::from(PointSet::ALL.bits());
    code >> 50 == 0 && code & (code >> 25) & all == 0
}

impl Certificate {
    /// Writes the file; positions come in ascending order of their codes.
    ///
    /// # Errors
    /// If the output fails.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{HEAD}\ntables {}", self.tables)?;
        for claim in &self.claims {
            writeln!(out, "claim {} {}", claim.value, claim.position)?;
        }
        for (word, moves) in [("win", &self.wins), ("hold", &self.holds)] {
            let mut codes: Vec<_> = moves.iter().collect();
            codes.sort_unstable_by_key(|(code, _)| **code);
            for (code, mv) in codes {
                writeln!(out, "{word} {code:x} {mv}")?;
            }
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
                let value = word.parse()?;
                let position = fen.parse().map_err(|error| format!("{error}"))?;
                self.claims.push(Claim { position, value });
            }
            "win" => read_move(rest, &mut self.wins)?,
            "hold" => read_move(rest, &mut self.holds)?,
            other => return Err(format!("'{other}' is neither tables, claim, win nor hold")),
        }
        Ok(())
    }
}

fn read_move(text: &str, moves: &mut HashMap<u64, Move>) -> Result<(), String> {
    let (code, mv) = text.split_once(' ').ok_or("a position needs a move")?;
    let code = u64::from_str_radix(code, 16)
        .ok()
        .filter(|&code| is_code(code))
        .ok_or_else(|| format!("'{code}' is not the code of a position"))?;
    let mv = mv.parse().map_err(|error| format!("{error}"))?;
    match moves.insert(code, mv) {
        None => Ok(()),
        Some(_) => Err(format!("position {code:x} stands twice")),
    }
}
