//! Heuristics in files.

use regulus_search::config::{Config, Heuristic};
use serde_json::{Value, json};

use crate::parameter::Parameter;
use crate::problem::{Problem, problem};
use crate::reference::behind;
use crate::section::{Owner, Section};
use crate::written;

/// A kind of heuristic, whatever its structure is.
pub trait Declared: Sync {
    /// Its names; the first is that of the kind.
    fn names(&self) -> &'static [&'static str];

    /// What it does.
    fn help(&self) -> &'static str;

    /// Its keys.
    fn keys(&self) -> Vec<Parameter>;

    /// Adds the one of this name to a search.
    fn read(
        &self,
        name: &'static str,
        path: &str,
        parameters: Option<&Value>,
        owner: &Owner<'_>,
        search: &mut Config,
    ) -> Result<(), Problem>;

    /// The one of a search.
    fn write(&self, search: &Config) -> Option<Value>;

    /// What it does in a search.
    fn sentences(&self, search: &Config) -> Vec<String>;

    /// Its words in names, and what stands behind them.
    fn words(&self) -> Vec<(&'static str, &'static str)>;

    /// Adds what a word of a name says; nothing if it is about something else, false if it means nothing.
    fn add_word(&self, search: &mut Config, word: &str, number: &str) -> Option<bool>;
}

impl<C> Declared for Heuristic<C> {
    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn keys(&self) -> Vec<Parameter> {
        Heuristic::keys(self)
    }

    fn read(
        &self,
        name: &'static str,
        path: &str,
        parameters: Option<&Value>,
        owner: &Owner<'_>,
        search: &mut Config,
    ) -> Result<(), Problem> {
        let keys = Heuristic::keys(self);
        let section = Section::new(&format!("{path}.parameters"), parameters, keys, &[], owner)?;
        if (self.slot)(search).is_some() {
            return Err(problem(&format!("{path}.name"), Some(&name.into()), self.taken));
        }
        let mut heuristic = (self.named)(name, search);
        for setting in self.settings {
            section.apply(setting, &mut heuristic)?;
        }
        *(self.slot)(search) = Some(heuristic);
        Ok(())
    }

    fn write(&self, search: &Config) -> Option<Value> {
        let heuristic = (self.get)(search)?;
        let name = (self.name)(heuristic)?;
        let parameters = written::object(self.settings, heuristic, &self.usual(self.names[0]));
        Some(json!({ "name": name, "parameters": parameters }))
    }

    fn sentences(&self, search: &Config) -> Vec<String> {
        let heuristic = (self.get)(search).filter(|heuristic| (self.name)(heuristic).is_some());
        heuristic.map(self.sentences).unwrap_or_default()
    }

    fn words(&self) -> Vec<(&'static str, &'static str)> {
        self.words.iter().map(|own| (own.word, behind(own.number))).collect()
    }

    fn add_word(&self, search: &mut Config, word: &str, number: &str) -> Option<bool> {
        let word = self.words.iter().find(|own| own.word == word)?;
        Some(word.say(search, number))
    }
}
