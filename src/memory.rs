//! Large stretches of memory that are looked up all over.

/// Asks for large pages, where the system has them: looking up one place after another far apart
/// then costs less.
pub(crate) fn on_large_pages<T>(values: Box<[T]>) -> Box<[T]> {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 2 << 20;
        let start = (values.as_ptr() as usize).next_multiple_of(PAGE);
        let end = (values.as_ptr() as usize + size_of_val(&*values)) / PAGE * PAGE;
        if start < end {
            let advice = rustix::mm::Advice::LinuxHugepage;
            // SAFETY: the range lies within `values`, and the advice changes no contents.
            let _ = unsafe { rustix::mm::madvise(start as *mut _, end - start, advice) };
        }
    }
    values
}
