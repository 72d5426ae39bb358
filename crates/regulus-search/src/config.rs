//! What a search is made of: the complete configuration as plain data, and which combinations exist
//! (THESIS Table 2.1).
//!
//! [`Config::validate`] refuses a combination that is impossible or useless and says why;
//! [`Config::variants`] enumerates all that are accepted.

use std::fmt;
use std::time::Duration;

use crate::{policy, statistic};

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

/// A complete search.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Selection and expansion.
    pub tree: TreeDesign,
    /// Simulation.
    pub simulation: SimulationDesign,
    /// C of UCT.
    pub exploration: f64,
    /// The longest move, in modifiers, that semisplit design makes; what is longer counts as dead.
    pub max_semidepth: u32,
    /// Which move is played in the end.
    pub final_selection: FinalSelection,
    /// Statistics for simulations and expansion.
    pub mast: Option<Mast>,
    /// Statistics for selection.
    pub rave: Option<Rave>,
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
            final_selection: FinalSelection::Greedy,
            mast: None,
            rave: None,
            reasoning_overhead: 1,
            memory: 2 << 30,
            seed: 0,
        }
    }
}

/// When to stop. What is `None` or false does not stop; whatever says stop first, stops.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// What is kept back of the time, for sending the move.
    pub buffer: Duration,
    /// Iterations in this turn.
    pub simulations: Option<u64>,
    /// Nodal states computed in this turn.
    pub states: Option<u64>,
    /// Stop when the memory of [`Config::memory`] is full, instead of going on without expansion.
    pub memory: bool,
    /// Stop when the second most visited move cannot get as many iterations as the first any more.
    /// Needs a limit of simulations or time, and a final selection by visits.
    pub no_catching_up: bool,
}

impl Limits {
    /// So many iterations.
    pub fn simulations(count: u64) -> Self {
        Limits { simulations: Some(count), ..Limits::default() }
    }

    /// So many nodal states.
    pub fn states(count: u64) -> Self {
        Limits { states: Some(count), ..Limits::default() }
    }

    /// So much time, nothing kept back.
    pub fn time(time: Duration) -> Self {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// Refuses limits that never stop a search, or that this search cannot obey.
    pub fn validate(&self, config: &Config) -> Result<(), Refusal> {
        if self.time.is_none() && self.simulations.is_none() && self.states.is_none() {
            return refuse(
                "limits",
                "none",
                "nothing stops the search: give time, simulations or states",
            );
        }
        if self.no_catching_up {
            let by_visits = matches!(config.final_selection, FinalSelection::MostVisited);
            if !by_visits {
                return refuse(
                    "no_catching_up",
                    "true",
                    "only the most visited move can be out of reach; this final selection looks at means",
                );
            }
            if self.simulations.is_none() && self.time.is_none() {
                return refuse("no_catching_up", "true", "it needs a limit of simulations or time");
            }
        }
        Ok(())
    }
}

/// Why a configuration is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The parameter, by its path: `mast.policy.epsilon`.
    pub parameter: &'static str,
    /// Its value.
    pub value: String,
    /// A sentence that says why, and what would do instead.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: {}", self.parameter, self.value, self.reason)
    }
}

impl std::error::Error for Refusal {}

fn refuse<T>(
    parameter: &'static str,
    value: impl ToString,
    reason: impl Into<String>,
) -> Result<T, Refusal> {
    Err(Refusal { parameter, value: value.to_string(), reason: reason.into() })
}

/// An entry of the availability matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Availability {
    /// It works.
    Available,
    /// It works, but not in the expansion phase (the asterisk of Table 2.1).
    NotInExpansion,
    /// It would do the same as this variant, only slower.
    Useless(Variant),
    /// It does not exist, for this reason.
    Missing(&'static str),
}

/// The columns MAST of THESIS Table 2.1.
pub fn mast_availability(
    tree: TreeDesign,
    simulation: SimulationDesign,
    variant: Variant,
) -> Availability {
    use Availability::{Available, Missing, NotInExpansion, Useless};
    let orthodox_simulation = simulation == SimulationDesign::Orthodox;
    match variant {
        Variant::Standard => same_domain(tree, simulation),
        Variant::Split | Variant::Mix { .. } => Available,
        Variant::Join if !orthodox_simulation => Missing(
            "semisplit simulations choose among semimoves, and join has scores for whole moves only: \
             use split, context or mix",
        ),
        Variant::Join if tree.is_orthodox() => Available,
        Variant::Join => NotInExpansion,
        Variant::Context if tree.is_orthodox() && orthodox_simulation => Useless(Variant::Join),
        Variant::Context => Available,
        Variant::Registered(name) => match statistic::find(name) {
            None => Missing("there is no statistic of this name"),
            Some(entry) if entry.scores_semimoves => Available,
            Some(_) => mast_availability(tree, simulation, Variant::Join),
        },
    }
}

