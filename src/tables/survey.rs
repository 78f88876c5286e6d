//! What the columns of a row are like, found out for many of them at a time in the processor's
//! vectors.

use super::rank::choose;
use crate::rules::cpu::{Run, with_vectors};
use crate::rules::{AXES, Board, PointSet};

/// Columns that share a word of bits.
pub(super) const WORD: usize = 64;

/// What is true of the columns of a row, a bit for each: column 64 i + b is bit b of word i.
#[derive(Default, PartialEq, Eq, Debug)]
pub(super) struct RowSurvey {
    /// The stones that pick the column can capture.
    pub(super) picked: Vec<u64>,
    /// The stones that the row holds fast can capture.
    pub(super) fixed: Vec<u64>,
    /// A step of the stones that pick the column led there from where they had no capture.
    pub(super) reached: Vec<u64>,
    /// As `reached`, but perhaps: several jumps from and to several points have to be undone.
    pub(super) doubtful: Vec<u64>,
}

/// The stones that pick each column of a row.
pub(super) struct RowSets {
    fixed: PointSet,
    columns: usize,
    /// In the order of the columns, filled up to whole words.
    sets: Vec<u32>,
}

impl RowSets {
    /// For a row that holds the stones `fixed`, and columns of `stones` others.
    pub(super) fn new(fixed: PointSet, stones: usize) -> RowSets {
        let free: Vec<u32> = (!fixed).map(|point| point.bit().bits()).collect();
        let mut sets = vec![0];
        for size in 1..=stones {
            // In colex order the sets below a highest point come as they do without it.
            let mut larger = Vec::with_capacity(choose(free.len(), size).next_multiple_of(WORD));
            for (top, &point) in free.iter().enumerate().skip(size - 1) {
                let below = &sets[..choose(top, size - 1)];
                larger.extend(below.iter().map(|&set| set | point));
            }
            sets = larger;
        }
        let columns = sets.len();
        sets.resize(columns.next_multiple_of(WORD), 0);
        RowSets {
            fixed,
            columns,
            sets,
        }
    }

    /// The stones that pick a column.
    #[inline(always)]
    pub(super) fn get(&self, column: usize) -> PointSet {
        PointSet::from_bits(self.sets[column])
    }

    /// Looks at all columns.
    pub(super) fn survey(&self) -> RowSurvey {
        with_vectors!(|cpu| self.survey_on(cpu))
    }

    fn survey_on(&self, cpu: impl Run) -> RowSurvey {
        cpu.run(
            #[inline(always)]
            || {
                let words = self.sets.len() / WORD;
                let empty = || Vec::with_capacity(words);
                let mut survey = RowSurvey {
                    picked: empty(),
                    fixed: empty(),
                    reached: empty(),
                    doubtful: empty(),
                };
                let (chunks, _) = self.sets.as_chunks::<WORD>();
                for (word, sets) in chunks.iter().enumerate() {
                    let [picked, fixed, reached, doubtful] = look_at(self.fixed.bits(), sets);
                    let full = bits_between(0, self.columns, word);
                    survey.picked.push(picked & full);
                    survey.fixed.push(fixed & full);
                    survey.reached.push(reached & full);
                    survey.doubtful.push(doubtful & full);
                }
                survey
            },
        )
    }
}

/// The four answers for a word of columns.
#[inline(always)]
fn look_at(fixed: u32, sets: &[u32; WORD]) -> [u64; 4] {
    let mut answers = [[0u8; WORD]; 4];
    for (column, &picked) in sets.iter().enumerate() {
        let jumps = StepsBack::of(picked, fixed);
        let fixed_jumps = Board {
            own: PointSet::from_bits(fixed),
            other: PointSet::from_bits(picked),
        };
        let (starts, landings) = (jumps.starts, jumps.landings);
        let many = |set: u32| set & set.wrapping_sub(1) != 0;
        // Where a step back could have come from: from any point, or from a jump's start.
        let near_any = next_to(jumps.movable) & jumps.origins;
        let near_start = next_to(jumps.movable & starts) & jumps.origins;
        let undone =
            (!many(starts) & (near_start != 0)) | (!many(landings) & (near_any & landings != 0));
        let tangled = many(starts) & many(landings) & (near_start & landings != 0);
        let quiet = starts == 0;
        answers[0][column] = u8::from(!quiet);
        answers[1][column] = u8::from(fixed_jumps.can_capture());
        answers[2][column] = u8::from((quiet & (near_any != 0)) | (!quiet & undone));
        answers[3][column] = u8::from(tangled);
    }
    answers.map(
        #[inline(always)]
        |bytes| bits_of_bytes(&bytes),
    )
}

/// The points a step away from those of a set.
#[inline(always)]
fn next_to(set: u32) -> u32 {
    AXES.iter().fold(0, |near, axis| {
        let d = axis.shift;
        near | (set & axis.steps) << d | set >> d & axis.steps
    })
}

