//! What a search is made of: the complete configuration as plain data, and which combinations exist
//! (THESIS Table 2.1).
//!
//! [`Config::validate`] refuses a combination that is impossible or useless and says why;
//! [`Config::variants`] enumerates all that are accepted.

mod allocation;
mod availability;
mod limits;
mod parallel;
pub(crate) mod refusal;
mod tree_policy;
mod validation;
mod variants;

pub use availability::{Availability, mast_availability, rave_availability};
pub use limits::Limits;
pub use parallel::{MAX_PARALLEL, Parallel};
pub use refusal::Refusal;
pub use tree_policy::{Decisive, TreePolicy};
pub use validation::MIN_MEMORY;

use crate::part::Chosen;

/// How the tree grows: what selection and expansion work on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TreeDesign {
    /// A node per nodal state, an edge per legal move.
    Orthodox,
    /// A node per nodal or intermediate state, an edge per semimove (THESIS Algorithm 2).
    Semisplit {
        /// Expansion adds all nodes up to the next nodal state (Algorithm 3) instead of one.
        nodal: bool,
    },
    /// Semisplit, but intermediate nodes that are fully expanded are replaced by their children
    /// (Algorithm 4).
    Rollup {
        /// As in [`TreeDesign::Semisplit`].
        nodal: bool,
        /// MSF: a node is rolled up when it has at least this many iterations per child.
        min_simulations_factor: f64,
        /// A node with several children is rolled up only if the means of the best and the worst of
        /// them differ by this many hundredths of the score bound; 0 asks for nothing.
        min_score_diff: f64,
    },
}

impl TreeDesign {
    /// True if edges are moves from the beginning.
    pub fn is_orthodox(self) -> bool {
        self == TreeDesign::Orthodox
    }

    /// True for roll-up.
    pub fn is_rollup(self) -> bool {
        matches!(self, TreeDesign::Rollup { .. })
    }

    /// True if expansion adds a whole move: always so in the orthodox design.
    pub fn is_nodal(self) -> bool {
        match self {
            TreeDesign::Orthodox => true,
            TreeDesign::Semisplit { nodal } | TreeDesign::Rollup { nodal, .. } => nodal,
        }
    }

    fn name(self) -> &'static str {
        match self {
            TreeDesign::Orthodox => "orthodox",
            TreeDesign::Semisplit { .. } => "semisplit",
            TreeDesign::Rollup { .. } => "roll-up",
        }
    }
}

/// What simulations draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SimulationDesign {
    /// Whole legal moves.
    Orthodox,
    /// Semimoves, with backtracking out of dead states (THESIS Algorithm 1).
    Semisplit,
}

impl SimulationDesign {
    fn name(self) -> &'static str {
        match self {
            SimulationDesign::Orthodox => "orthodox",
            SimulationDesign::Semisplit => "semisplit",
        }
    }
}

/// How the move to play is chosen when the search is over (THESIS 2.2.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FinalSelection {
    /// The best mean, more iterations breaking ties, level by level to the next nodal state.
    Greedy,
    /// The best mean of a whole move among those whose last semimove has at least `factor` (FRF) times
    /// the iterations of the greedy choice.
    Rollup {
        /// FRF.
        factor: f64,
    },
    /// Most iterations, the better mean breaking ties, level by level.
    MostVisited,
    /// The move that is best by mean and by iterations. The search stops early, at 1 / (1 + `extension`)
    /// of its limits; as long as no move is both, it goes on up to the limits, and then takes the most
    /// visited.
    RobustMax {
        /// How much longer than the first part the search may become: 0.5 is half as long again.
        extension: f64,
    },
}

/// Which actions a statistic is kept for (THESIS 2.2.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// What the search draws anyway: moves, or semimoves.
    Standard,
    /// Single semimoves; a longer submove has the mean of its semimoves.
    Split,
    /// Whole moves.
    Join,
    /// Submoves from the last nodal state on.
    Context,
    /// Context where it has at least `threshold` samples, else split.
    Mix {
        /// The least number (weight) of samples.
        threshold: u32,
    },
    /// A statistic of [`crate::statistic::REGISTRY`] by its name; for MAST only.
    Registered(&'static str),
}

