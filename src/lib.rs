//! Alquerque: rules, search and protocol of the medieval jump-and-capture game.

pub mod rules;
pub mod search;