/// The columns RAVE of THESIS Table 2.1.
pub fn rave_availability(
    tree: TreeDesign,
    simulation: SimulationDesign,
    variant: Variant,
) -> Availability {
    use Availability::{Available, Missing, Useless};
    let split = match tree {
        TreeDesign::Semisplit { .. } => Available,
        TreeDesign::Orthodox => Missing(
            "the edges of an orthodox tree are moves, and split has statistics for semimoves only: use \
             join",
        ),
        TreeDesign::Rollup { .. } => Missing(
            "rolling up makes edges longer than the semimoves that split has statistics for: use context",
        ),
    };
    match variant {
        Variant::Standard => same_domain(tree, simulation),
        // Mix needs split and context.
        Variant::Split | Variant::Mix { .. } => split,
        Variant::Join if tree.is_orthodox() => Available,
        Variant::Join => Missing(
            "the edges of this tree are semimoves, and join has statistics for whole moves only: use \
             split or context",
        ),
        Variant::Context if tree.is_orthodox() => Useless(Variant::Join),
        Variant::Context => Available,
        Variant::Registered(_) => Missing("RAVE has no registered statistics"),
    }
}

/// Standard variants work when tree and simulations have the same domain of moves.
fn same_domain(tree: TreeDesign, simulation: SimulationDesign) -> Availability {
    match (tree, simulation) {
        (TreeDesign::Orthodox, SimulationDesign::Orthodox)
        | (TreeDesign::Semisplit { .. }, SimulationDesign::Semisplit) => Availability::Available,
        (TreeDesign::Rollup { .. }, _) => Availability::Missing(
            "a tree that is rolled up has edges of any length: use split or context",
        ),
        _ => Availability::Missing(
            "tree and simulations have different actions (moves and semimoves): use split or context",
        ),
    }
}

impl Config {
    /// What [`Variant::Standard`] stands for: join for moves, split for semimoves.
    pub fn resolved(&self, variant: Variant) -> Variant {
        match (variant, self.simulation) {
            (Variant::Standard, SimulationDesign::Orthodox) => Variant::Join,
            (Variant::Standard, SimulationDesign::Semisplit) => Variant::Split,
            _ => variant,
        }
    }

    /// Refuses values out of range and combinations that do not exist.
    pub fn validate(&self) -> Result<(), Refusal> {
        in_range("exploration", self.exploration, 0.0, 100.0)?;
        at_least_one("max_semidepth", self.max_semidepth)?;
        at_least_one("reasoning_overhead", self.reasoning_overhead)?;
        if self.memory < MIN_MEMORY {
            return refuse(
                "memory",
                self.memory,
                format!("at least {MIN_MEMORY} bytes are needed"),
            );
        }
        if let TreeDesign::Rollup { min_simulations_factor, min_score_diff, .. } = self.tree {
            in_range("tree.min_simulations_factor", min_simulations_factor, 0.0, 1e9)?;
            in_range("tree.min_score_diff", min_score_diff, 0.0, 100.0)?;
        }
        match self.final_selection {
            FinalSelection::Rollup { factor } => {
                in_range("final_selection.factor", factor, 0.0, 1e9)?;
                if self.tree.is_orthodox() {
                    return refuse(
                        "final_selection",
                        "rollup",
                        "the edges of an orthodox tree are whole moves already: use greedy",
                    );
                }
            }
            FinalSelection::RobustMax { extension } => {
                in_range("final_selection.extension", extension, 0.0, 100.0)?;
            }
            FinalSelection::Greedy | FinalSelection::MostVisited => {}
        }
        if let Some(mast) = &self.mast {
            self.validate_mast(mast)?;
        }
        if let Some(rave) = &self.rave {
            in_range("rave.equivalence", rave.equivalence, 0.0, 1e12)?;
            let entry = rave_availability(self.tree, self.simulation, rave.variant);
            self.available("rave.variant", rave.variant, entry)?;
        }
        Ok(())
    }

