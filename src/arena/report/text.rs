//! The standing of a match as text.

use std::fmt::Write as _;

use crate::arena::game::Reason;
use crate::arena::standing::{Encounter, Standing};
use crate::arena::stats::{Decision, Estimate, Sprt};

/// One line that fits a terminal.
pub fn live_line(standing: &Standing, sprt: Option<&Sprt>) -> String {
    if standing.names().len() > 2 {
        let best = standing.ranking().into_iter().take(3).map(|engine| {
            let total = standing.total(engine).wdl;
            format!(
                "{} {}/{}",
                standing.names()[engine],
                total.points(),
                total.games()
            )
        });
        return best.collect::<Vec<_>>().join("  ");
    }
    let encounter = standing.encounter(0, 1);
    let wdl = encounter.wdl;
    let mut line = format!("+{} ={} -{}", wdl.wins, wdl.draws, wdl.losses);
    if let Some(estimate) = encounter.estimate() {
        let _ = write!(
            line,
            "  Elo {}",
            with_error(estimate.elo, estimate.elo_error())
        );
    }
    if let Some(sprt) = sprt {
        let state = standing.sprt(sprt);
        let _ = write!(
            line,
            "  LLR {:.2} [{:.2} {:.2}]",
            state.llr, state.lower, state.upper
        );
    }
    line
}

/// Everything that is known about a match, over several lines.
pub fn standing_text(standing: &Standing, sprt: Option<&Sprt>) -> String {
    let mut text = String::new();
    match standing.names().len() {
        2 => duel(&mut text, standing, sprt),
        _ => table(&mut text, standing),
    }
    let white = standing.white();
    if white.games() > 0 {
        let _ = writeln!(
            text,
            "White    {} won, {} drawn, {} lost; {:.1} plies a game",
            white.wins,
            white.draws,
            white.losses,
            standing.plies() as f64 / white.games() as f64
        );
    }
    let count = |reason: &Reason| standing.reasons().get(reason).map(|n| (reason.word(), n));
    let reasons: Vec<String> = Reason::ALL
        .iter()
        .filter_map(count)
        .map(|(word, n)| format!("{word} {n}"))
        .collect();
    if !reasons.is_empty() {
        let _ = writeln!(text, "Ends     {}", reasons.join(", "));
    }
    (0..standing.names().len()).for_each(|engine| conduct(&mut text, standing, engine));
    text
}

fn duel(text: &mut String, standing: &Standing, sprt: Option<&Sprt>) {
    let names = standing.names();
    let encounter = standing.encounter(0, 1);
    let wdl = encounter.wdl;
    let _ = writeln!(
        text,
        "{} against {}: {} won, {} drawn, {} lost of {} games",
        names[0],
        names[1],
        wdl.wins,
        wdl.draws,
        wdl.losses,
        wdl.games()
    );
    let Some(estimate) = encounter.estimate() else {
        return;
    };
    let _ = writeln!(
        text,
        "Elo      {} (95%), normalised {}, superior with {:.1}%",
        with_error(estimate.elo, estimate.elo_error()),
        with_error(estimate.nelo, estimate.nelo_error),
        100.0 * estimate.los
    );
    let pairs = encounter.pairs.0.map(|n| n.to_string()).join(" ");
    let _ = writeln!(
        text,
        "Pairs    {pairs} (0, 1/2, 1, 3/2, 2 points); score {:.1}%, draws {:.1}%",
        100.0 * estimate.score,
        100.0 * wdl.draw_ratio()
    );
    if let Some(sprt) = sprt {
        let _ = writeln!(text, "SPRT     {}", verdict(standing, sprt));
    }
}

fn verdict(standing: &Standing, sprt: &Sprt) -> String {
    let state = standing.sprt(sprt);
    let names = standing.names();
    let meaning = match state.decision {
        Decision::H1 => format!(
            "H1 accepted: {} is stronger (elo1 rather than elo0)",
            names[0]
        ),
        Decision::H0 => format!(
            "H0 accepted: {} is not stronger (elo0 rather than elo1)",
            names[0]
        ),
        Decision::Continue => "undecided, more games are needed".to_owned(),
    };
    format!(
        "{sprt}: LLR {:.2} of {:.2} to {:.2}; {meaning}",
        state.llr, state.lower, state.upper
    )
}

fn table(text: &mut String, standing: &Standing) {
    let names = standing.names();
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    let width = width.max("engine".len());
    let _ = writeln!(
        text,
        "  # {:width$}  {:>6} {:>8} {:>6} {:>16}  against each (points/games)",
        "engine", "games", "points", "%", "Elo"
    );
    for (place, engine) in standing.ranking().into_iter().enumerate() {
        let total = standing.total(engine);
        let elo = total
            .estimate()
            .map_or(String::new(), |e| with_error(e.elo, e.elo_error()));
        let score = 100.0 * total.wdl.points() / total.wdl.games().max(1) as f64;
        let _ = writeln!(
            text,
            "{:3} {:width$}  {:>6} {:>8} {score:>6.1} {elo:>16}  {}",
            place + 1,
            names[engine],
            total.wdl.games(),
            total.wdl.points(),
            against(standing, engine)
        );
    }
}

fn against(standing: &Standing, engine: usize) -> String {
    let cell = |other: usize| match (other == engine, standing.encounter(engine, other)) {
        (true, _) => "-".to_owned(),
        (_, Encounter { wdl, .. }) => format!("{}/{}", wdl.points(), wdl.games()),
    };
    let cells: Vec<String> = standing.ranking().into_iter().map(cell).collect();
    cells.join(" ")
}

fn conduct(text: &mut String, standing: &Standing, engine: usize) {
    let conduct = standing.conduct(engine);
    let mut parts: Vec<String> = Vec::new();
    for (reason, count) in &conduct.faults {
        parts.push(format!("{} lost by {}", count, reason.word()));
    }
    if conduct.broken_win_claims > 0 {
        parts.push(format!(
            "{} announced wins did not come",
            conduct.broken_win_claims
        ));
    }
    if conduct.illegal_lines > 0 {
        parts.push(format!("illegal lines in {} games", conduct.illegal_lines));
    }
    if !parts.is_empty() {
        let _ = writeln!(text, "{}: {}", standing.names()[engine], parts.join(", "));
    }
    if let Some(example) = &conduct.example {
        let _ = writeln!(text, "    for example {example}");
    }
}

/// `+12.3 +- 4.5`, as long as there is a value and an error to speak of.
fn with_error(value: f64, error: f64) -> String {
    match (value.is_nan(), value.is_finite() && error.is_finite()) {
        (true, _) => "unknown".to_owned(),
        (_, true) => format!("{value:+.1} +- {error:.1}"),
        (_, false) => format!("{value:+.1}"),
    }
}

/// As [`with_error`], for an estimate.
pub(super) fn elo_text(estimate: &Estimate) -> String {
    with_error(estimate.elo, estimate.elo_error())
}
