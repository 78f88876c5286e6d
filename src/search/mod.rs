//! Finding a good move: evaluation, transposition table, alpha-beta search, limits.

pub(crate) mod chances;
mod deepening;
pub(crate) mod eval;
mod known;
mod node;
mod order;
mod path;
mod quiesce;
mod root;
mod table;
mod timer;
mod turn;
mod types;
mod worker;

pub use chances::{Chances, UNIT, chances};
pub use deepening::{Memory, search};
pub use eval::{EvalTerms, Evaluation, Weights, WeightsError};
pub use table::{Table, TableError};
pub use types::{
    BestMove, Bound, Clock, CurrentMove, Info, Limits, MAX_DEPTH, Observer, Options, Score, Signal,
};
