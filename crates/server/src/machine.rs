//! What the machine has.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What is assumed of a machine that does not say how much memory it has.
const ASSUMED: u64 = 4 << 30;

/// The memory of this machine, or of the control group that the process runs in, in bytes.
pub(crate) fn memory() -> u64 {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| from_meminfo(&text));
    // Version 2 of control groups; `max` means no limit.
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse().ok());
    machine.unwrap_or(ASSUMED).min(group.unwrap_or(u64::MAX))
}

fn from_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Allows this process as many open files as the system lets it have, which starts many with 1,024, and tells how many those
/// are; none when they are not limited.
pub(crate) fn raise_open_files() -> Option<u64> {
    let allowed = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: allowed.maximum, maximum: allowed.maximum };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => allowed.maximum,
        Err(_) => allowed.current,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_table_is_read() {
        let text = "MemTotal:       24689540 kB\nMemFree:         1234 kB\n";
        assert_eq!(from_meminfo(text), Some(24_689_540 * 1024));
        assert_eq!(from_meminfo("MemFree: 1 kB"), None);
    }
}
