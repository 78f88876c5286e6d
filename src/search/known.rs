//! What exact tables say at the root and below it.

use super::turn::Node;
use super::types::{KNOWN, Score, loss};
use super::worker::{NO_LIMIT, Worker, fits_limit, limit_of};
use crate::rules::cpu::Cpu;
use crate::rules::{Board, Effect, Game};
use crate::tables::{Distance, Exact, Tables, Wdl};

/// Plies of a line that is read from tables; no known game is longer.
const LINE: usize = 300;

/// The score of a known value for the mover at `ply`; `draw` is that of a draw.
pub(super) fn score_of(exact: Exact, ply: usize, draw: i32) -> i32 {
    let won = |distance: Distance| match distance {
        Distance::Plies(plies) => -loss(ply + plies as usize),
        // Sure, but how far away its end is nobody knows.
        Distance::Conversion(plies) => KNOWN - (ply + plies as usize).min(1000) as i32,
        Distance::Unknown => KNOWN - 1000,
    };
    match exact.wdl {
        Wdl::Win => won(exact.distance),
        Wdl::Draw => draw,
        Wdl::Loss => -won(exact.distance),
    }
}

impl<C: Cpu> Worker<'_, C> {
    /// The score of a node that the tables know and that the no-capture limit leaves alone.
    #[inline(always)]
    pub(super) fn known(&mut self, node: Node) -> Option<i32> {
        if node.board.stones() > self.known_stones || node.board.can_capture() {
            return None;
        }
        self.look_up(node)
    }

    fn look_up(&mut self, node: Node) -> Option<i32> {
        // A side without stones has lost; no table holds that.
        if node.board.own.is_empty() || node.board.other.is_empty() {
            return None;
        }
        let exact = self.tables().quiet(node.board)?;
        if exact.wdl != Wdl::Draw && !is_in_time(exact, node.quiet, self.no_capture_limit) {
            return None;
        }
        self.table_hits += 1;
        Some(score_of(exact, node.ply, self.draw(node.ply)))
    }
}

/// Whether a decided position ends before a draw by the limit on plies without a capture.
fn is_in_time(exact: Exact, quiet: u32, limit: u64) -> bool {
    match exact.distance {
        Distance::Plies(plies) | Distance::Conversion(plies) => fits_limit(quiet, plies, limit),
        Distance::Unknown => limit == NO_LIMIT,
    }
}

/// What the tables say of each turn of a game's present position, if they know all of them.
pub(super) struct KnownRoot {
    /// By the turns' order.
    pub values: Vec<Exact>,
    /// The best of them.
    pub best: Exact,
    /// Whether the best turn leads to its end by itself: it is decided, with a distance that falls
    /// at every move and no limit in between.
    pub is_settled: bool,
}

impl KnownRoot {
    pub(super) fn of(
        game: &Game,
        turns: impl Iterator<Item = (crate::rules::Move, Effect)>,
        tables: &Tables,
    ) -> Option<KnownRoot> {
        let board = game.position().board();
        if board.stones() as usize > tables.largest() {
            return None;
        }
        let mut values = Vec::new();
        for (mv, effect) in turns {
            let mut after = game.clone();
            let drawn = after.play(mv).is_ok()
                && matches!(after.outcome(), Some(crate::rules::Outcome::Draw(_)));
            values.push(match drawn {
                true => Exact::DRAWN,
                false => tables.of_turn(board, effect)?,
            });
        }
        let best = values
            .iter()
            .copied()
            .max_by_key(|value| value.preference())?;
        let (quiet, limit) = (game.position().quiet_plies(), limit_of(game));
        let is_settled = best.wdl != Wdl::Draw
            && best.distance != Distance::Unknown
            && is_in_time(best, quiet, limit);
        Some(KnownRoot {
            values,
            best,
            is_settled,
        })
    }
}

/// The line of best play that begins with `first`, as far as the tables lead.
pub(super) fn best_line(board: Board, first: Effect, tables: &Tables) -> Vec<Effect> {
    let mut line = vec![first];
    let mut board = board.after(first);
    let mut turns = Vec::new();
    while line.len() < LINE {
        turns.clear();
        board.effects(&mut turns);
        let known = |&turn: &Effect| Some((turn, tables.of_turn(board, turn)?));
        let best = turns
            .iter()
            .filter_map(known)
            .max_by_key(|(_, value)| value.preference());
        match best {
            Some((turn, value)) if value.wdl != Wdl::Draw => {
                line.push(turn);
                board = board.after(turn);
            }
            _ => break,
        }
    }
    line
}

/// The score that a root with a known value shows: a search that looks for the best of drawn
/// moves has another opinion.
pub(super) fn shown(score: i32, known: Option<Exact>) -> Score {
    match known {
        Some(exact) if exact.wdl == Wdl::Draw => Score::DRAW,
        _ => Score(score),
    }
}
