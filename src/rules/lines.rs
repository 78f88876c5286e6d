//! The lines of the board: who is whose neighbour, and which jumps exist.
//!
//! All tables are computed at compile time from the two sentences of the rules: orthogonal
//! neighbours are joined, diagonals run from strong points only.

use super::point::{Point, PointSet};

/// Lines between neighbouring points.
pub const LINE_COUNT: usize = 56;
/// Possible jumps, each a triple (from, over, to).
pub const JUMP_COUNT: usize = 80;

/// The four axes as the distance between the numbers of neighbouring points, with the file and
/// rank step from the lower to the higher point: east, north, north-east, north-west.
pub(crate) const AXES: [Axis; 4] = [
    Axis::new(1, 0),
    Axis::new(0, 1),
    Axis::new(1, 1),
    Axis::new(-1, 1),
];

/// One axis of the board, and where steps and jumps along it exist.
#[derive(Clone, Copy)]
pub(crate) struct Axis {
    /// Distance between the numbers of two neighbours on this axis.
    pub shift: u32,
    /// Lower ends of the lines along this axis.
    pub steps: u32,
    /// Lower ends of the jumps along this axis.
    pub jumps: u32,
}

impl Axis {
    const fn new(file_step: i8, rank_step: i8) -> Axis {
        let diagonal = file_step != 0 && rank_step != 0;
        let (mut steps, mut jumps) = (0, 0);
        let mut index = 0;
        while index < 25 {
            let (file, rank) = ((index % 5) as i8, (index / 5) as i8);
            let line = !diagonal || PointSet::STRONG.bits() >> index & 1 != 0;
            if line && on_board(file + file_step, rank + rank_step) {
                steps |= 1 << index;
            }
            if line && on_board(file + 2 * file_step, rank + 2 * rank_step) {
                jumps |= 1 << index;
            }
            index += 1;
        }
        Axis {
            shift: (rank_step * 5 + file_step) as u32,
            steps,
            jumps,
        }
    }
}

const fn on_board(file: i8, rank: i8) -> bool {
    file >= 0 && file < 5 && rank >= 0 && rank < 5
}

/// For each point: its neighbours, the points a jump lands on, the points it leads over.
const TABLES: [[u32; 25]; 3] = {
    let mut tables = [[0; 25]; 3];
    let mut a = 0;
    while a < 4 {
        let axis = AXES[a];
        let shift = axis.shift as usize;
        let mut low = 0;
        while low < 25 {
            if axis.steps >> low & 1 != 0 {
                tables[0][low] |= 1 << (low + shift);
                tables[0][low + shift] |= 1 << low;
            }
            if axis.jumps >> low & 1 != 0 {
                let (over, high) = (low + shift, low + 2 * shift);
                tables[1][low] |= 1 << high;
                tables[1][high] |= 1 << low;
                tables[2][low] |= 1 << over;
                tables[2][high] |= 1 << over;
            }
            low += 1;
        }
        a += 1;
    }
    tables
};

static NEIGHBOURS: [u32; 25] = TABLES[0];
static LANDINGS: [u32; 25] = TABLES[1];
#[cfg(target_arch = "x86_64")]
static JUMPED: [u32; 25] = TABLES[2];

/// The points joined to `point` by a line.
#[inline(always)]
pub fn neighbours(point: Point) -> PointSet {
    PointSet::from_bits(NEIGHBOURS[point.index()])
}

/// The points a jump from `point` can land on; the jumped point lies halfway.
#[inline(always)]
pub(crate) fn landings(point: Point) -> PointSet {
    PointSet::from_bits(LANDINGS[point.index()])
}

/// The points that jumps from `point` lead over, in the order of their landing points.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn jumped(point: Point) -> PointSet {
    PointSet::from_bits(JUMPED[point.index()])
}

/// Where a jump from `from` over `over` lands.
#[inline(always)]
pub(crate) fn opposite(from: Point, over: Point) -> Point {
    Point::from_bit((2 * over.index() - from.index()) as u32)
}

/// Calls `visit` with the lower end and the shift of every line in `lower`, a set of lower ends
/// for each axis.
#[inline(always)]
pub(crate) fn for_each_line(lower: [u32; AXES.len()], mut visit: impl FnMut(u32, u32)) {
    // Two axes at a time: one loop of twice the length is foretold better than two.
    for pair in [0, 2] {
        let mut lines = u64::from(lower[pair]) | u64::from(lower[pair + 1]) << 32;
        while lines != 0 {
            let bit = lines.trailing_zeros();
            lines &= lines - 1;
            let shift = if bit < 32 {
                AXES[pair].shift
            } else {
                AXES[pair + 1].shift
            };
            visit(bit & 31, shift);
        }
    }
}

/// The point halfway between the two ends of a jump.
#[inline(always)]
pub(crate) fn halfway(from: Point, to: Point) -> Point {
    Point::from_bit((from.index() + to.index()) as u32 / 2)
}

/// Whether diagonals are drawn from `point` (a *strong* point).
pub fn diagonals_at(point: Point) -> bool {
    PointSet::STRONG.has(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_56_lines_and_80_jumps() {
        let lines: u32 = Point::all().map(|p| neighbours(p).len()).sum();
        let jumps: u32 = Point::all().map(|p| landings(p).len()).sum();
        assert_eq!(lines as usize, 2 * LINE_COUNT);
        assert_eq!(jumps as usize, JUMP_COUNT);
    }

    #[test]
    fn strong_points_are_those_with_an_even_sum() {
        for point in Point::all() {
            // With a = 1 and rank 1 = 1, as the rules count.
            let sum = point.file() + 1 + point.rank() + 1;
            assert_eq!(diagonals_at(point), sum % 2 == 0, "{point}");
        }
    }
}
