//! Records of games in the shape of PGN: tags in brackets, numbered moves, comments in braces.
//!
//! Moves are written as paths. `protocol.md` describes the format.

mod reader;

use std::fmt;

use thiserror::Error;

use crate::rules::{Move, Position, Side};

/// The longest line that is written.
const WIDTH: usize = 80;
/// A game with everything that was noted about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Names and values of the tags, in order.
    pub tags: Vec<(String, String)>,
    /// Where the game started: the tag `FEN`, or the starting position.
    pub start: Position,
    /// The moves; all are legal.
    pub moves: Vec<RecordMove>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// A move of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordMove {
    /// The move.
    pub mv: Move,
    /// A judgement by its number in PGN (`$2` is a mistake), if there is one.
    pub mark: Option<u32>,
    /// What is said about it; empty if nothing is.
    pub comment: String,
}

/// What is wrong with a file of records.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

impl Record {
    /// Reads all games of a text. Variations in parentheses are left out.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line.
    pub fn parse_all(text: &str) -> Result<Vec<Record>, RecordError> {
        reader::read(text)
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(tag, _)| tag == name);
        found.map(|(_, value)| value.as_str())
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        writeln!(f)?;
        let mut column = 0;
        for word in self.words() {
            let len = word.chars().count();
            if column > 0 && column + 1 + len > WIDTH {
                writeln!(f)?;
                column = 0;
            }
            if column > 0 {
                write!(f, " ")?;
                column += 1;
            }
            write!(f, "{word}")?;
            column += len;
        }
        writeln!(f)
    }
}

impl Record {
    /// The words of the moves, comments and the result, which lines are made of.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut position = self.start;
        let mut interrupted = true;
        for RecordMove { mv, mark, comment } in &self.moves {
            let number = position.move_number();
            match position.side() {
                Side::White => words.push(format!("{number}.")),
                Side::Black if interrupted => words.push(format!("{number}...")),
                Side::Black => {}
            }
            words.push(mv.to_string());
            words.extend(mark.map(|mark| format!("${mark}")));
            interrupted = !comment.is_empty();
            if interrupted {
                // A brace would end it early; it can come from a comment after a semicolon.
                let text = format!("{{{}}}", comment.replace('}', ")"));
                words.extend(text.split_whitespace().map(str::to_owned));
            }
            position = position.after(mv.effect());
        }
        words.push(self.result.clone());
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;

    use proptest::prelude::*;

    /// A game of random legal moves with anything noted about them.
    fn record() -> impl Strategy<Value = Record> {
        let tags = prop::collection::vec(("[A-Z][a-z]{0,8}", "[ -~]{0,20}"), 0..4);
        let notes = prop::collection::vec(
            (
                any::<prop::sample::Index>(),
                prop::option::of(1..140u32),
                "[ -|~]{0,20}",
            ),
            0..30,
        );
        (tags, notes).prop_map(|(tags, notes)| {
            let mut game = Game::new(Position::start(), 0);
            let mut moves = Vec::new();
            for (choice, mark, comment) in notes {
                let legal = game.position().board().moves();
                if game.outcome().is_some() {
                    break;
                }
                let mv = legal[choice.index(legal.len())];
                if game.play(mv).is_ok() {
                    let words: Vec<&str> = comment.split_whitespace().collect();
                    let comment = words.join(" ");
                    moves.push(RecordMove { mv, mark, comment });
                }
            }
            let tags = tags.into_iter().filter(|(name, _)| name != "FEN").collect();
            let (start, result) = (Position::start(), "1/2-1/2".to_owned());
            Record {
                tags,
                start,
                moves,
                result,
            }
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(record in record()) {
            let text = record.to_string();
            prop_assert!(text.lines().all(|line| line.len() <= WIDTH || line.starts_with('[')));
            prop_assert_eq!(Record::parse_all(&text), Ok(vec![record]), "{}", text);
        }

        #[test]
        fn any_text_is_a_game_or_an_error(text in "([\\[\\](){};$\"\\\\ \n.é]|c2c3|c4c2|1-0|[a-e][1-5]|FEN|.){0,40}") {
            let _ = Record::parse_all(&text);
        }
    }

    const TEXT: &str = "[Event \"Test\"]\n[White \"A\"]\n\n1. c2c3 {+0.10/12 0.05s} c4c2!? $6 2. c1c3 (2. a1a2 (x)) 1-0\n\n\
        [FEN \"5/4b/4w/5/w4 b 0 7\"]\n; a remark\n7... e4e2 *\n";

    #[test]
    fn games_are_read_and_written() -> Result<(), RecordError> {
        let records = Record::parse_all(TEXT)?;
        assert_eq!(records.len(), 2);
        assert_eq!(records[0].tag("White"), Some("A"));
        assert_eq!(records[0].moves.len(), 3);
        assert_eq!(records[0].moves[0].comment, "+0.10/12 0.05s");
        assert_eq!(records[0].moves[1].mark, Some(6));
        assert_eq!(records[0].result, "1-0");
        let second = "[FEN \"5/4b/4w/5/w4 b 0 7\"]\n\n7... e4e2 *\n";
        assert_eq!(records[1].to_string(), second);
        for record in records {
            assert_eq!(Record::parse_all(&record.to_string())?, [record]);
        }
        Ok(())
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, line, words) in [
            ("1. c2c3\nc4c3", 2, "illegal move c4c3"),
            ("[FEN \"5/5 w\"]\n\n1. c2c3 *", 3, "2 ranks"),
            ("\n\n[White]", 3, "is not a tag"),
            ("1. c2c3 {never ends", 1, "not closed by '}'"),
            ("1. c2c3 (never ends", 1, "not closed by ')'"),
            ("1. e4", 1, "'e4' is not a move"),
            ("]", 1, "is not a move"),
        ] {
            let error = Record::parse_all(text).expect_err(text);
            assert_eq!(error.line, line, "{text}");
            assert!(error.reason.contains(words), "{text}: {error}");
        }
        assert_eq!(Record::parse_all(""), Ok(Vec::new()));
    }
}
