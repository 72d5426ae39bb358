//! Statistics of sequences of actions (GVGAI-THESIS 3.3.2): with length 1 those of MAST.

use super::config::Ngrams;

/// Visits and sums of the values of all iterations in which a sequence of actions was played.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    config: Ngrams,
    actions: usize,
    /// For every length, beginning with 1, an entry per sequence: its actions are the digits of its number.
    by_length: Vec<Vec<Entry>>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Entry {
    visits: f64,
    sum: f64,
}

impl Entry {
    fn mean(self) -> Option<f64> {
        (self.visits > 0.0).then(|| self.sum / self.visits)
    }
}

impl Table {
    /// An empty table for sequences of `actions` different actions.
    pub fn new(config: Ngrams, actions: usize) -> Self {
        let lengths = 1..=config.length.max(1);
        let by_length = lengths.map(|length| vec![Entry::default(); actions.pow(length)]).collect();
        Table { config, actions, by_length }
    }

    /// An iteration played these actions from the root on, and was worth `value`.
    pub fn record(&mut self, played: &[usize], value: f64) {
        for (index, entries) in self.by_length.iter_mut().enumerate() {
            for sequence in played.windows(index + 1) {
                let number =
                    sequence.iter().fold(0, |number, action| number * self.actions + action);
                entries[number].visits += 1.0;
                entries[number].sum += value;
            }
        }
    }

    /// The mean of all iterations in which an action was played.
    pub fn mean(&self, action: usize) -> Option<f64> {
        self.by_length[0][action].mean()
    }

    /// The mean of the means of all sequences that end with `action` after `before`; longer ones count
    /// from k visits on. An action that was never played is worth everything.
    pub fn score(&self, before: &[usize], action: usize) -> f64 {
        let Some(mut sum) = self.mean(action) else { return f64::INFINITY };
        let mut count = 1.0;
        let mut number = action;
        let mut power = 1;
        for (entries, &earlier) in self.by_length[1..].iter().zip(before.iter().rev()) {
            power *= self.actions;
            number += earlier * power;
            let entry = entries[number];
            if entry.visits >= f64::from(self.config.threshold)
                && let Some(mean) = entry.mean()
            {
                sum += mean;
                count += 1.0;
            }
        }
        sum / count
    }

    /// An action of the game was played ("move decay").
    pub fn decay(&mut self) {
        for entry in self.by_length.iter_mut().flatten() {
            entry.visits *= self.config.decay;
            entry.sum *= self.config.decay;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(decay: f64) -> Table {
        Table::new(Ngrams { length: 3, threshold: 2, decay }, 4)
    }

    #[test]
    fn longer_sequences_count_from_the_threshold_on() {
        let mut table = table(0.5);
        assert_eq!(table.score(&[], 1), f64::INFINITY);
        table.record(&[0, 1], 1.0);
        table.record(&[2, 1], 4.0);
        // 1-gram 1: (1 + 4) / 2; the 2-gram 0 1 has one visit only.
        assert_eq!(table.score(&[0], 1), 2.5);
        table.record(&[0, 1], 1.0);
        // 1-gram: 6 / 3 = 2; 2-gram: 1; no 3-gram.
        assert_eq!(table.score(&[3, 0], 1), 1.5);
        table.record(&[3, 0, 1], 9.0);
        table.record(&[3, 0, 1], 9.0);
        // 1-gram: 24 / 5; 2-gram: 20 / 4; 3-gram: 9.
        let expected = (24.0 / 5.0 + 5.0 + 9.0) / 3.0;
        assert!((table.score(&[3, 0], 1) - expected).abs() < 1e-12);
    }

    #[test]
    fn decay_weakens_what_was_seen() {
        let mut table = table(0.5);
        table.record(&[1], 1.0);
        table.decay();
        table.record(&[1], 4.0);
        // (0.5 * 1 + 4) / 1.5
        assert_eq!(table.mean(1), Some(3.0));
        let mut forgetful = self::table(0.0);
        forgetful.record(&[1], 1.0);
        forgetful.decay();
        assert_eq!(forgetful.mean(1), None);
    }
}
