//! One game: played under the runner's own rules, adjudicated if asked, recorded.

mod adjudicate;
mod claims;
mod play;
mod record;

pub use adjudicate::{Adjudication, DrawRule, ParseRuleError, ResignRule, TableValue};
pub use play::{Conditions, Interrupted, Played, Seat, forfeit, play};
pub use record::{Assignment, GameRecord, GameResult, MoveRecord, Note, NoteKind, Reason};
