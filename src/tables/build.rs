//! Building the tables of a directory, pair by pair.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::built_in::pairs;
use super::file::{self, FileError, Kind, SliceFile};
use super::index::{SliceIndex, place_count};
use super::load::{best_kind, needed, provide};
use super::pack::{count_quiet, pack};
use super::pair::{Measure, PairError, PairProgress, build_pair};
use super::slab::slab_bytes;
use super::smaller::Smaller;

/// What to build.
#[derive(Clone, Debug)]
pub struct Order {
    /// All positions of up to so many stones, 2 to 24.
    pub stones: usize,
    /// Where the files lie.
    pub dir: PathBuf,
    /// The most memory to use, in bytes.
    pub memory: u64,
    /// Up to so many stones the plies to the end are found out; beyond, those to a capture.
    pub distances: usize,
    /// Only this pair; the smaller ones it needs must be there.
    pub only: Option<(usize, usize)>,
}

/// One pair of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Stones of the side that has more.
    pub mover: usize,
    /// Stones of the other side.
    pub other: usize,
    /// What is found out.
    pub measure: Measure,
    /// Places in its slices.
    pub places: u64,
    /// Bytes of memory it cannot do without.
    pub working: u64,
    /// Bytes of the smaller slices it looks into. Those that do not fit are read from their
    /// files, which is slower.
    pub smaller: u64,
}

/// What is to be done, and what it takes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The pairs that are not there yet, in their order.
    pub steps: Vec<Step>,
    /// Places in them.
    pub places: u64,
    /// The most memory any of them cannot do without, in bytes.
    pub least_memory: u64,
    /// The most memory any of them can make use of, in bytes.
    pub memory: u64,
    /// Bytes on disk, about.
    pub disk: u64,
}

