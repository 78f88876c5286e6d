//! Alpha-beta below the root: nodes and their turns in order.

use super::table::{Entry, bound_of};
use super::turn::{Node, Turn};
use super::types::{MAX_PLY, loss};
use super::worker::{FREE, Worker};
use crate::rules::cpu::Cpu;
use crate::rules::{Effect, Line, LineSet};

/// What the turns of a node came to.
struct Best {
    score: i32,
    /// The turn that beat alpha, if one did.
    turn: Option<Effect>,
    /// What the score rests on; see [`Worker::rests_on`].
    rests_on: usize,
}

/// A node whose turns are being tried.
struct Trial<'a> {
    node: &'a Node,
    /// Depth left for each turn, reductions aside.
    below: i32,
    alpha: i32,
    beta: i32,
    /// Turns tried so far.
    tried: usize,
    best: Best,
}

impl<C: Cpu> Worker<'_, C> {
    /// The score of a node for its mover, `depth` plies deep; exact if it lies inside the window.
    pub(super) fn node<const PV: bool>(
        &mut self,
        node: Node,
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        self.cpu.run(
            #[inline(always)]
            || self.node_body::<PV>(node, depth, alpha, beta),
        )
    }

    #[inline(always)]
    fn node_body<const PV: bool>(&mut self, node: Node, depth: i32, alpha: i32, beta: i32) -> i32 {
        if PV {
            self.pv[node.ply].clear();
        }
        let limited = self.near_limit(node, depth);
        if let Some(score) = self.settled(node, limited) {
            return score;
        }
        if depth <= 0 || node.ply >= MAX_PLY {
            return self.quiesce(node, alpha, beta);
        }
        // No line from here ends sooner than in one ply.
        let (soonest_loss, soonest_win) = (loss(node.ply), -loss(node.ply + 1));
        if alpha >= soonest_win {
            return soonest_win;
        }
        if beta <= soonest_loss {
            return soonest_loss;
        }
        let hit = self.table().probe(node.key, node.board);
        if let (false, false, Some(entry)) = (PV, limited, hit)
            && self.comes_in_time(node, entry)
            && let Some(score) = entry.decides(depth, node.ply, alpha, beta)
        {
            return score;
        }
        let best = self.turns_of::<PV>(node, depth, (alpha, beta), hit);
        if self.stopped {
            return 0;
        }
        // A score that rests on a board before this one is true on this path only.
        let free = best.rests_on >= node.ply;
        self.rests_on = if free { FREE } else { best.rests_on };
        if free && !limited {
            let bound = bound_of(best.score, alpha, beta);
            let entry = Entry::new(depth, best.score, node.ply, bound, best.turn);
            self.table().store(node.key, node.board, entry);
        }
        best.score
    }

    /// Enters a node; its score if it is a draw by the rules or in the tables, 0 if the search is
    /// to end. `limited` says that the no-capture limit may be met.
    #[inline(always)]
    fn settled(&mut self, node: Node, limited: bool) -> Option<i32> {
        self.rests_on = FREE;
        if self.enter(node.ply) {
            return Some(0);
        }
        if let Some(ply) = self.repeats(node) {
            self.rests_on = ply;
            return Some(self.draw(node.ply));
        }
        if limited && u64::from(node.quiet) >= self.no_capture_limit && !node.board.is_lost() {
            self.rests_on = 0;
            return Some(self.draw(node.ply));
        }
        self.known(node)
    }

    /// A node behind one turn more, searched with a window of no width.
    #[inline(always)]
    fn scout(&mut self, from: Node, turn: impl Turn, depth: i32, alpha: i32) -> i32 {
        if depth <= 0 {
            let leaf = turn.leaf_after(from);
            let limited = self.near_limit(leaf, 0);
            return -match self.settled(leaf, limited) {
                Some(score) => score,
                None => self.quiesce(leaf, -alpha - 1, -alpha),
            };
        }
        let child = turn.after(from, self.step_keys);
        self.table().prefetch(child.key);
        -self.node::<false>(child, depth, -alpha - 1, -alpha)
    }

    /// Has the place of the board after a turn in the hash table fetched.
    #[inline(always)]
    fn fetch(&self, node: &Node, turn: impl Turn) {
        let key = turn.key_after(node.key, self.step_keys);
        self.table().prefetch(key);
    }

    /// Tries the turns of a node in order.
    #[inline(always)]
    fn turns_of<const PV: bool>(
        &mut self,
        node: Node,
        depth: i32,
        window: (i32, i32),
        hit: Option<Entry>,
    ) -> Best {
        // The table holds the exact board, so its turn is legal.
        let table_turn = hit.and_then(|entry| entry.best);
        self.path.push(node.board.code());
        let jumps = node.board.jumps();
        let best = if jumps.is_empty() {
            self.steps_of::<PV>(node, depth, window, table_turn)
        } else {
            self.captures_of::<PV>(node, jumps, depth, window, table_turn)
        };
        self.path.pop();
        best
    }

    /// Tries the captures of a node that has some, the table's first.
    #[inline(always)]
    fn captures_of<const PV: bool>(
        &mut self,
        node: Node,
        jumps: LineSet,
        depth: i32,
        window: (i32, i32),
        first: Option<Effect>,
    ) -> Best {
        let base = self.captures.len();
        let captures = self.captures.turns();
        node.board.capture_effects_on(self.cpu, jumps, captures);
        let end = self.captures.len();
        let mut trial = self.trial(&node, depth, window, end - base);
        let mut turn = self.captures.pick(base, first);
        for next in base + 1..=end {
            let tried = turn;
            if next < end {
                turn = self.captures.pick(next, first);
                if trial.below > 0 {
                    self.fetch(&node, turn);
                }
            }
            if self.try_turn::<PV>(&mut trial, tried) {
                break;
            }
        }
        self.captures.truncate(base);
        trial.best
    }

    /// Tries the steps of a node without captures: the table's before the others are put in order.
    #[inline(always)]
    fn steps_of<const PV: bool>(
        &mut self,
        node: Node,
        depth: i32,
        window: (i32, i32),
        first: Option<Effect>,
    ) -> Best {
        let steps = node.board.steps();
        let mut trial = self.trial(&node, depth, window, steps.len() as usize);
        let mut left = steps;
        let mut ahead = first.map(|step| Line::between(step.from, step.to));
        let mut last = None;
        while !left.is_empty() {
            let step = match ahead.take() {
                Some(step) => step,
                None => self.next_step(&node, left, &mut last),
            };
            left = left.without(step);
            // The next one's place in the table is fetched while this one is searched.
            if last.is_some() && !left.is_empty() && trial.is_looked_up(trial.tried + 1) {
                let next = self.next_step(&node, left, &mut last);
                self.fetch(&node, next);
                ahead = Some(next);
            }
            if self.try_turn::<PV>(&mut trial, step) {
                if !self.stopped {
                    let tried = steps.without_all(left);
                    self.history
                        .reward(node.ply, node.board, tried, step, depth);
                }
                break;
            }
        }
        trial.best
    }

    /// The best of the steps that are left. `last` is the rating of the one before it; the first
    /// time, they are rated.
    #[inline(always)]
    fn next_step(&mut self, node: &Node, left: LineSet, last: &mut Option<i32>) -> Line {
        let order = &mut self.steps[node.ply];
        let below = last.unwrap_or_else(|| {
            order.fill(node.board, left, self.history.of_side(node.ply));
            i32::MAX
        });
        let (step, rating) = order.next(below);
        *last = Some(rating);
        step
    }

    /// The trial of a node's turns, of which there are `count`.
    #[inline(always)]
    fn trial<'n>(
        &self,
        node: &'n Node,
        depth: i32,
        (alpha, beta): (i32, i32),
        count: usize,
    ) -> Trial<'n> {
        // A forced reply costs no depth, as long as the line does not grow out of bounds.
        let room = (node.ply as i32 + depth) < self.deepest;
        let extension = (count == 1 && room) as i32;
        Trial {
            node,
            below: depth - 1 + extension,
            alpha,
            beta,
            tried: 0,
            best: Best {
                score: loss(node.ply),
                turn: None,
                rests_on: FREE,
            },
        }
    }

    /// Searches one turn of a node; says whether no other need be tried.
    #[inline(always)]
    fn try_turn<const PV: bool>(&mut self, trial: &mut Trial<'_>, turn: impl Turn) -> bool {
        let (ply, alpha, beta, below) = (trial.node.ply, trial.alpha, trial.beta, trial.below);
        let index = trial.tried;
        let mut score = 0;
        let full = PV && index == 0;
        if PV {
            self.pv[ply + 1].clear();
        }
        if !full {
            // Steps far down the order are looked at less deeply first.
            let mut less = match turn.is_capture() || self.full_width {
                true => 0,
                false => reduction(below, index),
            };
            loop {
                score = self.scout(*trial.node, turn, below - less, alpha);
                if less == 0 || score <= alpha || self.stopped {
                    break;
                }
                less = 0;
            }
        }
        if full || PV && score > alpha && score < beta && !self.stopped {
            let child = turn.after(*trial.node, self.step_keys);
            score = -self.node::<true>(child, below, -beta, -alpha);
        }
        if self.stopped {
            return true;
        }
        trial.tried += 1;
        let best = &mut trial.best;
        if score > best.score || index == 0 {
            (best.score, best.rests_on) = (score, self.rests_on);
            if score > alpha {
                let effect = turn.effect(trial.node.board);
                (trial.alpha, best.turn) = (score, Some(effect));
                if PV {
                    self.extend_pv(ply, effect);
                }
            }
        }
        score >= beta
    }
}

impl Trial<'_> {
    /// Whether the board after the `index`-th step is looked up in the hash table.
    #[inline(always)]
    fn is_looked_up(&self, index: usize) -> bool {
        self.below > reduction(self.below, index)
    }
}

/// Plies by which the `index`-th step is searched less deeply, 0 to 2; `below` is the depth left
/// for it otherwise.
#[inline(always)]
fn reduction(below: i32, index: usize) -> i32 {
    (below >= 2 && index >= 3) as i32 + (below >= 5 && index >= 6) as i32
}
