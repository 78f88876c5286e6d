//! From a file back to a slab.

use std::io;
use std::path::Path;

use rayon::prelude::*;

use super::file::{FileError, FileFault, Kind, SliceFile};
use super::pack::for_each_quiet;
use super::slab::{LOST, OPEN, Slab};
use super::smaller::Smaller;

/// The smaller slices that captures out of a pair lead to.
pub fn needed(mover: usize, other: usize) -> Vec<(usize, usize)> {
    let out_of = |mover: usize, other: usize| (1..other).map(move |left| (left, mover));
    let mut slices: Vec<_> = out_of(mover, other).chain(out_of(other, mover)).collect();
    slices.sort_unstable();
    slices.dedup();
    slices
}

/// The kind of file in `dir` that tells most of a slice.
pub fn best_kind(dir: &Path, mover: usize, other: usize) -> Option<Kind> {
    [Kind::Distance, Kind::Conversion, Kind::Value]
        .into_iter()
        .find(|kind| kind.path(dir, mover, other).exists())
}

/// Reads those of `slices` that are not in memory yet from what tells most of them.
///
/// # Errors
/// If there is no file of a slice, or it cannot be used.
pub fn read_missing(
    dir: &Path,
    slices: &[(usize, usize)],
    smaller: &mut Smaller,
) -> Result<(), FileError> {
    for &(mover, other) in slices {
        if smaller.get(mover, other).is_none() {
            let kind = best_kind(dir, mover, other).ok_or_else(|| missing(dir, mover, other))?;
            smaller.insert(load(kind, &SliceFile::open(dir, kind, mover, other)?)?);
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
    (0..file.blocks()).into_par_iter().for_each(|block| {
        let first = block * block_places;
        let end = (first + block_places).min(slab.index().places());
        let Some(mut runs) = file.runs(block) else {
            return;
        };
        let (mut run_end, mut code) = (first, OPEN);
        for_each_quiet(slab.index(), first..end, |place, row, column| {
            while run_end <= place {
                let Some(run) = runs.next() else { return };
                code = run.0;
                run_end += run.1;
            }
            if code != OPEN {
                slab.row(row).set(column, slab_code(kind, code));
            }
        });
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
