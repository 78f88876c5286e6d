//! `alquerque pgn`.

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;

use alquerque::arena::record::check_file;

use super::Failure;

const CHECK_EXAMPLES: &str = "\
Every game is replayed: moves must be legal, results and reasons must follow from the position, or
from a fault of the side to move. Journals (--jsonl of a match) can be checked too.

Exit codes: 0 all is right, 1 something is wrong or cannot be read, 2 wrong usage.";

/// Commands about records of games.
#[derive(Subcommand)]
pub(super) enum PgnAction {
    /// Replay records and verify every move, result and reason
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// Records in PGN shape or journals
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// One JSON object a file
        #[arg(long)]
        json: bool,
    },
}

/// Checks the files and tells what is wrong.
pub(super) fn run(action: &PgnAction, out: &mut impl Write) -> Result<(), Failure> {
    let PgnAction::Check { files, json } = action;
    let mut problems = 0;
    for file in files {
        let report = check_file(file).map_err(Failure::failed)?;
        problems += report.problem_count;
        if *json {
            let line = serde_json::json!({"type": "check", "file": file, "report": report});
            writeln!(out, "{line}")?;
            continue;
        }
        for problem in &report.problems {
            writeln!(out, "{}: {problem}", file.display())?;
        }
        let told = report.problems.len() as u64;
        if report.problem_count > told {
            writeln!(
                out,
                "{}: and {} more",
                file.display(),
                report.problem_count - told
            )?;
        }
        writeln!(
            out,
            "{}: {} games, {} moves, {} problems",
            file.display(),
            report.games,
            report.moves,
            report.problem_count
        )?;
    }
    match problems {
        0 => Ok(()),
        _ => Err(Failure::Failed(format!("{problems} problems"))),
    }
}
