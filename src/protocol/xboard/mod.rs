//! The protocol of XBoard and WinBoard (CECP, version 2), with Alquerque as a variant of its own.
//!
//! XBoard knows nothing of this game: the engine sends the board, answers every touch of a stone
//! with the points that may be touched next, and judges the moves. One move of XBoard takes at most
//! two stones, so a longer chain is sent as several moves between which the other side passes.

mod command;
mod hand;
mod moves;
mod notation;
mod session;
mod think;

pub use session::run;
pub(super) use session::serve;
