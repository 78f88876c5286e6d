//! A board on the way down, and what leads from one to the next.

use crate::rules::{Board, Effect, Line, StepKeys, ZobristKey, toggle_key};

/// A board on the way down, with its key and its place.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub board: Board,
    pub key: ZobristKey,
    pub ply: usize,
    /// Plies since the last capture.
    pub quiet: u32,
}

/// A turn of a node: a capture by its effect, a step by its line.
pub(super) trait Turn: Copy {
    /// Whether stones are taken.
    fn is_capture(self) -> bool;

    /// What it does to the board.
    fn effect(self, board: Board) -> Effect;

    /// The node after it, with no key of its own: nothing below it is looked up.
    fn leaf_after(self, node: Node) -> Node;

    /// The key after it.
    fn key_after(self, key: ZobristKey, keys: &StepKeys) -> ZobristKey;

    /// The node after it.
    #[inline(always)]
    fn after(self, node: Node, keys: &StepKeys) -> Node {
        let key = self.key_after(node.key, keys);
        Node {
            key,
            ..self.leaf_after(node)
        }
    }
}

impl Turn for Line {
    #[inline(always)]
    fn is_capture(self) -> bool {
        false
    }

    #[inline(always)]
    fn effect(self, board: Board) -> Effect {
        board.step_along(self)
    }

    #[inline(always)]
    fn leaf_after(self, node: Node) -> Node {
        Node {
            board: node.board.after_step(self),
            key: node.key,
            ply: node.ply + 1,
            quiet: node.quiet + 1,
        }
    }

    #[inline(always)]
    fn key_after(self, key: ZobristKey, keys: &StepKeys) -> ZobristKey {
        keys.after(key, self)
    }
}

/// A capture.
impl Turn for Effect {
    #[inline(always)]
    fn is_capture(self) -> bool {
        true
    }

    #[inline(always)]
    fn effect(self, _: Board) -> Effect {
        self
    }

    #[inline(always)]
    fn leaf_after(self, node: Node) -> Node {
        Node {
            board: node.board.after(self),
            key: node.key,
            ply: node.ply + 1,
            quiet: 0,
        }
    }

    #[inline(always)]
    fn key_after(self, key: ZobristKey, _: &StepKeys) -> ZobristKey {
        toggle_key(key, self)
    }
}
