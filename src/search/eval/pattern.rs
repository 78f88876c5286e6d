//! The nine blocks of three by three points, and the patterns of stones in them.
//!
//! A pattern is a number in base 3, a digit for each point: 0 empty, 1 own, 2 other. Blocks that a
//! symmetry of the board takes into each other are numbered so that the image of a pattern has the
//! same number: the corner of the board comes first in each corner block, the rim in each block at
//! the middle of an edge. So one table of weights serves all blocks of a kind.

use once_cell::sync::Lazy;

use crate::rules::Board;

/// Patterns of a block: 3 to the 9th.
pub const PATTERNS: usize = 19_683;

/// Which blocks are alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The four blocks in the corners of the board.
    Corner,
    /// The four blocks at the middles of the edges.
    Edge,
    /// The block in the centre.
    Centre,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Corner, Kind::Edge, Kind::Centre];
}

/// The digits of the own stones on a rank, by the set of its points, as three numbers of three
/// digits for files a to c, b to d, and e to c (from the rim inwards), 16 bits apart.
static RANK: [u64; 32] = {
    let mut table = [0; 32];
    let mut set = 0;
    while set < 32 {
        let digits = [
            set as u64 & 1,
            set as u64 >> 1 & 1,
            set as u64 >> 2 & 1,
            set as u64 >> 3 & 1,
            set as u64 >> 4,
        ];
        let [a, b, c, d, e] = digits;
        table[set] = (a + 3 * b + 9 * c) | (b + 3 * c + 9 * d) << 16 | (e + 3 * d + 9 * c) << 32;
        set += 1;
    }
    table
};

/// The patterns of the nine blocks of a board: three bands of three blocks.
#[derive(Clone, Copy)]
pub struct Blocks {
    low: u64,
    middle: u64,
    high: u64,
}

impl Blocks {
    /// The patterns of a board.
    #[inline(always)]
    pub fn of(board: Board) -> Blocks {
        let (own, other) = (board.own.bits(), board.other.bits());
        let rank = |number: u32| {
            let digits = |set: u32| RANK[(set >> (5 * number) & 31) as usize];
            digits(own) + 2 * digits(other)
        };
        let [a, b, c, d, e] = [rank(0), rank(1), rank(2), rank(3), rank(4)];
        // No number of nine digits in base 3 needs more than 16 bits: the three stay apart.
        let band = |x: u64, y: u64, z: u64| x + 27 * y + 729 * z;
        Blocks {
            low: band(a, b, c),
            middle: band(b, c, d),
            high: band(e, d, c),
        }
    }

    /// The corner blocks.
    #[inline(always)]
    pub fn corners(self) -> [usize; 4] {
        [
            lane(self.low, 0),
            lane(self.low, 2),
            lane(self.high, 0),
            lane(self.high, 2),
        ]
    }

    /// The blocks at the lower and the upper edge, ranks inwards.
    #[inline(always)]
    pub fn ends(self) -> [usize; 2] {
        [lane(self.low, 1), lane(self.high, 1)]
    }

    /// The blocks at the left and the right edge. Their patterns are mirrored at the diagonal
    /// against those of [`Blocks::ends`]; see [`transposed`].
    #[inline(always)]
    pub fn sides(self) -> [usize; 2] {
        [lane(self.middle, 0), lane(self.middle, 2)]
    }

    /// The block in the centre.
    #[inline(always)]
    pub fn centre(self) -> usize {
        lane(self.middle, 1)
    }
}

#[inline(always)]
fn lane(band: u64, number: u32) -> usize {
    (band >> (16 * number)) as usize & 0x7fff
}

/// The images of all patterns under a mirroring of the block.
type Images = Lazy<Vec<u16>>;

static TRANSPOSED: Images = Lazy::new(|| images(|rank, file| (file, rank)));
static MIRRORED: Images = Lazy::new(|| images(|rank, file| (rank, 2 - file)));

/// The pattern mirrored at the diagonal from its first point.
pub fn transposed(pattern: usize) -> usize {
    TRANSPOSED[pattern].into()
}

/// The pattern with its files in the other order.
fn mirrored(pattern: usize) -> usize {
    MIRRORED[pattern].into()
}

/// All patterns with the stone at (rank, file) taken to another place.
fn images(place: impl Fn(usize, usize) -> (usize, usize)) -> Vec<u16> {
    let power = |exponent: usize| 3_u16.pow(exponent as u32);
    let worth = |point: usize| {
        let (rank, file) = place(point / 3, point % 3);
        power(3 * rank + file)
    };
    let mut images = vec![0];
    // The patterns of one point more follow those without it, and their images differ by its digit.
    for point in 0..9 {
        let fewer = images.clone();
        for digit in 1..3 {
            images.extend(fewer.iter().map(|image| image + digit * worth(point)));
        }
    }
    images
}

/// Patterns of a kind that are images of each other under a symmetry which keeps the block.
pub struct Classes {
    /// The class of each pattern.
    pub of: Vec<u16>,
    /// The number of classes.
    pub count: usize,
}

impl Classes {
    /// The classes of a kind of block, in the order of their smallest patterns.
    pub fn new(kind: Kind) -> Classes {
        const UNSEEN: u16 = u16::MAX;
        let mut classes = Classes {
            of: vec![UNSEEN; PATTERNS],
            count: 0,
        };
        for pattern in 0..PATTERNS {
            let mut open = vec![pattern];
            while let Some(image) = open.pop() {
                if classes.of[image] == UNSEEN {
                    classes.of[image] = classes.count as u16;
                    if kind != Kind::Edge {
                        open.push(transposed(image));
                    }
                    if kind != Kind::Corner {
                        open.push(mirrored(image));
                    }
                }
            }
            classes.count += usize::from(usize::from(classes.of[pattern]) == classes.count);
        }
        classes
    }
}
