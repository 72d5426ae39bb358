//! What an agent for video games is made of, as plain data. Numbers of equations, algorithms and tables are
//! those of GVGAI-THESIS.

use super::modification::Modifications;
use crate::part::{Parameters, Selection};

/// A complete agent.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// How it decides.
    pub algorithm: Algorithm,
    /// Where all its randomness comes from.
    pub seed: u64,
}

/// How an agent decides.
#[derive(Clone, PartialEq, Debug)]
pub enum Algorithm {
    /// Any action.
    Random,
    /// The action whose next state is best.
    OneStep {
        /// What a state is worth.
        score: Score,
    },
    /// Monte-Carlo tree search (Algorithm 3.1).
    Mcts(Box<Mcts>),
    /// Evolution of plans of actions.
    Evolution(Evolution),
}

/// A Monte-Carlo tree search.
#[derive(Clone, PartialEq, Debug)]
pub struct Mcts {
    /// What nodes keep.
    pub tree: Tree,
    /// How a child is selected.
    pub selection: Selection,
    /// Which child is added.
    pub expansion: Expansion,
    /// What is played below the tree.
    pub playout: Playout,
    /// Statistics of sequences of actions, for the parts that use them.
    pub ngrams: Ngrams,
    /// What the end of a play-out is worth.
    pub score: Score,
    /// What values are scaled to the range from 0 to 1 by, where a selection needs that.
    pub normalisation: Normalisation,
    /// How many ticks an iteration looks ahead, tree and play-out together.
    pub depth: u32,
    /// Which action is played in the end.
    pub final_choice: FinalChoice,
    /// How many nodes a tree may have; then the search goes on without expansion.
    pub max_nodes: usize,
    /// What is added to all this.
    pub modifications: Modifications,
}

/// What nodes keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tree {
    /// Statistics only: every iteration plays its actions anew from the root ("open loop").
    Open,
    /// Also the state that was found when the node was added ("closed loop").
    Closed,
}

/// The least and the greatest value by which means are scaled (3.3.3: "observed minima and maxima").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Normalisation {
    /// Of all iterations of the game so far: the sample players of the framework in 2015.
    Game,
    /// Of all iterations of this tick so far.
    Tick,
    /// Of all iterations through the parent: the sample players of the framework in 2021.
    Node,
}

/// Which of the untried actions is added to the tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expansion {
    /// Any.
    Random,
    /// All are tried with the forward model and the best is added; with probability epsilon any.
    EpsilonGreedy {
        /// The probability.
        epsilon: f64,
    },
    /// The action with the best statistics; with probability epsilon any.
    ActionBased {
        /// The probability.
        epsilon: f64,
    },
    /// All at once; the play-out begins at any of them.
    AllChildren,
    /// A part of [`expansion::REGISTRY`](super::expansion::REGISTRY) by its name.
    Registered {
        /// The name.
        name: &'static str,
        /// Its parameters.
        parameters: Parameters,
    },
}

/// What is played below the tree.
#[derive(Clone, PartialEq, Debug)]
pub enum Playout {
    /// Any action.
    Random,
    /// The action with the best mean; with probability epsilon any.
    Mast {
        /// The probability.
        epsilon: f64,
    },
    /// The action that continues the best sequences ([`Ngrams::length`]); with probability epsilon any.
    Nst {
        /// The probability.
        epsilon: f64,
    },
    /// Weights of features, changed a little for every play-out (Algorithm 4.2).
    OnePlusOne {
        /// The probability of any action.
        epsilon: f64,
    },
    /// Strongly typed genetic programming (Algorithms 4.1 and 4.3 to 4.5, Tables 4.1 and 4.2).
    Stgp(Stgp),
}

/// Statistics of sequences of actions, over all iterations of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ngrams {
    /// The longest sequence: 1 for MAST.
    pub length: u32,
    /// k: sequences longer than 1 count from so many visits on.
    pub threshold: u32,
    /// What visits and sums are multiplied by after an action of the game; 0 forgets all.
    pub decay: f64,
}

