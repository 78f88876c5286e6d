//! `alquerque analyse`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::Serialize;

use alquerque::engine::Engine;
use alquerque::protocol::{Analysis, Drawing, Lines, Setup, TABLE_HEADING};
use alquerque::rules::Game;
use alquerque::search::{Limits, Signal};

use super::limits::LimitArguments;
use super::{engine, game_of, parse_option, progress};

const EXAMPLES: &str = "\
A line is a position, moves from the start, or a position and moves:
  bbbbb/bbbbb/bb1ww/wwwww/wwwww w
  c2c3 c4c2
  5/4b/4w/5/w4 w moves e3e5
Blank lines and lines that begin with # are skipped.

Examples:
  alquerque analyse                            the starting position, for a second
  alquerque analyse 'c2c3 c4c2' --multipv 3 --depth 16
  alquerque analyse --file openings.txt --json --nodes 1000000 > found.jsonl

A bad line is answered by an error with its number, the rest goes on, and the exit code is 1.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Positions or move lists; without them, and without --file, they are read from the input
    #[arg(value_name = "LINE")]
    lines: Vec<String>,
    /// Read the lines from FILE (- for standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "lines")]
    file: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArguments,
    /// Best lines to show for each position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    multipv: u16,
    /// Positions to search at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Set an option of the engine, as in 'No Capture Limit=40'; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// Print one JSON object a line instead of a table (protocol.md describes it)
    #[arg(long)]
    json: bool,
    /// Draw each board above its table
    #[arg(long, conflicts_with = "json")]
    board: bool,
}

/// What is printed for a line.
#[derive(Serialize)]
struct Record {
    line: usize,
    #[serde(flatten)]
    content: Content,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content {
    Found(Box<Analysis>),
    Failed {
        error: String,
    },
    /// Skipped; it keeps the numbers of the others in step.
    #[serde(skip)]
    Blank,
}

/// A record with the game it is about, for drawing.
type Answer = (Record, Option<Game>);

pub(super) fn run(arguments: Arguments) -> io::Result<ExitCode> {
    // A wrong option is told before any work is done.
    drop(arguments.engine()?);
    let (lines, count) = arguments.input()?;
    let jobs = arguments.jobs.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .map_err(io::Error::other)?;
    let (sender, answers) = sync_channel(64);
    let printer = Printer::new(&arguments, count);
    // The pool takes a line when it has a thread for it; this thread prints. It waits for the other
    // only through the channel: if the output is closed, the program ends at once.
    std::thread::spawn(move || pool.install(|| search_all(&arguments, lines, &sender)));
    printer.print(answers)
}

type Input = Box<dyn Iterator<Item = String> + Send>;

impl Arguments {
    /// The lines, and their number where it is known.
    fn input(&self) -> io::Result<(Input, Option<usize>)> {
        if !self.lines.is_empty() {
            return Ok((
                Box::new(self.lines.clone().into_iter()),
                Some(self.lines.len()),
            ));
        }
        match &self.file {
            Some(path) if path.as_os_str() != "-" => {
                let named = |error: io::Error| {
                    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
                };
                let count = open(path).map_err(named)?.count();
                Ok((Box::new(open(path)?), Some(count)))
            }
            // Nobody types positions into a program that was asked for an analysis.
            None if io::stdin().is_terminal() => {
                Ok((Box::new(["startpos".to_owned()].into_iter()), Some(1)))
            }
            _ => Ok((Box::new(Lines(BufReader::new(io::stdin()))), None)),
        }
    }

