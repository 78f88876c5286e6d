//! Checking tables without the builder: every value must follow from the values of the moves.
//!
//! Only the rules, the numbering of places and the reader of files are shared with the builder.
//! A win in n plies needs a move to a loss in n - 1 and none to a sooner one; a loss in n needs
//! all moves to lead to wins, the latest in n - 1; a draw needs a move to a draw and none to a
//! loss. By induction over n the decided values are then right, and so are the draws: whoever is
//! to move can always go to another draw, and nobody can leave them.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::file::{FileError, Kind, SliceFile};
use super::index::{MAX_SIDE, SliceIndex, place_count};
use super::load::{best_kind, needed};
use super::rank::Spread;
use crate::rules::cpu::{Cpu, Run, with_cpu};
use crate::rules::{Board, PointSet};

/// A quiet position whose value does not follow from those of its moves.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The position, its mover's stones first.
    pub board: Board,
    /// What the file says.
    pub stored: String,
    /// What follows from the moves.
    pub follows: String,
}

/// The outcome of checking one slice.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Quiet positions checked, those of one symmetry class of own stones counted once.
    pub checked: u64,
    /// Faults found.
    pub faults: u64,
    /// The first few of them.
    pub examples: Vec<Fault>,
}

/// Faults that are described; the others are only counted.
const EXAMPLES: usize = 10;

/// A value with the plies to its end; a draw has none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Loss(u32),
    Draw,
    Win(u32),
}

impl Known {
    fn describe(self) -> String {
        match self {
            Known::Loss(plies) => format!("loss in {plies}"),
            Known::Draw => "draw".into(),
            Known::Win(plies) => format!("win in {plies}"),
        }
    }

    fn of_file(code: u8) -> Known {
        match code {
            0 => Known::Draw,
            odd if odd % 2 == 1 => Known::Loss(u32::from(odd) - 1),
            even => Known::Win(u32::from(even) - 1),
        }
    }
}

/// The value of a position from the values of those its moves lead to.
#[derive(Default)]
struct Best {
    soonest_win: Option<u32>,
    drawn: bool,
    latest_loss: u32,
}

impl Best {
    fn add(&mut self, child: Known) {
        match child {
            Known::Loss(plies) => {
                let sooner = |win: u32| win.min(plies + 1);
                self.soonest_win = Some(self.soonest_win.map_or(plies + 1, sooner));
            }
            Known::Draw => self.drawn = true,
            Known::Win(plies) => self.latest_loss = self.latest_loss.max(plies + 1),
        }
    }

    fn value(&self) -> Known {
        match (self.soonest_win, self.drawn) {
            (Some(plies), _) => Known::Win(plies),
            (None, true) => Known::Draw,
            (None, false) => Known::Loss(self.latest_loss),
        }
    }
}

/// A slice as its file has it, spread out. Places with a capture hold anything.
struct Dense {
    index: SliceIndex,
    kind: Kind,
    codes: Vec<u8>,
}

impl Dense {
    fn read(dir: &Path, kind: Kind, mover: usize, other: usize) -> Result<Dense, FileError> {
        let file = SliceFile::open(dir, kind, mover, other)?;
        file.check()?;
        let mut codes = vec![0; file.index().places()];
        let blocks = codes.par_chunks_mut(file.block_places()).enumerate();
        blocks.for_each(|(number, block)| {
            let mut filled = 0;
            for (code, length) in file.runs(number).into_iter().flatten() {
                let end = (filled + length).min(block.len());
                block[filled..end].fill(code);
                filled = end;
                if filled == block.len() {
                    break;
                }
            }
        });
        let index = *file.index();
        Ok(Dense { index, kind, codes })
    }

    fn quiet(&self, row: usize, column: usize) -> u8 {
        self.codes[row * self.index.columns() + column]
    }
}

fn places(mover: usize, other: usize) -> u64 {
    place_count(mover, other) as u64
}

/// A slice that can be asked.
enum Slice {
    Spread(Dense),
    /// Left in its file, where memory does not suffice.
    File(Box<SliceFile>),
}

