//! Jobs on several threads, one search per thread.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

use crate::contest::Contest;
use crate::pinning::{pin, processors};
use crate::stop::Stop;

/// How jobs are spread over threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads {
    /// How many.
    pub count: usize,
    /// Keep each thread on a processor of its own, if there is exactly one for each. With fewer threads
    /// than processors it is left to the system where they run: others run there, too, perhaps another
    /// match that would choose the same processors.
    pub pinned: bool,
}

impl Threads {
    /// One thread for every processor that may be used.
    pub fn all() -> Self {
        Threads {
            count: std::thread::available_parallelism().map_or(1, usize::from),
            pinned: false,
        }
    }

    /// Threads that contests are played on: `asked`, or one for every processor, or one alone where a contest wants
    /// quiet. Those of games by the clock are pinned, unless searches have several: these would all be kept on
    /// one processor.
    pub fn of<'c>(
        contests: impl Iterator<Item = &'c dyn Contest> + Clone,
        asked: Option<usize>,
    ) -> Self {
        let wants_quiet = contests.clone().any(|contest| contest.wants_quiet());
        let usual = if wants_quiet { 1 } else { Threads::all().count };
        let pinned = contests.clone().any(|contest| contest.is_timed())
            && contests.clone().all(|contest| contest.search_threads() == 1);
        Threads { count: asked.unwrap_or(usual).max(1), pinned }
    }

    /// True if each thread is kept on a processor of its own.
    pub fn pins(self) -> bool {
        self.pinned && self.count == processors().len()
    }
}

/// In which order results are handed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As they come.
    Finished,
    /// In the order of the jobs: the same for any number of threads.
    Jobs,
}

/// Does jobs on threads and hands over their results, on the thread of the caller, until all are done,
/// `stop` is set, or `done` breaks off. A job that gives nothing was stopped. Results that were finished
/// when `stop` was set are all handed over; with [`Order::Jobs`] there may be gaps between them. After
/// `done` has broken off nothing more is handed over.
pub fn run<J: Send, R: Send>(
    jobs: impl Iterator<Item = J> + Send,
    threads: Threads,
    order: Order,
    stop: &AtomicBool,
    work: impl Fn(J, Stop<'_>) -> Option<R> + Sync,
    mut done: impl FnMut(R) -> ControlFlow<()>,
) {
    let broken_off = AtomicBool::new(false);
    let jobs = Mutex::new(jobs.enumerate());
    let cpus = processors();
    let pinned = threads.pins();
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for i in 0..threads.count.max(1) {
            let (sender, jobs, work, broken_off, cpus) =
                (sender.clone(), &jobs, &work, &broken_off, &cpus);
            scope.spawn(move || {
                if pinned {
                    pin(cpus[i]);
                }
                let stop = Stop::when_either(stop, broken_off);
                while !stop.is_set() {
                    let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((number, job)) = next else { break };
                    let result = work(job, stop);
                    if sender.send((number, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting: BTreeMap<usize, Option<R>> = BTreeMap::new();
        let mut next = 0;
        let mut hand_over = |result: Option<R>| {
            let broken = result.is_some_and(|r| done(r).is_break());
            if broken {
                broken_off.store(true, Ordering::Relaxed);
            }
            broken
        };
        for (number, result) in &receiver {
            if order == Order::Finished {
                if hand_over(result) {
                    return;
                }
                continue;
            }
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&next) {
                next += 1;
                if hand_over(result) {
                    return;
                }
            }
        }
        for (_, result) in waiting {
            if hand_over(result) {
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(threads: usize, order: Order, last: u64) -> Vec<u64> {
        let stop = AtomicBool::new(false);
        let mut found = Vec::new();
        let threads = Threads { count: threads, pinned: true };
        run(
            0..50u64,
            threads,
            order,
            &stop,
            |job, _| Some(job * job),
            |result| {
                found.push(result);
                if result == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        found
    }

    #[test]
    fn results_come_in_the_order_of_jobs() {
        let expected: Vec<u64> = (0..50).map(|i| i * i).collect();
        for threads in [1, 2, 7] {
            assert_eq!(numbers(threads, Order::Jobs, u64::MAX), expected);
            let mut any = numbers(threads, Order::Finished, u64::MAX);
            any.sort_unstable();
            assert_eq!(any, expected);
        }
    }

    #[test]
    fn nothing_comes_after_breaking_off() {
        for threads in [1, 3] {
            let found = numbers(threads, Order::Jobs, 100);
            assert_eq!(found, (0..=10).map(|i| i * i).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn what_is_finished_when_it_stops_is_not_lost() {
        let stop = AtomicBool::new(false);
        let mut found = Vec::new();
        // One job stops everything and gives nothing.
        let work = |job: u64, _: Stop<'_>| {
            if job == 5 {
                stop.store(true, Ordering::Relaxed);
                return None;
            }
            Some(job)
        };
        let threads = Threads { count: 1, pinned: false };
        run(0..9, threads, Order::Jobs, &stop, work, |result| {
            found.push(result);
            ControlFlow::Continue(())
        });
        assert_eq!(found, [0, 1, 2, 3, 4]);
    }
}
