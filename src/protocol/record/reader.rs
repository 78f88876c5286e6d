//! Reading games: tags, moves, comments, marks.

use std::fmt;

use super::{Record, RecordError, RecordMove};
use crate::rules::{Game, Move, Position};

/// What may stand at the end of a game.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Reads all games of a text.
pub(super) fn read(text: &str) -> Result<Vec<Record>, RecordError> {
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
        let Some(end) = tag_end(self.text) else {
            return self.error("a tag is not closed by ']'");
        };
        let text = &self.take(end + 1)[1..end];
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
            Some((name.to_owned(), unescaped(value)))
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

/// Where the bracket is that closes a tag; one between quotes does not.
fn tag_end(text: &str) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ']' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

/// The value of a tag without the backslashes before quotes and backslashes.
fn unescaped(value: &str) -> String {
    let mut text = String::new();
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        text.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    text
}
