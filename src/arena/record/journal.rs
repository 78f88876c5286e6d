//! The journal: JSON lines, the match first, then each game as it ends. It is the one truth about a
//! match: what stands in it is never played again, what does not was not played.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::header::MatchHeader;
use crate::arena::game::GameRecord;

/// A line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Line {
    /// What is played.
    Match(Box<MatchHeader>),
    /// A finished game.
    Game(Box<GameRecord>),
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// A line is no line of a journal.
    #[error("{path}, line {line}: {why}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// The file begins with no match.
    #[error("{0} is no journal of a match; choose another file")]
    NoJournal(PathBuf),
    /// The file holds another match.
    #[error(
        "{path} holds another match: {difference}; choose another file, \
         or start over with --fresh, which deletes it"
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// In what they differ.
        difference: String,
    },
    /// Another runner writes to it.
    #[error("{0} is in use by another match that is running")]
    InUse(PathBuf),
}

/// An open journal.
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Bytes of whole lines.
    length: u64,
}

impl Journal {
    /// Opens the journal of a match and calls `known` with each game in it. A last line that was cut
    /// off (power, `kill -9`, a full disk) is removed: that game is played again.
    ///
    /// # Errors
    /// If the file holds something else, is in use, or cannot be read and written.
    pub fn open(
        path: &Path,
        header: &MatchHeader,
        fresh: bool,
        mut known: impl FnMut(GameRecord),
    ) -> Result<Journal, JournalError> {
        let io = |error| JournalError::Io(path.to_owned(), error);
        let mut options = OpenOptions::new();
        let file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let mut file = file.map_err(io)?;
        lock(&file).map_err(|_| JournalError::InUse(path.to_owned()))?;
        let regular = file.metadata().map_err(io)?.is_file();
        if fresh && regular {
            file.set_len(0).map_err(io)?;
        }
        let mut length = 0;
        if regular {
            let mut first = None;
            length = read_lines(path, &file, &mut |line| match line {
                Line::Match(found) => first = first.take().or(Some(found)),
                Line::Game(record) => known(*record),
            })?;
            if let Some(difference) = first.and_then(|found| header.difference(&found)) {
                return Err(JournalError::Other {
                    path: path.to_owned(),
                    difference,
                });
            }
            file.set_len(length).map_err(io)?;
            file.seek(SeekFrom::Start(length)).map_err(io)?;
        }
        let path = path.to_owned();
        let mut journal = Journal { file, path, length };
        if length == 0 {
            journal.append(&Line::Match(Box::new(header.clone())))?;
        }
        Ok(journal)
    }

    /// Writes a game so that it survives a power cut.
    ///
    /// # Errors
    /// If it cannot be written; then nothing of it is left in the file.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        self.append(&Line::Game(Box::new(record.clone())))
    }

    fn append(&mut self, line: &Line) -> Result<(), JournalError> {
        let mut bytes = serde_json::to_vec(line)
            .map_err(|error| JournalError::Io(self.path.clone(), error.into()))?;
        bytes.push(b'\n');
        let written = self.file.write_all(&bytes).and_then(|()| sync(&self.file));
        if let Err(error) = written {
            // Half a line would be removed later anyway; a tidy file is worth a try.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(JournalError::Io(self.path.clone(), error));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}

fn sync(file: &File) -> io::Result<()> {
    match file.sync_data() {
        // Pipes and devices cannot be synced.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        other => other,
    }
}

/// Reads a journal: its match, and each game by `known`.
///
/// # Errors
/// If it cannot be read or is no journal. A last line that was cut off is not read.
pub fn read_journal(
    path: &Path,
    mut known: impl FnMut(GameRecord),
) -> Result<MatchHeader, JournalError> {
    let io = |error| JournalError::Io(path.to_owned(), error);
    let file = File::open(path).map_err(io)?;
    let mut header = None;
    read_lines(path, &file, &mut |line| match line {
        Line::Match(found) => header = header.take().or(Some(*found)),
        Line::Game(record) => known(*record),
    })?;
    header.ok_or_else(|| JournalError::NoJournal(path.to_owned()))
}

/// Reads whole lines and returns their length in bytes. The first must be a match.
fn read_lines(path: &Path, file: &File, take: &mut dyn FnMut(Line)) -> Result<u64, JournalError> {
    let mut reader = BufReader::new(file);
    let (mut length, mut number) = (0, 0);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = reader.read_until(b'\n', &mut bytes);
        let count = read.map_err(|error| JournalError::Io(path.to_owned(), error))?;
        if bytes.last() != Some(&b'\n') {
            // Refuse to cut what never was a journal.
            return match number == 0 && !bytes.is_empty() && !bytes.starts_with(b"{\"type\"") {
                true => Err(JournalError::NoJournal(path.to_owned())),
                false => Ok(length),
            };
        }
        number += 1;
        match (number, serde_json::from_slice(&bytes)) {
            (1, Ok(Line::Game(_)) | Err(_)) => {
                return Err(JournalError::NoJournal(path.to_owned()));
            }
            (_, Ok(line)) => take(line),
            (_, Err(error)) => {
                return Err(JournalError::Line {
                    path: path.to_owned(),
                    line: number,
                    why: error.to_string(),
                });
            }
        }
        length += count as u64;
    }
}

/// Two runners on one journal would play the same games.
#[cfg(unix)]
fn lock(file: &File) -> io::Result<()> {
    use rustix::fs::{FlockOperation, flock};
    if !file.metadata()?.is_file() {
        return Ok(());
    }
    Ok(flock(file, FlockOperation::NonBlockingLockExclusive)?)
}

#[cfg(not(unix))]
fn lock(_: &File) -> io::Result<()> {
    Ok(())
}
