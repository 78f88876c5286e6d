//! The command line.

mod solve;
mod tables;

use std::io::{self, BufReader, ErrorKind, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};

use alquerque::engine::{MAX_PERFT_DEPTH, divide};
use alquerque::protocol::{Drawing, PerftReport, bench, run};
use alquerque::rules::{Game, Position};
use alquerque::search::Signal;

const EXAMPLES: &str = "\
Examples:
  alquerque                                    talk to the engine; try: help
  printf 'position startpos\\ngo movetime 1000\\n' | alquerque
                                               the best first move, after a second of thought
  alquerque d --fen 'b4/5/5/5/wb1b1 w'         draw a position
  alquerque perft --depth 10 --divide          count the games of ten plies by first move
  alquerque bench                              measure the search on this machine

Exit codes: 0 done, 1 failed, 2 wrong usage.";

/// An engine for Alquerque, the medieval board game.
///
/// Without a command it reads UCI or UGI commands from its input, one a line, and answers on its
/// output. protocol.md describes them.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Count the sequences of legal moves from a position
    Perft {
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
    },
    /// Search a fixed set of positions: prints nodes (the same everywhere) and nodes a second
    Bench,
    /// Draw a position
    D {
        /// The position, as in 'bbbbb/bbbbb/bb1ww/wwwww/wwwww w' [default: the start]
        #[arg(long)]
        fen: Option<Position>,
    },
    /// Prove the value of the start, or of another position, and of each of its moves
    Solve(solve::SolveArguments),
    /// Check a proof
    #[command(subcommand)]
    Certificate(solve::CertificateAction),
    /// Build, count, check and ask exact tables
    #[command(subcommand)]
    Tables(tables::TablesAction),
}

/// Runs what the command line asks for.
pub fn main() -> ExitCode {
    match act(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever closed the pipe has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // There is nobody left to tell if this fails too.
            let _ = writeln!(io::stderr(), "alquerque: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

fn act(action: Option<Action>) -> anyhow::Result<()> {
    let mut out = io::stdout();
    let game = |fen: Option<Position>| Game::new(fen.unwrap_or_else(Position::start), 0);
    match action {
        None => run(BufReader::new(io::stdin()), out)?,
        Some(Action::D { fen }) => writeln!(out, "{}", Drawing(&game(fen)))?,
        Some(Action::Perft {
            fen,
            depth,
            threads,
            divide,
        }) => perft(&mut out, &game(fen), depth, threads.into(), divide)?,
        Some(Action::Bench) => {
            let mut tell = |line: String| {
                // Progress is a courtesy.
                let _ = writeln!(io::stderr(), "{line}");
            };
            let result = bench(&Signal::default(), &mut tell)?;
            writeln!(out, "{result}")?;
        }
        Some(Action::Solve(arguments)) => solve::solve(&arguments, &mut out)?,
        Some(Action::Certificate(action)) => solve::certificate(&action, &mut out)?,
        Some(Action::Tables(action)) => tables::run(action, &mut out)?,
    }
    Ok(())
}

fn perft(
    out: &mut impl Write,
    game: &Game,
    depth: u32,
    threads: usize,
    by_move: bool,
) -> io::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(io::Error::other)?;
    let start = Instant::now();
    let counts = pool.install(|| divide(game, depth, &Signal::default()));
    let report = PerftReport(counts.unwrap_or_default());
    let total = if depth == 0 { 1 } else { report.total() };
    let seconds = start.elapsed().as_secs_f64().max(1e-6);
    let speed = total as f64 / seconds / 1e6;
    // As above: a courtesy.
    let _ = writeln!(io::stderr(), "{seconds:.3} s, {speed:.1} million leaves/s");
    match by_move && depth > 0 {
        true => writeln!(out, "{report}"),
        false => writeln!(out, "Nodes searched: {total}"),
    }
}