impl Variant {
    /// The name without its threshold.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Standard => "standard",
            Variant::Split => "split",
            Variant::Join => "join",
            Variant::Context => "context",
            Variant::Mix { .. } => "mix",
            Variant::Registered(name) => name,
        }
    }
}

/// How scores of actions become a choice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Policy {
    /// With probability `epsilon` any action, else one of the best (THESIS Algorithm 5).
    EpsilonGreedy {
        /// The probability of a random action.
        epsilon: f64,
    },
    /// Probability proportional to exp(score / temperature), with scores from 0 to 1.
    Gibbs {
        /// High: nearly uniform; low: nearly greedy.
        temperature: f64,
    },
    /// Probability proportional to the score.
    Roulette,
    /// A policy of [`crate::policy::REGISTRY`] by its name.
    Registered {
        /// The name.
        name: &'static str,
        /// What the policy is made from.
        parameter: f64,
    },
}

impl Policy {
    /// The name in [`crate::policy::REGISTRY`], and the parameter.
    pub fn name_and_parameter(self) -> (&'static str, f64) {
        match self {
            Policy::EpsilonGreedy { epsilon } => ("epsilon-greedy", epsilon),
            Policy::Gibbs { temperature } => ("gibbs", temperature),
            Policy::Roulette => ("roulette", 0.0),
            Policy::Registered { name, parameter } => (name, parameter),
        }
    }
}

/// When old samples lose weight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Decay {
    /// Never.
    None,
    /// After every move of the game that is played.
    Move {
        /// What weights are multiplied by.
        factor: f64,
    },
    /// After every `simulations` simulations.
    Batch {
        /// What weights are multiplied by.
        factor: f64,
        /// The size of a batch.
        simulations: u32,
    },
    /// After every simulation.
    Simulation {
        /// What weights are multiplied by.
        factor: f64,
    },
}

/// The Move-Average Sampling Technique: scores of actions over all iterations, for simulations and
/// expansion.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mast {
    /// Which actions have a score.
    pub variant: Variant,
    /// How scores become a choice.
    pub policy: Policy,
    /// Whether simulations use it.
    pub in_playouts: bool,
    /// Whether expansion uses it to choose among untried actions.
    pub in_expansion: bool,
    /// Only actions in the tree are samples, not those of simulations.
    pub tree_only: bool,
    /// When old samples lose weight.
    pub decay: Decay,
}

impl Default for Mast {
    /// THESIS 5.1.1.
    fn default() -> Self {
        Mast {
            variant: Variant::Standard,
            policy: Policy::EpsilonGreedy { epsilon: 0.4 },
            in_playouts: true,
            in_expansion: true,
            tree_only: false,
            decay: Decay::Move { factor: 0.2 },
        }
    }
}

/// Rapid Action Value Estimation: every node also has the mean of iterations in which an action was
/// played there or later (AMAF).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rave {
    /// Which actions count as the same.
    pub variant: Variant,
    /// E in beta = sqrt(E / (3 N + E)): how many iterations weigh as much as AMAF.
    pub equivalence: f64,
    /// A node with at most this many iterations borrows AMAF from the nearest ancestor with more
    /// (TGRAVE); 0 is RAVE.
    pub reference: u32,
}

impl Default for Rave {
    /// THESIS 5.1.1.
    fn default() -> Self {
        Rave { variant: Variant::Standard, equivalence: 250.0, reference: 0 }
    }
}

/// What a playout policy learns from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Method {
    /// Playout policy adaptation (PPA Algorithm 4): the winner's moves become more likely, whatever else it could
    /// have played less likely. Moves are drawn with probability proportional to exp(policy).
    Ppa {
        /// How much a move that was played gains.
        alpha: f64,
    },
    /// MAST with Gibbs sampling (PPA Algorithm 5): probability proportional to exp(k mean).
    Mast {
        /// High: nearly greedy; low: nearly uniform.
        k: f64,
    },
    /// The N-gram selection technique: means of sequences of moves.
    Nst {
        /// N, the length of the longest sequences.
        length: u32,
        /// How often a sequence of two or more moves must have been seen to count.
        threshold: u32,
        /// How scores become a choice.
        policy: Policy,
        /// When old samples lose weight.
        decay: Decay,
    },
}

