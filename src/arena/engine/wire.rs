//! What engines say: options, thoughts, moves. Anything may come; nothing here fails.

use serde::{Deserialize, Serialize};

/// A score as engines report it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Hundredths of a stone, from the mover's side.
    Cp(i32),
    /// The mover wins with its n-th move; negative: it loses in that many.
    Mate(i32),
}

impl Score {
    /// Hundredths of a stone, a win counting as very much.
    pub fn as_cp(self) -> i32 {
        match self {
            Score::Cp(cp) => cp,
            Score::Mate(moves) if moves > 0 => 100_000,
            Score::Mate(_) => -100_000,
        }
    }
}

/// The last line of thought before a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// Nominal depth in plies.
    pub depth: Option<u32>,
    /// The score.
    pub score: Option<Score>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// The expected moves as they were written.
    pub pv: Vec<String>,
}

impl Thought {
    /// Reads an `info` line; words it does not know are skipped.
    pub(super) fn parse(line: &str) -> Thought {
        let mut thought = Thought::default();
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => thought.depth = words.next().and_then(|w| w.parse().ok()),
                "nodes" => thought.nodes = words.next().and_then(|w| w.parse().ok()),
                "score" => {
                    let kind = words.next();
                    let value = words.next().and_then(|w| w.parse().ok());
                    thought.score = match (kind, value) {
                        (Some("cp"), Some(value)) => Some(Score::Cp(value)),
                        (Some("mate"), Some(value)) => Some(Score::Mate(value)),
                        _ => None,
                    };
                }
                "pv" => thought.pv = words.by_ref().map(str::to_owned).collect(),
                _ => {}
            }
        }
        thought
    }
}

/// Whether an `info` line is worth keeping: the best line with its score.
pub(super) fn is_thought(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace().skip(1);
    let mut scored = false;
    while let Some(word) = words.next() {
        match word {
            "string" => return false,
            "multipv" if words.next() != Some("1") => return false,
            "score" => scored = true,
            "pv" => break,
            _ => {}
        }
    }
    scored
}

/// An option as the engine announces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Announced {
    pub(super) name: String,
    kind: String,
    min: Option<i64>,
    max: Option<i64>,
    choices: Vec<String>,
}

impl Announced {
    /// Reads `option name NAME type TYPE ...`.
    pub(super) fn parse(line: &str) -> Option<Announced> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = |word: &str| words.iter().position(|&w| w == word);
        let name = words.get(at("name")? + 1..at("type")?)?.join(" ");
        let kind = (*words.get(at("type")? + 1)?).to_owned();
        let number = |word: &str| words.get(at(word)? + 1)?.parse().ok();
        let mut choices = Vec::new();
        for pair in words.split(|&w| w == "var").skip(1) {
            choices.push(pair.join(" "));
        }
        Some(Announced {
            name,
            kind,
            min: number("min"),
            max: number("max"),
            choices,
        })
    }

    /// What is wrong with a value, if anything.
    pub(super) fn refuse(&self, value: &str) -> Option<String> {
        match self.kind.as_str() {
            "check" if !matches!(value, "true" | "false") => {
                Some(format!("'{value}' is not true or false"))
            }
            "spin" => {
                let (min, max) = (self.min.unwrap_or(i64::MIN), self.max.unwrap_or(i64::MAX));
                let number = value.parse().ok();
                let fits = number.is_some_and(|n: i64| (min..=max).contains(&n));
                (!fits).then(|| format!("'{value}' is not a number from {min} to {max}"))
            }
            "combo" => {
                let known = |choice: &String| choice.eq_ignore_ascii_case(value);
                let fits = self.choices.is_empty() || self.choices.iter().any(known);
                (!fits).then(|| format!("'{value}' is none of {}", self.choices.join(", ")))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thought_is_read_from_any_order_and_junk_is_skipped() {
        let line = "info depth 12 seldepth 20 multipv 1 score mate -3 nodes 99 x y pv c2c3 c4c2";
        let thought = Thought::parse(line);
        assert_eq!(thought.depth, Some(12));
        assert_eq!(thought.score, Some(Score::Mate(-3)));
        assert_eq!(thought.nodes, Some(99));
        assert_eq!(thought.pv, ["c2c3", "c4c2"]);
        assert_eq!(
            Thought::parse("info depth x score cp y pv"),
            Thought::default()
        );
    }

    #[test]
    fn only_the_best_line_counts() {
        assert!(is_thought("info depth 1 multipv 1 score cp 3 pv c2c3"));
        assert!(is_thought("info score cp 3"));
        assert!(!is_thought("info depth 1 multipv 2 score cp 3 pv c2c3"));
        assert!(!is_thought("info string a score of old"));
        assert!(!is_thought("info depth 4 currmove c2c3"));
    }

    #[test]
    fn options_know_what_they_take() {
        let spin = Announced::parse("option name Move Overhead type spin default 10 min 0 max 50");
        let spin = spin.expect("an option");
        assert_eq!(spin.name, "Move Overhead");
        assert_eq!(spin.refuse("50"), None);
        assert!(spin.refuse("51").is_some() && spin.refuse("x").is_some());
        let combo = Announced::parse("option name Style type combo default A var A var B c");
        let combo = combo.expect("an option");
        assert_eq!(combo.refuse("b C"), None);
        assert!(combo.refuse("D").is_some());
        let check = Announced::parse("option name Ponder type check default true");
        assert!(check.is_some_and(|c| c.refuse("yes").is_some()));
        assert_eq!(Announced::parse("option type spin"), None);
    }
}
