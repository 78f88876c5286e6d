//! `alquerque bench`: the speed of the search.

use std::io::{self, Write};

use alquerque::protocol::{bench, suite};
use alquerque::search::Signal;

#[derive(clap::Args)]
pub struct Arguments {
    /// Search each position of the suite to its depth or to the proof of its win
    #[arg(long)]
    suite: bool,
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
    let result = bench(&Signal::default(), &mut tell).map_err(io::Error::other)?;
    writeln!(out, "{result}")
}