/// What is known of the step that led to a position, if there was no capture before it.
#[derive(Clone, Copy)]
pub(super) struct StepsBack {
    /// The stones that may have made it: none that keeps another from a capture where it stands.
    pub(super) movable: u32,
    /// Where it may have begun: at no point from which there is a capture.
    pub(super) origins: u32,
    /// Where the jumps start that there are now.
    pub(super) starts: u32,
    /// Where these jumps lead.
    pub(super) landings: u32,
}

impl StepsBack {
    /// For the step of the side of `own` stones that led to this position.
    #[inline(always)]
    pub(super) fn of(own: u32, other: u32) -> StepsBack {
        let empty = !(own | other) & PointSet::ALL.bits();
        let (mut keepers, mut active, mut starts, mut landings) = (0, 0, 0, 0);
        for axis in AXES {
            let d = axis.shift;
            let over = (other >> d) & axis.jumps;
            let both = |low: u32, high: u32| low & (high >> (2 * d)) & over;
            let (up, down) = (both(own, empty), both(empty, own));
            let (stones, free) = (both(own, own), both(empty, empty));
            starts |= up | down << (2 * d);
            landings |= up << (2 * d) | down;
            keepers |= stones | stones << (2 * d);
            active |= free | free << (2 * d);
        }
        StepsBack {
            movable: own & !keepers,
            origins: empty & !active,
            starts,
            landings,
        }
    }
}

/// A bit for each byte; the bytes are 0 or 1.
#[inline(always)]
fn bits_of_bytes(bytes: &[u8; WORD]) -> u64 {
    let (eights, _) = bytes.as_chunks::<8>();
    eights.iter().rev().fold(0, |bits, &eight| {
        // The product brings byte i to bit 56 + i; nothing below carries into these.
        bits << 8 | u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

/// The bits of a word that stand for columns from `first` to before `end`, some of which it has.
#[inline(always)]
pub(super) fn bits_between(first: usize, end: usize, word: usize) -> u64 {
    let (start, full) = (word * WORD, !0u64);
    let from = full << first.saturating_sub(start);
    from & full >> WORD.saturating_sub(end - start)
}

/// The bits that are set, ascending.
#[inline(always)]
pub(super) fn bits_of(word: u64) -> impl Iterator<Item = usize> {
    let mut left = word;
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (bit < WORD).then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::super::rank::{Spread, subsets};
    use super::*;
    use crate::rules::cpu::Portable;
    #[cfg(target_arch = "x86_64")]
    use crate::rules::cpu::{Avx2, Avx512};
    use crate::rules::neighbours;
    use proptest::prelude::*;

    /// The survey of every kind of processor that this one is.
    fn surveys(sets: &RowSets) -> Vec<RowSurvey> {
        #[cfg(target_arch = "x86_64")]
        let vectors = [
            Avx2::detect().map(|cpu| sets.survey_on(cpu)),
            Avx512::detect().map(|cpu| sets.survey_on(cpu)),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let vectors = [None, None];
        let portable = [Some(sets.survey_on(Portable)), Some(sets.survey())];
        portable.into_iter().chain(vectors).flatten().collect()
    }

    /// Whether a step of the own stones led here from where they had no capture.
    fn is_reached(board: Board) -> bool {
        board.own.into_iter().any(|to| {
            (neighbours(to) & board.empty()).into_iter().any(|from| {
                let own = (board.own - to.bit()) | from.bit();
                !Board { own, ..board }.can_capture()
            })
        })
    }

    proptest! {
        #[test]
        fn surveys_agree_with_boards(
            fixed in proptest::collection::btree_set(0u32..25, 1..12),
            stones in 1usize..5,
        ) {
            let fixed = PointSet::from_bits(fixed.iter().map(|point| 1 << point).sum());
            let sets = RowSets::new(fixed, stones);
            let spread = Spread::over(!fixed);
            let columns: Vec<PointSet> = subsets(25 - fixed.len() as usize, stones)
                .map(|set| spread.points(set))
                .collect();
            prop_assert_eq!(sets.columns, columns.len());
            for survey in surveys(&sets) {
                let has = |words: &[u64], column: usize| words[column / WORD] >> (column % WORD) & 1 != 0;
                for (column, &own) in columns.iter().enumerate() {
                    let board = Board { own, other: fixed };
                    prop_assert_eq!(sets.get(column), own);
                    prop_assert_eq!(has(&survey.picked, column), board.can_capture());
                    prop_assert_eq!(has(&survey.fixed, column), board.swapped().can_capture());
                    let reached = is_reached(board);
                    prop_assert!(!has(&survey.reached, column) || reached);
                    prop_assert!(!reached || has(&survey.reached, column) || has(&survey.doubtful, column));
                }
                let bits = |words: &[u64]| words.iter().map(|word| word.count_ones()).sum::<u32>();
                let captures = columns.iter().filter(|&&own| Board { own, other: fixed }.can_capture());
                prop_assert_eq!(bits(&survey.picked) as usize, captures.count());
            }
        }
    }
}
