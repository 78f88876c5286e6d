//! The drawing of a position as SVG, for papers and web pages.

use std::fmt;

use svg::Document;
use svg::node::element::{
    Circle, Definitions, Group, Line, Marker, Path, Polyline, Rectangle, Text,
};

use crate::rules::{Move, Point, Position, Side, neighbours};

/// Distance between two points of the board, in the drawing's units.
const STEP: f64 = 100.0;
/// Room around the board for stones and labels.
const MARGIN: f64 = 70.0;
const SIZE: f64 = 4.0 * STEP + 2.0 * MARGIN;
const RADIUS: f64 = 34.0;

/// A position with what is to be marked on it.
pub struct Diagram<'a> {
    /// The position.
    pub position: &'a Position,
    /// The move that led to it, if it is to be marked.
    pub last_move: Option<Move>,
    /// Moves to be drawn as arrows.
    pub arrows: &'a [Move],
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut document = Document::new()
            .set("viewBox", (0, 0, SIZE, SIZE))
            .set("role", "img")
            .add(svg::node::element::Title::new(self.position.to_string()))
            .add(arrow_head())
            .add(
                Rectangle::new()
                    .set("width", "100%")
                    .set("height", "100%")
                    .set("fill", "#f4ead2"),
            )
            .add(lattice())
            .add(labels());
        if let Some(mv) = self.last_move {
            document = document.add(trail(&mv));
        }
        document = document.add(self.stones());
        for mv in self.arrows {
            document = document.add(arrow(mv));
        }
        document.fmt(f)
    }
}

impl Diagram<'_> {
    fn stones(&self) -> Group {
        let mut group = Group::new().set("stroke", "#222").set("stroke-width", 3);
        for (side, fill) in [(Side::White, "#fff"), (Side::Black, "#222")] {
            for point in self.position.stones(side) {
                let stone = disc(point, RADIUS).set("fill", fill);
                group = group.add(stone.set("class", side.to_string().to_lowercase()));
            }
        }
        group
    }
}

fn centre(point: Point) -> (f64, f64) {
    let x = MARGIN + STEP * f64::from(point.file());
    let y = MARGIN + STEP * f64::from(4 - point.rank());
    (x, y)
}

fn disc(point: Point, radius: f64) -> Circle {
    let (x, y) = centre(point);
    Circle::new().set("cx", x).set("cy", y).set("r", radius)
}

fn lattice() -> Group {
    let mut group = Group::new()
        .set("class", "lines")
        .set("stroke", "#6b4f2a")
        .set("stroke-width", 4);
    for from in Point::all() {
        for to in neighbours(from).filter(|&to| from < to) {
            let ((x1, y1), (x2, y2)) = (centre(from), centre(to));
            let line = Line::new().set("x1", x1).set("y1", y1);
            group = group.add(line.set("x2", x2).set("y2", y2));
        }
    }
    group
}

fn labels() -> Group {
    let mut group = Group::new()
        .set("font-family", "sans-serif")
        .set("font-size", 22)
        .set("text-anchor", "middle")
        .set("fill", "#6b4f2a");
    for index in 0..5u8 {
        let (x, y) = centre(Point::at(index, index));
        let file = Text::new(char::from(b'a' + index).to_string());
        let rank = Text::new((index + 1).to_string());
        group = group
            .add(file.set("x", x).set("y", SIZE - 8.0))
            .add(rank.set("x", 14).set("y", y + 8.0));
    }
    group
}

/// Where the last move began, passed and ended.
fn trail(mv: &Move) -> Group {
    let mut group = Group::new()
        .set("class", "last-move")
        .set("fill", "#e8b84a");
    for &point in mv.path() {
        group = group.add(disc(point, RADIUS + 8.0));
    }
    group.add(path_of(mv).set("stroke", "#e8b84a").set("stroke-width", 14))
}

fn arrow(mv: &Move) -> Polyline {
    path_of(mv)
        .set("class", "arrow")
        .set("stroke", "#2a6fb0")
        .set("stroke-width", 10)
        .set("stroke-opacity", 0.8)
        .set("marker-end", "url(#head)")
}

fn path_of(mv: &Move) -> Polyline {
    let points: Vec<String> = mv
        .path()
        .iter()
        .map(|&point| centre(point))
        .map(|(x, y)| format!("{x},{y}"))
        .collect();
    Polyline::new()
        .set("points", points.join(" "))
        .set("fill", "none")
        .set("stroke-linejoin", "round")
        .set("stroke-linecap", "round")
}

fn arrow_head() -> Definitions {
    let head = Marker::new()
        .set("id", "head")
        .set("viewBox", "0 0 10 10")
        .set("refX", 6)
        .set("refY", 5)
        .set("markerWidth", 3.5)
        .set("markerHeight", 3.5)
        .set("orient", "auto-start-reverse")
        .add(
            Path::new()
                .set("d", "M0 0L10 5L0 10z")
                .set("fill", "#2a6fb0"),
        );
    Definitions::new().add(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_and_stone_is_drawn_once() {
        let position = Position::start();
        let diagram = Diagram {
            position: &position,
            last_move: None,
            arrows: &[],
        };
        let text = diagram.to_string();
        assert_eq!(text.matches("<line ").count(), crate::rules::LINE_COUNT);
        assert_eq!(text.matches("class=\"white\"").count(), 12);
        assert_eq!(text.matches("class=\"black\"").count(), 12);
        assert_eq!(text.matches("<polyline").count(), 0);
    }
}
