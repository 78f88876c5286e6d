//! What the movers of sixteen boards can do, found for all at once.

use std::array;

use super::lanes::{LANES, Lanes, Wide};
use crate::rules::board::Board;
use crate::rules::jumps::{Jumps, go_on};
use crate::rules::lines::AXES;
use crate::rules::point::PointSet;

/// Boards side by side: the mover's stones and the other's.
pub(super) type Boards = [Lanes; 2];

/// The mover's stones, the other's, and those stones of the mover's that may move: all of them
/// at the start of a turn, or the one that has jumped and jumps on.
pub(super) type Turns = [Lanes; 3];

/// Lower ends of lines by axis.
type Lines = [Lanes; AXES.len()];

/// The lines along which turns end.
pub(super) struct Endings {
    /// Jumps that end the turn; steps where there is no jump at all.
    lines: Lines,
    /// All ones where the lines are jumps, else zero.
    jumping: Lanes,
    /// Not zero where a jump must go on.
    pub go_on: Lanes,
}

impl Endings {
    #[inline(always)]
    pub(super) fn of([own, other, movers]: &Turns) -> Endings {
        let mut endings = Endings {
            lines: [[0; LANES]; AXES.len()],
            jumping: [0; LANES],
            go_on: [0; LANES],
        };
        for lane in 0..LANES {
            let board = board(own[lane], other[lane]);
            let jumps = Jumps::by(PointSet::from_bits(movers[lane]), board);
            let going_on = jumps.going_on(go_on(board));
            let lines = if jumps.is_empty() {
                board.step_lines()
            } else {
                jumps.ending(going_on)
            };
            endings.jumping[lane] = if jumps.is_empty() { 0 } else { !0 };
            endings.go_on[lane] = going_on.into_iter().fold(0, |any, lower| any | lower);
            for (axis, lines) in lines.into_iter().enumerate() {
                endings.lines[axis][lane] = lines;
            }
        }
        endings
    }

    /// Adds the number of lines to `counts`, which stand for two lanes each.
    #[inline(always)]
    pub(super) fn count(&self, counts: &mut [u64; LANES / 2]) {
        let [a, b, c, d]: [[u64; LANES / 2]; 4] = bytemuck::cast(self.lines);
        for (pair, count) in counts.iter_mut().enumerate() {
            let ones = |lines: [u64; LANES / 2]| u64::from(lines[pair].count_ones());
            *count += ones(a) + ones(b) + ones(c) + ones(d);
        }
    }

    /// Calls `visit` with the boards after the turns, some in the chosen lanes at a time.
    #[inline(always)]
    pub(super) fn for_each_child(
        &self,
        cpu: impl Wide,
        [own, other, _]: &Turns,
        mut visit: impl FnMut(u32, &Boards),
    ) {
        for_each_lowest(
            cpu,
            &self.lines,
            #[inline(always)]
            |chosen, low, shift| {
                let mut children = [[0; LANES]; 2];
                for lane in 0..LANES {
                    let (low, jumping) = (low[lane], self.jumping[lane]);
                    let next = low << shift;
                    let end = if jumping != 0 { next << shift } else { next };
                    children[0][lane] = other[lane] ^ (next & jumping);
                    // A turn changes both ends of its line, whichever held the stone.
                    children[1][lane] = own[lane] ^ low ^ end;
                }
                visit(chosen, &children);
            },
        );
    }
}

/// Calls `visit` with the turns after each jump that must go on.
#[inline(always)]
pub(super) fn for_each_jump_on(
    cpu: impl Wide,
    [own, other, movers]: &Turns,
    mut visit: impl FnMut(u32, &Turns),
) {
    let mut lines = [[0; LANES]; AXES.len()];
    for lane in 0..LANES {
        let board = board(own[lane], other[lane]);
        let jumps = Jumps::by(PointSet::from_bits(movers[lane]), board);
        for (axis, going_on) in jumps.going_on(go_on(board)).into_iter().enumerate() {
            lines[axis][lane] = going_on;
        }
    }
    for_each_lowest(
        cpu,
        &lines,
        #[inline(always)]
        |chosen, low, shift| {
            let mut after = [[0; LANES]; 3];
            for lane in 0..LANES {
                let ends = low[lane] | low[lane] << (2 * shift);
                after[0][lane] = own[lane] ^ ends;
                after[1][lane] = other[lane] ^ (low[lane] << shift);
                after[2][lane] = ends & !own[lane];
            }
            visit(chosen, &after);
        },
    );
}

/// Takes line by line out of all lanes at once, axis by axis, and calls `visit` with the lanes
/// that had one, the lower ends and the shift of the axis.
#[inline(always)]
fn for_each_lowest(cpu: impl Wide, lines: &Lines, mut visit: impl FnMut(u32, &Lanes, u32)) {
    for (lines, axis) in lines.iter().zip(AXES) {
        let mut left = *lines;
        loop {
            let chosen = cpu.occupied(&left);
            if chosen == 0 {
                break;
            }
            let low: Lanes = array::from_fn(|lane| left[lane] & left[lane].wrapping_neg());
            left = array::from_fn(|lane| left[lane] ^ low[lane]);
            visit(chosen, &low, axis.shift);
        }
    }
}

#[inline(always)]
fn board(own: u32, other: u32) -> Board {
    Board {
        own: PointSet::from_bits(own),
        other: PointSet::from_bits(other),
    }
}
