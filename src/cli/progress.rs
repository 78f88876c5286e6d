//! Progress on a terminal: silent in a pipe.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for so many things, if their number is known.
pub(super) fn bar(count: Option<usize>, things: &str) -> ProgressBar {
    let bar = match count {
        Some(count) => ProgressBar::new(count as u64),
        None => ProgressBar::no_length(),
    };
    let template = format!("{{bar:30}} {{pos}}/{{len}} {things}, {{per_sec}}, {{eta}} left");
    styled(bar, &template)
}

/// A bar or spinner in this form. It is drawn only if standard error is a terminal.
pub(super) fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
