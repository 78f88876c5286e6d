//! The hand of the user: which stone it holds, and where that may go.

use super::notation::{MAX_VICTIMS, marks};
use crate::protocol::leg_game::LegGame;
use crate::rules::{Point, PointSet, halfway};

/// Marks of XBoard: a point that ends a move without a capture.
const STEP: char = 'Y';
/// A point that ends a capture.
const LANDING: char = 'R';
/// A point after which XBoard waits for more.
const VICTIM: char = 'C';

/// The points touched for the move of XBoard that is being entered: stone, victims.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Hand(Vec<Point>);

impl Hand {
    /// Takes up a stone; gives the marks for where it may go. XBoard also says so of a victim that
    /// was just pointed at: there the move goes on.
    pub(super) fn lift(&mut self, game: &LegGame, point: Point) -> Option<String> {
        if self.0.len() < 2 || self.0.last() != Some(&point) {
            self.0 = vec![point];
        }
        Some(marks(&self.targets(game)))
    }

    /// Points at a victim, or puts the stone down. Gives the marks for what comes next, if
    /// anything does.
    pub(super) fn put(&mut self, game: &LegGame, point: Point) -> Option<String> {
        self.0.push(point);
        let targets = self.targets(game);
        let any = targets.iter().any(|(_, points)| !points.is_empty());
        any.then(|| marks(&targets))
    }

    /// Where the stone may go next.
    fn targets(&self, game: &LegGame) -> [(char, PointSet); 3] {
        let (mut steps, mut landings, mut victims) =
            (PointSet::EMPTY, PointSet::EMPTY, PointSet::EMPTY);
        let Some((&stone, taken)) = self.0.split_first() else {
            return [(STEP, steps), (LANDING, landings), (VICTIM, victims)];
        };
        // A chain in progress goes on where it stands.
        let begun = game.path().len().saturating_sub(1);
        for mv in game.continuations() {
            let path = &mv.path()[begun..];
            if path[0] != stone {
                continue;
            }
            if !mv.is_capture() {
                if taken.is_empty() {
                    steps = steps | mv.to().bit();
                }
                continue;
            }
            let legs: Vec<Point> = path.windows(2).map(|leg| halfway(leg[0], leg[1])).collect();
            if !legs.starts_with(taken) {
                continue;
            }
            let count = taken.len();
            if count == legs.len() || count == MAX_VICTIMS {
                landings = landings | path[count].bit();
            } else {
                victims = victims | legs[count].bit();
            }
        }
        [(STEP, steps), (LANDING, landings), (VICTIM, victims)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;

    fn game(text: &str) -> LegGame {
        LegGame::new(text.parse().unwrap_or(Position::start()), 0)
    }

    fn point(text: &str) -> Point {
        text.parse().unwrap_or(Point::at(4, 4))
    }

    #[test]
    fn steps_victims_and_landings_are_marked() {
        let start = game("");
        let mut hand = Hand::default();
        assert_eq!(
            hand.lift(&start, point("c2")).as_deref(),
            Some("5/5/2Y2/5/5")
        );
        assert_eq!(hand.lift(&start, point("a1")).as_deref(), Some("5/5/5/5/5"));
        // a1c3e5 or a1c3a5: the first leg must go on.
        let chain = game("5/1b1b1/5/1b3/w4 w");
        assert_eq!(
            hand.lift(&chain, point("a1")).as_deref(),
            Some("5/5/5/1C3/5")
        );
        assert_eq!(
            hand.put(&chain, point("b2")).as_deref(),
            Some("5/1C1C1/5/5/5")
        );
        assert_eq!(hand.put(&chain, point("d4")).as_deref(), Some("4R/5/5/5/5"));
        assert_eq!(hand.put(&chain, point("e5")), None);
    }

    #[test]
    fn a_long_chain_lands_after_two_victims_and_goes_on() {
        let mut game = game("5/5/1b3/b1b2/wb3 w");
        let mut hand = Hand::default();
        assert_eq!(
            hand.lift(&game, point("a1")).as_deref(),
            Some("5/5/5/C4/1C3")
        );
        assert_eq!(hand.put(&game, point("a2")).as_deref(), Some("5/5/1C3/5/5"));
        assert_eq!(hand.put(&game, point("b3")).as_deref(), Some("5/5/2R2/5/5"));
        for text in ["a1", "a3", "c3"] {
            assert!(game.push(point(text)).is_ok());
        }
        assert_eq!(
            hand.lift(&game, point("c3")).as_deref(),
            Some("5/5/5/2C2/5")
        );
        assert_eq!(hand.put(&game, point("c2")).as_deref(), Some("5/5/5/5/1C3"));
        assert_eq!(hand.put(&game, point("b1")).as_deref(), Some("5/5/5/5/R4"));
    }
}
