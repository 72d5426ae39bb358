//! The N-gram selection technique (M. Tak, M. Winands, Y. Björnsson, *N-grams and the Last-Good-Reply policy applied
//! in General Game Playing*, 2012): MAST for sequences of moves.
//!
//! The score of a move is the average of the means of all sequences of up to N consecutive moves, whoever made
//! them, that end with it; sequences of two and more that were seen less often than a threshold are left out. A move
//! that was never tried has the highest score.

use regulus_game::{Random, Step};
use rustc_hash::FxHashMap;

use super::continuations::Continuations;
use super::played::Played;
use super::rule::{Outcome, Rule};
use crate::action::{NODAL, extended};
use crate::config::{Decay, Policy};
use crate::policy::{self, Choice};
use crate::statistic::table::{Average, Decays};

/// The statistics of sequences, and how their scores become a choice.
pub(super) struct Nst {
    length: usize,
    threshold: f64,
    decay: Decay,
    decays: Decays,
    since_decay: u32,
    choice: Box<dyn Choice>,
    /// Single moves, by code: means, 1 without samples; samples.
    means: Vec<f64>,
    averages: Vec<Average>,
    /// What comes after single moves, by code.
    pairs: Vec<Continuations>,
    /// What comes after longer sequences, by their keys.
    longer: FxHashMap<u64, Continuations>,
    /// How many bytes continuations take.
    taken: usize,
    frozen: bool,
    scores: Vec<f64>,
}

impl Nst {
    pub(super) fn new(length: u32, threshold: u32, policy: Policy, decay: Decay) -> Self {
        let factor = match decay {
            Decay::None => 1.0,
            Decay::Move { factor } | Decay::Batch { factor, .. } | Decay::Simulation { factor } => {
                factor
            }
        };
        Nst {
            length: length as usize,
            threshold: f64::from(threshold),
            decay,
            decays: Decays { count: 0, factor },
            since_decay: 0,
            choice: policy::make(policy),
            means: Vec::new(),
            averages: Vec::new(),
            pairs: Vec::new(),
            longer: FxHashMap::default(),
            taken: 0,
            frozen: false,
            scores: Vec::new(),
        }
    }

    /// The scores of moves behind a history, in the order of the moves.
    fn find_scores(&mut self, history: &[u32], offered: &[u32]) {
        // The sequences before the choice that some moves went on with often enough: whatever goes on with a
        // sequence that was not seen often enough has not been seen more often.
        let mut known = Vec::new();
        for n in 1..self.length.min(history.len() + 1) {
            let before = &history[history.len() - n..];
            let after = match before {
                [single] => self.pairs.get(*single as usize),
                _ => self.longer.get(&sequence_key(before)),
            };
            match after {
                Some(after) if after.is_frequent() => known.push(after),
                _ => break,
            }
        }
        let (count, factor) = (self.decays.count, self.decays.factor);
        let score = |code: &u32| {
            let (mut sum, mut terms) = (self.means[*code as usize], 1.0);
            for after in &known {
                let average = after.get(*code);
                if average.weight(count, factor) >= self.threshold {
                    sum += average.mean().unwrap_or(1.0);
                    terms += 1.0;
                }
            }
            sum / terms
        };
        self.scores.clear();
        match known.is_empty() {
            true => self.scores.extend(offered.iter().map(|code| self.means[*code as usize])),
            false => self.scores.extend(offered.iter().map(score)),
        }
    }
}

/// The key of a sequence and one more move.
#[inline]
fn longer_key(sequence: u64, code: u32) -> u64 {
    extended(sequence, Step { action: code as i32, vertex: 0 })
}

/// The key of a sequence.
fn sequence_key(codes: &[u32]) -> u64 {
    codes.iter().fold(NODAL, |key, code| longer_key(key, *code))
}

impl Rule for Nst {
    fn grow(&mut self, codes: usize) {
        if self.means.len() < codes {
            self.means.resize(codes, 1.0);
            self.averages.resize(codes, Average::default());
            self.pairs.resize(codes, Continuations::default());
        }
    }

    fn is_blind(&mut self, random: &mut Random) -> bool {
        self.choice.ignores_scores(random)
    }

    fn choose(&mut self, played: &Played, offered: &[u32], random: &mut Random) -> (usize, f64) {
        self.find_scores(&played.history, offered);
        (self.choice.choose(&self.scores, random), 0.0)
    }

