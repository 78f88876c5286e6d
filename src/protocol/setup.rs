//! A game as one line of text: where it starts and the moves made. Files of positions and of
//! openings, and arguments of the command line are read with it.

use std::str::FromStr;

use crate::rules::{Move, ParsePositionError, Position};

/// A starting position and moves from there, which are not looked at yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Where the game starts.
    pub position: Position,
    /// The moves, as they are written.
    pub moves: Vec<String>,
}

impl FromStr for Setup {
    type Err = ParsePositionError;

    /// Reads `[startpos | [fen] POSITION] [moves] MOVE...`, with `position` before it as in the
    /// protocol's command if so wished. Without a position the game starts at the start.
    fn from_str(text: &str) -> Result<Setup, ParsePositionError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let words = words.strip_prefix(&["position"]).unwrap_or(&words);
        let (position, moves) = match words {
            ["startpos", rest @ ..] => (Position::start(), rest),
            ["fen", rest @ ..] => position(rest)?,
            [first, ..] if first.contains('/') => position(words)?,
            _ => (Position::start(), words),
        };
        let moves = moves.strip_prefix(&["moves"]).unwrap_or(moves);
        Ok(Setup {
            position,
            moves: moves.iter().map(|&word| word.to_owned()).collect(),
        })
    }
}

/// Reads a position up to the first move, and gives what is left.
fn position<'a, 'b>(words: &'a [&'b str]) -> Result<(Position, &'a [&'b str]), ParsePositionError> {
    let is_move = |word: &&str| *word == "moves" || word.parse::<Move>().is_ok();
    let end = words.iter().position(is_move).unwrap_or(words.len());
    Ok((words[..end].join(" ").parse()?, &words[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_game_is_read() -> Result<(), ParsePositionError> {
        let black = "bbbbb/bbbbb/bbwww/ww1ww/wwwww b 1 1";
        for (text, start, moves) in [
            ("", Position::start(), &[][..]),
            ("startpos", Position::start(), &[]),
            ("c2c3 c4c2", Position::start(), &["c2c3", "c4c2"]),
            ("position startpos moves c2c3", Position::start(), &["c2c3"]),
            (black, black.parse()?, &[]),
            (
                "fen 5/4b/4w/5/w4 w e3e5",
                "5/4b/4w/5/w4 w".parse()?,
                &["e3e5"],
            ),
            (
                "5/4b/4w/5/w4 w 3 4 moves e3e5",
                "5/4b/4w/5/w4 w 3 4".parse()?,
                &["e3e5"],
            ),
        ] {
            let setup: Setup = text.parse()?;
            assert_eq!(
                (setup.position, setup.moves),
                (start, moves.iter().map(|m| m.to_string()).collect()),
                "{text}"
            );
        }
        assert!("5/4b/4w/5/w4 w 3 4 zz".parse::<Setup>().is_err());
        assert!("fen".parse::<Setup>().is_err());
        Ok(())
    }
}
