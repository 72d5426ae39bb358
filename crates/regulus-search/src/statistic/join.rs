//! MAST-join: a score for every whole move; what MAST is in orthodox design.

use regulus_game::{Group, GroupedMove, MoveGroups, Random, Step};

use super::move_table::{Known, MoveTable};
use super::names::{Names, without_split_points};
use super::table::Decays;
use super::{Candidates, Entry, Statistic, default_scores};
use crate::action::{NODAL, ending_key, group_key, submove_key};

pub(super) const ENTRY: Entry = Entry {
    name: "join",
    summary: "a score for every whole move",
    scores_semimoves: false,
    make: |_, players, factor| Box::new(Join::new(players, factor)),
};

struct Join {
    tables: Vec<MoveTable>,
    decays: Decays,
    names: Names,
}

/// The moves with the highest score so far.
#[derive(Clone, Copy)]
struct Best {
    score: f64,
    /// How many have it.
    count: u32,
    /// One of them.
    last: GroupedMove,
}

/// The mean of a move in a row.
#[inline(always)]
fn of_row(row: &[f64], vertices: &[u16], position: usize) -> f64 {
    // A row has a power of two of places: this is never out of bounds.
    row[usize::from(vertices[position]) & (row.len() - 1)]
}

impl Join {
    fn new(players: usize, factor: f64) -> Self {
        Join {
            tables: vec![MoveTable::default(); players + 1],
            decays: Decays { count: 0, factor },
            names: Names::default(),
        }
    }

    /// Hands over the moves of a group: position and score.
    #[inline(always)]
    fn scan(
        &self,
        player: usize,
        groups: &MoveGroups,
        group: Group<'_>,
        mut each: impl FnMut(usize, f64),
    ) {
        let (table, vertices) = (&self.tables[player], groups.vertices.as_slice());
        let special = self.names.special(groups, group);
        match (self.known(table, group), special) {
            (Known::Row(row, _), None) => {
                group.for_each(|position| each(position, of_row(row, vertices, position)));
            }
            (known, special) => group.for_each(|position| {
                let score = if special == Some(position) {
                    self.longer_ending(table, groups, group, position)
                } else {
                    known.mean(vertices[position])
                };
                each(position, score);
            }),
        }
    }

    #[inline(always)]
    fn known<'t>(&self, table: &'t MoveTable, group: Group<'_>) -> Known<'t> {
        if group.beginning == 0 {
            return table.direct(self.names.endings[group.ending].number);
        }
        table.group(self.names.key(group))
    }

    /// The score of a move whose beginning ends at the vertex of its ending.
    fn longer_ending(
        &self,
        table: &MoveTable,
        groups: &MoveGroups,
        group: Group<'_>,
        position: usize,
    ) -> f64 {
        let (before, run) = self.names.run(groups, group.beginning, position);
        let ending = ending_key(run, &groups.endings[group.ending].actions);
        let known = match before {
            0 => self
                .names
                .numbers
                .find(ending)
                .map_or(Known::Nothing, |number| table.direct(number)),
            _ => table.group(group_key(self.names.beginnings[before], ending)),
        };
        known.mean(groups.vertices[position])
    }

    /// Looks for the best moves in one more group.
    #[inline(always)]
    fn improve(
        &self,
        player: usize,
        groups: &MoveGroups,
        number: usize,
        group: Group<'_>,
        best: &mut Best,
    ) {
        let mut each = |position: usize, score: f64, count: u32| {
            if score > best.score {
                *best = Best { score, count, last: GroupedMove { group: number, position } };
            } else if score == best.score {
                best.count += count;
            }
        };
        let table = &self.tables[player];
        let known = self.known(table, group);
        if !matches!(known, Known::Row(..)) && self.names.special(groups, group).is_some() {
            self.scan(player, groups, group, |position, score| each(position, score, 1));
            return;
        }
        match known {
            // They are equal. If there is only one it is looked for later.
            Known::Nothing if group.is_empty() => {}
            Known::Nothing => each(usize::MAX, 1.0, group.len() as u32),
            // Those with the highest means come early, unless most of them are not in the set.
            Known::Row(row, order) if order.len() > 48 && group.len() * 4 > order.len() => {
                let tied = |vertex: &u16| {
                    let position = usize::from(self.names.positions[usize::from(*vertex)]);
                    let in_set = group.set[position / 64] >> (position % 64) & 1 == 1;
                    in_set.then_some((position, row[usize::from(*vertex)]))
                };
                let mut ties = order.iter().filter_map(tied);
                if let Some((position, highest)) = ties.next() {
                    let more = ties.take_while(|tie| tie.1 == highest).count() as u32;
                    each(position, highest, 1 + more);
                }
            }
            _ => self.scan(player, groups, group, |position, score| each(position, score, 1)),
        }
    }

