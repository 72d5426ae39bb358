//! The move that is played, and what is told about a search.

use regulus_game::{Engine, Step};

use super::Shot;
use super::child::key;
use super::table::NONE;
use crate::action::{NODAL, context_behind};
use crate::final_move::modifiers;
use crate::report::{MAX_VARIATION, MoveReport};

/// A place in the table: a state and the name of its entry.
struct Place<S> {
    state: S,
    key: u64,
    context: u64,
}

impl<E: Engine> Shot<E> {
    fn root(&self) -> Place<E::State> {
        let state = self.sim.position.clone();
        let key = self.sim.engine.hash(&state);
        Place { state, key, context: NODAL }
    }

    /// The place behind a semimove; its key means something only inside the move. Nothing if the semimove is impossible.
    fn behind(&mut self, place: &Place<E::State>, step: Step) -> Option<Place<E::State>> {
        let engine = &mut self.sim.engine;
        let mut state = place.state.clone();
        let undo = engine.apply_step(&mut state, step)?;
        engine.commit(undo);
        let context = context_behind(place.context, step);
        let key = key(engine.hash(&state), false, context);
        Some(Place { state, key, context })
    }

    /// The move to play: what is left at the root, with split moves then what is left behind it, and so on. Nothing if
    /// nothing was found.
    pub(super) fn final_move(&mut self) -> Result<Option<Vec<Step>>, E::Error> {
        if !self.sim.alive {
            return Ok(None);
        }
        let root = self.root();
        let (steps, is_whole) = self.best_steps(root)?;
        match steps.is_empty() {
            true => Ok(None),
            false if is_whole => Ok(Some(modifiers(&steps))),
            // Nothing is known about the rest of the move: it is random.
            false => self.sim.completed(&steps),
        }
    }

    /// The best move of a nodal place as far as it is known, and whether that is all of it.
    fn best_steps(&mut self, mut place: Place<E::State>) -> Result<(Vec<Step>, bool), E::Error> {
        if !self.splits() {
            let Some(best) = self.best(place.key) else { return Ok((Vec::new(), false)) };
            let moves = &mut self.sim.episode.moves;
            self.sim.engine.list(&mut place.state, moves)?;
            let is_known = best < moves.len();
            return Ok((if is_known { moves.get(best).to_vec() } else { Vec::new() }, is_known));
        }
        let (mut steps, mut seen) = (Vec::new(), Vec::new());
        loop {
            seen.push(place.key);
            let mut semimoves = Vec::new();
            self.sim.engine.semimoves(&mut place.state, &mut semimoves)?;
            let best = self.best(place.key).and_then(|best| semimoves.get(best));
            let next = best.and_then(|step| Some((*step, self.behind(&place, *step)?)));
            let Some((step, next)) = next.filter(|(_, next)| !seen.contains(&next.key)) else {
                return Ok((steps, false));
            };
            steps.push(step);
            if self.sim.engine.is_nodal(&next.state) {
                return Ok((steps, true));
            }
            place = next;
        }
    }

    /// The best move of an entry.
    fn best(&self, key: u64) -> Option<usize> {
        let entry = self.table.find(key)?;
        let best = self.table.entry(entry).best;
        (best != NONE && !self.table.stat(entry, best).is_dead()).then_some(best as usize)
    }

    /// What is known about the moves of the position, most playouts first.
    pub(super) fn reports(&mut self) -> Result<Vec<MoveReport>, E::Error> {
        let mut found = Vec::new();
        if self.sim.alive {
            let root = self.root();
            self.collect(root, &mut Vec::new(), &mut Vec::new(), &mut found)?;
        }
        found.sort_by_key(|report| std::cmp::Reverse(report.visits));
        Ok(found)
    }

    fn collect(
        &mut self,
        mut place: Place<E::State>,
        prefix: &mut Vec<Step>,
        seen: &mut Vec<u64>,
        found: &mut Vec<MoveReport>,
    ) -> Result<(), E::Error> {
        let Some(entry) = self.table.find(place.key) else { return Ok(()) };
        let scale = self.sim.scales[self.sim.engine.player(&place.state)];
        let report = |steps: Vec<Step>, stat: &super::table::Stat| MoveReport {
            steps,
            visits: stat.playouts,
            mean: stat.sum * scale / f64::from(stat.playouts.max(1)),
            amaf: None,
            proven: None,
            depth: stat.depth,
        };
        if !self.splits() {
            self.sim.engine.list(&mut place.state, &mut self.sim.episode.moves)?;
            let moves = self.sim.episode.moves.iter().zip(self.table.stats(entry));
            found.extend(moves.map(|(steps, stat)| report(steps.to_vec(), stat)));
            return Ok(());
        }
        if seen.contains(&place.key) {
            return Ok(());
        }
        seen.push(place.key);
        let mut semimoves = Vec::new();
        self.sim.engine.semimoves(&mut place.state, &mut semimoves)?;
        for (i, step) in semimoves.into_iter().enumerate() {
            let stat = match self.table.stats(entry).get(i) {
                Some(stat) if stat.playouts > 0 && !stat.is_dead() => *stat,
                _ => continue,
            };
            let Some(next) = self.behind(&place, step) else { continue };
            prefix.push(step);
            if self.sim.engine.is_nodal(&next.state) {
                found.push(report(modifiers(prefix), &stat));
            } else {
                self.collect(next, prefix, seen, found)?;
            }
            prefix.pop();
        }
        seen.pop();
        Ok(())
    }

    /// The moves that are expected: in every position what was left there.
    pub(super) fn variation(&mut self) -> Result<Vec<Vec<Step>>, E::Error> {
        let mut moves = Vec::new();
        let (mut place, mut alive) = (self.root(), self.sim.alive);
        while alive && moves.len() < MAX_VARIATION {
            let (steps, is_whole) =
                self.best_steps(Place { state: place.state.clone(), ..place })?;
            if !is_whole {
                break;
            }
            let steps = modifiers(&steps);
            self.sim.engine.apply(&mut place.state, &steps);
            alive = self.sim.engine.run_keeper(&mut place.state)?;
            place.key = self.sim.engine.hash(&place.state);
            moves.push(steps);
        }
        Ok(moves)
    }
}