    fn validate_mast(&self, mast: &Mast) -> Result<(), Refusal> {
        match mast.policy {
            Policy::EpsilonGreedy { epsilon } => {
                in_range("mast.policy.epsilon", epsilon, 0.0, 1.0)?
            }
            Policy::Gibbs { temperature } => {
                in_range("mast.policy.temperature", temperature, 1e-3, 1e3)?;
            }
            Policy::Roulette => {}
            Policy::Registered { name, .. } => {
                if policy::find(name).is_none() {
                    let names: Vec<&str> = policy::REGISTRY.iter().map(|e| e.name).collect();
                    return refuse(
                        "mast.policy",
                        name,
                        format!("must be one of {}", names.join(", ")),
                    );
                }
            }
        }
        match mast.decay {
            Decay::None => {}
            Decay::Move { factor } | Decay::Simulation { factor } => {
                in_range("mast.decay.factor", factor, 0.0, 1.0)?;
            }
            Decay::Batch { factor, simulations } => {
                in_range("mast.decay.factor", factor, 0.0, 1.0)?;
                at_least_one("mast.decay.simulations", simulations)?;
            }
        }
        if !mast.in_playouts && !mast.in_expansion {
            return refuse("mast", "on", "it is used neither in playouts nor in expansion");
        }
        let entry = mast_availability(self.tree, self.simulation, mast.variant);
        self.available("mast.variant", mast.variant, entry)?;
        if entry == Availability::NotInExpansion && mast.in_expansion {
            return refuse(
                "mast.in_expansion",
                "true",
                format!(
                    "expansion in a {} tree chooses among semimoves, and join has scores for whole \
                     moves only: switch it off, or use split, context or mix",
                    self.tree.name()
                ),
            );
        }
        Ok(())
    }

    fn available(
        &self,
        parameter: &'static str,
        variant: Variant,
        entry: Availability,
    ) -> Result<(), Refusal> {
        let setting = format!("{} tree, {} simulations", self.tree.name(), self.simulation.name());
        match entry {
            Availability::Available | Availability::NotInExpansion => Ok(()),
            Availability::Useless(instead) => refuse(
                parameter,
                variant.name(),
                format!("with {setting} it equals {} and is slower: use that", instead.name()),
            ),
            Availability::Missing(why) => {
                refuse(parameter, variant.name(), format!("not available with {setting}: {why}"))
            }
        }
    }

    /// Every accepted combination of designs, final selections, variants, policies, phases and
    /// decays, with default parameters: what differs between two of them is never only a number.
    pub fn variants() -> impl Iterator<Item = Config> {
        let trees = [
            TreeDesign::Orthodox,
            TreeDesign::Semisplit { nodal: false },
            TreeDesign::Semisplit { nodal: true },
            TreeDesign::Rollup { nodal: false, min_simulations_factor: 1.0, min_score_diff: 0.0 },
            TreeDesign::Rollup { nodal: true, min_simulations_factor: 1.0, min_score_diff: 0.0 },
        ];
        let simulations = [SimulationDesign::Orthodox, SimulationDesign::Semisplit];
        let selections = [
            FinalSelection::Greedy,
            FinalSelection::Rollup { factor: 1.0 },
            FinalSelection::MostVisited,
            FinalSelection::RobustMax { extension: 0.5 },
        ];
        trees
            .into_iter()
            .flat_map(move |tree| simulations.map(|simulation| (tree, simulation)))
            .flat_map(move |(t, s)| selections.map(|selection| (t, s, selection)))
            .flat_map(|designs| mast_variants().map(move |mast| (designs, mast)))
            .flat_map(|(designs, mast)| rave_variants().map(move |rave| (designs, mast, rave)))
            .map(|((tree, simulation, final_selection), mast, rave)| Config {
                tree,
                simulation,
                final_selection,
                mast,
                rave,
                ..Config::default()
            })
            .filter(|config| config.validate().is_ok())
    }
}

/// The least memory a search can be given.
pub const MIN_MEMORY: usize = 1 << 20;

/// Variants that are not another's name: standard is join or split.
const DISTINCT: [Variant; 4] =
    [Variant::Split, Variant::Join, Variant::Context, Variant::Mix { threshold: 7 }];

fn mast_variants() -> impl Iterator<Item = Option<Mast>> {
    let policies = [
        Policy::EpsilonGreedy { epsilon: 0.4 },
        Policy::Gibbs { temperature: 1.0 },
        Policy::Roulette,
    ];
    let factor = 0.2;
    let decays = [
        Decay::None,
        Decay::Move { factor },
        Decay::Batch { factor, simulations: 1000 },
        Decay::Simulation { factor },
    ];
    let phases = [(true, true), (true, false), (false, true)];
    let all = DISTINCT
        .into_iter()
        .flat_map(move |variant| policies.map(|policy| (variant, policy)))
        .flat_map(move |(variant, policy)| decays.map(|decay| (variant, policy, decay)))
        .flat_map(move |(v, p, d)| phases.map(|phases| (v, p, d, phases)))
        .flat_map(|(v, p, d, phases)| [false, true].map(|tree_only| (v, p, d, phases, tree_only)))
        .map(|(variant, policy, decay, (in_playouts, in_expansion), tree_only)| {
            Some(Mast { variant, policy, in_playouts, in_expansion, tree_only, decay })
        });
    std::iter::once(None).chain(all)
}

