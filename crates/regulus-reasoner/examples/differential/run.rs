//! A run: child processes that compare seeds, watched, and started again behind a seed that ends them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use crate::Arguments;
use crate::child::{Counts, Line};
use crate::descriptions::Kind;
use crate::findings::{Failure, Findings, end, patience, piped, record, start, this_program};

/// Seeds that one process compares.
const SEEDS_PER_PROCESS: u64 = 200;

/// Time between two lines about how far the run is.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// What all threads have done.
#[derive(Default)]
struct Totals {
    valid: [u64; Kind::ALL.len()],
    invalid: u64,
    counts: [u64; Counts::NAMES.len()],
    /// Games for which something has no native code, by reason.
    refused: BTreeMap<String, u64>,
}

struct Run<'a> {
    arguments: &'a Arguments,
    started: Instant,
    totals: Mutex<Totals>,
    findings: Mutex<Findings>,
    /// The number of the next seeds that nobody has taken yet.
    next: AtomicU64,
}

/// Runs until the time is over. True if nothing was found.
pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let run = Run {
        arguments,
        started: Instant::now(),
        totals: Mutex::default(),
        findings: Mutex::new(Findings::new(arguments)?),
        next: AtomicU64::new(0),
    };
    let finished = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..arguments.threads).map(|_| scope.spawn(|| run.thread())).collect();
        let mut last = Instant::now();
        while threads.iter().any(|thread| !thread.is_finished()) {
            std::thread::sleep(Duration::from_millis(100));
            if last.elapsed() > REPORT_EVERY {
                run.report();
                last = Instant::now();
            }
        }
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<(), String>>| {
            thread.join().unwrap_or_else(|_| Err("a thread of the runner has failed".to_owned()))
        };
        threads.into_iter().try_for_each(join)
    });
    run.report();
    finished?;
    let findings = lock(&run.findings);
    for (why, number) in &lock(&run.totals).refused {
        println!("{number} games without some native code: {why}");
    }
    for (label, number) in findings.labels() {
        println!("{number} times: {label}");
    }
    println!("findings are in {}", arguments.out.display());
    Ok(findings.labels().is_empty())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Run<'_> {
    fn is_over(&self) -> bool {
        self.started.elapsed().as_secs_f64() > self.arguments.minutes * 60.0
    }

    /// Takes seeds until there are no more.
    fn thread(&self) -> Result<(), String> {
        while !self.is_over() {
            let from = self.next.fetch_add(SEEDS_PER_PROCESS, Ordering::Relaxed);
            let all = self.arguments.count.unwrap_or(u64::MAX);
            let to = all.min(from + SEEDS_PER_PROCESS);
            let mut at = from;
            while at < to && !self.is_over() {
                at = self.process(at, to)?;
            }
            if to == all {
                break;
            }
        }
        Ok(())
    }

    /// Lets one process compare seeds with these numbers; gives the number behind the last one.
    fn process(&self, from: u64, to: u64) -> Result<u64, String> {
        let a = self.arguments;
        let mut command = this_program()?;
        command.args(["seeds", &(to - from).to_string()]);
        command.args(["--seed", &(a.seed + from).to_string()]);
        command.args(["--megabytes", &a.megabytes.to_string()]);
        command.args(["--seconds", &a.seconds.to_string()]);
        if let Some(kind) = a.kind {
            command.args(["--kind", kind.name()]);
        }
        for games in &a.games {
            command.arg("--games").arg(games);
        }
        if a.quick {
            command.arg("--quick");
        }
        let mut child = start(&mut command)?;
        let errors = piped(child.stderr.take());
        let output = child.stdout.take().map(BufReader::new);
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.into_iter().flat_map(BufRead::lines).map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut seed = a.seed + from;
        let mut busy = false;
        loop {
            match lines.recv_timeout(patience(a.seconds)) {
                Ok(line) => match Line::parse(&line) {
                    Some(Line::Begin(begun)) => (seed, busy) = (begun, true),
                    Some(line @ Line::Refused(..)) => self.count(&line),
                    Some(line) => {
                        busy = false;
                        self.count(&line);
                        if let Line::Differs(seed, why) = line {
                            self.found(seed, &Failure::Difference(why))?;
                        }
                        if self.is_over() {
                            end(&mut child);
                            return Ok(to);
                        }
                    }
                    None => eprintln!("not understood: {line}"),
                },
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    end(&mut child);
                    self.found(seed, &Failure::Hang)?;
                    break;
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    let status = child.wait().map_err(|why| why.to_string())?;
                    let last = errors.recv().unwrap_or_default();
                    match Failure::of_status(status, last.clone()) {
                        Some(failure) => self.found(seed, &failure)?,
                        None if busy => {
                            return Err(format!("a process has left with {status}: {last}"));
                        }
                        None => return Ok(to),
                    }
                    break;
                }
            }
        }
        Ok(seed - a.seed + 1)
    }

    fn count(&self, line: &Line) {
        let mut totals = lock(&self.totals);
        match line {
            Line::Begin(_) => {}
            Line::Refused(_, why) => *totals.refused.entry(why.clone()).or_default() += 1,
            Line::Invalid(_) => totals.invalid += 1,
            Line::Same(seed, counts) => {
                totals.counts.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
                totals.valid[self.arguments.kind_of(*seed) as usize] += 1;
            }
            Line::Differs(seed, _) => totals.valid[self.arguments.kind_of(*seed) as usize] += 1,
        }
    }

    fn found(&self, seed: u64, failure: &Failure) -> Result<(), String> {
        let small = lock(&self.findings).count(failure);
        println!("seed {seed}: {}", failure.label());
        let file = record(self.arguments, seed, failure, small)?;
        println!("seed {seed}: {}", file.display());
        Ok(())
    }

    fn report(&self) {
        let totals = lock(&self.totals);
        let seconds = self.started.elapsed().as_secs_f64();
        let all: u64 = totals.valid.iter().sum();
        let kinds = Kind::ALL.iter().zip(totals.valid).map(|(k, n)| format!("{n} {}", k.name()));
        let counts = Counts::NAMES.iter().zip(totals.counts).map(|(name, n)| format!("{n} {name}"));
        println!(
            "{seconds:.0} s: {all} games ({:.1} per second: {}), {} invalid; {}; {} findings",
            all as f64 / seconds,
            kinds.collect::<Vec<_>>().join(", "),
            totals.invalid,
            counts.collect::<Vec<_>>().join(", "),
            lock(&self.findings).labels().values().sum::<usize>()
        );
    }
}
