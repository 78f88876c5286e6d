//! The game itself: board, moves, notation, results. Knows nothing of search or protocols.

mod board;
pub(crate) mod cpu;
mod game;
mod hash;
mod jumps;
mod lines;
mod movegen;
mod moves;
mod perft;
mod point;
mod position;
mod survey;
mod symmetry;

pub use board::Board;

pub use game::{DrawReason, Game, IllegalMove, Outcome, WinReason};
pub(crate) use hash::{StepKeys, step_keys};
pub use hash::{ZobristKey, toggle_key};
pub(crate) use lines::{AXES, Line, LineSet, halfway};
pub use lines::{JUMP_COUNT, LINE_COUNT, diagonals_at, neighbours};
pub use movegen::Effect;
pub use moves::{Move, MoveError, ParseMoveError};
pub use perft::{divide, perft, perft_parallel};
pub use point::{ParsePointError, Point, PointSet};
pub use position::{ParsePositionError, Position, Side};
pub(crate) use survey::Survey;
pub use symmetry::Symmetry;
