//! Averages of whole moves. Moves are found by group: what they have in common is looked up once, and most
//! groups have no samples at all. Groups without a beginning are few and known by number. The first moves of a group are kept beside its key, in one cache line; the
//! next ones in a hash table; those of a group with many samples in a row, one place for each vertex.

use super::table::{Average, Decays, Table};
use crate::action::grouped_key;

/// How many moves are kept beside the key of their group.
const NEAR: usize = 4;

/// Averages by group and vertex.
#[derive(Clone, Debug)]
pub struct MoveTable {
    /// A bit for every group with samples (and for some others), so small that it stays in a cache.
    filter: Vec<u64>,
    /// The rows of groups without a beginning, by the number of their ending; [`NO_ROW`] if there are no
    /// samples.
    direct: Vec<u32>,
    /// Open addressing, at most half full: the high half of a group's key, and its number from 1.
    index: Vec<u64>,
    groups: Vec<Entry>,
    samples: Vec<[Average; NEAR]>,
    /// The other moves of groups without a row.
    scattered: Table,
    /// Means of rows, 1 where there are no samples.
    means: Vec<f64>,
    averages: Vec<Average>,
    /// How many places a row has: a power of two.
    width: usize,
    /// The vertices of the board, once they are known.
    board: Vec<u16>,
    /// For every row these vertices, those with the highest means first.
    order: Vec<u16>,
    /// For every row where its vertices are in that order.
    rank: Vec<u16>,
    frozen: bool,
}

/// What is known about a group.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Entry {
    key: u64,
    means: [f64; NEAR],
    vertices: [u16; NEAR],
    /// How many of its moves have samples.
    known: u32,
    /// Its row, or [`NO_ROW`].
    row: u32,
}

const NO_ROW: u32 = u32::MAX;

/// What is known about the moves of a group.
#[derive(Clone, Copy, Debug)]
pub enum Known<'t> {
    /// No samples.
    Nothing,
    /// Only these moves have samples: vertices and means.
    Few(&'t [u16], &'t [f64]),
    /// The means of its moves have to be looked up.
    Some(&'t MoveTable, usize),
    /// Its means by vertex, and the vertices with the highest means first.
    Row(&'t [f64], &'t [u16]),
}

impl Default for MoveTable {
    fn default() -> Self {
        MoveTable {
            filter: vec![0; 32],
            direct: Vec::new(),
            index: vec![0; 256],
            groups: Vec::new(),
            samples: Vec::new(),
            scattered: Table::default(),
            means: Vec::new(),
            averages: Vec::new(),
            width: 64,
            board: Vec::new(),
            order: Vec::new(),
            rank: Vec::new(),
            frozen: false,
        }
    }
}

impl MoveTable {
    #[inline(always)]
    fn bit(&self, group: u64) -> (usize, u64) {
        ((group >> 38) as usize & (self.filter.len() - 1), 1 << (group >> 32 & 63))
    }

    /// False if a group surely has no samples.
    #[inline(always)]
    pub fn may_know(&self, group: u64) -> bool {
        let (word, bit) = self.bit(group);
        self.filter[word] & bit != 0
    }

    /// The slot of a group in the index, or the empty one where it would be; and its number.
    #[inline(always)]
    fn slot(&self, group: u64) -> (usize, Option<usize>) {
        let mask = self.index.len() - 1;
        let mut at = (group >> 8) as usize & mask;
        loop {
            let found = self.index[at];
            if found == 0 {
                return (at, None);
            }
            let number = found as u32 as usize - 1;
            if found >> 32 == group >> 32 && self.groups[number].key == group {
                return (at, Some(number));
            }
            at = (at + 1) & mask;
        }
    }

