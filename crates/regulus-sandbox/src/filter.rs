//! The system calls that are left to a confined process.
//!
//! Three filters are installed; of what they say about a call the system does the strictest. What is in none of the
//! lists ends the process at once, by the signal `SIGSYS`.

use std::collections::BTreeMap;
use std::io;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter_all_threads,
};

/// What may be called with any arguments.
const ALLOWED: &[c_long] = &[
    // Memory: the allocator, stacks of threads, machine code (`mmap` is below).
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    // Lets all processors see new machine code; needed on AArch64.
    libc::SYS_membarrier,
    // Threads and waiting (`clone` is below).
    libc::SYS_clock_nanosleep,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_getcpu,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_nanosleep,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    // Handling of stack overflows, and of the signals of the process itself.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    // Clocks, where reading them needs a system call at all.
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_gettimeofday,
    // Seeds of hash tables.
    libc::SYS_getrandom,
    // Descriptors can only become fewer.
    libc::SYS_close,
];

/// What fails with `EPERM`: questions about files and limits that the C library asks to adapt itself, and goes without
/// an answer, say how many processors there are.
const REFUSED: &[c_long] = &[
    libc::SYS_faccessat,
    libc::SYS_fcntl,
    libc::SYS_fstat,
    libc::SYS_getcwd,
    libc::SYS_ioctl,
    libc::SYS_lseek,
    libc::SYS_newfstatat,
    libc::SYS_openat,
    libc::SYS_prlimit64,
    libc::SYS_readlinkat,
    libc::SYS_statx,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
];

/// A call that is allowed if its arguments are so.
type Conditional = (c_long, Vec<SeccompRule>);

/// An argument, from 0, has this value in the bits of a mask.
fn rule(argument: u8, mask: u64, value: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    // Descriptors, flags and numbers of processes are numbers of 32 bits.
    let operator = SeccompCmpOp::MaskedEq(mask);
    let condition =
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value & mask)?;
    SeccompRule::new(vec![condition])
}

/// What may be called with some arguments. What the process has inherited besides its pipes it cannot use.
fn conditional() -> Result<Vec<Conditional>, seccompiler::BackendError> {
    const ALL: u64 = u32::MAX as u64;
    let (input, output, messages) = (0, 1, 2);
    let thread = (libc::CLONE_THREAD | libc::CLONE_VM) as u64;
    let anonymous = libc::MAP_ANONYMOUS as u64;
    Ok(vec![
        (libc::SYS_read, vec![rule(0, ALL, input)?]),
        (libc::SYS_write, vec![rule(0, ALL, output)?, rule(0, ALL, messages)?]),
        (libc::SYS_writev, vec![rule(0, ALL, output)?, rule(0, ALL, messages)?]),
        // Memory without a file behind it.
        (libc::SYS_mmap, vec![rule(3, anonymous, anonymous)?]),
        // Threads, but no processes.
        (libc::SYS_clone, vec![rule(0, thread, thread)?]),
        // Names of threads and of memory.
        (
            libc::SYS_prctl,
            vec![rule(0, ALL, libc::PR_SET_NAME as u64)?, rule(0, ALL, libc::PR_SET_VMA as u64)?],
        ),
        // A process may end itself, as it does when it has no memory left.
        (libc::SYS_tgkill, vec![rule(0, ALL, u64::from(std::process::id()))?]),
    ])
}

/// A filter that does one thing with some calls and another with all others.
fn program(
    calls: BTreeMap<i64, Vec<SeccompRule>>,
    then: SeccompAction,
    otherwise: SeccompAction,
) -> Result<BpfProgram, seccompiler::BackendError> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(calls, otherwise, then, architecture)?.try_into()
}

fn always(calls: &[c_long]) -> BTreeMap<i64, Vec<SeccompRule>> {
    calls.iter().map(|call| (*call, Vec::new())).collect()
}

fn programs() -> Result<[BpfProgram; 3], seccompiler::BackendError> {
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    let unknown = SeccompAction::Errno(libc::ENOSYS as u32);
    let mut known = always(ALLOWED);
    known.extend(always(REFUSED));
    known.extend(conditional()?);
    // What `clone3` is to make is in memory, where a filter cannot look. The C library does with `clone` then.
    known.extend(always(&[libc::SYS_clone3]));
    Ok([
        program(always(REFUSED), refused, SeccompAction::Allow)?,
        program(always(&[libc::SYS_clone3]), unknown, SeccompAction::Allow)?,
        // The last one: it does not allow to install another.
        program(known, SeccompAction::Allow, SeccompAction::KillProcess)?,
    ])
}

/// Installs the filters for all threads of this process, which gets no new privileges from now on.
pub(crate) fn install() -> io::Result<()> {
    for program in programs().map_err(io::Error::other)? {
        apply_filter_all_threads(&program).map_err(io::Error::other)?;
    }
    Ok(())
}
