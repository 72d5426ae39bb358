//! Simulations: to the end of the game by moves or by semimoves, at random or by MAST (THESIS Algorithms
//! 1 and 5). Where neither scores nor a record of the moves are needed, the engine plays by itself.

use regulus_game::{Engine, MAX_GAME_MOVES, Step};

use crate::action::{NODAL, context_behind};
use crate::learning::Learner;
use crate::mast::{MastState, choose};
use crate::simulator::Simulator;
use crate::statistic::Candidates;

/// The semimoves of one intermediate state of a move that is being completed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Level {
    /// All of them.
    pub(crate) all: Vec<Step>,
    /// Those not drawn yet.
    rest: Vec<Step>,
    /// The context behind which they stand.
    context: u64,
    /// Where the split points since the last modifier begin: where split points stand in a loop, coming to
    /// one again would lead to nothing new, and a walk among them might never end.
    since: usize,
    /// How many split points had been passed when the last one was drawn.
    points: usize,
    /// How many choices the learner knew before that.
    choices: usize,
}

fn in_playouts(mast: &&mut MastState) -> bool {
    mast.settings.in_playouts
}

impl<E: Engine> Simulator<E> {
    /// SIMULATION from a nodal state after the keeper, whose player has been recorded.
    pub(crate) fn simulate(&mut self) -> Result<(), E::Error> {
        let (mut guided, mut recorded) = (false, self.config.rave.is_some());
        if let Some(mast) = &self.mast {
            guided = mast.settings.in_playouts;
            recorded |= !mast.settings.tree_only;
        }
        self.settle_choices();
        if let Some(learner) = &mut self.learner {
            guided = true;
            learner.forget_unmade();
        }
        let split = self.split_simulation();
        if !guided && !recorded {
            let length = self.engine.playout(&mut self.episode.state, split, &mut self.random)?;
            self.totals.nodal_states += length;
            self.totals.states += length;
            return Ok(());
        }
        for _ in 0..MAX_GAME_MOVES {
            let moved = match split {
                true => self.complete_move(NODAL)?,
                false if self.learner.is_some() => self.draw_learned()?,
                false => self.draw_move()?,
            };
            if !moved || !self.arrive()? {
                return Ok(());
            }
        }
        Err(self.engine.endless())
    }

    /// Draws a whole move and applies it; false if there is none. A move that turns out to be illegal is
    /// put aside and the others are drawn from again: they keep their chances.
    fn draw_move(&mut self) -> Result<bool, E::Error> {
        let mut guide = self.mast.as_mut().filter(in_playouts);
        // What epsilon decides at random needs no scores.
        if guide.as_mut().is_some_and(|mast| mast.choice.ignores_scores(&mut self.random)) {
            guide = None;
        }
        self.engine.groups(&mut self.episode.state, &mut self.episode.groups)?;
        let player = self.engine.player(&self.episode.state);
        let (mut left, mut by_best) = (0, false);
        match &mut guide {
            Some(mast) if mast.choice.is_greedy() => by_best = true,
            Some(mast) => {
                let candidates = Candidates::Groups(&self.episode.groups);
                mast.statistic.scores(player, NODAL, candidates, &mut self.episode.scores);
                left = self.episode.scores.len();
            }
            None => left = self.episode.groups.len(),
        }
        while left > 0 || by_best {
            let (mut number, random) = (0, &mut self.random);
            let chosen = match &mut guide {
                Some(mast) if by_best => {
                    let (groups, scores) = (&self.episode.groups, &mut self.episode.scores);
                    mast.statistic.best(player, groups, scores, random)
                }
                Some(mast) => {
                    if left > 1 {
                        number = mast.choice.choose(&self.episode.scores, random);
                    }
                    self.episode.groups.nth(number)
                }
                None => self.episode.groups.nth(random.below(left as u64) as usize),
            };
            let Some(chosen) = chosen else { return Ok(false) };
            let (state, steps) = (&mut self.episode.state, &mut self.episode.record.steps);
            if self.engine.apply_grouped(state, &self.episode.groups, chosen, steps)? {
                self.totals.states += 1;
                let group = self.episode.groups.group(chosen.group);
                let alone = (group.beginning == 0).then_some(group.ending as u32);
                let vertex = self.episode.groups.vertices[chosen.position];
                self.episode.record.note_ending(alone.map(|ending| (ending, vertex)));
                return Ok(true);
            }
            self.episode.groups.remove(chosen);
            if guide.is_some() && !by_best {
                self.episode.scores.remove(number);
            }
            left = left.saturating_sub(1);
        }
        Ok(false)
    }

