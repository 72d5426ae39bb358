//! Values in their ranges and parts that go together.

use super::config::{
    Algorithm, Config, Evolution, EvolutionKind, Mcts, Ngrams, Playout, Score, Stgp,
};
use super::{expansion, score};
use crate::config::refusal::{at_least_one, in_range, refuse};
use crate::config::{Limits, Refusal};
use crate::part::{Selection, validate_part};

/// The most of anything that is counted.
const MANY: u32 = 10_000;

/// The longest sequence of actions that statistics are kept for: tables grow with the power of it.
const LONGEST: u32 = 6;

/// A tree has room for a root and its children.
const LEAST_NODES: usize = 16;

impl Config {
    /// Refuses values out of range and parts that do not go together.
    pub fn validate(&self) -> Result<(), Refusal> {
        match &self.algorithm {
            Algorithm::Random => Ok(()),
            Algorithm::OneStep { score } => validate_score(score),
            Algorithm::Mcts(mcts) => mcts.validate(),
            Algorithm::Evolution(evolution) => evolution.validate(),
        }
    }

    /// Refuses limits that never stop a search, or that it does not know.
    pub fn validate_limits(&self, limits: &Limits) -> Result<(), Refusal> {
        let searches = !matches!(self.algorithm, Algorithm::Random | Algorithm::OneStep { .. });
        if searches
            && limits.time.is_none()
            && limits.simulations.is_none()
            && limits.states.is_none()
        {
            return refuse(
                "limits",
                "none",
                "nothing stops the search: give time, simulations or states",
            );
        }
        if limits.no_catching_up {
            return refuse(
                "no_catching_up",
                "true",
                "agents for video games use all their time: leave it out",
            );
        }
        Ok(())
    }
}

fn validate_score(score: &Score) -> Result<(), Refusal> {
    validate_part("score", score::REGISTRY, score.name_and_parameters())
}

pub(super) fn count(
    parameter: &'static str,
    value: u32,
    low: u32,
    high: u32,
) -> Result<(), Refusal> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    refuse(parameter, value, format!("must lie between {low} and {high}"))
}

impl Mcts {
    fn validate(&self) -> Result<(), Refusal> {
        self.selection.validate()?;
        validate_part("expansion", expansion::REGISTRY, self.expansion.name_and_parameters())?;
        validate_score(&self.score)?;
        count("depth", self.depth, 1, MANY)?;
        if !(LEAST_NODES..=100_000_000).contains(&self.max_nodes) {
            return refuse(
                "max_nodes",
                self.max_nodes,
                format!("must lie between {LEAST_NODES} and 100000000"),
            );
        }
        self.ngrams.validate()?;
        match &self.playout {
            Playout::Random => {}
            Playout::Mast { epsilon }
            | Playout::Nst { epsilon }
            | Playout::OnePlusOne { epsilon } => in_range("playout.epsilon", *epsilon, 0.0, 1.0)?,
            Playout::Stgp(stgp) => stgp.validate()?,
        }
        let learns = matches!(self.playout, Playout::OnePlusOne { .. } | Playout::Stgp(_));
        if matches!(self.selection, Selection::Evo { .. }) && !learns {
            return refuse(
                "selection",
                "evo",
                "it asks what an evolutionary play-out has learned: use such a play-out ((1+1) EA or STGP), \
                 or another selection",
            );
        }
        self.validate_modifications()
    }
}

impl Ngrams {
    fn validate(&self) -> Result<(), Refusal> {
        count("ngrams.length", self.length, 1, LONGEST)?;
        in_range("ngrams.decay", self.decay, 0.0, 1.0)
    }
}

impl Stgp {
    fn validate(&self) -> Result<(), Refusal> {
        in_range("playout.epsilon", self.epsilon, 0.0, 1.0)?;
        count("playout.population", self.population, 2, MANY)?;
        count("playout.max_depth", self.max_depth, 1, 16)?;
        count("playout.initial_depth", self.initial_depth, 1, self.max_depth)?;
        in_range("playout.crossover", self.crossover, 0.0, 1.0)?;
        in_range("playout.mutation", self.mutation, 0.0, 1.0)?;
        count("playout.tournament", self.tournament, 1, self.population)?;
        count("playout.winners", self.winners, 1, self.tournament)
    }
}

impl Evolution {
    fn validate(&self) -> Result<(), Refusal> {
        count("horizon", self.horizon, 1, MANY)?;
        in_range("mutation", self.mutation, 0.0, 1.0)?;
        at_least_one("trials", self.trials)?;
        validate_score(&self.score)?;
        match self.kind {
            EvolutionKind::RollingHorizon { elite, tournament } => {
                count("population", self.population, 1, MANY)?;
                if elite >= self.population {
                    return refuse(
                        "elite",
                        elite,
                        format!(
                            "must be less than the population of {}, or nothing changes",
                            self.population
                        ),
                    );
                }
                count("tournament", tournament, 1, self.population)
            }
            EvolutionKind::Microbial { recombination } => {
                count("population", self.population, 2, MANY)?;
                in_range("recombination", recombination, 0.0, 1.0)
            }
        }
    }
}
