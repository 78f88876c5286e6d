//! `alquerque match`.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use indicatif::ProgressBar;

use alquerque::arena::engine::{Log, Surroundings, Watchdog};
use alquerque::arena::report::{live_line, standing_text, write_html};
use alquerque::arena::runner::{Ending, Match, MatchError};
use alquerque::arena::standing::Standing;

use super::match_args::{MANY_GAMES, MatchArgs};
use super::{Failure, progress as bars};

/// Plays the match and tells the result.
pub(super) fn run(args: &MatchArgs, out: &mut impl Write) -> Result<(), Failure> {
    let plan = args.plan()?;
    let surroundings = Arc::new(surroundings(args)?);
    let handler = Arc::clone(&surroundings);
    ctrlc::set_handler(move || handler.stop.store(true, Ordering::Relaxed))
        .map_err(|error| Failure::Failed(format!("Ctrl-C cannot be caught: {error}")))?;
    if args.stop_at_eof {
        let surroundings = Arc::clone(&surroundings);
        thread::spawn(move || {
            let _ = io::copy(&mut io::stdin(), &mut io::sink());
            surroundings.stop.store(true, Ordering::Relaxed);
        });
    }
    let bar = progress(&plan);
    let sprt = plan.header.sprt;
    let mut known = None;
    let mut last = Standing::new(plan.header.engines.iter().map(|e| e.name.clone()).collect());
    let result = plan.run(&surroundings, &mut |standing| {
        if *known.get_or_insert(standing.games()) > 0 && known == Some(standing.games()) {
            bar.println(format!("Going on after {} games.", standing.games()));
            bar.reset_eta();
        }
        bar.set_position(standing.games());
        bar.set_message(live_line(standing, sprt.as_ref()));
        last = standing.clone();
    });
    bar.finish_and_clear();
    let finished = matches!(result, Ok((Ending::Complete | Ending::Decided(_), _)));
    if last.games() > 0 {
        write!(out, "{}", standing_text(&last, sprt.as_ref()))?;
    }
    if let Some(path) = &args.json {
        let summary = last.summary(sprt.as_ref(), finished);
        write_summary(path, &summary, out)?;
    }
    if let (Some(page), Some(journal)) = (&args.report, &plan.journal) {
        write_html(page, std::slice::from_ref(journal)).map_err(Failure::failed)?;
    }
    match result {
        Ok((Ending::Stopped, _)) => {
            if let Some(journal) = &plan.journal {
                writeln!(
                    out,
                    "Stopped. The same command goes on, or: alquerque match --resume {}",
                    journal.display()
                )?;
            }
            Err(Failure::Stopped)
        }
        Ok(_) => Ok(()),
        Err(error @ MatchError::Engine(_)) if last.games() == 0 => {
            Err(Failure::Failed(error.to_string()))
        }
        Err(error) => Err(Failure::Failed(match &plan.journal {
            Some(path) => format!(
                "{error}\nThe {} games in {} are safe.",
                last.games(),
                path.display()
            ),
            None => error.to_string(),
        })),
    }
}

/// Writes a JSON object to a file, or to the output for `-`.
pub(super) fn write_summary(
    path: &Path,
    summary: &serde_json::Value,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return Ok(writeln!(out, "{summary}")?);
    }
    std::fs::write(path, format!("{summary}\n"))
        .map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
}

/// A bar on a terminal, nothing elsewhere.
fn progress(plan: &Match) -> ProgressBar {
    let games = plan.schedule().games();
    let (bar, template) = match games >= MANY_GAMES {
        true => (
            ProgressBar::no_length(),
            "{pos} games, {per_sec}, {elapsed}  {msg}",
        ),
        false => (
            ProgressBar::new(games),
            "{pos}/{len} {per_sec} {eta} left  {msg}",
        ),
    };
    bars::styled(bar, template)
}

fn surroundings(args: &MatchArgs) -> Result<Surroundings, Failure> {
    let log = match &args.log {
        None => None,
        Some(path) => Some(
            Log::create(path)
                .map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?,
        ),
    };
    Ok(Surroundings {
        watchdog: watchdog()?,
        log,
        stop: AtomicBool::new(false),
        startup: Duration::from_secs(args.startup),
    })
}

/// Without process groups there is nothing a watchdog could end.
fn watchdog() -> Result<Option<Watchdog>, Failure> {
    if !cfg!(unix) {
        return Ok(None);
    }
    let program = std::env::current_exe()?;
    let watchdog = Watchdog::start(&program, &[super::WATCHDOG]);
    Ok(Some(watchdog.map_err(|error| {
        Failure::Failed(format!("the watchdog cannot be started: {error}"))
    })?))
}
