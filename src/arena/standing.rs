//! How a match stands. Takes in games one by one and keeps counts only, so that its size depends on
//! the number of engines, not of games.

use std::collections::BTreeMap;

use serde::Serialize;

use super::game::{GameRecord, GameResult, NoteKind, Reason};
use super::stats::{Estimate, Pentanomial, Sprt, SprtState, Wdl, estimate};

/// Counts of games between two engines, from the first one's side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Encounter {
    /// Single games.
    pub wdl: Wdl,
    /// Pairs of games.
    pub pairs: Pentanomial,
}

impl Encounter {
    fn plus(self, other: Encounter) -> Encounter {
        Encounter {
            wdl: self.wdl.plus(other.wdl),
            pairs: self.pairs.plus(other.pairs),
        }
    }

    fn reversed(self) -> Encounter {
        Encounter {
            wdl: self.wdl.reversed(),
            pairs: self.pairs.reversed(),
        }
    }

    /// The difference in strength; `None` without games.
    pub fn estimate(&self) -> Option<Estimate> {
        estimate(self.wdl, self.pairs)
    }
}

/// Faults and false statements of an engine.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Conduct {
    /// Games lost by its own fault, by reason.
    pub faults: BTreeMap<Reason, u64>,
    /// Announced wins that did not come.
    pub broken_win_claims: u64,
    /// Games with an illegal expected line.
    pub illegal_lines: u64,
    /// An example of a false statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
    /// The longest move in milliseconds.
    pub longest_ms: f64,
    /// Moves made.
    pub moves: u64,
    /// Their time in milliseconds.
    pub ms: f64,
    /// Nodes searched for them.
    pub nodes: u64,
}

/// The state of a match.
#[derive(Clone, Debug)]
pub struct Standing {
    names: Vec<String>,
    encounters: BTreeMap<(usize, usize), Encounter>,
    /// Half points of the first engine in pairs of which one game is missing.
    open: BTreeMap<u64, u8>,
    conduct: Vec<Conduct>,
    reasons: BTreeMap<Reason, u64>,
    games: u64,
    plies: u64,
    white: Wdl,
}

impl Standing {
    /// A match of these engines before its first game.
    pub fn new(names: Vec<String>) -> Standing {
        Standing {
            conduct: vec![Conduct::default(); names.len()],
            names,
            encounters: BTreeMap::new(),
            open: BTreeMap::new(),
            reasons: BTreeMap::new(),
            games: 0,
            plies: 0,
            white: Wdl::default(),
        }
    }

    /// Takes in a game. False if it is not a game of these engines.
    pub fn add(&mut self, record: &GameRecord) -> bool {
        let find = |name: &String| self.names.iter().position(|known| known == name);
        let (Some(white), Some(black)) = (find(&record.white), find(&record.black)) else {
            return false;
        };
        let of_white = record.result.white_half_points();
        let first_is_white = white < black;
        let of_first = if first_is_white {
            of_white
        } else {
            2 - of_white
        };
        let encounter = self
            .encounters
            .entry((white.min(black), white.max(black)))
            .or_default();
        encounter.wdl.add(of_first);
        match self.open.remove(&record.pair) {
            Some(other) => encounter.pairs.add(other + of_first),
            None => {
                self.open.insert(record.pair, of_first);
            }
        }
        self.games += 1;
        self.plies += record.plies as u64;
        self.white.add(of_white);
        *self.reasons.entry(record.reason).or_default() += 1;
        self.note_conduct(record, white, black);
        true
    }

    fn note_conduct(&mut self, record: &GameRecord, white: usize, black: usize) {
        if record.reason.is_fault() {
            let loser = if record.result == GameResult::White {
                black
            } else {
                white
            };
            *self.conduct[loser].faults.entry(record.reason).or_default() += 1;
        }
        for note in &record.notes {
            let engine = if note.engine == record.white {
                white
            } else {
                black
            };
            let conduct = &mut self.conduct[engine];
            match note.kind {
                NoteKind::BrokenWinClaim => conduct.broken_win_claims += 1,
                NoteKind::IllegalLine => conduct.illegal_lines += 1,
            }
            let example = || {
                format!(
                    "game {}, before ply {}: {}",
                    record.game, note.ply, note.text
                )
            };
            conduct.example.get_or_insert_with(example);
        }
        let black_first = record.position.split(' ').nth(1) == Some("b");
        for (ply, mv) in record.moves.iter().enumerate() {
            let Some(ms) = mv.ms else { continue };
            let engine = if (ply % 2 == 0) != black_first {
                white
            } else {
                black
            };
            let conduct = &mut self.conduct[engine];
            conduct.longest_ms = conduct.longest_ms.max(ms);
            conduct.moves += 1;
            conduct.ms += ms;
            conduct.nodes += mv.nodes.unwrap_or(0);
        }
    }

    /// The engines.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Plies so far.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// Games from White's side.
    pub fn white(&self) -> Wdl {
        self.white
    }

    /// How games ended.
    pub fn reasons(&self) -> &BTreeMap<Reason, u64> {
        &self.reasons
    }

    /// Faults and false statements of an engine.
    pub fn conduct(&self, engine: usize) -> &Conduct {
        &self.conduct[engine]
    }

    /// The games between two engines, from the side of `first`.
    pub fn encounter(&self, first: usize, second: usize) -> Encounter {
        let key = (first.min(second), first.max(second));
        let found = self.encounters.get(&key).copied().unwrap_or_default();
        if first < second {
            found
        } else {
            found.reversed()
        }
    }

    /// All games of an engine.
    pub fn total(&self, engine: usize) -> Encounter {
        let others = (0..self.names.len()).filter(|&other| other != engine);
        others.fold(Encounter::default(), |sum, other| {
            sum.plus(self.encounter(engine, other))
        })
    }

    /// Engines from the best score to the worst.
    pub fn ranking(&self) -> Vec<usize> {
        let score = |engine: usize| {
            let wdl = self.total(engine).wdl;
            wdl.points() / wdl.games().max(1) as f64
        };
        let mut engines: Vec<usize> = (0..self.names.len()).collect();
        engines.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        engines
    }

    /// The state of a test between the first two engines.
    pub fn sprt(&self, sprt: &Sprt) -> SprtState {
        let encounter = self.encounter(0, 1);
        sprt.state(encounter.wdl, encounter.pairs)
    }

    /// All of it as one JSON object.
    pub fn summary(&self, sprt: Option<&Sprt>, finished: bool) -> serde_json::Value {
        let meetings = self.encounters.keys().map(|&(first, second)| {
            let encounter = self.encounter(first, second);
            serde_json::json!({
                "first": self.names[first],
                "second": self.names[second],
                "wins": encounter.wdl.wins,
                "draws": encounter.wdl.draws,
                "losses": encounter.wdl.losses,
                "draw_ratio": encounter.wdl.draw_ratio(),
                "pairs": encounter.pairs,
                "estimate": encounter.estimate(),
            })
        });
        let engines = self.names.iter().enumerate().map(|(index, name)| {
            let total = self.total(index);
            serde_json::json!({
                "name": name,
                "games": total.wdl.games(),
                "points": total.wdl.points(),
                "conduct": self.conduct(index),
            })
        });
        serde_json::json!({
            "type": "summary",
            "finished": finished,
            "games": self.games,
            "plies": self.plies,
            "white": self.white,
            "reasons": self.reasons,
            "engines": engines.collect::<Vec<_>>(),
            "encounters": meetings.collect::<Vec<_>>(),
            "sprt": sprt.map(|sprt| serde_json::json!({"test": sprt, "state": self.sprt(sprt)})),
        })
    }
}
