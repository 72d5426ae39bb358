//! A part of an experiment: games, pairs of agents and limits, all with all. A table of a paper often
//! consists of several, since some agents play some games only or have an opponent of their own.

use super::declaration::{DeclarationError, Kind};
use super::declaration_check as check;
use super::toml_section::{Located, Section};
use crate::budget::Budget;

/// The keys of a part.
pub const KEYS: &[&str] = &["games", "baseline", "agents", "pairs", "limits"];

/// Games, pairs and limits of which every combination is played.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Part {
    /// The games.
    pub games: Vec<String>,
    /// Whom every agent plays against.
    pub baseline: Option<String>,
    /// The agents.
    pub agents: Vec<String>,
    /// All pairs: every agent with the baseline, then those that are listed.
    pub pairs: Vec<[String; 2]>,
    /// The pairs that are listed.
    listed: Vec<[String; 2]>,
    /// What an agent may use for a move.
    pub limits: Vec<Budget>,
}

impl Part {
    /// Reads the lists of a section. What is not there is as in `rest`.
    pub fn read(section: &Section<'_>, kind: Kind, rest: &Part) -> Result<Self, DeclarationError> {
        let games = check::names(section.texts("games")?, "game", check::game)?;
        let baseline = section.text("baseline")?.map(check::agent).transpose()?;
        let agents = check::names(section.texts("agents")?, "agent", check::agent)?;
        let listed = listed(section.pairs("pairs")?)?;
        let mut part = Part {
            games: or(games, &rest.games),
            baseline: baseline.or_else(|| rest.baseline.clone()),
            agents: or(agents, &rest.agents),
            pairs: Vec::new(),
            listed: or(listed, &rest.listed),
            limits: or(limits(section)?, &rest.limits),
        };
        if let (Kind::Matches, Some(baseline)) = (kind, &part.baseline) {
            part.pairs = part.agents.iter().map(|a| [a.clone(), baseline.clone()]).collect();
        }
        for pair in &part.listed {
            if part.pairs.contains(pair) {
                let [one, other] = pair;
                let message = format!("the pair `{one}`, `{other}` is there already");
                return Err(DeclarationError::new(section.line, message));
            }
            part.pairs.push(pair.clone());
        }
        Ok(part)
    }

    /// Finds out if anything is missing; `line` is where the part begins.
    pub fn check(&self, kind: Kind, line: usize) -> Result<(), DeclarationError> {
        let need = |there: bool, key: &str| match there {
            true => Ok(()),
            false => Err(DeclarationError::new(line, format!("`{key}` is missing or empty"))),
        };
        need(!self.games.is_empty(), "games")?;
        need(!self.limits.is_empty(), "limits")?;
        need(!self.agents.is_empty() || !self.listed.is_empty(), "agents")?;
        if kind == Kind::Speed && !self.listed.is_empty() {
            return Err(DeclarationError::new(
                line,
                "`pairs` has no meaning here: kind = \"speed\" has `agents` and `searches`",
            ));
        }
        let alone = kind == Kind::Speed || self.agents.is_empty();
        need(self.baseline.is_some() || alone, "baseline")
    }

    /// True if the part has a game, agents (one where speed is measured, else the first one and its
    /// opponents) and a limit, all by their names.
    pub fn includes(&self, game: &str, agents: &[String], limit: &str) -> bool {
        let is = |declared: &String, name: &String| check::short_name(declared) == *name;
        let takes_part = match agents {
            [] => false,
            [agent] => self.baseline.iter().chain(&self.agents).any(|one| is(one, agent)),
            [agent, .., other] => {
                self.pairs.iter().any(|[one, two]| is(one, agent) && is(two, other))
            }
        };
        takes_part
            && self.games.iter().any(|one| check::short_name(one) == game)
            && self.limits.iter().any(|one| one.to_string() == limit)
    }
}

/// A list, or another one if it is empty.
fn or<T: Clone>(list: Vec<T>, other: &[T]) -> Vec<T> {
    if list.is_empty() { other.to_vec() } else { list }
}

fn limits(section: &Section<'_>) -> Result<Vec<Budget>, DeclarationError> {
    let mut limits = Vec::new();
    for given in section.texts("limits")? {
        let budget = check::limit(&given)?;
        if limits.contains(&budget) {
            return Err(DeclarationError::new(given.line, format!("`{budget}` is given twice")));
        }
        limits.push(budget);
    }
    Ok(limits)
}

fn listed(given: Vec<[Located<String>; 2]>) -> Result<Vec<[String; 2]>, DeclarationError> {
    let mut pairs: Vec<[String; 2]> = Vec::new();
    for [one, other] in given {
        let line = one.line;
        let pair = [check::agent(one)?, check::agent(other)?];
        if pairs.contains(&pair) {
            let [one, other] = pair;
            let message = format!("the pair `{one}`, `{other}` is there already");
            return Err(DeclarationError::new(line, message));
        }
        pairs.push(pair);
    }
    Ok(pairs)
}
