//! Evolution of plans: a population of sequences of actions is improved in every tick, and the first action
//! of the best is played (rolling horizon evolution: Perez et al. 2013; microbial: Harvey 2011).
//!
//! An iteration is one plan played once.

use std::cmp::Ordering;

use regulus_game::{Random, World};

use super::budget::Budget;
use super::config::{Evolution, EvolutionKind};
use super::player::Known;
use super::playout;
use super::score::Judge;
use crate::component::selection::greatest;
use crate::numeric::unit;

/// The plans of an agent.
pub(crate) struct Plans<W: World> {
    config: Evolution,
    stage: Stage<W>,
    plans: Vec<Plan<W::Action>>,
    /// The next generation.
    children: Vec<Plan<W::Action>>,
}

/// Where plans are played.
struct Stage<W: World> {
    judge: Judge,
    /// How often a plan is played before it is judged.
    trials: u32,
    /// How often plans that begin with an action were played in this tick, and what came of it, by the
    /// numbers of actions.
    first: Vec<(u64, f64)>,
    /// The state that plans are played on.
    copy: Option<W>,
}

#[derive(Clone)]
struct Plan<A> {
    actions: Vec<A>,
    /// How often it was played since it was changed.
    tries: u32,
    /// What came of it.
    sum: f64,
}

impl<A> Plan<A> {
    /// Better than every other if it is greater; a plan that was never played is the worst.
    fn value(&self) -> f64 {
        if self.tries == 0 { f64::NEG_INFINITY } else { self.sum / f64::from(self.tries) }
    }

    fn changed(&mut self) {
        (self.tries, self.sum) = (0, 0.0);
    }
}

impl<W: World> Stage<W> {
    /// Plays a plan as often as it is to be played before it is judged.
    fn play(
        &mut self,
        plan: &mut Plan<W::Action>,
        world: &W,
        budget: &mut Budget,
        random: &mut Random,
    ) {
        let state = self.copy.get_or_insert_with(|| world.clone());
        for _ in 0..self.trials {
            if !budget.another() {
                break;
            }
            state.clone_from(world);
            state.reseed(random.bits());
            let mut depth = 0;
            for &action in &plan.actions {
                if state.is_over() || (depth > 0 && budget.spent()) {
                    break;
                }
                // What can be done may change on the way.
                let action = if state.actions().contains(&action) { action } else { W::NIL };
                state.advance(action);
                budget.tick();
                depth += 1;
            }
            let value = self.judge.end(state, depth);
            plan.tries += 1;
            plan.sum += value;
            let (visits, sum) = &mut self.first[W::number(plan.actions[0])];
            *visits += 1;
            *sum += value;
            budget.iteration();
        }
    }
}

impl<W: World> Plans<W> {
    /// No plans yet.
    pub fn new(config: Evolution) -> Self {
        let judge = Judge::new(&config.score, config.horizon);
        let stage = Stage { judge, trials: config.trials, first: Vec::new(), copy: None };
        Plans { config, stage, plans: Vec::new(), children: Vec::new() }
    }

    /// Improves the plans for a state that is not over. Gives what is known about its actions: the one to be
    /// played, then the others.
    pub fn evolve(
        &mut self,
        world: &W,
        budget: &mut Budget,
        random: &mut Random,
    ) -> Vec<Known<W::Action>> {
        self.prepare(world, random);
        match self.config.kind {
            EvolutionKind::RollingHorizon { elite, tournament } => {
                for plan in &mut self.plans {
                    self.stage.play(plan, world, budget, random);
                }
                while budget.another() {
                    self.generation(elite as usize, tournament, world, budget, random);
                }
            }
            EvolutionKind::Microbial { recombination } => {
                while budget.another() {
                    self.duel(recombination, world, budget, random);
                }
            }
        }
        self.stage.judge.forget();
        self.known(world, random)
    }

