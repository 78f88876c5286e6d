//! The first line of a journal: everything that decides the games of a match.

use serde::{Deserialize, Serialize};

use crate::arena::engine::EngineConfig;
use crate::arena::game::Adjudication;
use crate::arena::openings::Openings;
use crate::arena::schedule::{Format, Shard};
use crate::arena::stats::Sprt;

/// A set of openings by its contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningsId {
    /// Its name or file.
    pub name: String,
    /// The number of openings.
    pub count: usize,
    /// Checksum of the openings.
    pub crc32: u32,
}

impl From<&Openings> for OpeningsId {
    fn from(set: &Openings) -> OpeningsId {
        OpeningsId {
            name: set.name.clone(),
            count: set.list.len(),
            crc32: set.crc32,
        }
    }
}

/// What decides the games of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchHeader {
    /// The engines; the first is the one whose strength is asked for.
    pub engines: Vec<EngineConfig>,
    /// Who meets whom.
    pub format: Format,
    /// Games of each two engines that meet; an even number.
    pub games: u64,
    /// The openings.
    pub openings: OpeningsId,
    /// Shuffles the openings; `None`: they are played in order.
    pub seed: Option<u64>,
    /// The limit on plies without a capture; 0: none.
    pub no_capture_limit: u32,
    /// How much a move may take over its time, in milliseconds.
    pub margin_ms: u64,
    /// When games end early.
    pub adjudication: Adjudication,
    /// The folder of the tables that decide known positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
    /// The test that ends the match.
    pub sprt: Option<Sprt>,
    /// Which part of the match this is.
    pub shard: Shard,
}

impl MatchHeader {
    /// In what another match differs so that its games cannot be counted together with these, or
    /// `None`. More games may be asked for later, and another test.
    pub fn difference(&self, other: &MatchHeader) -> Option<String> {
        let fields = |header: &MatchHeader| serde_json::to_value(header).unwrap_or_default();
        let (mine, theirs) = (fields(self), fields(other));
        let keys = mine.as_object()?.keys().chain(theirs.as_object()?.keys());
        let differs = |key: &&String| mine.get(key) != theirs.get(key);
        let mut keys: Vec<&String> = keys.filter(differs).collect();
        keys.retain(|key| !matches!(key.as_str(), "games" | "sprt"));
        keys.dedup();
        let key = keys.first()?;
        if key.as_str() == "engines" {
            let changed = self
                .engines
                .iter()
                .zip(&other.engines)
                .find(|(a, b)| a != b);
            return Some(match changed {
                Some((a, b)) if a.name == b.name && a.crc32 != b.crc32 => {
                    format!("the program of engine {} has changed", a.name)
                }
                Some((a, _)) => format!("engine {} is described otherwise", a.name),
                None => "the number of engines".to_owned(),
            });
        }
        Some(format!("'{key}'"))
    }

    /// The same match as a whole, whatever part this is.
    pub fn whole(&self) -> MatchHeader {
        MatchHeader {
            shard: Shard::WHOLE,
            ..self.clone()
        }
    }
}