/// Why nothing was built, or not all.
#[derive(Debug, Error)]
pub enum BuildError {
    /// More memory than there may be.
    #[error(
        "{stones} stones need {needed} MiB of memory, {allowed} MiB may be used: \
         give more with --memory, or build fewer stones"
    )]
    Memory {
        /// Stones of the pair that needs most.
        stones: usize,
        /// MiB it needs.
        needed: u64,
        /// MiB that may be used.
        allowed: u64,
    },
    /// A smaller pair that is needed is not there.
    #[error(
        "slice {m},{o} needs slice {mover},{other} first: build it with --slice {mover},{other}, \
         or all of them with --stones"
    )]
    Missing {
        /// Stones of the mover of the slice that is missing.
        mover: usize,
        /// Stones of its other side.
        other: usize,
        /// Stones of the mover of the slice that needs it.
        m: usize,
        /// Stones of its other side.
        o: usize,
    },
    /// A pair cannot be built.
    #[error(transparent)]
    Pair(#[from] PairError),
    /// A file cannot be written or read.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Told how the work goes. Called from any thread.
pub trait Observer: Sync {
    /// A pair is begun.
    fn begins(&self, step: &Step);
    /// Work on the pair goes on; says whether it is to.
    fn goes_on(&self, step: &Step, progress: PairProgress) -> bool;
    /// A pair is on disk: bytes of its files and the time it took.
    fn done(&self, step: &Step, bytes: u64, took: Duration);
}

/// What is still to be done for an order. Files that are there are opened, not built again; a
/// damaged one is built again.
pub fn plan(order: &Order) -> Plan {
    let wanted = |&(mover, other): &(usize, usize)| match order.only {
        Some(only) => only == (mover, other) || only == (other, mover),
        None => true,
    };
    let steps: Vec<Step> = pairs(order.stones)
        .filter(wanted)
        .map(|(mover, other)| step(order, mover, other))
        .filter(|step| !is_done(&order.dir, step))
        .collect();
    let places = |step: &Step| step.places;
    Plan {
        places: steps.iter().map(places).sum(),
        least_memory: steps.iter().map(|step| step.working).max().unwrap_or(0),
        memory: steps
            .iter()
            .map(|step| step.working + step.smaller)
            .max()
            .unwrap_or(0),
        disk: steps.iter().map(disk_bytes).sum(),
        steps,
    }
}

fn step(order: &Order, mover: usize, other: usize) -> Step {
    let mut sizes = vec![(mover, other), (other, mover)];
    sizes.dedup();
    let bytes = |slices: &[(usize, usize)]| -> u64 {
        slices
            .iter()
            .map(|&(mover, other)| slab_bytes(mover, other))
            .sum()
    };
    let own = bytes(&sizes);
    let smaller = bytes(&needed(mover, other));
    let measure = match mover + other <= order.distances {
        true => Measure::Distance,
        false => Measure::Conversion,
    };
    Step {
        mover,
        other,
        measure,
        places: sizes.iter().map(|&(m, o)| place_count(m, o) as u64).sum(),
        // One byte a place, and one bit.
        working: own + own / 8 + TABLES_BYTES,
        smaller,
    }
}

/// Index tables and buffers for packing, about.
const TABLES_BYTES: u64 = 64 << 20;

/// Bytes on disk, about: quiet positions are counted in a sample, their cost is a rough mean of
/// what was measured up to 11 stones (1 bit for the value, 7 for the distance).
fn disk_bytes(step: &Step) -> u64 {
    let index = SliceIndex::new(step.other, step.mover);
    let samples = 2000.min(index.places());
    step.places * count_quiet(&index, samples) as u64 / samples as u64
}

fn kinds(measure: Measure) -> [Kind; 2] {
    match measure {
        // The values last, for they are made from the distances in place.
        Measure::Distance => [Kind::Distance, Kind::Value],
        Measure::Conversion => [Kind::Conversion, Kind::Value],
    }
}

fn slices(step: &Step) -> impl Iterator<Item = (usize, usize)> + use<> {
    let twice = step.mover != step.other;
    let second = twice.then_some((step.other, step.mover));
    std::iter::once((step.mover, step.other)).chain(second)
}

fn is_done(dir: &Path, step: &Step) -> bool {
    let good = |kind, (mover, other)| {
        SliceFile::open(dir, kind, mover, other).is_ok_and(|file| file.check().is_ok())
    };
    slices(step).all(|slice| {
        kinds(step.measure)
            .into_iter()
            .all(|kind| good(kind, slice))
    })
}

/// Carries out a plan on the threads of the current rayon pool. Each pair is on disk before the
/// next begins; whatever ends the work, the same order goes on from there. The bytes written do
/// not depend on the number of threads.
///
/// # Errors
/// If it does not fit in memory, the observer stops it, or a file cannot be read or written.
pub fn build(order: &Order, plan: &Plan, observer: &dyn Observer) -> Result<(), BuildError> {
    if let Some(step) = plan.steps.iter().max_by_key(|step| step.working)
        && step.working > order.memory
    {
        return Err(BuildError::Memory {
            stones: step.mover + step.other,
            needed: step.working.div_ceil(1 << 20),
            allowed: order.memory >> 20,
        });
    }
    let create = std::fs::create_dir_all(&order.dir).map_err(|error| FileError {
        path: order.dir.clone(),
        fault: error.into(),
    });
    create?;
    if order.only.is_none() {
        file::remove_unfinished(&order.dir);
    }
    // Slices that nobody looks into again are let go of: more memory would be of no use.
    let memory = order.memory.min(plan.memory);
    let mut smaller = Smaller::default();
    for step in &plan.steps {
        observer.begins(step);
        let start = Instant::now();
        prepare(order, memory, step, &mut smaller)?;
        let progress = |progress| observer.goes_on(step, progress);
        let slabs = build_pair(step.mover, step.other, step.measure, &smaller, &progress)?;
        let mut bytes = 0;
        for slab in &slabs {
            for packed in pack(slab, &kinds(step.measure)) {
                bytes += file::write(&order.dir, &packed)?;
            }
        }
        slabs.into_iter().for_each(|slab| smaller.insert(slab));
        observer.done(step, bytes, start.elapsed());
    }
    Ok(())
}

/// Sees to it that every slice a pair needs can be asked, in memory as far as there is room.
fn prepare(
    order: &Order,
    memory: u64,
    step: &Step,
    smaller: &mut Smaller,
) -> Result<(), BuildError> {
    let needed = needed(step.mover, step.other);
    let missing = needed.iter().find(|&&(mover, other)| {
        smaller.get(mover, other).is_none()
            && match (step.measure, best_kind(&order.dir, mover, other)) {
                (Measure::Distance, kind) => kind != Some(Kind::Distance),
                (Measure::Conversion, kind) => kind.is_none(),
            }
    });
    if let Some(&(mover, other)) = missing {
        let (m, o) = (step.mover, step.other);
        return Err(BuildError::Missing { mover, other, m, o });
    }
    let room = memory.saturating_sub(step.working);
    provide(&order.dir, &needed, room, smaller)?;
    Ok(())
}
