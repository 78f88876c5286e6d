//! `alquerque bench`: the speed of the search.

use std::io::{self, Write};

use alquerque::protocol::{BENCH_DEPTH, bench, suite};
use alquerque::search::{MAX_DEPTH, Signal};

#[derive(clap::Args)]
pub struct Arguments {
    /// Search each position of the suite to its depth or to the proof of its win
    #[arg(long)]
    suite: bool,
    /// Plies; the count on record is that of the default
    #[arg(long, default_value_t = BENCH_DEPTH, conflicts_with = "suite",
          value_parser = clap::value_parser!(u32).range(1..=MAX_DEPTH as i64))]
    depth: u32,
    /// Searching threads, with --suite
    #[arg(long, default_value_t = 1, requires = "suite",
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<()> {
    let mut tell = |line: String| {
        // Progress is a courtesy.
        let _ = writeln!(io::stderr(), "{line}");
    };
    if arguments.suite {
        let result = suite(arguments.threads.into(), &mut tell).map_err(io::Error::other)?;
        return writeln!(out, "{result}");
    }
    let result = bench(arguments.depth, &Signal::default(), &mut tell).map_err(io::Error::other)?;
    writeln!(out, "{result}")
}
