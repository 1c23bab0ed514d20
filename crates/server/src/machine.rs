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

/// Blocks from this size on go back to the system when they are freed. A photo of 24 megapixels, decoded at half its size, and
/// all that is made of it are smaller: they are reused by the next photo, which is faster than having the system clear new ones.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE_BLOCK: libc::c_int = 64 << 20;

/// What an arena may have free at its end.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const FREE_END: libc::c_int = 64 << 20;

/// Has the inference engine, which reads the environment, report nothing to its maker; to be called before the first thread is
/// started.
pub(crate) fn forbid_telemetry() {
    let (name, value) = vision::NO_TELEMETRY;
    #[allow(unsafe_code, reason = "the engine has no other way of being told in time")]
    // SAFETY: no other thread runs that could read the environment at this moment.
    unsafe {
        std::env::set_var(name, value);
    }
}

/// Bounds what the allocator keeps of what was freed; to be called before the first thread is started. By itself the C
/// library's has eight arenas a processor, and lets the size from which blocks go back grow with the blocks that are freed,
/// up to 32 MiB.
pub(crate) fn bound_allocator() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let arenas = libc::c_int::try_from(processors.max(2)).unwrap_or(libc::c_int::MAX);
        let settings = [
            (libc::M_ARENA_MAX, arenas),
            (libc::M_MMAP_THRESHOLD, LARGE_BLOCK),
            (libc::M_TRIM_THRESHOLD, FREE_END),
        ];
        for (name, value) in settings {
            #[allow(
                unsafe_code,
                reason = "rustix does not bind the C library's allocator, and libc binds it as it is"
            )]
            // SAFETY: it sets a number under the allocator's lock; what is refused stays as it was.
            unsafe {
                libc::mallopt(name, value);
            }
        }
    }
}

/// Has the allocator give back to the system what was freed between blocks that are in use: it keeps that by itself, for
/// each of its arenas.
pub(crate) fn trim_memory() {
    // Other allocators do so by themselves.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(
        unsafe_code,
        reason = "rustix does not bind the C library's allocator, and libc binds it as it is"
    )]
    // SAFETY: it takes the allocator's locks, and changes nothing of what is in use.
    unsafe {
        libc::malloc_trim(0);
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
