//! What all heuristics of a file have in common, and which actions their statistics are kept for.

use super::Config;
use crate::parameter::{Parameter, Setting, Word};

/// A kind of heuristic: what files, explanations and names of agents say about it.
pub struct Heuristic<C: 'static> {
    /// Its names in files: the first is that of the kind.
    pub names: &'static [&'static str],
    /// What it does, a line for the documentation.
    pub help: &'static str,
    /// Its parameters.
    pub settings: &'static [Setting<C>],
    /// Why there can be no second one.
    pub taken: &'static str,
    /// What a name stands for in a search, with the usual parameters.
    pub named: fn(name: &str, config: &Config) -> C,
    /// The name of one; nothing if it is of another kind.
    pub name: fn(&C) -> Option<&'static str>,
    /// The one that a search has.
    pub get: fn(&Config) -> Option<&C>,
    /// Where a search has one.
    pub slot: fn(&mut Config) -> &mut Option<C>,
    /// What one does.
    pub sentences: fn(&C) -> Vec<String>,
    /// Its words in names of agents.
    pub words: &'static [Word<Config>],
}

impl<C> Heuristic<C> {
    /// One with the usual parameters.
    pub fn usual(&self, name: &str) -> C {
        (self.named)(name, &Config::default())
    }

    /// Its keys in files.
    pub fn keys(&self) -> Vec<Parameter> {
        let usual = self.usual(self.names[0]);
        self.settings.iter().map(|setting| setting.parameter(&usual)).collect()
    }
}

/// Adds what a word of a name stands for; false if there is one already.
pub(super) fn add<C>(slot: &mut Option<C>, new: C) -> bool {
    slot.is_none() && slot.replace(new).is_none()
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

impl Variant {
    /// What is counted, in words.
    pub(super) fn subject(self) -> String {
        match self {
            Variant::Standard => "what is drawn".to_owned(),
            Variant::Split => "single semimoves".to_owned(),
            Variant::Join => "whole moves".to_owned(),
            Variant::Context => "semimoves in the context of those before them".to_owned(),
            Variant::Mix { threshold } => {
                format!("semimoves in context where there are {threshold} samples, else without it")
            }
            Variant::Registered(name) => name.to_owned(),
        }
    }
}