impl Method {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Ppa { .. } => "ppa",
            Method::Mast { .. } => "mast",
            Method::Nst { .. } => "nst",
        }
    }
}

/// What tells moves apart besides the moves themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Features {
    /// Nothing.
    None,
    /// What stood on the cells that a move changes: whether it captures.
    Cells,
    /// That, and what stood on the neighbours of these cells in the graph of the board.
    Neighbours,
}

/// A policy for simulations that is learned while the search goes on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Learning {
    /// What it learns from.
    pub method: Method,
    /// What tells moves apart.
    pub features: Features,
    /// Whether it is kept from one turn to the next; PPA Algorithm 6 starts from scratch.
    pub keep: bool,
}

/// Last good replies: what answered the last moves when that went well is played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replies {
    /// 2: replies to the last two moves, then to the last one (LGR-2); 1: to the last one only (LGR-1).
    pub length: u32,
    /// Whether replies are removed that did not go well.
    pub forgetting: bool,
    /// Whether simulations use them.
    pub in_playouts: bool,
    /// Whether expansion uses them.
    pub in_expansion: bool,
    /// Whether they are kept from one turn to the next.
    pub keep: bool,
}

impl Default for Replies {
    fn default() -> Self {
        Replies { length: 2, forgetting: true, in_playouts: true, in_expansion: true, keep: true }
    }
}

/// A complete search.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Selection and expansion.
    pub tree: TreeDesign,
    /// Simulation.
    pub simulation: SimulationDesign,
    /// C of UCT.
    pub exploration: f64,
    /// How many modifiers of a move semisplit design sets memory aside for. Longer moves are made, too, and make more
    /// room: what is legal is up to the rules alone.
    pub max_semidepth: u32,
    /// Parts that change selection and expansion.
    pub tree_policy: TreePolicy,
    /// How iterations are shared out among the edges of the root, instead of selection:
    /// [`allocation::REGISTRY`](crate::part::allocation::REGISTRY).
    pub allocation: Chosen,
    /// A position has one node, whatever way leads to it (PPA Algorithm 7). In a tree of semimoves that holds for
    /// nodal positions.
    pub transpositions: bool,
    /// What the tree has below the move that was played is kept for the next turn. Without it every turn begins with
    /// an empty tree, as PPA Algorithm 6 does.
    pub keep_tree: bool,
    /// Which move is played in the end.
    pub final_selection: FinalSelection,
    /// Statistics for simulations and expansion.
    pub mast: Option<Mast>,
    /// Statistics for selection.
    pub rave: Option<Rave>,
    /// A learned policy for simulations.
    pub learning: Option<Learning>,
    /// Replies for simulations and expansion; without one, the other heuristics choose.
    pub replies: Option<Replies>,
    /// Whether several threads work on it.
    pub parallel: Parallel,
    /// How often reasoning is repeated, to emulate a slower engine: 1 is no overhead.
    pub reasoning_overhead: u32,
    /// How many bytes tree and statistics may take; when they are full the search goes on without
    /// expansion.
    pub memory: usize,
    /// Where all randomness comes from.
    pub seed: u64,
}

impl Default for Config {
    /// Plain orthodox search with the parameters of THESIS 5.1.1.
    fn default() -> Self {
        Config {
            tree: TreeDesign::Orthodox,
            simulation: SimulationDesign::Orthodox,
            exploration: 0.4,
            max_semidepth: 50,
            tree_policy: TreePolicy::default(),
            allocation: Chosen::NONE,
            transpositions: false,
            keep_tree: true,
            final_selection: FinalSelection::Greedy,
            mast: None,
            rave: None,
            learning: None,
            replies: None,
            parallel: Parallel::Off,
            reasoning_overhead: 1,
            memory: 2 << 30,
            seed: 0,
        }
    }
}
