//! A page about a match: table, Elo and LLR over games, lengths and reasons. It needs nothing but
//! itself to be shown.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::svg::{Reading, bar_chart, escape, line_chart};
use super::text::{elo_text, standing_text};
use crate::arena::game::Reason;
use crate::arena::record::{JournalError, read_journal};
use crate::arena::schedule::Done;
use crate::arena::standing::Standing;
use crate::arena::stats::Sprt;

/// Points of a curve; more cannot be told apart.
const MAX_READINGS: u64 = 400;
const STYLE: &str = "body{font:16px system-ui,sans-serif;max-width:760px;margin:2em auto;padding:0 1em;\
    color:#222;background:#fdfdfb}pre{overflow-x:auto;background:#f1efe8;padding:1em}\
    svg{width:100%;height:auto;font-size:12px;fill:#555}.band{fill:#c9d8ea}\
    .line{fill:none;stroke:#24507f;stroke-width:2}.level{stroke:#bbb;stroke-dasharray:4 4}\
    .bar{fill:#24507f}h2{font-size:1.1em;margin-top:2em}.big{font-size:1.6em}\
    @media(prefers-color-scheme:dark){body{color:#ddd;background:#191918}pre{background:#262624}\
    svg{fill:#aaa}.band{fill:#2c3f55}.line{stroke:#8db7e6}.bar{fill:#8db7e6}.level{stroke:#555}}";

/// Why there is no report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The page cannot be written.
    #[error("{0}: {1}")]
    Write(PathBuf, io::Error),
}

/// Writes a page about the match in these journals.
///
/// # Errors
/// If a journal cannot be read or the page cannot be written.
pub fn write_html(page: &Path, journals: &[PathBuf]) -> Result<(), ReportError> {
    let mut curves = Curves::default();
    let (mut header, mut total, mut done) = (None, 0, Done::default());
    for journal in journals {
        let read = read_journal(journal, |record| {
            total += u64::from(done.insert(record.game))
        })?;
        header = header.or(Some(read));
    }
    let Some(header) = header else { return Ok(()) };
    let names = header.engines.iter().map(|engine| engine.name.clone());
    let mut standing = Standing::new(names.collect());
    let step = (total / MAX_READINGS).max(1);
    done = Done::default();
    for journal in journals {
        read_journal(journal, |record| {
            // Parts of a match may overlap.
            if !done.insert(record.game) || !standing.add(&record) {
                return;
            }
            curves.length(record.plies);
            if standing.games().is_multiple_of(step) || standing.games() == total {
                curves.read(&standing, header.sprt.as_ref());
            }
        })?;
    }
    let sprt = header.sprt.as_ref();
    let title = standing.names().join(" – ");
    let headline = standing.encounter(0, 1).estimate().map(|e| elo_text(&e));
    let headline = headline.filter(|_| standing.names().len() == 2);
    let mut body = format!(
        "<h1>{}</h1><p class='big'>{}</p><p>{} · {} games · openings {}</p><pre>{}</pre>",
        escape(&title),
        headline.map_or(String::new(), |elo| format!("Elo {}", escape(&elo))),
        escape(&header.engines[0].limits.to_string()),
        standing.games(),
        escape(&header.openings.name),
        escape(&standing_text(&standing, sprt)),
    );
    body += &curves.html(
        sprt.map(|sprt| standing.sprt(sprt))
            .map(|s| [s.lower, 0.0, s.upper]),
    );
    let count = |reason: &Reason| {
        let count = standing.reasons().get(reason)?;
        Some((reason.word().to_owned(), *count))
    };
    let reasons: Vec<_> = Reason::ALL.iter().filter_map(count).collect();
    body += &format!("<h2>How games ended</h2>{}", bar_chart(&reasons, "games"));
    let html = format!(
        "<!doctype html><html lang='en'><meta charset='utf-8'>\
         <meta name='viewport' content='width=device-width'><title>{}</title>\
         <style>{STYLE}</style>{body}</html>\n",
        escape(&title)
    );
    std::fs::write(page, html).map_err(|error| ReportError::Write(page.to_owned(), error))
}

/// What is drawn over the course of a match.
#[derive(Default)]
struct Curves {
    elo: Vec<Reading>,
    llr: Vec<Reading>,
    /// Games by length in tens of plies.
    lengths: BTreeMap<usize, u64>,
}

impl Curves {
    fn length(&mut self, plies: usize) {
        *self.lengths.entry(plies / 10).or_default() += 1;
    }

    fn read(&mut self, standing: &Standing, sprt: Option<&Sprt>) {
        let x = standing.games() as f64;
        if let Some(estimate) = standing.encounter(0, 1).estimate()
            && estimate.elo.is_finite()
        {
            let [low, high] = estimate.elo_95.map(|elo| elo.clamp(-800.0, 800.0));
            let value = estimate.elo;
            self.elo.push(Reading {
                x,
                value,
                low,
                high,
            });
        }
        if let Some(sprt) = sprt {
            let value = standing.sprt(sprt).llr;
            self.llr.push(Reading {
                x,
                value,
                low: value,
                high: value,
            });
        }
    }

    fn html(&self, bounds: Option<[f64; 3]>) -> String {
        // The first games say little and would stretch the scale.
        let settled = &self.elo[self.elo.len() / 20..];
        let elo = line_chart(settled, &[0.0], "Elo, 95%");
        let mut html = format!("<h2>Elo over the match</h2>{elo}");
        if let Some(bounds) = bounds {
            html += &format!("<h2>LLR</h2>{}", line_chart(&self.llr, &bounds, "LLR"));
        }
        html + &format!(
            "<h2>Length of games</h2>{}",
            bar_chart(&self.length_bars(), "games")
        )
    }

    /// At most twelve bars, however long the longest game.
    fn length_bars(&self) -> Vec<(String, u64)> {
        let longest = self.lengths.keys().next_back().copied().unwrap_or(0);
        let width = longest / 12 + 1;
        let mut bars: Vec<(String, u64)> = (0..=longest / width)
            .map(|bar| {
                let (from, to) = (bar * width * 10, (bar + 1) * width * 10 - 1);
                (format!("{from}-{to}"), 0)
            })
            .collect();
        for (tens, count) in &self.lengths {
            bars[tens / width].1 += count;
        }
        bars
    }
}
