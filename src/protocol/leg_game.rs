//! A game that is entered and taken back point by point, as graphical programs do it.

use thiserror::Error;

use crate::rules::{Game, Move, MoveError, Outcome, Point, PointSet, Position, Side};

/// A game with its moves, and the points of a turn that is not finished.
#[derive(Clone, Debug)]
pub(super) struct LegGame {
    start: Position,
    moves: Vec<Move>,
    game: Game,
    /// Points touched by the stone that is being moved; empty between turns.
    path: Vec<Point>,
}

/// A point that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum LegError {
    /// The game is over.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// No legal move goes on there.
    #[error("{point} is not possible here (possible: {possible})")]
    Impossible { point: Point, possible: String },
}

impl LegGame {
    pub(super) fn new(start: Position, no_capture_limit: u32) -> LegGame {
        LegGame {
            start,
            moves: Vec::new(),
            game: Game::new(start, no_capture_limit),
            path: Vec::new(),
        }
    }

    /// Changes the plies without a capture at which the game is drawn; 0 = never.
    pub(super) fn set_no_capture_limit(&mut self, limit: u32) {
        self.game.set_no_capture_limit(limit);
    }

    /// Where the game started.
    pub(super) fn start(&self) -> Position {
        self.start
    }

    /// The finished turns.
    pub(super) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The game as it stands between turns.
    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// The points of the turn in progress.
    pub(super) fn path(&self) -> &[Point] {
        &self.path
    }

    /// The side that plays the next point.
    pub(super) fn side(&self) -> Side {
        self.game.position().side()
    }

    /// How the game has ended.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// Stones of a side on the board, the turn in progress included.
    pub(super) fn stones(&self, side: Side) -> PointSet {
        let position = self.game.position();
        match Move::from_path(&self.path) {
            None => position.stones(side),
            Some(mv) => position.after(mv.effect()).stones(side),
        }
    }

    /// The legal moves that begin with the turn in progress.
    pub(super) fn continuations(&self) -> Vec<Move> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut moves = self.game.position().board().moves();
        moves.retain(|mv| mv.path().starts_with(&self.path));
        moves
    }

    /// The points that can be played next.
    pub(super) fn next_points(&self) -> PointSet {
        let next = self.path.len();
        let moves = self.continuations();
        moves
            .iter()
            .filter_map(|mv| mv.path().get(next).copied())
            .collect()
    }

    /// Plays a point; gives the move if that finishes the turn.
    ///
    /// # Errors
    /// If no legal move goes there; nothing changes.
    pub(super) fn push(&mut self, point: Point) -> Result<Option<Move>, LegError> {
        if let Some(outcome) = self.outcome() {
            return Err(LegError::Over(outcome));
        }
        let possible = self.next_points();
        if !possible.has(point) {
            let possible: Vec<String> = possible.map(|p| p.to_string()).collect();
            let possible = possible.join(" ");
            return Err(LegError::Impossible { point, possible });
        }
        self.path.push(point);
        let Some(mv) = Move::from_path(&self.path) else {
            return Ok(None);
        };
        Ok(self.play(mv).is_ok().then_some(mv))
    }

    /// Makes a whole move; a turn in progress is forgotten.
    ///
    /// # Errors
    /// The rule it breaks; nothing changes.
    pub(super) fn play(&mut self, mv: Move) -> Result<(), MoveError> {
        self.game.play(mv).map_err(|illegal| illegal.reason)?;
        self.moves.push(mv);
        self.path.clear();
        Ok(())
    }

    /// Takes back one point; says whether there was one.
    pub(super) fn pop(&mut self) -> bool {
        if self.path.is_empty() {
            match self.take_back() {
                None => return false,
                Some(mv) => self.path = mv.path().to_vec(),
            }
        }
        self.path.pop();
        true
    }

    fn take_back(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        let mut game = Game::new(self.start, self.game.no_capture_limit());
        // They were legal before.
        let legal = self.moves.iter().all(|&mv| game.play(mv).is_ok());
        debug_assert!(legal);
        self.game = game;
        Some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Vec<Point> {
        text.split(' ')
            .filter_map(|word| word.parse().ok())
            .collect()
    }

    #[test]
    fn a_round_trip_is_entered_and_taken_back_point_by_point() -> Result<(), LegError> {
        let start: Position = "5/5/1b3/b1b2/wb3 w".parse().unwrap_or(Position::start());
        let mut game = LegGame::new(start, 0);
        assert_eq!(game.next_points(), points("a1").into_iter().collect());
        assert_eq!(game.push(Point::at(0, 0))?, None);
        assert_eq!(game.next_points(), points("a3 c1").into_iter().collect());
        assert!(game.push(Point::at(2, 2)).is_err());
        for point in points("a3 c3 c1") {
            assert_eq!(game.push(point)?, None);
        }
        assert_eq!(game.stones(Side::Black), points("b1").into_iter().collect());
        assert_eq!(game.stones(Side::White), points("c1").into_iter().collect());
        assert!(game.push(Point::at(0, 0))?.is_some());
        assert!(matches!(game.push(Point::at(0, 0)), Err(LegError::Over(_))));
        let mut left = 0;
        while game.pop() {
            left += 1;
        }
        assert_eq!((left, game.stones(Side::Black).len()), (5, 4));
        Ok(())
    }
}
