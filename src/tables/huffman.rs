//! Canonical Huffman codes for the runs of a slice (D. A. Huffman, 1952).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::runs::{Run, unpack};

/// The longest code in bits.
pub const MAX_BITS: u32 = 15;
/// Codes of up to this many bits are decoded by one look: the table is to stay in the cache while
/// many slices are asked in turn.
const QUICK_BITS: u32 = 9;

/// The length in bits of each symbol's code; 0 for symbols that do not occur. A single symbol
/// gets one bit.
pub fn code_lengths(counts: &[u64]) -> Vec<u8> {
    let mut counts = counts.to_vec();
    loop {
        let lengths = unlimited_lengths(&counts);
        if lengths.iter().all(|&length| u32::from(length) <= MAX_BITS) {
            return lengths;
        }
        // Flatter counts make shorter codes; the loss is small, for only rare symbols suffer.
        for count in counts.iter_mut().filter(|count| **count > 0) {
            *count = *count / 2 + 1;
        }
    }
}

fn unlimited_lengths(counts: &[u64]) -> Vec<u8> {
    // Nodes of the tree: leaves first, each with its parent once it has one.
    let leaves: Vec<usize> = (0..counts.len()).filter(|&i| counts[i] > 0).collect();
    let mut parents = vec![0usize; leaves.len()];
    let mut heap: BinaryHeap<Reverse<(u64, usize)>> = leaves
        .iter()
        .enumerate()
        .map(|(node, &symbol)| Reverse((counts[symbol], node)))
        .collect();
    while heap.len() > 1 {
        let (Some(Reverse(a)), Some(Reverse(b))) = (heap.pop(), heap.pop()) else {
            break;
        };
        let node = parents.len();
        parents.push(0);
        (parents[a.1], parents[b.1]) = (node, node);
        heap.push(Reverse((a.0 + b.0, node)));
    }
    let mut depths = vec![0u8; parents.len()];
    for node in (0..parents.len().saturating_sub(1)).rev() {
        depths[node] = depths[parents[node]].saturating_add(1);
    }
    let mut lengths = vec![0; counts.len()];
    for (node, &symbol) in leaves.iter().enumerate() {
        lengths[symbol] = depths[node].max(1);
    }
    lengths
}

/// Codes in canonical order: by length, then by symbol.
pub struct Encoder {
    codes: Vec<(u16, u8)>,
}

impl Encoder {
    /// For these code lengths.
    pub fn new(lengths: &[u8]) -> Encoder {
        let mut codes = vec![(0, 0); lengths.len()];
        let mut code = 0u32;
        for bits in 1..=MAX_BITS {
            for (symbol, _) in lengths
                .iter()
                .enumerate()
                .filter(|l| u32::from(*l.1) == bits)
            {
                codes[symbol] = (code as u16, bits as u8);
                code += 1;
            }
            code <<= 1;
        }
        Encoder { codes }
    }

    /// Appends the codes of `symbols` to `out`, highest bit first, filled up to a byte.
    pub fn write(&self, symbols: &[u16], out: &mut Vec<u8>) {
        let (mut buffer, mut used) = (0u64, 0u32);
        for &symbol in symbols {
            let (code, bits) = self.codes[symbol as usize];
            buffer = buffer << bits | u64::from(code);
            used += u32::from(bits);
            while used >= 8 {
                used -= 8;
                out.push((buffer >> used) as u8);
            }
        }
        if used > 0 {
            out.push((buffer << (8 - used)) as u8);
        }
    }
}

/// A run and the bits of its code.
#[derive(Clone, Copy, Default)]
struct Coded {
    run: Run,
    bits: u8,
}

/// Finds the runs in bits.
pub struct Decoder {
    /// By the next [`QUICK_BITS`] bits; of no bits for a longer code.
    quick: Box<[Coded; 1 << QUICK_BITS]>,
    /// Symbols in canonical order.
    symbols: Vec<u16>,
    /// For each length: the first code of a greater length, aligned to 16 bits.
    limits: [u32; MAX_BITS as usize + 1],
    /// For each length: the number of symbols before the first of this length less its code.
    befores: [i32; MAX_BITS as usize + 1],
}

