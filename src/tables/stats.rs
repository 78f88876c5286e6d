//! Counts over every placement of a slice.

use std::path::Path;

use rayon::prelude::*;

use super::file::{FileError, Kind};
use super::load::{best_kind, needed, provide};
use super::rank::Spread;
use super::slab::Slab;
use super::smaller::Smaller;
use super::value::{Distance, Wdl};
use crate::rules::Board;

/// The counts of one slice; symmetric placements count each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SliceStats {
    /// Placements won, drawn and lost for the mover.
    pub all: [u64; 3],
    /// The quiet ones among them.
    pub quiet: [u64; 3],
    /// Plies to the end under best play, added over the decided placements.
    pub distance_sum: u64,
    /// The most plies to the end.
    pub longest: u32,
    /// Whether the plies to the end are known; if not, the last two fields mean nothing.
    pub distances: bool,
}

impl SliceStats {
    fn add(&mut self, other: &SliceStats) {
        for i in 0..3 {
            self.all[i] += other.all[i];
            self.quiet[i] += other.quiet[i];
        }
        self.distance_sum += other.distance_sum;
        self.longest = self.longest.max(other.longest);
    }
}

/// The counts of a slice from the files in `dir`. `smaller` keeps the slices that were read for
/// the next call.
///
/// # Errors
/// If a file is missing or cannot be used.
pub fn stats(
    dir: &Path,
    mover: usize,
    other: usize,
    smaller: &mut Smaller,
) -> Result<SliceStats, FileError> {
    let mut slices = needed(mover, other);
    slices.push((mover, other));
    provide(dir, &slices, u64::MAX, smaller)?;
    let Some(slab) = smaller.get(mover, other) else {
        return Ok(SliceStats::default());
    };
    let kind = best_kind(dir, mover, other);
    let rows = (0..slab.index().rows()).into_par_iter();
    let sum = rows
        .map(|row| row_stats(slab, row, smaller))
        .reduce(SliceStats::default, |a, b| {
            let mut sum = a;
            sum.add(&b);
            sum
        });
    Ok(SliceStats {
        distances: kind == Some(Kind::Distance),
        ..sum
    })
}

fn row_stats(slab: &Slab, row: usize, smaller: &Smaller) -> SliceStats {
    let index = slab.index();
    let own = index.own_sets().representative(row);
    let orbit = index.own_sets().orbit(row) as u64;
    let spread = Spread::over(!own);
    let mut stats = SliceStats::default();
    for &bits in index.column_sets() {
        let other = spread.points(bits);
        let board = Board { own, other };
        let exact = smaller.exact(board);
        let value = match exact.wdl {
            Wdl::Win => 0,
            Wdl::Draw => 1,
            Wdl::Loss => 2,
        };
        stats.all[value] += orbit;
        if !board.can_capture() {
            stats.quiet[value] += orbit;
        }
        if let Distance::Plies(plies) = exact.distance {
            stats.distance_sum += u64::from(plies) * orbit;
            stats.longest = stats.longest.max(plies);
        }
    }
    stats
}
