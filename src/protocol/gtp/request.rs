//! A line of the Go Text Protocol, and the form of its answer.

use crate::protocol::reply::{printable, short};
use crate::rules::{Point, Side};

/// A command with its number, if it has one, and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Request {
    pub id: Option<u64>,
    pub name: String,
    pub arguments: Vec<String>,
}

impl Request {
    /// Reads a line; `None` if there is nothing but a comment on it.
    pub(super) fn parse(line: &str) -> Option<Request> {
        let text = line.split('#').next().unwrap_or_default();
        let mut words = text.split_whitespace().peekable();
        let id = words.peek().and_then(|word| word.parse().ok());
        if id.is_some() {
            words.next();
        }
        Some(Request {
            id,
            name: words.next()?.to_owned(),
            arguments: words.map(str::to_owned).collect(),
        })
    }

    /// The answer in the protocol's form, ended by a blank line.
    pub(super) fn answer(&self, result: &Result<String, String>) -> String {
        let id = self.id.map_or(String::new(), |id| id.to_string());
        match result {
            Ok(text) if text.is_empty() => format!("={id}\n\n"),
            // A blank line would end the answer early.
            Ok(text) => format!("={id} {}\n\n", text.trim_end().replace("\n\n", "\n")),
            Err(text) => format!("?{id} {}\n\n", printable(text)),
        }
    }

    /// The argument at `index`.
    pub(super) fn argument(&self, index: usize, what: &str) -> Result<&str, String> {
        let text = self.arguments.get(index);
        text.map(String::as_str)
            .ok_or_else(|| format!("{} needs {what}", self.name))
    }

    /// The number at `index`, at least 0.
    pub(super) fn seconds(&self, index: usize) -> Result<u32, String> {
        let text = self.argument(index, "whole seconds")?;
        let wrong = |_| format!("'{}' is not a number from 0 to {}", short(text), u32::MAX);
        text.parse().map_err(wrong)
    }

    /// The colour at `index`.
    pub(super) fn color(&self, index: usize) -> Result<Side, String> {
        let text = self.argument(index, "a colour, black or white")?;
        match text.to_ascii_lowercase().as_str() {
            "w" | "white" => Ok(Side::White),
            "b" | "black" => Ok(Side::Black),
            _ => Err(format!("'{}' is not a colour, black or white", short(text))),
        }
    }

    /// The point at `index`, A1 to E5 in any case.
    pub(super) fn vertex(&self, index: usize) -> Result<Point, String> {
        let text = self.argument(index, "a point, A1 to E5")?;
        let wrong = |_| format!("'{}' is not a point, A1 to E5", short(text));
        text.to_ascii_lowercase().parse().map_err(wrong)
    }
}

/// A point as this protocol writes it.
pub(super) fn vertex(point: Point) -> String {
    point.to_string().to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_comments_and_blanks_are_read() {
        let request = Request::parse("12 play  white\tC3 # a move");
        let expected = Request {
            id: Some(12),
            name: "play".to_owned(),
            arguments: vec!["white".to_owned(), "C3".to_owned()],
        };
        assert_eq!(request, Some(expected));
        assert_eq!(Request::parse(" # nothing"), None);
        assert_eq!(Request::parse(""), None);
    }

    #[test]
    fn answers_have_one_blank_line_at_their_end() {
        let request = Request::parse("7 name").expect("a request");
        assert_eq!(request.answer(&Ok("a\n\nb\n".to_owned())), "=7 a\nb\n\n");
        assert_eq!(request.answer(&Err("a\nb".to_owned())), "?7 a?b\n\n");
        assert_eq!(request.answer(&Ok(String::new())), "=7\n\n");
    }
}
