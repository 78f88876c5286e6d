//! The Go Text Protocol with GoGui's commands for other games than Go.
//!
//! GoGui asks the engine for the rules. A turn is played as single points: the stone, then every
//! point it touches; the same side is to move until the turn is finished.

mod clock;
mod request;
mod rules;
mod session;
mod think;

pub use session::run;
