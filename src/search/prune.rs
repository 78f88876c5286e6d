//! What need not be searched near the leaves, by the static evaluation: nodes that are far too good,
//! and steps that cannot mend a bad one (futility pruning, both ways).

use super::node::Window;
use super::types::KNOWN;
use super::worker::{Node, Worker};
use crate::rules::Effect;
use crate::rules::cpu::Cpu;

/// Nodes with more depth left are always searched.
const DEEPEST: i32 = 4;
/// Steps are judged in nodes with no more depth left than this.
const DEEPEST_FOR_STEPS: i32 = 3;
/// Centistones that a ply may change a score by.
const MARGIN: i32 = 60;

/// What the evaluation says of a node.
#[derive(Clone, Copy)]
pub(super) enum Outlook {
    /// It is to be searched.
    Open,
    /// It is so good that this score, at or above beta, stands for it.
    TooGood(i32),
    /// No step is likely to come to more than this.
    AtMost(i32),
}

impl<C: Cpu> Worker<'_, C> {
    /// The outlook of a node that is not on the principal variation, with `depth` plies left. A
    /// node with a capture is never judged: captures change too much.
    #[inline(always)]
    pub(super) fn outlook(&self, node: Node, depth: i32, (alpha, beta): Window) -> Outlook {
        // Proofs are not to be cut short by opinions.
        let proof = alpha.abs().max(beta.abs()) >= KNOWN / 2;
        if depth > DEEPEST || self.full_width || proof || node.board.can_capture() {
            return Outlook::Open;
        }
        let (value, threatened) = self.evaluation.value_and_threat(node.board);
        let sure = value - MARGIN * depth;
        if sure >= beta && !threatened {
            return Outlook::TooGood(sure);
        }
        match depth <= DEEPEST_FOR_STEPS {
            true => Outlook::AtMost(value + MARGIN * depth),
            false => Outlook::Open,
        }
    }
}

impl Outlook {
    /// The score that stands for a step of this node, if it is not to be searched.
    #[inline(always)]
    pub(super) fn of_step(
        self,
        cpu: impl Cpu,
        node: Node,
        step: Effect,
        alpha: i32,
    ) -> Option<i32> {
        match self {
            // A step that threatens a capture may come to anything.
            Outlook::AtMost(score) if score <= alpha && !node.board.step_threatens(cpu, step) => {
                Some(score)
            }
            _ => None,
        }
    }
}
