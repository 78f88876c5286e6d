//! Rows as words: columns that differ only in the six lowest free points share a word.
//!
//! The bit of a column within its word is the set it takes among those six points, so a step or a
//! jump of the stones that pick the column moves bits by a fixed distance, or whole words: what
//! holds for a row is found out for up to twenty columns at a time.

use super::rank::choose;
use crate::rules::{Point, PointSet, neighbours};

/// Free points that pick the bit within a word.
const LOW: usize = 6;
const LOW_MASK: u32 = (1 << LOW) - 1;

/// For each of the six points, the bits of the sets that hold it.
const HOLDING: [u64; LOW] = {
    let mut holding = [0; LOW];
    let mut bit = 0;
    while bit < 64 {
        let mut point = 0;
        while point < LOW {
            holding[point] |= (bit >> point & 1) << bit;
            point += 1;
        }
        bit += 1;
    }
    holding
};

/// By number of stones, the bits of the sets of so many of the six points.
const OF_SIZE: [u64; LOW + 1] = {
    let mut of_size = [0; LOW + 1];
    let mut bit: u64 = 0;
    while bit < 64 {
        of_size[bit.count_ones() as usize] |= 1 << bit;
        bit += 1;
    }
    of_size
};

/// The words of a row.
pub struct WordLayout {
    /// The free points above the lowest six that a word takes, ascending.
    highs: Vec<u32>,
    /// The first column of each word.
    firsts: Vec<u32>,
    /// By the free points above the lowest six: the slot of the word, 0 if there is none.
    slots: Vec<u32>,
    stones: u32,
}

/// One bit for each column of a row. Slot 0 is empty, so that every neighbour can be asked.
pub struct Columns(Vec<u64>);

impl WordLayout {
    /// For rows of sets of `stones` out of `free` points.
    pub fn new(free: usize, stones: usize) -> WordLayout {
        let high_points = free - LOW;
        let mut layout = WordLayout {
            highs: Vec::new(),
            firsts: Vec::new(),
            slots: vec![0; 1 << high_points],
            stones: stones as u32,
        };
        let mut columns = 0;
        for high in 0..1u32 << high_points {
            let Some(low) = stones.checked_sub(high.count_ones() as usize) else {
                continue;
            };
            if low <= LOW {
                layout.highs.push(high);
                layout.firsts.push(columns as u32);
                columns += choose(LOW, low);
                layout.slots[high as usize] = layout.highs.len() as u32;
            }
        }
        layout
    }

    /// The high points of each word.
    #[inline(always)]
    pub fn highs(&self) -> &[u32] {
        &self.highs
    }

    /// The column of a set, from the slot of its word and its bit.
    #[inline(always)]
    pub fn column(&self, word: usize, bit: u32) -> usize {
        let below = self.full(self.highs[word]) & ((1 << bit) - 1);
        self.firsts[word] as usize + below.count_ones() as usize
    }

    /// The bits that are columns in the word with these high points.
    #[inline(always)]
    pub fn full(&self, high: u32) -> u64 {
        OF_SIZE[(self.stones - high.count_ones()) as usize]
    }

    /// The columns for which `bits` has a bit, given the high points of a word; bits that are no
    /// columns do not matter.
    #[inline(always)]
    pub fn collect(&self, bits: impl Fn(u32) -> u64) -> Columns {
        let mut words = Vec::with_capacity(self.highs.len() + 1);
        words.push(0);
        words.extend(self.highs.iter().map(|&high| bits(high) & self.full(high)));
        Columns(words)
    }

    /// The columns for which `holds`; `sets` are the sets of all columns.
    #[inline(always)]
    pub fn columns_where(&self, sets: &[u32], holds: impl Fn(usize) -> bool) -> Columns {
        let mut words = vec![0; self.highs.len() + 1];
        for (column, &set) in sets.iter().enumerate() {
            let slot = self.slots[(set >> LOW) as usize];
            words[slot as usize] |= u64::from(holds(column)) << (set & LOW_MASK);
        }
        Columns(words)
    }
}

