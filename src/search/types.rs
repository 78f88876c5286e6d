//! What goes into a search and what comes out of it.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::rules::Move;
use crate::tables::Wdl;

/// The deepest nominal depth, and the most plies from the root.
pub const MAX_DEPTH: u32 = 120;

/// A score in hundredths of a stone from the mover's side, or a distance to the proven end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Score(pub(crate) i32);

/// Score of a win at the root itself; a win `n` plies away scores `WIN - n`.
const WIN: i32 = 30_000;

/// Score of a win that tables know without the plies to its end, less a few hundred at most; above
/// every evaluation, below every proven win.
pub(super) const KNOWN: i32 = 20_000;

impl Score {
    /// A drawn position.
    pub const DRAW: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(WIN + 1);
    /// Scores at or beyond this are proven wins (negated: losses).
    pub(crate) const PROVEN: i32 = WIN - 1000;

    /// The mover wins in `plies`.
    pub const fn win_in(plies: u32) -> Score {
        Score(WIN - plies as i32)
    }

    /// The mover loses in `plies`.
    pub const fn loss_in(plies: u32) -> Score {
        Score(plies as i32 - WIN)
    }

    /// Hundredths of a stone, or `None` for a proven win or loss.
    pub fn centistones(self) -> Option<i32> {
        (self.0.abs() < Self::PROVEN).then_some(self.0)
    }

    /// Plies to the proven end: positive when the mover wins, negative (or 0) when it loses.
    pub fn plies_to_end(self) -> Option<i32> {
        match self.0 {
            s if s >= Self::PROVEN => Some(WIN - s),
            s if s <= -Self::PROVEN => Some(-(WIN + s)),
            _ => None,
        }
    }

    /// Moves of the mover to the proven end, as `score mate` counts them: positive when it wins,
    /// negative (or 0) when it loses.
    pub fn moves_to_end(self) -> Option<i32> {
        self.plies_to_end().map(|plies| match plies > 0 {
            true => (plies + 1) / 2,
            false => plies / 2,
        })
    }

    /// The value for the mover if it is decided: proven, or known from tables.
    pub(crate) fn decided(self) -> Option<Wdl> {
        match self.0 {
            s if s > KNOWN / 2 => Some(Wdl::Win),
            s if s < -KNOWN / 2 => Some(Wdl::Loss),
            _ => None,
        }
    }

    /// Whether the score is a proven win for the mover.
    pub fn is_win(self) -> bool {
        self.0 >= Self::PROVEN
    }

    /// Whether the score is a proven loss for the mover.
    pub fn is_loss(self) -> bool {
        self.0 <= -Self::PROVEN
    }
}

/// The most plies from the root, captures at the end of a line aside.
pub(super) const MAX_PLY: usize = 2 * MAX_DEPTH as usize;

/// The score of having lost at `ply`.
#[inline(always)]
pub(super) fn loss(ply: usize) -> i32 {
    Score::loss_in(ply as u32).0
}

impl fmt::Display for Score {
    /// `cp N`, or `mate N` in moves of the mover, negative when it loses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves_to_end() {
            None => write!(f, "cp {}", self.0),
            Some(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// How a score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The true score is this or more.
    Lower,
    /// The true score is this or less.
    Upper,
}

/// The mover's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` = the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// When a search ends. Without any limit it runs until stopped.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The last depth, in plies.
    pub depth: Option<u32>,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// Stop when a win in at most so many own moves is found.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The mover's clock.
    pub clock: Option<Clock>,
    /// No result before a stop.
    pub infinite: bool,
    /// The time limits sleep until the ponder hit.
    pub ponder: bool,
    /// Consider only these moves at the root; empty = all.
    pub search_moves: Vec<Move>,
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Searching threads, at least 1.
    pub threads: usize,
    /// Best lines to report, at least 1.
    pub multi_pv: usize,
    /// How much worse than 0 a draw is for the mover at the root, in centistones.
    pub contempt: i32,
    /// Time kept back for the way to the other end of the pipe.
    pub move_overhead: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            multi_pv: 1,
            contempt: 0,
            move_overhead: Duration::from_millis(10),
        }
    }
}

/// A line of thought, reported after a depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Nominal depth in plies.
    pub depth: u32,
    /// The most plies looked ahead.
    pub seldepth: u32,
    /// Rank of this line, 1 = best.
    pub multipv: usize,
    /// Its score.
    pub score: Score,
    /// What the score is.
    pub bound: Bound,
    /// Boards visited by all threads.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// Positions found in exact tables.
    pub table_hits: u64,
    /// Fill of the hash table in thousandths.
    pub hashfull: u32,
    /// The line; every move is legal.
    pub pv: Vec<Move>,
}

/// The turn that the search looks at, told when a depth takes long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CurrentMove {
    /// Nominal depth in plies.
    pub depth: u32,
    /// The turn.
    pub mv: Move,
    /// Its place in the order of the root's turns, from 1.
    pub number: usize,
}

/// Who is told how a search gets on. A closure is told of the lines only.
pub trait Observer {
    /// A line of a finished depth.
    fn line(&mut self, info: &Info);

    /// The main thread begins with another turn at the root.
    fn current_move(&mut self, current: CurrentMove) {
        let _ = current;
    }
}

impl<F: FnMut(&Info)> Observer for F {
    fn line(&mut self, info: &Info) {
        self(info);
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestMove {
    /// The move to play; `None` if the game is over.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// Boards visited by all threads.
    pub nodes: u64,
}

/// The switches that act on a running search from outside.
#[derive(Debug, Default)]
pub struct Signal {
    stop: AtomicBool,
    ponder_hit: AtomicBool,
}

impl Signal {
    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The expected move was played: time limits count from now.
    pub fn ponder_hit(&self) {
        self.ponder_hit.store(true, Ordering::Relaxed);
    }

    /// Whether [`Signal::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether [`Signal::ponder_hit`] was called.
    pub fn is_ponder_hit(&self) -> bool {
        self.ponder_hit.load(Ordering::Relaxed)
    }
}
