//! The drawing of a position with its lines, in plain characters.

use std::fmt;

use crate::rules::{Game, Point, Position, Side, diagonals_at};

/// Draws a position alone: the stones, the lines and the names of files and ranks.
pub struct Lattice<'a>(pub &'a Position);

impl fmt::Display for Lattice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..5).rev() {
            let points = (0..5).map(|file| stone(self.0, Point::at(file, rank)));
            let points: Vec<&str> = points.collect();
            writeln!(f, "{}  {}", rank + 1, points.join("---"))?;
            if rank > 0 {
                let cells: Vec<&str> = (0..4).map(|file| diagonal(file, rank - 1)).collect();
                writeln!(f, "   | {} |", cells.join(" | "))?;
            }
        }
        write!(f, "   a   b   c   d   e")
    }
}

/// Draws a game's present position, followed by what there is to know about it.
pub struct Drawing<'a>(pub &'a Game);

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.0.position();
        writeln!(f, "{}", Lattice(position))?;
        writeln!(f, "Side: {}", position.side())?;
        writeln!(f, "Position: {position}")?;
        writeln!(f, "Key: {:016x}", position.board().key())?;
        match self.0.outcome() {
            None => write!(f, "Result: none"),
            Some(outcome) => write!(f, "Result: {outcome}"),
        }
    }
}

fn stone(position: &Position, point: Point) -> &'static str {
    if position.stones(Side::White).has(point) {
        "w"
    } else if position.stones(Side::Black).has(point) {
        "b"
    } else {
        "."
    }
}

/// The diagonal in the square whose lower left corner is this point.
fn diagonal(file: u8, rank: u8) -> &'static str {
    match diagonals_at(Point::at(file, rank)) {
        true => "/",
        false => "\\",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_drawn_with_its_lines() {
        let text = Drawing(&Game::new(Position::start(), 0)).to_string();
        let lines: Vec<&str> = text.lines().collect();
        let expected = [
            "5  b---b---b---b---b",
            "   | \\ | / | \\ | / |",
            "4  b---b---b---b---b",
            "   | / | \\ | / | \\ |",
            "3  b---b---.---w---w",
            "   | \\ | / | \\ | / |",
            "2  w---w---w---w---w",
            "   | / | \\ | / | \\ |",
            "1  w---w---w---w---w",
            "   a   b   c   d   e",
            "Side: White",
        ];
        assert_eq!(lines[..expected.len()], expected);
        assert_eq!(lines.last(), Some(&"Result: none"));
    }
}
