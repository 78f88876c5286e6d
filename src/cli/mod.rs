//! The command line.

mod match_args;
mod merge;
mod openings;
mod pgn;
mod run_match;
mod solve;
mod tables;

use std::fmt::Display;
use std::io::{self, BufReader, ErrorKind, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};

use alquerque::arena::engine::watch;
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
    Match(Box<match_args::MatchArgs>),
    Merge(merge::MergeArgs),
    Openings(openings::OpeningsArgs),
    /// Check records of games
    #[command(subcommand)]
    Pgn(pgn::PgnAction),
    /// Ends the engines of a match whose runner was killed
    #[command(name = WATCHDOG, hide = true)]
    Watchdog,
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

/// The command that runs a match's watchdog.
const WATCHDOG: &str = "watchdog";

/// Why a command did not do what was asked.
enum Failure {
    /// The command line makes no sense.
    Usage(String),
    /// Something went wrong.
    Failed(String),
    /// Somebody stopped it; that was told already.
    Stopped,
    /// Input or output failed.
    Io(io::Error),
}

impl Failure {
    fn usage(error: impl Display) -> Failure {
        Failure::Usage(error.to_string())
    }

    fn failed(error: impl Display) -> Failure {
        Failure::Failed(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Io(error)
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        match error.downcast::<io::Error>() {
            Ok(error) => Failure::Io(error),
            Err(error) => Failure::Failed(format!("{error:#}")),
        }
    }
}

/// Runs what the command line asks for.
pub fn main() -> ExitCode {
    let (message, code) = match act(Cli::parse().command) {
        Ok(()) => return ExitCode::SUCCESS,
        // Whoever closed the pipe has seen enough.
        Err(Failure::Io(error)) if error.kind() == ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        // As a shell reports a program that was ended by Ctrl-C.
        Err(Failure::Stopped) => return ExitCode::from(130),
        Err(Failure::Io(error)) => (error.to_string(), 1),
        Err(Failure::Failed(why)) => (why, 1),
        Err(Failure::Usage(why)) => (why, 2),
    };
    // There is nobody left to tell if this fails too.
    let _ = writeln!(io::stderr(), "alquerque: {message}");
    ExitCode::from(code)
}

fn act(action: Option<Action>) -> Result<(), Failure> {
    let mut out = io::stdout();
    let game = |fen: Option<Position>| Game::new(fen.unwrap_or_else(Position::start), 0);
    match action {
        None => Ok(run(BufReader::new(io::stdin()), out)?),
        Some(Action::D { fen }) => Ok(writeln!(out, "{}", Drawing(&game(fen)))?),
        Some(Action::Match(args)) => run_match::run(&args, &mut out),
        Some(Action::Merge(args)) => merge::run(&args, &mut out),
        Some(Action::Openings(args)) => openings::run(&args, &mut out),
        Some(Action::Pgn(action)) => pgn::run(&action, &mut out),
        Some(Action::Watchdog) => {
            watch(io::stdin().lock());
            Ok(())
        }
        Some(Action::Perft {
            fen,
            depth,
            threads,
            divide,
        }) => Ok(perft(&mut out, &game(fen), depth, threads.into(), divide)?),
        Some(Action::Bench) => {
            let mut tell = |line: String| {
                // Progress is a courtesy.
                let _ = writeln!(io::stderr(), "{line}");
            };
            let result = bench(&Signal::default(), &mut tell).map_err(io::Error::other)?;
            Ok(writeln!(out, "{result}")?)
        }
        Some(Action::Solve(arguments)) => Ok(solve::solve(&arguments, &mut out)?),
        Some(Action::Certificate(action)) => Ok(solve::certificate(&action, &mut out)?),
        Some(Action::Tables(action)) => Ok(tables::run(action, &mut out)?),
    }
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