/// Checks slices of one directory, keeping what it has read.
pub struct Verifier<'a> {
    dir: &'a Path,
    /// Bytes of memory that may be used.
    memory: u64,
    slices: Vec<Option<Slice>>,
}

impl<'a> Verifier<'a> {
    /// For the files in `dir`, with so many bytes of memory to use: what does not fit is read from
    /// its file at every look. The slices of the pair that is checked must fit.
    pub fn new(dir: &'a Path, memory: u64) -> Verifier<'a> {
        let mut slices = Vec::new();
        slices.resize_with((MAX_SIDE + 1) * (MAX_SIDE + 1), || None);
        Verifier {
            dir,
            memory,
            slices,
        }
    }

    /// Checks one slice on the threads of the current rayon pool. `progress` gets the places that
    /// were looked at since it was called before.
    ///
    /// # Errors
    /// If a file is missing or refused.
    pub fn check(
        &mut self,
        mover: usize,
        other: usize,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Verdict, FileError> {
        self.read(mover, other)?;
        let values = Dense::read(self.dir, Kind::Value, mover, other)?;
        let (Some(Slice::Spread(parents)), Some(Slice::Spread(children))) =
            (self.slice(mover, other), self.slice(other, mover))
        else {
            return Ok(Verdict::default());
        };
        let check = Check {
            verifier: self,
            values: &values,
            parents,
            children,
            checked: AtomicU64::new(0),
            faults: AtomicU64::new(0),
            examples: Mutex::default(),
        };
        (0..children.index.rows()).into_par_iter().for_each(|row| {
            with_cpu!(|cpu| cpu.run(
                #[inline(always)]
                || check.row(cpu, row)
            ));
            progress(children.index.columns() as u64);
        });
        Ok(Verdict {
            checked: check.checked.into_inner(),
            faults: check.faults.into_inner(),
            examples: check.examples.into_inner().unwrap_or_default(),
        })
    }

    /// Reads the pair and the smaller slices it leads to, and forgets the others.
    fn read(&mut self, mover: usize, other: usize) -> Result<(), FileError> {
        let mut wanted = vec![(mover, other), (other, mover)];
        wanted.extend(needed(mover, other));
        // The values of the slice itself are read besides.
        let mut left = self.memory.saturating_sub(places(mover, other));
        let mut slices = Vec::new();
        slices.resize_with(self.slices.len(), || None);
        for (mover, other) in wanted {
            let number = mover * (MAX_SIDE + 1) + other;
            let fits = places(mover, other) <= left;
            left = left.saturating_sub(if fits { places(mover, other) } else { 0 });
            slices[number] = match (self.slices[number].take(), fits) {
                (Some(Slice::Spread(slice)), true) => Some(Slice::Spread(slice)),
                (_, fits) => Some(self.read_one(mover, other, fits)?),
            };
        }
        self.slices = slices;
        Ok(())
    }

    fn read_one(&self, mover: usize, other: usize, spread: bool) -> Result<Slice, FileError> {
        // Without any file the error names the one with the values.
        let kind = best_kind(self.dir, mover, other).unwrap_or(Kind::Value);
        if spread {
            return Ok(Slice::Spread(Dense::read(self.dir, kind, mover, other)?));
        }
        let file = SliceFile::open(self.dir, kind, mover, other)?;
        file.check()?;
        Ok(Slice::File(Box::new(file)))
    }

    fn slice(&self, mover: usize, other: usize) -> Option<&Slice> {
        self.slices[mover * (MAX_SIDE + 1) + other].as_ref()
    }

    /// The value of any board whose slices were read. A draw where one is missing cannot come up:
    /// captures only lead to slices that were asked for.
    fn value(&self, cpu: impl Cpu, board: Board) -> Known {
        if board.own.is_empty() {
            return Known::Loss(0);
        }
        if board.can_capture() {
            return self.after_captures(cpu, board);
        }
        let (mover, other) = (board.own.len() as usize, board.other.len() as usize);
        let code = match self.slice(mover, other) {
            Some(Slice::Spread(slice)) => {
                let (row, column) = slice.index.place_of(cpu, board);
                slice.quiet(row, column)
            }
            // It was checked when it was opened.
            Some(Slice::File(file)) => file.code(board).unwrap_or(0),
            None => 0,
        };
        Known::of_file(code)
    }

    fn after_captures(&self, cpu: impl Cpu, board: Board) -> Known {
        cpu.run(
            #[inline(always)]
            || {
                let mut best = Best::default();
                board.for_each_child(
                    cpu,
                    #[inline(always)]
                    |child| best.add(self.value(cpu, child)),
                );
                best.value()
            },
        )
    }
}

struct Check<'a> {
    verifier: &'a Verifier<'a>,
    values: &'a Dense,
    parents: &'a Dense,
    children: &'a Dense,
    checked: AtomicU64,
    faults: AtomicU64,
    examples: Mutex<Vec<Fault>>,
}

impl Check<'_> {
    /// Checks every quiet position whose waiting stones are the representative of a row of the
    /// children: all children lie in that row.
    #[inline(always)]
    fn row(&self, cpu: impl Cpu, row: usize) {
        let index = &self.children.index;
        let waiting = index.own_sets().representative(row);
        let spread = Spread::over(!waiting);
        let mut captured: Vec<Option<Known>> = vec![None; index.columns()];
        let mut checked = 0;
        for &bits in index.column_sets() {
            let own = spread.points(bits);
            let board = Board {
                own,
                other: waiting,
            };
            if !board.can_capture() {
                checked += self.position(cpu, board, row, &mut captured);
            }
        }
        self.checked.fetch_add(checked, Relaxed);
    }

