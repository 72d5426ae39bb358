//! What whole moves are called, the same name whether a move comes in groups or as a list of steps: the steps
//! before its ending, the actions of its ending, and the vertex at which these happen.

use regulus_game::{Group, MoveGroups, Step, same_vertex_from};

use crate::action::{Actions, NODAL, ending_key, extended, group_key, lead_key};

/// Names of endings and groups.
#[derive(Default)]
pub(crate) struct Names {
    /// What endings are called here.
    pub(crate) endings: Vec<EndingName>,
    /// The numbers of their keys.
    pub(crate) numbers: Actions,
    /// For every action, whether it can lead to an ending elsewhere.
    leads: Vec<bool>,
    /// The keys of the beginnings of the groups that are looked at.
    pub(crate) beginnings: Vec<u64>,
    /// The positions of vertices in sets.
    pub(crate) positions: Vec<u16>,
    /// Of how many vertices.
    vertices: usize,
}

/// What an ending is called.
pub(crate) struct EndingName {
    key: u64,
    pub(crate) number: u32,
    /// Whether an action elsewhere leads to it.
    leads: bool,
}

impl Names {
    /// Gets to know endings and vertices; true if the vertices are new.
    pub(crate) fn prepare(&mut self, groups: &MoveGroups) -> bool {
        let new = self.vertices != groups.vertices.len();
        if new {
            self.vertices = groups.vertices.len();
            let last = groups.vertices.iter().max().map_or(0, |v| usize::from(*v));
            self.positions = vec![0; last + 1];
            for (position, vertex) in groups.vertices.iter().enumerate() {
                self.positions[usize::from(*vertex)] = position as u16;
            }
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
        new
    }

    /// The steps of a whole move before its ending, and the key of the ending.
    pub(crate) fn taken_apart<'s>(&self, steps: &'s [Step]) -> (&'s [Step], u64) {
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

    /// The keys of all beginnings of some groups.
    pub(crate) fn find_keys(&mut self, groups: &MoveGroups) {
        self.beginnings.clear();
        self.beginnings.push(NODAL);
        for i in 1..groups.beginning_count() {
            if let Some((before, step)) = groups.beginning(i) {
                self.beginnings.push(extended(self.beginnings[before], step));
            }
        }
    }

    #[inline(always)]
    pub(crate) fn key(&self, group: Group<'_>) -> u64 {
        group_key(self.beginnings[group.beginning], self.endings[group.ending].key)
    }

    /// The move of a group that ends at the vertex at which its beginning ends, if there is one: the actions
    /// there belong together, so its key is not like the others'.
    #[inline(always)]
    pub(crate) fn special(&self, groups: &MoveGroups, group: Group<'_>) -> Option<usize> {
        if group.beginning == 0 || self.endings[group.ending].leads {
            return None;
        }
        let last = groups.last_position(group.beginning)?;
        (group.set[last / 64] >> (last % 64) & 1 == 1).then_some(last)
    }

    /// What comes before the last steps of a beginning that are at a position, and the key of these.
    pub(crate) fn run(
        &self,
        groups: &MoveGroups,
        beginning: usize,
        position: usize,
    ) -> (usize, u64) {
        match groups.beginning(beginning) {
            Some((before, step)) if groups.last_position(beginning) == Some(position) => {
                let (start, key) = self.run(groups, before, position);
                (start, ending_key(key, &[step.action]))
            }
            _ => (beginning, 0),
        }
    }
}

/// The steps of a move that was made in a split tree, as they are in any tree.
pub(crate) fn without_split_points(steps: &[Step]) -> Vec<Step> {
    steps.iter().copied().filter(|step| step.is_modifier()).collect()
}
