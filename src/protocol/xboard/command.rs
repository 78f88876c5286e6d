//! The commands of XBoard.

use std::time::Duration;

use crate::rules::Point;

/// A command of XBoard. What is not here is unknown to the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// Accepted and without effect.
    Ignore,
    /// `protover`: say what you can do.
    Features,
    New,
    Variant(String),
    Quit,
    Force,
    Go,
    PlayOther,
    Move(String),
    MoveNow,
    Ping(String),
    Draw,
    /// The game is over, for whatever reason.
    Result,
    SetBoard(String),
    Hint,
    /// Take back this many moves of XBoard.
    Undo(usize),
    Ponder(bool),
    Post(bool),
    Analyze(bool),
    /// `.`: tell how the analysis goes.
    Status,
    Level(Level),
    /// Time for each move.
    MoveTime(Duration),
    /// Depth of each search; 0 is no limit.
    Depth(u32),
    /// Time left for the engine.
    Time(Duration),
    /// The other side is a program too.
    Computer,
    Memory(String),
    Cores(String),
    SetOption(String),
    /// The user took up the stone on this point.
    Lift(Point),
    /// The user put it down there, or points at a victim.
    Put(Point),
    /// The pointer is above this point.
    Hover(Point),
}

/// A time control: moves for that time (0: the whole game), time, increment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Level {
    pub moves: u32,
    pub base: Duration,
    pub increment: Duration,
}

/// Why a line was not understood, in XBoard's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    Unknown,
    /// What a command needs.
    Needs(&'static str),
}

/// The longest time taken, in seconds.
const MAX_SECONDS: f64 = 1e9;

impl Command {
    /// Reads a line; `None` if it is blank.
    pub(super) fn parse(line: &str) -> Option<Result<Command, Failure>> {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        (!name.is_empty()).then(|| Command::from_words(name, rest.trim()))
    }

    fn from_words(name: &str, rest: &str) -> Result<Command, Failure> {
        let number = |needs: &'static str| rest.parse().map_err(|_| Failure::Needs(needs));
        Ok(match name {
            "xboard" | "accepted" | "rejected" | "random" | "name" | "rating" | "ics" | "bk"
            | "white" | "black" | "otim" | "nps" | "egtpath" | "pause" | "resume" => {
                Command::Ignore
            }
            "protover" => Command::Features,
            "new" => Command::New,
            "variant" => Command::Variant(rest.to_owned()),
            "quit" => Command::Quit,
            "force" => Command::Force,
            "go" => Command::Go,
            "playother" => Command::PlayOther,
            "usermove" => Command::Move(rest.to_owned()),
            "?" => Command::MoveNow,
            "ping" => Command::Ping(rest.to_owned()),
            "draw" => Command::Draw,
            "result" => Command::Result,
            "setboard" => Command::SetBoard(rest.to_owned()),
            "hint" => Command::Hint,
            "undo" => Command::Undo(1),
            "remove" => Command::Undo(2),
            "hard" => Command::Ponder(true),
            "easy" => Command::Ponder(false),
            "post" => Command::Post(true),
            "nopost" => Command::Post(false),
            "analyze" => Command::Analyze(true),
            "exit" => Command::Analyze(false),
            "." => Command::Status,
            "level" => Command::Level(level(rest)?),
            "st" => Command::MoveTime(seconds(rest, 1.0).ok_or(Failure::Needs("seconds"))?),
            "sd" => Command::Depth(number("a depth")?),
            "time" => {
                // A clock that has run out may be sent as a negative number.
                let text = if rest.starts_with('-') { "0" } else { rest };
                Command::Time(seconds(text, 0.01).ok_or(Failure::Needs("hundredths of a second"))?)
            }
            "computer" => Command::Computer,
            "memory" => Command::Memory(rest.to_owned()),
            "cores" => Command::Cores(rest.to_owned()),
            "option" => Command::SetOption(rest.to_owned()),
            "lift" => Command::Lift(point(rest)?),
            "put" => Command::Put(point(rest)?),
            "hover" => Command::Hover(point(rest)?),
            _ => return Err(Failure::Unknown),
        })
    }
}

fn point(text: &str) -> Result<Point, Failure> {
    text.parse().map_err(|_| Failure::Needs("a point"))
}

/// A number of units, each so many seconds long.
fn seconds(text: &str, unit: f64) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    let seconds = number * unit;
    (0.0..=MAX_SECONDS)
        .contains(&seconds)
        .then(|| Duration::from_secs_f64(seconds))
}

/// Reads `MOVES MINUTES[:SECONDS] INCREMENT`.
fn level(text: &str) -> Result<Level, Failure> {
    const NEEDS: Failure = Failure::Needs("moves, minutes[:seconds] and increment");
    let words: Vec<&str> = text.split_whitespace().collect();
    let [moves, base, increment] = words.as_slice() else {
        return Err(NEEDS);
    };
    let (minutes, rest) = base.split_once(':').unwrap_or((base, "0"));
    let base = seconds(minutes, 60.0)
        .zip(seconds(rest, 1.0))
        .ok_or(NEEDS)?;
    Ok(Level {
        moves: moves.parse().map_err(|_| NEEDS)?,
        base: base.0 + base.1,
        increment: seconds(increment, 1.0).ok_or(NEEDS)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read() {
        let level = |text: &str| match Command::parse(text) {
            Some(Ok(Command::Level(level))) => Some((
                level.moves,
                level.base.as_secs(),
                level.increment.as_millis(),
            )),
            _ => None,
        };
        assert_eq!(level("level 40 5 0"), Some((40, 300, 0)));
        assert_eq!(level("level 0 0:30 12"), Some((0, 30, 12_000)));
        assert_eq!(level("level 0 2 0.5"), Some((0, 120, 500)));
        for wrong in [
            "level",
            "level 40 5",
            "level x 5 0",
            "level 0 -1 0",
            "level 0 1e99 0",
            "level 0 NaN 0",
        ] {
            assert!(
                matches!(Command::parse(wrong), Some(Err(Failure::Needs(_)))),
                "{wrong}"
            );
        }
        assert_eq!(
            Command::parse("time -5"),
            Some(Ok(Command::Time(Duration::ZERO)))
        );
        assert_eq!(Command::parse(" \r"), None);
        assert_eq!(Command::parse("nonsense"), Some(Err(Failure::Unknown)));
    }
}
