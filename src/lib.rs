#![doc = include_str!("../README.md")]

pub mod arena;
pub mod engine;
mod memory;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod solve;
pub mod tables;
pub mod train;
