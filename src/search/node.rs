//! Alpha-beta below the root: nodes, their turns in order, captures to the end.

use super::order::rate_capture;
use super::table::{Entry, bound_of};
use super::types::{MAX_PLY, loss};
use super::worker::{FREE, Node, Worker};
use crate::rules::Effect;
use crate::rules::cpu::Cpu;

/// What the turns of a node came to.
struct Best {
    score: i32,
    /// The turn that beat alpha, if one did.
    turn: Option<Effect>,
    /// What the score rests on; see [`Worker::rests_on`].
    rests_on: usize,
}

/// A node whose turns are being tried.
struct Trial {
    node: Node,
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
        if limited && node.quiet >= self.no_capture_limit && !node.board.is_lost() {
            self.rests_on = 0;
            return Some(self.draw(node.ply));
        }
        self.known(node)
    }

    /// A node with no depth left.
    fn leaf(&mut self, node: Node, alpha: i32, beta: i32) -> i32 {
        self.cpu.run(
            #[inline(always)]
            || match self.settled(node, self.near_limit(node, 0)) {
                Some(score) => score,
                None => self.quiesce_body(node, alpha, beta),
            },
        )
    }

    /// A node behind one turn more, searched with a window of no width.
    #[inline(always)]
    fn scout(&mut self, from: Node, turn: Effect, depth: i32, alpha: i32) -> i32 {
        if depth <= 0 {
            return -self.leaf(from.leaf_after(turn), -alpha - 1, -alpha);
        }
        let child = from.after(turn);
        self.table().prefetch(child.key);
        -self.node::<false>(child, depth, -alpha - 1, -alpha)
    }

    /// Tries the turns of a node in order.
    #[inline(always)]
    fn turns_of<const PV: bool>(
        &mut self,
        node: Node,
        depth: i32,
        (alpha, beta): (i32, i32),
        hit: Option<Entry>,
    ) -> Best {
        let base = self.turns.len();
        let table_turn = hit.and_then(|entry| entry.best);
        // A step in the table proves that there are no captures: it is tried before the other
        // steps are made. The table holds the exact board, so its turn is legal.
        let early = table_turn.filter(|turn| !turn.is_capture());
        let count = match early {
            Some(turn) => {
                self.turns.push(turn, 0);
                node.board.step_count() as usize
            }
            None => {
                self.generate(node, table_turn);
                self.turns.len() - base
            }
        };
        // A forced reply costs no depth, as long as the line does not grow out of bounds.
        let room = (node.ply as i32 + depth) < self.deepest;
        let extension = (count == 1 && room) as i32;
        let mut trial = Trial {
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
        };
        self.line.push(node.board.code());
        while trial.tried < count {
            if let (1, Some(done)) = (trial.tried, early) {
                self.generate_steps(node, Some(done));
            }
            let turn = self.turns.pick(base + trial.tried);
            if self.try_turn::<PV>(&mut trial, turn) {
                break;
            }
            if trial.best.score >= beta {
                if !turn.is_capture() {
                    let tried = self.turns.between(base, base + trial.tried);
                    self.history.reward(node.ply, tried, depth);
                }
                break;
            }
        }
        self.line.pop();
        self.turns.truncate(base);
        trial.best
    }

    /// Searches one turn of a node; says whether the search is to end.
    #[inline(always)]
    fn try_turn<const PV: bool>(&mut self, trial: &mut Trial, turn: Effect) -> bool {
        let (ply, alpha, beta, below) = (trial.node.ply, trial.alpha, trial.beta, trial.below);
        let index = trial.tried;
        let mut score = 0;
        let full = PV && index == 0;
        if PV {
            self.pv[ply + 1].clear();
        }
        // Steps far down the order are looked at less deeply first.
        let reduction = match turn.is_capture() || self.full_width {
            true => 0,
            false => reduction(below, index),
        };
        if !full {
            score = self.scout(trial.node, turn, below - reduction, alpha);
        }
        if reduction > 0 && score > alpha && !self.stopped {
            score = self.scout(trial.node, turn, below, alpha);
        }
        if full || PV && score > alpha && score < beta && !self.stopped {
            score = -self.node::<true>(trial.node.after(turn), below, -beta, -alpha);
        }
        if self.stopped {
            return true;
        }
        trial.tried += 1;
        let best = &mut trial.best;
        if score > best.score || index == 0 {
            (best.score, best.rests_on) = (score, self.rests_on);
            if score > alpha {
                (trial.alpha, best.turn) = (score, Some(turn));
                if PV {
                    self.extend_pv(ply, turn);
                }
            }
        }
        false
    }

    /// Puts every turn of a node on the stack, rated.
    #[inline(always)]
    fn generate(&mut self, node: Node, table_turn: Option<Effect>) {
        let base = self.turns.len();
        let (board, turns) = (node.board, &mut self.turns);
        if board.capture_effects_on(self.cpu, &mut turns.effects) {
            turns.rate(base, |turn| rate_capture(turn, table_turn));
        } else {
            self.generate_steps(node, None);
        }
    }

    /// Puts the steps of a node on the stack, rated, except the one that is done already.
    #[inline(always)]
    fn generate_steps(&mut self, node: Node, done: Option<Effect>) {
        node.board.for_each_step(|from, to| {
            if done.is_none_or(|done| (from, to) != (done.from, done.to)) {
                let rate = self.history.rate(node.ply, from, to);
                self.turns.push(Effect::step(from, to), rate);
            }
        });
    }

    /// Plays out every capture; a quiet board is evaluated. Nobody may stand pat while a capture
    /// exists, for captures are compulsory.
    fn quiesce(&mut self, node: Node, alpha: i32, beta: i32) -> i32 {
        self.cpu.run(
            #[inline(always)]
            || self.quiesce_body(node, alpha, beta),
        )
    }

    #[inline(always)]
    fn quiesce_body(&mut self, node: Node, mut alpha: i32, beta: i32) -> i32 {
        let base = self.turns.len();
        let captures = |turns: &mut Vec<Effect>| node.board.capture_effects_on(self.cpu, turns);
        if node.ply >= MAX_PLY || !captures(&mut self.turns.effects) {
            return self.evaluation.leaf(node.board).unwrap_or(loss(node.ply));
        }
        self.turns.rate(base, |effect| effect.captured.len() as i32);
        let mut best = loss(node.ply);
        for i in base..self.turns.len() {
            let effect = self.turns.pick(i);
            if self.enter(node.ply + 1) {
                break;
            }
            let child = node.leaf_after(effect);
            let score = match self.known(child) {
                Some(score) => -score,
                None => -self.quiesce(child, -beta, -alpha),
            };
            best = best.max(score);
            alpha = alpha.max(score);
            if score >= beta {
                break;
            }
        }
        self.turns.truncate(base);
        best
    }
}

/// Plies by which the `index`-th turn is searched less deeply, 0 to 2; `below` is the depth left
/// for it otherwise.
#[inline(always)]
fn reduction(below: i32, index: usize) -> i32 {
    (below >= 2 && index >= 3) as i32 + (below >= 5 && index >= 6) as i32
}
