//! What a decoder denies itself before it sees the first byte of a picture.

use std::collections::BTreeMap;
use std::io;

use rustix::process::{Resource, Rlimit, Signal, getpid, set_parent_process_death_signal, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};
use serde::{Deserialize, Serialize};

/// Most bytes of an answer's data: what [`crate::pictures::decode`] makes of the largest picture is below 110 MB, and a
/// redaction below one.
pub(super) const MOST_DATA: u64 = 256 << 20;

/// Address space beside that of the program itself: [`crate::pictures::MAX_WORKING_BYTES`], the canvas of the largest picture,
/// its file of 100 MB, and what the allocator keeps.
const ADDRESS_SPACE: u64 = 3 << 30;
/// What the program takes by itself where the kernel does not tell.
const ASSUMED_PROGRAM: u64 = 1 << 30;
/// Standard streams, and the file of a picture.
const DESCRIPTORS: u64 = 8;

/// System calls that are allowed whatever their arguments: with memory, with descriptors that are open, and to end.
const ALLOWED: [libc::c_long; 23] = [
    libc::SYS_read,
    libc::SYS_pread64,
    libc::SYS_write,
    libc::SYS_pwrite64,
    libc::SYS_recvmsg,
    libc::SYS_sendmsg,
    libc::SYS_close,
    libc::SYS_fstat,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigprocmask,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_getrandom,
    libc::SYS_clock_gettime,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_exit_group,
];

/// What a decoder is denied, by its own word at its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Whether the kernel filters its system calls. Without, it is confined by limits alone.
    pub is_filtered: bool,
    /// How many descriptors it has: standard input, output and error.
    pub descriptors: usize,
    /// How many environment variables it has.
    pub variables: usize,
}

/// Confines this process for good. It has one thread.
///
/// # Errors
/// When a limit is refused, which every process may set for itself. A kernel without filters is no error.
pub(super) fn confine() -> io::Result<Confinement> {
    // The one that lists them does not count.
    let descriptors = std::fs::read_dir("/proc/self/fd")?.count().saturating_sub(1);
    let variables = std::env::vars_os().count();
    let address_space = program_size().unwrap_or(ASSUMED_PROGRAM).saturating_add(ADDRESS_SPACE);
    // Also when it is computing, and does not see that nobody is there.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    for (resource, most) in [
        (Resource::Core, 0),
        (Resource::Nproc, 0),
        (Resource::Nofile, DESCRIPTORS),
        // Of the one file that it can write to.
        (Resource::Fsize, MOST_DATA),
        (Resource::As, address_space),
    ] {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(Confinement { is_filtered: filter_system_calls(), descriptors, variables })
}

/// Lets this process compute for so many more seconds, after which the kernel ends it.
pub(super) fn limit_time(seconds: u64) -> io::Result<()> {
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    let most = u64::try_from(used).unwrap_or_default().saturating_add(seconds).saturating_add(1);
    Ok(setrlimit(Resource::Cpu, Rlimit { current: Some(most), maximum: None })?)
}

/// The address space that this process has, in bytes.
fn program_size() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(pages.saturating_mul(u64::try_from(rustix::param::page_size()).ok()?))
}

/// Whether it could be done.
fn filter_system_calls() -> bool {
    let Ok(architecture) = TargetArch::try_from(std::env::consts::ARCH) else { return false };
    filter(architecture).is_ok_and(|program| seccompiler::apply_filter(&program).is_ok())
}

fn filter(architecture: TargetArch) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED.into_iter().map(|call| (call, vec![])).collect();
    // No memory becomes code.
    let no_code = || argument(2, SeccompCmpOp::MaskedEq(libc::PROT_EXEC as u64), 0);
    let own = u64::try_from(getpid().as_raw_nonzero().get()).unwrap_or_default();
    for (call, conditions) in [
        (libc::SYS_mmap, vec![no_code()?]),
        (libc::SYS_mprotect, vec![no_code()?]),
        // What `abort` does.
        (libc::SYS_tgkill, vec![argument(0, SeccompCmpOp::Eq, own)?]),
        // What `limit_time` does.
        (
            libc::SYS_prlimit64,
            vec![
                argument(0, SeccompCmpOp::Eq, 0)?,
                argument(1, SeccompCmpOp::Eq, u64::from(libc::RLIMIT_CPU))?,
            ],
        ),
    ] {
        rules.insert(call, vec![SeccompRule::new(conditions)?]);
    }
    // What the allocator or the standard library may try beside fails, as on a machine that does not offer it.
    let denied = SeccompAction::Errno(libc::EPERM as u32);
    SeccompFilter::new(rules, denied, SeccompAction::Allow, architecture)?.try_into()
}

fn argument(
    number: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(number, SeccompCmpArgLen::Dword, operator, value)
}
