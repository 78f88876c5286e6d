//! Checks what engines say: announced wins must come, expected lines must be legal.

use super::record::{Note, NoteKind};
use crate::arena::engine::{Score, Thought};
use crate::rules::{Board, Move, Outcome, Position, Side};

/// Announcements of one side in a game.
#[derive(Default)]
pub(super) struct Claims {
    /// Ply and moves of each announced win.
    wins: Vec<(usize, u32)>,
    illegal: Option<(usize, String)>,
}

impl Claims {
    /// Looks at a thought about `position`, before `ply`.
    pub(super) fn heard(&mut self, position: &Position, ply: usize, thought: &Thought) {
        if let Some(Score::Mate(moves)) = thought.score
            && moves > 0
        {
            self.wins.push((ply, moves.unsigned_abs()));
        }
        if self.illegal.is_none() {
            let why = illegal_line(position.board(), &thought.pv);
            self.illegal = why.map(|why| (ply, why));
        }
    }

    /// The statements that were wrong, one of each kind. `outcome` is how the game ended on the
    /// board, if it did.
    pub(super) fn notes(
        self,
        engine: &str,
        side: Side,
        plies: usize,
        outcome: Option<Outcome>,
    ) -> Vec<Note> {
        let note = |kind, ply, text| Note {
            engine: engine.to_owned(),
            kind,
            ply,
            text,
        };
        let won = matches!(outcome, Some(Outcome::Win(winner, _)) if winner == side);
        let broken = |&(ply, moves): &(usize, u32)| {
            let due = ply + 2 * moves as usize - 1;
            // A game that was broken off before that says nothing.
            plies > due || (outcome.is_some() && !won)
        };
        let broken_win = self.wins.into_iter().find(broken).map(|(ply, moves)| {
            let text = format!("announced a win in {moves}, the game took {plies} plies in all");
            note(NoteKind::BrokenWinClaim, ply, text)
        });
        let illegal = self
            .illegal
            .map(|(ply, text)| note(NoteKind::IllegalLine, ply, text));
        broken_win.into_iter().chain(illegal).collect()
    }
}

/// What is wrong with a line of moves, if anything. Draws do not end it: an engine may look on.
fn illegal_line(mut board: Board, line: &[String]) -> Option<String> {
    for (index, text) in line.iter().enumerate() {
        let checked = text
            .parse::<Move>()
            .map_err(|e| e.to_string())
            .and_then(|mv| {
                let checked = mv.check(board).map_err(|e| e.to_string());
                checked.map(|()| mv)
            });
        match checked {
            Ok(mv) => board = board.after(mv.effect()),
            Err(why) => {
                let text: String = text.chars().take(40).collect();
                return Some(format!("move {} of its line, {text}: {why}", index + 1));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::WinReason;

    fn mate(moves: i32) -> Thought {
        Thought {
            score: Some(Score::Mate(moves)),
            ..Thought::default()
        }
    }

    fn broken(thought: Thought, plies: usize, outcome: Option<Outcome>) -> bool {
        let mut claims = Claims::default();
        claims.heard(&Position::start(), 10, &thought);
        !claims.notes("A", Side::White, plies, outcome).is_empty()
    }

    #[test]
    fn a_win_in_two_takes_at_most_three_plies() {
        let won = Some(Outcome::Win(Side::White, WinReason::NoMove));
        let lost = Some(Outcome::Win(Side::Black, WinReason::NoMove));
        assert!(!broken(mate(2), 13, won));
        assert!(!broken(mate(2), 11, won), "sooner is no fault");
        assert!(broken(mate(2), 15, won), "won, but too late");
        assert!(broken(mate(2), 12, lost));
        assert!(!broken(mate(2), 13, None), "broken off in time");
        assert!(broken(mate(2), 14, None), "broken off too late");
        assert!(!broken(mate(-2), 30, won), "only announced wins are claims");
    }

    #[test]
    fn lines_are_checked_move_by_move() {
        let line = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let start = Position::start().board();
        assert_eq!(illegal_line(start, &line("c2c3 c4c2")), None);
        let why = illegal_line(start, &line("c2c3 c4c2 c2c3"));
        assert!(why.is_some_and(|w| w.contains("move 3 of its line, c2c3")));
        assert!(illegal_line(start, &line("c2c3 0000")).is_some());
    }
}
