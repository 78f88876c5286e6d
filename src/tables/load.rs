//! From a file back to a slab.

use std::io;
use std::path::Path;

use rayon::prelude::*;

use super::file::{FileError, Kind, SliceFile};
use super::header::FileFault;
use super::pack::{BLOCKS_IN_TASK, QuietPlaces};
use super::slab::{LOST, OPEN, Slab, slab_bytes};
use super::smaller::Smaller;

/// The smaller slices that captures out of a pair lead to, one capture after another; those one
/// capture away first, the largest of them in front.
pub fn needed(mover: usize, other: usize) -> Vec<(usize, usize)> {
    let sides = |a, b| [(a, b), (b, a)];
    let mut slices: Vec<_> = (1..=mover)
        .flat_map(|a| (1..=other).flat_map(move |b| sides(a, b)))
        .filter(|&slice| slice != (mover, other) && slice != (other, mover))
        .collect();
    let at_once = |&(_, b): &(usize, usize)| b == mover || b == other;
    slices.sort_unstable_by_key(|slice| (!at_once(slice), std::cmp::Reverse(*slice)));
    slices.dedup();
    slices
}

/// The kind of file in `dir` that tells most of a slice.
pub fn best_kind(dir: &Path, mover: usize, other: usize) -> Option<Kind> {
    [Kind::Distance, Kind::Conversion, Kind::Value]
        .into_iter()
        .find(|kind| kind.path(dir, mover, other).exists())
}

/// Sees to it that each of `slices` can be asked: in memory as far as `room` bytes go, in the
/// order given, and from its file beyond. What is in memory besides is let go of if there is no room.
///
/// # Errors
/// If there is no file of a slice, or it cannot be used.
pub fn provide(
    dir: &Path,
    slices: &[(usize, usize)],
    room: u64,
    smaller: &mut Smaller,
) -> Result<(), FileError> {
    let mut left = room;
    let fits = |&(mover, other): &(usize, usize)| {
        let rest = left.checked_sub(slab_bytes(mover, other));
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let in_memory: Vec<_> = slices.iter().copied().filter(fits).collect();
    if smaller.bytes() > room {
        smaller.keep(|mover, other| in_memory.contains(&(mover, other)));
    }
    for &(mover, other) in slices {
        if smaller.get(mover, other).is_some() {
            continue;
        }
        let kind = best_kind(dir, mover, other).ok_or_else(|| missing(dir, mover, other))?;
        let file = SliceFile::open(dir, kind, mover, other)?;
        match in_memory.contains(&(mover, other)) {
            true => smaller.insert(load(kind, &file)?),
            false => {
                file.check()?;
                smaller.insert_file(file);
            }
        }
    }
    Ok(())
}

fn missing(dir: &Path, mover: usize, other: usize) -> FileError {
    FileError {
        path: Kind::Value.path(dir, mover, other),
        fault: FileFault::Io(io::ErrorKind::NotFound.into()),
    }
}

/// Reads a whole slice. Only quiet places are set; captures are played out when they are met.
/// Where the file knows only values, each decided place gets the nearest distance.
///
/// # Errors
/// If the file is damaged.
pub fn load(kind: Kind, file: &SliceFile) -> Result<Slab, FileError> {
    file.check()?;
    let slab = Slab::new(*file.index());
    let block_places = file.block_places();
    let tasks = file.blocks().div_ceil(BLOCKS_IN_TASK);
    (0..tasks).into_par_iter().for_each(|task| {
        let mut places = QuietPlaces::of(slab.index());
        let blocks = task * BLOCKS_IN_TASK..((task + 1) * BLOCKS_IN_TASK).min(file.blocks());
        for block in blocks {
            let first = block * block_places;
            let end = (first + block_places).min(slab.index().places());
            let Some(mut runs) = file.runs(block) else {
                return;
            };
            let (mut run_end, mut code) = (first, OPEN);
            places.for_each(first..end, |place, row, column| {
                while run_end <= place {
                    let Some(run) = runs.next() else { return };
                    code = run.0;
                    run_end += run.1;
                }
                if code != OPEN {
                    slab.row(row).set(column, slab_code(kind, code));
                }
            });
        }
    });
    Ok(slab)
}

fn slab_code(kind: Kind, code: u8) -> u8 {
    match kind {
        Kind::Value if code == 1 => LOST,
        Kind::Value => LOST + 1,
        Kind::Distance | Kind::Conversion => code,
    }
}
