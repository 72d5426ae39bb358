//! One step of looking ahead: every action is tried once, and the best next state counts.

use regulus_game::{Random, World};

use super::budget::Budget;
use super::player::Known;
use super::score::Judge;

/// What is known about the actions of a state, best first; equals are in any order.
pub(crate) fn look<W: World>(
    world: &W,
    judge: &mut Judge,
    budget: &mut Budget,
    random: &mut Random,
) -> Vec<Known<W::Action>> {
    let mut actions = world.actions().to_vec();
    for index in (1..actions.len()).rev() {
        actions.swap(index, random.below(index as u64 + 1) as usize);
    }
    // The same random numbers for all, so that actions differ by what they do only.
    let seed = random.bits();
    let mut state = world.clone();
    let mut known = Vec::with_capacity(actions.len());
    for action in actions {
        if !budget.another() {
            break;
        }
        state.clone_from(world);
        state.reseed(seed);
        state.advance(action);
        budget.tick();
        budget.iteration();
        known.push(Known { action, visits: 1, mean: judge.end(&state, 1) });
    }
    known.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    known
}
