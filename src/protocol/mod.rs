//! The text protocol: commands and replies as types, and the loop that joins them.
//!
//! `protocol.md` at the top of the repository is the specification.

mod bench;
mod board;
mod command;
mod input;
mod reply;
mod session;
mod task;

pub use bench::{BENCH_DEPTH, BENCH_POSITIONS, BenchError, BenchResult, bench};
pub use board::Drawing;
pub use command::{Command, CommandError, Go, Query};
pub use reply::{PerftReport, Reply};
pub use session::run;