    #[inline(always)]
    fn position(
        &self,
        cpu: impl Cpu,
        board: Board,
        row: usize,
        captured: &mut [Option<Known>],
    ) -> u64 {
        let mut best = Best::default();
        board.for_each_step(
            #[inline(always)]
            |from, to| {
                let own = board.own ^ from.bit() ^ to.bit();
                best.add(self.child(cpu, own, board.other, row, captured));
            },
        );
        let follows = best.value();
        let mut checked = 0;
        self.parents.index.for_each_copy(
            cpu,
            board,
            #[inline(always)]
            |row, column| {
                let stored = Known::of_file(self.parents.quiet(row, column));
                let value = Known::of_file(self.values.quiet(row, column));
                checked += 1;
                let same_value = std::mem::discriminant(&value) == std::mem::discriminant(&stored);
                if stored != follows || !same_value {
                    self.note(board, stored, value, follows);
                }
            },
        );
        checked
    }

    /// The value of the child with the parent's stones at `own`, the side of this row to move.
    #[inline(always)]
    fn child(
        &self,
        cpu: impl Cpu,
        own: PointSet,
        waiting: PointSet,
        row: usize,
        captured: &mut [Option<Known>],
    ) -> Known {
        let child = Board {
            own: waiting,
            other: own,
        };
        let column = self.children.index.column_of(cpu, row, own);
        if !child.can_capture() {
            return Known::of_file(self.children.quiet(row, column));
        }
        *captured[column].get_or_insert_with(|| {
            let value = self.verifier.value(cpu, child);
            match (self.parents.kind, value) {
                // To the capture that decides: it is at hand.
                (Kind::Conversion, Known::Win(_)) => Known::Win(1),
                (Kind::Conversion, Known::Loss(_)) => Known::Loss(0),
                _ => value,
            }
        })
    }

    fn note(&self, board: Board, stored: Known, value: Known, follows: Known) {
        self.faults.fetch_add(1, Relaxed);
        let Ok(mut examples) = self.examples.lock() else {
            return;
        };
        if examples.len() < EXAMPLES {
            examples.push(Fault {
                board,
                stored: format!("{} ({} by value)", stored.describe(), value.describe()),
                follows: follows.describe(),
            });
        }
    }
}
