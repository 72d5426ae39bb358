//! What plays the game in a search: an engine, random numbers, what guides playouts, and the episode at hand. A
//! search of one thread has one and a tree; one of several threads has one for each.

use regulus_game::{Engine, MoveGroups, Random, Step};

use crate::action::context_behind;
use crate::config::refusal::refuse;
use crate::config::{Config, SimulationDesign};
use crate::episode::Episode;
use crate::failure::Failure;
use crate::final_move::modifiers;
use crate::learning::Learner;
use crate::mast::{MastState, choose};
use crate::report::Totals;
use crate::statistic::Candidates;

pub(crate) struct Simulator<E: Engine> {
    pub(crate) engine: E,
    pub(crate) config: Config,
    pub(crate) random: Random,
    /// The position, after the keeper.
    pub(crate) position: E::State,
    /// False if the keeper is stuck, which ends the game.
    pub(crate) alive: bool,
    /// 1 / score bound of every player; 0 for the keeper.
    pub(crate) scales: Vec<f64>,
    pub(crate) mast: Option<MastState>,
    pub(crate) learner: Option<Learner>,
    pub(crate) totals: Totals,
    pub(crate) episode: Episode<E>,
}

impl<E: Engine> Simulator<E> {
    /// In a nodal position of the engine. The configuration is valid.
    pub(crate) fn new(
        mut engine: E,
        mut position: E::State,
        config: Config,
    ) -> Result<Self, Failure<E::Error>> {
        let alive = engine.run_keeper(&mut position).map_err(Failure::Game)?;
        let policy = &config.tree_policy;
        let asks_keys = policy.endgame > 0 || policy.proof_search > 0 || config.transpositions;
        if policy.reversal.is_none() && !asks_keys {
            engine.forget_hash(&mut position);
        }
        let players = engine.players();
        let scale = |player| 1.0 / f64::from(engine.score_bound(player).max(1));
        let scales = std::iter::once(0.0).chain((1..=players).map(scale)).collect();
        let mut mast = config.mast.map(|settings| MastState::new(settings, &config, players));
        let mut groups = MoveGroups::default();
        if let Some(mast) = &mut mast
            && config.simulation == SimulationDesign::Orthodox
            && alive
        {
            // Where there are more moves than can be listed, names are given later.
            if engine.groups(&mut position, &mut groups).is_ok() {
                mast.statistic.prepare(&groups);
            }
        }
        let mut learner = None;
        if config.learning.is_some() || config.replies.is_some() {
            if players < 2 {
                return Ok(refuse(
                    if config.learning.is_some() { "learning" } else { "replies" },
                    config.learning.map_or("lgr", |learning| learning.method.name()),
                    "it learns from those who win, and a single player has nobody to win against",
                )?);
            }
            // Nothing can be learned where there are more moves than can be listed.
            if alive && engine.groups(&mut position, &mut groups).is_ok() {
                learner = Some(Learner::new(&engine, config.learning, config.replies, &groups));
            }
        }
        Ok(Simulator {
            engine,
            random: Random::new(config.seed),
            alive,
            scales,
            mast,
            learner,
            totals: Totals::default(),
            episode: Episode::new(position.clone(), groups, config.max_semidepth),
            position,
            config,
        })
    }

    /// How many players there are.
    #[inline]
    pub(crate) fn players(&self) -> usize {
        self.scales.len() - 1
    }

    /// Plays a legal move.
    pub(crate) fn advance(&mut self, steps: &[Step]) -> Result<(), E::Error> {
        self.engine.apply(&mut self.position, steps);
        self.alive = self.engine.run_keeper(&mut self.position)?;
        if let Some(learner) = &mut self.learner {
            learner.next_turn();
        }
        if let Some(mast) = &mut self.mast {
            mast.next_turn();
        }
        Ok(())
    }

    /// How many bytes statistics take.
    pub(crate) fn statistic_bytes(&self) -> usize {
        let learned = self.learner.as_ref().map_or(0, Learner::bytes);
        self.mast.as_ref().map_or(0, |mast| mast.statistic.bytes()) + learned
    }

    /// Memory is full: statistics grow no more.
    pub(crate) fn freeze(&mut self) {
        if let Some(mast) = &mut self.mast {
            mast.statistic.freeze(true);
        }
        if let Some(learner) = &mut self.learner {
            learner.freeze(true);
        }
    }

    /// True if simulations draw semimoves.
    pub(crate) fn split_simulation(&self) -> bool {
        self.config.simulation == SimulationDesign::Semisplit
    }