impl Decoder {
    /// For these code lengths; `None` if no code can have them.
    pub fn new(lengths: &[u8]) -> Option<Decoder> {
        let mut decoder = Decoder {
            quick: Box::new([Coded::default(); 1 << QUICK_BITS]),
            symbols: Vec::new(),
            limits: [0; MAX_BITS as usize + 1],
            befores: [0; MAX_BITS as usize + 1],
        };
        let mut code = 0u32;
        for bits in 1..=MAX_BITS {
            decoder.befores[bits as usize] = decoder.symbols.len() as i32 - code as i32;
            for (symbol, _) in lengths
                .iter()
                .enumerate()
                .filter(|l| u32::from(*l.1) == bits)
            {
                if code >> bits != 0 {
                    return None;
                }
                if bits <= QUICK_BITS {
                    let first = (code << (QUICK_BITS - bits)) as usize;
                    let same = 1 << (QUICK_BITS - bits);
                    let (run, bits) = (unpack(symbol as u16), bits as u8);
                    decoder.quick[first..first + same].fill(Coded { run, bits });
                }
                decoder.symbols.push(symbol as u16);
                code += 1;
            }
            decoder.limits[bits as usize] = code << (16 - bits);
            code <<= 1;
        }
        Some(decoder)
    }

    /// The run at the top of `window` and the bits of its code; `None` if there is none.
    #[inline(always)]
    pub fn next(&self, window: u64) -> Option<(Run, u32)> {
        let coded = self.quick[(window >> (64 - QUICK_BITS)) as usize];
        if coded.bits != 0 {
            return Some((coded.run, u32::from(coded.bits)));
        }
        self.next_long(window)
    }

    #[inline(always)]
    fn next_long(&self, window: u64) -> Option<(Run, u32)> {
        let top = (window >> 48) as u32;
        // All limits are compared, for a branch at each would often be foretold wrongly.
        let passed = |&limit: &u32| u32::from(limit <= top);
        let bits: u32 = self.limits.iter().map(passed).sum();
        let code = (top >> 16u32.checked_sub(bits)?) as i32;
        let place = code + *self.befores.get(bits as usize)?;
        let symbol = self.symbols.get(usize::try_from(place).ok()?)?;
        Some((unpack(*symbol), bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lengths_of_a_worked_example() {
        // Frequencies 45 13 12 16 9 5 (Cormen et al., Introduction to Algorithms, 16.3).
        assert_eq!(code_lengths(&[45, 13, 12, 16, 9, 5]), [1, 3, 3, 3, 4, 4]);
        assert_eq!(code_lengths(&[0, 7, 0]), [0, 1, 0]);
        assert!(code_lengths(&[]).is_empty());
    }

    #[test]
    fn impossible_lengths_are_refused() {
        assert!(Decoder::new(&[1, 1, 1]).is_none());
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            counts in proptest::collection::vec(0u64..1 << 40, 1..400),
            picks in proptest::collection::vec(any::<prop::sample::Index>(), 0..200),
        ) {
            let lengths = code_lengths(&counts);
            let used: Vec<u16> = (0..counts.len() as u16)
                .filter(|&symbol| counts[symbol as usize] > 0)
                .collect();
            prop_assume!(!used.is_empty());
            // Kraft: the code is complete, but for a single symbol.
            let kraft: u64 = lengths.iter().filter(|l| **l > 0).map(|l| 1 << (15 - l)).sum();
            prop_assert!(kraft == 1 << 15 || used.len() == 1);
            let symbols: Vec<u16> = picks.iter().map(|pick| *pick.get(&used)).collect();
            let mut bytes = Vec::new();
            Encoder::new(&lengths).write(&symbols, &mut bytes);
            bytes.extend([0; 8]);
            let decoder = Decoder::new(&lengths).unwrap();
            let mut at = 0usize;
            for symbol in symbols {
                let word = bytes[at / 8..][..8].try_into().map(u64::from_be_bytes).unwrap();
                let (found, bits) = decoder.next(word << (at % 8)).unwrap();
                prop_assert_eq!(found, unpack(symbol));
                at += bits as usize;
            }
        }
    }
}