    fn adapt(&mut self, played: &Played, outcome: &Outcome<'_>) {
        let history = &played.history;
        for (i, (code, ply)) in history.iter().zip(&played.plies).enumerate() {
            if (*code as usize) < outcome.nameless {
                continue;
            }
            let value = outcome.values[usize::from(ply.player)];
            let average = &mut self.averages[*code as usize];
            self.means[*code as usize] = average.add(value, self.decays);
            for n in 1..self.length.min(i + 1) {
                let (decays, enough) = (self.decays, self.threshold);
                let room = !self.frozen;
                let after = match &history[i - n..i] {
                    [single] => &mut self.pairs[*single as usize],
                    before if room => self.longer.entry(sequence_key(before)).or_default(),
                    before => match self.longer.get_mut(&sequence_key(before)) {
                        Some(after) => after,
                        None => break,
                    },
                };
                self.taken += after.add(*code, value, decays, enough, room);
            }
        }
        match self.decay {
            Decay::Simulation { .. } => self.decays.count += 1,
            Decay::Batch { simulations, .. } => {
                self.since_decay += 1;
                if self.since_decay == simulations {
                    self.since_decay = 0;
                    self.decays.count += 1;
                }
            }
            Decay::None | Decay::Move { .. } => {}
        }
    }

    fn next_turn(&mut self) {
        if matches!(self.decay, Decay::Move { .. }) {
            self.decays.count += 1;
        }
    }

    fn forget(&mut self) {
        self.means.fill(1.0);
        self.averages.fill(Average::default());
        self.pairs.fill(Continuations::default());
        self.longer.clear();
        self.taken = 0;
    }

    fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    fn bytes(&self) -> usize {
        let codes = 8 + size_of::<Average>() + size_of::<Continuations>();
        let sequences = self.longer.capacity() * (size_of::<(u64, Continuations)>() + 1);
        self.means.capacity() * codes + sequences + self.taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(nst: &mut Nst, moves: &[(usize, u32)], winner: usize) {
        let mut played = Played::default();
        for (player, code) in moves {
            played.begin(*player);
            played.codes.push(*code);
            played.choose(0, 0.0);
        }
        let values = [0.0, f64::from(u8::from(winner == 1)), f64::from(u8::from(winner == 2))];
        nst.adapt(&played, &Outcome { values: &values, nameless: 0 });
    }

    fn scores(nst: &mut Nst, history: &[u32], codes: &[u32]) -> Vec<f64> {
        nst.find_scores(history, codes);
        nst.scores.clone()
    }

    fn nst(threshold: u32, decay: Decay) -> Nst {
        let mut nst = Nst::new(3, threshold, Policy::EpsilonGreedy { epsilon: 0.0 }, decay);
        nst.grow(10);
        nst
    }

    /// Codes 1 to 4 are player 1's, 5 to 8 player 2's.
    #[test]
    fn scores_are_averages_of_sequences() {
        let mut nst = nst(2, Decay::None);
        play(&mut nst, &[(1, 1), (2, 5), (1, 2)], 1);
        play(&mut nst, &[(1, 1), (2, 5), (1, 2)], 1);
        play(&mut nst, &[(1, 1), (2, 5), (1, 3)], 2);
        play(&mut nst, &[(1, 4), (2, 6), (1, 2)], 2);
        // 2: mean 2/3, (5 2) 1 of two games, (1 5 2) the same. 3: seen once, so only its own mean. 4 was seen
        // elsewhere. 7 is new.
        let expected = [(2.0 / 3.0 + 1.0 + 1.0) / 3.0, 0.0, 0.0, 1.0];
        let found = scores(&mut nst, &[1, 5], &[2, 3, 4, 7]);
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        // Behind what was seen only once there are single moves only.
        assert_eq!(scores(&mut nst, &[4, 6], &[2]), [2.0 / 3.0]);
        assert_eq!(scores(&mut nst, &[], &[2]), [2.0 / 3.0]);
        let played = Played { history: vec![1, 5], ..Played::default() };
        assert_eq!(nst.choose(&played, &[3, 2, 4], &mut Random::new(1)).0, 1);
    }

    #[test]
    fn decay_takes_sequences_below_the_threshold() {
        let mut nst = nst(2, Decay::Move { factor: 0.5 });
        play(&mut nst, &[(1, 1), (2, 5)], 2);
        play(&mut nst, &[(1, 1), (2, 5)], 2);
        play(&mut nst, &[(2, 5)], 1);
        assert_eq!(scores(&mut nst, &[1], &[5]), [(2.0 / 3.0 + 1.0) / 2.0]);
        nst.next_turn();
        assert_eq!(scores(&mut nst, &[1], &[5]), [2.0 / 3.0]);
        nst.forget();
        assert_eq!(scores(&mut nst, &[1], &[5]), [1.0]);
    }
}
