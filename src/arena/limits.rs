//! What an engine may spend on a move, and its clock.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Time for a number of moves or for the whole game, and an increment a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// Moves after which the time is added again; `None`: the time is for the whole game.
    pub moves: Option<u32>,
    /// The time.
    pub time: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// Why a text is no time control.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is no time control; write [MOVES/]SECONDS[+INCREMENT], as in 10+0.1 or 40/60")]
pub struct ParseTimeError(String);

impl FromStr for TimeControl {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<TimeControl, ParseTimeError> {
        let error = || ParseTimeError(text.to_owned());
        let (moves, rest) = match text.split_once('/') {
            None => (None, text),
            Some((moves, rest)) => (Some(moves.parse().map_err(|_| error())?), rest),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let seconds = |text: &str| {
            let number: f64 = text.parse().map_err(|_| error())?;
            let sane = (0.0..=1e7).contains(&number);
            sane.then(|| Duration::from_secs_f64(number))
                .ok_or_else(error)
        };
        let control = TimeControl {
            moves,
            time: seconds(time)?,
            increment: seconds(increment)?,
        };
        let playable = control.time > Duration::ZERO && control.moves != Some(0);
        playable.then_some(control).ok_or_else(error)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if self.increment > Duration::ZERO {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl TryFrom<String> for TimeControl {
    type Error = ParseTimeError;

    fn try_from(text: String) -> Result<TimeControl, ParseTimeError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

/// What an engine may spend on a move; several limits hold together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MoveLimits {
    /// A clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tc: Option<TimeControl>,
    /// Milliseconds a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Nodes a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl MoveLimits {
    /// Whether there is any limit.
    pub fn is_some(&self) -> bool {
        *self != MoveLimits::default()
    }

    /// The text of the PGN tag `TimeControl`.
    pub fn pgn(&self) -> String {
        match (self.tc, self.movetime) {
            (Some(tc), _) => tc.to_string(),
            // The standard has no word for a fixed time a move; "1 move in that time" says it.
            (_, Some(ms)) => format!("1/{}", ms as f64 / 1000.0),
            _ => "-".to_owned(),
        }
    }
}

impl fmt::Display for MoveLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.tc.map(|tc| tc.to_string()),
            self.movetime.map(|ms| format!("{ms} ms/move")),
            self.nodes.map(|nodes| format!("{nodes} nodes/move")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(", "))
    }
}

/// The clock of one side during a game.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    moves_left: Option<u32>,
}

impl Clock {
    /// A clock that has not run yet.
    pub fn new(control: TimeControl) -> Clock {
        Clock {
            control,
            left: control.time,
            moves_left: control.moves,
        }
    }

    /// Time left, never negative.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Milliseconds to tell an engine: at least 1, since 0 means "no clock" to some.
    pub fn left_millis(&self) -> u128 {
        self.left.as_millis().max(1)
    }

    /// Milliseconds added after each move.
    pub fn increment_millis(&self) -> u128 {
        self.control.increment.as_millis()
    }

    /// Moves to the next time control.
    pub fn moves_left(&self) -> Option<u32> {
        self.moves_left
    }

    /// Takes a move's time off the clock. False if the flag fell: more than `margin` over.
    pub fn spend(&mut self, used: Duration, margin: Duration) -> bool {
        if used > self.left + margin {
            self.left = Duration::ZERO;
            return false;
        }
        self.left = self.left.saturating_sub(used) + self.control.increment;
        self.moves_left = self.moves_left.map(|moves| moves - 1);
        if self.moves_left == Some(0) {
            self.moves_left = self.control.moves;
            self.left += self.control.time;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["10+0.1", "40/60", "40/60+0.5", "1", "0.05"] {
            let control: Result<TimeControl, _> = text.parse();
            assert_eq!(control.map(|c| c.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "", "x", "0", "-1", "10+", "10+-1", "0/5", "1e300", "nan", "+1", "10+0.1+1",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_gains_what_the_control_says() {
        let mut clock = Clock::new("2/1+0.1".parse().expect("a time control"));
        assert!(clock.spend(400 * MS, MS));
        assert_eq!((clock.left(), clock.moves_left()), (700 * MS, Some(1)));
        assert!(clock.spend(700 * MS, MS));
        assert_eq!((clock.left(), clock.moves_left()), (1100 * MS, Some(2)));
    }

    #[test]
    fn the_flag_falls_after_the_margin_and_no_clock_is_negative() {
        let mut clock = Clock::new("1".parse().expect("a time control"));
        assert!(clock.spend(1010 * MS, 10 * MS));
        assert_eq!(clock.left(), Duration::ZERO);
        assert_eq!(clock.left_millis(), 1);
        assert!(!clock.spend(11 * MS, 10 * MS));
        assert_eq!(clock.left(), Duration::ZERO);
    }
}
