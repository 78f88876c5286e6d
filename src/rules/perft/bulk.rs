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
        [Ply { boards, chains }, below @ ..] => {
            let mut total = 0;
            boards.drain(last, |boards, last| {
                chains.expand(cpu, boards, &mut below[0].boards, last);
                total += leaves(cpu, below, last);
            });
            total
        }
    }
}

/// What waits on one ply to fill the lanes.
struct Ply {
    boards: Queue<2>,
    chains: Chains,
}

impl Ply {
    fn new() -> Ply {
        Ply {
            boards: Queue::new(),
            chains: Chains {
                going_on: Queue::new(),
                jumped: Queue::new(),
            },
        }
    }

    /// The number of moves on all boards.
    fn count<C: Wide>(&mut self, cpu: C, last: bool) -> u64 {
        cpu.run(
            #[inline(always)]
            || {
                let Ply { boards, chains } = self;
                let mut counts = [0; LANES / 2];
                let mut count = inlined(
                    #[inline(always)]
                    |_, endings| endings.count(&mut counts),
                );
                boards.drain(
                    last,
                    #[inline(always)]
                    |boards, _| chains.start(cpu, boards, &mut count),
                );
                chains.finish(cpu, last, &mut count);
                counts.iter().sum()
            },
        )
    }
}

/// Turns of several jumps.
struct Chains {
    /// With jumps to make that must go on.
    going_on: Queue<3>,
    /// After such a jump.
    jumped: Queue<3>,
}

impl Chains {
    /// Appends the children of `boards` to `children`. Some wait, unless these boards are the
    /// `last`.
    fn expand<C: Wide>(&mut self, cpu: C, boards: Boards, children: &mut Queue<2>, last: bool) {
        cpu.run(
            #[inline(always)]
            || {
                let mut expand = inlined(
                    #[inline(always)]
                    |turns, endings| {
                        endings.for_each_child(
                            cpu,
                            turns,
                            #[inline(always)]
                            |chosen, boards| children.push(cpu, chosen, boards),
                        );
                    },
                );
                self.start(cpu, boards, &mut expand);
                self.finish(cpu, last, &mut expand);
            },
        );
    }

    /// Shows `end` how turns on `boards` can end at once; chains wait.
    #[inline(always)]
    fn start(
        &mut self,
        cpu: impl Wide,
        [own, other]: Boards,
        end: &mut impl FnMut(&Turns, &Endings),
    ) {
        end_or_wait(cpu, &[own, other, own], &mut self.going_on, end);
    }

    /// Shows `end` how chains can end, all of them if they are the `last`.
    #[inline(always)]
    fn finish(&mut self, cpu: impl Wide, last: bool, end: &mut impl FnMut(&Turns, &Endings)) {
        let Chains { going_on, jumped } = self;
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

/// Shows `end` how the turns can end now; those that can go on wait in `going_on`.
#[inline(always)]
fn end_or_wait(
    cpu: impl Wide,
    turns: &Turns,
    going_on: &mut Queue<3>,
    end: &mut impl FnMut(&Turns, &Endings),
) {
    let endings = Endings::of(turns);
    end(turns, &endings);
    going_on.push(cpu, cpu.occupied(&endings.go_on), turns);
}

/// A closure can be marked as inlined only where it is an argument.
#[inline(always)]
fn inlined<F: FnMut(&Turns, &Endings)>(end: F) -> F {
    end
}
