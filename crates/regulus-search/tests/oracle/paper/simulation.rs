//! Simulations: Algorithm 1 and the moves of Algorithm 5.

use regulus_game::{Engine, GroupedMove, MoveGroups, Step};
use regulus_search::config::{Mast, SimulationDesign, Variant};

use super::sequences::Action;
use super::{Applied, Paper, Submove, concatenate};

impl<E: Engine> Paper<E> {
    /// SEMISPLITSIMULATION (Algorithm 1) or an orthodox one, from a nodal state after the keeper.
    pub(super) fn simulation(&mut self, state: &mut E::State, applied: &mut Vec<Applied>) {
        let split = self.config.simulation == SimulationDesign::Semisplit;
        let mast = self.config.mast;
        let guided = mast.is_some_and(|m| m.in_playouts) || self.learns_something();
        let recorded = self.config.rave.is_some() || mast.is_some_and(|m| !m.tree_only);
        if !guided && !recorded {
            self.engine.playout(state, split, &mut self.random).expect("playout");
            return;
        }
        loop {
            let player = self.engine.player(state);
            let found = if split {
                let guide = self.semimove_guide();
                let history = self.history_of_semimoves(applied);
                self.semisplit_move(&state.clone(), &[], guide, &mut Vec::new(), history)
            } else if self.learns_something() {
                self.learned_move(state, &self.actions(applied))
            } else {
                self.orthodox_move(state, player)
            };
            let Some(steps) = found else { return };
            self.engine.apply(state, &steps);
            applied.push(Applied { player, steps, in_tree: 0 });
            if !self.engine.run_keeper(state).expect("keeper") {
                return;
            }
        }
    }

    /// A move of the engine's groups, in their order, drawn from all of them; one that turns out to be
    /// illegal is put aside.
    fn orthodox_move(&mut self, state: &mut E::State, player: usize) -> Option<Submove> {
        let guide = self.config.mast.filter(|m| m.in_playouts);
        let guide = guide.filter(|mast| !self.ignores_scores(mast.policy));
        let mut groups = MoveGroups::default();
        self.engine.groups(state, &mut groups).expect("moves");
        let mut all: Vec<(GroupedMove, Submove)> = (0..groups.len())
            .map(|number| {
                let it = groups.nth(number).expect("a move");
                let mut steps = Vec::new();
                groups.push_steps(it, &mut steps);
                (it, steps)
            })
            .collect();
        while !all.is_empty() {
            let chosen = match &guide {
                Some(_) if all.len() == 1 => 0,
                Some(mast) => {
                    let moves: Vec<Submove> = all.iter().map(|(_, steps)| steps.clone()).collect();
                    self.choose_by_scores(mast, player, &[], &moves)
                }
                None => self.random.below(all.len() as u64) as usize,
            };
            let (it, steps) = all.remove(chosen);
            let mut tried = state.clone();
            if self.engine.apply_grouped(&mut tried, &groups, it, &mut Vec::new()).expect("a move")
            {
                return Some(steps);
            }
        }
        None
    }

    /// What chooses among semimoves in simulations.
    pub(super) fn semimove_guide(&self) -> Option<Mast> {
        let joined = self.resolved_mast() == Some(Variant::Join);
        self.config.mast.filter(|m| m.in_playouts && !joined)
    }

    /// The actions so far, if semimoves are what is learned.
    pub(super) fn history_of_semimoves(&self, applied: &[Applied]) -> Option<Vec<Action>> {
        let split = self.config.simulation == SimulationDesign::Semisplit;
        (split && self.learns_something()).then(|| self.actions(applied))
    }

    /// SEMISPLITRANDOMMOVE (Algorithm 1), SEMISPLITMASTMOVE (Algorithm 5). `passed` has the split points since the
    /// last modifier, `history` what learned policies go by.
    pub(super) fn semisplit_move(
        &mut self,
        state: &E::State,
        context: &[Step],
        guide: Option<Mast>,
        passed: &mut Vec<Step>,
        history: Option<Vec<Action>>,
    ) -> Option<Submove> {
        let mut semimoves = Vec::new();
        self.engine.semimoves(&mut state.clone(), &mut semimoves).expect("semimoves");
        let player = self.engine.player(state);
        while !semimoves.is_empty() {
            let candidates: Vec<Submove> = semimoves.iter().map(|s| vec![*s]).collect();
            let chosen = match &history {
                Some(history) => self.choose_learned(guide, history, player, context, &candidates),
                None => self.choose(guide, player, context, &candidates),
            };
            let a = semimoves.swap_remove(chosen);
            if !a.is_modifier() {
                if passed.contains(&a) {
                    continue;
                }
                passed.push(a);
            }
            let mut next = state.clone();
            let Some(undo) = self.engine.apply_step(&mut next, a) else { continue };
            self.engine.commit(undo);
            if self.engine.is_nodal(&next) {
                return Some(vec![a]);
            }
            let behind = concatenate(context, &[a]);
            let history = history.clone().map(|mut history| {
                history.push((player, vec![a]));
                history
            });
            let found = if a.is_modifier() {
                self.semisplit_move(&next, &behind, guide, &mut Vec::new(), history)
            } else {
                self.semisplit_move(&next, &behind, guide, passed, history)
            };
            if let Some(rest) = found {
                let mut whole = vec![a];
                whole.extend(rest);
                return Some(whole);
            }
        }
        None
    }
}
