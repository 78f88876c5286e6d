//! Limits of a search, as several commands take them.

use std::time::Duration;

use clap::Args;

use alquerque::search::{Limits, MAX_DEPTH};

/// Thinking time without any limit given, in milliseconds.
const DEFAULT_MOVETIME: u64 = 1000;

#[derive(Args)]
pub(super) struct LimitArguments {
    /// Search to this depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Search at most so many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search for so many milliseconds [default: 1000 if there is no other limit]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    movetime: Option<u64>,
}

impl LimitArguments {
    /// The limits of each search.
    pub(super) fn limits(&self) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        let millis = self.movetime.or(unlimited.then_some(DEFAULT_MOVETIME));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: millis.map(Duration::from_millis),
            ..Limits::default()
        }
    }
}
