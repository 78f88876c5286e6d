//! Move ordering: the table's move, captures by stones taken, steps by history.

use crate::rules::{Effect, Point};

/// How well steps did so far in this search, by side and by both ends.
pub(super) struct History([[i32; Point::COUNT * Point::COUNT]; 2]);

const HISTORY_LIMIT: i32 = 1 << 16;
const TABLE_MOVE: i32 = i32::MAX;

impl History {
    pub(super) fn new() -> History {
        History([[0; Point::COUNT * Point::COUNT]; 2])
    }

    #[inline(always)]
    fn index(from: Point, to: Point) -> usize {
        from.index() * Point::COUNT + to.index()
    }

    /// The order value of a turn; higher goes first.
    #[inline(always)]
    pub(super) fn rate(&self, ply: usize, effect: Effect, table_move: Option<Effect>) -> i32 {
        if table_move == Some(effect) {
            TABLE_MOVE
        } else if effect.is_capture() {
            HISTORY_LIMIT * 2 * effect.captured.len() as i32
        } else {
            self.rate_step(ply, effect.from, effect.to)
        }
    }

    /// The order value of a step.
    #[inline(always)]
    pub(super) fn rate_step(&self, ply: usize, from: Point, to: Point) -> i32 {
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

    /// Appends a turn that is tried before the others are made.
    #[inline(always)]
    pub(super) fn push_early(&mut self, turn: Effect) {
        self.effects.push(turn);
        self.rates.push(TABLE_MOVE);
    }

    /// Rates the turns that were appended from `from` on.
    #[inline(always)]
    pub(super) fn rate(&mut self, from: usize, rate: impl Fn(Effect) -> i32) {
        let rates = self.effects[from..].iter().map(|&effect| rate(effect));
        self.rates.extend(rates);
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
