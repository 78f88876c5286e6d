//! The text protocol: commands and replies as types, and the loop that joins them.
//!
//! `protocol.md` at the top of the repository is the specification.

mod analysis;
mod bench;
mod board;
mod command;
mod diagram;
pub mod gtp;
mod input;
mod leg_game;
mod record;
mod reply;
mod session;
mod setup;
mod suite;
mod task;
pub mod xboard;

pub use analysis::{Analysis, RecordLine, RecordScore, TABLE_HEADING, Value};
pub use bench::{BENCH_DEPTH, BENCH_POSITIONS, BenchError, BenchResult, bench};
pub use board::{Drawing, Lattice};
pub use command::{Command, CommandError, Go, Query};
pub use diagram::Diagram;
pub use input::Lines;
pub use record::{Record, RecordError, RecordMove};
pub use reply::{PerftReport, Reply};
pub use session::run;
pub use setup::Setup;
pub use suite::{Goal, Measure, SUITE, SuiteResult, suite};
