//! Random boards.

use std::ops::RangeInclusive;

use alquerque::rules::{Board, PointSet};
use proptest::prelude::*;

/// Boards of so many stones, at least one of each side.
pub fn boards(stones: RangeInclusive<usize>) -> impl Strategy<Value = Board> {
    proptest::sample::subsequence((0..25).collect::<Vec<u32>>(), stones)
        .prop_shuffle()
        .prop_flat_map(|points| (1..points.len(), Just(points)))
        .prop_map(|(own, points)| {
            let set = |points: &[u32]| PointSet::from_bits(points.iter().map(|p| 1 << p).sum());
            Board {
                own: set(&points[..own]),
                other: set(&points[own..]),
            }
        })
}
