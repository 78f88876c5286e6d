//! Gathering of bits, with the processor's instruction where it has one.

/// The bits of `bits` at the places of `mask`, moved together at the low end.
#[inline(always)]
pub fn compress(bits: u32, mask: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if crate::rules::cpu::has_fast_bits() {
        #[target_feature(enable = "bmi2")]
        fn fast(bits: u32, mask: u32) -> u32 {
            core::arch::x86_64::_pext_u32(bits, mask)
        }
        // SAFETY: the feature `fast` is compiled for was just found.
        return unsafe { fast(bits, mask) };
    }
    portable(bits, mask)
}

/// One look at the bits below each bit that is set.
#[inline]
fn portable(bits: u32, mask: u32) -> u32 {
    let (mut left, mut out) = (bits & mask, 0);
    while left != 0 {
        let lowest = left & left.wrapping_neg();
        out |= 1 << (mask & (lowest - 1)).count_ones();
        left ^= lowest;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_ways_agree(bits: u32, mask: u32) {
            prop_assert_eq!(compress(bits, mask), portable(bits, mask));
            prop_assert_eq!(portable(mask, mask).count_ones(), mask.count_ones());
        }
    }
}
