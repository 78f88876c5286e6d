//! The command line.

mod accuracy;
mod analyse;
mod annotate;
mod bench;
mod draw;
mod limits;
mod match_args;
mod merge;
mod openings;
mod perft;
mod pgn;
mod play;
mod progress;
mod run_match;
mod solve;
mod tables;
mod train;

use std::fmt::Display;
use std::io::{self, BufReader, ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use alquerque::arena::engine::watch;
use alquerque::engine::Engine;
use alquerque::protocol::{Setup, gtp, run, xboard};
use alquerque::rules::{Game, Position};

const EXAMPLES: &str = "\
Examples:
  alquerque                                    talk to the engine; try: help
  printf 'position startpos\\ngo movetime 1000\\n' | alquerque
                                               the best first move, after a second of thought
  alquerque play --level 2                     play against it
  alquerque analyse 'c2c3 c4c2'                think about a position
  alquerque analyse --json --depth 12 < FILE   about many, one JSON object a line
  alquerque annotate --depth 14 game.pgn       find the mistakes in a game
  alquerque d --fen 'b4/5/5/5/wb1b1 w'         draw a position
  alquerque d --moves c2c3 --svg board.svg     the same for a paper or a web page
  alquerque perft --depth 10 --divide          count the games of ten plies by first move
  alquerque bench                              measure the search on this machine
  alquerque tables build --stones 8 --dir DIR  make exact tables
  alquerque solve --stones 8 --dir DIR         prove the value of the game with them
  alquerque match --help                       find out which of two engines is stronger

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
    /// Search positions and print what is found, as a table or as JSON
    Analyse(analyse::Arguments),
    /// Mark the moves of games that gave something away, and print the games
    ///
    /// Games are in the shape of PGN with moves as paths; protocol.md describes it.
    Annotate(annotate::Arguments),
    /// Play against the engine in the terminal
    Play(play::Arguments),
    /// Count the sequences of legal moves from a position
    Perft(perft::Arguments),
    /// Measure the search on this machine
    ///
    /// Searches a fixed set of positions on one thread and prints nodes (the same everywhere) and
    /// nodes a second. With --suite: how long it takes to a fixed depth and to a proven win.
    Bench(bench::Arguments),
    Match(Box<match_args::MatchArgs>),
    Merge(merge::MergeArgs),
    Openings(openings::OpeningsArgs),
    Accuracy(accuracy::AccuracyArgs),
    Train(train::TrainArgs),
    /// Check records of games
    #[command(subcommand)]
    Pgn(pgn::PgnAction),
    /// Ends the engines of a match whose runner was killed
    #[command(name = WATCHDOG, hide = true)]
    Watchdog,
    /// Talk to GoGui in the Go Text Protocol
    ///
    /// In GoGui: Program > New Program, and give it the command `alquerque gtp`. The stone is
    /// clicked first, then every point it touches.
    Gtp,
    /// Talk to XBoard or WinBoard
    ///
    /// scripts/xboard.sh starts XBoard ready to play.
    Xboard {
        /// Where games begin, as in 'b4/5/5/5/wb1b1 w' [default: the start]
        #[arg(long)]
        fen: Option<Position>,
    },
    /// Draw a position, in characters or as an SVG file
    D(draw::Arguments),
    /// Print a file that lets a shell complete commands and options
    ///
    /// For bash: alquerque completions bash > ~/.local/share/bash-completion/completions/alquerque
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page; try: alquerque man | man -l -
    Man,
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
        Ok(code) => return code,
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

fn act(action: Option<Action>) -> Result<ExitCode, Failure> {
    let mut out = io::stdout();
    match action {
        None => run(BufReader::new(io::stdin()), io::stdout())?,
        Some(Action::Analyse(arguments)) => return Ok(analyse::run(arguments)?),
        Some(Action::D(arguments)) => draw::run(&arguments)?,
        Some(Action::Gtp) => gtp::run(BufReader::new(io::stdin()), io::stdout())?,
        Some(Action::Xboard { fen }) => {
            let start = fen.unwrap_or_else(Position::start);
            xboard::run(BufReader::new(io::stdin()), io::stdout(), start)?;
        }
        Some(Action::Annotate(arguments)) => annotate::run(&arguments)?,
        Some(Action::Play(arguments)) => play::run(&arguments)?,
        Some(Action::Completions { shell }) => {
            // Through memory: the generator would panic if the output is closed.
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "alquerque", &mut text);
            io::stdout().write_all(&text)?;
        }
        Some(Action::Man) => manual(&mut io::stdout())?,
        Some(Action::Perft(arguments)) => perft::run(&arguments)?,
        Some(Action::Match(args)) => run_match::run(&args, &mut out)?,
        Some(Action::Accuracy(args)) => accuracy::run(&args, &mut out)?,
        Some(Action::Train(args)) => train::run(&args, &mut out)?,
        Some(Action::Merge(args)) => merge::run(&args, &mut out)?,
        Some(Action::Openings(args)) => openings::run(&args, &mut out)?,
        Some(Action::Pgn(action)) => pgn::run(&action, &mut out)?,
        Some(Action::Watchdog) => watch(io::stdin().lock()),
        Some(Action::Bench(arguments)) => bench::run(&arguments, &mut out)?,
        Some(Action::Solve(arguments)) => solve::solve(&arguments, &mut out)?,
        Some(Action::Certificate(action)) => solve::certificate(&action, &mut out)?,
        Some(Action::Tables(action)) => tables::run(action, &mut out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual pages of the program and of each of its commands, as one.
fn manual(out: &mut impl Write) -> io::Result<()> {
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(out)?;
    for sub in command
        .get_subcommands()
        .filter(|sub| sub.get_name() != "help")
    {
        let page = clap_mangen::Man::new(sub.clone());
        writeln!(out, ".SH \"{}\"", sub.get_name().to_uppercase())?;
        page.render_description_section(out)?;
        page.render_options_section(out)?;
    }
    Ok(())
}

/// A new engine, with options given as `NAME=VALUE`.
fn engine(options: &[(String, String)]) -> io::Result<Engine> {
    let mut engine = Engine::new().map_err(io::Error::other)?;
    for (name, value) in options {
        engine
            .set_option(name, Some(value.as_str()).filter(|text| !text.is_empty()))
            .map_err(io::Error::other)?;
    }
    Ok(engine)
}

/// Splits `NAME=VALUE`.
fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("an option is given as NAME=VALUE, as in Hash=64")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The game that a setup describes.
fn game_of(engine: &mut Engine, setup: &Setup) -> io::Result<Game> {
    engine
        .set_position(setup.position, &setup.moves)
        .map_err(io::Error::other)?;
    Ok(engine.game().clone())
}