    /// What is known about a group.
    #[inline]
    pub fn group(&self, group: u64) -> Known<'_> {
        let Some(number) = self.slot(group).1 else { return Known::Nothing };
        let entry = &self.groups[number];
        let known = entry.known as usize;
        if entry.row != NO_ROW {
            return self.row(entry.row as usize);
        }
        if known > NEAR {
            return Known::Some(self, number);
        }
        Known::Few(&entry.vertices[..known], &entry.means[..known])
    }

    #[inline(always)]
    fn row(&self, row: usize) -> Known<'_> {
        let size = self.board.len();
        let means = &self.means[row * self.width..][..self.width];
        Known::Row(means, &self.order[row * size..][..size])
    }

    /// What is known about the moves that consist of an ending alone.
    #[inline]
    pub fn direct(&self, ending: u32) -> Known<'_> {
        match self.direct.get(ending as usize) {
            Some(row) if *row != NO_ROW => self.row(*row as usize),
            _ => Known::Nothing,
        }
    }

    /// Adds a sample of a move that consists of an ending alone.
    pub fn add_direct(&mut self, ending: u32, vertex: u16, value: f64, decays: Decays) {
        let number = ending as usize;
        if usize::from(vertex) >= self.width {
            self.widen(usize::from(vertex));
        }
        if self.direct.get(number).is_none_or(|row| *row == NO_ROW) {
            if self.frozen {
                return;
            }
            self.direct.resize(self.direct.len().max(number + 1), NO_ROW);
            let row = self.means.len() / self.width;
            self.direct[number] = row as u32;
            self.means.resize((row + 1) * self.width, 1.0);
            self.averages.resize((row + 1) * self.width, Average::default());
            self.sort(row);
        }
        self.add_to_row(self.direct[number] as usize, vertex, value, decays);
    }

    fn add_to_row(&mut self, row: usize, vertex: u16, value: f64, decays: Decays) {
        let place = row * self.width + usize::from(vertex);
        self.means[place] = self.averages[place].add(value, decays);
        self.reorder(row, vertex);
    }

    /// Adds a sample.
    pub fn add(&mut self, group: u64, vertex: u16, value: f64, decays: Decays) {
        if usize::from(vertex) >= self.width {
            self.widen(usize::from(vertex));
        }
        let (slot, number) = self.slot(group);
        let number = match number {
            Some(number) => number,
            None if self.frozen => return,
            None => {
                if self.groups.len() >= u32::MAX as usize - 1 {
                    return;
                }
                let (word, bit) = self.bit(group);
                self.filter[word] |= bit;
                self.groups.push(Entry {
                    key: group,
                    means: [1.0; NEAR],
                    vertices: [0; NEAR],
                    known: 0,
                    row: NO_ROW,
                });
                self.samples.push([Average::default(); NEAR]);
                self.index[slot] = group >> 32 << 32 | self.groups.len() as u64;
                self.groups.len() - 1
            }
        };
        let entry = &mut self.groups[number];
        let near = (entry.known as usize).min(NEAR);
        if entry.row != NO_ROW {
            let row = entry.row as usize;
            self.add_to_row(row, vertex, value, decays);
        } else if let Some(i) = entry.vertices[..near].iter().position(|v| *v == vertex) {
            entry.means[i] = self.samples[number][i].add(value, decays);
        } else if near < NEAR {
            entry.vertices[near] = vertex;
            entry.means[near] = self.samples[number][near].add(value, decays);
            entry.known += 1;
        } else if self.scattered.add(grouped_key(group, vertex), value, decays) {
            entry.known += 1;
            // A row wastes at most seven places of eight.
            if entry.known as usize * 8 >= self.width && !self.frozen {
                self.make_row(number);
            }
        }
        if self.groups.len() * 2 > self.index.len() && !self.frozen {
            self.grow();
        }
    }

    /// Collects what is known about a group in a row.
    fn make_row(&mut self, number: usize) {
        let entry = self.groups[number];
        let begin = self.means.len();
        for vertex in 0..self.width {
            let average = *self.scattered.get(grouped_key(entry.key, vertex as u16));
            self.means.push(average.mean().unwrap_or(1.0));
            self.averages.push(average);
        }
        for i in 0..NEAR {
            let place = begin + usize::from(entry.vertices[i]);
            self.means[place] = entry.means[i];
            self.averages[place] = self.samples[number][i];
        }
        let row = begin / self.width;
        self.groups[number].row = row as u32;
        self.sort(row);
    }

    /// Orders a row that has none yet.
    fn sort(&mut self, row: usize) {
        let means = &self.means[row * self.width..][..self.width];
        let begin = self.order.len();
        self.order.extend_from_slice(&self.board);
        let order = &mut self.order[begin..];
        order.sort_by(|a, b| means[usize::from(*b)].total_cmp(&means[usize::from(*a)]));
        self.rank.resize((row + 1) * self.width, 0);
        for (i, vertex) in order.iter().enumerate() {
            self.rank[row * self.width + usize::from(*vertex)] = i as u16;
        }
    }

    /// Moves a vertex whose mean has changed to its place in the order: seldom far.
    fn reorder(&mut self, row: usize, vertex: u16) {
        if self.board.is_empty() {
            return;
        }
        let (width, size) = (self.width, self.board.len());
        let means = &self.means[row * width..][..width];
        let rank = &mut self.rank[row * width..][..width];
        let order = &mut self.order[row * size..][..size];
        let mean = means[usize::from(vertex)];
        let mut at = usize::from(rank[usize::from(vertex)]);
        while at > 0 && means[usize::from(order[at - 1])] < mean {
            order[at] = order[at - 1];
            rank[usize::from(order[at])] = at as u16;
            at -= 1;
        }
        while at + 1 < size && means[usize::from(order[at + 1])] > mean {
            order[at] = order[at + 1];
            rank[usize::from(order[at])] = at as u16;
            at += 1;
        }
        order[at] = vertex;
        rank[usize::from(vertex)] = at as u16;
    }

    /// Says which vertices the board has.
    pub fn set_board(&mut self, vertices: impl Iterator<Item = u16>) {
        self.board = vertices.collect();
        let last = self.board.iter().max().map_or(0, |v| usize::from(*v));
        self.widen(last.max(self.width - 1));
    }

    /// Makes room for a vertex in all rows.
    fn widen(&mut self, vertex: usize) {
        let width = (vertex + 1).next_power_of_two();
        let rows = self.means.len() / self.width;
        let mut means = vec![1.0; rows * width];
        let mut averages = vec![Average::default(); rows * width];
        for row in 0..rows {
            let (old, new) = (row * self.width, row * width);
            means[new..new + self.width].copy_from_slice(&self.means[old..old + self.width]);
            averages[new..new + self.width].copy_from_slice(&self.averages[old..old + self.width]);
        }
        (self.means, self.averages, self.width) = (means, averages, width);
        self.order.clear();
        self.rank.clear();
        (0..rows).for_each(|row| self.sort(row));
    }

    fn grow(&mut self) {
        let size = self.index.len() * 2;
        self.index = vec![0; size];
        // Eight bits for every slot, as long as that is a megabyte at most.
        self.filter = vec![0; (size / 8).min(1 << 17)];
        for number in 0..self.groups.len() {
            let key = self.groups[number].key;
            let (word, bit) = self.bit(key);
            self.filter[word] |= bit;
            let mask = size - 1;
            let mut at = (key >> 8) as usize & mask;
            while self.index[at] != 0 {
                at = (at + 1) & mask;
            }
            self.index[at] = key >> 32 << 32 | (number as u64 + 1);
        }
    }

    /// Whether memory for new moves may not be taken any more.
    pub fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
        self.scattered.freeze(frozen);
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.filter.len() * 8
            + self.direct.len() * 4
            + self.index.len() * 8
            + self.groups.capacity() * size_of::<Entry>()
            + self.samples.capacity() * size_of::<[Average; NEAR]>()
            + self.scattered.bytes()
            + self.means.capacity() * 8
            + self.averages.capacity() * size_of::<Average>()
            + (self.order.capacity() + self.rank.capacity()) * 2
    }
}

