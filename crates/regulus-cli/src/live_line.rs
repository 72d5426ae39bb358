//! The line that shows a search while it goes on, on terminals.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use regulus_search::Snapshot;

/// How often it changes.
pub const EVERY: Duration = Duration::from_millis(150);

/// Goes to the beginning of the line and empties it.
const AGAIN: &str = "\r\x1b[K";

/// A line that is written again and again.
pub struct LiveLine {
    start: Instant,
    shown: bool,
}

impl LiveLine {
    /// A line that is not shown yet.
    pub fn new() -> Self {
        LiveLine { start: Instant::now(), shown: false }
    }

    /// Shows how far a search is. `best` is its most visited move in words.
    pub fn show(
        &mut self,
        out: &mut impl Write,
        who: &str,
        best: Option<&str>,
        snapshot: &Snapshot,
    ) -> io::Result<()> {
        self.shown = true;
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = snapshot.totals.iterations as f64 / seconds.max(1e-3);
        write!(
            out,
            "{AGAIN}{who} thinks: {seconds:.1} s, {} iterations ({}/s)",
            short(snapshot.totals.iterations as f64),
            short(rate)
        )?;
        if let (Some(best), Some(first)) = (best, snapshot.moves.first()) {
            write!(out, ", so far {best} ({:.0} %)", first.mean * 100.0)?;
        }
        out.flush()
    }

    /// Takes the line away.
    pub fn clear(self, out: &mut impl Write) -> io::Result<()> {
        if self.shown { write!(out, "{AGAIN}") } else { Ok(()) }
    }
}

/// A number for people: `12.3k`.
fn short(number: f64) -> String {
    match number {
        n if n < 1e4 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.1}k", n / 1e3),
        n => format!("{:.2}M", n / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(9999.0), "9999");
        assert_eq!(short(12_345.0), "12.3k");
        assert_eq!(short(1_234_567.0), "1.23M");
    }
}
