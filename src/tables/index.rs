//! Where a position stands in a slice.
//!
//! A slice holds every placement of `mover` own and `other` enemy stones. The own stones pick the
//! row: one row for each class of sets that are the same up to the eight symmetries. The other
//! stones, turned by the symmetry that turns the own ones into the representative of their class,
//! pick the column: the colex rank of the points they take among those the own stones leave free.
//!
//! Where the own stones have a symmetry of their own, a position stands in several columns, its
//! *copies*. They always hold the same value.

use once_cell::sync::OnceCell;

use super::rank::{ColexRank, choose, colex_rank, subsets};
use crate::rules::cpu::Cpu;
use crate::rules::{Board, Point, PointSet, Symmetry};

/// The most stones of one side.
pub const MAX_SIDE: usize = 12;

/// The number of sets of `stones` points up to symmetry, by Burnside's lemma: the mean number of
/// sets that a symmetry keeps. A set is kept if it is made of whole cycles.
pub fn class_count(stones: usize) -> usize {
    let kept = |symmetry: Symmetry| {
        let mut ways = [0usize; 26];
        ways[0] = 1;
        for length in cycle_lengths(symmetry) {
            for size in (length..=25).rev() {
                ways[size] += ways[size - length];
            }
        }
        ways[stones]
    };
    Symmetry::all().map(kept).sum::<usize>() / 8
}

fn cycle_lengths(symmetry: Symmetry) -> Vec<usize> {
    let mut seen = PointSet::EMPTY;
    let mut lengths = Vec::new();
    for point in Point::all() {
        let (mut at, mut length) = (point, 0);
        while !seen.has(at) {
            seen = seen | at.bit();
            at = symmetry.map_point(at);
            length += 1;
        }
        lengths.extend((length > 0).then_some(length));
    }
    lengths
}

/// The number of places of a slice, without making its index.
pub fn place_count(mover: usize, other: usize) -> usize {
    class_count(mover) * choose(25 - mover, other)
}

/// The sets of a given number of points, up to symmetry.
pub struct OwnSets {
    /// The smallest set of each class, ascending.
    representatives: Vec<PointSet>,
    /// For each class, a bit for each symmetry that keeps its representative.
    stabilizers: Vec<u8>,
    rank: ColexRank,
    /// By colex rank: the class, and the symmetry to its representative in the low three bits.
    classes: Vec<u32>,
}

static OWN_SETS: [OnceCell<OwnSets>; MAX_SIDE + 1] = [const { OnceCell::new() }; MAX_SIDE + 1];

impl OwnSets {
    /// The classes of sets of `stones` points, at most 12; made on first use.
    pub fn of(stones: usize) -> &'static OwnSets {
        OWN_SETS[stones].get_or_init(|| OwnSets::make(stones))
    }

    fn make(stones: usize) -> OwnSets {
        const UNSEEN: u32 = u32::MAX;
        let mut sets = OwnSets {
            representatives: Vec::new(),
            stabilizers: Vec::new(),
            rank: ColexRank::of_size(stones),
            classes: vec![UNSEEN; choose(25, stones)],
        };
        for (rank, bits) in subsets(25, stones).enumerate() {
            if sets.classes[rank] != UNSEEN {
                continue;
            }
            let set = PointSet::from_bits(bits);
            let class = sets.representatives.len() as u32;
            let mut stabilizer = 0;
            for symmetry in Symmetry::all() {
                let image = symmetry.map(set);
                stabilizer |= u8::from(image == set) << symmetry.number();
                let back = symmetry.inverse().number() as u32;
                let entry = &mut sets.classes[colex_rank(image.bits())];
                if *entry == UNSEEN {
                    *entry = class << 3 | back;
                }
            }
            sets.representatives.push(set);
            sets.stabilizers.push(stabilizer);
        }
        sets
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// The representative of a class.
    #[inline(always)]
    pub fn representative(&self, class: usize) -> PointSet {
        self.representatives[class]
    }

    /// The number of sets in a class: 1, 2, 4 or 8.
    pub fn orbit(&self, class: usize) -> usize {
        8 / self.stabilizers[class].count_ones() as usize
    }

    /// The symmetries that keep the representative of a class, one bit each.
    #[inline(always)]
    pub fn stabilizer(&self, class: usize) -> u8 {
        self.stabilizers[class]
    }

    /// The class of a set and the symmetry that turns the set into its representative.
    #[inline(always)]
    fn class_of(&self, set: PointSet) -> (usize, Symmetry) {
        let entry = self.classes[self.rank.rank(set.bits())];
        let symmetry = Symmetry::new(entry as u8 & 7).unwrap_or(Symmetry::IDENTITY);
        ((entry >> 3) as usize, symmetry)
    }
}

