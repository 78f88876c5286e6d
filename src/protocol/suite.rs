//! The suite by which changes of the search are measured: how long it takes to a fixed depth, and
//! to a proven win.

use std::fmt;
use std::time::{Duration, Instant};

use super::bench::BenchError;
use crate::rules::Game;
use crate::search::{Evaluation, Info, Limits, Memory, Options, Signal, Table, search};
use crate::tables::Tables;

/// Size of the hash table, in MiB, so that all threads work with the same.
const HASH_MIB: usize = 64;

/// What a search of the suite is to reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The end of a nominal depth, in plies.
    Depth(u32),
    /// A proven win, without any tables.
    Win,
}

/// The positions of the suite and what is to be reached in each: openings, middle games and
/// endings to a depth; endings of 8 to 10 stones, won in 19 to 31 plies by the exact tables, to
/// the proof of it.
pub const SUITE: [(&str, Goal); 24] = [
    ("bbbbb/bbbbb/bb1ww/wwwww/wwwww w 0 1", Goal::Depth(20)),
    ("bbbbb/bbbbb/bbwww/ww1ww/wwwww b 1 1", Goal::Depth(20)),
    ("bbbbb/bb1bb/bw1ww/ww1ww/wwwww b 0 3", Goal::Depth(20)),
    ("bb1bb/b1bbb/1b1w1/ww1ww/w1www w 2 9", Goal::Depth(18)),
    ("b1bbb/1bb1b/b1w2/1ww1w/ww1ww w 1 8", Goal::Depth(18)),
    ("1bb1b/b2bb/1b1w1/w2ww/1ww1w b 4 14", Goal::Depth(18)),
    ("b2b1/1b3/3w1/1w2w/2w2 w 3 25", Goal::Depth(20)),
    ("b1b2/5/1b3/3w1/w1w2 w 6 31", Goal::Depth(20)),
    ("2b2/1b1b1/5/1w1w1/2w2 b 8 40", Goal::Depth(18)),
    ("b3b/5/2w2/5/w3w b 2 50", Goal::Depth(20)),
    ("bbb2/bb3/1b3/3w1/2www w 0 20", Goal::Depth(18)),
    ("bbb2/1bb2/2b2/1ww2/www2 b 5 18", Goal::Depth(18)),
    ("b2bb/b3b/5/www2/w3w b 0 9", Goal::Win),
    ("2bbb/b3b/5/2www/1w2w b 0 10", Goal::Win),
    ("wbbbb/2b2/4w/3w1/3ww b 0 9", Goal::Win),
    ("bbbbw/1b3/w4/2w2/2w2 b 0 13", Goal::Win),
    ("bwbb1/b4/5/2bww/4w b 0 10", Goal::Win),
    ("b2bb/b3b/3w1/2w1w/w3w b 0 13", Goal::Win),
    ("1b2b/1bb1b/3w1/4w/w3w b 0 11", Goal::Win),
    ("b2b1/b4/w4/w1b2/1w1ww w 0 13", Goal::Win),
    ("b4/bbb1b/3b1/4w/ww2w w 0 10", Goal::Win),
    ("bb1w1/b1w2/5/ww1ww/1w3 b 0 16", Goal::Win),
    ("1b3/1bbbb/5/w3w/2b1w w 0 12", Goal::Win),
    ("w2bb/3bb/5/4w/1w2w w 0 12", Goal::Win),
];

/// What one search of the suite took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measure {
    /// What was to be reached.
    pub goal: Goal,
    /// Whether it was, before the last depth of all.
    pub reached: bool,
    /// Nodes until then.
    pub nodes: u64,
    /// Time until then.
    pub time: Duration,
}

/// What the whole suite took.
#[derive(Clone, Debug)]
pub struct SuiteResult(pub Vec<Measure>);

/// Searches the positions of the suite, each with an empty table and no exact ones; `progress` gets
/// a line for each.
///
/// # Errors
/// If there is no memory for the table.
pub fn suite(threads: usize, progress: &mut dyn FnMut(String)) -> Result<SuiteResult, BenchError> {
    let table = Table::new(HASH_MIB)?;
    let mut measures = Vec::new();
    for (text, goal) in SUITE {
        let game = Game::new(text.parse()?, 0);
        table.clear();
        let measure = reach(goal, &game, threads, &table);
        progress(format!("{measure}, {text}"));
        measures.push(measure);
    }
    Ok(SuiteResult(measures))
}

