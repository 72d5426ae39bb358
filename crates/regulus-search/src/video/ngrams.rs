//! Statistics of sequences of actions (GVGAI-THESIS 3.3.2): with length 1 those of MAST.

use super::config::Ngrams;
use crate::config::Decay;

/// Visits and sums of the values of all iterations in which a sequence of actions was played.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    config: Ngrams,
    actions: usize,
    /// For every length, beginning with 1, an entry per sequence: its actions are the digits of its number.
    by_length: Vec<Vec<Entry>>,
    /// Iterations since the last batch of them.
    batch: u64,
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

    fn add(&mut self, value: f64) {
        self.visits += 1.0;
        self.sum += value;
    }

    fn decay(&mut self, factor: f64) {
        self.visits *= factor;
        self.sum *= factor;
    }
}

impl Table {
    /// An empty table for sequences of `actions` different actions.
    pub fn new(config: Ngrams, actions: usize) -> Self {
        let lengths = 1..=config.length.max(1);
        let by_length = lengths.map(|length| vec![Entry::default(); actions.pow(length)]).collect();
        Table { config, actions, by_length, batch: 0 }
    }

    /// An iteration played these actions from the root on, and was worth `value`. Decays that do not wait for an action
    /// of the game (3.3.2) are made here.
    pub fn record(&mut self, played: &[usize], value: f64) {
        match self.config.decay {
            Decay::None | Decay::Move { .. } => self.sample(played, |entry| entry.add(value)),
            Decay::Simulation { factor } => {
                self.sample(played, |entry| entry.add(value));
                self.decay_all(factor);
            }
            Decay::Batch { factor, simulations } => {
                self.sample(played, |entry| entry.add(value));
                self.batch += 1;
                if self.batch >= u64::from(simulations) {
                    self.batch = 0;
                    self.decay_all(factor);
                }
            }
            Decay::SimulatedMove { factor } => {
                for end in 1..=played.len() {
                    self.sample_last(&played[..end], |entry| entry.add(value));
                    self.decay_all(factor);
                }
            }
            // "N-grams that occurred multiple times are decayed multiple times after each simulation."
            Decay::Played { factor } => {
                self.sample(played, |entry| entry.add(value));
                self.sample(played, |entry| entry.decay(factor));
            }
        }
    }

    /// Every sequence that was played, as often as it was.
    #[inline]
    fn sample(&mut self, played: &[usize], mut change: impl FnMut(&mut Entry)) {
        for (index, entries) in self.by_length.iter_mut().enumerate() {
            for sequence in played.windows(index + 1) {
                let number =
                    sequence.iter().fold(0, |number, action| number * self.actions + action);
                change(&mut entries[number]);
            }
        }
    }

    /// The sequences that end with the last action.
    fn sample_last(&mut self, played: &[usize], mut change: impl FnMut(&mut Entry)) {
        let (mut number, mut power) = (0, 1);
        for (entries, action) in self.by_length.iter_mut().zip(played.iter().rev()) {
            number += action * power;
            power *= self.actions;
            change(&mut entries[number]);
        }
    }

    fn decay_all(&mut self, factor: f64) {
        self.by_length.iter_mut().flatten().for_each(|entry| entry.decay(factor));
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
        if let Decay::Move { factor } = self.config.decay {
            self.decay_all(factor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(factor: f64) -> Table {
        of(Decay::Move { factor })
    }

    fn of(decay: Decay) -> Table {
        Table::new(Ngrams { length: 3, threshold: 2, decay }, 4)
    }

    /// Visits and sum of a sequence.
    fn entry(table: &Table, sequence: &[usize]) -> (f64, f64) {
        let number = sequence.iter().fold(0, |number, action| number * 4 + action);
        let entry = table.by_length[sequence.len() - 1][number];
        (entry.visits, entry.sum)
    }

    #[test]
    fn a_simulation_decays_what_it_played_as_often_as_it_did() {
        let mut table = of(Decay::Played { factor: 0.5 });
        table.record(&[1, 2, 1, 2], 8.0);
        // 1, 2 and (1 2) were played twice: two samples, halved twice. (2 1) and the 3-grams once.
        for sequence in [&[1][..], &[2], &[1, 2]] {
            assert_eq!(entry(&table, sequence), (0.5, 4.0), "{sequence:?}");
        }
        for sequence in [&[2, 1][..], &[1, 2, 1], &[2, 1, 2]] {
            assert_eq!(entry(&table, sequence), (0.5, 4.0), "{sequence:?}");
        }
        table.record(&[2], 1.0);
        // Only what was played: (0.5 + 1) / 2 visits and (4 + 1) / 2.
        assert_eq!((entry(&table, &[2]), entry(&table, &[1])), ((0.75, 2.5), (0.5, 4.0)));
        assert_eq!(entry(&table, &[1, 2]), (0.5, 4.0));
        // An action of the game changes nothing.
        table.decay();
        assert_eq!(entry(&table, &[2]), (0.75, 2.5));
    }

    #[test]
    fn batches_and_all_other_times() {
        let mut batch = of(Decay::Batch { factor: 0.5, simulations: 3 });
        let visits = [1.0, 2.0, 1.5, 2.5, 3.5, 2.25];
        for expected in visits {
            batch.record(&[1], 2.0);
            batch.decay();
            assert_eq!(entry(&batch, &[1]), (expected, 2.0 * expected));
        }
        let mut each = of(Decay::Simulation { factor: 0.5 });
        each.record(&[1, 1], 1.0);
        each.record(&[2], 1.0);
        assert_eq!((entry(&each, &[1]), entry(&each, &[2])), ((0.5, 0.5), (0.5, 0.5)));
        let mut moves = of(Decay::SimulatedMove { factor: 0.5 });
        moves.record(&[1, 2, 1], 4.0);
        // 1: (1/2/2 + 1) / 2. (1 2): two halves. (2 1) and (1 2 1): one.
        assert_eq!((entry(&moves, &[1]), entry(&moves, &[2])), ((0.625, 2.5), (0.25, 1.0)));
        assert_eq!((entry(&moves, &[1, 2]), entry(&moves, &[2, 1])), ((0.25, 1.0), (0.5, 2.0)));
        assert_eq!(entry(&moves, &[1, 2, 1]), (0.5, 2.0));
        let mut never = of(Decay::None);
        never.record(&[1], 3.0);
        never.decay();
        assert_eq!(entry(&never, &[1]), (1.0, 3.0));
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
