//! Playing below full strength: short sight and some noise, as people err.

use rand::{RngExt, SeedableRng, TryRng};
use rand_chacha::ChaCha8Rng;

use crate::rules::Game;
use crate::search::{
    BestMove, Evaluation, Info, Limits, MAX_DEPTH, Memory, Observer, Options, Score, Signal, Table,
    search,
};
use crate::tables::Tables;

/// The weakest and the strongest play that can be asked for, in Elo.
pub(super) const ELO: (i64, i64) = (LEVELS[0].elo as i64, LEVELS[LEVELS.len() - 1].elo as i64);

/// A measured way to play.
struct Level {
    /// Strength on a scale of its own, on which the differences are those that were measured.
    elo: u32,
    /// Plies looked ahead, before captures are played out.
    depth: f64,
    /// Standard deviation of what is added to each move's score, in centistones.
    noise: f64,
}

/// Beginner to expert; between them depth and noise change evenly. README tells how the
/// differences in Elo were measured.
const LEVELS: [Level; 6] = [
    level(400, 1.0, 400.0),
    level(600, 1.0, 200.0),
    level(800, 2.0, 130.0),
    level(950, 3.0, 90.0),
    level(1050, 4.0, 60.0),
    level(1150, 6.0, 25.0),
];

const fn level(elo: u32, depth: f64, noise: f64) -> Level {
    Level { elo, depth, noise }
}

/// Scores beyond this, in centistones, are all the same to a limited player: a win is a win.
const ENOUGH: i32 = 800;

/// The levels of `alquerque play`: their Elo, weakest first.
pub fn levels() -> impl Iterator<Item = u32> {
    LEVELS.iter().map(|level| level.elo)
}

/// A number that nobody can foresee, to start a generator with.
pub(super) fn seed() -> u64 {
    // Without a source of randomness the games repeat, which is no reason to fail.
    rand::rngs::SysRng.try_next_u64().unwrap_or(0)
}

/// How a limited player plays one move.
#[derive(Clone, Debug)]
pub(super) struct Weakness {
    depth: u32,
    noise: f64,
    random: ChaCha8Rng,
}

impl Weakness {
    /// The play of that Elo, with errors that follow from the seed.
    pub(super) fn new(elo: u32, seed: u64) -> Weakness {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let above = LEVELS.iter().position(|level| level.elo > elo);
        let above = above.unwrap_or(LEVELS.len() - 1).max(1);
        let (low, high) = (&LEVELS[above - 1], &LEVELS[above]);
        let span = f64::from(high.elo - low.elo);
        let share = (f64::from(elo.saturating_sub(low.elo)) / span).min(1.0);
        let between = |a: f64, b: f64| a + (b - a) * share;
        // A depth between two is now the one, now the other.
        let depth = between(low.depth, high.depth) + random.random::<f64>();
        Weakness {
            depth: (depth as u32).clamp(1, MAX_DEPTH),
            noise: between(low.noise, high.noise),
            random,
        }
    }

    /// Searches no deeper than the player sees, and picks a move as it sees them.
    pub(super) fn search(
        mut self,
        game: &Game,
        limits: &Limits,
        options: &Options,
        table: &Table,
        signal: &Signal,
        observer: &mut dyn Observer,
    ) -> BestMove {
        let limits = Limits {
            depth: Some(limits.depth.map_or(self.depth, |d| d.min(self.depth))),
            ..limits.clone()
        };
        let every = Options {
            multi_pv: usize::MAX,
            ..*options
        };
        let mut lines: Vec<Info> = Vec::new();
        // People know no tables.
        let memory = Memory {
            table,
            tables: &Tables::default(),
            evaluation: Evaluation::shipped(),
        };
        let found = search(game, &limits, &every, memory, signal, &mut |info: &Info| {
            if info.multipv == 1 {
                lines.clear();
            }
            if info.multipv <= options.multi_pv {
                observer.line(info);
            }
            lines.push(info.clone());
        });
        let seen = lines.iter().map(|info| (self.blur(info.score), info));
        let best = seen.max_by(|a, b| a.0.total_cmp(&b.0));
        match best {
            None => found,
            Some((_, info)) => BestMove {
                best: info.pv.first().copied(),
                ponder: info.pv.get(1).copied().filter(|_| goes_on(game, info)),
                nodes: found.nodes,
            },
        }
    }

    /// A score as the player sees it.
    fn blur(&mut self, score: Score) -> f64 {
        let value = match score.centistones() {
            Some(centistones) => centistones.clamp(-ENOUGH, ENOUGH),
            None if score.is_win() => ENOUGH,
            None => -ENOUGH,
        };
        // The sum of twelve even numbers is normal enough, with a deviation of one.
        let sum: f64 = (0..12).map(|_| self.random.random::<f64>()).sum();
        f64::from(value) + self.noise * (sum - 6.0)
    }
}

/// Whether the game is not over after the first move of a line.
fn goes_on(game: &Game, info: &Info) -> bool {
    let mut after = game.clone();
    let made = info.pv.first().is_some_and(|&mv| after.play(mv).is_ok());
    made && after.outcome().is_none()
}
