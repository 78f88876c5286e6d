//! Sets numbered in ascending order of their bits, and bits spread over the points that are free.

use crate::rules::PointSet;

/// Binomial coefficients: `CHOOSE[n][k]` for n up to 25 and k up to 13.
static CHOOSE: [[u32; 14]; 26] = {
    let mut table = [[0; 14]; 26];
    let mut n = 0;
    while n < 26 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 14 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of ways to choose `k` (at most 13) out of `n` (at most 25).
pub fn choose(n: usize, k: usize) -> usize {
    CHOOSE[n][k] as usize
}

const LOW_BITS: u32 = 13;
const LOW_MASK: u32 = (1 << LOW_BITS) - 1;

/// Colex ranks from two tables: of the low 13 bits, and of the 12 bits above for each number of
/// bits in all. What sets of one size look up lies close together.
struct Ranks {
    low: [u32; 1 << 13],
    high: [[u32; 1 << 12]; 14],
}

static RANKS: Ranks = {
    let mut ranks = Ranks {
        low: [0; 1 << 13],
        high: [[0; 1 << 12]; 14],
    };
    // Each from the set without its highest point.
    let mut bits = 1usize;
    while bits < 1 << 13 {
        let (top, count) = (bits.ilog2() as usize, bits.count_ones() as usize);
        let less = bits ^ 1 << top;
        ranks.low[bits] = ranks.low[less] + CHOOSE[top][count];
        let mut all = count;
        while bits < 1 << 12 && all < 14 {
            ranks.high[all][bits] = ranks.high[all - 1][less] + CHOOSE[13 + top][all];
            all += 1;
        }
        bits += 1;
    }
    ranks
};

/// Numbers the sets of one size in ascending order of their bits. The bits may be points of the
/// board or places among those that are free.
#[derive(Clone, Copy)]
pub struct ColexRank {
    high: &'static [u32; 1 << 12],
}

impl ColexRank {
    /// For sets of so many bits, at most 13.
    pub fn of_size(size: usize) -> ColexRank {
        let high = &RANKS.high[size];
        ColexRank { high }
    }

    /// The rank of a set of this size.
    #[inline(always)]
    pub fn rank(self, bits: u32) -> usize {
        let (low, high) = (bits & LOW_MASK, bits >> LOW_BITS & 0xfff);
        (RANKS.low[low as usize] + self.high[high as usize]) as usize
    }
}

/// The rank of a set among all sets of its size, at most 13.
pub fn colex_rank(bits: u32) -> usize {
    ColexRank::of_size(bits.count_ones() as usize).rank(bits)
}

/// All sets of `k` out of the bits 0 to `n` - 1, in ascending order.
pub fn subsets(n: usize, k: usize) -> impl Iterator<Item = u32> {
    let first = (1u64 << k) - 1;
    let next = |&set: &u64| {
        // Gosper's hack (HAKMEM 175): the next larger number with as many bits.
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        (set != 0).then(|| carried | ((set ^ carried) >> 2).checked_div(lowest).unwrap_or(0))
    };
    std::iter::successors(Some(first), next)
        .take_while(move |&set| set < 1 << n)
        .map(|set| set as u32)
}

/// Spreads column bits over the points a row leaves free, by five small tables.
pub struct Spread {
    chunks: [[u32; 32]; 5],
}

impl Spread {
    /// For the points of `free`, lowest first.
    pub fn over(free: PointSet) -> Spread {
        let mut chunks = [[0; 32]; 5];
        let mut points = free.map(|point| point.bit().bits());
        for chunk in &mut chunks {
            for bit in 0..5 {
                let point = points.next().unwrap_or(0);
                for bits in 0..1 << bit {
                    chunk[1 << bit | bits] = chunk[bits] | point;
                }
            }
        }
        Spread { chunks }
    }

    /// The points for these bits.
    #[inline(always)]
    pub fn points(&self, bits: u32) -> PointSet {
        let chunk = |i: usize| self.chunks[i][(bits >> (5 * i)) as usize & 31];
        PointSet::from_bits(chunk(0) | chunk(1) | chunk(2) | chunk(3) | chunk(4))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::cpu::{Cpu, Portable};

    #[test]
    fn subsets_come_in_the_order_of_their_ranks() {
        for (n, k) in [(25, 1), (24, 4), (25, 12), (7, 7), (14, 0)] {
            let sets: Vec<u32> = subsets(n, k).collect();
            assert_eq!(sets.len(), choose(n, k));
            assert!(
                sets.iter()
                    .enumerate()
                    .all(|(i, &set)| colex_rank(set) == i)
            );
        }
    }

    #[test]
    fn spread_undoes_compress() {
        let free = !PointSet::from_bits(0b1_0010_1110_0000_0010_0001_1000);
        let spread = Spread::over(free);
        for column in subsets(free.len() as usize, 5).step_by(11) {
            assert_eq!(
                Portable.compress(spread.points(column).bits(), free.bits()),
                column
            );
        }
    }
}
