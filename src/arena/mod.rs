//! The match runner: plays engines against each other as child processes and says which is stronger.

pub mod accuracy;
pub mod engine;
pub mod game;
pub mod limits;
pub mod openings;
pub mod record;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod standing;
pub mod stats;

/// Plies without a capture after which a game of a match is drawn, unless told otherwise.
pub const NO_CAPTURE_LIMIT: u32 = 100;
