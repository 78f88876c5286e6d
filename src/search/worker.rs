//! One thread's alpha-beta search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::eval::evaluate_leaf;
use super::order::{History, TurnStack};
use super::table::{Entry, Table};
use super::timer::Timer;
use super::types::{Bound, MAX_DEPTH, Score, Signal};
use crate::rules::{Board, Effect, Game, ZobristKey, toggle_key};

/// What the threads of one search share.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub signal: &'a Signal,
    /// Raised by the main thread when all are to end.
    pub abort: AtomicBool,
    pub nodes: AtomicU64,
}

/// A board on the way down, with its key and its place.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub board: Board,
    pub key: ZobristKey,
    pub ply: usize,
    /// Plies since the last capture.
    pub quiet: u32,
}

/// Marks a score that rests on no repetition; otherwise the ply of the earliest board it rests on.
const FREE: usize = usize::MAX;
/// Nodes between two looks at the clock.
const CHECK_EVERY: u64 = 1024;

/// The state of one searching thread.
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    /// Only the main thread looks at the clock.
    pub timer: Option<Timer>,
    pub nodes: u64,
    /// The most nodes of this thread.
    pub node_limit: u64,
    pub seldepth: usize,
    pub stopped: bool,
    history: History,
    turns: TurnStack,
    /// Codes of the boards since the last capture before the root, then of the line.
    line: Vec<u64>,
    /// Boards in `line` before the root.
    before_root: usize,
    /// What the score returned last rests on.
    rests_on: usize,
    no_capture_limit: u32,
    contempt: i32,
    /// Extensions make no line's nominal length more than this.
    deepest: i32,
    /// Principal variations by ply.
    pv: Vec<Vec<Effect>>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, game: &Game, contempt: i32) -> Worker<'a> {
        let boards = game.boards();
        let before_root = boards.len() - 1;
        Worker {
            shared,
            timer: None,
            nodes: 0,
            node_limit: u64::MAX,
            seldepth: 0,
            stopped: false,
            history: History::new(),
            turns: TurnStack::default(),
            line: boards[..before_root].iter().map(|b| b.code()).collect(),
            before_root,
            rests_on: FREE,
            no_capture_limit: game.no_capture_limit(),
            contempt,
            deepest: 0,
            pv: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    pub(super) fn signal(&self) -> &'a Signal {
        self.shared.signal
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
        self.line.truncate(self.before_root);
        self.line.push(root.board.code());
        let (alpha, beta) = window;
        let child = root.after(effect);
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
    fn draw(&self, ply: usize) -> i32 {
        if ply & 1 == 0 {
            -self.contempt
        } else {
            self.contempt
        }
    }

    /// Counts a node; says whether the search is to end.
    #[inline(always)]
    fn enter(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes.is_multiple_of(CHECK_EVERY) {
            self.look_at_limits();
        }
        if self.nodes >= self.node_limit {
            self.stopped = true;
        }
        self.stopped
    }

    fn look_at_limits(&mut self) {
        let shared = self.shared;
        shared.nodes.fetch_add(CHECK_EVERY, Ordering::Relaxed);
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
    fn repeats(&self, node: Node) -> Option<usize> {
        let code = node.board.code();
        let now = self.line.len();
        let reach = (node.quiet as usize).min(now);
        let mut in_game = 0;
        for back in (4..=reach).step_by(2) {
            if self.line[now - back] == code {
                if back <= node.ply {
                    return Some(node.ply - back);
                }
                in_game += 1;
                if in_game == 2 {
                    return Some(0);
                }
            }
        }
        None
    }

    /// Whether the no-capture limit may be met within `depth` plies, so that scores found under
    /// another count do not hold.
    #[inline(always)]
    fn near_limit(&self, node: Node, depth: i32) -> bool {
        let limit = self.no_capture_limit;
        limit > 0 && node.quiet as i64 + depth.max(0) as i64 + 2 >= limit as i64
    }

    fn node<const PV: bool>(&mut self, node: Node, depth: i32, mut alpha: i32, beta: i32) -> i32 {
        self.rests_on = FREE;
        if PV {
            self.pv[node.ply].clear();
        }
        if self.enter(node.ply) {
            return 0;
        }
        if let Some(ply) = self.repeats(node) {
            self.rests_on = ply;
            return self.draw(node.ply);
        }
        let limited = self.near_limit(node, depth);
        if limited && node.quiet >= self.no_capture_limit && !node.board.is_lost() {
            self.rests_on = 0;
            return self.draw(node.ply);
        }
        if depth <= 0 || node.ply >= MAX_PLY {
            return self.quiesce(node, alpha, beta);
        }
        // No line from here ends sooner than in one ply.
        let (soonest_loss, soonest_win) = (loss(node.ply), -loss(node.ply + 1));
        if alpha >= soonest_win || beta <= soonest_loss {
            return if alpha >= soonest_win {
                soonest_win
            } else {
                soonest_loss
            };
        }
        let hit = self.shared.table.probe(node.key, node.board);
        if let (false, false, Some(entry)) = (PV, limited, hit)
            && let Some(score) = usable(entry, depth, node.ply, alpha, beta)
        {
            return score;
        }
        let old_alpha = alpha;
        let (score, best, rests_on) = self.turns_of::<PV>(node, depth, &mut alpha, beta, hit);
        if self.stopped {
            return 0;
        }
        // A score that rests on a board before this one is true on this path only.
        let free = rests_on >= node.ply;
        self.rests_on = if free { FREE } else { rests_on };
        if free && !limited {
            let bound = bound_of(score, old_alpha, beta);
            self.remember(node, depth, score, bound, best);
        }
        score
    }

    /// Tries the turns of a node in order; returns the best score, its turn (if it beat alpha)
    /// and what the score rests on.
    #[inline(always)]
    fn turns_of<const PV: bool>(
        &mut self,
        node: Node,
        depth: i32,
        alpha: &mut i32,
        beta: i32,
        hit: Option<Entry>,
    ) -> (i32, Option<Effect>, usize) {
        let base = self.turns.effects.len();
        node.board.effects(&mut self.turns.effects);
        let count = self.turns.effects.len() - base;
        let table_move = hit.and_then(|entry| entry.best);
        let (history, ply) = (&self.history, node.ply);
        self.turns
            .rate(base, |effect| history.rate(ply, effect, table_move));
        // A forced reply costs no depth, as long as the line does not grow out of bounds.
        let room = (ply as i32 + depth) < self.deepest;
        let extension = (count == 1 && room) as i32;
        let (mut best, mut best_turn, mut rests_on) = (loss(ply), None, FREE);
        self.line.push(node.board.code());
        for i in 0..count {
            let effect = self.turns.pick(base + i);
            let child = node.after(effect);
            let below = depth - 1 + extension;
            let mut score = 0;
            let full = PV && i == 0;
            if PV {
                self.pv[ply + 1].clear();
            }
            // Steps far down the order are looked at less deeply first.
            let reduction = match effect.is_capture() || depth < 3 || i < 3 {
                true => 0,
                false => reduction(depth, i),
            };
            if !full {
                score = -self.node::<false>(child, below - reduction, -*alpha - 1, -*alpha);
            }
            if reduction > 0 && score > *alpha && !self.stopped {
                score = -self.node::<false>(child, below, -*alpha - 1, -*alpha);
            }
            if full || PV && score > *alpha && score < beta && !self.stopped {
                score = -self.node::<true>(child, below, -beta, -*alpha);
            }
            if self.stopped {
                break;
            }
            if score > best || i == 0 {
                (best, rests_on) = (score, self.rests_on);
                if score > *alpha {
                    (*alpha, best_turn) = (score, Some(effect));
                    if PV {
                        self.extend_pv(ply, effect);
                    }
                }
                if score >= beta {
                    if !effect.is_capture() {
                        let tried = &self.turns.effects[base..=base + i];
                        self.history.reward(ply, tried, depth);
                    }
                    break;
                }
            }
        }
        self.line.pop();
        self.turns.truncate(base);
        (best, best_turn, rests_on)
    }

    /// Plays out every capture; a quiet board is evaluated. Nobody may stand pat while a capture
    /// exists, for captures are compulsory.
    fn quiesce(&mut self, node: Node, mut alpha: i32, beta: i32) -> i32 {
        let base = self.turns.effects.len();
        if node.ply >= MAX_PLY || !node.board.capture_effects(&mut self.turns.effects) {
            self.turns.truncate(base);
            return evaluate_leaf(node.board).unwrap_or(loss(node.ply));
        }
        let taken = |effect: Effect| effect.captured.len() as i32;
        self.turns.rate(base, taken);
        let mut best = loss(node.ply);
        for i in base..self.turns.effects.len() {
            let effect = self.turns.pick(i);
            if self.enter(node.ply + 1) {
                break;
            }
            let score = -self.quiesce(node.after(effect), -beta, -alpha);
            best = best.max(score);
            alpha = alpha.max(score);
            if score >= beta {
                break;
            }
        }
        self.turns.truncate(base);
        best
    }

    fn remember(&self, node: Node, depth: i32, score: i32, bound: Bound, best: Option<Effect>) {
        let entry = Entry {
            depth: depth.clamp(0, 255) as u32,
            bound,
            score: to_table(score, node.ply),
            best,
        };
        self.shared.table.store(node.key, node.board, entry);
    }

    fn extend_pv(&mut self, ply: usize, effect: Effect) {
        let (head, tail) = self.pv.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(effect);
        head[ply].extend_from_slice(&tail[0]);
    }
}

/// The most plies from the root, captures at the end of a line aside.
const MAX_PLY: usize = 2 * MAX_DEPTH as usize;

impl Node {
    #[inline(always)]
    pub(super) fn after(self, effect: Effect) -> Node {
        Node {
            board: self.board.after(effect),
            key: toggle_key(self.key, effect),
            ply: self.ply + 1,
            quiet: if effect.is_capture() {
                0
            } else {
                self.quiet + 1
            },
        }
    }
}

/// Plies by which the `index`-th turn is searched less deeply, 0 to 2 or so.
#[inline(always)]
fn reduction(depth: i32, index: usize) -> i32 {
    1 + (depth >= 6 && index >= 6) as i32
}

/// The score of having lost at `ply`.
#[inline(always)]
fn loss(ply: usize) -> i32 {
    Score::loss_in(ply as u32).0
}

#[inline(always)]
fn bound_of(score: i32, alpha: i32, beta: i32) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

/// Distances count from the root on a line and from the board itself in the table.
#[inline(always)]
fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        s if s >= Score::PROVEN => s + ply as i32,
        s if s <= -Score::PROVEN => s - ply as i32,
        s => s,
    }
}

#[inline(always)]
fn from_table(score: i32, ply: usize) -> i32 {
    match score {
        s if s >= Score::PROVEN => s - ply as i32,
        s if s <= -Score::PROVEN => s + ply as i32,
        s => s,
    }
}

/// The score of a table entry if it is deep enough and decides this window.
#[inline(always)]
fn usable(entry: Entry, depth: i32, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
    let score = from_table(entry.score, ply);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    (entry.depth as i32 >= depth && decides).then_some(score)
}
