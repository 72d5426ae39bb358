//! The N-gram selection technique (M. Tak, M. Winands, Y. Björnsson, *N-grams and the Last-Good-Reply policy applied
//! in General Game Playing*, 2012): MAST for sequences of moves.
//!
//! The score of a move is the average of the means of all sequences of up to N consecutive moves, whoever made
//! them, that end with it; sequences of two and more that were seen less often than a threshold are left out. A move
//! that was never tried has the highest score.

use std::ops::Range;
use std::sync::LazyLock;

use regulus_game::Random;

use super::played::Played;
use super::rows::{Chosen, WORD, for_each};
use super::rule::{Outcome, Rule};
use super::sequences::{Block, Sample, Sequences, sequence_key};
use crate::config::{Decay, Policy};
use crate::policy::{self, Choice};
use crate::statistic::table::{Average, Decays};

/// The statistics of sequences, and how their scores become a choice.
pub(super) struct Nst {
    decay: Decay,
    decays: Decays,
    since_decay: u32,
    choice: Box<dyn Choice>,
    /// Single moves, by code: means, 1 without samples; samples.
    means: Vec<f32>,
    averages: Vec<Average>,
    words: Vec<Word>,
    /// Sequences of two moves, of three, and so on.
    sequences: Vec<Sequences>,
    /// The samples of one length.
    samples: Vec<Sample>,
    frozen: bool,
    scores: Vec<f64>,
    /// The best moves: rows, words of their sets, and places in these.
    best: Vec<(u32, u32, u64)>,
}

/// What is known about single moves with codes in one word.
#[derive(Clone, Copy, Debug)]
struct Word {
    /// Those that were tried.
    tried: u64,
    /// The highest mean of these.
    highest: f32,
}

const UNTRIED: Word = Word { tried: 0, highest: f32::NEG_INFINITY };

impl Word {
    /// The mean of a move has changed.
    #[inline]
    fn note(&mut self, means: &[f32], place: usize, before: f32) {
        self.tried |= 1 << place;
        let mean = means[place];
        if mean >= self.highest {
            self.highest = mean;
        } else if before == self.highest {
            let mut highest = f32::NEG_INFINITY;
            for_each(self.tried, |place| highest = highest.max(means[place]));
            self.highest = highest;
        }
    }
}

/// N is at most this.
const LONGEST: usize = 10;

/// What an average takes of each of its terms, by their number.
static SHARES: LazyLock<[f32; LONGEST + 1]> =
    LazyLock::new(|| std::array::from_fn(|terms| 1.0 / terms.max(1) as f32));

/// Some sequences before a choice, or blocks of what goes on with them.
struct Few<T> {
    items: [T; LONGEST],
    len: usize,
}

impl<T: Copy + Default> Few<T> {
    #[inline(always)]
    fn new() -> Self {
        Few { items: [T::default(); LONGEST], len: 0 }
    }

    #[inline(always)]
    fn push(&mut self, item: T) {
        self.items[self.len] = item;
        self.len += 1;
    }

    #[inline(always)]
    fn as_slice(&self) -> &[T] {
        &self.items[..self.len]
    }
}

impl Nst {
    pub(super) fn new(length: u32, threshold: u32, policy: Policy, decay: Decay) -> Self {
        let factor = decay.factor().unwrap_or(1.0);
        Nst {
            decay,
            decays: Decays { count: 0, factor },
            since_decay: 0,
            choice: policy::make(policy),
            means: Vec::new(),
            averages: Vec::new(),
            words: Vec::new(),
            sequences: (1..length).map(|_| Sequences::new(threshold, factor)).collect(),
            samples: Vec::new(),
            frozen: false,
            scores: Vec::new(),
            best: Vec::new(),
        }
    }

    fn lose_weight(&mut self) {
        self.decays.count += 1;
        self.sequences.iter_mut().for_each(Sequences::decay);
    }

    /// The samples of an iteration for sequences of two and more moves. Decays that do not come between iterations are
    /// made here.
    #[inline]
    fn adapt_sequences(&mut self, played: &Played, outcome: &Outcome<'_>) {
        let history = &played.history;
        let plies = history.len().min(played.plies.len());
        for (sequences, n) in self.sequences.iter_mut().zip(1..) {
            let sample = |i: usize| {
                (history[i] as usize >= outcome.nameless).then(|| {
                    let value = outcome.values[usize::from(played.plies[i].player)];
                    Sample::new(sequence_key(&history[i - n..i]), history[i], value)
                })
            };
            if matches!(self.decay, Decay::SimulatedMove { .. }) {
                for i in 0..plies {
                    if let Some(sample) = (i >= n).then(|| sample(i)).flatten() {
                        sequences.add(&[sample], !self.frozen);
                    }
                    sequences.decay();
                }
                continue;
            }
            self.samples.clear();
            self.samples.extend((n..plies).filter_map(sample));
            sequences.add(&self.samples, !self.frozen);
            if matches!(self.decay, Decay::Played { .. }) {
                self.samples.iter().for_each(|sample| sequences.decay_played(sample));
            }
        }
    }

