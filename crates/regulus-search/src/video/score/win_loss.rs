//! Equation 3.2: win or loss, nothing else.

use super::{ComponentWord, Ending, Entry, Heuristic};

pub(super) const ENTRY: Entry<dyn Heuristic> = Entry {
    name: "win_loss",
    summary: "1 for a win, -1 for a loss, 0 otherwise (equation 3.2)",
    parameters: &[],
    words: &[ComponentWord::video("winloss")],
    make: |_| Box::new(WinLoss),
};

struct WinLoss;

/// s of equations 3.2 and 3.9 to 3.11.
pub(super) fn sign(won: Option<bool>) -> f64 {
    match won {
        Some(true) => 1.0,
        Some(false) => -1.0,
        None => 0.0,
    }
}

impl Heuristic for WinLoss {
    fn worth(&self, ending: &Ending) -> f64 {
        sign(ending.won)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ending;
    use super::*;

    #[test]
    fn only_the_result_counts() {
        assert_eq!(WinLoss.worth(&ending(Some(true), -5.0, 3)), 1.0);
        assert_eq!(WinLoss.worth(&ending(Some(false), 5.0, 3)), -1.0);
        assert_eq!(WinLoss.worth(&ending(None, 5.0, 3)), 0.0);
    }
}
