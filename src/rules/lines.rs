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

/// Where the lines of each axis begin in a [`LineSet`]: a line has the bit of its lower end, moved
/// up by so much, the two diagonals between each other. North-west lines begin at a strong point as
/// north-east ones do, and so one bit lower are in nobody's way.
const EAST: u32 = 0;
const NORTH: u32 = 24;
const NORTH_EAST: u32 = 44;
const NORTH_WEST: u32 = 43;

/// One of the 56 lines between neighbours, or the jump that begins with it at its lower end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Line(u8);

/// Both ends of every line.
static ENDS: [u32; LineSet::BITS] = {
    let mut ends = [0; LineSet::BITS];
    let mut a = 0;
    while a < 4 {
        let mut low = 0;
        while low < 25 {
            if AXES[a].steps >> low & 1 != 0 {
                ends[(LineSet::FIRST[a] + low) as usize] = 1 << low | 1 << (low + AXES[a].shift);
            }
            low += 1;
        }
        a += 1;
    }
    ends
};

impl Line {
    /// The line between two neighbours.
    #[inline(always)]
    pub(crate) fn between(one: Point, other: Point) -> Line {
        let (one, other) = (one.index() as u32, other.index() as u32);
        let first = match one.abs_diff(other) {
            1 => EAST,
            5 => NORTH,
            6 => NORTH_EAST,
            _ => NORTH_WEST,
        };
        Line((first + one.min(other)) as u8)
    }

    /// The line with a number, as far as there is one; see [`Line::number`].
    #[inline(always)]
    pub(crate) fn numbered(number: usize) -> Line {
        Line((number % LineSet::BITS) as u8)
    }

    /// A number of its own, below [`LineSet::BITS`].
    #[inline(always)]
    pub(crate) fn number(self) -> usize {
        usize::from(self.0) % LineSet::BITS
    }

    /// Both ends.
    #[inline(always)]
    pub(crate) fn ends(self) -> PointSet {
        PointSet::from_bits(ENDS[self.number()])
    }

    /// The lower end.
    #[inline(always)]
    pub(crate) fn low(self) -> Point {
        Point::from_bit(self.ends().bits().trailing_zeros())
    }

    /// The higher end.
    #[inline(always)]
    pub(crate) fn high(self) -> Point {
        Point::from_bit(31 - self.ends().bits().leading_zeros())
    }
}

/// A set of lines in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LineSet(u64);

impl LineSet {
    /// Numbers of lines, some of which no line has.
    pub(crate) const BITS: usize = 64;
    const FIRST: [u32; AXES.len()] = [EAST, NORTH, NORTH_EAST, NORTH_WEST];

    /// The lines with these lower ends, by axis.
    #[inline(always)]
    pub(crate) fn of([east, north, north_east, north_west]: [u32; AXES.len()]) -> LineSet {
        let diagonal = u64::from(north_east | north_west >> (NORTH_EAST - NORTH_WEST));
        LineSet(u64::from(east) | u64::from(north) << NORTH | diagonal << NORTH_EAST)
    }

    /// The number of lines in the set.
    #[inline(always)]
    pub(crate) fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set holds no line.
    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set without the lines of another.
    #[inline(always)]
    pub(crate) fn without_all(self, other: LineSet) -> LineSet {
        LineSet(self.0 & !other.0)
    }

    /// The set without a line.
    #[inline(always)]
    pub(crate) fn without(self, line: Line) -> LineSet {
        LineSet(self.0 & !(1 << line.number()))
    }
}

impl Iterator for LineSet {
    type Item = Line;

    /// Takes a line out of the set.
    #[inline(always)]
    fn next(&mut self) -> Option<Line> {
        if self.0 == 0 {
            return None;
        }
        let line = Line(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(line)
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

    #[test]
    fn a_set_holds_every_line_once() {
        let all = LineSet::of(AXES.map(|axis| axis.steps));
        assert_eq!(all.len() as usize, LINE_COUNT);
        let mut ends = Vec::new();
        for line in all {
            let (low, high) = (line.low(), line.high());
            assert!(neighbours(low).has(high), "{low} {high}");
            assert_eq!(line.ends(), low.bit() | high.bit());
            assert_eq!(Line::between(low, high), line);
            assert_eq!(Line::between(high, low), line);
            assert_eq!(Line::numbered(line.number()), line);
            assert_eq!(all.without(line).len() + 1, all.len());
            ends.push((low, high));
        }
        ends.sort();
        ends.dedup();
        assert_eq!(ends.len(), LINE_COUNT);
    }
}
