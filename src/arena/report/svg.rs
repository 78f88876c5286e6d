//! Small charts as SVG: a line with a band, and bars.

use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 34.0;
const TOP: f64 = 12.0;
const RIGHT: f64 = 12.0;

/// A point of a line: position, value, lower and upper end of its band.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) x: f64,
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// The smallest and the largest of the finite numbers, with `also` among them.
fn range(numbers: impl Iterator<Item = f64>, also: &[f64]) -> (f64, f64) {
    let all = numbers
        .chain(also.iter().copied())
        .filter(|n| n.is_finite());
    let (low, high) = all.fold((f64::MAX, f64::MIN), |(low, high), n| {
        (low.min(n), high.max(n))
    });
    let margin = ((high - low) * 0.05).max(1e-6);
    (low - margin, high + margin)
}

/// A line over games, with a band and level lines.
pub(super) fn line_chart(readings: &[Reading], levels: &[f64], unit: &str) -> String {
    let (low, high) = range(
        readings.iter().flat_map(|r| [r.value, r.low, r.high]),
        levels,
    );
    let end = readings.last().map_or(1.0, |r| r.x).max(1.0);
    let x = |value: f64| LEFT + value / end * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| {
        let share = (value.clamp(low, high) - low) / (high - low);
        HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)
    };
    let point = |at: f64, value: f64| format!("{:.1},{:.1}", x(at), y(value));
    let upper = readings.iter().map(|r| point(r.x, r.high));
    let lower = readings.iter().rev().map(|r| point(r.x, r.low));
    let band: Vec<String> = upper.chain(lower).collect();
    let line: Vec<String> = readings.iter().map(|r| point(r.x, r.value)).collect();
    let mut svg = begin(unit);
    for level in levels {
        let _ = write!(
            svg,
            "<line class='level' x1='{LEFT}' x2='{}' y1='{y:.1}' y2='{y:.1}'/>\
             <text x='{}' y='{:.1}' text-anchor='end'>{level:.2}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y(*level) + 4.0,
            y = y(*level)
        );
    }
    let _ = write!(
        svg,
        "<polygon class='band' points='{}'/><polyline class='line' points='{}'/>\
         <text x='{}' y='{}' text-anchor='end'>{end:.0} games</text></svg>",
        band.join(" "),
        line.join(" "),
        WIDTH - RIGHT,
        HEIGHT - 12.0
    );
    svg
}

/// Bars with their names below and their counts above.
pub(super) fn bar_chart(bars: &[(String, u64)], unit: &str) -> String {
    let most = bars
        .iter()
        .map(|(_, count)| *count)
        .max()
        .unwrap_or(0)
        .max(1) as f64;
    let step = (WIDTH - LEFT - RIGHT) / bars.len().max(1) as f64;
    let mut svg = begin(unit);
    for (index, (name, count)) in bars.iter().enumerate() {
        let height = *count as f64 / most * (HEIGHT - BOTTOM - TOP - 16.0);
        let (x, y) = (LEFT + index as f64 * step, HEIGHT - BOTTOM - height);
        let middle = x + step / 2.0;
        let _ = write!(
            svg,
            "<rect class='bar' x='{:.1}' y='{y:.1}' width='{:.1}' height='{height:.1}'/>\
             <text x='{middle:.1}' y='{:.1}' text-anchor='middle'>{count}</text>\
             <text x='{middle:.1}' y='{:.1}' text-anchor='middle'>{}</text>",
            x + step * 0.1,
            step * 0.8,
            y - 4.0,
            HEIGHT - 18.0,
            escape(name)
        );
    }
    svg + "</svg>"
}

fn begin(unit: &str) -> String {
    format!(
        "<svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img' aria-label='{unit}'>\
         <text x='4' y='{:.1}'>{unit}</text>",
        TOP + 4.0,
        unit = escape(unit)
    )
}

/// Text that can stand in HTML and SVG.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('\'', "&#39;")
        .replace('"', "&quot;")
}
