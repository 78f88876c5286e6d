//! Points of the board and sets of them.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor, Not, Sub};
use std::str::FromStr;

use thiserror::Error;

/// One of the 25 points, numbered rank by rank: `a1` = 0, `e1` = 4, `a2` = 5, `e5` = 24.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// The number of points on the board.
    pub const COUNT: usize = 25;

    /// The point with this number, if it is below 25.
    pub const fn new(index: u8) -> Option<Point> {
        if (index as usize) < Self::COUNT {
            Some(Point(index))
        } else {
            None
        }
    }

    /// The point on `file` (0 = `a`) and `rank` (0 = `1`), both 0 to 4.
    ///
    /// # Panics
    /// If either is above 4.
    pub const fn at(file: u8, rank: u8) -> Point {
        assert!(file < 5 && rank < 5);
        Point(rank * 5 + file)
    }

    /// A point from a bit number that is known to be below 25.
    pub(crate) const fn from_bit(bit: u32) -> Point {
        debug_assert!(bit < 25);
        Point(bit as u8)
    }

    /// The number of the point, 0 to 24.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, 0 (`a`) to 4 (`e`).
    pub const fn file(self) -> u8 {
        self.0 % 5
    }

    /// The rank, 0 (`1`) to 4 (`5`).
    pub const fn rank(self) -> u8 {
        self.0 / 5
    }

    /// The set that holds only this point.
    pub const fn bit(self) -> PointSet {
        PointSet(1 << self.0)
    }

    /// All 25 points in order.
    pub fn all() -> impl Iterator<Item = Point> {
        (0..25).map(Point)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A text that is not a point.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not a point (a1 to e5)")]
pub struct ParsePointError(pub String);

impl FromStr for Point {
    type Err = ParsePointError;

    fn from_str(text: &str) -> Result<Point, ParsePointError> {
        match text.as_bytes() {
            [file @ b'a'..=b'e', rank @ b'1'..=b'5'] => Ok(Point::at(file - b'a', rank - b'1')),
            _ => Err(ParsePointError(text.to_owned())),
        }
    }
}

/// A set of points, one bit each; bits 25 and up are always clear.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PointSet(u32);

impl PointSet {
    /// No point.
    pub const EMPTY: PointSet = PointSet(0);
    /// All 25 points.
    pub const ALL: PointSet = PointSet((1 << 25) - 1);
    /// The points from which diagonals are drawn, corners and centre among them.
    pub const STRONG: PointSet = PointSet(0x155_5555);

    /// The set of the low 25 bits of `bits`.
    pub const fn from_bits(bits: u32) -> PointSet {
        PointSet(bits & Self::ALL.0)
    }

    /// The set as bits, point 0 lowest.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The number of points in the set, 0 to 25.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set holds no point.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set holds `point`.
    #[inline(always)]
    pub const fn has(self, point: Point) -> bool {
        self.0 >> point.0 & 1 != 0
    }

    /// Whether the sets share a point.
    #[inline(always)]
    pub const fn meets(self, other: PointSet) -> bool {
        self.0 & other.0 != 0
    }
}

impl Iterator for PointSet {
    type Item = Point;

    /// Takes the lowest point out of the set.
    #[inline(always)]
    fn next(&mut self) -> Option<Point> {
        if self.0 == 0 {
            return None;
        }
        let point = Point::from_bit(self.0.trailing_zeros());
        self.0 &= self.0 - 1;
        Some(point)
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        points
            .into_iter()
            .fold(PointSet::EMPTY, |set, point| set | point.bit())
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

macro_rules! set_operator {
    ($trait:ident, $method:ident, |$a:ident, $b:ident| $body:expr) => {
        impl $trait for PointSet {
            type Output = PointSet;
            #[inline(always)]
            fn $method(self, rhs: PointSet) -> PointSet {
                let ($a, $b) = (self.0, rhs.0);
                PointSet($body)
            }
        }
    };
}

set_operator!(BitAnd, bitand, |a, b| a & b);
set_operator!(BitOr, bitor, |a, b| a | b);
set_operator!(BitXor, bitxor, |a, b| a ^ b);
set_operator!(Sub, sub, |a, b| a & !b);

impl Not for PointSet {
    type Output = PointSet;
    #[inline(always)]
    fn not(self) -> PointSet {
        PointSet(!self.0 & Self::ALL.0)
    }
}
