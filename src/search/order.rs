//! Move ordering: the table's move, captures by stones taken, steps by history.

use crate::rules::{Effect, Point};

/// How well steps did so far in this search, by side and by both ends.
pub(super) struct History([[i32; 1 << 10]; 2]);

const HISTORY_LIMIT: i32 = 1 << 16;

/// The order value of a capture; higher goes first. The table's comes before all.
#[inline(always)]
pub(super) fn rate_capture(turn: Effect, table_turn: Option<Effect>) -> i32 {
    match table_turn == Some(turn) {
        true => i32::MAX,
        false => turn.captured.len() as i32,
    }
}

impl History {
    pub(super) fn new() -> History {
        History([[0; 1 << 10]; 2])
    }

    #[inline(always)]
    fn index(from: Point, to: Point) -> usize {
        // Points take five bits; the mask says so to the compiler.
        (from.index() << 5 | to.index()) & 0x3ff
    }

    /// The order value of a step; higher goes first.
    #[inline(always)]
    pub(super) fn rate(&self, ply: usize, from: Point, to: Point) -> i32 {
        self.0[ply & 1][Self::index(from, to)]
    }

    /// A step cut off; those tried before it did not.
    pub(super) fn reward(&mut self, ply: usize, tried: &[Effect], depth: i32) {
        let bonus = (depth * depth).min(1024);
        for (i, &effect) in tried.iter().enumerate() {
            let cell = &mut self.0[ply & 1][Self::index(effect.from, effect.to)];
            let gain = if i + 1 == tried.len() { bonus } else { -bonus };
            // Shrinks towards 0 as it nears the limit.
            *cell += gain - *cell * bonus / HISTORY_LIMIT;
        }
    }
}

/// The turns of the nodes on the present line, one after the other: no buffer of fixed size
/// holds them all.
#[derive(Default)]
pub(super) struct TurnStack {
    pub effects: Vec<Effect>,
    pub rates: Vec<i32>,
}

impl TurnStack {
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.effects.len()
    }

    /// Brings the best turn of `from..` to the front and returns it.
    #[inline(always)]
    pub(super) fn pick(&mut self, from: usize) -> Effect {
        let (effects, rates) = (&mut self.effects[from..], &mut self.rates[from..]);
        let mut best = 0;
        for (i, &rate) in rates.iter().enumerate() {
            if rate > rates[best] {
                best = i;
            }
        }
        effects.swap(0, best);
        rates.swap(0, best);
        effects[0]
    }

    #[inline(always)]
    pub(super) fn push(&mut self, turn: Effect, rate: i32) {
        self.effects.push(turn);
        self.rates.push(rate);
    }

    /// Rates the turns that were appended from `from` on.
    #[inline(always)]
    pub(super) fn rate(&mut self, from: usize, rate: impl Fn(Effect) -> i32) {
        for &turn in &self.effects[from..] {
            self.rates.push(rate(turn));
        }
    }

    /// The turns between two places.
    #[inline(always)]
    pub(super) fn between(&self, from: usize, to: usize) -> &[Effect] {
        &self.effects[from..to]
    }

    #[inline(always)]
    pub(super) fn truncate(&mut self, len: usize) {
        self.effects.truncate(len);
        self.rates.truncate(len);
    }
}