impl Columns {
    /// The bits of a word.
    #[inline(always)]
    pub fn word(&self, word: usize) -> u64 {
        self.0[word + 1]
    }

    /// Whether the column of a set is among them.
    #[inline(always)]
    pub fn has(&self, layout: &WordLayout, set: u32) -> bool {
        let slot = layout.slots[(set >> LOW) as usize];
        self.0[slot as usize] >> (set & LOW_MASK) & 1 != 0
    }
}

/// The bits of a word one by one, lowest first.
#[inline(always)]
pub fn bits_of(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(
        #[inline(always)]
        move || {
            let bit = word.trailing_zeros();
            word &= word.wrapping_sub(1);
            (bit < 64).then_some(bit)
        },
    )
}

/// The set of a column, from the high points of its word and its bit.
#[inline(always)]
pub fn set_of(high: u32, bit: u32) -> u32 {
    high << LOW | bit
}

/// The free points of a row by their numbers, lowest first.
#[derive(Clone, Copy)]
pub struct FreePoints([u8; Point::COUNT]);

impl FreePoints {
    /// Numbers the points of `free`.
    pub fn new(free: PointSet) -> FreePoints {
        let mut numbers = [0; Point::COUNT];
        for (number, point) in free.enumerate() {
            numbers[point.index()] = number as u8;
        }
        FreePoints(numbers)
    }

    fn number(&self, point: Point) -> usize {
        self.0[point.index()] as usize
    }
}

/// The columns of a word that hold a stone on one point and none on another.
#[derive(Clone, Copy)]
pub struct Pair {
    /// High points that matter, and how they must be taken.
    high: u32,
    taken: u32,
    /// The bits for which the low points are as they must be.
    low: u64,
}

impl Pair {
    /// A stone on `stone` and none on `empty`, both free.
    pub fn new(points: &FreePoints, stone: Point, empty: Point) -> Pair {
        let (stone, empty) = (points.number(stone), points.number(empty));
        let high = |number: usize| (1u32 << number) >> LOW;
        let low = |number: usize| HOLDING.get(number).copied();
        Pair {
            high: high(stone) | high(empty),
            taken: high(stone),
            low: low(stone).unwrap_or(!0) & !low(empty).unwrap_or(0),
        }
    }

    /// The bits of the word with these high points.
    #[inline(always)]
    pub fn bits(&self, high: u32) -> u64 {
        if high & self.high == self.taken {
            self.low
        } else {
            0
        }
    }
}

/// Columns that some of several pairs hold for.
#[derive(Default)]
pub struct Pattern(Vec<Pair>);

impl Pattern {
    /// Adds a pair.
    pub fn add(&mut self, pair: Pair) {
        let same = |p: &&mut Pair| (p.high, p.taken) == (pair.high, pair.taken);
        match self.0.iter_mut().find(same) {
            Some(known) => known.low |= pair.low,
            None => self.0.push(pair),
        }
    }

    /// The bits of the word with these high points.
    #[inline(always)]
    pub fn bits(&self, high: u32) -> u64 {
        self.0.iter().fold(0, |bits, pair| bits | pair.bits(high))
    }
}

/// The steps between free points. A step back is a step.
pub struct Steps {
    /// Between low points: the bits before a step up, and how far it moves them.
    low: Vec<(u64, u32)>,
    /// Between a low and a high point: the high one, and the low one as bits and as distance.
    mixed: Vec<(u32, u64, u32)>,
    /// Between high points: both.
    high: Vec<u32>,
}

impl Steps {
    /// The steps between points of `free`.
    pub fn new(points: &FreePoints, free: PointSet) -> Steps {
        let (mut low, mut mixed, mut high) = (Vec::new(), Vec::new(), Vec::new());
        for lower in free {
            for upper in neighbours(lower) & free {
                let (i, j) = (points.number(lower), points.number(upper));
                match (HOLDING.get(i), HOLDING.get(j)) {
                    _ if i > j => {}
                    (Some(a), Some(b)) => low.push((a & !b, (1 << j) - (1 << i))),
                    (Some(&a), None) => mixed.push((1 << (j - LOW), a, 1 << i)),
                    _ => high.push((1 << i | 1 << j) >> LOW),
                }
            }
        }
        Steps { low, mixed, high }
    }

