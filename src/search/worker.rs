//! The state of one searching thread: limits, the line searched, what was learnt of turns.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::eval::Evaluation;
use super::order::{Captures, History, StepOrder};
use super::path::Path;
use super::table::{Entry, Table};
use super::timer::Timer;
use super::turn::{Node, Turn};
use super::types::{MAX_PLY, Signal};
use crate::rules::cpu::Cpu;
use crate::rules::{Effect, Game, Line, StepKeys, step_keys};
use crate::tables::Tables;

/// What the threads of one search share.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub tables: &'a Tables,
    pub evaluation: &'a Evaluation,
    pub signal: &'a Signal,
    /// Raised by the main thread when all are to end.
    pub abort: AtomicBool,
    pub nodes: AtomicU64,
    /// Positions that all threads found in exact tables.
    pub table_hits: AtomicU64,
}

/// Marks a score that rests on no repetition; otherwise the ply of the earliest board it rests on.
pub(super) const FREE: usize = usize::MAX;
/// Nodes between two looks at the clock.
const CHECK_EVERY: u64 = 1024;

/// The state of one searching thread.
pub(super) struct Worker<'a, C> {
    pub(super) cpu: C,
    shared: &'a Shared<'a>,
    pub(super) evaluation: &'a Evaluation,
    pub(super) step_keys: &'static StepKeys,
    /// Only the main thread looks at the clock.
    pub timer: Option<Timer>,
    pub nodes: u64,
    /// The count of nodes at which the limits are looked at again.
    look_at: u64,
    /// Positions found in exact tables and not yet told to the others.
    pub(super) table_hits: u64,
    /// The tables are asked for positions of up to so many stones.
    pub known_stones: u32,
    /// The most nodes of this thread.
    pub node_limit: u64,
    pub seldepth: usize,
    pub stopped: bool,
    pub(super) history: History,
    /// The steps of nodes on the present line, by ply.
    pub(super) steps: Vec<StepOrder>,
    pub(super) captures: Captures,
    pub(super) path: Path,
    /// Boards in `path` before the root.
    before_root: usize,
    /// What the score returned last rests on.
    pub(super) rests_on: usize,
    /// Plies without a capture that make a draw; see [`limit_of`].
    pub(super) no_capture_limit: u64,
    contempt: i32,
    /// Extensions make no line's nominal length more than this.
    pub(super) deepest: i32,
    /// No reductions: every line is searched to the nominal depth.
    pub(super) full_width: bool,
    /// Principal variations by ply.
    pub(super) pv: Vec<Vec<Effect>>,
}

impl<'a, C: Cpu> Worker<'a, C> {
    pub(super) fn new(cpu: C, shared: &'a Shared<'a>, game: &Game, contempt: i32) -> Worker<'a, C> {
        let boards = game.boards();
        let before_root = boards.len() - 1;
        Worker {
            cpu,
            shared,
            evaluation: shared.evaluation,
            step_keys: step_keys(),
            timer: None,
            nodes: 0,
            look_at: 0,
            table_hits: 0,
            known_stones: shared.tables.largest() as u32,
            node_limit: u64::MAX,
            seldepth: 0,
            stopped: false,
            history: History::new(),
            steps: (0..MAX_PLY).map(|_| StepOrder::new()).collect(),
            captures: Captures::default(),
            path: Path::new(boards[..before_root].iter().map(|b| b.code())),
            before_root,
            rests_on: FREE,
            no_capture_limit: limit_of(game),
            contempt,
            deepest: 0,
            full_width: false,
            pv: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    pub(super) fn signal(&self) -> &'a Signal {
        self.shared.signal
    }

