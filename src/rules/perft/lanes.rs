//! Sixteen words side by side, one to a lane of the processor's vectors.
//!
//! What is done to each lane alike is written as a plain loop, which the compiler turns into
//! vector instructions of the processor; only what moves words between lanes is named here.

#[cfg(target_arch = "x86_64")]
use crate::rules::cpu::{Avx2, Avx512};
use crate::rules::cpu::{Portable, Run};

/// The number of lanes: those of the widest vector.
pub(super) const LANES: usize = 16;

/// A word in each lane.
pub(super) type Lanes = [u32; LANES];

/// A kind of processor that can move words between lanes.
pub(super) trait Wide: Run {
    /// The lanes that are not zero, as bits.
    fn occupied(self, lanes: &Lanes) -> u32;

    /// Writes the words of the `chosen` lanes to the low end of `out`; what it leaves in the rest
    /// of `out` means nothing.
    fn pack(self, lanes: &Lanes, chosen: u32, out: &mut Lanes);
}

impl Wide for Portable {
    #[inline(always)]
    fn occupied(self, lanes: &Lanes) -> u32 {
        let bits = lanes.iter().enumerate();
        bits.fold(0, |set, (lane, &word)| set | u32::from(word != 0) << lane)
    }

    #[inline(always)]
    fn pack(self, lanes: &Lanes, chosen: u32, out: &mut Lanes) {
        let mut free = 0;
        for (lane, &word) in lanes.iter().enumerate() {
            // At most as many as the lane's number were chosen before it.
            out[free & (LANES - 1)] = word;
            free += (chosen >> lane & 1) as usize;
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Wide for Avx512 {
    #[inline(always)]
    fn occupied(self, lanes: &Lanes) -> u32 {
        use std::arch::x86_64::_mm512_test_epi32_mask;
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn occupied(lanes: &Lanes) -> u32 {
            let words = bytemuck::cast(*lanes);
            u32::from(_mm512_test_epi32_mask(words, words))
        }
        // SAFETY: an `Avx512` exists only where the feature was found.
        unsafe { occupied(lanes) }
    }

    #[inline(always)]
    fn pack(self, lanes: &Lanes, chosen: u32, out: &mut Lanes) {
        use std::arch::x86_64::_mm512_maskz_compress_epi32;
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn packed(lanes: &Lanes, chosen: u32) -> Lanes {
            let words = bytemuck::cast(*lanes);
            bytemuck::cast(_mm512_maskz_compress_epi32(chosen as u16, words))
        }
        // SAFETY: as above.
        *out = unsafe { packed(lanes, chosen) };
    }
}

#[cfg(target_arch = "x86_64")]
impl Wide for Avx2 {
    #[inline(always)]
    fn occupied(self, lanes: &Lanes) -> u32 {
        use std::arch::x86_64::*;
        #[target_feature(enable = "avx2")]
        #[inline]
        fn occupied(lanes: &Lanes) -> u32 {
            let zeros = bytemuck::cast::<_, [__m256i; 2]>(*lanes).map(|words| {
                let zero = _mm256_cmpeq_epi32(words, _mm256_setzero_si256());
                _mm256_movemask_ps(_mm256_castsi256_ps(zero)) as u32
            });
            !(zeros[0] | zeros[1] << 8) & 0xffff
        }
        // SAFETY: an `Avx2` exists only where the feature was found.
        unsafe { occupied(lanes) }
    }

    #[inline(always)]
    fn pack(self, lanes: &Lanes, chosen: u32, out: &mut Lanes) {
        use std::arch::x86_64::*;
        #[target_feature(enable = "avx2")]
        #[inline]
        fn packed(words: __m256i, chosen: usize) -> [u32; 8] {
            let order = _mm_cvtsi64_si128(i64::from_le_bytes(ORDERS[chosen]));
            bytemuck::cast(_mm256_permutevar8x32_epi32(
                words,
                _mm256_cvtepu8_epi32(order),
            ))
        }
        let [low, high] = bytemuck::cast(*lanes);
        let (chosen_low, chosen_high) = (chosen as u8, (chosen >> 8) as u8);
        let free = chosen_low.count_ones() as usize;
        // SAFETY: as above.
        unsafe {
            out[..8].copy_from_slice(&packed(low, chosen_low.into()));
            out[free..free + 8].copy_from_slice(&packed(high, chosen_high.into()));
        }
    }
}

/// For each set of eight lanes, their numbers in order.
#[cfg(target_arch = "x86_64")]
static ORDERS: [[u8; 8]; 256] = {
    let mut orders = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut free) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 != 0 {
                orders[set][free] = lane;
                free += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    orders
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(cpu: impl Wide, lanes: Lanes, chosen: u32) {
        for (lane, word) in lanes.into_iter().enumerate() {
            assert_eq!(cpu.occupied(&lanes) >> lane & 1 != 0, word != 0);
        }
        let mut out = [0; LANES];
        cpu.pack(&lanes, chosen, &mut out);
        let is_chosen = |&lane: &usize| chosen >> lane & 1 != 0;
        let expected: Vec<u32> = (0..LANES).filter(is_chosen).map(|n| lanes[n]).collect();
        assert_eq!(out[..expected.len()], expected);
        assert_eq!(cpu.occupied(&lanes) >> LANES, 0);
    }

    proptest! {
        #[test]
        fn chosen_words_move_together(
            lanes in prop::array::uniform(prop_oneof![Just(0), any::<u32>()]),
            chosen in 0u32..1 << LANES,
        ) {
            check(Portable, lanes, chosen);
            #[cfg(target_arch = "x86_64")]
            {
                Avx2::detect().into_iter().for_each(|cpu| check(cpu, lanes, chosen));
                Avx512::detect().into_iter().for_each(|cpu| check(cpu, lanes, chosen));
            }
        }
    }
}
