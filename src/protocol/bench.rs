//! A fixed amount of work: its node count identifies the behaviour of the search, its speed the
//! machine.

use std::time::{Duration, Instant};

use crate::rules::{Game, ParsePositionError};
use crate::search::{Evaluation, Info, Limits, Memory, Options, Signal, Table, TableError, search};
use crate::tables::Tables;

/// The depth of each search of the bench whose node count is recorded.
pub const BENCH_DEPTH: u32 = 14;
const HASH_MIB: usize = 16;

/// The positions searched: the start, openings, middle games, endings, forced lines.
pub const BENCH_POSITIONS: [&str; 12] = [
    "bbbbb/bbbbb/bb1ww/wwwww/wwwww w 0 1",
    "bbbbb/bbbbb/bbwww/ww1ww/wwwww b 1 1",
    "bbbbb/bb1bb/bw1ww/ww1ww/wwwww b 0 3",
    "bb1bb/b1bbb/1b1w1/ww1ww/w1www w 2 9",
    "b1bbb/1bb1b/b1w2/1ww1w/ww1ww w 1 8",
    "1bb1b/b2bb/1b1w1/w2ww/1ww1w b 4 14",
    "b2b1/1b3/3w1/1w2w/2w2 w 3 25",
    "b1b2/5/1b3/3w1/w1w2 w 6 31",
    "2b2/1b1b1/5/1w1w1/2w2 b 8 40",
    "b3b/5/2w2/5/w3w b 2 50",
    "bbb2/bb3/1b3/3w1/2www w 0 20",
    "bbb2/1bb2/2b2/1ww2/www2 b 5 18",
];

/// What a bench found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Nodes of all searches; the same on every machine.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Why a bench could not be run.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// No memory.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A position of the set is wrong.
    #[error(transparent)]
    Position(#[from] ParsePositionError),
}

/// Searches all positions to this depth on one thread, each with an empty table; `progress` gets a
/// line for each. A stop ends it early, with a smaller count.
///
/// # Errors
/// If there is no memory for the table.
pub fn bench(
    depth: u32,
    signal: &Signal,
    progress: &mut dyn FnMut(String),
) -> Result<BenchResult, BenchError> {
    let table = Table::new(HASH_MIB)?;
    // Without exact tables: the count is to depend on the search alone.
    let memory = Memory {
        table: &table,
        tables: &Tables::default(),
        evaluation: Evaluation::shipped(),
    };
    let start = Instant::now();
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let mut nodes = 0;
    for (index, text) in BENCH_POSITIONS.iter().enumerate() {
        let game = Game::new(text.parse()?, 0);
        table.clear();
        let found = search(
            &game,
            &limits,
            &Options::default(),
            memory,
            signal,
            &mut |_: &Info| {},
        );
        nodes += found.nodes;
        let number = index + 1;
        progress(format!("bench {number}/12: {} nodes, {text}", found.nodes));
        if signal.is_stopped() {
            break;
        }
    }
    Ok(BenchResult {
        nodes,
        time: start.elapsed(),
    })
}

impl std::fmt::Display for BenchResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let nps = u128::from(self.nodes) * 1_000_000 / self.time.as_micros().max(1);
        write!(f, "{} nodes {nps} nps", self.nodes)
    }
}
