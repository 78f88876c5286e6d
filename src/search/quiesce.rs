//! Nodes with no depth left: captures are played out, quiet boards evaluated.

use super::turn::{Node, Turn};
use super::types::{MAX_PLY, loss};
use super::worker::Worker;
use crate::rules::cpu::Cpu;
use crate::rules::{LineSet, Survey};

impl<C: Cpu> Worker<'_, C> {
    /// Plays out every capture; a quiet board is evaluated. Nobody may stand pat while a capture
    /// exists, for captures are compulsory.
    #[inline(always)]
    pub(super) fn quiesce(&mut self, node: Node, alpha: i32, beta: i32) -> i32 {
        let survey = node.board.survey();
        match survey.jumps.is_empty() || node.ply >= MAX_PLY {
            true => self.evaluate(node, &survey),
            false => self.play_out(node, survey.jumps, alpha, beta),
        }
    }

    /// What is thought of a board; its mover has lost if it is stuck.
    #[inline(always)]
    fn evaluate(&self, node: Node, survey: &Survey) -> i32 {
        match survey.steps {
            0 => loss(node.ply),
            _ => self.evaluation.value_by(node.board, survey),
        }
    }

    /// Tries every capture of a node that has some: these jumps begin them.
    fn play_out(&mut self, node: Node, jumps: LineSet, alpha: i32, beta: i32) -> i32 {
        self.cpu.run(
            #[inline(always)]
            || self.play_out_body(node, jumps, alpha, beta),
        )
    }

    #[inline(always)]
    fn play_out_body(&mut self, node: Node, jumps: LineSet, mut alpha: i32, beta: i32) -> i32 {
        let base = self.captures.len();
        let captures = self.captures.turns();
        node.board.capture_effects_on(self.cpu, jumps, captures);
        let mut best = loss(node.ply);
        for i in base..self.captures.len() {
            let child = self.captures.pick(i, None).leaf_after(node);
            if self.enter(child.ply) {
                break;
            }
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
        self.captures.truncate(base);
        best
    }
}
