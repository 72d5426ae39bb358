//! How far a long run has come: a bar on a terminal, a few lines elsewhere.

use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How many lines are printed where there is no terminal.
const LINES: u64 = 10;

/// Shows how far a run has come, on standard error.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// What is counted.
    what: &'static str,
    total: u64,
    done: u64,
    start: Instant,
}

impl Progress {
    /// A run of `total` games, or of whatever is counted.
    pub fn new(total: u64, what: &'static str, terminal: bool) -> Self {
        let bar = terminal.then(|| {
            let bar =
                ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(4));
            let style = ProgressStyle::with_template(&format!(
                "{{wide_bar:.cyan}} {{pos}}/{{len}} {what}, {{eta}} left  {{msg}}"
            ));
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_secs(1));
            bar
        });
        Progress { bar, what, total, done: 0, start: Instant::now() }
    }

    /// One more game, and how things stand.
    pub fn show(&mut self, standing: &str) {
        self.done += 1;
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.set_message(standing.to_owned());
            return;
        }
        let part = |done: u64| done * LINES / self.total;
        if part(self.done) > part(self.done - 1) {
            let left = self.start.elapsed().as_secs_f64() / self.done as f64
                * (self.total - self.done) as f64;
            // Nobody is there to read it if this fails.
            let _ = writeln!(
                anstream::stderr(),
                "{}/{} {}, {left:.0} s left: {standing}",
                self.done,
                self.total,
                self.what
            );
        }
    }

    /// Removes the bar; gives how long it took.
    pub fn finish(self) -> f64 {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        self.start.elapsed().as_secs_f64()
    }
}
