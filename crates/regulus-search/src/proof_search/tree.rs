//! What a proof search has found, in the tree.

use regulus_game::{Engine, Step};

use super::{Prover, Stage};
use crate::final_move::modifiers;
use crate::search::Search;
use crate::tree::Node;

impl<E: Engine> Search<E> {
    /// Goes on with the proof search by as many states as an iteration may have.
    pub(crate) fn search_proof(&mut self) -> Result<(), E::Error> {
        let states = self.config.tree_policy.proof_search;
        if states == 0 {
            return Ok(());
        }
        let new = || Prover::new(&self.engine, self.config.memory, self.outcomes.clone());
        let mut prover = self.prover.take().unwrap_or_else(new);
        if prover.stage != Stage::Done {
            let taken = prover.go_on(&mut self.engine, &self.position, u64::from(states))?;
            self.totals.states += taken;
            if prover.stage == Stage::Done {
                self.proven_move = self.move_by_number(prover.proven())?;
            }
        }
        self.prover = Some(prover);
        Ok(())
    }

    fn move_by_number(&mut self, number: Option<u32>) -> Result<Option<Vec<Step>>, E::Error> {
        let Some(number) = number else { return Ok(None) };
        self.state.clone_from(&self.position);
        self.engine.list(&mut self.state, &mut self.moves)?;
        let found = self.moves.iter().nth(number as usize);
        Ok(found.map(<[Step]>::to_vec))
    }

    /// The iteration has come to a nodal state by the last edge of its path; true if all scores behind it are known.
    pub(crate) fn take_proof(&mut self) -> bool {
        let Some(prover) = &self.prover else { return false };
        let Some(edge) = self.path.last().map(|passed| passed.edge) else { return false };
        let Some(mut bounds) = prover.known(&self.engine, &self.state) else { return false };
        for (bound, old) in bounds.iter_mut().zip(self.tree.bounds_of(edge)) {
            *bound = bound.and(*old);
        }
        self.set_bounds(edge, &bounds);
        self.is_proven(edge)
    }

    /// The edge of a node towards the best move, if that is known and not in the tree yet.
    pub(crate) fn towards_proof(&self, n: Node) -> Option<u32> {
        let best = self.proven_move.as_ref()?;
        let begun = modifiers(&self.record.steps);
        // Behind the first move selection is free again.
        let rest = best.strip_prefix(begun.as_slice()).filter(|rest| !rest.is_empty())?;
        let leads_there = |e: &u32| {
            let submove = modifiers(self.tree.submove(*e));
            !submove.is_empty() && rest.starts_with(&submove)
        };
        // Once it is in the tree, others may still have to be shown to be no better.
        (n.first..n.first + n.count).find(leads_there).filter(|e| !self.is_proven(*e))
    }
}
