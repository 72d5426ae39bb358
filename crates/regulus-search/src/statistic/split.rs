//! MAST-split: a score for every semimove.

use regulus_game::Step;

use super::table::{Decays, Grid};
use super::{Entry, Statistic};

pub(super) const ENTRY: Entry = Entry {
    name: "split",
    summary: "a score for every semimove; a longer submove has the mean of its semimoves",
    scores_semimoves: true,
    make: |_, players, factor| Box::new(Split::new(players, factor)),
};

pub(super) struct Split {
    grids: Vec<Grid>,
    decays: Decays,
}

impl Split {
    pub(super) fn new(players: usize, factor: f64) -> Self {
        Split { grids: vec![Grid::default(); players + 1], decays: Decays { count: 0, factor } }
    }
}

impl Statistic for Split {
    /// The mean of the scores of the semimoves; the highest score if one of them was never tried.
    #[inline(always)]
    fn score(&self, player: usize, _context: u64, submove: &[Step]) -> f64 {
        let grid = &self.grids[player];
        if let [step] = submove {
            return grid.get(*step).mean().unwrap_or(1.0);
        }
        let mut sum = 0.0;
        for step in submove {
            match grid.get(*step).mean() {
                Some(mean) => sum += mean,
                None => return 1.0,
            }
        }
        sum / submove.len() as f64
    }

    fn update(&mut self, player: usize, steps: &[Step], _whole: bool, value: f64) {
        let grid = &mut self.grids[player];
        steps.iter().for_each(|step| grid.add(*step, value, self.decays));
    }

    fn decay(&mut self) {
        self.decays.count += 1;
    }

    fn decay_played(&mut self, player: usize, steps: &[Step], _whole: bool) {
        let grid = &mut self.grids[player];
        steps.iter().for_each(|step| grid.decay(*step));
    }

    fn bytes(&self) -> usize {
        self.grids.iter().map(Grid::bytes).sum()
    }

    /// The domain of semimoves is small.
    fn freeze(&mut self, _: bool) {}
}
