//! The count, many boards at once.
//!
//! Going down one line of play after the other would leave each board alone with the processor's
//! vectors. So the boards of each ply wait in a queue until they fill the lanes; then their
//! children are found together, and on the last ply only counted. The queues stay as short as the
//! children of sixteen boards, small enough for the first cache. Chains are rare and of all
//! lengths: turns that must go on wait in queues of their own.

use super::lanes::{LANES, Wide};
use super::queue::Queue;
use super::turns::{Boards, Endings, Turns, for_each_jump_on};
use crate::rules::board::Board;

/// Counts the sequences of `depth` legal moves from `board`.
pub(super) fn count(cpu: impl Wide, board: Board, depth: u32) -> u64 {
    let mut plies: Vec<Ply> = (0..depth).map(|_| Ply::new()).collect();
    let Some(first) = plies.first_mut() else {
        return 1;
    };
    let root = [board.own.bits(), board.other.bits()].map(|set| [set; LANES]);
    first.boards.push(cpu, 1, &root);
    leaves(cpu, &mut plies, true)
}

/// Counts the leaves below the boards of the first of `plies`, the last of which holds the boards
/// one move above the leaves. Some boards stay in their queues, unless `last` says that no boards
/// will follow.
fn leaves(cpu: impl Wide, plies: &mut [Ply], last: bool) -> u64 {
    match plies {
        [] => 0,
        [ply] => ply.count(cpu, last),
        [ply, below @ ..] => {
            let mut total = 0;
            ply.boards.drain(last, |boards, last| {
                ply.unfinished
                    .expand(cpu, boards, &mut below[0].boards, last);
                total += leaves(cpu, below, last);
            });
            total
        }
    }
}

/// The boards of one ply that wait for the others.
struct Ply {
    boards: Queue<2>,
    unfinished: Unfinished,
}

impl Ply {
    fn new() -> Ply {
        Ply {
            boards: Queue::new(),
            unfinished: Unfinished {
                going_on: Queue::new(),
                jumped: Queue::new(),
            },
        }
    }

    /// The number of moves of all boards.
    fn count<C: Wide>(&mut self, cpu: C, last: bool) -> u64 {
        cpu.run(
            #[inline(always)]
            || {
                let mut counts = [0; LANES / 2];
                let mut count = inlined(
                    #[inline(always)]
                    |turns| {
                        let endings = Endings::of(turns);
                        endings.count(&mut counts);
                        endings
                    },
                );
                let unfinished = &mut self.unfinished;
                self.boards.drain(
                    last,
                    #[inline(always)]
                    |[own, other], _| {
                        end_or_wait(
                            cpu,
                            &[own, other, own],
                            &mut unfinished.going_on,
                            &mut count,
                        );
                    },
                );
                unfinished.finish(cpu, last, &mut count);
                counts.iter().sum()
            },
        )
    }
}

/// Turns that wait to go on.
struct Unfinished {
    /// Turns with jumps that must go on.
    going_on: Queue<3>,
    /// Turns after such a jump.
    jumped: Queue<3>,
}

impl Unfinished {
    /// Appends the children of `boards` to `children`. Some wait, unless these boards are the
    /// `last`.
    fn expand<C: Wide>(
        &mut self,
        cpu: C,
        [own, other]: Boards,
        children: &mut Queue<2>,
        last: bool,
    ) {
        cpu.run(
            #[inline(always)]
            || {
                let mut expand = inlined(
                    #[inline(always)]
                    |turns| {
                        let endings = Endings::of(turns);
                        endings.for_each_child(
                            cpu,
                            turns,
                            #[inline(always)]
                            |chosen, boards| children.push(cpu, chosen, boards),
                        );
                        endings
                    },
                );
                end_or_wait(cpu, &[own, other, own], &mut self.going_on, &mut expand);
                self.finish(cpu, last, &mut expand);
            },
        );
    }

    /// Plays chains to their ends, all of them if they are the `last`.
    #[inline(always)]
    fn finish(&mut self, cpu: impl Wide, last: bool, end: &mut impl FnMut(&Turns) -> Endings) {
        let Unfinished { going_on, jumped } = self;
        loop {
            going_on.drain(
                last,
                #[inline(always)]
                |turns, _| {
                    for_each_jump_on(
                        cpu,
                        &turns,
                        #[inline(always)]
                        |chosen, after| jumped.push(cpu, chosen, after),
                    );
                },
            );
            jumped.drain(
                last,
                #[inline(always)]
                |turns, _| end_or_wait(cpu, &turns, going_on, end),
            );
            if !going_on.is_ready(last) {
                break;
            }
        }
    }
}

/// Has `end` see to the turns that can end now; the others wait in `going_on`.
#[inline(always)]
fn end_or_wait(
    cpu: impl Wide,
    turns: &Turns,
    going_on: &mut Queue<3>,
    end: &mut impl FnMut(&Turns) -> Endings,
) {
    let endings = end(turns);
    going_on.push(cpu, cpu.occupied(&endings.go_on), turns);
}

/// A closure can be marked as inlined only where it is an argument.
#[inline(always)]
fn inlined<F: FnMut(&Turns) -> Endings>(end: F) -> F {
    end
}
