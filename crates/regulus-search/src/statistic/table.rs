//! Averages by action: a hash table for submoves, an array for semimoves (THESIS 3.3).

use regulus_game::Step;

use crate::action::VERTEX_SHIFT;
use crate::numeric::power;

/// Samples of one action: their sum and weight, as they were when the last sample came. Later decays are
/// made up for when the next one comes; they do not change the mean.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Average {
    sum: f64,
    weight: f64,
    /// How many decays there had been. One that is its own leaves it behind all others by one more, so that this may go
    /// below zero and around.
    decays: u32,
}

impl Average {
    /// No samples.
    pub const EMPTY: Average = Average { sum: 0.0, weight: 0.0, decays: 0 };

    /// Adds a sample after some decays; gives the mean.
    #[inline]
    pub fn add(&mut self, value: f64, decays: Decays) -> f64 {
        if self.decays != decays.count {
            let lost = power(decays.factor, decays.count.wrapping_sub(self.decays));
            self.sum *= lost;
            self.weight *= lost;
            self.decays = decays.count;
        }
        self.sum += value;
        self.weight += 1.0;
        self.sum / self.weight
    }

    /// Its own samples lose weight once.
    pub fn decay(&mut self) {
        self.decays = self.decays.wrapping_sub(1);
    }

    /// The weight of its samples after `decays` decays.
    pub fn weight(&self, decays: u32, factor: f64) -> f64 {
        if self.decays == decays {
            self.weight
        } else {
            self.weight * power(factor, decays.wrapping_sub(self.decays))
        }
    }

    /// The mean, if there are samples.
    #[inline(always)]
    pub fn mean(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

/// How often and by what averages have decayed.
#[derive(Clone, Copy, Debug)]
pub struct Decays {
    pub count: u32,
    pub factor: f64,
}

/// Averages by key: open addressing, at most half full. What choosing reads, key and mean, lies apart
/// from what only updates need: four to a cache line.
#[derive(Clone, Debug)]
pub struct Table {
    /// Key (0 if the slot is empty) and mean.
    heads: Vec<(u64, f64)>,
    averages: Vec<Average>,
    len: usize,
    frozen: bool,
}

impl Default for Table {
    fn default() -> Self {
        let (heads, averages) = (vec![(0, 1.0); 1024], vec![Average::default(); 1024]);
        Table { heads, averages, len: 0, frozen: false }
    }
}

impl Table {
    /// The slot of a key, or the empty slot where it would be. Keys are never 0.
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        let mask = self.heads.len() - 1;
        let mut at = (key >> VERTEX_SHIFT) as usize & mask;
        loop {
            let found = self.heads[at].0;
            // One branch that is nearly always taken: lookups of several keys overlap.
            if (found == key) | (found == 0) {
                return at;
            }
            // An odd distance that moves of a group have in common.
            at = (at + (key as usize | 1)) & mask;
        }
    }

    /// The mean of a key; 1, the highest score, if it is new: that is what empty slots hold.
    #[inline]
    pub fn mean(&self, key: u64) -> f64 {
        self.heads[self.slot(key | 1)].1
    }

    /// The average of a key; one without samples if it is new.
    #[inline]
    pub fn get(&self, key: u64) -> &Average {
        &self.averages[self.slot(key | 1)]
    }

    /// Adds a sample; true if it is the first of its key.
    pub fn add(&mut self, key: u64, value: f64, decays: Decays) -> bool {
        let key = key | 1;
        let at = self.slot(key);
        let new = self.heads[at].0 == 0;
        if new {
            if self.frozen && self.len * 4 > self.heads.len() * 3 {
                return false;
            }
            self.heads[at].0 = key;
            self.len += 1;
        }
        self.heads[at].1 = self.averages[at].add(value, decays);
        if self.len * 2 > self.heads.len() && !self.frozen {
            self.grow();
        }
        new
    }

    /// The samples of a key lose weight once.
    pub fn decay(&mut self, key: u64) {
        let at = self.slot(key | 1);
        if self.heads[at].0 != 0 {
            self.averages[at].decay();
        }
    }

    fn grow(&mut self) {
        let size = self.heads.len() * 2;
        let heads = std::mem::replace(&mut self.heads, vec![(0, 1.0); size]);
        let averages = std::mem::replace(&mut self.averages, vec![Average::default(); size]);
        for (head, average) in heads.into_iter().zip(averages).filter(|(head, _)| head.0 != 0) {
            let at = self.slot(head.0);
            self.heads[at] = head;
            self.averages[at] = average;
        }
    }

    /// How many slots there are.
    pub fn slots(&self) -> usize {
        self.heads.len()
    }

    /// The keys, with their lowest bit set.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        self.heads.iter().map(|head| head.0).filter(|key| *key != 0)
    }

    pub fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    pub fn bytes(&self) -> usize {
        self.heads.len() * (size_of::<(u64, f64)>() + size_of::<Average>())
    }
}

