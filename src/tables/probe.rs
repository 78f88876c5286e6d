//! What the tables at hand know of a position.

use std::path::Path;
use std::sync::Arc;

use super::built_in;
use super::file::{FileError, Kind, SliceFile};
use super::header::FileFault;
use super::index::MAX_SIDE;
use super::smaller::Smaller;
use super::value::{Distance, Exact, Wdl};
use crate::rules::cpu::with_cpu;
use crate::rules::{Board, Effect};

/// The files of one slice that were found, the best known first.
#[derive(Default)]
struct SliceFiles {
    /// Plies to the end, or to the capture that decides.
    distance: Option<(Kind, SliceFile)>,
    value: Option<SliceFile>,
}

/// The tables in use: small ones in memory, and those of one directory.
#[derive(Default, Clone)]
pub struct Tables {
    in_memory: Option<&'static Smaller>,
    files: Arc<Vec<SliceFiles>>,
}

impl SliceFiles {
    fn add(&mut self, kind: Kind, file: SliceFile) {
        match (kind, &self.distance) {
            (Kind::Value, _) => self.value = Some(file),
            (Kind::Conversion, Some((Kind::Distance, _))) => {}
            _ => self.distance = Some((kind, file)),
        }
    }
}

/// All slices: stones of the mover and of the other side, those of fewer stones first.
fn slices() -> impl Iterator<Item = (usize, usize)> {
    (2..=2 * MAX_SIDE).flat_map(|total| {
        let sides = (1..total).map(move |mover| (mover, total - mover));
        sides.filter(|&(mover, other)| mover <= MAX_SIDE && other <= MAX_SIDE)
    })
}

fn slot(mover: usize, other: usize) -> usize {
    mover * (MAX_SIDE + 1) + other
}

impl Tables {
    /// The tables in `dir`, and what was refused there. Only headers are read, and small files
    /// checked: opening takes milliseconds however much there is.
    pub fn open(dir: &Path) -> (Tables, Vec<FileError>) {
        Tables::open_up_to(dir, 2 * MAX_SIDE)
    }

    /// The tables in `dir` of up to so many stones, as if there were no others.
    pub fn open_up_to(dir: &Path, stones: usize) -> (Tables, Vec<FileError>) {
        let mut all = Vec::new();
        let mut refused = Vec::new();
        let files = match std::fs::read_dir(dir) {
            Ok(files) => files,
            Err(error) => {
                let (path, fault) = (dir.to_owned(), FileFault::Io(error));
                return (Tables::default(), vec![FileError { path, fault }]);
            }
        };
        let mut names: Vec<_> = files
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter_map(|name| parse_name(&name))
            .filter(|&(_, mover, other)| mover + other <= stones)
            .collect();
        names.sort_unstable();
        all.resize_with((MAX_SIDE + 1) * (MAX_SIDE + 1), SliceFiles::default);
        let mut unchecked = CHECKED_ON_OPENING;
        for (kind, mover, other) in names {
            let opened = SliceFile::open(dir, kind, mover, other).and_then(|file| {
                if file.bytes() <= unchecked {
                    unchecked -= file.bytes();
                    file.check()?;
                }
                Ok(file)
            });
            match opened {
                Ok(file) => all[slot(mover, other)].add(kind, file),
                Err(error) => refused.push(error),
            }
        }
        let tables = Tables {
            in_memory: None,
            files: Arc::new(all),
        };
        (tables, refused)
    }

    /// Also knows the positions of few stones that are made in memory, once they are.
    pub fn with_built_in(mut self) -> Tables {
        self.in_memory = built_in::ready();
        self
    }

    /// All positions of up to so many stones are known, those with no stone of a side aside.
    pub fn covered(&self) -> usize {
        let missing = slices().find(|&(mover, other)| !self.has(mover, other));
        // Nothing is known of positions with fewer than two stones.
        match missing.map_or(2 * MAX_SIDE, |(mover, other)| mover + other - 1) {
            1 => 0,
            stones => stones,
        }
    }

    /// The most stones of any position that is known.
    pub fn largest(&self) -> usize {
        let known = self.slices().last();
        known.map_or(0, |(mover, other)| mover + other)
    }

    /// The slices that are known, those of fewer stones first.
    pub fn slices(&self) -> impl Iterator<Item = (usize, usize)> {
        slices().filter(|&(mover, other)| self.has(mover, other))
    }

    /// Whether a slice is known.
    pub fn has(&self, mover: usize, other: usize) -> bool {
        self.in_memory
            .is_some_and(|slabs| slabs.get(mover, other).is_some())
            || self
                .files
                .get(slot(mover, other))
                .is_some_and(|files| files.value.is_some() || files.distance.is_some())
    }

    /// What is known of a quiet board: one without a capture for the side to move, and with
    /// stones of both. `None` where no table has it.
    #[inline]
    pub fn quiet(&self, board: Board) -> Option<Exact> {
        let (mover, other) = (board.own.len() as usize, board.other.len() as usize);
        if let Some(slab) = self.in_memory.and_then(|slabs| slabs.get(mover, other)) {
            let (row, column) = with_cpu!(|cpu| slab.index().place_of(cpu, board));
            return Some(Exact::of_code(Kind::Distance, slab.row(row).get(column)));
        }
        let files = self.files.get(slot(mover, other))?;
        if let Some((kind, file)) = &files.distance
            && let Some(code) = file.code(board)
        {
            return Some(Exact::of_code(*kind, code));
        }
        Some(Exact::of_code(
            Kind::Value,
            files.value.as_ref()?.code(board)?,
        ))
    }

    /// What is known of any board: captures are played out. `None` where a table is missing.
    pub fn exact(&self, board: Board) -> Option<Exact> {
        if board.own.is_empty() {
            return Some(Exact::LOST);
        }
        if board.other.is_empty() {
            let (wdl, distance) = (Wdl::Win, Distance::Plies(0));
            return Some(Exact { wdl, distance });
        }
        if !board.can_capture() {
            return self.quiet(board);
        }
        let mut captures = Vec::new();
        board.effects(&mut captures);
        let mut best: Option<Exact> = None;
        for capture in captures {
            let value = self.of_turn(board, capture)?;
            if best.is_none_or(|best| value.preference() > best.preference()) {
                best = Some(value);
            }
        }
        best
    }

    /// What is known of a turn, for the side that makes it.
    pub fn of_turn(&self, board: Board, turn: Effect) -> Option<Exact> {
        let value = Exact::of_move(self.exact(board.after(turn))?);
        let distance = match value.distance {
            // A capture is the conversion, whatever comes after it.
            Distance::Conversion(_) if turn.is_capture() => Distance::Conversion(1),
            distance => distance,
        };
        Some(Exact { distance, ..value })
    }
}

/// Bytes of files whose checksums are looked at on opening; larger ones are checked when they are
/// first used.
const CHECKED_ON_OPENING: u64 = 16 << 20;

/// Kind and slice of a file by its name.
fn parse_name(name: &str) -> Option<(Kind, usize, usize)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let kind = Kind::ALL
        .into_iter()
        .find(|kind| kind.extension() == extension)?;
    let (mover, other) = stem.split_once('-')?;
    let side = |text: &str| text.parse().ok().filter(|n| (1..=MAX_SIDE).contains(n));
    Some((kind, side(mover)?, side(other)?))
}