impl Known<'_> {
    /// The mean of a move of the group.
    #[inline(always)]
    pub fn mean(&self, vertex: u16) -> f64 {
        let near = |vertices: &[u16], means: &[f64]| {
            vertices.iter().position(|v| *v == vertex).map(|i| means[i])
        };
        match self {
            Known::Nothing => 1.0,
            Known::Few(vertices, means) => near(vertices, means).unwrap_or(1.0),
            Known::Some(table, number) => {
                let entry = &table.groups[*number];
                near(&entry.vertices, &entry.means)
                    .unwrap_or_else(|| table.scattered.mean(grouped_key(entry.key, vertex)))
            }
            Known::Row(row, _) => row.get(usize::from(vertex)).copied().unwrap_or(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_DECAY: Decays = Decays { count: 0, factor: 1.0 };

    /// Samples of every third vertex of some groups, with as many rows as that makes.
    #[test]
    fn groups_become_rows_and_keep_their_means() {
        let mut table = MoveTable::default();
        table.set_board(0..210);
        let key = |g: u64| crate::action::group_key(g, 7);
        let value = |g: u64, v: u16| (g % 5) as f64 / 8.0 + f64::from(v % 3) / 16.0;
        let end = |g: u64| [9, 20, 200][(g % 3) as usize];
        for g in 0..700 {
            for v in (0..end(g)).step_by(3) {
                table.add(key(g), v, value(g, v), NO_DECAY);
                table.add(key(g), v, value(g, v) + 0.25, NO_DECAY);
            }
        }
        for g in 0..700 {
            match table.group(key(g)) {
                Known::Few(..) => assert_eq!(g % 3, 0),
                Known::Some(..) => assert_eq!(g % 3, 1),
                Known::Row(means, order) => {
                    assert_eq!(g % 3, 2);
                    assert_eq!(order.len(), 210);
                    assert!(order.is_sorted_by_key(|v| -means[usize::from(*v)]), "group {g}");
                }
                Known::Nothing => panic!("group {g} is lost"),
            }
            for v in 0..210 {
                let known = v % 3 == 0 && v < end(g);
                let expected = if known { value(g, v) + 0.125 } else { 1.0 };
                assert_eq!(table.group(key(g)).mean(v), expected, "group {g}, vertex {v}");
            }
        }
        let unknown = (700..20_700).filter(|g| table.may_know(key(*g)));
        assert!(unknown.count() < 5_000);
        assert!(matches!(table.group(key(9999)), Known::Nothing));
    }

    #[test]
    fn no_memory_is_taken_when_frozen() {
        let mut table = MoveTable::default();
        table.add(3 << 40, 1, 1.0, NO_DECAY);
        table.freeze(true);
        let bytes = table.bytes();
        for g in 0..10_000 {
            table.add(crate::action::group_key(g, 1), (g % 60) as u16, 0.5, NO_DECAY);
        }
        assert_eq!(table.bytes(), bytes);
    }
}
