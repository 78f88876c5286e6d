//! What GoGui asks about the game.

use super::request::vertex;
use crate::protocol::leg_game::LegGame;
use crate::rules::{Outcome, Point, PointSet, Side};

/// Colour of the points that can be played next.
const POSSIBLE: &str = "#a0ff80";
/// Colour of the points the moving stone has touched.
const TOUCHED: &str = "#ffd070";

/// The board, rank 5 first: `X` black, `O` white, `.` empty.
pub(super) fn board(game: &LegGame) -> String {
    let (white, black) = (game.stones(Side::White), game.stones(Side::Black));
    let letter = |point: Point| match (white.has(point), black.has(point)) {
        (true, _) => "O",
        (_, true) => "X",
        _ => ".",
    };
    let row = |rank: u8| {
        let letters: Vec<&str> = (0..5).map(|file| letter(Point::at(file, rank))).collect();
        letters.join(" ")
    };
    let rows: Vec<String> = (0..5).rev().map(row).collect();
    rows.join("\n")
}

/// The points that can be played next; none if the game is over.
pub(super) fn legal_moves(game: &LegGame) -> String {
    list(game.next_points())
}

fn list(points: PointSet) -> String {
    let names: Vec<String> = points.map(vertex).collect();
    names.join(" ")
}

/// The side that plays the next point.
pub(super) fn side_to_move(game: &LegGame) -> String {
    color(game.side()).to_owned()
}

/// A colour as this protocol writes it.
pub(super) fn color(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// The result in words; nothing while the game goes on.
pub(super) fn final_result(game: &LegGame) -> String {
    game.outcome().map_or(String::new(), |o| o.to_string())
}

/// The result as `final_score` gives it.
pub(super) fn final_score(game: &LegGame) -> Result<String, String> {
    match game.outcome() {
        None => Err("the game is not over".to_owned()),
        Some(Outcome::Win(Side::White, _)) => Ok("W+1".to_owned()),
        Some(Outcome::Win(Side::Black, _)) => Ok("B+1".to_owned()),
        Some(Outcome::Draw(_)) => Ok("0".to_owned()),
    }
}

/// Stones each side has lost since the game began: White's, then Black's.
pub(super) fn captured_count(game: &LegGame) -> String {
    let lost = |side| game.start().stones(side).len() - game.stones(side).len();
    format!("{} {}", lost(Side::White), lost(Side::Black))
}

/// Highlights: the points touched in this turn and those that can be played next.
pub(super) fn board_gfx(game: &LegGame) -> String {
    let touched: PointSet = game.path().iter().copied().collect();
    let next = game.next_points();
    let mut lines = Vec::new();
    for (name, points) in [(TOUCHED, touched - next), (POSSIBLE, next)] {
        if !points.is_empty() {
            lines.push(format!("COLOR {name} {}", list(points)));
        }
    }
    lines.join("\n")
}

/// The board for people.
pub(super) fn showboard(game: &LegGame) -> String {
    let drawing = crate::protocol::Drawing(game.game()).to_string();
    let touched: Vec<String> = game.path().iter().map(|&p| vertex(p)).collect();
    match touched.is_empty() {
        true => format!("\n{drawing}"),
        false => format!("\n{drawing}\nTurn in progress: {}", touched.join(" ")),
    }
}
