//! The moves of a session: those of the user, of the engine, taken back, and in parts.

use std::io::{self, Write};

use super::hand::Hand;
use super::notation::{MAX_VICTIMS, PASS, marks, parse_move, write_move};
use super::session::{Mode, Session};
use crate::protocol::leg_game::LegGame;
use crate::protocol::reply::{printable, short};
use crate::rules::{Move, Outcome, Point, Side};

impl<W: Write> Session<'_, W> {
    pub(super) fn user_move(&mut self, text: &str) -> io::Result<()> {
        if self.plan.is_some() {
            // Whatever came is the pass between two parts of an own move.
            self.plies.push(0);
            return self.send_next();
        }
        let own = self.mode == Mode::Play(self.game.side());
        if own {
            return self.error("command not legal now, it is the engine's turn", text);
        }
        if text == PASS && !self.game.path().is_empty() {
            self.plies.push(0);
            return Ok(());
        }
        match self.play(text) {
            Ok(mv) => self.after_user_move(mv),
            Err(reason) => {
                let text = printable(&short(text));
                self.say(format!("Illegal move ({reason}): {text}"))
            }
        }
    }

    /// Plays the points of a move of XBoard; gives the whole move if that finishes it.
    fn play(&mut self, text: &str) -> Result<Option<Move>, String> {
        let path = parse_move(text).map_err(|error| error.to_string())?;
        let mut points = path.as_slice();
        if let (Some(&last), [first, rest @ ..]) = (self.game.path().last(), points) {
            if last != *first {
                return Err(format!("the stone on {last} must go on"));
            }
            points = rest;
        }
        let before = self.game.clone();
        let mut played = None;
        for &point in points {
            match self.game.push(point) {
                Ok(mv) => played = mv,
                Err(error) => {
                    self.game = before;
                    return Err(error.to_string());
                }
            }
        }
        let victims = path.len() - 1;
        if played.is_none() && victims < MAX_VICTIMS {
            self.game = before;
            return Err("the chain must go on".to_owned());
        }
        self.plies.push(points.len());
        Ok(played)
    }

    fn after_user_move(&mut self, mv: Option<Move>) -> io::Result<()> {
        self.hand = Hand::default();
        let Some(mv) = mv else {
            // The person goes on with the next move of XBoard; the engine passes meanwhile.
            if let Mode::Play(_) = self.mode {
                self.plies.push(0);
                return self.say(format!("move {PASS}"));
            }
            return Ok(());
        };
        if self.game.outcome().is_none() && self.ponder_hit(mv) {
            return self.settle();
        }
        self.abort();
        self.tell_result()?;
        self.carry_on()
    }

    /// Makes an own move and sends it, or its first part.
    pub(super) fn make(&mut self, mv: Move) -> io::Result<()> {
        self.plan = Some(mv);
        self.send_next()
    }

    /// Sends the next part of the own move.
    fn send_next(&mut self) -> io::Result<()> {
        let Some(mv) = self.plan else {
            return Ok(());
        };
        let done = self.game.path().len();
        let from = done.saturating_sub(1);
        let to = (from + MAX_VICTIMS).min(mv.path().len() - 1);
        let part = &mv.path()[from..=to];
        let mut finished = false;
        for &point in &mv.path()[done..=to] {
            finished = matches!(self.game.push(point), Ok(Some(_)));
        }
        self.plies.push(to + 1 - done);
        self.say(format!("move {}", write_move(part, mv.is_capture())))?;
        if !finished {
            return match self.computer {
                true => Ok(()),
                false => self.pass_for_the_user(),
            };
        }
        self.plan = None;
        self.tell_result()?;
        self.pings_out()?;
        self.carry_on()
    }

    /// Makes XBoard pass for its user, between two parts of a long chain: one of the user's stones
    /// is clicked, led over an empty point and back.
    fn pass_for_the_user(&mut self) -> io::Result<()> {
        let user = self.game.side().other();
        let stones = self.game.stones(user);
        let empty = !(stones | self.game.stones(self.game.side()));
        let (Some(stone), Some(gap)) = (stones.into_iter().next(), empty.into_iter().next()) else {
            return Ok(());
        };
        let mark = |letter: char, point: Point| marks(&[(letter, point.bit())]);
        self.say(format!("click {stone}"))?;
        self.say(format!("highlight {}", mark('C', gap)))?;
        self.say(format!("click {gap}"))?;
        self.say(format!("highlight {}", mark('Y', stone)))?;
        self.say(format!("click {stone}"))
    }

    /// Tells XBoard how the game has ended, if it has.
    pub(super) fn tell_result(&mut self) -> io::Result<()> {
        let Some(outcome) = self.game.outcome() else {
            return Ok(());
        };
        let result = match outcome {
            Outcome::Win(Side::White, _) => "1-0",
            Outcome::Win(Side::Black, _) => "0-1",
            Outcome::Draw(_) => "1/2-1/2",
        };
        self.say(format!("{result} {{{outcome}}}"))
    }

    pub(super) fn undo(&mut self, count: usize, line: &str) -> io::Result<()> {
        if self.is_thinking() {
            return self.error("command not legal now, the engine is thinking", line);
        }
        if self.plies.len() < count {
            return self.error("nothing to take back", line);
        }
        self.abort();
        for points in self.plies.split_off(self.plies.len() - count) {
            for _ in 0..points {
                self.game.pop();
            }
        }
        self.plan = None;
        self.expected = None;
        self.hand = Hand::default();
        match self.mode {
            Mode::Analyse => self.carry_on(),
            // XBoard says go, or moves.
            _ => Ok(()),
        }
    }

    pub(super) fn touch(
        &mut self,
        how: fn(&mut Hand, &LegGame, Point) -> Option<String>,
        point: Point,
    ) -> io::Result<()> {
        // The engine's own clicks come back too.
        if self.plan.is_some() || self.mode == Mode::Play(self.game.side()) {
            return Ok(());
        }
        match how(&mut self.hand, &self.game, point) {
            Some(marks) => self.say(format!("highlight {marks}")),
            None => Ok(()),
        }
    }
}
