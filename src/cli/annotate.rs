//! `alquerque annotate`.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;

use alquerque::protocol::{Analysis, Record, RecordMove, RecordScore, Value};
use alquerque::rules::Move;
use alquerque::search::{Limits, Signal};

use super::limits::LimitArguments;
use super::{engine, parse_option, progress};

/// Marks of PGN: doubtful, mistake, blunder.
const MARKS: [(i32, u32); 3] = [(200, 4), (100, 2), (50, 6)];
/// A proven win or loss in hundredths of a stone, for comparison only.
const DECIDED: i32 = 1000;

#[derive(Args)]
pub(super) struct Arguments {
    /// File of games (- for standard input)
    #[arg(value_name = "GAME.pgn")]
    file: PathBuf,
    #[command(flatten)]
    limits: LimitArguments,
    /// Mark moves that cost at least so many hundredths of a stone
    #[arg(long, value_name = "CP", default_value_t = 50, value_parser = clap::value_parser!(i32).range(1..=1000))]
    threshold: i32,
    /// Set an option of the engine, as in 'No Capture Limit=40'; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
}

pub(super) fn run(arguments: &Arguments) -> io::Result<()> {
    // A wrong option is told before any work is done.
    drop(engine(&arguments.options)?);
    let text = read(&arguments.file)?;
    let named = |error: String| io::Error::other(format!("{}: {error}", arguments.file.display()));
    let records = Record::parse_all(&text).map_err(|error| named(error.to_string()))?;
    if records.is_empty() {
        return Err(named("there is no game in it".to_owned()));
    }
    let count = records.iter().map(|record| record.moves.len() + 1).sum();
    let bar = progress::bar(Some(count), "positions");
    // A pool of its own: work that the engine leaves to the common one must never wait for searches.
    let pool = rayon::ThreadPoolBuilder::new().build();
    let pool = pool.map_err(io::Error::other)?;
    let mut out = io::stdout();
    for (index, record) in records.into_iter().enumerate() {
        let annotated = pool.install(|| annotate(arguments, record, &bar))?;
        bar.suspend(|| {
            let gap = if index > 0 { "\n" } else { "" };
            write!(out, "{gap}{annotated}").and_then(|()| out.flush())
        })?;
    }
    bar.finish_and_clear();
    Ok(())
}

fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    let read = match path.as_os_str() == "-" {
        true => io::stdin().read_to_end(&mut bytes).map(drop),
        false => fs::read(path).map(|read| bytes = read),
    };
    read.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Searches every position of a game, each with an empty hash table, and notes what changed.
fn annotate(arguments: &Arguments, mut record: Record, bar: &ProgressBar) -> io::Result<Record> {
    let limits = arguments.limits.limits();
    let moves: Vec<String> = record.moves.iter().map(|m| m.mv.to_string()).collect();
    let analyse = |count: usize| {
        let mut engine = engine(&arguments.options)?;
        let set = engine.set_position(record.start, &moves[..count]);
        set.map_err(io::Error::other)?;
        let found = analysis(&engine, limits.clone());
        bar.inc(1);
        found
    };
    let found: io::Result<Vec<Analysis>> = (0..=moves.len()).into_par_iter().map(analyse).collect();
    let found = found?;
    for (played, seen) in record.moves.iter_mut().zip(found.windows(2)) {
        judge(played, &seen[0], &seen[1], arguments.threshold);
    }
    record.tags.retain(|(name, _)| name != "Annotator");
    let annotator = format!("Alquerque {}", env!("CARGO_PKG_VERSION"));
    record.tags.push(("Annotator".to_owned(), annotator));
    Ok(record)
}

fn analysis(engine: &alquerque::engine::Engine, limits: Limits) -> io::Result<Analysis> {
    Analysis::of(engine, limits, &Signal::default()).map_err(io::Error::other)
}

/// Compares the position before a move, where its side could have played best, with the one after.
fn judge(played: &mut RecordMove, before: &Analysis, after: &Analysis, threshold: i32) {
    let (best, got) = (worth(before), -worth(after));
    let changed = match (before.value, after.value.map(opposite)) {
        (Some(before), Some(after)) => before != after,
        _ => false,
    };
    let loss = best - got;
    let other = before
        .bestmove
        .as_deref()
        .and_then(|text| text.parse::<Move>().ok());
    // The best move itself costs nothing; what is seen later is seen deeper.
    if other.is_none_or(|mv| mv == played.mv) || !(changed || loss >= threshold) {
        return;
    }
    let mark = MARKS.iter().find(|&&(least, _)| loss >= least);
    played.mark = mark.map(|&(_, mark)| mark);
    let note = format!(
        "{} after this; {} was {}",
        describe(after, true),
        before.bestmove.as_deref().unwrap_or_default(),
        describe(before, false),
    );
    played.comment = match played.comment.is_empty() {
        true => note,
        false => format!("{}; {note}", played.comment),
    };
}

fn opposite(value: Value) -> Value {
    match value {
        Value::Win => Value::Loss,
        Value::Draw => Value::Draw,
        Value::Loss => Value::Win,
    }
}

/// Hundredths of a stone for the side to move.
fn worth(found: &Analysis) -> i32 {
    match (found.value, found.score) {
        (Some(Value::Win), _) => DECIDED,
        (Some(Value::Loss), _) => -DECIDED,
        (Some(Value::Draw), _) => 0,
        (None, Some(RecordScore::Cp(cp))) => cp.clamp(-DECIDED, DECIDED),
        (None, _) => 0,
    }
}

/// The value in words, for the side that moved.
fn describe(found: &Analysis, turned: bool) -> String {
    let value = found
        .value
        .map(|value| if turned { opposite(value) } else { value });
    let plies = found.plies.unwrap_or(0);
    match value {
        Some(Value::Win) => format!("won in {plies} plies"),
        Some(Value::Loss) => format!("lost in {plies} plies"),
        Some(Value::Draw) => "drawn".to_owned(),
        None => {
            let worth = if turned { -worth(found) } else { worth(found) };
            format!("{}/{}", RecordScore::Cp(worth), found.depth)
        }
    }
}
