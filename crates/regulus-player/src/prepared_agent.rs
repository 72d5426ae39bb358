//! An agent at work on a game, whatever runs the rules.

use regulus_agent::{Agent, by_name};
use regulus_game::{Engine, Step};
use regulus_rbg::Game;
use regulus_reasoner::RunError;
use regulus_reasoner::native::Operation;
use regulus_search::config::{Config, MAX_PARALLEL, Parallel, SimulationDesign};
use regulus_search::nested::{self, Algorithm, Design, Nested};
use regulus_search::parallel::{RootParallel, TreeParallel};
use regulus_search::shot::Shot;
use regulus_search::{Search, Searcher};

use crate::rules::Rules;

/// Why an agent cannot begin or go on.
pub type Failure = regulus_search::Failure<RunError>;

/// An agent and the rules as it sees them; makes [`Searcher`]s. Threads can share it.
pub struct PreparedAgent {
    rules: Rules,
    config: Config,
    nested: Option<Design>,
    shot: bool,
    /// How many threads one search may have.
    threads: usize,
}

impl PreparedAgent {
    /// Prepares a game for an agent. Where no native code can be made the interpreter takes over
    /// ([`PreparedAgent::why_interpreted`]).
    pub fn new(agent: &Agent, game: &Game) -> Self {
        PreparedAgent::run_by(agent, Rules::new(&agent.game(game), &operations(agent)))
    }

    /// Prepares a game for an agent and for the interpreter.
    pub fn interpreted(agent: &Agent, game: &Game) -> Self {
        PreparedAgent::run_by(
            agent,
            Rules::interpreted(&agent.game(game), "it was asked for".to_owned()),
        )
    }

    fn run_by(agent: &Agent, rules: Rules) -> Self {
        let config = agent.search.clone();
        let threads = usual_threads(config.parallel);
        PreparedAgent { rules, config, nested: agent.nested, shot: agent.shot, threads }
    }

    /// Says how many threads work on one search; without that there are as many as there are trees, but not more
    /// than processors. It never makes a difference to what is found: what would is refused, with the agents to
    /// ask for instead.
    pub fn set_threads(&mut self, agent: &Agent, threads: usize) -> Result<(), String> {
        if !(1..=MAX_PARALLEL as usize).contains(&threads) {
            return Err(format!("a search has from 1 to {MAX_PARALLEL} threads, not {threads}"));
        }
        let name = &agent.name;
        match self.config.parallel {
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
            Parallel::Off if self.nested.is_some() || self.shot => {
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
    ) -> Result<Box<dyn Searcher<RunError> + '_>, Failure> {
        let mut searcher = match &self.rules {
            Rules::Native(native) => self.search(|| native.worker(), seed)?,
            Rules::Interpreted { rules, .. } => self.search(|| rules.worker(), seed)?,
        };
        for steps in moves {
            searcher.advance(steps)?;
        }
        Ok(searcher)
    }

    fn search<'e, E>(
        &self,
        engine: impl Fn() -> E,
        seed: u64,
    ) -> Result<Box<dyn Searcher<RunError> + 'e>, Failure>
    where
        E: Engine<Error = RunError> + Send + 'e,
        E::State: Send,
    {
        Ok(match self.nested {
            Some(design) => {
                let config = nested::Config { design, memory: self.config.memory, seed };
                Box::new(Nested::new(engine(), config)?)
            }
            None if self.shot => {
                Box::new(Shot::new(engine(), Config { seed, ..self.config.clone() })?)
            }
            None => {
                let config = Config { seed, ..self.config.clone() };
                match config.parallel {
                    Parallel::Off => Box::new(Search::new(engine(), config)?),
                    Parallel::Root { .. } => {
                        Box::new(RootParallel::new(engine, config, self.threads)?)
                    }
                    Parallel::Tree { .. } => Box::new(TreeParallel::new(engine, config)?),
                }
            }
        })
    }
}

/// What the search of an agent asks of the rules.
fn operations(agent: &Agent) -> Vec<Operation> {
    let search = &agent.search;
    // Simulations that are guided or recorded are made move by move.
    let simulation = match search.simulation {
        SimulationDesign::Semisplit => Operation::SplitPlayout,
        SimulationDesign::Orthodox if search.mast.is_some() || search.rave.is_some() => {
            Operation::Groups
        }
        SimulationDesign::Orthodox => Operation::Playout,
    };
    let last: &[Operation] = match agent.nested.map(|design| design.algorithm) {
        Some(Algorithm::Nmcs) => &[Operation::Count, Operation::Nth],
        Some(Algorithm::Nrpa { .. }) => &[],
        None => &[simulation],
    };
    [&[Operation::Keeper, Operation::List], last].concat()
}

/// How many threads one search of this kind has if nobody says so.
pub fn usual_threads(parallel: Parallel) -> usize {
    match parallel {
        Parallel::Root { trees } => {
            let processors = std::thread::available_parallelism().map_or(1, usize::from);
            processors.min(trees as usize)
        }
        other => other.most_threads(),
    }
}
