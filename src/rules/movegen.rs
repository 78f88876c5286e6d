//! Generation of legal moves, as effects on the board (for search and tables) and as paths (for
//! notation and perft).

use super::board::Board;
use super::cpu::{Cpu, Portable, with_cpu};
use super::jumps::{Chain, go_on, jump_along};
use super::lines::{Line, LineSet, opposite};
use super::moves::Move;
use super::point::{Point, PointSet};

/// What a turn does to the board: one stone goes from a point to a point (the same one after a
/// round trip) and the captured stones leave. Several paths may share one effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Effect {
    /// Where the moving stone starts.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
    /// Enemy stones taken; empty for a step.
    pub captured: PointSet,
}

impl Effect {
    /// A turn that takes nothing.
    #[inline(always)]
    pub fn step(from: Point, to: Point) -> Effect {
        let captured = PointSet::EMPTY;
        Effect { from, to, captured }
    }

    /// Whether stones are taken.
    #[inline(always)]
    pub fn is_capture(self) -> bool {
        !self.captured.is_empty()
    }
}

impl Board {
    /// The board after a turn, seen by the next mover. The turn must be legal.
    #[inline(always)]
    pub fn after(self, effect: Effect) -> Board {
        Board {
            own: self.other ^ effect.captured,
            // A round trip changes nothing here.
            other: self.own ^ effect.from.bit() ^ effect.to.bit(),
        }
    }

    /// Calls `visit` with both ends of every step, whether or not a capture forbids steps.
    #[inline(always)]
    pub fn for_each_step(self, mut visit: impl FnMut(Point, Point)) {
        for line in self.steps() {
            let Effect { from, to, .. } = self.step_along(line);
            visit(from, to);
        }
    }

    /// The step of the mover along a line.
    #[inline(always)]
    pub(crate) fn step_along(self, line: Line) -> Effect {
        let (low, high) = (line.low(), line.high());
        match self.own.has(low) {
            true => Effect::step(low, high),
            false => Effect::step(high, low),
        }
    }

    /// The board after the mover's step along a line, seen by the next mover.
    #[inline(always)]
    pub(crate) fn after_step(self, line: Line) -> Board {
        // A step changes both ends of its line, whichever held the stone.
        Board {
            own: self.other,
            other: self.own ^ line.ends(),
        }
    }

    /// Appends every legal turn to `out`, each effect once however many paths lead to it.
    pub fn effects(self, out: &mut Vec<Effect>) {
        with_cpu!(|cpu| self.effects_on(cpu, out));
    }

    /// [`Board::effects`] for code that knows its processor.
    #[inline(always)]
    pub(crate) fn effects_on(self, cpu: impl Cpu, out: &mut Vec<Effect>) {
        let jumps = self.jumps();
        if jumps.is_empty() {
            self.for_each_step(|from, to| out.push(Effect::step(from, to)));
        } else {
            self.capture_effects_on(cpu, jumps, out);
        }
    }

    /// Appends every capturing turn to `out`, each effect once; `jumps` are those of the board.
    #[inline(always)]
    pub(crate) fn capture_effects_on(self, cpu: impl Cpu, jumps: LineSet, out: &mut Vec<Effect>) {
        let (first, go_on) = (out.len(), go_on(self));
        for jump in jumps {
            let (from, over, to) = jump_along(jump, self.own);
            if go_on.has(to) {
                self.chain_effects(cpu, (from, over, to), first, out);
            } else {
                let captured = over.bit();
                out.push(Effect { from, to, captured });
            }
        }
    }

    /// Appends the turns of two captures and more that begin with a jump, unless the same effect
    /// stands in `out` from `first` on.
    fn chain_effects<C: Cpu>(
        self,
        cpu: C,
        (from, over, to): (Point, Point, Point),
        first: usize,
        out: &mut Vec<Effect>,
    ) {
        cpu.run(
            #[inline(always)]
            || {
                let chain = Chain::start(self, from).taking(over);
                let next = chain.victims_from(cpu, to);
                chain.for_each_end(cpu, to, next, over.bit(), &mut |to, captured| {
                    let effect = Effect { from, to, captured };
                    // Only paths of one stone can share an effect: no two stones have round trips
                    // over the same victims on this board.
                    if !out[first..].contains(&effect) {
                        out.push(effect);
                    }
                });
            },
        );
    }

    /// Every legal move by its path. There can be thousands.
    pub fn moves(self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.for_each_move(|path| moves.extend(Move::from_path(path)));
        moves
    }

    /// Some legal move with this effect, the first in generation order.
    pub fn move_for(self, effect: Effect) -> Option<Move> {
        let after = self.after(effect);
        let same = |mv: &Move| self.after(mv.effect()) == after;
        self.moves().into_iter().find(same)
    }

    fn for_each_move(self, mut visit: impl FnMut(&[Point])) {
        let capturers = self.capturers();
        if capturers.is_empty() {
            self.for_each_step(|from, to| visit(&[from, to]));
        }
        for from in capturers {
            let mut path = Vec::with_capacity(Move::MAX_POINTS);
            path.push(from);
            for_each_path(Chain::start(self, from), &mut path, &mut visit);
        }
    }

    /// Calls `visit` with the board after each legal move, once for every path.
    #[inline(always)]
    pub(crate) fn for_each_child(self, cpu: impl Cpu, mut visit: impl FnMut(Board)) {
        let jumps = self.jumps();
        if jumps.is_empty() {
            for line in self.steps() {
                visit(self.after_step(line));
            }
            return;
        }
        let go_on = go_on(self);
        for jump in jumps {
            let (from, over, to) = jump_along(jump, self.own);
            let mut end = inlined(
                #[inline(always)]
                |to, captured| visit(self.after(Effect { from, to, captured })),
            );
            if go_on.has(to) {
                let chain = Chain::start(self, from).taking(over);
                let next = chain.victims_from(cpu, to);
                chain.for_each_end(cpu, to, next, over.bit(), &mut end);
            } else {
                end(to, over.bit());
            }
        }
    }
}

/// A closure can be marked as inlined only where it is an argument.
#[inline(always)]
fn inlined<F: FnMut(Point, PointSet)>(visit: F) -> F {
    visit
}

/// Calls `visit` with every complete path that goes on from the end of `path`.
fn for_each_path(chain: Chain, path: &mut Vec<Point>, visit: &mut impl FnMut(&[Point])) {
    let at = path[path.len() - 1];
    let next = chain.victims_from(Portable, at);
    if next.is_empty() {
        visit(path);
    }
    for over in next {
        path.push(opposite(at, over));
        for_each_path(chain.taking(over), path, visit);
        path.pop();
    }
}
