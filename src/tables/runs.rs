//! Values of a slice as runs.
//!
//! Only quiet positions carry a value; what stands between them is free to hold whatever packs
//! best. So a run may end anywhere between its last quiet place and the first one of another
//! value, and of the lengths that end there the roundest is taken: few lengths make short codes.

/// Lengths a run may have: four in each octave.
pub const LENGTHS: [u16; 48] = {
    let mut lengths = [0; 48];
    let mut i = 0;
    while i < 48 {
        lengths[i] = if i < 4 {
            i as u16 + 1
        } else {
            // 5 6 7 8, 10 12 14 16, ...
            (5 + (i as u16 & 3)) << (i / 4 - 1)
        };
        i += 1;
    }
    lengths
};

/// The longest run: blocks are no longer.
pub const LONGEST: usize = 8 << 10;

/// One run: the value less the one before it (modulo the number of values), and the length as an
/// index into [`LENGTHS`].
pub type Symbol = u16;

/// Packs a symbol.
#[inline(always)]
pub fn symbol(difference: u8, length: usize) -> Symbol {
    u16::from(difference) * LENGTHS.len() as u16 + length as u16
}

/// A symbol unpacked: its value less the one before it, and its places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// To be added to the value before, modulo the number of values.
    pub difference: u8,
    /// Places that it covers.
    pub length: u16,
}

/// Unpacks a symbol.
pub fn unpack(symbol: Symbol) -> Run {
    let lengths = LENGTHS.len() as u16;
    Run {
        difference: (symbol / lengths) as u8,
        length: LENGTHS[(symbol % lengths) as usize],
    }
}

/// The number of symbols where there are so many values.
pub fn symbol_count(values: usize) -> usize {
    values * LENGTHS.len()
}

/// The index of the longest length that is at most `most` (at least 1).
fn longest_within(most: usize) -> usize {
    if most <= 8 {
        return most - 1;
    }
    let most = most.min(LONGEST);
    // Each octave above a power of two has four lengths, the last of which is the next power.
    let octave = most.ilog2() as usize;
    4 * (octave - 1) + (most >> (octave - 2)) - 5
}

/// The index of the roundest length from `least` to `most`, if any lies there.
fn roundest(least: usize, most: usize) -> Option<usize> {
    let highest = longest_within(most);
    (0..=highest)
        .rev()
        .take_while(|&i| LENGTHS[i] as usize >= least)
        .max_by_key(|&i| LENGTHS[i].trailing_zeros())
}

/// Appends the runs of one block. `quiet` holds place and value of each quiet position, ascending
/// by place; places are below `len` and values below `values`.
pub fn encode(quiet: &[(u16, u8)], len: usize, values: usize, out: &mut Vec<Symbol>) {
    let (mut start, mut before) = (0, 0u8);
    let mut next = 0;
    while let Some(&(_, value)) = quiet.get(next) {
        let same = quiet[next..].iter().take_while(|q| q.1 == value).count();
        let last = quiet[next + same - 1].0 as usize;
        next += same;
        let end = quiet.get(next).map_or(len, |q| q.0 as usize);
        let done = |start: usize| start > last;
        while !done(start) {
            let difference = (usize::from(value) + values - usize::from(before)) % values;
            let length = roundest(last + 1 - start, end - start)
                .unwrap_or_else(|| longest_within(end - start));
            out.push(symbol(difference as u8, length));
            start += LENGTHS[length] as usize;
            before = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lengths_ascend_to_the_longest() {
        assert!(LENGTHS.is_sorted());
        assert_eq!(LENGTHS[..9], [1, 2, 3, 4, 5, 6, 7, 8, 10]);
        assert_eq!(*LENGTHS.last().unwrap() as usize, LONGEST);
    }

    #[test]
    fn the_longest_length_within_a_span() {
        for most in 1..=2 * LONGEST {
            let fitting = LENGTHS.iter().filter(|&&length| length as usize <= most);
            assert_eq!(longest_within(most), fitting.count() - 1);
        }
    }

    #[test]
    fn a_run_ends_where_its_length_is_roundest() {
        let mut out = Vec::new();
        // The first run may be 4 to 9 long, the second has no other quiet place to stop for.
        encode(&[(1, 0), (3, 0), (9, 2)], 16, 3, &mut out);
        let runs: Vec<_> = out.iter().map(|&s| unpack(s)).collect();
        let run = |difference, length| Run { difference, length };
        assert_eq!(runs, [run(0, 8), run(2, 8)]);
    }

    proptest! {
        #[test]
        fn every_quiet_place_keeps_its_value(
            values in 2usize..253,
            places in proptest::collection::btree_map(0u16..4096, 0u8..255, 0..300),
        ) {
            let quiet: Vec<(u16, u8)> =
                places.into_iter().map(|(p, v)| (p, v % values as u8)).collect();
            let mut symbols = Vec::new();
            encode(&quiet, 4096, values, &mut symbols);
            let mut filled = Vec::new();
            let mut value = 0;
            for symbol in symbols {
                let Run { difference, length } = unpack(symbol);
                value = (value + difference as usize) % values;
                filled.extend(std::iter::repeat_n(value as u8, length as usize));
            }
            for (place, value) in quiet {
                prop_assert_eq!(filled[place as usize], value);
            }
        }
    }
}
