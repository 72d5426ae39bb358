//! MAST-join: a score for every whole move; what MAST is in orthodox design.

use regulus_game::{Group, GroupedMove, MoveGroups, Random, Step, same_vertex_from};

use super::move_table::{Known, MoveTable};
use super::table::Decays;
use super::{Candidates, Entry, Statistic, default_scores};
use crate::action::{Actions, NODAL, ending_key, extended, group_key, lead_key, submove_key};

pub(super) const ENTRY: Entry = Entry {
    name: "join",
    summary: "a score for every whole move",
    scores_semimoves: false,
    make: |_, players, factor| Box::new(Join::new(players, factor)),
};

struct Join {
    tables: Vec<MoveTable>,
    decays: Decays,
    /// What endings are called here.
    endings: Vec<EndingName>,
    /// The numbers of their keys.
    numbers: Actions,
    /// For every action, whether it can lead to an ending elsewhere.
    leads: Vec<bool>,
    /// The keys of the beginnings of the groups that are looked at.
    beginnings: Vec<u64>,
    /// The positions of vertices in sets.
    positions: Vec<u16>,
    /// Of how many vertices.
    vertices: usize,
}

/// What an ending is called.
struct EndingName {
    key: u64,
    number: u32,
    /// Whether an action elsewhere leads to it.
    leads: bool,
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
            endings: Vec::new(),
            numbers: Actions::default(),
            leads: Vec::new(),
            beginnings: Vec::new(),
            positions: Vec::new(),
            vertices: 0,
        }
    }

    /// The steps of a whole move before its ending, and the key of the ending.
    fn taken_apart<'s>(&self, steps: &'s [Step]) -> (&'s [Step], u64) {
        let (beginning, ending) = steps.split_at(same_vertex_from(steps));
        let key = ending.iter().fold(0, |key, step| ending_key(key, &[step.action]));
        match beginning.split_last() {
            Some((lead, before)) if self.leads.get(lead.action as usize) == Some(&true) => {
                let position = |vertex: u16| i32::from(self.positions[usize::from(vertex)]);
                let distance = position(ending[0].vertex) - position(lead.vertex);
                (before, lead_key(lead.action, distance, key))
            }
            _ => (beginning, key),
        }
    }

    /// The keys of all groups.
    fn find_keys(&mut self, groups: &MoveGroups) {
        self.prepare(groups);
        self.beginnings.clear();
        self.beginnings.push(NODAL);
        for i in 1..groups.beginning_count() {
            if let Some((before, step)) = groups.beginning(i) {
                self.beginnings.push(extended(self.beginnings[before], step));
            }
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
        let special = self.special(groups, group);
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
    fn key(&self, group: Group<'_>) -> u64 {
        group_key(self.beginnings[group.beginning], self.endings[group.ending].key)
    }

    #[inline(always)]
    fn known<'t>(&self, table: &'t MoveTable, group: Group<'_>) -> Known<'t> {
        if group.beginning == 0 {
            return table.direct(self.endings[group.ending].number);
        }
        table.group(self.key(group))
    }

    /// The move of a group that ends at the vertex at which its beginning ends, if there is one: the actions
    /// there belong together, so its key is not like the others'.
    #[inline(always)]
    fn special(&self, groups: &MoveGroups, group: Group<'_>) -> Option<usize> {
        if group.beginning == 0 || self.endings[group.ending].leads {
            return None;
        }
        let last = groups.last_position(group.beginning)?;
        (group.set[last / 64] >> (last % 64) & 1 == 1).then_some(last)
    }

    /// The score of a move whose beginning ends at the vertex of its ending.
    fn longer_ending(
        &self,
        table: &MoveTable,
        groups: &MoveGroups,
        group: Group<'_>,
        position: usize,
    ) -> f64 {
        let (before, run) = self.run(groups, group.beginning, position);
        let ending = ending_key(run, &groups.endings[group.ending].actions);
        let known = match before {
            0 => self.numbers.find(ending).map_or(Known::Nothing, |number| table.direct(number)),
            _ => table.group(group_key(self.beginnings[before], ending)),
        };
        known.mean(groups.vertices[position])
    }

    /// What comes before the last steps of a beginning that are at a position, and the key of these.
    fn run(&self, groups: &MoveGroups, beginning: usize, position: usize) -> (usize, u64) {
        match groups.beginning(beginning) {
            Some((before, step)) if groups.last_position(beginning) == Some(position) => {
                let (start, key) = self.run(groups, before, position);
                (start, ending_key(key, &[step.action]))
            }
            _ => (beginning, 0),
        }
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
        if !matches!(known, Known::Row(..)) && self.special(groups, group).is_some() {
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
                    let position = usize::from(self.positions[usize::from(*vertex)]);
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

/// The steps of a move that was made in a split tree, as they are in any tree.
fn without_split_points(steps: &[Step]) -> Vec<Step> {
    steps.iter().copied().filter(|step| step.is_modifier()).collect()
}

impl Statistic for Join {
    fn score(&self, player: usize, _context: u64, submove: &[Step]) -> f64 {
        let Some(last) = submove.last() else { return 1.0 };
        if !submove.iter().all(|step| step.is_modifier()) {
            return self.score(player, NODAL, &without_split_points(submove));
        }
        let (beginning, ending) = self.taken_apart(submove);
        let table = &self.tables[player];
        let known = if beginning.is_empty() {
            self.numbers.find(ending).map_or(Known::Nothing, |number| table.direct(number))
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
        let (beginning, ending) = self.taken_apart(steps);
        let table = &mut self.tables[player];
        if beginning.is_empty() {
            let number = self.numbers.number(ending);
            table.add_direct(number, last.vertex, value, self.decays);
        } else {
            let group = group_key(submove_key(NODAL, beginning), ending);
            table.add(group, last.vertex, value, self.decays);
        }
    }

    fn update_ending(&mut self, player: usize, _: &[Step], ending: u32, vertex: u16, value: f64) {
        let number = self.endings[ending as usize].number;
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
        self.find_keys(groups);
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
        self.find_keys(groups);
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
        if self.vertices != groups.vertices.len() {
            self.vertices = groups.vertices.len();
            let last = groups.vertices.iter().max().map_or(0, |v| usize::from(*v));
            self.positions = vec![0; last + 1];
            for (position, vertex) in groups.vertices.iter().enumerate() {
                self.positions[usize::from(*vertex)] = position as u16;
            }
            let board = groups.vertices.iter().copied().filter(|vertex| *vertex != 0);
            self.tables.iter_mut().for_each(|table| table.set_board(board.clone()));
        }
        for ending in groups.endings.iter().skip(self.endings.len()) {
            let key = ending_key(0, &ending.actions);
            let (key, leads) = match ending.lead {
                None => (key, false),
                Some((action, distance)) => {
                    let lead = action as usize;
                    self.leads.resize(self.leads.len().max(lead + 1), false);
                    self.leads[lead] = true;
                    (lead_key(action, distance, key), true)
                }
            };
            let number = self.numbers.number(key);
            self.endings.push(EndingName { key, number, leads });
        }
    }

    fn decay(&mut self) {
        self.decays.count += 1;
    }

    fn bytes(&self) -> usize {
        self.tables.iter().map(MoveTable::bytes).sum::<usize>() + self.numbers.bytes()
    }

    fn freeze(&mut self, frozen: bool) {
        self.tables.iter_mut().for_each(|table| table.freeze(frozen));
    }
}
