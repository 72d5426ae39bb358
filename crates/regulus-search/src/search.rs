//! A search of one thread: what plays the game, a tree, and what takes part in its iterations.

use regulus_game::Engine;

use crate::action::NODAL;
use crate::catalogue::Catalogue;
use crate::config::refusal::refuse;
use crate::config::{Config, Parallel};
use crate::failure::Failure;
use crate::observer::{Observer, Plain};
use crate::own_tree::OwnTree;
use crate::rave::RaveState;
use crate::repeated::Repeated;
use crate::simulator::Simulator;
use crate::tree::{AmafKeys, Columns, Tree};

/// Searches one game for one player, turn after turn.
///
/// What it can do is [`Searcher`](crate::Searcher): `advance` keeps the part of the tree below a move.
// Searches of several threads stand side by side: none shares a cache line with the next.
#[repr(align(128))]
pub struct Search<E: Engine> {
    pub(crate) sim: Simulator<Repeated<E>>,
    pub(crate) tree: Tree,
    pub(crate) rave: Option<RaveState>,
    /// What else takes part, if anything does.
    pub(crate) catalogue: Option<Catalogue<Repeated<E>>>,
}

impl<E: Engine> Search<E> {
    /// A search from the beginning of a game.
    pub fn new(engine: E, config: Config) -> Result<Self, Failure<E::Error>> {
        let position = engine.initial();
        Search::from_position(engine, position, config)
    }

    /// A search from a nodal position of the engine.
    pub fn from_position(
        engine: E,
        position: E::State,
        config: Config,
    ) -> Result<Self, Failure<E::Error>> {
        config.validate()?;
        if config.parallel != Parallel::Off {
            let reason = "this search has one thread and one tree: make one of `parallel`";
            return Ok(refuse("parallel", format!("{:?}", config.parallel), reason)?);
        }
        let (players, policy) = (engine.players(), config.tree_policy);
        if policy.proof_search > 0 && players > 2 {
            let reason = "it asks whether one player can have a score against all others, and more than two players \
                          do not all play against one: use the solver alone, or endgame";
            return Ok(refuse("proof_search", policy.proof_search, reason)?);
        }
        let engine = Repeated::new(engine, config.reasoning_overhead);
        let sim = Simulator::new(engine, position, config)?;
        let config = &sim.config;
        let rave = config.rave.map(|settings| RaveState::new(settings, config, players));
        let high = (1..=players).map(|player| sim.engine.score_bound(player)).collect();
        let columns = Columns {
            amaf: rave.as_ref().map_or(AmafKeys::None, RaveState::amaf_keys),
            spread: policy.needs_spread(),
            high: if policy.solver { high } else { Vec::new() },
            proofs: policy.proof_bias > 0.0,
            shared: config.transpositions,
        };
        let tree = Tree::new(columns, config.memory);
        let catalogue = Catalogue::new(&sim.engine, config, sim.learner.is_some());
        Ok(Search { sim, tree, rave, catalogue })
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.sim.config
    }

    /// The engine.
    pub fn engine(&mut self) -> &mut E {
        self.sim.engine.inner()
    }

    /// The position that is searched, after the keeper has moved.
    pub fn position(&self) -> &E::State {
        &self.sim.position
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Iterations through the root, those of earlier turns that are still in the tree included.
    pub fn root_visits(&self) -> u32 {
        self.tree.root_visits
    }

    /// True if nothing more can be found out about the best move of the position.
    pub fn is_solved(&self) -> bool {
        let solver = self.catalogue.as_ref().and_then(|catalogue| catalogue.solver.as_ref());
        solver.is_some_and(|solver| solver.solved)
    }

    /// How often MAST has taken an action for another, because both have the same key of 64 bits; counted in debug
    /// builds only, and 0 in others.
    pub fn key_collisions(&self) -> u64 {
        self.sim.mast.as_ref().map_or(0, |mast| mast.statistic.collisions())
    }

    /// How many bytes tree and statistics take.
    pub fn bytes(&self) -> usize {
        let others = self.catalogue.as_ref().map_or(0, Observer::bytes);
        self.tree.bytes() + self.sim.statistic_bytes() + others
    }

    /// Lists the moves of the position; false if there are none.
    pub(crate) fn prepare_root(&mut self) -> Result<bool, E::Error> {
        if !self.sim.alive {
            return Ok(false);
        }
        if self.tree.nodes.is_empty() {
            self.sim.episode.state.clone_from(&self.sim.position);
            let (tree, rave) = (&mut self.tree, &mut self.rave);
            let mut root = OwnTree { tree, rave, observer: &mut Plain };
            root.list_node(&mut self.sim, NODAL, true)?;
        }
        Ok(self.tree.nodes[0].count > 0)
    }

    /// MCTSITERATION. The root must be listed and have moves. An iteration that cannot go on ends where it is: what it
    /// has added to the tree has a result.
    pub(crate) fn iterate(&mut self) -> Result<(), E::Error> {
        let Search { sim, tree, rave, catalogue } = self;
        match catalogue {
            None => iterate_on(sim, OwnTree { tree, rave, observer: &mut Plain }),
            Some(observer) => iterate_on(sim, OwnTree { tree, rave, observer }),
        }
    }

    /// A turn begins, whose root is listed, with a budget or without one.
    pub(crate) fn begin_allocation(&mut self, budgeted: bool, iterations: Option<u64>) {
        if let Some(catalogue) = &mut self.catalogue
            && let Some(allocation) = &mut catalogue.allocation
        {
            allocation.begin_turn(&self.tree, budgeted, iterations);
        }
    }
}

fn iterate_on<E: Engine, O: Observer<E>>(
    sim: &mut Simulator<E>,
    mut tree: OwnTree<'_, O>,
) -> Result<(), E::Error> {
    sim.episode.path.clear();
    let outcome = sim.iterate(&mut tree);
    if outcome.is_err() {
        sim.episode.ended = false;
        sim.take_points();
        tree.backpropagate(sim, false);
    }
    outcome
}