/// The rows and columns of one slice.
#[derive(Clone, Copy)]
pub struct SliceIndex {
    mover: usize,
    other: usize,
    columns: usize,
    own_sets: &'static OwnSets,
    column_sets: &'static [u32],
    column_rank: ColexRank,
}

/// Something made once for each pair of numbers of stones.
type OfSizes<T> = [[OnceCell<T>; MAX_SIDE + 1]; MAX_SIDE + 1];

static COLUMN_SETS: OfSizes<Vec<u32>> =
    [const { [const { OnceCell::new() }; MAX_SIDE + 1] }; MAX_SIDE + 1];

impl SliceIndex {
    /// The slice of `mover` own and `other` enemy stones, each 1 to 12.
    pub fn new(mover: usize, other: usize) -> SliceIndex {
        SliceIndex {
            mover,
            other,
            columns: choose(25 - mover, other),
            own_sets: OwnSets::of(mover),
            column_sets: COLUMN_SETS[mover][other]
                .get_or_init(|| subsets(25 - mover, other).collect()),
            column_rank: ColexRank::of_size(other),
        }
    }

    /// Stones of the mover.
    pub fn mover(&self) -> usize {
        self.mover
    }

    /// Stones of the other side.
    pub fn other(&self) -> usize {
        self.other
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.own_sets.len()
    }

    /// The number of columns, the same in every row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The free places taken in each column, counted from the first point the row leaves free.
    #[inline(always)]
    pub fn column_sets(&self) -> &'static [u32] {
        self.column_sets
    }

    /// The column by the free places that are taken in it, as [`SliceIndex::column_sets`] has them.
    #[inline(always)]
    pub fn column(&self, set: u32) -> usize {
        self.column_rank.rank(set)
    }

    /// The number of places, copies counted each.
    pub fn places(&self) -> usize {
        self.rows() * self.columns
    }

    /// The classes of own sets, one a row.
    pub fn own_sets(&self) -> &'static OwnSets {
        self.own_sets
    }

    /// The row of a board of this slice, and the symmetry that turns its own stones into the
    /// row's representative.
    #[inline(always)]
    pub fn row_of(&self, board: Board) -> (usize, Symmetry) {
        self.own_sets.class_of(board.own)
    }

    /// The column of the other stones once they are turned to fit the row.
    #[inline(always)]
    pub(crate) fn column_of(&self, cpu: impl Cpu, row: usize, turned: PointSet) -> usize {
        let free = !self.own_sets.representative(row);
        self.column(cpu.compress(turned.bits(), free.bits()))
    }

    /// The row and a column of a board of this slice.
    #[inline(always)]
    pub(crate) fn place_of(&self, cpu: impl Cpu, board: Board) -> (usize, usize) {
        let (row, symmetry) = self.row_of(board);
        // The turned stones are the row's representative: not to look it up saves a wait.
        let free = !symmetry.map(board.own);
        let turned = symmetry.map(board.other);
        (row, self.column(cpu.compress(turned.bits(), free.bits())))
    }

    /// Calls `visit` with the row and every column that a board of this slice stands in.
    #[inline(always)]
    pub(crate) fn for_each_copy(
        &self,
        cpu: impl Cpu,
        board: Board,
        mut visit: impl FnMut(usize, usize),
    ) {
        let (row, symmetry) = self.row_of(board);
        let turned = symmetry.map(board.other);
        visit(row, self.column_of(cpu, row, turned));
        // The identity is done; most sets have no other.
        let mut left = self.own_sets.stabilizer(row) & !1;
        while left != 0 {
            let number = left.trailing_zeros() as u8;
            left &= left - 1;
            if let Some(again) = Symmetry::new(number) {
                visit(row, self.column_of(cpu, row, again.map(turned)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::cpu::Portable;

    #[test]
    fn classes_add_up_to_all_sets() {
        for stones in 1..=6 {
            let sets = OwnSets::of(stones);
            let all: usize = (0..sets.len()).map(|class| sets.orbit(class)).sum();
            assert_eq!(all, choose(25, stones));
            assert_eq!(sets.len(), class_count(stones));
        }
    }

    #[test]
    fn every_image_of_a_board_has_the_same_copies() {
        let index = SliceIndex::new(2, 2);
        for own in subsets(25, 2).step_by(7) {
            for other in subsets(25, 2).step_by(5).filter(|other| other & own == 0) {
                let board = Board {
                    own: PointSet::from_bits(own),
                    other: PointSet::from_bits(other),
                };
                let copies = |board| {
                    let mut places = Vec::new();
                    index.for_each_copy(Portable, board, |row, column| places.push((row, column)));
                    places.sort_unstable();
                    places.dedup();
                    places
                };
                let expected = copies(board);
                for symmetry in Symmetry::all() {
                    let image = board.mapped(symmetry);
                    assert_eq!(copies(image), expected);
                    assert!(expected.contains(&index.place_of(Portable, image)));
                }
            }
        }
    }
}