    /// Plans for a new tick: those of the last without their first action, or new ones.
    fn prepare(&mut self, world: &W, random: &mut Random) {
        let size = self.config.population as usize;
        if self.config.shift && self.plans.len() == size {
            for plan in &mut self.plans {
                plan.actions.remove(0);
                plan.actions.push(playout::any(world, random));
                if !world.actions().contains(&plan.actions[0]) {
                    plan.actions[0] = playout::any(world, random);
                }
                plan.changed();
            }
        } else {
            let horizon = self.config.horizon;
            let mut plan = || Plan {
                actions: (0..horizon).map(|_| playout::any(world, random)).collect(),
                tries: 0,
                sum: 0.0,
            };
            self.plans = (0..size).map(|_| plan()).collect();
        }
        self.stage.first.clear();
        self.stage.first.resize(W::ACTIONS, (0, 0.0));
    }

    /// All but the best are replaced by children of two parents each. If there is no time for all children,
    /// those there are replace the worst.
    fn generation(
        &mut self,
        elite: usize,
        tournament: u32,
        world: &W,
        budget: &mut Budget,
        random: &mut Random,
    ) {
        self.plans.sort_by(|a, b| by_value(b.value(), a.value()));
        let count = self.plans.len();
        self.children.resize_with(count - elite, || self.plans[0].clone());
        let mut made = 0;
        for child in &mut self.children {
            if !budget.another() {
                break;
            }
            let mut parent = || {
                // Plans are sorted: the first is the best.
                let drawn = (0..tournament).map(|_| random.below(count as u64) as usize).min();
                drawn.unwrap_or(0)
            };
            let parents = [parent(), parent()];
            for (index, action) in child.actions.iter_mut().enumerate() {
                *action = self.plans[parents[random.below(2) as usize]].actions[index];
            }
            mutate(child, self.config.mutation, world, random);
            self.stage.play(child, world, budget, random);
            made += 1;
        }
        for (plan, child) in self.plans[count - made..].iter_mut().zip(&mut self.children) {
            std::mem::swap(plan, child);
        }
    }

    /// Two plans are played; the worse takes some actions of the better and is changed a little.
    fn duel(&mut self, recombination: f64, world: &W, budget: &mut Budget, random: &mut Random) {
        let count = self.plans.len() as u64;
        let a = random.below(count);
        let b = (a + 1 + random.below(count - 1)) % count;
        let both = self.plans.get_disjoint_mut([a as usize, b as usize]);
        let [mut winner, mut loser] = both.expect("two different plans");
        self.stage.play(winner, world, budget, random);
        self.stage.play(loser, world, budget, random);
        if loser.value() > winner.value() {
            std::mem::swap(&mut winner, &mut loser);
        }
        for (to, from) in loser.actions.iter_mut().zip(&winner.actions) {
            if unit(random) < recombination {
                *to = *from;
            }
        }
        mutate(loser, self.config.mutation, world, random);
    }

    fn known(&self, world: &W, random: &mut Random) -> Vec<Known<W::Action>> {
        let values: Vec<f64> = self.plans.iter().map(Plan::value).collect();
        let chosen = self.plans[greatest(&values, random)].actions[0];
        let known = |&action: &W::Action| {
            let (visits, sum) = self.stage.first[W::number(action)];
            (visits > 0).then(|| Known { action, visits, mean: sum / visits as f64 })
        };
        let mut all: Vec<_> = world.actions().iter().filter_map(known).collect();
        all.sort_by(|a, b| {
            let chosen_first = (b.action == chosen).cmp(&(a.action == chosen));
            chosen_first.then(by_value(b.mean, a.mean))
        });
        all
    }
}

fn by_value(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

fn mutate<W: World>(plan: &mut Plan<W::Action>, probability: f64, world: &W, random: &mut Random) {
    for action in &mut plan.actions {
        if unit(random) < probability {
            *action = playout::any(world, random);
        }
    }
    plan.changed();
}
