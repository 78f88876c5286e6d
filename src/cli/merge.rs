//! `alquerque merge`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use alquerque::arena::record::{Journal, PgnFile, read_journal};
use alquerque::arena::report::{standing_text, write_html};
use alquerque::arena::schedule::Done;
use alquerque::arena::standing::Standing;

use super::Failure;
use super::run_match::write_summary;

const EXAMPLES: &str = "\
Examples:
  alquerque merge part*.jsonl --jsonl whole.jsonl --pgn whole.pgn
  alquerque merge games.jsonl --report games.html      (how does the match in this journal stand?)

The files must be parts of one match: made by the same command but for --shard. Files may overlap; a
game counts once. The result is that of the whole match played at once.";

/// Put the parts of a match together, or show one journal
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct MergeArgs {
    /// Journals (--out or --jsonl of a match)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write all games into one journal
    #[arg(long, visible_alias = "out", value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Write all games in PGN shape
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write a summary as one JSON object; - for the output
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Write a page with charts
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

/// Merges the files and shows the standing.
pub(super) fn run(args: &MergeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut whole = None;
    for file in &args.files {
        let header = read_journal(file, |_| ()).map_err(Failure::failed)?.whole();
        let first = whole.get_or_insert_with(|| header.clone());
        if let Some(difference) = first.difference(&header) {
            return Err(Failure::Failed(format!(
                "{} and {} are not parts of one match: {difference}",
                args.files[0].display(),
                file.display()
            )));
        }
    }
    let Some(header) = whole else { return Ok(()) };
    if let Some(taken) = [&args.jsonl, &args.pgn]
        .into_iter()
        .flatten()
        .find(|path| path.is_file())
    {
        return Err(Failure::Failed(format!(
            "{} exists already",
            taken.display()
        )));
    }
    let mut journal = match &args.jsonl {
        None => None,
        Some(path) => Some(Journal::open(path, &header, false, |_| ()).map_err(Failure::failed)?),
    };
    let pgn_failed = |error: io::Error| Failure::Failed(format!("the PGN: {error}"));
    let mut pgn = match &args.pgn {
        None => None,
        Some(path) => Some(PgnFile::rewrite(path, |_| ()).map_err(pgn_failed)?),
    };
    let names = header.engines.iter().map(|engine| engine.name.clone());
    let mut standing = Standing::new(names.collect());
    let mut done = Done::default();
    for file in &args.files {
        let mut written = Ok(());
        read_journal(file, |record| {
            if written.is_err() || !done.insert(record.game) || !standing.add(&record) {
                return;
            }
            written = journal
                .as_mut()
                .map_or(Ok(()), |journal| {
                    journal.add(&record).map_err(Failure::failed)
                })
                .and_then(|()| {
                    let added = pgn.as_mut().map_or(Ok(()), |pgn| pgn.add(&record));
                    added.map_err(pgn_failed)
                });
        })
        .map_err(Failure::failed)?;
        written?;
    }
    write!(out, "{}", standing_text(&standing, header.sprt.as_ref()))?;
    if let Some(path) = &args.json {
        write_summary(path, &standing.summary(header.sprt.as_ref(), true), out)?;
    }
    if let Some(page) = &args.report {
        write_html(page, &args.files).map_err(Failure::failed)?;
    }
    Ok(())
}
