//! Records of games in the shape of PGN: tags in brackets, numbered moves, comments in braces.
//!
//! Moves are written as paths. `protocol.md` describes the format.

use std::fmt;

use thiserror::Error;

use crate::rules::{Game, Move, Position, Side};

/// The longest line that is written.
const WIDTH: usize = 80;
/// What may stand at the end of a game.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

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
        let mut reader = Reader {
            text,
            line: 1,
            draft: None,
            records: Vec::new(),
        };
        while reader.step()? {}
        reader.end("*");
        Ok(reader.records)
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(tag, _)| tag == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// A game that is being read.
struct Draft {
    tags: Vec<(String, String)>,
    /// Set when the tags are over.
    game: Option<(Position, Game)>,
    moves: Vec<RecordMove>,
}

struct Reader<'a> {
    text: &'a str,
    line: usize,
    draft: Option<Draft>,
    records: Vec<Record>,
}

impl<'a> Reader<'a> {
    fn error<T>(&self, reason: impl fmt::Display) -> Result<T, RecordError> {
        Err(RecordError {
            line: self.line,
            reason: reason.to_string(),
        })
    }

    /// Takes so many bytes off the text.
    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.text.split_at(len);
        self.line += taken.matches('\n').count();
        self.text = rest;
        taken
    }

    /// Takes up to and with `end`, which it leaves out.
    fn take_until(&mut self, end: char, what: &str) -> Result<&'a str, RecordError> {
        match self.text.find(end) {
            None => self.error(format!("{what} is not closed by '{end}'")),
            Some(at) => Ok(&self.take(at + end.len_utf8())[..at]),
        }
    }

    /// Reads one thing; says whether there was one.
    fn step(&mut self) -> Result<bool, RecordError> {
        let blank = self.text.len() - self.text.trim_start().len();
        self.take(blank);
        match self.text.chars().next() {
            None => return Ok(false),
            Some('[') => self.tag()?,
            Some('{') => {
                self.take(1);
                let text = self.take_until('}', "a comment")?;
                self.comment(text);
            }
            Some(';') => {
                let end = self.text.find('\n').unwrap_or(self.text.len());
                let text = self.take(end);
                self.comment(&text[1..]);
            }
            Some('(') => self.variation()?,
            Some(_) => {
                let is_end = |c: char| c.is_whitespace() || "{}();[]".contains(c);
                let end = self.text.find(is_end).unwrap_or(self.text.len());
                // A closing bracket alone would never be passed.
                let word = self.text.split_at(end.max(1).min(self.text.len())).0;
                self.word(word)?;
                self.take(word.len());
            }
        }
        Ok(true)
    }

    fn draft(&mut self) -> &mut Draft {
        self.draft.get_or_insert_with(|| Draft {
            tags: Vec::new(),
            game: None,
            moves: Vec::new(),
        })
    }

    fn tag(&mut self) -> Result<(), RecordError> {
        self.take(1);
        let text = self.take_until(']', "a tag")?;
        // A tag after moves begins another game.
        if self
            .draft
            .as_ref()
            .is_some_and(|draft| draft.game.is_some())
        {
            self.end("*");
        }
        let quoted = text.trim().split_once(char::is_whitespace);
        let value = quoted.and_then(|(name, value)| {
            let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
            Some((name.to_owned(), value.to_owned()))
        });
        let Some(tag) = value else {
            return self.error(format!("[{text}] is not a tag as in [White \"Anna\"]"));
        };
        self.draft().tags.push(tag);
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        if let Some(last) = self.draft().moves.last_mut() {
            if !last.comment.is_empty() {
                last.comment.push(' ');
            }
            last.comment += &words.join(" ");
        }
    }

    fn variation(&mut self) -> Result<(), RecordError> {
        let mut depth = 0usize;
        for (at, c) in self.text.char_indices() {
            depth = match c {
                '(' => depth + 1,
                ')' => depth - 1,
                _ => depth,
            };
            if depth == 0 {
                self.take(at + 1);
                return Ok(());
            }
        }
        self.error("a variation is not closed by ')'")
    }

    fn word(&mut self, word: &str) -> Result<(), RecordError> {
        if RESULTS.contains(&word) {
            self.begin()?;
            self.end(word);
            return Ok(());
        }
        if let Some(number) = word.strip_prefix('$') {
            let mark = number.parse().ok();
            if let Some(last) = self.draft().moves.last_mut() {
                last.mark = mark;
            }
            return Ok(());
        }
        let text = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let text = text.trim_end_matches(['!', '?']);
        if text.is_empty() {
            return Ok(());
        }
        let mv: Move = match text.parse() {
            Ok(mv) => mv,
            Err(error) => return self.error(error),
        };
        self.begin()?;
        let played = match &mut self.draft().game {
            Some((_, game)) => game.play(mv).map_err(|error| error.to_string()),
            None => Ok(()),
        };
        if let Err(reason) = played {
            return self.error(reason);
        }
        self.draft().moves.push(RecordMove {
            mv,
            mark: None,
            comment: String::new(),
        });
        Ok(())
    }

    /// The tags are over: sets up the position.
    fn begin(&mut self) -> Result<(), RecordError> {
        let draft = self.draft();
        if draft.game.is_some() {
            return Ok(());
        }
        let fen = draft.tags.iter().find(|(name, _)| name == "FEN");
        let start = match fen.map(|(_, text)| text.parse::<Position>()) {
            None => Position::start(),
            Some(Ok(position)) => position,
            Some(Err(error)) => return self.error(error),
        };
        draft.game = Some((start, Game::new(start, 0)));
        Ok(())
    }

    /// The game is over, or the text.
    fn end(&mut self, result: &str) {
        let Some(draft) = self.draft.take() else {
            return;
        };
        // Tags alone are no game.
        if let Some((start, _)) = draft.game {
            self.records.push(Record {
                tags: draft.tags,
                start,
                moves: draft.moves,
                result: result.to_owned(),
            });
        }
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
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
                let text = format!("{{{comment}}}");
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