fn rave_variants() -> impl Iterator<Item = Option<Rave>> {
    let all = DISTINCT
        .into_iter()
        .flat_map(|variant| [0, 50].map(|reference| (variant, reference)))
        .map(|(variant, reference)| Some(Rave { variant, reference, ..Rave::default() }));
    std::iter::once(None).chain(all)
}

fn in_range(parameter: &'static str, value: f64, low: f64, high: f64) -> Result<(), Refusal> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    refuse(parameter, value, format!("must lie between {low} and {high}"))
}

fn at_least_one(parameter: &'static str, value: u32) -> Result<(), Refusal> {
    if value > 0 { Ok(()) } else { refuse(parameter, value, "must be at least 1") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROLLUP: TreeDesign =
        TreeDesign::Rollup { nodal: true, min_simulations_factor: 1.0, min_score_diff: 0.0 };

    /// THESIS Table 2.1 row by row: a tick is `+`, a tick with an asterisk `*`, a struck one `-`, none
    /// `.`; columns Standard, Split, Join, Context, each MAST and RAVE.
    #[test]
    fn the_matrix_is_that_of_the_thesis() {
        let orthodox = SimulationDesign::Orthodox;
        let semisplit = SimulationDesign::Semisplit;
        let split = TreeDesign::Semisplit { nodal: true };
        let table = [
            (TreeDesign::Orthodox, orthodox, "++ +. ++ --"),
            (TreeDesign::Orthodox, semisplit, ".. +. .+ +-"),
            (split, orthodox, ".. ++ *. ++"),
            (split, semisplit, "++ ++ .. ++"),
            (ROLLUP, orthodox, ".. +. *. ++"),
            (ROLLUP, semisplit, ".. +. .. ++"),
        ];
        let sign = |entry| match entry {
            Availability::Available => '+',
            Availability::NotInExpansion => '*',
            Availability::Useless(_) => '-',
            Availability::Missing(_) => '.',
        };
        for (tree, simulation, expected) in table {
            let variants = [Variant::Standard, Variant::Split, Variant::Join, Variant::Context];
            let row = variants.map(|v| {
                let mast = sign(mast_availability(tree, simulation, v));
                format!("{mast}{}", sign(rave_availability(tree, simulation, v)))
            });
            assert_eq!(row.join(" "), expected, "{} {}", tree.name(), simulation.name());
        }
    }

    #[test]
    fn there_are_more_than_600_variants() {
        assert!(Config::variants().count() > 600);
        assert!(Config::variants().any(|c| c.tree == TreeDesign::Orthodox && c.mast.is_none()));
    }

    #[test]
    fn refusals_name_parameter_value_and_remedy() {
        let mut config = Config { mast: Some(Mast::default()), ..Config::default() };
        assert_eq!(config.validate(), Ok(()));
        config.mast =
            Some(Mast { policy: Policy::EpsilonGreedy { epsilon: 2.0 }, ..Mast::default() });
        let refusal = config.validate().expect_err("epsilon is a probability").to_string();
        assert_eq!(refusal, "mast.policy.epsilon = 2: must lie between 0 and 1");
        config.mast = None;
        config.rave = Some(Rave { variant: Variant::Context, ..Rave::default() });
        let refusal = config.validate().expect_err("useless").to_string();
        assert!(refusal.ends_with("it equals join and is slower: use that"), "{refusal}");
        config.exploration = f64::NAN;
        assert!(config.validate().is_err());
    }

    #[test]
    fn join_in_a_semisplit_tree_stays_out_of_expansion() {
        let mut config = Config { tree: ROLLUP, ..Config::default() };
        config.mast = Some(Mast { variant: Variant::Join, ..Mast::default() });
        assert_eq!(config.validate().expect_err("expansion").parameter, "mast.in_expansion");
        config.mast = Some(Mast { variant: Variant::Join, in_expansion: false, ..Mast::default() });
        assert_eq!(config.validate(), Ok(()));
    }

    #[test]
    fn limits_must_stop_the_search() {
        let config = Config::default();
        assert!(Limits::default().validate(&config).is_err());
        assert!(Limits::simulations(10).validate(&config).is_ok());
        let limits = Limits { no_catching_up: true, ..Limits::simulations(10) };
        assert!(limits.validate(&config).is_err());
        let by_visits = Config { final_selection: FinalSelection::MostVisited, ..config };
        assert!(limits.validate(&by_visits).is_ok());
    }
}