    fn engine(&self) -> io::Result<Engine> {
        let mut options = vec![("MultiPV".to_owned(), self.multipv.to_string())];
        options.extend_from_slice(&self.options);
        engine(&options)
    }
}

fn open(path: &Path) -> io::Result<Lines<impl BufRead + use<>>> {
    Ok(Lines(BufReader::new(File::open(path)?)))
}

/// Searches every line on the threads of the present pool, each with an empty hash table, so that
/// no result depends on the order of the work.
fn search_all(arguments: &Arguments, lines: Input, answers: &SyncSender<Answer>) {
    let limits = arguments.limits.limits();
    // An engine for each thread that is at work, made when it is needed.
    let engines: Mutex<Vec<Engine>> = Mutex::new(Vec::new());
    let _ = (1..).zip(lines).par_bridge().try_for_each(|(line, text)| {
        let idle = engines.lock().ok().and_then(|mut engines| engines.pop());
        let answer = match idle.map_or_else(|| arguments.engine(), Ok) {
            Err(error) => failed(line, error.to_string()),
            Ok(mut engine) => {
                let answer = search(&mut engine, line, &text, &limits);
                if let Ok(mut engines) = engines.lock() {
                    engines.push(engine);
                }
                answer
            }
        };
        // The printer is gone if the output is closed: then the rest is not wanted.
        answers.send(answer).ok()
    });
}

fn search(engine: &mut Engine, line: usize, text: &str, limits: &Limits) -> Answer {
    if text.trim().is_empty() || text.trim_start().starts_with('#') {
        let content = Content::Blank;
        return (Record { line, content }, None);
    }
    let setup: Setup = match text.parse() {
        Ok(setup) => setup,
        Err(error) => return failed(line, format!("{error}")),
    };
    engine.new_game();
    let game = match game_of(engine, &setup) {
        Ok(game) => game,
        Err(error) => return failed(line, error.to_string()),
    };
    match Analysis::of(engine, limits.clone(), &Signal::default()) {
        Ok(found) => {
            let content = Content::Found(Box::new(found));
            (Record { line, content }, Some(game))
        }
        Err(error) => failed(line, error.to_string()),
    }
}

fn failed(line: usize, error: String) -> Answer {
    let content = Content::Failed { error };
    (Record { line, content }, None)
}

/// Prints answers in the order of their lines.
struct Printer {
    json: bool,
    board: bool,
    bar: ProgressBar,
    failures: usize,
    headed: bool,
}

impl Printer {
    fn new(arguments: &Arguments, count: Option<usize>) -> Printer {
        Printer {
            json: arguments.json,
            board: arguments.board || count == Some(1) && !arguments.json,
            bar: progress::bar(count, "positions"),
            failures: 0,
            headed: false,
        }
    }

    fn print(mut self, answers: Receiver<Answer>) -> io::Result<ExitCode> {
        let mut waiting: BTreeMap<usize, Answer> = BTreeMap::new();
        let mut next = 1;
        for answer in answers {
            waiting.insert(answer.0.line, answer);
            while let Some(answer) = waiting.remove(&next) {
                let text = self.text(&answer)?;
                self.bar.suspend(|| {
                    let mut out = io::stdout().lock();
                    out.write_all(text.as_bytes()).and_then(|()| out.flush())
                })?;
                self.bar.inc(1);
                next += 1;
            }
        }
        self.bar.finish_and_clear();
        Ok(match self.failures {
            0 => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        })
    }

    fn text(&mut self, (record, game): &Answer) -> io::Result<String> {
        self.failures += usize::from(matches!(record.content, Content::Failed { .. }));
        if self.json {
            return match record.content {
                Content::Blank => Ok(String::new()),
                _ => Ok(serde_json::to_string(record)? + "\n"),
            };
        }
        let line = record.line;
        let mut text = String::new();
        if let (Some(game), true) = (game, self.board) {
            text = format!("{}\n", Drawing(game));
        }
        let row = match &record.content {
            Content::Blank => return Ok(text),
            Content::Failed { error } => format!("{line:>5}  error: {error}"),
            Content::Found(found) => found
                .to_string()
                .lines()
                .enumerate()
                .map(|(index, row)| match index {
                    0 => format!("{line:>5}{row}"),
                    _ => format!("\n{:5}{row}", ""),
                })
                .collect(),
        };
        if self.board || !self.headed {
            text += &format!(" line{TABLE_HEADING}\n");
            self.headed = true;
        }
        Ok(text + &row + "\n")
    }
}
