//! Generation of legal moves, as effects on the board (for search and tables) and as paths (for
//! notation and perft).

use super::board::Board;
use super::cpu::dispatch;
use super::lines::{halfway, landings, neighbours};
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
            own: self.other - effect.captured,
            other: (self.own - effect.from.bit()) | effect.to.bit(),
        }
    }

    /// Calls `visit` with both ends of every step, whether or not a capture forbids steps.
    #[inline(always)]
    pub fn for_each_step(self, mut visit: impl FnMut(Point, Point)) {
        let empty = self.empty();
        for from in self.own {
            for to in neighbours(from) & empty {
                visit(from, to);
            }
        }
    }

    /// Appends every legal turn to `out`, each effect once however many paths lead to it.
    pub fn effects(self, out: &mut Vec<Effect>) {
        if !self.capture_effects(out) {
            self.for_each_step(|from, to| {
                out.push(Effect {
                    from,
                    to,
                    captured: PointSet::EMPTY,
                });
            });
        }
    }

    /// Appends every capturing turn to `out`, each effect once; says whether there was one.
    pub fn capture_effects(self, out: &mut Vec<Effect>) -> bool {
        let capturers = self.capturers();
        let start = out.len();
        for from in capturers {
            let first = out.len();
            let chain = Chain::start(self, from);
            chain.for_each_end(from, PointSet::EMPTY, &mut |to, captured| {
                let effect = Effect { from, to, captured };
                // Round trips of two stones that take the same victims leave the same board.
                let same = |e: &Effect| {
                    e.captured == captured
                        && (e.from == from && e.to == to || from == to && e.from == e.to)
                };
                let seen = if from == to { start } else { first };
                if !out[seen..].iter().any(same) {
                    out.push(effect);
                }
            });
        }
        !capturers.is_empty()
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
            Chain::start(self, from).for_each_path(&mut path, PointSet::EMPTY, &mut visit);
        }
    }
}

/// A chain in progress: the moving stone is lifted off the board.
#[derive(Clone, Copy)]
struct Chain {
    vacant: PointSet,
    victims: PointSet,
}

impl Chain {
    #[inline(always)]
    fn start(board: Board, from: Point) -> Chain {
        Chain {
            vacant: board.empty() | from.bit(),
            victims: board.other,
        }
    }

    /// Calls `visit` with the victim and landing point of each jump from `at`.
    #[inline(always)]
    fn for_each_jump(self, at: Point, mut visit: impl FnMut(Point, Point)) {
        for to in landings(at) & self.vacant {
            let over = halfway(at, to);
            if self.victims.has(over) {
                visit(over, to);
            }
        }
    }

    #[inline(always)]
    fn taking(self, over: Point) -> Chain {
        Chain {
            vacant: self.vacant | over.bit(),
            victims: self.victims - over.bit(),
        }
    }

    fn for_each_end(self, at: Point, taken: PointSet, visit: &mut impl FnMut(Point, PointSet)) {
        let mut ended = true;
        self.for_each_jump(at, |over, to| {
            ended = false;
            self.taking(over)
                .for_each_end(to, taken | over.bit(), visit);
        });
        if ended {
            visit(at, taken);
        }
    }

    fn for_each_path(
        self,
        path: &mut Vec<Point>,
        taken: PointSet,
        visit: &mut impl FnMut(&[Point]),
    ) {
        let mut ended = true;
        self.for_each_jump(path[path.len() - 1], |over, to| {
            ended = false;
            path.push(to);
            self.taking(over)
                .for_each_path(path, taken | over.bit(), visit);
            path.pop();
        });
        if ended {
            visit(path);
        }
    }

    fn count_paths(self, at: Point) -> u64 {
        let mut count = 0;
        self.for_each_jump(at, |over, to| count += self.taking(over).count_paths(to));
        count.max(1)
    }
}

#[inline(always)]
fn count_moves_body(board: Board) -> u64 {
    let capturers = board.capturers();
    if capturers.is_empty() {
        return board.step_count() as u64;
    }
    capturers
        .map(|from| Chain::start(board, from).count_paths(from))
        .sum()
}

#[inline(always)]
fn count_replies_body(board: Board) -> u64 {
    let mut count = 0;
    if board.can_capture() {
        // The recursion over chains is compiled for any processor: pick the fast count again.
        board.for_each_child(|child| count += count_moves(child));
    } else {
        board.for_each_step(|from, to| {
            let effect = Effect {
                from,
                to,
                captured: PointSet::EMPTY,
            };
            count += count_moves_body(board.after(effect));
        });
    }
    count
}

dispatch! {
    /// The number of legal moves (paths), without generating them.
    pub(crate) fn count_moves(board: Board) -> u64 = count_moves_body;
}

dispatch! {
    /// The number of legal moves of all boards one move on: perft 2, counted in bulk.
    pub(crate) fn count_replies(board: Board) -> u64 = count_replies_body;
}

impl Board {
    /// Calls `visit` with the board after each legal move, once for every path.
    pub(crate) fn for_each_child(self, mut visit: impl FnMut(Board)) {
        let capturers = self.capturers();
        if capturers.is_empty() {
            self.for_each_step(|from, to| {
                visit(self.after(Effect {
                    from,
                    to,
                    captured: PointSet::EMPTY,
                }))
            });
        }
        for from in capturers {
            let chain = Chain::start(self, from);
            chain.for_each_end(from, PointSet::EMPTY, &mut |to, captured| {
                visit(self.after(Effect { from, to, captured }));
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;

    /// The dispatched counters and the portable bodies must agree whatever the processor.
    #[test]
    fn portable_counts_equal_the_fast_ones() {
        let mut boards = vec![Position::start().board()];
        for _ in 0..4 {
            let mut next = Vec::new();
            for board in &boards {
                board.for_each_child(|child| next.push(child));
            }
            boards = next;
        }
        for board in boards {
            assert_eq!(count_moves(board), count_moves_body(board));
            assert_eq!(count_replies(board), count_replies_body(board));
        }
    }
}