fn reach(goal: Goal, game: &Game, threads: usize, table: &Table) -> Measure {
    let memory = Memory {
        table,
        tables: &Tables::default(),
        evaluation: Evaluation::shipped(),
    };
    let limits = Limits {
        depth: match goal {
            Goal::Depth(depth) => Some(depth),
            Goal::Win => None,
        },
        ..Limits::default()
    };
    let options = Options {
        threads,
        ..Options::default()
    };
    let signal = Signal::default();
    let mut reached = false;
    let start = Instant::now();
    let found = search(
        game,
        &limits,
        &options,
        memory,
        &signal,
        &mut |info: &Info| {
            reached = match goal {
                Goal::Depth(depth) => info.depth == depth,
                Goal::Win => info.score.is_win(),
            };
            if reached {
                signal.stop();
            }
        },
    );
    Measure {
        goal,
        reached,
        nodes: found.nodes,
        time: start.elapsed(),
    }
}

impl SuiteResult {
    /// The geometric mean of the times to a depth, or to a win, in milliseconds.
    pub fn mean_ms(&self, to_depth: bool) -> f64 {
        self.mean(to_depth, |measure| measure.time.as_secs_f64() * 1e3)
    }

    /// The geometric mean of the nodes.
    pub fn mean_nodes(&self, to_depth: bool) -> f64 {
        self.mean(to_depth, |measure| measure.nodes as f64)
    }

    fn mean(&self, to_depth: bool, value: impl Fn(&Measure) -> f64) -> f64 {
        let of_kind = |measure: &&Measure| matches!(measure.goal, Goal::Depth(_)) == to_depth;
        let logs: Vec<f64> = self
            .0
            .iter()
            .filter(of_kind)
            .map(|m| value(m).ln())
            .collect();
        (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp()
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.goal {
            Goal::Depth(depth) => write!(f, "depth {depth}")?,
            Goal::Win => f.write_str("win")?,
        }
        let not = if self.reached { "" } else { " not reached" };
        write!(
            f,
            "{not}: {} nodes, {} ms",
            self.nodes,
            self.time.as_millis()
        )
    }
}

impl fmt::Display for SuiteResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "to depth {:.1} ms, {:.0} nodes; to a win {:.1} ms, {:.0} nodes (geometric means)",
            self.mean_ms(true),
            self.mean_nodes(true),
            self.mean_ms(false),
            self.mean_nodes(false)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(goal: Goal, text: &str) -> Measure {
        let game = Game::new(text.parse().expect("a position"), 0);
        reach(goal, &game, 1, &Table::new(1).expect("memory"))
    }

    #[test]
    fn positions_of_the_suite_are_games_in_progress() {
        for (text, goal) in SUITE {
            let position = text.parse().expect("a position");
            assert_eq!(Game::new(position, 0).outcome(), None, "{text}");
            assert_eq!(position.to_string(), text);
            let stones = position.board().stones();
            assert!(goal != Goal::Win || (8..=10).contains(&stones), "{text}");
        }
    }

    #[test]
    fn a_search_ends_when_its_goal_is_reached() {
        // White captures the last stone at once; all depths would take millions of nodes.
        let won = measured(Goal::Win, "5/4b/4w/5/w4 w 0 1");
        assert!(won.reached && won.nodes < 10_000, "{won:?}");
        let start = SUITE[0].0;
        let [three, six] = [3, 6].map(|depth| measured(Goal::Depth(depth), start));
        assert!(three.reached && six.reached && three.nodes < six.nodes);
    }

    #[test]
    fn means_are_geometric_and_of_one_kind_of_goal() {
        let measure = |goal, nodes| Measure {
            goal,
            reached: true,
            nodes,
            time: Duration::from_millis(nodes),
        };
        let depth = Goal::Depth(1);
        let result = SuiteResult(vec![
            measure(depth, 2),
            measure(Goal::Win, 100),
            measure(depth, 32),
        ]);
        assert!((result.mean_nodes(true) - 8.0).abs() < 1e-9);
        assert!((result.mean_ms(true) - 8.0).abs() < 1e-9);
        assert!((result.mean_nodes(false) - 100.0).abs() < 1e-9);
    }
}
