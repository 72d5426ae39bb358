//! Threads that work side by side until all are done. The first that fails stops the others.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The stack of a thread: the interpreter recurses.
const STACK_BYTES: usize = 16 << 20;

/// Says that all are to stop: by one of them, or from outside.
pub(super) struct Halt<'o> {
    own: AtomicBool,
    outside: Option<&'o AtomicBool>,
}

impl<'o> Halt<'o> {
    pub(super) fn new(outside: Option<&'o AtomicBool>) -> Self {
        Halt { own: AtomicBool::new(false), outside }
    }

    pub(super) fn call(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_called(&self) -> bool {
        let outside = self.outside.is_some_and(|stop| stop.load(Ordering::Relaxed));
        outside || self.own.load(Ordering::Relaxed)
    }
}

/// Stops the others if its thread panics.
struct Alarm<'h>(&'h Halt<'h>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.call();
        }
    }
}

/// Does all parts of the work at once, a thread for each; the first is for the thread that asks. Gives the error
/// of the first part that has one; a panic goes on when all have stopped.
pub(super) fn work_together<W: Send, X: Send>(
    parts: Vec<W>,
    halt: &Halt<'_>,
    work: impl Fn(W) -> Result<(), X> + Sync,
) -> Result<(), X> {
    let guarded = |part: W| {
        let _alarm = Alarm(halt);
        let done = work(part);
        if done.is_err() {
            halt.call();
        }
        done
    };
    let guarded = &guarded;
    thread::scope(|scope| {
        let mut parts = parts.into_iter();
        let first = parts.next();
        let mut handles = Vec::new();
        // A thread that the system does not give leaves its part in the slot, for the thread that asks.
        let slots: Vec<_> = parts.map(|part| std::sync::Arc::new(Slot::new(Some(part)))).collect();
        for slot in &slots {
            let theirs = slot.clone();
            let begin = move || theirs.take().map_or(Ok(()), guarded);
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            handles.extend(builder.spawn_scoped(scope, begin));
        }
        let mut outcome = first.map_or(Ok(()), guarded);
        if handles.len() < slots.len() {
            for part in slots.iter().filter_map(|slot| slot.take()) {
                outcome = outcome.and(guarded(part));
            }
        }
        for handle in handles {
            match handle.join() {
                Ok(done) => outcome = outcome.and(done),
                Err(panic) => resume_unwind(panic),
            }
        }
        outcome
    })
}

/// A part of the work that is taken once.
struct Slot<W>(std::sync::Mutex<Option<W>>);

impl<W> Slot<W> {
    fn new(part: Option<W>) -> Self {
        Slot(std::sync::Mutex::new(part))
    }

    fn take(&self) -> Option<W> {
        self.0.lock().ok()?.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn until_halted(halt: &Halt<'_>) {
        while !halt.is_called() {
            thread::yield_now();
        }
    }

    #[test]
    fn the_first_error_stops_the_others() {
        for fails in 0..3 {
            let halt = Halt::new(None);
            let outcome = work_together(vec![0, 1, 2], &halt, |part| {
                if part == fails {
                    return Err(part);
                }
                until_halted(&halt);
                Ok(())
            });
            assert_eq!(outcome, Err(fails));
        }
    }

    #[test]
    fn a_panic_goes_on_when_all_have_stopped() {
        for fails in 0..3 {
            let halt = Halt::new(None);
            let stopped = AtomicBool::new(false);
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                work_together(vec![0, 1, 2], &halt, |part| {
                    assert_ne!(part, fails, "on purpose");
                    until_halted(&halt);
                    stopped.store(true, Ordering::Relaxed);
                    Ok::<(), ()>(())
                })
            }));
            assert!(outcome.is_err() && stopped.load(Ordering::Relaxed));
        }
    }

    #[test]
    fn all_parts_are_done_and_stops_from_outside_are_heard() {
        let sum = std::sync::atomic::AtomicU32::new(0);
        let stop = AtomicBool::new(false);
        let halt = Halt::new(Some(&stop));
        let done = work_together((1..=20).collect(), &halt, |part: u32| {
            sum.fetch_add(part, Ordering::Relaxed);
            if part == 20 {
                stop.store(true, Ordering::Relaxed);
            }
            until_halted(&halt);
            Ok::<(), ()>(())
        });
        assert_eq!((done, sum.into_inner()), (Ok(()), 210));
    }
}
