//! Finding a good move: evaluation, transposition table, alpha-beta search, limits.

mod eval;
mod table;
mod types;

pub use eval::{EvalTerms, evaluate};
pub use table::{Table, TableError};
pub use types::{BestMove, Bound, Clock, Info, Limits, MAX_DEPTH, Options, Score, Signal};

use crate::rules::Game;

/// Searches the present position of `game` within `limits`; reports each finished line.
pub fn search(
    game: &Game,
    _limits: &Limits,
    _options: &Options,
    _table: &Table,
    _signal: &Signal,
    _report: &mut dyn FnMut(&Info),
) -> BestMove {
    BestMove {
        best: game.position().board().moves().first().copied(),
        ponder: None,
        nodes: 0,
    }
}
