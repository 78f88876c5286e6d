//! The captures of a row, many at a time: what they lead to is looked up all over the smaller
//! slices, and while the memory answers for one, the next are under way.

use super::pair::Measure;
use super::slab::{CAPTURE_DRAWS, CAPTURE_WINS, Code, LAST, LOST, Place, is_loss};
use super::smaller::Smaller;
use crate::rules::Board;
use crate::rules::cpu::Cpu;

/// A place of a smaller slice that is being fetched.
struct Lookup<'a> {
    place: Place<'a>,
    board: Board,
    column: usize,
}

/// Places fetched at a time: enough to hide the memory's delay, few enough to stay in the cache.
const BATCH: usize = 64;

/// The best that the captures of each column come to.
pub(super) struct Captures<'a> {
    smaller: &'a Smaller,
    measure: Measure,
    /// For each column, how good the best capture so far is; 0 without any.
    best: Vec<u8>,
    batch: Vec<Lookup<'a>>,
}

impl<'a> Captures<'a> {
    /// For a row of so many columns.
    pub(super) fn new(smaller: &'a Smaller, measure: Measure, columns: usize) -> Captures<'a> {
        Captures {
            smaller,
            measure,
            best: vec![0; columns],
            batch: Vec::with_capacity(BATCH),
        }
    }

    /// Plays out every capture of the board of a column; [`Captures::finish`] when all are.
    #[inline(always)]
    pub(super) fn play_out(&mut self, cpu: impl Cpu, board: Board, column: usize) {
        board.for_each_child(
            cpu,
            #[inline(always)]
            |after| self.look_up(cpu, after, column),
        );
    }

    /// Has the code of a board fetched.
    #[inline(always)]
    fn look_up(&mut self, cpu: impl Cpu, board: Board, column: usize) {
        let (mover, other) = (board.own.len() as usize, board.other.len() as usize);
        let Some(slab) = self.smaller.get(mover, other) else {
            let code = self.smaller.code(cpu, board, self.measure);
            self.take(column, code);
            return;
        };
        let (row, column_there) = slab.index().place_of(cpu, board);
        let place = slab.row(row).place(column_there);
        place.prefetch();
        self.batch.push(Lookup {
            place,
            board,
            column,
        });
        if self.batch.len() == BATCH {
            self.finish(cpu);
        }
    }

    /// Takes account of all that was played out.
    pub(super) fn finish<C: Cpu>(&mut self, cpu: C) {
        cpu.run(
            #[inline(always)]
            || {
                let mut batch = std::mem::take(&mut self.batch);
                for lookup in batch.drain(..) {
                    let (place, board) = (lookup.place, lookup.board);
                    let code = self.smaller.code_at(cpu, place, board, self.measure);
                    self.take(lookup.column, code);
                }
                self.batch = batch;
            },
        );
    }

    /// A capture leads to a position of this code.
    #[inline(always)]
    fn take(&mut self, column: usize, code: Code) {
        let best = &mut self.best[column];
        *best = (*best).max(MERIT[code as usize]);
    }

    /// The columns that were played out and their codes, ascending.
    #[inline(always)]
    pub(super) fn codes(&self) -> impl Iterator<Item = (usize, Code)> {
        let played = self.best.iter().enumerate().filter(|(_, best)| **best != 0);
        played.map(|(column, &best)| {
            let code = match (best.cmp(&DRAWN), self.measure) {
                (std::cmp::Ordering::Equal, _) => CAPTURE_DRAWS,
                (std::cmp::Ordering::Less, Measure::Distance) => 2 * best - 1,
                (std::cmp::Ordering::Less, Measure::Conversion) => LOST,
                (std::cmp::Ordering::Greater, Measure::Distance) => 2 * (u8::MAX - best),
                (std::cmp::Ordering::Greater, Measure::Conversion) => CAPTURE_WINS,
            };
            (column, code)
        })
    }
}

/// How good a capture is that draws.
const DRAWN: u8 = 128;

/// How good a capture is for who makes it, by the code it leads to: late losses, then draws, then
/// early wins.
static MERIT: [u8; 256] = {
    let mut merit = [DRAWN; 256];
    let mut code = LOST;
    while code <= LAST {
        let half = code.div_ceil(2);
        merit[code as usize] = if is_loss(code) {
            u8::MAX - half
        } else {
            half + 1
        };
        code += 1;
    }
    merit[CAPTURE_WINS as usize] = merit[LOST as usize + 1];
    merit
};
