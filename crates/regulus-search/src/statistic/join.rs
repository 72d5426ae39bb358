//! MAST-join: a score for every whole move; what MAST is in orthodox design.

use regulus_game::{Group, GroupedMove, MoveGroups, Random, Step, same_vertex_from};

use super::move_table::{Known, MoveTable};
use super::table::Decays;
use super::{Candidates, Entry, Statistic, default_scores};
use crate::action::{NODAL, context_behind, ending_key, extended, group_key, lead_key};

pub(super) const ENTRY: Entry = Entry {
    name: "join",
    summary: "a score for every whole move",
    scores_semimoves: false,
    make: |_, players, factor| Box::new(Join::new(players, factor)),
};

struct Join {
    tables: Vec<MoveTable>,
    decays: Decays,
    /// The keys of endings, and whether another action leads to them.
    endings: Vec<(u64, bool)>,
    /// For every action, whether it can lead to an ending elsewhere.
    leads: Vec<bool>,
    /// The keys of the beginnings of the groups that are looked at.
    beginnings: Vec<u64>,
    summaries: Vec<Summary>,
    /// The positions of vertices in sets.
    positions: Vec<u16>,
    /// Of how many vertices.
    vertices: usize,
}

/// What is known about the moves of a group.
#[derive(Clone, Copy)]
struct Summary {
    /// The highest score, and how many moves have it.
    highest: f64,
    count: u32,
    /// Its position if there is one and it is known, or else [`UNKNOWN`].
    only: u32,
    key: u64,
}

const UNKNOWN: u32 = u32::MAX;

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
            leads: Vec::new(),
            beginnings: Vec::new(),
            summaries: Vec::new(),
            positions: Vec::new(),
            vertices: 0,
        }
    }

    /// The group of a whole move, and its vertex there.
    fn group_of(&self, steps: &[Step]) -> (u64, u16) {
        if !steps.iter().all(|step| step.is_modifier()) {
            // Made in a split tree: split points do not count.
            let steps = steps.iter().copied().filter(|step| step.is_modifier());
            return self.group_of(&steps.collect::<Vec<Step>>());
        }
        let (mut beginning, ending) = steps.split_at(same_vertex_from(steps));
        let vertex = steps.last().map_or(0, |step| step.vertex);
        let mut ending = ending.iter().fold(0, |key, step| ending_key(key, &[step.action]));
        if let Some((lead, before)) = beginning.split_last()
            && self.leads.get(lead.action as usize).is_some_and(|leads| *leads)
        {
            let position = |vertex: u16| i32::from(self.positions[usize::from(vertex)]);
            ending = lead_key(lead.action, position(vertex) - position(lead.vertex), ending);
            beginning = before;
        }
        let context = beginning.iter().fold(NODAL, |key, step| context_behind(key, *step));
        (group_key(context, ending), vertex)
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
        self.summaries.clear();
        self.summaries.extend(groups.iter().map(|group| Summary {
            highest: f64::NEG_INFINITY,
            count: 0,
            only: UNKNOWN,
            key: group_key(self.beginnings[group.beginning], self.endings[group.ending].0),
        }));
    }

    /// Hands over the moves of a group: position and score.
    #[inline(always)]
    fn scan(
        &self,
        player: usize,
        groups: &MoveGroups,
        group: Group<'_>,
        key: u64,
        mut each: impl FnMut(usize, f64),
    ) {
        let (table, vertices) = (&self.tables[player], groups.vertices.as_slice());
        let special = self.special(groups, group);
        match (table.group(key), special) {
            (Known::Row(row, _), None) => {
                group.for_each(|position| each(position, of_row(row, vertices, position)));
            }
            (known, special) => group.for_each(|position| {
                let score = if special == Some(position) {
                    let (key, vertex) = self.longer_ending(groups, group, position);
                    table.mean(key, vertex)
                } else {
                    known.mean(vertices[position])
                };
                each(position, score);
            }),
        }
    }

    /// The move of a group that ends at the vertex at which its beginning ends, if there is one: the actions
    /// there belong together, so its key is not like the others'.
    #[inline(always)]
    fn special(&self, groups: &MoveGroups, group: Group<'_>) -> Option<usize> {
        if group.beginning == 0 || self.endings[group.ending].1 {
            return None;
        }
        let last = groups.last_position(group.beginning)?;
        (group.set[last / 64] >> (last % 64) & 1 == 1).then_some(last)
    }

    /// The group of a move whose beginning ends at the vertex of its ending.
    fn longer_ending(&self, groups: &MoveGroups, group: Group<'_>, position: usize) -> (u64, u16) {
        let (before, run) = self.run(groups, group.beginning, position);
        let ending = ending_key(run, &groups.endings[group.ending].actions);
        (group_key(self.beginnings[before], ending), groups.vertices[position])
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

    /// The highest score in a group, and how many moves have it.
    fn summary(&self, player: usize, groups: &MoveGroups, group: Group<'_>, key: u64) -> Summary {
        let (mut highest, mut count) = (f64::NEG_INFINITY, 0);
        let mut each = |score: f64| {
            let better = score > highest;
            count = if better { 1 } else { count + u32::from(score == highest) };
            highest = if better { score } else { highest };
        };
        let table = &self.tables[player];
        if self.special(groups, group).is_some() {
            self.scan(player, groups, group, key, |_, score| each(score));
            return Summary { highest, count, only: UNKNOWN, key };
        }
        let known = if table.may_know(key) { table.group(key) } else { Known::Nothing };
        match known {
            Known::Nothing | Known::Few(..) => {
                // Those without samples are equal.
                let mut untried = group.len() as u32;
                if let Known::Few(vertices, means) = known {
                    for (vertex, mean) in vertices.iter().zip(means) {
                        let position = self.positions.get(usize::from(*vertex));
                        let Some(position) = position.map(|p| usize::from(*p)) else { continue };
                        if group.set[position / 64] >> (position % 64) & 1 == 1 {
                            untried -= 1;
                            each(*mean);
                        }
                    }
                }
                match untried {
                    0 => {}
                    _ if highest == 1.0 => count += untried,
                    _ => (highest, count) = (1.0, untried),
                }
            }
            // Those with the highest means come early, unless most of them are not in the set.
            Known::Row(row, order) if group.len() * 4 > order.len() => {
                let tied = |vertex: &u16| {
                    let position = usize::from(self.positions[usize::from(*vertex)]);
                    let in_set = group.set[position / 64] >> (position % 64) & 1 == 1;
                    in_set.then_some((position, row[usize::from(*vertex)]))
                };
                let mut ties = order.iter().filter_map(tied);
                let Some((position, highest)) = ties.next() else {
                    self.scan(player, groups, group, key, |_, score| each(score));
                    return Summary { highest, count, only: UNKNOWN, key };
                };
                let count = 1 + ties.take_while(|tie| tie.1 == highest).count() as u32;
                let only = if count == 1 { position as u32 } else { UNKNOWN };
                return Summary { highest, count, only, key };
            }
            _ => self.scan(player, groups, group, key, |_, score| each(score)),
        }
        Summary { highest, count, only: UNKNOWN, key }
    }

    /// The position of the `number`-th of the moves with the highest score of their group.
    fn find(
        &self,
        player: usize,
        groups: &MoveGroups,
        group: Group<'_>,
        summary: Summary,
        number: u32,
    ) -> Option<usize> {
        if summary.only != UNKNOWN {
            return Some(summary.only as usize);
        }
        let (mut rest, mut found) = (number, None);
        self.scan(player, groups, group, summary.key, |position, score| {
            if score == summary.highest {
                if rest == 0 {
                    found = Some(position);
                }
                rest = rest.wrapping_sub(1);
            }
        });
        found
    }
}

