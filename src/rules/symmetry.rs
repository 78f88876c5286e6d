//! The eight rotations and reflections of the board. All keep the lines.

use super::board::Board;
use super::point::{Point, PointSet};

/// One of the eight symmetries; number 0 changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry(u8);

/// Images of the low 13 and the high 12 points for each symmetry: two look-ups map a set.
struct Images {
    low: [[u32; 1 << 13]; 8],
    high: [[u32; 1 << 12]; 8],
}

static IMAGES: Images = {
    let mut images = Images {
        low: [[0; 1 << 13]; 8],
        high: [[0; 1 << 12]; 8],
    };
    let mut s = 0;
    while s < 8 {
        // Each from the set without its lowest point.
        let mut bits = 1usize;
        while bits < 1 << 13 {
            let (lowest, less) = (bits.trailing_zeros() as u8, bits & (bits - 1));
            images.low[s][bits] = images.low[s][less] | image(s as u8, lowest);
            if bits < 1 << 12 {
                images.high[s][bits] = images.high[s][less] | image(s as u8, 13 + lowest);
            }
            bits += 1;
        }
        s += 1;
    }
    images
};

const fn image(symmetry: u8, point: u8) -> u32 {
    match Point::new(point) {
        Some(point) => Symmetry(symmetry).map_point(point).bit().bits(),
        None => 0,
    }
}

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All eight, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(Symmetry)
    }

    /// The symmetry with this number, if it is below 8.
    pub fn new(number: u8) -> Option<Symmetry> {
        (number < 8).then_some(Symmetry(number))
    }

    /// The number of the symmetry, 0 to 7.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The symmetry that undoes this one.
    pub fn inverse(self) -> Symmetry {
        // Rotations by a quarter undo each other; all others undo themselves.
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            own => Symmetry(own),
        }
    }

    /// Where the symmetry takes a point.
    pub const fn map_point(self, point: Point) -> Point {
        let (mut file, mut rank) = (point.file(), point.rank());
        if self.0 & 1 != 0 {
            file = 4 - file;
        }
        if self.0 & 2 != 0 {
            rank = 4 - rank;
        }
        if self.0 & 4 != 0 {
            (file, rank) = (rank, file);
        }
        Point::at(file, rank)
    }

    /// Where each symmetry takes a set of points.
    #[inline(always)]
    pub fn turned(set: PointSet) -> [PointSet; 8] {
        std::array::from_fn(|number| Symmetry(number as u8).map(set))
    }

    /// Where the symmetry takes a set of points.
    pub fn map(self, set: PointSet) -> PointSet {
        let bits = set.bits() as usize;
        let s = self.0 as usize;
        PointSet::from_bits(IMAGES.low[s][bits & 0x1fff] | IMAGES.high[s][bits >> 13])
    }
}

impl Board {
    /// The image of the board under a symmetry.
    pub fn mapped(self, symmetry: Symmetry) -> Board {
        Board {
            own: symmetry.map(self.own),
            other: symmetry.map(self.other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_brings_every_point_back() {
        for symmetry in Symmetry::all() {
            for point in Point::all() {
                let there = symmetry.map_point(point);
                assert_eq!(symmetry.inverse().map_point(there), point);
            }
        }
    }
}
