//! Threads that keep to one processor, so that searches that are timed do not share one.

/// The processors that this process may use.
pub fn processors() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    if let Ok(set) = rustix::thread::sched_getaffinity(None) {
        let all = 0..rustix::thread::CpuSet::MAX_CPU;
        return all.filter(|cpu| set.is_set(*cpu)).collect();
    }
    (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
}

/// Keeps this thread on one processor, where the system can do that.
pub fn pin(processor: usize) {
    #[cfg(target_os = "linux")]
    {
        let mut set = rustix::thread::CpuSet::new();
        set.set(processor);
        // Without it results are noisier, not wrong.
        let _ = rustix::thread::sched_setaffinity(None, &set);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = processor;
}
