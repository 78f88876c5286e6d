//! One place for what a processor may or may not have.

/// Defines a function twice over one inlined body: once for x86-64 processors with population
/// count and bit manipulation, once for any processor, and picks at run time.
macro_rules! dispatch {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty = $body:ident;) => {
        $(#[$meta])*
        $vis fn $name($($arg: $ty),*) -> $ret {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt")]
                fn fast($($arg: $ty),*) -> $ret {
                    $body($($arg),*)
                }
                if $crate::rules::cpu::has_fast_bits() {
                    // SAFETY: the features `fast` is compiled for were just found.
                    return unsafe { fast($($arg),*) };
                }
            }
            $body($($arg),*)
        }
    };
}
pub(crate) use dispatch;

/// Whether this processor has the instructions that `dispatch!` compiles for.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn has_fast_bits() -> bool {
    is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}