/// Averages by semimove: a row of vertices for each action.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    averages: Vec<Average>,
    /// Vertices per row, a power of two.
    width: usize,
    /// Rows of modifiers and of split points.
    rows: usize,
}

impl Grid {
    /// Modifiers have the even rows, split points the odd ones.
    #[inline]
    fn row(action: i32) -> usize {
        if action > 0 { action as usize * 2 } else { action.unsigned_abs() as usize * 2 + 1 }
    }

    /// The average of a semimove; one without samples if it is new.
    #[inline]
    pub fn get(&self, step: Step) -> Average {
        let (row, vertex) = (Grid::row(step.action), usize::from(step.vertex));
        if vertex >= self.width {
            return Average::default();
        }
        self.averages.get(row * self.width + vertex).copied().unwrap_or_default()
    }

    /// Adds a sample.
    #[inline]
    pub fn add(&mut self, step: Step, value: f64, decays: Decays) {
        let (row, vertex) = (Grid::row(step.action), usize::from(step.vertex));
        if vertex >= self.width || row >= self.rows {
            self.grow(row, vertex);
        }
        self.averages[row * self.width + vertex].add(value, decays);
    }

    /// The samples of a semimove lose weight once.
    pub fn decay(&mut self, step: Step) {
        let (row, vertex) = (Grid::row(step.action), usize::from(step.vertex));
        if row < self.rows && vertex < self.width {
            self.averages[row * self.width + vertex].decay();
        }
    }

    fn grow(&mut self, row: usize, vertex: usize) {
        let width = self.width.max((vertex + 1).next_power_of_two());
        let rows = self.rows.max(row + 1);
        let mut averages = vec![Average::default(); width * rows];
        for (r, old) in self.averages.chunks_exact(self.width.max(1)).enumerate() {
            averages[r * width..r * width + old.len()].copy_from_slice(old);
        }
        (self.averages, self.width, self.rows) = (averages, width, rows);
    }

    pub fn bytes(&self) -> usize {
        self.averages.len() * size_of::<Average>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_DECAY: Decays = Decays { count: 0, factor: 1.0 };

    #[test]
    fn averages_and_decay_by_hand() {
        let mut average = Average::default();
        assert_eq!(average.mean(), None);
        let after = |count| Decays { count, factor: 0.5 };
        average.add(1.0, after(0));
        assert_eq!(average.add(0.0, after(0)), 0.5);
        assert_eq!(average.mean(), Some(0.5));
        // Two decays: two samples weigh as much as half of one.
        assert_eq!(average.weight(2, 0.5), 0.5);
        assert_eq!(average.mean(), Some(0.5));
        average.add(1.0, after(2));
        assert_eq!(average.weight(2, 0.5), 1.5);
        assert_eq!(average.mean(), Some(1.25 / 1.5));
    }

    /// GVGAI-THESIS 3.3.2: what was played twice is decayed twice, whatever else was played.
    #[test]
    fn averages_decay_on_their_own() {
        let mut average = Average::default();
        let decays = Decays { count: 0, factor: 0.5 };
        average.add(1.0, decays);
        average.add(0.0, decays);
        average.decay();
        average.decay();
        // 1 of 2 is as 0.25 of 0.5.
        assert_eq!(average.weight(0, 0.5), 0.5);
        assert_eq!(average.mean(), Some(0.5));
        assert_eq!(average.add(1.0, decays), 1.25 / 1.5);
        assert_eq!(average.weight(0, 0.5), 1.5);
    }

    #[test]
    fn tables_grow_and_freeze() {
        let mut table = Table::default();
        let key = |i: u64| crate::action::split_key(Step { action: i as i32 + 1, vertex: 3 });
        for i in 0..5000 {
            table.add(key(i), (i % 2) as f64, NO_DECAY);
        }
        for i in 0..5000 {
            assert_eq!(table.get(key(i)).mean(), Some((i % 2) as f64));
        }
        assert_eq!(table.get(key(5000)).mean(), None);
        table.freeze(true);
        let bytes = table.bytes();
        for i in 5000..100_000 {
            table.add(key(i), 1.0, NO_DECAY);
        }
        assert_eq!(table.bytes(), bytes);
        assert_eq!(table.get(key(7)).mean(), Some(1.0));
    }

    #[test]
    fn grids_keep_modifiers_and_split_points_apart() {
        let mut grid = Grid::default();
        let step = |action, vertex| Step { action, vertex };
        grid.add(step(3, 2), 1.0, NO_DECAY);
        grid.add(step(-3, 2), 0.0, NO_DECAY);
        grid.add(step(9, 100), 0.5, NO_DECAY);
        assert_eq!(grid.get(step(3, 2)).mean(), Some(1.0));
        assert_eq!(grid.get(step(-3, 2)).mean(), Some(0.0));
        assert_eq!(grid.get(step(9, 100)).mean(), Some(0.5));
        assert_eq!(grid.get(step(9, 300)).mean(), None);
        assert_eq!(grid.get(step(500, 1)).mean(), None);
    }
}
