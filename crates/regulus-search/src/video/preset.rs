//! Agents that are known from elsewhere: the sample players of the GVG-AI framework, and those of the thesis.

use super::config::{
    ActionChoice, Evolution, EvolutionKind, Expansion, FinalChoice, Mcts, Ngrams, Normalisation,
    Playout, Score, Span, Tree,
};
use super::modification::Modifications;
use crate::component::Selection;
use crate::config::Decay;

/// What the sample players give for a win.
const BONUS: f64 = 1e7;

/// What the heuristic of the sample players with evolution gives for a win.
const WIN_SCORE: f64 = 1000.0;

impl Default for Mcts {
    /// What a file asks for that says nothing: the sample player with the final choice of the thesis.
    fn default() -> Self {
        Mcts { final_choice: FinalChoice::Mean, ..Mcts::sample_open_loop() }
    }
}

impl Mcts {
    /// The same whose nodes keep states.
    pub fn closed_loop() -> Self {
        Mcts { final_choice: FinalChoice::Mean, ..Mcts::sample_closed_loop() }
    }

    /// The sample player with open-loop MCTS.
    pub fn sample_open_loop() -> Self {
        Mcts {
            tree: Tree::Open,
            selection: Selection::Uct { c: std::f64::consts::SQRT_2 },
            expansion: Expansion::Random,
            playout: Playout::Random,
            ngrams: Ngrams::default(),
            score: Score::default(),
            normalisation: Normalisation::Game,
            depth: 10,
            final_choice: FinalChoice::MostVisited,
            max_nodes: 100_000,
            modifications: Modifications::NONE,
        }
    }

    /// The sample player with MCTS whose nodes keep states.
    pub fn sample_closed_loop() -> Self {
        // A state takes some kilobytes.
        Mcts { tree: Tree::Closed, max_nodes: 5_000, ..Mcts::sample_open_loop() }
    }

    /// What the thesis begins with: open loop, UCT with C = 0.6, and the action with the best mean
    /// (Algorithm 3.1).
    pub fn thesis() -> Self {
        Mcts {
            selection: Selection::Uct { c: 0.6 },
            final_choice: FinalChoice::Mean,
            ..Mcts::sample_open_loop()
        }
    }

    /// FastEvo of Table 5.6: the agent of Perez et al. (2014), which "uses the SAMPLE OL-MCTS PLAYER as starting point and
    /// combines it with an EA to guide the play-out" (5.2.6), "the same approach as the (1+1) EA", with a softmax instead
    /// of epsilon (4.3.1). The version in the table has further enhancements that are not described.
    pub fn fast_evo() -> Self {
        let playout = Playout::OnePlusOne {
            epsilon: 0.0,
            choice: ActionChoice::Softmax,
            fitness: Span::Game,
        };
        Mcts { playout, ..Mcts::sample_open_loop() }
    }

    /// The NST agent of Table 5.2 (section 5.2.2): 3-grams, and progressive history.
    pub fn thesis_nst() -> Self {
        Mcts {
            selection: Selection::ProgressiveHistory { c: 0.6, w: 1.0 },
            playout: Playout::Nst { epsilon: 0.5 },
            ngrams: Ngrams { length: 3, threshold: 7, decay: Decay::Move { factor: 0.15 } },
            ..Mcts::thesis()
        }
    }

    /// The agent of Table 5.3 with most wins (section 5.2.3): the quality-based score.
    pub fn thesis_quality_based() -> Self {
        let score = Score::QualityBased {
            relative: 0.9,
            qualitative: 0.6,
            k: 1.0,
            separated: false,
            delta: 1.0,
            estimated: false,
        };
        Mcts { score, ..Mcts::thesis() }
    }
}

impl Default for Score {
    fn default() -> Self {
        Score::Gvgai { bonus: BONUS, depth: 0.0 }
    }
}

impl Evolution {
    /// Rolling horizon evolution as a file asks for that says nothing.
    pub fn rolling_horizon() -> Self {
        let sample = Evolution::sample_rolling_horizon();
        Evolution { shift: true, score: Score::default(), ..sample }
    }

    /// The same for microbial evolution.
    pub fn microbial() -> Self {
        let kind = Evolution::sample_microbial().kind;
        Evolution { kind, ..Evolution::rolling_horizon() }
    }

    /// The parameters of the sample player with a microbial genetic algorithm. It has a population for every
    /// first action and keeps plans as they are; here there is one population, and plans are shifted.
    pub fn sample_microbial() -> Self {
        Evolution {
            kind: EvolutionKind::Microbial { recombination: 0.1 },
            population: 5,
            horizon: 7,
            mutation: 1.0 / 7.0,
            trials: 1,
            shift: true,
            score: Score::Gvgai { bonus: WIN_SCORE, depth: 0.0 },
        }
    }

    /// The parameters of the sample player with rolling horizon evolution.
    pub fn sample_rolling_horizon() -> Self {
        Evolution {
            kind: EvolutionKind::RollingHorizon { elite: 1, tournament: 2 },
            population: 10,
            horizon: 10,
            mutation: 0.1,
            trials: 1,
            shift: false,
            score: Score::Gvgai { bonus: WIN_SCORE, depth: 0.0 },
        }
    }
}
