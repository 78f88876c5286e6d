//! Files a match leaves behind: the journal it is continued from, and game records in PGN shape.

mod check;
mod header;
mod journal;
mod pgn;
mod read;

pub use check::{CheckError, CheckReport, check_file};
pub use header::{MatchHeader, OpeningsId};
pub use journal::{Journal, JournalError, Line, read_journal};
pub use pgn::{PgnFile, write_game};
