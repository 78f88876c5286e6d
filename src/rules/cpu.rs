//! One place for what a processor may or may not have.
//!
//! Hot code is generic over [`Cpu`] and picks its processor once, at its entry, with
//! [`with_cpu!`]; each function that is not inlined into its caller wraps its body in
//! [`Run::run`], so that the whole recursion below the entry is compiled for the processor. Code
//! that works on many boards at once has its own kinds, with vectors, picked by [`with_vectors!`].

use super::lines::{halfway, landings};
use super::point::{Point, PointSet};

/// Has the processor fetch a value that will be looked at, without waiting for it.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of every x86-64, and a prefetch reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// A kind of processor that code is compiled for.
pub(crate) trait Run: Copy + Send + Sync {
    /// Runs `work` compiled for this processor. The closure must be marked `#[inline(always)]`
    /// to become part of the function that has the processor's instructions.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;
}

/// A kind of processor as one board at a time needs it.
pub(crate) trait Cpu: Run {
    /// The points halfway on the jumps from `at` to the points of `to`.
    fn halfway_to(self, at: Point, to: PointSet) -> PointSet;

    /// The bits of `bits` at the places of `mask`, moved together at the low end.
    fn compress(self, bits: u32, mask: u32) -> u32;
}

/// Any processor.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Run for Portable {
    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

impl Cpu for Portable {
    #[inline(always)]
    fn halfway_to(self, at: Point, to: PointSet) -> PointSet {
        (landings(at) & to).fold(PointSet::EMPTY, |set, end| set | halfway(at, end).bit())
    }

    #[inline(always)]
    fn compress(self, bits: u32, mask: u32) -> u32 {
        let (mut left, mut out) = (bits & mask, 0);
        while left != 0 {
            let lowest = left & left.wrapping_neg();
            out |= 1 << (mask & (lowest - 1)).count_ones();
            left ^= lowest;
        }
        out
    }
}

/// Defines a kind of x86-64 processor by its features.
#[cfg(target_arch = "x86_64")]
macro_rules! x86_64_kind {
    ($(#[$doc:meta])* $name:ident: $($feature:tt)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name(());

        impl $name {
            /// The proof that this processor is one, if it is.
            #[inline]
            pub(crate) fn detect() -> Option<$name> {
                let found = $(is_x86_feature_detected!($feature))&&+;
                found.then_some($name(()))
            }
        }

        impl Run for $name {
            #[inline(always)]
            fn run<R>(self, work: impl FnOnce() -> R) -> R {
                $(#[target_feature(enable = $feature)])+
                fn compiled<R>(work: impl FnOnce() -> R) -> R {
                    work()
                }
                // SAFETY: a value exists only where the features were found.
                unsafe { compiled(work) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
x86_64_kind! {
    /// With population count, bit manipulation, and the larger of two words in a vector.
    FastBits: "popcnt" "bmi1" "bmi2" "lzcnt" "sse4.1"
}

#[cfg(target_arch = "x86_64")]
x86_64_kind! {
    /// With vectors of eight words.
    Avx2: "avx2" "popcnt" "bmi1" "bmi2" "lzcnt"
}

#[cfg(target_arch = "x86_64")]
x86_64_kind! {
    /// With vectors of sixteen words and population count in their lanes.
    Avx512: "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vpopcntdq" "popcnt" "bmi1" "bmi2" "lzcnt"
}

#[cfg(target_arch = "x86_64")]
impl Cpu for FastBits {
    #[inline(always)]
    fn halfway_to(self, at: Point, to: PointSet) -> PointSet {
        use std::arch::x86_64::{_pdep_u32, _pext_u32};
        let (ends, middles) = (landings(at).bits(), super::lines::jumped(at).bits());
        // Landing points and jumped points of a point lie in the same order.
        // SAFETY: a `FastBits` exists only where the features were found.
        PointSet::from_bits(unsafe { _pdep_u32(_pext_u32(to.bits(), ends), middles) })
    }

    #[inline(always)]
    fn compress(self, bits: u32, mask: u32) -> u32 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pext_u32(bits, mask) }
    }
}

/// Evaluates an expression with `$cpu` standing for the best processor kind there is.
macro_rules! with_cpu {
    (|$cpu:ident| $body:expr) => {{
        #[cfg(target_arch = "x86_64")]
        let fast = $crate::rules::cpu::FastBits::detect();
        #[cfg(not(target_arch = "x86_64"))]
        let fast = None::<$crate::rules::cpu::Portable>;
        match fast {
            Some($cpu) => $body,
            None => {
                let $cpu = $crate::rules::cpu::Portable;
                $body
            }
        }
    }};
}
pub(crate) use with_cpu;

/// Evaluates an expression with `$cpu` standing for the kind with the widest vectors there are.
macro_rules! with_vectors {
    (|$cpu:ident| $body:expr) => {{
        #[cfg(target_arch = "x86_64")]
        let wide = (
            $crate::rules::cpu::Avx512::detect(),
            $crate::rules::cpu::Avx2::detect(),
        );
        #[cfg(not(target_arch = "x86_64"))]
        let wide = (
            None::<$crate::rules::cpu::Portable>,
            None::<$crate::rules::cpu::Portable>,
        );
        match wide {
            (Some($cpu), _) => $body,
            (None, Some($cpu)) => $body,
            (None, None) => {
                let $cpu = $crate::rules::cpu::Portable;
                $body
            }
        }
    }};
}
pub(crate) use with_vectors;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_portable_way_gives_the_same_points(at in 0u8..25, to in 0u32..1 << 25) {
            let (at, to) = (Point::new(at).unwrap(), PointSet::from_bits(to));
            let portable = Portable.halfway_to(at, to);
            prop_assert_eq!(with_cpu!(|cpu| cpu.halfway_to(at, to)), portable);
        }

        #[test]
        fn the_portable_way_moves_the_same_bits(bits: u32, mask: u32) {
            let portable = Portable.compress(bits, mask);
            prop_assert_eq!(with_cpu!(|cpu| cpu.compress(bits, mask)), portable);
            prop_assert_eq!(Portable.compress(mask, mask).count_ones(), mask.count_ones());
        }
    }
}
