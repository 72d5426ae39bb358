//! Values in their ranges and parts that go together.

use super::config::{Algorithm, Config, Evolution, EvolutionKind, Mcts, Playout};
use crate::component::Selection;
use crate::config::refusal::refuse;
use crate::config::{Limits, Refusal};
use crate::parameter::validate;

impl Config {
    /// Refuses values out of range and parts that do not go together.
    pub fn validate(&self) -> Result<(), Refusal> {
        match &self.algorithm {
            Algorithm::Random => Ok(()),
            Algorithm::OneStep { score } => validate(Config::ONE_STEP, score),
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

fn at_most(parameter: &'static str, value: u32, most: u32) -> Result<(), Refusal> {
    if value <= most {
        return Ok(());
    }
    refuse(parameter, value, format!("must lie between 1 and {most}"))
}

impl Mcts {
    fn validate(&self) -> Result<(), Refusal> {
        for settings in Mcts::SETTINGS.iter().chain(&[Mcts::NGRAMS]) {
            validate(settings, self)?;
        }
        if let Playout::Stgp(stgp) = &self.playout {
            at_most("playout.initial_depth", stgp.initial_depth, stgp.max_depth)?;
            at_most("playout.tournament", stgp.tournament, stgp.population)?;
            at_most("playout.winners", stgp.winners, stgp.tournament)?;
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

impl Evolution {
    fn validate(&self) -> Result<(), Refusal> {
        validate(Evolution::SETTINGS, self)?;
        match self.kind {
            EvolutionKind::RollingHorizon { elite, tournament } => {
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
                at_most("tournament", tournament, self.population)
            }
            EvolutionKind::Microbial { .. } if self.population < 2 => {
                refuse("population", self.population, "must be at least 2, since two are compared")
            }
            EvolutionKind::Microbial { .. } => Ok(()),
        }
    }
}
