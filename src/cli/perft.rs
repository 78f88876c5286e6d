//! `alquerque perft`.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;

use alquerque::engine::{MAX_PERFT_DEPTH, divide};
use alquerque::protocol::PerftReport;
use alquerque::rules::{Game, Position};
use alquerque::search::Signal;

#[derive(Args)]
pub(super) struct Arguments {
    /// The position, as in 'bbbbb/bbbbb/bb1ww/wwwww/wwwww w' [default: the start]
    #[arg(long)]
    fen: Option<Position>,
    /// Length of the sequences in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// Threads to count on
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Also print the count of each first move
    #[arg(long)]
    divide: bool,
}

pub(super) fn run(arguments: &Arguments) -> io::Result<()> {
    let depth = arguments.depth;
    let game = Game::new(arguments.fen.unwrap_or_else(Position::start), 0);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.into())
        .build()
        .map_err(io::Error::other)?;
    let start = Instant::now();
    let counts = pool.install(|| divide(&game, depth, &Signal::default()));
    let report = PerftReport(counts.unwrap_or_default());
    let total = if depth == 0 { 1 } else { report.total() };
    let seconds = start.elapsed().as_secs_f64().max(1e-6);
    let speed = total as f64 / seconds / 1e6;
    // A courtesy; the result goes to standard output.
    let _ = writeln!(io::stderr(), "{seconds:.3} s, {speed:.1} million leaves/s");
    let mut out = io::stdout();
    match arguments.divide && depth > 0 {
        true => writeln!(out, "{report}"),
        false => writeln!(out, "Nodes searched: {total}"),
    }
}
