//! How much memory there is. A table larger than that can often be reserved, but not filled.

/// MiB that can be had, where the system tells.
#[cfg(target_os = "linux")]
pub fn available_mib() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().next()?.parse().ok()?;
    // A container may have less than the machine.
    let limit = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let limit: Option<usize> = limit.and_then(|text| text.trim().parse().ok());
    Some((kib / 1024).min(limit.map_or(usize::MAX, |bytes| bytes >> 20)))
}

/// MiB that can be had, where the system tells.
#[cfg(not(target_os = "linux"))]
pub fn available_mib() -> Option<usize> {
    None
}
