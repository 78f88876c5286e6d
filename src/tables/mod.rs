//! Exact values of positions: where they stand, how they are built, kept, asked and checked.
//!
//! `index` numbers the positions of a slice, `pair` finds their values row by row (`survey`,
//! `captures`, `row`), `build` does so for a directory of files (`runs`, `huffman`, `pack`, `file`,
//! `load`), `probe` asks them, `verify` checks them by other means.

mod build;
pub mod built_in;
mod captures;
mod file;
mod header;
mod huffman;
mod index;
mod load;
mod pack;
mod pair;
mod probe;
mod rank;
mod row;
mod runs;
mod slab;
mod smaller;
mod stats;
mod survey;
mod value;
mod verify;

pub use build::{BuildError, Observer, Order, Plan, Step, build, plan};
pub use file::{FileError, Kind};
pub use header::FileFault;
pub use index::MAX_SIDE;
pub use pair::{Measure, PairError, PairProgress};
pub use probe::Tables;
pub use smaller::Smaller;
pub use stats::{SliceStats, stats};
pub use value::{Distance, Exact, Wdl};
pub use verify::{Fault, Verdict, Verifier};
