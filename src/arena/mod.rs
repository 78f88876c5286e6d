//! The match runner: plays engines against each other as child processes and says which is stronger.

pub mod stats;
