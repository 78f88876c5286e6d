//! Exact values of positions: indexing, building, files, probing, checking.

pub mod bits;
pub mod index;
pub mod pair;
pub mod slab;
pub mod smaller;
pub mod huffman; pub mod runs;
pub mod file; pub mod pack;
pub mod value; pub mod probe; pub mod built_in;
pub mod build; pub mod load;
pub mod stats;
pub mod verify;