    /// The `number`-th of the moves that have a score.
    fn find(
        &self,
        player: usize,
        groups: &MoveGroups,
        score: f64,
        number: u32,
    ) -> Option<GroupedMove> {
        let (mut rest, mut found) = (number, None);
        for (i, group) in groups.iter().enumerate() {
            self.scan(player, groups, group, |position, other| {
                if other == score {
                    if rest == 0 {
                        found = Some(GroupedMove { group: i, position });
                    }
                    rest = rest.wrapping_sub(1);
                }
            });
            if found.is_some() {
                break;
            }
        }
        found
    }
}

impl Statistic for Join {
    fn score(&self, player: usize, _context: u64, submove: &[Step]) -> f64 {
        let Some(last) = submove.last() else { return 1.0 };
        if !submove.iter().all(|step| step.is_modifier()) {
            return self.score(player, NODAL, &without_split_points(submove));
        }
        let (beginning, ending) = self.names.taken_apart(submove);
        let table = &self.tables[player];
        let known = if beginning.is_empty() {
            self.names.numbers.find(ending).map_or(Known::Nothing, |number| table.direct(number))
        } else {
            table.group(group_key(submove_key(NODAL, beginning), ending))
        };
        known.mean(last.vertex)
    }

    fn update(&mut self, player: usize, steps: &[Step], whole: bool, value: f64) {
        let Some(last) = steps.last().filter(|_| whole) else { return };
        if !steps.iter().all(|step| step.is_modifier()) {
            return self.update(player, &without_split_points(steps), whole, value);
        }
        let (beginning, ending) = self.names.taken_apart(steps);
        let table = &mut self.tables[player];
        if beginning.is_empty() {
            let number = self.names.numbers.number(ending);
            table.add_direct(number, last.vertex, value, self.decays);
        } else {
            let group = group_key(submove_key(NODAL, beginning), ending);
            table.add(group, last.vertex, value, self.decays);
        }
    }

    fn update_ending(&mut self, player: usize, _: &[Step], ending: u32, vertex: u16, value: f64) {
        let number = self.names.endings[ending as usize].number;
        self.tables[player].add_direct(number, vertex, value, self.decays);
    }

    fn scores(
        &mut self,
        player: usize,
        context: u64,
        candidates: Candidates<'_>,
        out: &mut Vec<f64>,
    ) {
        let Candidates::Groups(groups) = candidates else {
            return default_scores(self, player, context, candidates, out);
        };
        out.clear();
        self.prepare(groups);
        self.names.find_keys(groups);
        for group in groups.iter() {
            self.scan(player, groups, group, |_, score| out.push(score));
        }
    }

    fn best(
        &mut self,
        player: usize,
        groups: &MoveGroups,
        _: &mut Vec<f64>,
        random: &mut Random,
    ) -> Option<GroupedMove> {
        self.prepare(groups);
        self.names.find_keys(groups);
        let nothing = GroupedMove { group: 0, position: usize::MAX };
        let mut best = Best { score: f64::NEG_INFINITY, count: 0, last: nothing };
        for (number, group) in groups.iter().enumerate() {
            self.improve(player, groups, number, group, &mut best);
        }
        match best.count {
            0 => None,
            1 if best.last.position != usize::MAX => Some(best.last),
            1 => self.find(player, groups, best.score, 0),
            count => {
                let number = random.below(u64::from(count)) as u32;
                self.find(player, groups, best.score, number)
            }
        }
    }

    fn prepare(&mut self, groups: &MoveGroups) {
        if self.names.prepare(groups) {
            let board = groups.vertices.iter().copied().filter(|vertex| *vertex != 0);
            self.tables.iter_mut().for_each(|table| table.set_board(board.clone()));
        }
    }

    fn decay(&mut self) {
        self.decays.count += 1;
    }

    fn decay_played(&mut self, player: usize, steps: &[Step], whole: bool) {
        let Some(last) = steps.last().filter(|_| whole) else { return };
        if !steps.iter().all(|step| step.is_modifier()) {
            return self.decay_played(player, &without_split_points(steps), whole);
        }
        let (beginning, ending) = self.names.taken_apart(steps);
        let table = &mut self.tables[player];
        if !beginning.is_empty() {
            table.decay(group_key(submove_key(NODAL, beginning), ending), last.vertex);
        } else if let Some(number) = self.names.numbers.find(ending) {
            table.decay_direct(number, last.vertex);
        }
    }

    fn bytes(&self) -> usize {
        self.tables.iter().map(MoveTable::bytes).sum::<usize>() + self.names.numbers.bytes()
    }

    fn freeze(&mut self, frozen: bool) {
        self.tables.iter_mut().for_each(|table| table.freeze(frozen));
    }
}
