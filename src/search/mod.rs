//! Finding a good move: evaluation, transposition table, alpha-beta search, limits.

pub(crate) mod chances;
mod deepening;
pub(crate) mod eval;
mod known;
mod line;
mod node;
mod order;
mod table;
mod timer;
mod types;
mod worker;

pub use chances::{Chances, UNIT, chances};
pub use deepening::{Memory, search};
pub use eval::{EvalTerms, Evaluation, Weights, WeightsError};
pub use table::{Table, TableError};
pub use types::{
    BestMove, Bound, Clock, CurrentMove, Info, Limits, MAX_DEPTH, Observer, Options, Score, Signal,
};