    /// The bits of `wanted`, in the word with these high points, from which no step leads into
    /// `columns`.
    #[inline(always)]
    pub fn without(&self, layout: &WordLayout, columns: &Columns, high: u32, wanted: u64) -> u64 {
        let word = |high: u32| columns.0[layout.slots[high as usize] as usize];
        let here = word(high);
        let mut left = wanted & layout.full(high);
        for &(bits, distance) in &self.low {
            left &= !((here & bits) << distance | here >> distance & bits);
        }
        for &points in &self.high {
            if left == 0 {
                return 0;
            }
            let other = high ^ points;
            // One of the two is taken, and after the step the other.
            if (high & points).is_power_of_two() {
                left &= !word(other);
            }
        }
        for &(point, bits, distance) in &self.mixed {
            let there = word(high ^ point);
            left &= !match high & point {
                0 => (there & !bits) << distance,
                _ => (there & bits) >> distance,
            };
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::super::captures::{Jumps, jumped};
    use super::super::rank::{Spread, colex_rank, subsets};
    use super::*;
    use crate::rules::Board;
    use crate::rules::cpu::{Cpu, Portable};
    use proptest::prelude::*;

    /// Every column of a layout: its word, its bit and its set.
    fn all_columns(layout: &WordLayout) -> Vec<(usize, u32, u32)> {
        let of_word = |(word, &high): (usize, &u32)| {
            bits_of(layout.full(high)).map(move |bit| (word, bit, set_of(high, bit)))
        };
        layout
            .highs()
            .iter()
            .enumerate()
            .flat_map(of_word)
            .collect()
    }

    #[test]
    fn words_hold_every_column_once_and_in_order() {
        for (free, stones) in [(13, 12), (17, 1), (20, 5), (24, 3)] {
            let columns = all_columns(&WordLayout::new(free, stones));
            let sets: Vec<u32> = columns.iter().map(|column| column.2).collect();
            assert_eq!(sets, subsets(free, stones).collect::<Vec<_>>());
        }
    }

    proptest! {
        #[test]
        fn words_agree_with_boards(
            fixed in proptest::collection::btree_set(0u32..25, 1..12),
            stones in 1usize..5,
            some: u64,
        ) {
            let fixed = PointSet::from_bits(fixed.iter().map(|point| 1 << point).sum());
            let layout = WordLayout::new(25 - fixed.len() as usize, stones);
            let (points, spread) = (FreePoints::new(!fixed), Spread::over(!fixed));
            let steps = Steps::new(&points, !fixed);
            let (jumped, jumps) = (jumped(fixed, &points), Jumps::of(fixed, &points));
            let holds = |set: u32| (u64::from(set) + 1).wrapping_mul(some | 1) >> 61 == 0;
            let sets: Vec<u32> = all_columns(&layout).iter().map(|column| column.2).collect();
            let chosen = layout.columns_where(&sets, |column| holds(sets[column]));
            for (word, bit, set) in all_columns(&layout) {
                let board = Board { own: spread.points(set), other: fixed };
                let high = layout.highs()[word];
                prop_assert_eq!(layout.column(word, bit), colex_rank(set));
                prop_assert_eq!(chosen.has(&layout, set), holds(set));
                prop_assert_eq!(jumped.bits(high) >> bit & 1 != 0, board.can_capture());
                let jump = board.swapped().can_capture();
                prop_assert_eq!(jumps.columns(high) >> bit & 1 != 0, jump);
                let mut into = false;
                board.for_each_step(|from, to| {
                    let own = (board.own - from.bit()) | to.bit();
                    into |= holds(Portable.compress(own.bits(), (!fixed).bits()));
                });
                let without = steps.without(&layout, &chosen, high, 1 << bit);
                prop_assert_eq!(without == 0, into);
            }
        }
    }
}