    /// The sequences before a choice that some moves went on with often enough: whatever goes on with a sequence
    /// that was not seen often enough has not been seen more often.
    #[inline]
    fn known(&self, history: &[u32]) -> Few<u64> {
        let mut known = Few::new();
        for (sequences, n) in self.sequences.iter().zip(1..=history.len()) {
            let before = sequence_key(&history[history.len() - n..]);
            if !sequences.is_frequent(before) {
                break;
            }
            known.push(before);
        }
        known
    }

    /// What is known about moves at places of one word.
    #[inline]
    fn blocks(&mut self, known: &Few<u64>, first: u32, places: u64) -> Few<(usize, usize)> {
        let mut blocks = Few::new();
        for (n, (before, sequences)) in known.as_slice().iter().zip(&mut self.sequences).enumerate()
        {
            if let Some(block) = sequences.block(*before, first, places) {
                blocks.push((n, block));
            }
        }
        blocks
    }

    #[inline(always)]
    fn block(&self, (n, number): (usize, usize)) -> &Block {
        self.sequences[n].get(number)
    }

    /// Hands over the scores of moves at places of one word.
    #[inline(always)]
    fn scan(
        &self,
        first: u32,
        places: u64,
        blocks: &Few<(usize, usize)>,
        mut each: impl FnMut(usize, f32),
    ) {
        let (first, shares) = (first as usize, &*SHARES);
        let Ok(means) = <&[f32; WORD]>::try_from(&self.means[first..first + WORD]) else { return };
        match *blocks.as_slice() {
            [] => for_each(places, |place| each(place, means[place])),
            [one] => {
                let one = self.block(one);
                for_each(places, |place| {
                    let terms = 1 + one.is_frequent(place);
                    each(place, (means[place] + one.means[place]) * shares[terms]);
                });
            }
            [one, two] => {
                let (one, two) = (self.block(one), self.block(two));
                for_each(places, |place| {
                    let terms = 1 + one.is_frequent(place) + two.is_frequent(place);
                    let sum = means[place] + one.means[place] + two.means[place];
                    each(place, sum * shares[terms]);
                });
            }
            ref many => for_each(places, |place| {
                let (mut sum, mut terms) = (means[place], 1);
                for block in many {
                    let block = self.block(*block);
                    sum += block.means[place];
                    terms += block.is_frequent(place);
                }
                each(place, sum * shares[terms]);
            }),
        }
    }

    /// The scores of moves behind a history, in the order of the moves.
    fn find_scores(&mut self, history: &[u32], offered: &[u32]) {
        let known = self.known(history);
        let mut scores = std::mem::take(&mut self.scores);
        scores.clear();
        for code in offered {
            let (first, place) = (code - code % WORD as u32, code % WORD as u32);
            let blocks = self.blocks(&known, first, 1 << place);
            self.scan(first, 1 << place, &blocks, |_, score| scores.push(f64::from(score)));
        }
        self.scores = scores;
    }

    /// Finds the best moves of rows, and how many they are.
    fn find_best(&mut self, played: &Played, rows: Range<usize>) -> u32 {
        let known = self.known(&played.history);
        let mut best = std::mem::take(&mut self.best);
        best.clear();
        let (mut highest, mut count) = (f32::NEG_INFINITY, 0);
        for (number, row) in (rows.start..).zip(played.rows.iter(rows)) {
            for (w, places) in row.set.iter().enumerate().filter(|(_, places)| **places != 0) {
                let (places, first) = (*places, row.first + (w * WORD) as u32);
                let blocks = self.blocks(&known, first, places);
                let word = self.words[first as usize / WORD];
                let untried = places & !word.tried;
                let (mut score, mut ties) = (highest, 0);
                if blocks.len > 0 {
                    self.scan(first, places, &blocks, |place, found| {
                        (score, ties) = better((score, ties), place, found);
                    });
                } else {
                    // Nothing is better than a move that was never tried.
                    if untried != 0 {
                        score = 1.0;
                        ties = untried;
                    }
                    if word.highest >= score {
                        self.scan(first, places & word.tried, &blocks, |place, found| {
                            (score, ties) = better((score, ties), place, found);
                        });
                    }
                }
                if ties == 0 {
                    continue;
                }
                if score > highest {
                    highest = score;
                    best.clear();
                    count = 0;
                }
                count += ties.count_ones();
                best.push((number as u32, w as u32, ties));
            }
        }
        self.best = best;
        count
    }

