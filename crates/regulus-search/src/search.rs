//! A search: a game, a tree, statistics, and what can be done with them.

use regulus_game::{Engine, MoveGroups, Moves, Random, Step};

use crate::action::{ActionSet, NODAL};
use crate::config::refusal::refuse;
use crate::config::{Config, Decay, Mast, Parallel, Rave, SimulationDesign, Variant};
use crate::endgame::Endgame;
use crate::failure::Failure;
use crate::learning::Learner;
use crate::outcomes::Outcomes;
use crate::policy::{self, Choice};
use crate::proof::Question;
use crate::proof_search::Prover;
use crate::record::Record;
use crate::repeated::Repeated;
use crate::report::Totals;
use crate::root_allocation::RootAllocation;
use crate::simulation::Level;
use crate::statistic::{self, Statistic};
use crate::tree::{AmafKeys, Bound, Columns, Tree};
use crate::tree_policy::TreePolicyState;

/// The most modifiers of a move that memory is set aside for before there is such a move.
const MOST_ROOM: u32 = 4096;

/// MAST at work.
pub(crate) struct MastState {
    pub(crate) settings: Mast,
    pub(crate) statistic: Box<dyn Statistic>,
    pub(crate) choice: Box<dyn Choice>,
    /// Whether it can choose among semimoves.
    pub(crate) scores_semimoves: bool,
    pub(crate) since_decay: u32,
}

/// RAVE at work.
pub(crate) struct RaveState {
    pub(crate) settings: Rave,
    pub(crate) variant: Variant,
    /// What each player has played from some point of the iteration on, as in [`Tree::amaf`].
    pub(crate) played: Vec<ActionSet>,
    /// The same as in [`Tree::amaf_split`].
    pub(crate) played_split: Vec<ActionSet>,
    /// The actions of the steps of the iteration (of its moves, for RAVE-join), where the tree knows them,
    /// and for RAVE-mix those of the semimoves alone.
    pub(crate) actions: Vec<Option<u32>>,
    pub(crate) split_actions: Vec<Option<u32>>,
    /// AMAF means for one node.
    pub(crate) means: Vec<Option<f64>>,
}

/// One level of the way down the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passed {
    pub(crate) node: u32,
    pub(crate) edge: u32,
    /// The iterations of the node before this one.
    pub(crate) visits: u32,
    /// How many steps of the iteration were made before the edge.
    pub(crate) steps: u32,
}