    pub(super) fn tables(&self) -> &'a Tables {
        self.shared.tables
    }

    /// Positions that all threads found in exact tables.
    pub(super) fn all_table_hits(&self) -> u64 {
        self.shared.table_hits.load(Ordering::Relaxed) + self.table_hits
    }

    pub(super) fn table(&self) -> &'a Table {
        self.shared.table
    }

    /// The line found below the root's move that was searched last.
    pub(super) fn line_below_root(&self) -> &[Effect] {
        &self.pv[1]
    }

    /// Searches the turn `effect` of the root and returns its score for the root's mover.
    pub(super) fn search_turn(
        &mut self,
        root: Node,
        effect: Effect,
        depth: i32,
        window: (i32, i32),
        full: bool,
    ) -> i32 {
        self.deepest = depth + depth / 4;
        self.path.truncate(self.before_root);
        self.path.push(root.board.code());
        let (alpha, beta) = window;
        let child = match effect.is_capture() {
            true => effect.after(root, self.step_keys),
            false => Line::between(effect.from, effect.to).after(root, self.step_keys),
        };
        let mut score = 0;
        self.pv[1].clear();
        if !full {
            score = -self.node::<false>(child, depth - 1, -alpha - 1, -alpha);
        }
        if full || score > alpha && score < beta && !self.stopped {
            score = -self.node::<true>(child, depth - 1, -beta, -alpha);
        }
        score
    }

    /// The score of a draw for the mover at `ply`.
    #[inline(always)]
    pub(super) fn draw(&self, ply: usize) -> i32 {
        if ply & 1 == 0 {
            -self.contempt
        } else {
            self.contempt
        }
    }

    /// Counts a node; says whether the search is to end.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes >= self.look_at {
            self.look_at_limits();
        }
        self.stopped
    }

    #[cold]
    fn look_at_limits(&mut self) {
        self.stopped |= self.nodes >= self.node_limit;
        self.look_at = (self.nodes / CHECK_EVERY + 1) * CHECK_EVERY;
        self.look_at = self.look_at.min(self.node_limit);
        if !self.nodes.is_multiple_of(CHECK_EVERY) {
            return;
        }
        let shared = self.shared;
        shared.nodes.fetch_add(CHECK_EVERY, Ordering::Relaxed);
        let hits = std::mem::take(&mut self.table_hits);
        shared.table_hits.fetch_add(hits, Ordering::Relaxed);
        let up = self
            .timer
            .as_mut()
            .is_some_and(|timer| timer.is_up(shared.signal));
        if up || shared.signal.is_stopped() || shared.abort.load(Ordering::Relaxed) {
            self.stopped = true;
        }
    }

    /// Nodes of all threads.
    pub(super) fn all_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes % CHECK_EVERY
    }

    /// The ply of an earlier equal board that makes this one a draw: once on the line from the
    /// root, or twice counting the game.
    #[inline(always)]
    pub(super) fn repeats(&self, node: Node) -> Option<usize> {
        let mut in_game = 0;
        for back in self.path.equal_boards(node.board.code(), node.quiet) {
            if back <= node.ply {
                return Some(node.ply - back);
            }
            in_game += 1;
            if in_game == 2 {
                return Some(0);
            }
        }
        None
    }

    /// Whether the no-capture limit may be met within `depth` plies, so that scores found under
    /// another count do not hold.
    #[inline(always)]
    pub(super) fn near_limit(&self, node: Node, depth: i32) -> bool {
        u64::from(node.quiet) + depth.max(0) as u64 + 2 >= self.no_capture_limit
    }

    /// Whether the proven end of an entry, found with another count of plies without a capture,
    /// comes before the limit on them whatever is played.
    #[inline(always)]
    pub(super) fn comes_in_time(&self, node: Node, entry: Entry) -> bool {
        let fits = |plies: u32| fits_limit(node.quiet, plies, self.no_capture_limit);
        entry.plies_to_end().is_none_or(fits)
    }

    pub(super) fn extend_pv(&mut self, ply: usize, effect: Effect) {
        let (head, tail) = self.pv.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(effect);
        head[ply].extend_from_slice(&tail[0]);
    }
}

/// A limit on plies without a capture that no game reaches: there is none.
pub(super) const NO_LIMIT: u64 = u64::MAX;

/// The limit on plies without a capture in a game.
pub(super) fn limit_of(game: &Game) -> u64 {
    match game.no_capture_limit() {
        0 => NO_LIMIT,
        limit => limit.into(),
    }
}

/// Whether `plies` more, `quiet` of them played without a capture before, stay within the limit on
/// such plies whatever is played.
#[inline(always)]
pub(super) fn fits_limit(quiet: u32, plies: u32, limit: u64) -> bool {
    u64::from(quiet) + u64::from(plies) <= limit
}