    /// SEMISPLITRANDOMMOVE, or SEMISPLITMASTMOVE: completes a move, or makes a whole one, and records
    /// its steps. False, with everything as before, if the state is dead. A move may have thousands of
    /// semimoves, so that the way is not on the stack.
    pub(crate) fn complete_move(&mut self, context: u64) -> Result<bool, E::Error> {
        let outcome = self.draw_completion(context);
        // What was drawn stays, or nobody will ask for it again.
        while let Some(undo) = self.episode.undos.pop() {
            self.engine.commit(undo);
        }
        outcome
    }

    fn draw_completion(&mut self, context: u64) -> Result<bool, E::Error> {
        self.episode.split_points.clear();
        let mut modifiers = self.episode.record.modifiers();
        let mut depth = 0;
        self.begin_level(depth, context, 0)?;
        loop {
            let mut level = std::mem::take(&mut self.episode.levels[depth]);
            let drawn = self.draw_semimove(&mut level);
            let (context, since) = (level.context, level.since);
            self.episode.levels[depth] = level;
            let Some(step) = drawn else {
                let Some(above) = depth.checked_sub(1) else { return Ok(false) };
                depth = above;
                modifiers -= usize::from(self.take_back_semimove(depth));
                continue;
            };
            if self.engine.is_nodal(&self.episode.state) {
                return Ok(true);
            }
            let mut since = since;
            if step.is_modifier() {
                since = self.episode.split_points.len();
                modifiers += 1;
                self.engine.check_length(modifiers)?;
            }
            depth += 1;
            self.begin_level(depth, context_behind(context, step), since)?;
        }
    }

    /// Lists the semimoves of the current state as those of a level.
    fn begin_level(&mut self, depth: usize, context: u64, since: usize) -> Result<(), E::Error> {
        if self.episode.levels.len() <= depth {
            self.episode.levels.resize_with(depth + 1, Level::default);
        }
        let level = &mut self.episode.levels[depth];
        (level.context, level.since) = (context, since);
        self.engine.semimoves(&mut self.episode.state, &mut level.all)?;
        level.rest.clone_from(&level.all);
        Ok(())
    }

    /// Draws, applies and records one of the semimoves that are left; nothing if there is none.
    fn draw_semimove(&mut self, level: &mut Level) -> Option<Step> {
        let player = self.engine.player(&self.episode.state);
        while !level.rest.is_empty() {
            let choices = self.learner.as_ref().map_or(0, Learner::choices);
            let chosen = match self.draw_learned_semimove(player, level.context, &level.rest) {
                Some(chosen) => chosen,
                None => {
                    let guide = self
                        .mast
                        .as_mut()
                        .filter(|mast| mast.settings.in_playouts && mast.scores_semimoves);
                    let candidates = Candidates::Semimoves(&level.rest);
                    let (scores, random) = (&mut self.episode.scores, &mut self.random);
                    choose(player, level.context, candidates, guide, scores, random)
                }
            };
            let step = level.rest.swap_remove(chosen);
            let seen =
                !step.is_modifier() && self.episode.split_points[level.since..].contains(&step);
            if !step.is_modifier() && !seen {
                self.episode.split_points.push(step);
            }
            let undo = if seen { None } else { self.apply_semimove(step) };
            let Some(undo) = undo else {
                self.take_back_choices(choices);
                continue;
            };
            self.episode.undos.push(undo);
            level.choices = choices;
            level.points = self.episode.split_points.len();
            return Some(step);
        }
        None
    }

    /// Takes back the semimove that was drawn last, at a level; true if it was a modifier. Split points
    /// that were passed behind it count as passed only if no modifier lies between.
    fn take_back_semimove(&mut self, depth: usize) -> bool {
        let Level { choices, points, .. } = self.episode.levels[depth];
        if let Some(undo) = self.episode.undos.pop() {
            self.engine.undo(&mut self.episode.state, undo);
        }
        let is_modifier = self.episode.record.steps.pop().is_some_and(Step::is_modifier);
        if is_modifier {
            self.episode.split_points.truncate(points);
        }
        self.take_back_choices(choices);
        is_modifier
    }

    /// Applies and records a semimove; `None` if it is impossible.
    pub(crate) fn apply_semimove(&mut self, step: Step) -> Option<E::Undo> {
        let undo = self.engine.apply_step(&mut self.episode.state, step)?;
        self.episode.record.steps.push(step);
        self.totals.states += 1;
        Some(undo)
    }
}
