//! Positions, moves and marks as XBoard writes them.

use thiserror::Error;

use crate::rules::{ParsePositionError, Point, PointSet, Position, halfway};

/// The stones of one move of XBoard: it has at most three legs, so two victims.
pub(super) const MAX_VICTIMS: usize = 2;

/// What XBoard calls a move that does nothing.
pub(super) const PASS: &str = "@@@@";

/// The board in XBoard's letters: `M` is a white stone, `m` a black one.
pub(super) fn board(position: &Position) -> String {
    let text = position.to_string();
    let (ranks, rest) = text.split_once(' ').unwrap_or((&text, ""));
    format!("{} {rest}", ranks.replace('w', "M").replace('b', "m"))
}

/// Reads a position as XBoard sends it; the engine's own letters are taken too.
///
/// # Errors
/// What is wrong with it.
pub(super) fn parse_board(text: &str) -> Result<Position, ParsePositionError> {
    // Fields that only chess has are sent as a dash.
    let mut fields = text.split_whitespace().filter(|&field| field != "-");
    let ranks = fields.next().unwrap_or_default();
    let ranks = ranks.replace('M', "w").replace('m', "b");
    let rest: Vec<&str> = fields.collect();
    format!("{ranks} {}", rest.join(" ")).parse()
}

/// Marks on the board: a letter for each point of a set, see the `highlight` command.
pub(super) fn marks(sets: &[(char, PointSet)]) -> String {
    let rank = |rank: u8| {
        let mut text = String::new();
        let mut gap = 0;
        for file in 0..5 {
            let point = Point::at(file, rank);
            match sets.iter().find(|(_, set)| set.has(point)) {
                None => gap += 1,
                Some((letter, _)) => {
                    if gap > 0 {
                        text += &gap.to_string();
                        gap = 0;
                    }
                    text.push(*letter);
                }
            }
        }
        if gap > 0 {
            text += &gap.to_string();
        }
        text
    };
    let ranks: Vec<String> = (0..5).rev().map(rank).collect();
    ranks.join("/")
}

/// A text that is no move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum HandError {
    /// Not a list of points.
    #[error("points expected, as in c2c3, or stone, victims and landing point, as in a1b2,b2c3")]
    Points,
    /// Two legs do not join.
    #[error("the legs do not join")]
    Broken,
    /// A victim is not next to the stone, or the point behind it is not on the board.
    #[error("no jump leads over {0}")]
    NoJump(Point),
    /// The landing point does not lie behind the last victim.
    #[error("the stone does not land on {0}")]
    Landing(Point),
}

/// Reads a move as XBoard sends it: `c2c3`, or legs over the victims and to the landing point,
/// `a1b2,b2c3`. What the engine writes, and paths, are taken too. Gives the points of the path.
pub(super) fn parse_move(text: &str) -> Result<Vec<Point>, HandError> {
    let legs: Vec<&str> = text.split(',').collect();
    let mut touched: Vec<Point> = Vec::new();
    for (index, leg) in legs.iter().enumerate() {
        let points = points(leg)?;
        if points.len() < 2 || legs.len() > 1 && points.len() != 2 {
            return Err(HandError::Points);
        }
        if index > 0 && touched.last() != points.first() {
            return Err(HandError::Broken);
        }
        touched.extend_from_slice(if index > 0 { &points[1..] } else { &points });
    }
    // Stone, victims and landing point, as the engine writes it.
    let victims = text.contains('x') && text.contains('-');
    match (legs.len(), touched.as_slice()) {
        (1, _) if !victims => Ok(touched),
        (_, [from, victims @ .., landing]) => over(*from, victims, *landing),
        _ => Err(HandError::Points),
    }
}

fn points(text: &str) -> Result<Vec<Point>, HandError> {
    let mut points = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let point = rest.get(..2).ok_or(HandError::Points)?;
        points.push(point.parse().map_err(|_| HandError::Points)?);
        rest = rest[2..].trim_start_matches(['-', 'x']);
    }
    Ok(points)
}

/// The path of a stone that jumps over these victims and lands there.
fn over(from: Point, victims: &[Point], landing: Point) -> Result<Vec<Point>, HandError> {
    let mut path = vec![from];
    let mut at = from;
    for &victim in victims {
        at = behind(at, victim).ok_or(HandError::NoJump(victim))?;
        path.push(at);
    }
    match at == landing {
        true => Ok(path),
        false => Err(HandError::Landing(landing)),
    }
}

/// The point behind `victim`, seen from `from`.
fn behind(from: Point, victim: Point) -> Option<Point> {
    let far = |near: u8, middle: u8| (2 * middle).checked_sub(near).filter(|&n| n < 5);
    let neighbour = from != victim
        && from.file().abs_diff(victim.file()) <= 1
        && from.rank().abs_diff(victim.rank()) <= 1;
    let file = far(from.file(), victim.file())?;
    let rank = far(from.rank(), victim.rank())?;
    neighbour.then_some(Point::at(file, rank))
}

/// A part of a path as the engine sends it: `c2c3`, or `a1xb2xd4-e5`, the victims and then the
/// landing point.
pub(super) fn write_move(path: &[Point], capture: bool) -> String {
    let [from, .., to] = path else {
        return PASS.to_owned();
    };
    if !capture {
        return format!("{from}{to}");
    }
    let victims = path
        .windows(2)
        .map(|leg| format!("x{}", halfway(leg[0], leg[1])));
    format!("{from}{}-{to}", victims.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<Point> {
        points(text).unwrap_or_default()
    }

    #[test]
    fn moves_over_victims_become_paths() {
        for (text, expected) in [
            ("c2c3", "c2c3"),
            ("a1b2,b2c3", "a1c3"),
            ("a1b2,b2d4,d4e5", "a1c3e5"),
            ("a1b1,b1c2,c2c3", "a1c1c3"),
            ("a1c3e5", "a1c3e5"),
            ("a1xb2-c3", "a1c3"),
            ("a1xb2xd4-e5", "a1c3e5"),
        ] {
            assert_eq!(parse_move(text), Ok(path(expected)), "{text}");
        }
        let point = |text: &str| path(text)[0];
        for (text, error) in [
            ("", HandError::Points),
            ("c2", HandError::Points),
            ("c2c9", HandError::Points),
            ("a1b2,", HandError::Points),
            ("a1b2,c3d4", HandError::Broken),
            ("a1c3,c3e5", HandError::NoJump(point("c3"))),
            ("d4e5,e5e4", HandError::NoJump(point("e5"))),
            ("a1b2,b2c4", HandError::Landing(point("c4"))),
        ] {
            assert_eq!(parse_move(text), Err(error), "{text}");
        }
    }

    #[test]
    fn paths_become_moves_over_victims() {
        assert_eq!(write_move(&path("c2c3"), false), "c2c3");
        assert_eq!(write_move(&path("a1c3"), true), "a1xb2-c3");
        assert_eq!(write_move(&path("a1c3e5"), true), "a1xb2xd4-e5");
    }

    #[test]
    fn boards_and_marks_have_their_own_letters() -> Result<(), ParsePositionError> {
        let text = "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w 0 1";
        assert_eq!(board(&Position::start()), text);
        assert_eq!(parse_board(text)?, Position::start());
        assert_eq!(
            parse_board("mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - 0 1")?,
            Position::start()
        );
        let set = |text: &str| path(text).into_iter().collect();
        assert_eq!(
            marks(&[('C', set("b2")), ('R', set("e1a5"))]),
            "R4/5/5/1C3/4R"
        );
        assert!(parse_board("").is_err());
        Ok(())
    }
}
