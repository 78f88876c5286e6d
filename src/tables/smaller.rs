//! The finished slices a builder looks into, and captures played out down to them.

use super::file::{Kind, SliceFile};
use super::index::MAX_SIDE;
use super::pair::Measure;
use super::slab::{
    CAPTURE_DRAWS, CAPTURE_WINS, Code, LOST, OPEN, Place, Slab, is_loss, is_win, slab_bytes,
};
use super::value::Exact;
use crate::rules::Board;
use crate::rules::cpu::{Cpu, with_cpu};

/// Finished slices, by the stones of the mover and of the other side: in memory, or in a file
/// where memory does not suffice.
#[derive(Default)]
pub struct Smaller {
    slices: [[Option<Slice>; MAX_SIDE + 1]; MAX_SIDE + 1],
}

enum Slice {
    Memory(Slab),
    File(Box<SliceFile>),
}

impl Smaller {
    /// Adds a finished slice.
    pub fn insert(&mut self, slab: Slab) {
        let (mover, other) = (slab.index().mover(), slab.index().other());
        self.slices[mover][other] = Some(Slice::Memory(slab));
    }

    /// Adds a slice that stays in its file.
    pub fn insert_file(&mut self, file: SliceFile) {
        let (mover, other) = (file.index().mover(), file.index().other());
        self.slices[mover][other] = Some(Slice::File(Box::new(file)));
    }

    /// The slice of so many stones, if it is in memory.
    pub fn get(&self, mover: usize, other: usize) -> Option<&Slab> {
        match &self.slices[mover][other] {
            Some(Slice::Memory(slab)) => Some(slab),
            _ => None,
        }
    }

    /// Bytes of the slices in memory.
    pub fn bytes(&self) -> u64 {
        let slices = self.slices.iter().flatten();
        slices
            .map(|slice| match slice {
                Some(Slice::Memory(slab)) => slab_bytes(slab.index().mover(), slab.index().other()),
                _ => 0,
            })
            .sum()
    }

    /// Lets go of every slice that `wanted` does not name.
    pub fn keep(&mut self, wanted: impl Fn(usize, usize) -> bool) {
        for (mover, row) in self.slices.iter_mut().enumerate() {
            for (other, slice) in row.iter_mut().enumerate() {
                if !wanted(mover, other) {
                    *slice = None;
                }
            }
        }
    }

    /// The value and the plies to the end of any board of the finished slices, if those were
    /// built with distances.
    pub fn exact(&self, board: Board) -> Exact {
        let code = with_cpu!(|cpu| self.code(cpu, board, Measure::Distance));
        Exact::of_code(Kind::Distance, code)
    }

    /// The code of the best capture of a board that has one, [`OPEN`] for a draw.
    fn best_capture(&self, cpu: impl Cpu, board: Board, measure: Measure) -> Code {
        cpu.run(
            #[inline(always)]
            || {
                let (mut soonest_win, mut latest_loss, mut drawn) = (CAPTURE_DRAWS, OPEN, false);
                board.for_each_child(
                    cpu,
                    #[inline(always)]
                    |child| {
                        // A won capture is won, where nobody asks how soon.
                        if measure == Measure::Conversion && soonest_win != CAPTURE_DRAWS {
                            return;
                        }
                        let code = self.code(cpu, child, measure);
                        if is_loss(code) {
                            soonest_win = soonest_win.min(code + 1);
                        } else if is_win(code) {
                            latest_loss = latest_loss.max(code + 1);
                        } else {
                            drawn = true;
                        }
                    },
                );
                match (soonest_win, drawn) {
                    (CAPTURE_DRAWS, true) => OPEN,
                    (CAPTURE_DRAWS, false) => latest_loss,
                    (win, _) => win,
                }
            },
        )
    }

    /// The code of any board of the finished slices, [`OPEN`] for a draw.
    #[inline(always)]
    pub(super) fn code(&self, cpu: impl Cpu, board: Board, measure: Measure) -> Code {
        if board.own.is_empty() {
            return LOST;
        }
        let (mover, other) = (board.own.len() as usize, board.other.len() as usize);
        match &self.slices[mover][other] {
            Some(Slice::Memory(slab)) => {
                let (row, column) = slab.index().place_of(cpu, board);
                match self.code_at(cpu, slab.row(row).place(column), board, measure) {
                    CAPTURE_DRAWS => OPEN,
                    CAPTURE_WINS => LOST + 1,
                    known => known,
                }
            }
            Some(Slice::File(_)) if board.can_capture() => self.best_capture(cpu, board, measure),
            // The file was checked when it was added.
            Some(Slice::File(file)) => file.code(board).unwrap_or(OPEN),
            None => unreachable!("slice {mover},{other} was not provided"),
        }
    }

    /// What a slab says of a board once its captures are played out: one that draws or wins may
    /// have a code of its own.
    #[inline(always)]
    pub(super) fn code_at(
        &self,
        cpu: impl Cpu,
        place: Place,
        board: Board,
        measure: Measure,
    ) -> Code {
        match place.get() {
            // A capture that no quiet position leads to is played out when it is first met.
            OPEN if board.can_capture() => {
                let code = match self.best_capture(cpu, board, measure) {
                    OPEN => CAPTURE_DRAWS,
                    decided => decided,
                };
                place.set(code);
                code
            }
            known => known,
        }
    }
}
