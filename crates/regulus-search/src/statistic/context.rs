//! MAST-context: a score for every submove from a nodal state on.

use regulus_game::Step;

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
}

impl Context {
    pub(super) fn new(players: usize, factor: f64) -> Self {
        Context { tables: vec![Table::default(); players + 1], decays: Decays { count: 0, factor } }
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
        for step in steps {
            self.tables[player].add(extended(context, *step), value, self.decays);
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

    fn freeze(&mut self, frozen: bool) {
        self.tables.iter_mut().for_each(|table| table.freeze(frozen));
    }
}
