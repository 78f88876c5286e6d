//! Which game is played when. Every game is computed from its number, so that a match of any length
//! needs no memory, a stopped match goes on anywhere, and shards need not know of each other.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::game::Assignment;
use super::openings::Opening;

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
}

/// A part of a match: every `of`-th pair of games, beginning with the `index`-th (from 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1 to `of`.
    pub index: u64,
    /// The number of parts.
    pub of: u64,
}

impl Shard {
    /// The whole match.
    pub const WHOLE: Shard = Shard { index: 1, of: 1 };
}

/// Why a text is no shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is no part of a match; write I/N with I from 1 to N")]
pub struct ParseShardError(String);

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Shard, ParseShardError> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Shard { index, of }),
            _ => Err(ParseShardError(text.to_owned())),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// The games of a match, or of a part of it.
#[derive(Clone, Debug)]
pub struct Schedule {
    engines: usize,
    format: Format,
    /// Pairs of games of all parts together.
    pairs: u64,
    shard: Shard,
    /// Indices of openings in the order in which they are played.
    order: Vec<usize>,
}

impl Schedule {
    /// A schedule in which each two engines that meet play `games_each` games (an even number), each
    /// opening from both sides. Openings are shuffled by the seed, or kept in order without one.
    pub fn new(
        engines: usize,
        format: Format,
        games_each: u64,
        openings: usize,
        seed: Option<u64>,
        shard: Shard,
    ) -> Schedule {
        let mut order: Vec<usize> = (0..openings).collect();
        if let Some(seed) = seed {
            order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        }
        let mut schedule = Schedule {
            engines,
            format,
            pairs: 0,
            shard,
            order,
        };
        schedule.pairs = schedule.encounters().saturating_mul(games_each / 2);
        schedule
    }

    /// The number of meetings of two engines.
    pub fn encounters(&self) -> u64 {
        let n = self.engines as u64;
        match self.format {
            Format::RoundRobin => n * (n - 1) / 2,
            Format::Gauntlet => n - 1,
        }
    }

    /// The number of games in this part.
    pub fn games(&self) -> u64 {
        let Shard { index, of } = self.shard;
        2 * (self.pairs.saturating_sub(index - 1)).div_ceil(of)
    }

    /// The n-th game of this part, from 0.
    pub fn nth(&self, n: u64, openings: &[Opening]) -> Assignment {
        let pair = n / 2 * self.shard.of + self.shard.index - 1;
        let (first, second) = self.meeting((pair % self.encounters()) as usize);
        let round = (pair / self.encounters()) as usize;
        let (white, black) = match n % 2 {
            0 => (first, second),
            _ => (second, first),
        };
        Assignment {
            game: 2 * pair + n % 2 + 1,
            pair: pair + 1,
            white,
            black,
            opening: openings[self.order[round % self.order.len()]].clone(),
        }
    }

    /// Which game of this part a game of the match is, if it belongs to it.
    pub fn index_of(&self, game: u64) -> Option<u64> {
        let game = game.checked_sub(1)?;
        let Shard { index, of } = self.shard;
        (game / 2 % of == index - 1).then_some(game / 2 / of * 2 + game % 2)
    }

    fn meeting(&self, number: usize) -> (usize, usize) {
        if self.format == Format::Gauntlet {
            return (0, number + 1);
        }
        let (mut first, mut left) = (0, number);
        while left >= self.engines - 1 - first {
            left -= self.engines - 1 - first;
            first += 1;
        }
        (first, first + 1 + left)
    }
}

/// Which games are done: all below a mark, and some above it.
#[derive(Debug, Default)]
pub struct Done {
    mark: u64,
    above: BTreeSet<u64>,
}

impl Done {
    /// Notes a game. False if it was noted before.
    pub fn insert(&mut self, game: u64) -> bool {
        let new = game >= self.mark && self.above.insert(game);
        while self.above.remove(&self.mark) {
            self.mark += 1;
        }
        new
    }

    /// Whether the game is done.
    pub fn contains(&self, game: u64) -> bool {
        game < self.mark || self.above.contains(&game)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::arena::openings::Openings;
    use proptest::prelude::*;

    fn openings() -> Openings {
        let text = "c2c3\nb2c3\nd2c3\nd3c3\n";
        Openings::parse("x", text).expect("a set")
    }

    fn all(schedule: &Schedule, set: &[Opening]) -> Vec<Assignment> {
        (0..schedule.games())
            .map(|n| schedule.nth(n, set))
            .collect()
    }

    #[test]
    fn every_opening_is_played_from_both_sides() {
        let set = openings().list;
        let schedule = Schedule::new(3, Format::RoundRobin, 8, 4, Some(7), Shard::WHOLE);
        let games = all(&schedule, &set);
        assert_eq!(games.len(), 24);
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        for game in &games {
            let key = format!("{} {} {}", game.white, game.black, game.opening);
            *seen.entry(key).or_default() += 1;
        }
        assert_eq!(seen.len(), 24, "three meetings, four openings, two sides");
        assert!(
            games
                .chunks(2)
                .all(|pair| pair[0].opening == pair[1].opening)
        );
    }

    #[test]
    fn a_gauntlet_is_one_against_all() {
        let set = openings().list;
        let schedule = Schedule::new(4, Format::Gauntlet, 2, 4, None, Shard::WHOLE);
        let games = all(&schedule, &set);
        let sides: Vec<_> = games.iter().map(|g| (g.white, g.black)).collect();
        assert_eq!(sides, [(0, 1), (1, 0), (0, 2), (2, 0), (0, 3), (3, 0)]);
    }

    #[test]
    fn the_seed_decides_the_order_and_no_seed_keeps_it() {
        let set = openings().list;
        let of = |seed| {
            let schedule = Schedule::new(2, Format::RoundRobin, 8, 4, seed, Shard::WHOLE);
            all(&schedule, &set)
                .iter()
                .map(|g| g.opening.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(of(Some(1)), of(Some(1)));
        assert_ne!(of(Some(1)), of(Some(2)));
        assert!(of(None)[0].contains("c2c3") && of(None)[6].contains("d3c3"));
    }

    proptest! {
        #[test]
        fn shards_are_the_match_no_game_twice(
            engines in 2usize..5, pairs in 1u64..20, of in 1u64..7, gauntlet: bool,
        ) {
            let set = openings().list;
            let format = if gauntlet { Format::Gauntlet } else { Format::RoundRobin };
            let new = |shard| Schedule::new(engines, format, 2 * pairs, 4, Some(3), shard);
            let numbers = |schedule: &Schedule| {
                all(schedule, &set).into_iter().map(|g| g.game).collect::<Vec<_>>()
            };
            let mut parts = Vec::new();
            for index in 1..=of {
                let schedule = new(Shard { index, of });
                for (n, game) in numbers(&schedule).into_iter().enumerate() {
                    prop_assert_eq!(schedule.index_of(game), Some(n as u64));
                    parts.push(game);
                }
            }
            parts.sort_unstable();
            prop_assert_eq!(parts, numbers(&new(Shard::WHOLE)));
        }

        #[test]
        fn done_knows_what_was_put_in(games in proptest::collection::vec(0u64..40, 0..60)) {
            let (mut done, mut plain) = (Done::default(), BTreeSet::new());
            for game in games {
                prop_assert_eq!(done.insert(game), plain.insert(game));
            }
            for game in 0..45 {
                prop_assert_eq!(done.contains(game), plain.contains(&game));
            }
        }
    }
}
