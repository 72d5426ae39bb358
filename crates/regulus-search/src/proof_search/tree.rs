//! A proof search beside a tree: it goes on in every iteration, and what it has found comes into the tree.

use regulus_game::{Engine, Step};

use super::{Prover, Stage};
use crate::episode::Episode;
use crate::final_move::modifiers;
use crate::outcomes::Outcomes;
use crate::record::Record;
use crate::simulator::Simulator;
use crate::solver::Solver;
use crate::tree::{Node, Tree};

/// Proof search at work.
pub(crate) struct ProofSearch<E: Engine> {
    /// States in an iteration.
    states: u32,
    memory: usize,
    outcomes: Outcomes,
    /// The search, once it has begun.
    prover: Option<Prover<E>>,
    /// The best move of the position, if it is known.
    pub(crate) proven_move: Option<Vec<Step>>,
}

impl<E: Engine> ProofSearch<E> {
    /// With `states` states in an iteration of a search that has `memory` bytes.
    pub(crate) fn new(states: u32, memory: usize, outcomes: Outcomes) -> Self {
        ProofSearch { states, memory, outcomes, prover: None, proven_move: None }
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.prover.as_ref().map_or(0, Prover::bytes)
    }

    /// The position is another one.
    pub(crate) fn next_turn(&mut self) {
        self.proven_move = None;
        if let Some(prover) = &mut self.prover {
            prover.begin();
        }
    }

    /// Goes on by as many states as an iteration may have.
    pub(crate) fn go_on(&mut self, sim: &mut Simulator<E>) -> Result<(), E::Error> {
        let new = || Prover::new(&sim.engine, self.memory, self.outcomes.clone());
        let prover = self.prover.get_or_insert_with(new);
        if prover.stage != Stage::Done {
            let taken = prover.go_on(&mut sim.engine, &sim.position, u64::from(self.states))?;
            sim.totals.states += taken;
            if prover.stage == Stage::Done
                && let Some(number) = prover.proven()
            {
                let Episode { state, moves, .. } = &mut sim.episode;
                state.clone_from(&sim.position);
                sim.engine.list(state, moves)?;
                self.proven_move = moves.iter().nth(number as usize).map(<[Step]>::to_vec);
            }
        }
        Ok(())
    }

    /// The iteration has come to a nodal state by the last edge of its path; true if all scores behind it are known.
    pub(crate) fn take(&self, sim: &Simulator<E>, tree: &mut Tree, solver: &mut Solver) -> bool {
        let Some(prover) = &self.prover else { return false };
        let Some(edge) = sim.episode.last_edge() else { return false };
        let Some(mut bounds) = prover.known(&sim.engine, &sim.episode.state) else { return false };
        for (bound, old) in bounds.iter_mut().zip(tree.bounds_of(edge)) {
            *bound = bound.and(*old);
        }
        solver.set_bounds(tree, &sim.episode.path, &bounds);
        tree.is_proven(edge)
    }

    /// The edge of a node towards the best move, if that is known and not in the tree yet.
    pub(crate) fn towards(&self, record: &Record, tree: &Tree, n: Node) -> Option<u32> {
        let best = self.proven_move.as_ref()?;
        let begun = modifiers(&record.steps);
        // Behind the first move selection is free again.
        let rest = best.strip_prefix(begun.as_slice()).filter(|rest| !rest.is_empty())?;
        let leads_there = |e: &u32| {
            let submove = modifiers(tree.submove(*e));
            !submove.is_empty() && rest.starts_with(&submove)
        };
        // Once it is in the tree, others may still have to be shown to be no better.
        (n.first..n.first + n.count).find(leads_there).filter(|e| !tree.is_proven(*e))
    }
}