    /// Lists what the edges of a node for the current state are: moves into `moves`, or semimoves into `steps`.
    pub(crate) fn list_submoves(&mut self) -> Result<(), E::Error> {
        let episode = &mut self.episode;
        if self.config.tree.is_orthodox() {
            self.engine.list(&mut episode.state, &mut episode.moves)?;
        } else {
            self.engine.semimoves(&mut episode.state, &mut episode.steps)?;
        }
        self.keep_decisive()
    }

    /// RANDOMELEMENT of the untried edges of a node, or by MAST (CHOOSESEMIMOVEWITHMAST): their submoves are labels,
    /// with begin and length, among steps.
    #[inline]
    pub(crate) fn choose_untried(
        &mut self,
        player: u8,
        context: u64,
        labels: &[(u32, u32)],
        steps: &[Step],
    ) -> usize {
        let guide = self.mast.as_mut().filter(|mast| mast.settings.in_expansion);
        let candidates = Candidates::Submoves(labels, steps);
        let (scores, random) = (&mut self.episode.scores, &mut self.random);
        choose(usize::from(player), context, candidates, guide, scores, random)
    }

    /// Applies a submove of the tree; gives the context behind it.
    #[inline]
    pub(crate) fn follow(&mut self, submove: &[Step], context: u64) -> u64 {
        let Episode { state, record, .. } = &mut self.episode;
        self.engine.apply(state, submove);
        record.steps.extend_from_slice(submove);
        record.in_tree = record.steps.len();
        self.totals.states += 1;
        submove.iter().fold(context, |key, step| context_behind(key, *step))
    }

    /// A nodal state is reached: the keeper moves, and the next player begins. False if the game is
    /// over.
    #[inline]
    pub(crate) fn arrive(&mut self) -> Result<bool, E::Error> {
        self.totals.nodal_states += 1;
        if !self.engine.run_keeper(&mut self.episode.state)? {
            return Ok(false);
        }
        self.episode.record.begin(self.engine.player(&self.episode.state));
        Ok(true)
    }

    /// There is no room for the current state: the iteration goes on as a simulation.
    pub(crate) fn finish_outside(&mut self, context: u64) -> Result<(), E::Error> {
        if self.engine.is_nodal(&self.episode.state) {
            return self.simulate();
        }
        if self.complete_move(context)? && self.arrive()? {
            self.simulate()?;
        }
        Ok(())
    }

    /// The points of all players in the state that the iteration came to.
    #[inline]
    pub(crate) fn take_points(&mut self) {
        let Episode { state, points, .. } = &mut self.episode;
        points.clear();
        points.push(0.0);
        for player in 1..self.scales.len() {
            points.push(f64::from(self.engine.score(state, player)));
        }
    }

    /// The moves of an iteration are samples for MAST, in a search whose tree takes `tree_bytes()` bytes.
    #[inline]
    pub(crate) fn update_mast(&mut self, tree_bytes: impl FnOnce() -> usize) {
        let Some(mast) = &mut self.mast else { return };
        mast.update(&self.episode.record, &self.episode.points, &self.scales);
        // While a table grows, its old and new memory are taken: three times as much as before.
        if tree_bytes() + 3 * mast.statistic.bytes() > self.config.memory {
            mast.statistic.freeze(true);
        }
    }

    /// PPA Algorithm 6: learns from the whole iteration, the part in the tree included.
    pub(crate) fn update_learner(&mut self, tree_bytes: impl FnOnce() -> usize) {
        let whole = !self.split_simulation();
        let Some(learner) = &mut self.learner else { return };
        learner.adapt(&self.episode.record, &self.episode.points, &self.scales, whole);
        // While an array grows, its old and new memory are taken.
        if tree_bytes() + 3 * learner.bytes() > self.config.memory {
            learner.freeze(true);
        }
    }

    /// A move of which only the first steps are chosen: the rest is random.
    pub(crate) fn completed(&mut self, steps: &[Step]) -> Result<Option<Vec<Step>>, E::Error> {
        let Episode { state, record, .. } = &mut self.episode;
        state.clone_from(&self.position);
        self.engine.apply(state, steps);
        record.clear();
        record.begin(self.engine.player(state));
        record.steps.extend_from_slice(steps);
        let (mast, learner) = (self.mast.take(), self.learner.take());
        let found = self.complete_move(crate::action::NODAL);
        (self.mast, self.learner) = (mast, learner);
        Ok(found?.then(|| modifiers(&self.episode.record.steps)))
    }
}
