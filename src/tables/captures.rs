//! The captures of a row, many at a time: what they lead to is looked up all over the smaller
//! slices, and while the memory answers for one, the next are under way.

use super::pair::Measure;
use super::rank::Spread;
use super::slab::{CAPTURE_DRAWS, CAPTURE_WINS, Code, LOST, Slab, is_loss, is_win};
use super::smaller::Smaller;
use super::words::{Columns, FreePoints, Pair, Pattern, WordLayout, bits_of, set_of};
use crate::rules::cpu::Cpu;
use crate::rules::{Board, Chain, Point, PointSet, Symmetry, halfway, landings};

/// A jump of the stones that a row holds fast, over a stone that picks the column.
struct Jump {
    from: Point,
    over: Point,
    to: Point,
    /// Where it can be made.
    columns: Pair,
}

/// All jumps of the fixed stones.
pub(super) struct Jumps {
    jumps: Vec<Jump>,
}

impl Jumps {
    /// For these fixed stones.
    pub(super) fn of(fixed: PointSet, points: &FreePoints) -> Jumps {
        let mut all = Jumps { jumps: Vec::new() };
        for from in fixed {
            for to in landings(from) - fixed {
                let over = halfway(from, to);
                if !fixed.has(over) {
                    let columns = Pair::new(points, over, to);
                    all.jumps.push(Jump {
                        from,
                        over,
                        to,
                        columns,
                    });
                }
            }
        }
        all
    }

    /// The bits of the columns, in the word with these high points, in which there is a jump.
    #[inline(always)]
    pub(super) fn columns(&self, high: u32) -> u64 {
        let jumps = self.jumps.iter();
        jumps.fold(0, |bits, jump| bits | jump.columns.bits(high))
    }
}

/// The columns in which the other stones can jump over one of the fixed ones.
pub(super) fn jumped(fixed: PointSet, points: &FreePoints) -> Pattern {
    let mut columns = Pattern::default();
    for from in !fixed {
        for to in landings(from) - fixed {
            if fixed.has(halfway(from, to)) {
                columns.add(Pair::new(points, from, to));
            }
        }
    }
    columns
}

/// A place of a smaller slice that is being fetched.
struct Lookup<'a> {
    column: usize,
    board: Board,
    slab: &'a Slab,
    place: (usize, usize),
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

    /// Plays out the captures of the fixed stones in the `wanted` columns, jump by jump: what a
    /// jump leaves of the fixed stones is then the same for all columns.
    #[inline(always)]
    pub(super) fn play_out(
        &mut self,
        cpu: impl Cpu,
        fixed: PointSet,
        jumps: &Jumps,
        wanted: &Columns,
        (layout, spread): (&WordLayout, &Spread),
    ) {
        for jump in &jumps.jumps {
            let moved = (fixed - jump.from.bit()) | jump.to.bit();
            let turned = Symmetry::turned(moved);
            for (word, &high) in layout.highs().iter().enumerate() {
                for bit in bits_of(jump.columns.bits(high) & wanted.word(word)) {
                    let column = layout.column(word, bit);
                    // Where nobody asks how soon, a win is enough.
                    if self.measure == Measure::Conversion && self.best[column] > DRAWN {
                        continue;
                    }
                    let other = spread.points(set_of(high, bit));
                    let chain = Chain::start(Board { own: fixed, other }, jump.from);
                    let next = chain.taking(jump.over).victims_from(cpu, jump.to);
                    if next.is_empty() {
                        let own = other - jump.over.bit();
                        let after = Board { own, other: moved };
                        self.look_up(cpu, after, &turned, column);
                    } else {
                        self.go_on(cpu, Board { own: fixed, other }, jump, column);
                    }
                }
            }
        }
        self.finish_batch(cpu);
    }

    /// Plays out the chains that begin with a jump.
    fn go_on<C: Cpu>(&mut self, cpu: C, board: Board, jump: &Jump, column: usize) {
        cpu.run(
            #[inline(always)]
            || {
                let chain = Chain::start(board, jump.from).taking(jump.over);
                let next = chain.victims_from(cpu, jump.to);
                chain.for_each_end(cpu, jump.to, next, jump.over.bit(), &mut |to, taken| {
                    let own = board.other - taken;
                    let other = (board.own - jump.from.bit()) | to.bit();
                    let turned = Symmetry::turned(other);
                    self.look_up(cpu, Board { own, other }, &turned, column);
                });
            },
        );
    }

    /// Has the code of a board fetched; `turned` are the images of its other stones.
    #[inline(always)]
    fn look_up(&mut self, cpu: impl Cpu, board: Board, turned: &[PointSet; 8], column: usize) {
        let (mover, other) = (board.own.len() as usize, board.other.len() as usize);
        let Some(slab) = self.smaller.get(mover, other) else {
            let code = self.smaller.code(cpu, board, self.measure);
            self.take(column, code);
            return;
        };
        let (row, symmetry) = slab.index().row_of(board);
        let turned = turned[symmetry.number() as usize];
        let place = (row, slab.index().column_of(cpu, row, turned));
        slab.row(place.0).prefetch(place.1);
        self.batch.push(Lookup {
            column,
            board,
            slab,
            place,
        });
        if self.batch.len() == BATCH {
            self.finish_batch(cpu);
        }
    }

    fn finish_batch<C: Cpu>(&mut self, cpu: C) {
        cpu.run(
            #[inline(always)]
            || {
                let mut batch = std::mem::take(&mut self.batch);
                for lookup in batch.drain(..) {
                    let Lookup { slab, board, .. } = lookup;
                    let code = self
                        .smaller
                        .code_at(cpu, slab, lookup.place, board, self.measure);
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
        *best = (*best).max(merit(code));
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
#[inline(always)]
fn merit(code: Code) -> u8 {
    let half = code.div_ceil(2);
    if is_loss(code) {
        u8::MAX - half
    } else if is_win(code) {
        half + 1
    } else {
        DRAWN
    }
}
