//! How well sequences of moves went. What is known about a sequence is found by a hash; the means of those that
//! were seen often enough are kept a second time, for all moves that can go on with one sequence side by side, so that
//! choosing does not look up every move.

use regulus_game::Step;

use super::rows::WORD;
use crate::action::{Actions, NODAL, extended, group_key};
use crate::numeric::power;
use crate::statistic::table::Decays;

/// A sequence, by its key (0 if the slot is empty), and its samples: four to a cache line.
#[derive(Clone, Copy, Default, Debug)]
struct Slot {
    key: u64,
    sum: f32,
    weight: f32,
}

/// A move went on with a sequence, and this is what came of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// The key of the sequence.
    before: u64,
    /// The key of both.
    key: u64,
    code: u32,
    value: f32,
}

impl Sample {
    #[inline]
    pub(super) fn new(before: u64, code: u32, value: f64) -> Self {
        // No key is 0.
        Sample { before, key: longer_key(before, code) | 1, code, value: value as f32 }
    }
}

/// The moves that go on with one sequence and have codes in one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Which of them have done that often enough.
    frequent: u64,
    /// After how many decays that was so.
    decays: u32,
    /// The means of these, and 0 for the others.
    pub(super) means: [f32; WORD],
}

impl Block {
    /// 1 if the move at a place is frequent, or else 0.
    #[inline(always)]
    pub(super) fn is_frequent(&self, place: usize) -> usize {
        (self.frequent >> place) as usize & 1
    }

    /// The move at a place is not frequent any more.
    fn remove(&mut self, place: usize) {
        self.frequent &= !(1 << place);
        self.means[place] = 0.0;
    }
}

/// Statistics of sequences of one length: those of short ones stay in a cache.
#[derive(Clone, Debug)]
pub(super) struct Sequences {
    /// How much weight is enough.
    threshold: f32,
    decays: Decays,
    /// All sequences: open addressing, at most three quarters full.
    slots: Vec<Slot>,
    len: usize,
    /// After how many decays the samples of a slot were so, if they decay.
    ages: Vec<u32>,
    /// Sequences that some moves went on with often enough.
    frequent: Actions,
    /// The numbers of blocks: by a sequence and the codes that go on with it.
    blocks: Actions,
    contents: Vec<Block>,
    /// The weights of their moves and after how many decays they were so, if weights decay.
    weights: Vec<[(f32, u32); WORD]>,
}

/// The key of a sequence and one more move.
#[inline]
pub(super) fn longer_key(sequence: u64, code: u32) -> u64 {
    extended(sequence, Step { action: code as i32, vertex: 0 })
}

/// The key of a sequence.
#[inline]
pub(super) fn sequence_key(codes: &[u32]) -> u64 {
    codes.iter().fold(NODAL, |key, code| longer_key(key, *code))
}

/// Where a key is looked for first.
#[inline(always)]
fn place(key: u64) -> usize {
    (key >> 16) as usize
}

/// What is left of a weight from an earlier time.
#[inline]
fn left(decays: Decays, since: u32) -> f32 {
    match decays.count.wrapping_sub(since) {
        0 => 1.0,
        decays_since => power(decays.factor, decays_since) as f32,
    }
}

#[inline]
fn block_key(before: u64, code: u32) -> u64 {
    group_key(before, u64::from(code / WORD as u32 + 1) << 32)
}

/// How many slots there are at first.
const FEW: usize = 1024;

impl Sequences {
    /// With a weight that is enough, and the factor of decays.
    pub(super) fn new(threshold: u32, factor: f64) -> Self {
        Sequences {
            threshold: threshold as f32,
            decays: Decays { count: 0, factor },
            slots: vec![Slot::default(); FEW],
            len: 0,
            ages: vec![0; if factor < 1.0 { FEW } else { 0 }],
            frequent: Actions::default(),
            blocks: Actions::default(),
            contents: Vec::new(),
            weights: Vec::new(),
        }
    }

