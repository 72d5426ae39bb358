//! MAST-join: a score for every whole move; what MAST is in orthodox design.

use regulus_game::{MoveGroups, Step};

use super::table::{Decays, Table};
use super::{Candidates, Entry, Statistic, default_scores};
use crate::action::{NODAL, ending_key, extended, group_key, grouped_key, move_key};

pub(super) const ENTRY: Entry = Entry {
    name: "join",
    summary: "a score for every whole move",
    scores_semimoves: false,
    make: |_, players, factor| Box::new(Join::new(players, factor)),
};

struct Join {
    tables: Vec<Table>,
    decays: Decays,
    /// The keys of endings and beginnings of groups.
    endings: Vec<u64>,
    beginnings: Vec<u64>,
}

impl Join {
    fn new(players: usize, factor: f64) -> Self {
        Join {
            tables: vec![Table::default(); players + 1],
            decays: Decays { count: 0, factor },
            endings: Vec::new(),
            beginnings: Vec::new(),
        }
    }

    /// The scores of moves in groups: one key for each group, from which those of its moves follow.
    fn group_scores(&mut self, player: usize, groups: &MoveGroups, out: &mut Vec<f64>) {
        let known = self.endings.len();
        let new = groups.endings.iter().skip(known);
        self.endings.extend(new.map(|ending| ending_key(ending.actions.iter().copied())));
        self.beginnings.clear();
        self.beginnings.push(NODAL);
        for i in 1..groups.beginning_count() {
            if let Some((before, step)) = groups.beginning(i) {
                self.beginnings.push(extended(self.beginnings[before], step));
            }
        }
        let table = &self.tables[player];
        for group in groups.iter() {
            let key = group_key(self.beginnings[group.beginning], self.endings[group.ending]);
            let last = groups.beginning(group.beginning).map_or(0, |(_, step)| step.vertex);
            for position in group.positions() {
                let vertex = groups.vertices[position];
                // The actions at the last vertex begin earlier than the ending does.
                let key = if vertex == last {
                    longer_ending(groups, group.beginning, group.ending, vertex, &self.beginnings)
                } else {
                    grouped_key(key, vertex)
                };
                out.push(table.mean(key));
            }
        }
    }
}

/// The key of a move whose beginning ends at the vertex of its ending.
#[cold]
fn longer_ending(
    groups: &MoveGroups,
    mut beginning: usize,
    ending: usize,
    vertex: u16,
    keys: &[u64],
) -> u64 {
    let mut actions = Vec::new();
    while let Some((before, step)) = groups.beginning(beginning) {
        if step.vertex != vertex {
            break;
        }
        actions.push(step.action);
        beginning = before;
    }
    let ending = groups.endings[ending].actions.iter().copied();
    let ending = ending_key(actions.into_iter().rev().chain(ending));
    grouped_key(group_key(keys[beginning], ending), vertex)
}

impl Statistic for Join {
    #[inline(always)]
    fn score(&self, player: usize, context: u64, submove: &[Step]) -> f64 {
        self.tables[player].mean(move_key(context, submove))
    }

    fn update(&mut self, player: usize, steps: &[Step], whole: bool, value: f64) {
        if whole {
            self.tables[player].add(move_key(NODAL, steps), value, self.decays);
        }
    }

    fn scores(
        &mut self,
        player: usize,
        context: u64,
        candidates: Candidates<'_>,
        out: &mut Vec<f64>,
    ) {
        match candidates {
            Candidates::Groups(groups) if context == NODAL => {
                out.clear();
                self.group_scores(player, groups, out);
            }
            _ => default_scores(self, player, context, candidates, out),
        }
    }

    fn decay(&mut self) {
        self.decays.count += 1;
    }

    fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum()
    }

    fn freeze(&mut self, frozen: bool) {
        self.tables.iter_mut().for_each(|table| table.freeze(frozen));
    }
}
