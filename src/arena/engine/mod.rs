//! Engines as child processes: how they are started, spoken to and ended.

mod config;
mod player;
mod process;
mod watchdog;
mod wire;

pub use config::{EngineConfig, ParseEngineError, Verbs};
pub use player::{Answer, Budget, Fault, Player, StartError};
#[cfg(target_os = "linux")]
pub use process::processors;
pub use process::{Log, Surroundings};
pub use watchdog::{Watchdog, watch};
pub use wire::{Score, Thought};