impl Statistic for Join {
    #[inline(always)]
    fn score(&self, player: usize, _context: u64, submove: &[Step]) -> f64 {
        let (group, vertex) = self.group_of(submove);
        self.tables[player].mean(group, vertex)
    }

    fn update(&mut self, player: usize, steps: &[Step], whole: bool, value: f64) {
        if whole {
            let (group, vertex) = self.group_of(steps);
            self.tables[player].add(group, vertex, value, self.decays);
        }
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
        for (group, summary) in groups.iter().zip(&self.summaries) {
            self.scan(player, groups, group, summary.key, |_, score| out.push(score));
        }
    }

    fn best(
        &mut self,
        player: usize,
        groups: &MoveGroups,
        changed: Option<usize>,
        _: &mut Vec<f64>,
        random: &mut Random,
    ) -> Option<GroupedMove> {
        let mut again = 0..self.summaries.len();
        match changed {
            Some(number) => again = number..number + 1,
            None => {
                self.find_keys(groups);
                again.end = self.summaries.len();
            }
        }
        let mut summaries = std::mem::take(&mut self.summaries);
        for number in again {
            let summary = &mut summaries[number];
            *summary = self.summary(player, groups, groups.group(number), summary.key);
        }
        self.summaries = summaries;
        let (mut highest, mut ties, mut best) = (f64::NEG_INFINITY, 0, 0);
        for (number, summary) in self.summaries.iter().enumerate() {
            if summary.highest > highest {
                (highest, ties, best) = (summary.highest, summary.count, number);
            } else if summary.highest == highest {
                ties += summary.count;
            }
        }
        let mut rest = if ties < 2 { 0 } else { random.below(u64::from(ties)) as u32 };
        for (number, summary) in self.summaries.iter().enumerate().skip(best) {
            if summary.highest != highest || summary.count == 0 {
                continue;
            }
            if rest < summary.count {
                let group = groups.group(number);
                let position = self.find(player, groups, group, *summary, rest)?;
                return Some(GroupedMove { group: number, position });
            }
            rest -= summary.count;
        }
        None
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
            self.endings.push(match ending.lead {
                None => (key, false),
                Some((action, distance)) => {
                    let lead = action as usize;
                    self.leads.resize(self.leads.len().max(lead + 1), false);
                    self.leads[lead] = true;
                    (lead_key(action, distance, key), true)
                }
            });
        }
    }

    fn decay(&mut self) {
        self.decays.count += 1;
    }

    fn bytes(&self) -> usize {
        self.tables.iter().map(MoveTable::bytes).sum()
    }

    fn freeze(&mut self, frozen: bool) {
        self.tables.iter_mut().for_each(|table| table.freeze(frozen));
    }
}