impl Default for Ngrams {
    /// Single actions, and the k of the paper.
    fn default() -> Self {
        Ngrams { length: 1, threshold: 7, decay: 0.0 }
    }
}

/// Parameters of genetic programming.
#[derive(Clone, PartialEq, Debug)]
pub struct Stgp {
    /// The probability of any action.
    pub epsilon: f64,
    /// Individuals.
    pub population: u32,
    /// The deepest tree at the beginning.
    pub initial_depth: u32,
    /// The deepest tree.
    pub max_depth: u32,
    /// How trees are made at the beginning.
    pub generation: Generation,
    /// The probability that two individuals are crossed.
    pub crossover: f64,
    /// The probability that an individual is mutated.
    pub mutation: f64,
    /// Individuals that are compared for a place in the next population.
    pub tournament: u32,
    /// How many of them get one.
    pub winners: u32,
    /// How many random actions are compared in a tick of a play-out; 0 is all.
    pub action_evaluation: u32,
}

impl Default for Stgp {
    /// GVGAI-THESIS 5.2.6.
    fn default() -> Self {
        Stgp {
            epsilon: 0.4,
            population: 100,
            initial_depth: 5,
            max_depth: 10,
            generation: Generation::Grow,
            crossover: 0.8,
            mutation: 0.2,
            tournament: 2,
            winners: 1,
            action_evaluation: 0,
        }
    }
}

/// How trees are made (Algorithm 4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generation {
    /// All leaves are at the greatest depth.
    Full,
    /// Leaves are anywhere.
    Grow,
}

/// What the end of a play-out is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Score {
    /// Equation 3.2: 1, 0 or -1.
    WinLoss,
    /// Equation 3.7: the score, with a large bonus for a win and as large a penalty for a loss.
    Gvgai {
        /// The bonus.
        bonus: f64,
        /// What a tick that a win comes earlier, or a loss later, is worth; 0 without depth bonus.
        depth: f64,
    },
    /// Equation 3.8: the score through a sigmoid.
    Normalised {
        /// k.
        k: f64,
    },
    /// Equations 3.9 to 3.14: win or loss, with bonuses for length and score.
    QualityBased {
        /// a of the relative bonus (length); 0 without it.
        relative: f64,
        /// a of the qualitative bonus (score); 0 without it.
        qualitative: f64,
        /// k of the sigmoid.
        k: f64,
        /// Separate means and deviations for won games and for others.
        separated: bool,
        /// δ: a bonus counts only while the variance of its lengths (as parts of the horizon) or scores (as
        /// parts of their range in the game so far) is not above it; 1 is always.
        delta: f64,
    },
    /// A part of [`score::REGISTRY`](super::score::REGISTRY) by its name.
    Registered {
        /// The name.
        name: &'static str,
        /// Its parameters.
        parameters: Parameters,
    },
}

/// Which action is played in the end; ties are broken by the other criterion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalChoice {
    /// The best mean.
    Mean,
    /// Most visits.
    MostVisited,
}

/// Evolution of plans (rolling horizon evolution): every tick a population of sequences of actions is improved,
/// and the first action of the best is played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evolution {
    /// How the next generation is made.
    pub kind: EvolutionKind,
    /// How many plans there are.
    pub population: u32,
    /// How many ticks a plan has.
    pub horizon: u32,
    /// The probability that an action of a plan is changed.
    pub mutation: f64,
    /// How often a plan is tried before it is judged.
    pub trials: u32,
    /// Whether plans are kept for the next tick, without their first action.
    pub shift: bool,
    /// What the state at the end of a plan is worth.
    pub score: Score,
}

/// How plans are improved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum EvolutionKind {
    /// The best are kept, and others are made from two parents, chosen in tournaments, by uniform crossover.
    RollingHorizon {
        /// How many of the best are kept.
        elite: u32,
        /// How many are compared to find a parent.
        tournament: u32,
    },
    /// Microbial: two plans are compared, and the loser takes a part of its actions from the winner (Harvey 2011).
    Microbial {
        /// The probability that the loser takes an action.
        recombination: f64,
    },
}
