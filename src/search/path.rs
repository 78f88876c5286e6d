//! The boards on the way to the present node, for repetitions.

/// Bits of the numbers by which boards are counted.
const COUNT_BITS: u32 = 12;

/// Codes of boards since the last capture before the root, then of the line searched.
pub(super) struct Path {
    codes: Vec<u64>,
    /// How many boards of the line have this number: mostly none, and then no board of the line
    /// need be looked at.
    counts: Box<[u16; 1 << COUNT_BITS]>,
}

#[inline(always)]
fn number(code: u64) -> usize {
    // The high bits of a product by an odd number depend on all bits of the code.
    (code.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - COUNT_BITS)) as usize
}

impl Path {
    pub(super) fn new(codes: impl Iterator<Item = u64>) -> Path {
        let mut path = Path {
            codes: Vec::new(),
            counts: Box::new([0; 1 << COUNT_BITS]),
        };
        codes.for_each(|code| path.push(code));
        path
    }

    #[inline(always)]
    pub(super) fn push(&mut self, code: u64) {
        self.codes.push(code);
        self.counts[number(code)] += 1;
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) {
        if let Some(code) = self.codes.pop() {
            self.counts[number(code)] -= 1;
        }
    }

    pub(super) fn truncate(&mut self, len: usize) {
        while self.codes.len() > len {
            self.pop();
        }
    }

    /// How many plies back the same board stood with the same side to move, nearest first, at most
    /// `quiet` plies.
    #[inline(always)]
    pub(super) fn equal_boards(&self, code: u64, quiet: u32) -> impl Iterator<Item = usize> {
        let now = self.codes.len();
        let reach = match self.counts[number(code)] {
            0 => 0,
            _ => (quiet as usize).min(now),
        };
        // No board comes again in fewer than four plies.
        (4..=reach)
            .step_by(2)
            .filter(move |back| self.codes[now - back] == code)
    }
}
