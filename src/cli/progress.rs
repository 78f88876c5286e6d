//! Progress on a terminal: silent in a pipe.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for so many things, if their number is known.
pub(super) fn bar(count: Option<usize>, things: &str) -> ProgressBar {
    let bar = match count {
        Some(count) => ProgressBar::new(count as u64),
        None => ProgressBar::no_length(),
    };
    let template = format!("{{bar:30}} {{pos}}/{{len}} {things}, {{per_sec}}, {{eta}} left");
    // Drawn only if standard error is a terminal.
    let style = ProgressStyle::with_template(&template);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