    /// The move with a number among the best.
    fn nth_best(&self, number: u32, played: &Played) -> Option<Chosen> {
        let mut rest = number;
        for (row, w, ties) in &self.best {
            let count = ties.count_ones();
            if rest >= count {
                rest -= count;
                continue;
            }
            let ties = (0..rest).fold(*ties, |ties, _| ties & (ties - 1));
            let row = played.rows.get(*row as usize);
            return Some(row.at(*w as usize * WORD + ties.trailing_zeros() as usize));
        }
        None
    }
}

/// The highest score and the places that have it, after one more place.
#[inline(always)]
fn better((highest, ties): (f32, u64), place: usize, score: f32) -> (f32, u64) {
    let (bit, equal) = (1 << place, u64::from(score == highest) << place);
    if score > highest { (score, bit) } else { (highest, ties | equal) }
}

impl Rule for Nst {
    fn grow(&mut self, codes: usize) {
        let codes = codes.next_multiple_of(WORD);
        if self.means.len() < codes {
            self.means.resize(codes, 1.0);
            self.averages.resize(codes, Average::default());
            self.words.resize(codes / WORD, UNTRIED);
        }
    }

    fn is_blind(&mut self, random: &mut Random) -> bool {
        self.choice.ignores_scores(random)
    }

    fn choose(&mut self, played: &Played, offered: &[u32], random: &mut Random) -> (usize, f64) {
        self.find_scores(&played.history, offered);
        (self.choice.choose(&self.scores, random), 0.0)
    }

    fn chooses_rows(&self) -> bool {
        self.choice.is_greedy()
    }

    fn choose_row(
        &mut self,
        played: &Played,
        rows: Range<usize>,
        random: &mut Random,
    ) -> Option<(Chosen, f64)> {
        let chosen = match self.find_best(played, rows) {
            0 | 1 => 0,
            count => random.below(u64::from(count)) as u32,
        };
        self.nth_best(chosen, played).map(|chosen| (chosen, 0.0))
    }

    fn adapt(&mut self, played: &Played, outcome: &Outcome<'_>) {
        let after_moves = matches!(self.decay, Decay::SimulatedMove { .. });
        for (code, ply) in played.history.iter().zip(&played.plies) {
            if *code as usize >= outcome.nameless {
                let value = outcome.values[usize::from(ply.player)];
                let (at, word) = (*code as usize, *code as usize / WORD);
                let mean = self.averages[at].add(value, self.decays) as f32;
                let before = std::mem::replace(&mut self.means[at], mean);
                let means = &self.means[word * WORD..(word + 1) * WORD];
                self.words[word].note(means, at % WORD, before);
            }
            self.decays.count += u32::from(after_moves);
        }
        self.adapt_sequences(played, outcome);
        match self.decay {
            Decay::Simulation { .. } => self.lose_weight(),
            Decay::Batch { simulations, .. } => {
                self.since_decay += 1;
                if self.since_decay == simulations {
                    self.since_decay = 0;
                    self.lose_weight();
                }
            }
            Decay::Played { .. } => {
                let codes = played.history.iter().take(played.plies.len());
                for code in codes.filter(|code| **code as usize >= outcome.nameless) {
                    self.averages[*code as usize].decay();
                }
            }
            Decay::None | Decay::Move { .. } | Decay::SimulatedMove { .. } => {}
        }
    }

    fn next_turn(&mut self) {
        if matches!(self.decay, Decay::Move { .. }) {
            self.lose_weight();
        }
    }

    fn forget(&mut self) {
        self.means.fill(1.0);
        self.averages.fill(Average::default());
        self.words.fill(UNTRIED);
        self.sequences.iter_mut().for_each(Sequences::forget);
    }

    fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    fn bytes(&self) -> usize {
        let singles = self.means.capacity() * (4 + size_of::<Average>())
            + self.words.capacity() * size_of::<Word>();
        singles + self.sequences.iter().map(Sequences::bytes).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::rows::Rows;

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

    /// Scores are these, but for rounding.
    fn check(nst: &mut Nst, history: &[u32], codes: &[u32], expected: &[f64]) {
        nst.find_scores(history, codes);
        let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-6;
        let scores = &nst.scores;
        assert!(
            scores.len() == expected.len() && scores.iter().zip(expected).all(close),
            "{scores:?}"
        );
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
        check(&mut nst, &[1, 5], &[2, 3, 4, 7], &expected);
        // Behind what was seen only once there are single moves only.
        check(&mut nst, &[4, 6], &[2], &[2.0 / 3.0]);
        check(&mut nst, &[], &[2], &[2.0 / 3.0]);
        let played = Played { history: vec![1, 5], ..Played::default() };
        assert_eq!(nst.choose(&played, &[3, 2, 4], &mut Random::new(1)).0, 1);
    }

    #[test]
    fn decay_takes_sequences_below_the_threshold() {
        let mut nst = nst(2, Decay::Move { factor: 0.5 });
        play(&mut nst, &[(1, 1), (2, 5)], 2);
        play(&mut nst, &[(1, 1), (2, 5)], 2);
        play(&mut nst, &[(2, 5)], 1);
        check(&mut nst, &[1], &[5], &[(2.0 / 3.0 + 1.0) / 2.0]);
        nst.next_turn();
        check(&mut nst, &[1], &[5], &[2.0 / 3.0]);
        nst.forget();
        check(&mut nst, &[1], &[5], &[1.0]);
    }

    /// GVGAI-THESIS 3.3.2: only what was played in a simulation loses weight, and twice if it was played twice.
    #[test]
    fn what_was_played_loses_weight() {
        let mut nst = nst(1, Decay::Played { factor: 0.5 });
        play(&mut nst, &[(1, 1), (2, 5), (1, 1), (2, 5)], 2);
        play(&mut nst, &[(1, 2), (2, 6)], 2);
        // 5: two samples of 1, halved twice, then one of 0. (1 5) the same.
        play(&mut nst, &[(1, 1), (2, 5)], 1);
        check(&mut nst, &[], &[5], &[0.5 / 1.5]);
        // (1 5) has weighed 1.5 and was halved, so it is below the threshold; (2 6) has weighed 1 and was, too.
        check(&mut nst, &[1], &[5], &[0.5 / 1.5]);
        check(&mut nst, &[2], &[6], &[1.0]);
        play(&mut nst, &[(2, 6)], 1);
        // 6: 0.5 of 0.5, then a sample of 0.
        check(&mut nst, &[], &[6], &[0.5 / 1.5]);
    }

    /// THESIS 2.2.4: all samples lose weight after every move of a simulation.
    #[test]
    fn every_move_of_a_simulation_takes_weight() {
        let mut nst = nst(1, Decay::SimulatedMove { factor: 0.5 });
        play(&mut nst, &[(1, 1), (2, 5), (1, 2)], 1);
        // 1 has weighed 1 and was halved three times.
        play(&mut nst, &[(1, 1)], 2);
        check(&mut nst, &[], &[1], &[0.125 / 1.125]);
        // (1 5): a sample of 0 that was halved twice and once more; a sample of 1 after another move.
        play(&mut nst, &[(1, 1), (2, 5)], 2);
        let five = 1.0 / (1.0 + 0.5f64.powi(4));
        check(&mut nst, &[], &[5], &[five]);
    }

    /// The best moves of rows are those with the highest scores, whether sequences are known or not.
    #[test]
    fn rows_and_lists_have_the_same_best_moves() {
        let (mut nst, mut random) = (nst(2, Decay::None), Random::new(5));
        nst.grow(512);
        let mut played = Played { rows: Rows::new(2), ..Played::default() };
        played.rows.push(128, 4, &[0b1101 << 60, 0b11]);
        played.rows.push(256, 5, &[0b101, 1 << 9]);
        let offered = [128 + 60, 128 + 62, 128 + 63, 192, 193, 256, 258, 320 + 9];
        for game in 0..300 {
            let mut draw = || offered[random.below(8) as usize];
            let moves = [(1, draw()), (2, 1), (1, draw()), (2, 2), (1, draw())];
            played.history = vec![moves[2].1, 1 + game % 3];
            nst.find_scores(&played.history, &offered);
            let highest = nst.scores.iter().copied().fold(0.0, f64::max);
            let ties = offered.iter().zip(&nst.scores).filter(|(_, score)| **score == highest);
            let ties: Vec<u32> = ties.map(|(code, _)| *code).collect();
            let count = nst.find_best(&played, 0..2);
            let best = (0..count).filter_map(|i| nst.nth_best(i, &played));
            assert_eq!(best.map(|best| best.code).collect::<Vec<_>>(), ties);
            play(&mut nst, &moves, 1 + (game % 2) as usize);
        }
    }
}
