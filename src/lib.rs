#![doc = include_str!("../README.md")]

pub mod arena;
pub mod engine;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod solve;
pub mod tables;
pub mod train;