/// Searches one game for one player, turn after turn.
///
/// [`Search::think`] searches the current position within limits, [`Search::ponder`] until told to
/// stop; [`Search::advance`] plays a move and keeps the part of the tree below it.
// Searches of several threads stand side by side: none shares a cache line with the next.
#[repr(align(128))]
pub struct Search<E: Engine> {
    pub(crate) engine: Repeated<E>,
    pub(crate) config: Config,
    pub(crate) random: Random,
    /// The position, after the keeper.
    pub(crate) position: E::State,
    /// False if the keeper is stuck, which ends the game.
    pub(crate) alive: bool,
    pub(crate) tree: Tree,
    pub(crate) root_visits: u32,
    /// 1 / score bound of every player; 0 for the keeper.
    pub(crate) scales: Vec<f64>,
    pub(crate) mast: Option<MastState>,
    pub(crate) rave: Option<RaveState>,
    /// Parts of the tree policy, if there are any.
    pub(crate) tree_policy: Option<TreePolicyState>,
    /// Halving at the root, if there is any.
    pub(crate) allocation: Option<RootAllocation>,
    /// Nothing of the catalogue is added: no parts, no allocation, nothing learned, no shared nodes.
    pub(crate) plain: bool,
    /// The solver knows the best move of the position.
    pub(crate) solved: bool,
    /// With what the game can end, for the solver.
    pub(crate) outcomes: Outcomes,
    /// Bounds that are being put together.
    pub(crate) combined: Vec<Bound>,
    /// Memory for endgames, once there was one.
    pub(crate) endgame: Option<Endgame<Repeated<E>>>,
    /// The proof search, once it has begun.
    pub(crate) prover: Option<Prover<Repeated<E>>>,
    /// The best move of the position, by proof search.
    pub(crate) proven_move: Option<Vec<Step>>,
    /// What proof numbers are about.
    pub(crate) question: Question,
    pub(crate) learner: Option<Learner>,
    pub(crate) totals: Totals,
    /// No more expansion.
    pub(crate) full: bool,
    // What follows belongs to one iteration and is kept to save allocations.
    pub(crate) state: E::State,
    pub(crate) path: Vec<Passed>,
    /// The game ended where this iteration left the tree.
    pub(crate) ended: bool,
    pub(crate) record: Record,
    pub(crate) points: Vec<f64>,
    pub(crate) moves: Moves,
    pub(crate) groups: MoveGroups,
    pub(crate) steps: Vec<Step>,
    pub(crate) scores: Vec<f64>,
    pub(crate) levels: Vec<Level>,
    pub(crate) undos: Vec<E::Undo>,
    pub(crate) split_points: Vec<Step>,
    /// For moves that are tried out.
    pub(crate) spare: E::State,
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
        mut position: E::State,
        config: Config,
    ) -> Result<Self, Failure<E::Error>> {
        config.validate()?;
        if config.parallel != Parallel::Off {
            let reason = "this search has one thread and one tree: make one of `parallel`";
            return Ok(refuse("parallel", format!("{:?}", config.parallel), reason)?);
        }
        let mut engine = Repeated::new(engine, config.reasoning_overhead);
        let alive = engine.keeper(&mut position).map_err(Failure::Game)?;
        let parts = &config.tree_policy;
        let asks_keys = parts.endgame > 0 || parts.proof_search > 0 || config.transpositions;
        if parts.reversal.is_none() && !asks_keys {
            engine.forget_hash(&mut position);
        }
        let players = engine.players();
        if parts.proof_search > 0 && players > 2 {
            let reason = "it asks whether one player can have a score against all others, and more than two players \
                          do not all play against one: use the solver alone, or endgame";
            return Ok(refuse("proof_search", parts.proof_search, reason)?);
        }
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
        let rave = config.rave.map(|settings| RaveState::new(settings, &config, players));
        let high = (1..=players).map(|player| engine.score_bound(player)).collect();
        let columns = Columns {
            amaf: rave.as_ref().map_or(AmafKeys::None, RaveState::amaf_keys),
            spread: config.tree_policy.needs_spread(),
            high: if config.tree_policy.solver { high } else { Vec::new() },
            proofs: config.tree_policy.proof_bias > 0.0,
            shared: config.transpositions,
        };
        let parts = (!config.tree_policy.is_plain())
            .then(|| TreePolicyState::new(config.tree_policy, config.exploration));
        let allocation = RootAllocation::new(&config);
        let solver = config.tree_policy.solver;
        let outcomes = if solver { Outcomes::of(&engine) } else { Outcomes::default() };
        let plain =
            parts.is_none() && allocation.is_none() && learner.is_none() && !config.transpositions;
        let (state, spare) = (position.clone(), position.clone());
        // What the configuration says, but no memory is taken for moves that no engine can make.
        let room = config.max_semidepth.min(MOST_ROOM) as usize;
        Ok(Search {
            plain,
            engine,
            random: Random::new(config.seed),
            tree: Tree::new(columns, config.memory),
            tree_policy: parts,
            allocation,
            solved: false,
            outcomes,
            combined: Vec::new(),
            question: Question::default(),
            endgame: None,
            prover: None,
            proven_move: None,
            ended: false,
            config,
            position,
            alive,
            root_visits: 0,
            scales,
            mast,
            rave,
            learner,
            totals: Totals::default(),
            full: false,
            state,
            path: Vec::new(),
            record: Record::default(),
            points: Vec::new(),
            moves: Moves::new(),
            groups,
            steps: Vec::new(),
            scores: Vec::new(),
            levels: Vec::with_capacity(room),
            undos: Vec::with_capacity(room),
            split_points: Vec::new(),
            spare,
        })
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The engine.
    pub fn engine(&mut self) -> &mut E {
        self.engine.inner()
    }

    /// The position that is searched, after the keeper has moved.
    pub fn position(&self) -> &E::State {
        &self.position
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Iterations through the root, those of earlier turns that are still in the tree included.
    pub fn root_visits(&self) -> u32 {
        self.root_visits
    }

    /// How many bytes tree and statistics take.
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.statistic_bytes()
    }

    pub(crate) fn statistic_bytes(&self) -> usize {
        let learned = self.learner.as_ref().map_or(0, Learner::bytes);
        let endgame = self.endgame.as_ref().map_or(0, Endgame::bytes);
        let proofs = self.prover.as_ref().map_or(0, Prover::bytes);
        self.mast.as_ref().map_or(0, |mast| mast.statistic.bytes()) + learned + endgame + proofs
    }

    /// Lists the moves of the position; false if there are none.
    pub(crate) fn prepare_root(&mut self) -> Result<bool, E::Error> {
        if !self.alive {
            return Ok(false);
        }
        if self.tree.nodes.is_empty() {
            self.state.clone_from(&self.position);
            self.list_node(NODAL, true)?;
        }
        Ok(self.tree.nodes[0].count > 0)
    }

    /// Plays a legal move: the part of the tree below it becomes the tree if trees are kept, and statistics that
    /// decay after every move do so.
    pub fn advance(&mut self, steps: &[Step]) -> Result<(), E::Error> {
        let keeps = self.config.keep_tree && !self.tree.nodes.is_empty();
        let below = if keeps { self.find(0, steps) } else { None };
        match below {
            Some((node, visits)) => {
                self.tree = self.tree.subtree(node);
                self.root_visits = visits;
            }
            None => {
                self.tree = self.tree.emptied();
                self.root_visits = 0;
            }
        }
        self.full = false;
        self.look_at_root();
        self.engine.apply(&mut self.position, steps);
        self.alive = self.engine.keeper(&mut self.position)?;
        if let Some(policy) = &mut self.tree_policy {
            policy.next_turn();
        }
        self.proven_move = None;
        if let Some(prover) = &mut self.prover {
            prover.begin();
        }
        if let Some(learner) = &mut self.learner {
            learner.next_turn();
        }
        if let Some(mast) = &mut self.mast {
            mast.statistic.freeze(false);
            if matches!(mast.settings.decay, Decay::Move { .. }) {
                mast.statistic.decay();
            }
        }
        Ok(())
    }

    /// The node that a move leads to from a node, and its iterations.
    pub(crate) fn find(&self, node: u32, steps: &[Step]) -> Option<(u32, u32)> {
        // Nodes inside the move, the next edge of each, and how many modifiers lead there.
        let mut open = vec![(node, self.tree.nodes[node as usize].first, 0)];
        while let Some((node, next, made)) = open.last_mut() {
            if *next == self.tree.tried_edges(*node).end {
                open.pop();
                continue;
            }
            let (e, rest) = (*next, &steps[*made..]);
            *next += 1;
            let modifiers = self.tree.submove(e).iter().filter(|step| step.is_modifier());
            let len = modifiers.clone().count();
            if len > rest.len() || !modifiers.eq(&rest[..len]) {
                continue;
            }
            let edge = self.tree.edges[e as usize];
            let Some(child) = self.tree.nodes.get(edge.child as usize) else { continue };
            if !child.nodal {
                let made = *made + len;
                open.push((edge.child, child.first, made));
            } else if rest.len() == len {
                return Some((edge.child, edge.visits));
            }
        }
        None
    }

    /// True if simulations draw semimoves.
    pub(crate) fn split_simulation(&self) -> bool {
        self.config.simulation == SimulationDesign::Semisplit
    }
}

impl MastState {
    fn new(settings: Mast, config: &Config, players: usize) -> Self {
        let variant = config.resolved(settings.variant);
        let factor = match settings.decay {
            Decay::None => 1.0,
            Decay::Move { factor } | Decay::Batch { factor, .. } | Decay::Simulation { factor } => {
                factor
            }
        };
        let entry = statistic::entry(variant).expect("validation has found the statistic");
        MastState {
            settings,
            statistic: (entry.make)(&Mast { variant, ..settings }, players, factor),
            choice: policy::make(settings.policy),
            scores_semimoves: entry.scores_semimoves,
            since_decay: 0,
        }
    }
}

impl RaveState {
    fn new(settings: Rave, config: &Config, players: usize) -> Self {
        RaveState {
            settings,
            variant: config.resolved(settings.variant),
            played: vec![ActionSet::default(); players + 1],
            played_split: vec![ActionSet::default(); players + 1],
            actions: Vec::new(),
            split_actions: Vec::new(),
            means: Vec::new(),
        }
    }

    fn amaf_keys(&self) -> AmafKeys {
        match self.variant {
            Variant::Split => AmafKeys::Split,
            Variant::Mix { .. } => AmafKeys::Both,
            _ => AmafKeys::Context,
        }
    }
}
