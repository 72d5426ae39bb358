//! Making a move of a frame, and playing out behind it.

use regulus_game::Engine;

use super::visit::Visit;
use super::{Frame, Shot};
use crate::action::{NODAL, context_behind, extended};
use crate::turn::Turn;

impl<E: Engine> Shot<E> {
    /// The position becomes the first frame.
    pub(super) fn prepare_root(&mut self) {
        if self.frames.is_empty() {
            self.frames.push(Frame::new(&self.sim.position));
        }
        let root = &mut self.frames[0];
        root.state.clone_from(&self.sim.position);
        root.alive = self.sim.alive;
        root.nodal = true;
        root.player = self.sim.engine.player(&root.state);
        root.key = self.sim.engine.hash(&root.state);
        root.context = NODAL;
        self.steps.clear();
        self.moves.clear();
        self.moves.push((root.player as u8, 0));
        root.ends = (0, 1);
    }

    /// Makes a move or semimove of a frame in the next one; false if that is impossible.
    pub(super) fn descend(&mut self, depth: usize, chosen: u32) -> Result<bool, E::Error> {
        if self.frames.len() == depth + 1 {
            self.frames.push(Frame::new(&self.sim.position));
        }
        let splits = self.splits();
        let (above, below) = self.frames.split_at_mut(depth + 1);
        let (here, below) = (&above[depth], &mut below[0]);
        let engine = &mut self.sim.engine;
        below.state.clone_from(&here.state);
        if splits {
            let step = here.semimoves[chosen as usize];
            let Some(undo) = engine.apply_step(&mut below.state, step) else { return Ok(false) };
            engine.commit(undo);
            self.steps.push(step);
            below.context = context_behind(here.context, step);
        } else {
            let steps = here.moves.get(chosen as usize);
            engine.apply(&mut below.state, steps);
            self.steps.extend_from_slice(steps);
        }
        self.sim.totals.states += 1;
        below.nodal = engine.is_nodal(&below.state);
        below.alive = true;
        if below.nodal {
            self.sim.totals.nodal_states += 1;
            below.context = NODAL;
            below.alive = engine.run_keeper(&mut below.state)?;
            self.moves.push((engine.player(&below.state) as u8, self.steps.len() as u32));
        }
        below.player = engine.player(&below.state);
        below.key = key(engine.hash(&below.state), below.nodal, below.context);
        below.ends = (self.steps.len(), self.moves.len());
        Ok(true)
    }

    /// Forgets what was done behind a frame.
    pub(super) fn ascend(&mut self, depth: usize) {
        let (steps, moves) = self.frames[depth].ends;
        self.steps.truncate(steps);
        self.moves.truncate(moves);
    }

    /// The search's state and record become those of a frame.
    fn begin_playout(&mut self, depth: usize) {
        let record = &mut self.sim.episode.record;
        record.clear();
        record.steps.extend_from_slice(&self.steps);
        record.moves.extend_from_slice(&self.moves);
        record.in_tree = record.steps.len();
        self.sim.episode.state.clone_from(&self.frames[depth].state);
        // Nobody asks for the hash of what follows.
        self.sim.engine.forget_hash(&mut self.sim.episode.state);
    }

    /// The scores of the state that a playout has come to count for the frame and for MAST.
    fn end_playout(&mut self, depth: usize, moves: u64, turn: &mut Turn<'_>) {
        let sim = &mut self.sim;
        sim.take_points();
        sim.update_mast(|| 0);
        self.frames[depth].found.add(1, sim.episode.points.iter().copied());
        sim.totals.iterations += 1;
        sim.totals.depth_sum += moves;
        sim.totals.max_depth = sim.totals.max_depth.max(moves);
        self.look(turn);
    }

    /// A playout behind a move or semimove of a frame; false if it leads to no move.
    pub(super) fn play_out_behind(
        &mut self,
        depth: usize,
        chosen: u32,
        turn: &mut Turn<'_>,
    ) -> Result<bool, E::Error> {
        self.begin_playout(depth);
        if self.splits() {
            let Frame { semimoves, context, .. } = &self.frames[depth];
            let step = semimoves[chosen as usize];
            let behind = context_behind(*context, step);
            let Some(undo) = self.sim.apply_semimove(step) else { return Ok(false) };
            let is_alive = self.sim.engine.is_nodal(&self.sim.episode.state)
                || self.sim.complete_move(behind)?;
            if !is_alive {
                self.sim.engine.undo(&mut self.sim.episode.state, undo);
                return Ok(false);
            }
            self.sim.engine.commit(undo);
        } else {
            let steps = self.frames[depth].moves.get(chosen as usize);
            self.sim.engine.apply(&mut self.sim.episode.state, steps);
            self.sim.episode.record.steps.extend_from_slice(steps);
            self.sim.totals.states += 1;
        }
        self.sim.episode.record.in_tree = self.sim.episode.record.steps.len();
        if self.sim.arrive()? {
            self.sim.simulate()?;
        }
        self.end_playout(depth, self.moves.len() as u64, turn);
        Ok(true)
    }

    /// The whole budget of a frame as playouts from its position on.
    pub(super) fn play_out(
        &mut self,
        depth: usize,
        budget: u64,
        turn: &mut Turn<'_>,
    ) -> Result<Visit, E::Error> {
        let mut visit = Visit::default();
        while visit.used < budget && !turn.is_over() {
            self.begin_playout(depth);
            let before = self.sim.totals.nodal_states;
            let Frame { nodal, context, .. } = self.frames[depth];
            if nodal {
                self.sim.simulate()?;
                if self.sim.totals.nodal_states == before {
                    // The game was over already.
                    return Ok(self.end_here(depth, budget));
                }
            } else {
                if !self.sim.complete_move(context)? {
                    return Ok(Visit { is_dead: true, ..visit });
                }
                if self.sim.arrive()? {
                    self.sim.simulate()?;
                }
            }
            visit.used += 1;
            self.end_playout(depth, self.moves.len() as u64 - 1, turn);
        }
        Ok(visit)
    }
}

/// The name of an entry.
pub(super) fn key(hash: u64, nodal: bool, context: u64) -> u64 {
    if nodal { hash } else { extended(hash ^ context, regulus_game::Step { action: 0, vertex: 0 }) }
}
