//! MAST-join: a score for every whole move; what MAST is in orthodox design.

use regulus_game::Step;

use super::table::{Decays, Table};
use super::{Entry, Statistic};
use crate::action::{NODAL, submove_key};

pub(super) const ENTRY: Entry = Entry {
    name: "join",
    summary: "a score for every whole move",
    scores_semimoves: false,
    make: |_, players, factor| Box::new(Join::new(players, factor)),
};

struct Join {
    tables: Vec<Table>,
    decays: Decays,
}

impl Join {
    fn new(players: usize, factor: f64) -> Self {
        Join { tables: vec![Table::default(); players + 1], decays: Decays { count: 0, factor } }
    }
}

impl Statistic for Join {
    #[inline(always)]
    fn score(&self, player: usize, context: u64, submove: &[Step]) -> f64 {
        self.tables[player].mean(submove_key(context, submove))
    }

    fn update(&mut self, player: usize, steps: &[Step], whole: bool, value: f64) {
        if whole {
            self.tables[player].add(submove_key(NODAL, steps), value, self.decays);
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
