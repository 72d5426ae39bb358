//! Averages of whole moves. The moves that consist of an ending alone lie in a row for each ending, one
//! place for each vertex. The others are in a hash table in which the moves of a group lie side by side; most
//! groups have no samples at all, which a small table of bits tells.

use super::table::{Average, Decays, Table};
use crate::action::{VERTEX_SHIFT, grouped_key};

/// Averages by ending or group, and vertex.
#[derive(Clone, Debug)]
pub struct MoveTable {
    /// The rows of endings, by number; [`NO_ROW`] if there are no samples.
    direct: Vec<u32>,
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
    /// The moves of groups.
    grouped: Table,
    /// A bit for every group with samples (and for some others), so small that it stays in a cache.
    filter: Vec<u64>,
    frozen: bool,
}

const NO_ROW: u32 = u32::MAX;

/// What is known about the moves of a group.
#[derive(Clone, Copy, Debug)]
pub enum Known<'t> {
    /// No samples.
    Nothing,
    /// The means of its moves have to be looked up, with this key.
    Some(&'t Table, u64),
    /// Its means by vertex, and the vertices with the highest means first.
    Row(&'t [f64], &'t [u16]),
}

impl Default for MoveTable {
    fn default() -> Self {
        MoveTable {
            direct: Vec::new(),
            means: Vec::new(),
            averages: Vec::new(),
            width: 64,
            board: Vec::new(),
            order: Vec::new(),
            rank: Vec::new(),
            grouped: Table::default(),
            filter: vec![0; filter_words(Table::default().slots())],
            frozen: false,
        }
    }
}

/// Eight bits for every slot of the table. The bits of a key below [`VERTEX_SHIFT`] are those of its group;
/// the lowest is given away.
fn filter_words(slots: usize) -> usize {
    (slots / 8).min(1 << (VERTEX_SHIFT - 1 - 6))
}

impl MoveTable {
    #[inline(always)]
    fn bit(&self, key: u64) -> (usize, u64) {
        let bit = key >> 1;
        ((bit >> 6) as usize & (self.filter.len() - 1), 1 << (bit & 63))
    }

    /// What is known about a group.
    #[inline(always)]
    pub fn group(&self, group: u64) -> Known<'_> {
        let (word, bit) = self.bit(group);
        if self.filter[word] & bit == 0 {
            return Known::Nothing;
        }
        Known::Some(&self.grouped, group)
    }

    /// What is known about the moves that consist of an ending alone.
    #[inline]
    pub fn direct(&self, ending: u32) -> Known<'_> {
        match self.direct.get(ending as usize) {
            Some(row) if *row != NO_ROW => {
                let (row, size) = (*row as usize, self.board.len());
                let means = &self.means[row * self.width..][..self.width];
                Known::Row(means, &self.order[row * size..][..size])
            }
            _ => Known::Nothing,
        }
    }

    /// Adds a sample of a move of a group.
    pub fn add(&mut self, group: u64, vertex: u16, value: f64, decays: Decays) {
        let slots = self.grouped.slots();
        if !self.grouped.add(grouped_key(group, vertex), value, decays) {
            return;
        }
        if self.grouped.slots() != slots {
            self.filter = vec![0; filter_words(self.grouped.slots())];
            for key in self.grouped.keys() {
                let (word, bit) = self.bit(key);
                self.filter[word] |= bit;
            }
        }
        let (word, bit) = self.bit(group);
        self.filter[word] |= bit;
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
        let row = self.direct[number] as usize;
        let place = row * self.width + usize::from(vertex);
        self.means[place] = self.averages[place].add(value, decays);
        self.reorder(row, vertex);
    }

    /// The samples of a move of a group lose weight once.
    pub fn decay(&mut self, group: u64, vertex: u16) {
        self.grouped.decay(grouped_key(group, vertex));
    }

    /// The same for a move that consists of an ending alone.
    pub fn decay_direct(&mut self, ending: u32, vertex: u16) {
        if let Some(row) = self.direct.get(ending as usize).filter(|row| **row != NO_ROW) {
            self.averages[*row as usize * self.width + usize::from(vertex)].decay();
        }
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

    /// Makes room for a vertex in all rows, and orders them.
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

    /// Whether memory for new moves may not be taken any more.
    pub fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
        self.grouped.freeze(frozen);
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.direct.len() * 4
            + self.means.capacity() * 8
            + self.averages.capacity() * size_of::<Average>()
            + (self.order.capacity() + self.rank.capacity()) * 2
            + self.grouped.bytes()
            + self.filter.len() * 8
    }
}

impl Known<'_> {
    /// The mean of a move of the group; 1, the highest score, if it has no samples.
    #[inline(always)]
    pub fn mean(&self, vertex: u16) -> f64 {
        match self {
            Known::Nothing => 1.0,
            Known::Some(table, group) => table.mean(grouped_key(*group, vertex)),
            Known::Row(row, _) => row.get(usize::from(vertex)).copied().unwrap_or(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_DECAY: Decays = Decays { count: 0, factor: 1.0 };

    fn key(group: u64) -> u64 {
        crate::action::group_key(group, 7)
    }

    /// Samples of every third vertex of some groups and endings.
    #[test]
    fn groups_and_rows_keep_their_means() {
        let mut table = MoveTable::default();
        table.set_board(0..210);
        let value = |g: u64, v: u16| (g % 5) as f64 / 8.0 + f64::from(v % 3) / 16.0;
        for g in 0..700 {
            for v in (0..200).step_by(3) {
                for sample in [value(g, v), value(g, v) + 0.25] {
                    table.add(key(g), v, sample, NO_DECAY);
                    table.add_direct(g as u32 / 10, v, sample, NO_DECAY);
                }
            }
        }
        for g in 0..700 {
            for v in 0..210 {
                let known = v % 3 == 0 && v < 200;
                let expected = if known { value(g, v) + 0.125 } else { 1.0 };
                assert_eq!(table.group(key(g)).mean(v), expected, "group {g}, vertex {v}");
            }
            let Known::Row(means, order) = table.direct(g as u32 / 10) else { panic!("no row") };
            assert_eq!(order.len(), 210);
            assert!(order.is_sorted_by(|a, b| means[usize::from(*a)] >= means[usize::from(*b)]));
        }
        let known = (700..20_700).filter(|g| matches!(table.group(key(*g)), Known::Some(..)));
        assert!(known.count() < 2_000);
        assert!(matches!(table.direct(70), Known::Nothing));
    }

    #[test]
    fn no_memory_is_taken_when_frozen() {
        let mut table = MoveTable::default();
        table.add(key(3), 1, 1.0, NO_DECAY);
        table.freeze(true);
        let bytes = table.bytes();
        for g in 0..10_000 {
            table.add(key(g), (g % 60) as u16, 0.5, NO_DECAY);
            table.add_direct(g as u32, 3, 0.5, NO_DECAY);
        }
        assert_eq!(table.bytes(), bytes);
    }
}
