//! Reads games in PGN shape, one at a time, whoever wrote them.

use std::io::{self, BufRead};

/// A game as it stands in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PgnGame {
    /// The line of its first tag or move, from 1.
    pub(super) line: usize,
    tags: Vec<(String, String)>,
    /// Moves without numbers, comments and variations.
    pub(super) moves: Vec<String>,
    /// The result after the moves; empty if there is none.
    pub(super) result: String,
}

impl PgnGame {
    /// The value of a tag.
    pub(super) fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && self.result.is_empty()
    }
}

/// Reads games from lines.
pub(super) struct PgnReader<R> {
    input: R,
    number: usize,
    /// A line that belongs to the next game.
    ahead: Option<String>,
    in_comment: bool,
    variations: usize,
}

impl<R: BufRead> PgnReader<R> {
    pub(super) fn new(input: R) -> PgnReader<R> {
        PgnReader {
            input,
            number: 0,
            ahead: None,
            in_comment: false,
            variations: 0,
        }
    }

    /// The next game, or `None` at the end.
    pub(super) fn next_game(&mut self) -> io::Result<Option<PgnGame>> {
        let mut game = PgnGame::default();
        (self.in_comment, self.variations) = (false, 0);
        while let Some(line) = self.next_line()? {
            let text = line.trim();
            let tag = text.starts_with('[') && !self.in_comment;
            if tag && !(game.moves.is_empty() && game.result.is_empty()) {
                // A game without a result ends where the next begins.
                self.ahead = Some(line);
                break;
            }
            if game.is_empty() {
                game.line = self.number;
            }
            if tag {
                game.tags.extend(parse_tag(text));
            } else if !text.starts_with('%') {
                self.take_moves(text, &mut game);
            }
            if !game.result.is_empty() {
                break;
            }
        }
        Ok((!game.is_empty()).then_some(game))
    }

    fn next_line(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.ahead.take() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        let count = self.input.read_until(b'\n', &mut bytes)?;
        self.number += 1;
        Ok((count > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn take_moves(&mut self, text: &str, game: &mut PgnGame) {
        let mut word = String::new();
        for c in text.chars().chain([' ']) {
            if self.in_comment {
                self.in_comment = c != '}';
                continue;
            }
            if !c.is_whitespace() && !matches!(c, '{' | '(' | ')' | ';') {
                word.push(c);
                continue;
            }
            self.take_word(&std::mem::take(&mut word), game);
            match c {
                '{' => self.in_comment = true,
                '(' => self.variations += 1,
                ')' => self.variations = self.variations.saturating_sub(1),
                ';' => return,
                _ => {}
            }
        }
    }

    fn take_word(&mut self, word: &str, game: &mut PgnGame) {
        if self.variations > 0 || word.is_empty() || word.starts_with('$') {
            return;
        }
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            word.clone_into(&mut game.result);
            return;
        }
        // `12.` and `12...` stand alone or before the move.
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let word = match digits.starts_with('.') {
            true => digits.trim_start_matches('.'),
            false => word,
        };
        if !word.is_empty() {
            game.moves.push(word.to_owned());
        }
    }
}

/// Reads `[Name "value"]`.
fn parse_tag(text: &str) -> Option<(String, String)> {
    let inner = text.strip_prefix('[')?.trim_end().strip_suffix(']')?;
    let (name, value) = inner.split_once(' ')?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
    Some((name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str) -> Vec<PgnGame> {
        let mut reader = PgnReader::new(text.as_bytes());
        let next = || reader.next_game().expect("memory can be read");
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn a_foreign_game_is_read() {
        let text = "\u{feff}[White \"A \\\"x\\\"\"]\r\n[Black \"B\"]\r\n\r\n1. c2c3 {a comment\r\n\
                    [no tag] over lines} c4c2 $1 2.b1c1 ; the rest\r\n(2. d2c2 {x}) 2... d4d2 1-0\r\n\r\n\
                    [White \"C\"]\n\n*\n";
        let found = games(text.trim_start_matches('\u{feff}'));
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].tag("White"), Some("A \"x\""));
        assert_eq!(found[0].moves, ["c2c3", "c4c2", "b1c1", "d4d2"]);
        assert_eq!(found[0].result, "1-0");
        assert_eq!((found[1].line, found[1].result.as_str()), (8, "*"));
    }

    #[test]
    fn a_game_without_result_ends_where_the_next_begins() {
        let found = games("[White \"A\"]\n\n1. c2c3\n\n[White \"B\"]\n\n1. b2c3 0-1\n");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].result, "");
        assert_eq!(found[1].moves, ["b2c3"]);
    }
}
