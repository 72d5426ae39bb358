//! Which action is played in the end (GVGAI-THESIS Algorithm 3.1, line 12).

use std::cmp::{Ordering, Reverse};

use regulus_game::{Random, World};

use super::config::FinalChoice;
use super::mcts::Search;
use super::player::Known;
use super::tree::ROOT;

impl<W: World> Search<W> {
    /// What is known about the actions of the root, best first; equals are in any order.
    pub fn known(&self, root: &W, random: &mut Random) -> Vec<Known<W::Action>> {
        let known = |action: W::Action| {
            let node = self.tree.node(self.tree.child(ROOT, action)?);
            let visits = u64::from(node.visits);
            (visits > 0).then(|| Known { action, visits, mean: node.mean() })
        };
        let mut all: Vec<_> = root.actions().iter().filter_map(|action| known(*action)).collect();
        sort(&mut all, self.config.final_choice, random);
        if let Some(trail) = &self.trail {
            let position =
                |action| self.tree.child(ROOT, action).and_then(|c| self.tree.position(c));
            all.sort_by_key(|known| trail.forbids(position(known.action)));
        }
        if let Some(allocation) = self.allocation.as_ref().filter(|a| a.decides()) {
            let number = |action| root.actions().iter().position(|a| *a == action);
            let survived = |action| number(action).map(|number| allocation.survived(number));
            all.sort_by_key(|known| Reverse(survived(known.action)));
        }
        all
    }
}

fn sort<A>(all: &mut [Known<A>], choice: FinalChoice, random: &mut Random) {
    for index in (1..all.len()).rev() {
        all.swap(index, random.below(index as u64 + 1) as usize);
    }
    all.sort_by(|a, b| {
        let by_visits = b.visits.cmp(&a.visits);
        let by_mean = b.mean.partial_cmp(&a.mean).unwrap_or(Ordering::Equal);
        match choice {
            FinalChoice::Mean => by_mean.then(by_visits),
            FinalChoice::MostVisited => by_visits.then(by_mean),
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(choice: FinalChoice, known: [(u64, f64); 3]) -> Vec<usize> {
        let entry = |(action, (visits, mean))| Known { action, visits, mean };
        let mut all: Vec<_> = known.into_iter().enumerate().map(entry).collect();
        sort(&mut all, choice, &mut Random::new(5));
        all.iter().map(|known| known.action).collect()
    }

    #[test]
    fn the_other_criterion_breaks_ties() {
        assert_eq!(order(FinalChoice::Mean, [(5, 0.5), (9, 0.5), (2, 0.7)]), [2, 1, 0]);
        assert_eq!(order(FinalChoice::MostVisited, [(5, 0.5), (9, 0.1), (5, 0.7)]), [1, 2, 0]);
    }
}
