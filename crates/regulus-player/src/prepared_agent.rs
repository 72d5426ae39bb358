//! An agent at work on a game, whatever runs the rules.

use regulus_agent::{Agent, by_name};
use regulus_game::Step;
use regulus_reasoner::RunError;
use regulus_reasoner::native::Operation;
use regulus_search::config::{MAX_PARALLEL, Parallel};
use regulus_search::{Algorithm, Asks, BoxedSearcher};

use crate::loaded_game::LoadedGame;
use crate::rules::Rules;

/// Why an agent cannot begin or go on.
pub type Failure = regulus_search::Failure<RunError>;

/// An agent and the rules as it sees them; makes [searches](regulus_search::Searcher). Threads can share it.
pub struct PreparedAgent {
    rules: Rules,
    search: Algorithm,
    /// How many threads one search may have.
    threads: usize,
}

impl PreparedAgent {
    /// Prepares a game for an agent, with the code that all its players share. Where no native code can be made the
    /// interpreter takes over ([`PreparedAgent::why_interpreted`]).
    pub fn new(agent: &Agent, game: &LoadedGame) -> Self {
        let rules = game.runnable(agent.split, &operations(&agent.search));
        let search = agent.search.clone();
        PreparedAgent { rules, threads: search.usual_threads(), search }
    }

    /// Says how many threads work on one search; without that there are as many as there are trees, but not more
    /// than processors. It never makes a difference to what is found: what would is refused, with the agents to
    /// ask for instead.
    pub fn set_threads(&mut self, agent: &Agent, threads: usize) -> Result<(), String> {
        if !(1..=MAX_PARALLEL as usize).contains(&threads) {
            return Err(format!("a search has from 1 to {MAX_PARALLEL} threads, not {threads}"));
        }
        let name = &agent.name;
        match self.search.parallel() {
            Parallel::Root { .. } => self.threads = threads,
            Parallel::Tree { threads: own } if own as usize == threads => {}
            Parallel::Tree { threads: own } => {
                let other = name.strip_suffix(&format!("_tree{own}"));
                return Err(format!(
                    "{name} has {own} threads on one tree, and with {threads} it would find something else: use {}",
                    match other {
                        Some(plain) => format!("`{plain}_tree{threads}`"),
                        None => format!("a file with \"threads\": {threads}"),
                    }
                ));
            }
            Parallel::Off if threads == 1 => {}
            Parallel::Off if self.search.tree_search().is_none() => {
                return Err(format!("{name} is a search for one thread"));
            }
            Parallel::Off => {
                let names = ["root", "tree"].map(|kind| format!("{name}_{kind}{threads}"));
                let known = names.iter().filter(|name| by_name(name).is_ok());
                let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
                return Err(format!(
                    "{name} searches one tree with one thread: use {}",
                    match known.as_slice() {
                        [] => "a file with the key `parallel`".to_owned(),
                        known => known.join(" or "),
                    }
                ));
            }
        }
        Ok(())
    }

    /// Why the rules are interpreted; nothing if they are not.
    pub fn why_interpreted(&self) -> Option<&str> {
        self.rules.why_interpreted()
    }

    /// A search from the beginning of the game, after some moves.
    pub fn searcher<'a>(
        &self,
        seed: u64,
        moves: impl Iterator<Item = &'a [Step]>,
    ) -> Result<BoxedSearcher<'static, RunError>, Failure> {
        let mut searcher = match &self.rules {
            Rules::Native(native) => self.search.start(|| native.worker(), seed, self.threads)?,
            Rules::Interpreted { rules, .. } => {
                self.search.start(|| rules.worker(), seed, self.threads)?
            }
        };
        for steps in moves {
            searcher.advance(steps)?;
        }
        Ok(searcher)
    }
}

/// What the search of an agent asks of the rules.
fn operations(search: &Algorithm) -> Vec<Operation> {
    let last: &[Operation] = match search.asks() {
        Asks::Playouts => &[Operation::Playout],
        Asks::SplitPlayouts => &[Operation::SplitPlayout],
        Asks::Groups => &[Operation::Groups],
        Asks::Draws => &[Operation::Count, Operation::Nth],
        Asks::Nothing => &[],
    };
    [&[Operation::Keeper, Operation::List], last].concat()
}
