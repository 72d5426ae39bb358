//! MAST-context: a score for every submove from a nodal state on.

use regulus_game::Step;

use super::collision::Collisions;
use super::table::{Average, Decays, Table};
use super::{Entry, Statistic};
use crate::action::{NODAL, context_behind, extended, submove_key};

pub(super) const ENTRY: Entry = Entry {
    name: "context",
    summary: "a score for every submove from the last nodal state on",
    scores_semimoves: true,
    make: |_, players, factor| Box::new(Context::new(players, factor)),
};

pub(super) struct Context {
    tables: Vec<Table>,
    pub(super) decays: Decays,
    /// What keys stand for, in debug builds.
    actions: Collisions,
}

impl Context {
    pub(super) fn new(players: usize, factor: f64) -> Self {
        let (tables, decays) = (vec![Table::default(); players + 1], Decays { count: 0, factor });
        Context { tables, decays, actions: Collisions::default() }
    }

    #[inline]
    pub(super) fn average(&self, player: usize, context: u64, submove: &[Step]) -> &Average {
        self.tables[player].get(submove_key(context, submove))
    }
}

impl Statistic for Context {
    #[inline(always)]
    fn score(&self, player: usize, context: u64, submove: &[Step]) -> f64 {
        self.tables[player].mean(submove_key(context, submove))
    }

    /// The move and each of its prefixes.
    fn update(&mut self, player: usize, steps: &[Step], _whole: bool, value: f64) {
        let mut context = NODAL;
        for (i, step) in steps.iter().enumerate() {
            let key = extended(context, *step);
            self.tables[player].add(key, value, self.decays);
            // Tables give the lowest bit away. Split points before the last step do not count.
            let before = steps[..i].iter().filter(|step| step.is_modifier());
            self.actions.note(key | 1, before.chain([step]).copied());
            context = context_behind(context, *step);
        }
    }

    fn decay(&mut self) {
        self.decays.count += 1;
    }

    fn decay_played(&mut self, player: usize, steps: &[Step], _whole: bool) {
        let mut context = NODAL;
        for step in steps {
            self.tables[player].decay(extended(context, *step));
            context = context_behind(context, *step);
        }
    }

    fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum()
    }

    fn collisions(&self) -> u64 {
        self.actions.count()
    }

    fn freeze(&mut self, frozen: bool) {
        self.tables.iter_mut().for_each(|table| table.freeze(frozen));
    }
}