    pub(super) fn forget(&mut self) {
        let decays = self.decays;
        *self = Sequences { decays, ..Sequences::new(self.threshold as u32, decays.factor) };
    }

    /// All samples lose weight.
    pub(super) fn decay(&mut self) {
        self.decays.count += 1;
    }

    /// The samples of one sequence lose weight: they are behind all decays by one more.
    pub(super) fn decay_played(&mut self, sample: &Sample) {
        let at = self.slot(sample.key);
        let Some(age) = self.ages.get_mut(at).filter(|_| self.slots[at].key != 0) else { return };
        *age = age.wrapping_sub(1);
        let Some(number) = self.blocks.find(block_key(sample.before, sample.code)) else { return };
        let place = sample.code as usize % WORD;
        let (weight, since) = &mut self.weights[number as usize][place];
        *since = since.wrapping_sub(1);
        if *weight * left(self.decays, *since) < self.threshold {
            self.contents[number as usize].remove(place);
        }
    }

    /// The slot of a key, or the empty slot where it would be.
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = place(key) & mask;
        loop {
            let found = self.slots[at].key;
            if (found == key) | (found == 0) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// Whether something went on with a sequence often enough.
    #[inline]
    pub(super) fn is_frequent(&self, before: u64) -> bool {
        self.frequent.find(before).is_some()
    }

    /// The block of a sequence and the moves at some places of the word that begins with a code, if one of them went on
    /// with the sequence often enough.
    #[inline]
    pub(super) fn block(&mut self, before: u64, first: u32, places: u64) -> Option<usize> {
        let number = self.find(before, first)?;
        (self.contents[number].frequent & places != 0).then_some(number)
    }

    /// The block of a sequence and a code.
    #[inline]
    fn find(&mut self, before: u64, code: u32) -> Option<usize> {
        let number = self.blocks.find(block_key(before, code))? as usize;
        if self.contents[number].decays != self.decays.count {
            self.refresh(number);
        }
        Some(number)
    }

    /// The block with a number.
    #[inline(always)]
    pub(super) fn get(&self, number: usize) -> &Block {
        &self.contents[number]
    }

    /// Finds out which moves of a block are still frequent.
    fn refresh(&mut self, number: usize) {
        let Sequences { contents, weights, threshold, decays, .. } = self;
        let block = &mut contents[number];
        block.decays = decays.count;
        let Some(weights) = weights.get(number) else { return };
        for (i, (weight, since)) in weights.iter().enumerate() {
            if weight * left(*decays, *since) < *threshold {
                block.remove(i);
            }
        }
    }

    /// Adds samples. Without `room` no new sequences are kept.
    pub(super) fn add(&mut self, samples: &[Sample], room: bool) {
        while room && (self.len + samples.len()) * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        // Most slots are in no cache. Nothing depends on these reads, so that they do not wait for each other.
        let mask = self.slots.len() - 1;
        let touched = samples.iter().map(|sample| self.slots[place(sample.key) & mask].key);
        std::hint::black_box(touched.fold(0, |all, key| all | key));
        for sample in samples {
            self.add_one(sample, room);
        }
    }

    #[inline(always)]
    fn add_one(&mut self, sample: &Sample, room: bool) {
        let at = self.slot(sample.key);
        let slot = &mut self.slots[at];
        if slot.key == 0 {
            if !room {
                return;
            }
            slot.key = sample.key;
            self.len += 1;
        }
        if let Some(age) = self.ages.get_mut(at) {
            let left = left(self.decays, *age);
            slot.sum *= left;
            slot.weight *= left;
            *age = self.decays.count;
        }
        slot.sum += sample.value;
        slot.weight += 1.0;
        if slot.weight >= self.threshold {
            let (mean, weight) = (slot.sum / slot.weight, slot.weight);
            self.note_frequent(sample, mean, weight, room);
        }
    }

    #[inline]
    fn note_frequent(&mut self, sample: &Sample, mean: f32, weight: f32, room: bool) {
        let (before, code) = (sample.before, sample.code);
        let number = match self.find(before, code) {
            Some(number) => number,
            None if !room => return,
            None => {
                self.frequent.number(before);
                let (frequent, decays) = (0, self.decays.count);
                self.contents.push(Block { frequent, decays, means: [0.0; WORD] });
                if self.decays.factor < 1.0 {
                    self.weights.push([(0.0, 0); WORD]);
                }
                self.blocks.number(block_key(before, code)) as usize
            }
        };
        let place = code as usize % WORD;
        let block = &mut self.contents[number];
        block.frequent |= 1 << place;
        block.means[place] = mean;
        if let Some(weights) = self.weights.get_mut(number) {
            weights[place] = (weight, self.decays.count);
        }
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let before = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        let new_ages = vec![0; if self.ages.is_empty() { 0 } else { size }];
        let ages = std::mem::replace(&mut self.ages, new_ages);
        for (i, slot) in before.iter().enumerate().filter(|(_, slot)| slot.key != 0) {
            let at = self.slot(slot.key);
            self.slots[at] = *slot;
            if let Some(age) = self.ages.get_mut(at) {
                *age = ages[i];
            }
        }
    }

    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let blocks = self.contents.capacity() * size_of::<Block>()
            + self.weights.capacity() * size_of::<[(f32, u32); WORD]>();
        let sequences = self.slots.len() * size_of::<Slot>() + self.ages.len() * 4;
        sequences + blocks + self.frequent.bytes() + self.blocks.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(sequences: &mut Sequences, before: u64, code: u32) -> Option<f32> {
        let place = code as usize % WORD;
        let number = sequences.block(before, code - place as u32, 1 << place)?;
        Some(sequences.get(number).means[place])
    }

    #[test]
    fn what_was_added_often_enough_is_found() {
        let mut sequences = Sequences::new(2, 1.0);
        let key = |i: u32| sequence_key(&[i % 10, 7]);
        let sample = |i: u32| Sample::new(key(i), i * 3, f64::from(i % 2));
        for round in 0..2 {
            for i in 0..5000 {
                assert_eq!(sequences.is_frequent(key(i)), round > 0 && i >= 10);
                sequences.add(&[sample(i)], true);
            }
        }
        for i in 0..5000 {
            assert_eq!(mean(&mut sequences, key(i), i * 3), Some((i % 2) as f32));
            assert_eq!(mean(&mut sequences, key(i), i * 3 + 1), None);
        }
        // Without room nothing new is kept, and what is known goes on.
        let bytes = sequences.bytes();
        for i in 0..9000 {
            let other = Sample::new(key(i + 1), i * 3, 1.0);
            sequences.add(&[Sample::new(key(i), i * 3, 1.0), other], false);
        }
        assert_eq!(sequences.bytes(), bytes);
        assert_eq!(mean(&mut sequences, key(8), 24), Some(1.0 / 3.0));
        assert_eq!(mean(&mut sequences, key(6000), 18_000), None);
    }

    #[test]
    fn decay_makes_them_rare_again() {
        let mut sequences = Sequences::new(2, 0.5);
        sequences.add(&[Sample::new(9, 5, 1.0); 4], true);
        sequences.add(&[Sample::new(9, 6, 1.0); 2], true);
        assert_eq!(mean(&mut sequences, 9, 6), Some(1.0));
        sequences.decay();
        assert_eq!(mean(&mut sequences, 9, 6), None);
        assert_eq!(mean(&mut sequences, 9, 5), Some(1.0));
        sequences.add(&[Sample::new(9, 6, 0.0)], true);
        assert_eq!(mean(&mut sequences, 9, 6), Some(0.5));
        sequences.decay();
        assert_eq!(mean(&mut sequences, 9, 5), None);
    }
}
