//! What a user writes to have an experiment: a TOML file. Nothing but its text is read here; files that
//! it names are opened when an [`super::Experiment`] is made of it.

use std::fmt;
use std::time::Duration;

use toml::de::DeTable;

use super::combinations::{self, Combinations};
use super::declaration_check as check;
use super::kind::Kind;
use super::size::SizeDeclarations;
use super::toml_section::{Located, Section, line_of};
use super::video_declaration::{self, VideoDeclaration};
use crate::board::{MAX_PLIES, TOLERANCE};
use crate::budget::{Budget, duration_or_zero};
use crate::video::GRACE;

/// What is wrong with a declaration, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclarationError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl DeclarationError {
    pub(crate) fn new(line: usize, message: impl Into<String>) -> Self {
        DeclarationError { line, message: message.into() }
    }
}

impl fmt::Display for DeclarationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for DeclarationError {}

/// A figure from a publication.
#[derive(Clone, PartialEq, Debug)]
pub struct Published {
    /// The name of the game; nothing for the average over all games.
    pub game: Option<String>,
    /// The name of the agent.
    pub agent: String,
    /// The name of its opponent; nothing where there is none.
    pub against: Option<String>,
    /// The limit, as text.
    pub limit: String,
    /// In percent.
    pub win_rate: Option<f64>,
    /// Half the length of the 95 % interval of the win rate, in percent.
    pub error: Option<f64>,
    /// Nodal states per second.
    pub states_per_s: Option<f64>,
    /// Simulations per second.
    pub simulations_per_s: Option<f64>,
    /// How many times as fast as the baseline.
    pub speed_up: Option<f64>,
    /// In how many games the agent was better, similar and worse, with an average over games.
    pub counts: Option<[u64; 3]>,
    /// Megabytes of 2^20 bytes that a search used.
    pub memory_mib: Option<f64>,
    /// Nodal states of a simulation in the mean.
    pub nodal_states_per_simulation: Option<f64>,
    /// All states of a simulation in the mean, dead ones included.
    pub states_per_simulation: Option<f64>,
    /// Moves or semimoves for every state.
    pub branching: Option<f64>,
}

/// An experiment as it is declared. Games and agents are names of built-in ones or paths of files.
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration {
    /// What it is, in words.
    pub title: String,
    /// What it repeats, if it does.
    pub source: Option<String>,
    /// What is done.
    pub kind: Kind,
    /// The games.
    pub games: Vec<String>,
    /// Whom every agent plays against.
    pub baseline: Option<String>,
    /// The agents.
    pub agents: Vec<String>,
    /// All pairs: every agent with the baseline, then those that are listed.
    pub pairs: Vec<[String; 2]>,
    /// What an agent may use for a move.
    pub limits: Vec<Budget>,
    /// What is played of all this: all games, pairs and limits with each other, or what is declared as
    /// `[[part]]`; what stands outside of them then counts where a part does not say otherwise.
    pub combinations: Vec<Combinations>,
    /// Games for every game, pair and limit.
    pub games_per_pair: u64,
    /// Searches for every game, agent and limit of a [`Kind::Speed`].
    pub searches: u64,
    /// Speed is that of random simulations alone, without a tree: flat Monte Carlo.
    pub flat: bool,
    /// What all random numbers come from.
    pub seed: u64,
    /// How many moves are drawn at random before the agents play.
    pub opening_plies: u64,
    /// A game with more moves is given up.
    pub max_plies: u64,
    /// How much longer than its time a move may take.
    pub tolerance: Duration,
    /// What is kept back of the time for a move.
    pub buffer: Duration,
    /// What a reader of the results must know, in words.
    pub notes: Vec<String>,
    /// What it says about its smaller sizes.
    pub sizes: SizeDeclarations,
    /// Figures from the publication.
    pub published: Vec<Published>,
    /// What it says about video games, if it is about them.
    pub video: Option<VideoDeclaration>,
}

/// The keys of a declaration.
const KEYS: &[&str] = &[
    "title",
    "source",
    "notes",
    "kind",
    "games",
    "baseline",
    "agents",
    "pairs",
    "limits",
    "games_per_pair",
    "searches",
    "flat",
    "seed",
    "opening_plies",
    "max_plies",
    "tolerance",
    "buffer",
    "part",
    "profile",
    "levels",
    "initialisation",
    "runs",
    "set",
    "size",
    "published",
];

/// The keys of a published figure.
const PUBLISHED_KEYS: &[&str] = &[
    "game",
    "agent",
    "against",
    "limit",
    "win_rate",
    "error",
    "states_per_s",
    "simulations_per_s",
    "speed_up",
    "better",
    "similar",
    "worse",
    "memory_mib",
    "nodal_states_per_simulation",
    "states_per_simulation",
    "branching",
];

/// The game of a figure that is an average over games.
pub(super) const AVERAGE: &str = "average";

impl Declaration {
    /// Reads a declaration.
    pub fn parse(text: &str) -> Result<Self, DeclarationError> {
        let table = DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            DeclarationError::new(line, error.message())
        })?;
        let top = Section::new(text, table.get_ref(), 0, KEYS)?;
        let title = top.text("title")?;
        let title = title.ok_or_else(|| DeclarationError::new(1, "`title` is missing"))?.value;
        let kind = kind(&top)?;
        video_declaration::check_keys(&top, kind)?;
        let whole = Combinations::read(&top, kind, &Combinations::default())?;
        let sections = top.tables("part", combinations::KEYS)?;
        let mut combinations = Vec::new();
        for section in &sections {
            let some = Combinations::read(section, kind, &whole)?;
            some.check(kind, section.line)?;
            if kind == Kind::Speed && some.baseline != whole.baseline {
                let message = "one `baseline` is what all speeds are compared with";
                return Err(DeclarationError::new(section.line, message));
            }
            combinations.push(some);
        }
        if combinations.is_empty() {
            whole.check(kind, 1)?;
            combinations.push(whole.clone());
        }
        let all = || combinations.iter();
        let need = |there: bool, key: &str| match there {
            true => Ok(()),
            false => Err(DeclarationError::new(1, format!("`{key}` is missing or empty"))),
        };
        let refuse = |key: &str, why: &str| {
            let line = top.line_of_key(key);
            DeclarationError::new(line, format!("`{key}` has no meaning here: {why}"))
        };
        let games_per_pair = top.count("games_per_pair", 1)?;
        let searches = top.count("searches", 1)?;
        match kind {
            Kind::Matches => {
                need(games_per_pair.is_some(), "games_per_pair")?;
                if top.has("flat") {
                    return Err(refuse("flat", "it belongs to kind = \"speed\""));
                }
                if searches.is_some() {
                    return Err(refuse("searches", "it belongs to kind = \"speed\""));
                }
            }
            Kind::Speed => {
                if games_per_pair.is_some() {
                    let why = "kind = \"speed\" has `agents` and `searches`";
                    return Err(refuse("games_per_pair", why));
                }
            }
            Kind::Video => {}
        }
        let buffer = duration(&top, "buffer")?;
        let tolerance = if kind == Kind::Video { GRACE } else { TOLERANCE };
        let mut declaration = Declaration {
            title,
            source: top.text("source")?.map(|source| source.value),
            kind,
            games: check::distinct(each_once(all().flat_map(|some| &some.games)), "game")?,
            agents: each_once(all().flat_map(|some| &some.agents)),
            baseline: whole.baseline,
            pairs: each_once(all().flat_map(|some| &some.pairs)),
            limits: each_once(all().flat_map(|some| &some.limits)),
            combinations,
            games_per_pair: games_per_pair.unwrap_or(0),
            searches: searches.unwrap_or(1),
            flat: top.truth("flat")?.unwrap_or(false),
            seed: top.count("seed", 0)?.unwrap_or(1),
            opening_plies: top.count("opening_plies", 0)?.unwrap_or(0),
            max_plies: top.count("max_plies", 1)?.unwrap_or(MAX_PLIES as u64),
            tolerance: duration(&top, "tolerance")?.unwrap_or(tolerance),
            buffer: buffer.unwrap_or(Duration::ZERO),
            notes: top.texts("notes")?.into_iter().map(|note| note.value).collect(),
            sizes: SizeDeclarations::default(),
            published: Vec::new(),
            video: None,
        };
        declaration.sizes = SizeDeclarations::read(&top, &declaration)?;
        if kind == Kind::Video {
            declaration.video = Some(VideoDeclaration::read(&top, &declaration, buffer)?);
            return Ok(declaration);
        }
        let figures = top.tables("published", PUBLISHED_KEYS)?;
        let figures = figures.iter().map(|figure| declaration.figure(figure));
        declaration.published = figures.collect::<Result<_, _>>()?;
        Ok(declaration)
    }

    /// True if a game is played by agents with a limit, all by their names: by one agent where speed is
    /// measured or video games are played, else by the first one and its opponents.
    pub fn includes(&self, game: &str, agents: &[String], limit: &str) -> bool {
        self.combinations.iter().any(|some| some.includes(game, agents, limit))
    }

    /// All agents that take part, each once, by their names.
    pub fn agent_names(&self) -> Vec<String> {
        self.participants().map(|agent| check::short_name(agent)).collect()
    }

    /// All agents that take part, each once, as they are declared.
    pub(super) fn participants(&self) -> impl Iterator<Item = &String> {
        let mut all: Vec<&String> = Vec::new();
        for agent in self.baseline.iter().chain(&self.agents).chain(self.pairs.iter().flatten()) {
            if !all.contains(&agent) {
                all.push(agent);
            }
        }
        all.into_iter()
    }

    /// Reads a published figure.
    fn figure(&self, section: &Section<'_>) -> Result<Published, DeclarationError> {
        let missing = |key: &str| {
            DeclarationError::new(section.line, format!("a published figure needs `{key}`"))
        };
        let one_of = |given: Located<String>, known: Vec<String>, key: &str| {
            check::one_of(&given, known, key)
        };
        let agents = || self.agent_names();
        let game = section.text("game")?.ok_or_else(|| missing("game"))?;
        let mut games: Vec<String> = self.games.iter().map(|g| check::short_name(g)).collect();
        let game = Located { value: check::canonical_game(&game.value), ..game };
        games.push(AVERAGE.to_owned());
        let game = one_of(game, games, "game")?;
        let agent = section.text("agent")?.ok_or_else(|| missing("agent"))?;
        let agent = one_of(agent, agents(), "agent")?;
        let against = match (section.text("against")?, self.kind) {
            (Some(given), Kind::Matches) => Some(one_of(given, agents(), "against")?),
            (None, Kind::Matches) => match &self.baseline {
                Some(baseline) => Some(check::short_name(baseline)),
                None => return Err(missing("against")),
            },
            (None, Kind::Speed | Kind::Video) => None,
            (Some(given), Kind::Speed | Kind::Video) => {
                return Err(DeclarationError::new(
                    given.line,
                    "`against` has no meaning for kind = \"speed\"",
                ));
            }
        };
        let limits = || self.limits.iter().map(Budget::to_string).collect::<Vec<_>>();
        let limit = match section.text("limit")? {
            Some(given) => {
                let budget = check::limit(&given)?;
                one_of(Located { value: budget.to_string(), ..given }, limits(), "limit")?
            }
            None if self.limits.len() == 1 => self.limits[0].to_string(),
            None => return Err(missing("limit")),
        };
        let published = Published {
            game: (game != AVERAGE).then_some(game),
            agent,
            against,
            limit,
            win_rate: section.number("win_rate", 100.0)?,
            error: section.number("error", 100.0)?,
            states_per_s: section.number("states_per_s", f64::INFINITY)?,
            simulations_per_s: section.number("simulations_per_s", f64::INFINITY)?,
            speed_up: section.number("speed_up", f64::INFINITY)?,
            counts: counts(section)?,
            memory_mib: section.number("memory_mib", f64::INFINITY)?,
            nodal_states_per_simulation: section
                .number("nodal_states_per_simulation", f64::INFINITY)?,
            states_per_simulation: section.number("states_per_simulation", f64::INFINITY)?,
            branching: section.number("branching", f64::INFINITY)?,
        };
        if !self.has_results_for(&published) {
            return Err(DeclarationError::new(
                section.line,
                "a published figure of what is not part of this experiment",
            ));
        }
        if published.counts.is_some() && published.game.is_some() {
            return Err(DeclarationError::new(
                section.line,
                "`better`, `similar` and `worse` belong to an average",
            ));
        }
        let speeds = [published.states_per_s, published.simulations_per_s, published.speed_up];
        let fits = match self.kind {
            Kind::Matches => {
                let counted = [
                    published.memory_mib,
                    published.nodal_states_per_simulation,
                    published.states_per_simulation,
                    published.branching,
                ];
                let speeds = speeds != [None; 3] || counted != [None; 4];
                published.win_rate.is_some() && !speeds
            }
            Kind::Speed | Kind::Video => {
                let rates = published.win_rate.or(published.error).is_some();
                !rates && published.counts.is_none() && speeds != [None; 3]
            }
        };
        if !fits {
            let figures = match self.kind {
                Kind::Matches => "`win_rate` and perhaps `error`",
                Kind::Speed | Kind::Video => "`states_per_s`, `simulations_per_s` or `speed_up`",
            };
            let message = format!("a published figure of this kind of experiment is {figures}");
            return Err(DeclarationError::new(section.line, message));
        }
        Ok(published)
    }

    /// True if there are games of what a figure is about, the pair in any order.
    pub(super) fn has_results_for(&self, figure: &Published) -> bool {
        let mut agents = vec![figure.agent.clone()];
        agents.extend(figure.against.clone());
        let turned: Vec<String> = agents.iter().rev().cloned().collect();
        let games = self.games.iter().map(|game| check::short_name(game));
        games.filter(|game| figure.game.as_ref().is_none_or(|one| one == game)).any(|game| {
            self.includes(&game, &agents, &figure.limit)
                || self.includes(&game, &turned, &figure.limit)
        })
    }
}

/// Numbers of games with better, similar and worse results: all or none.
fn counts(section: &Section<'_>) -> Result<Option<[u64; 3]>, DeclarationError> {
    let count = |key: &str| section.count(key, 0);
    match (count("better")?, count("similar")?, count("worse")?) {
        (None, None, None) => Ok(None),
        (Some(better), Some(similar), Some(worse)) => Ok(Some([better, similar, worse])),
        _ => Err(DeclarationError::new(
            section.line,
            "`better`, `similar` and `worse` are given together",
        )),
    }
}

/// All different ones, in order.
pub(super) fn each_once<'p, T: Clone + PartialEq + 'p>(all: impl Iterator<Item = &'p T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for one in all {
        if !kept.contains(one) {
            kept.push(one.clone());
        }
    }
    kept
}

fn kind(top: &Section<'_>) -> Result<Kind, DeclarationError> {
    match top.text("kind")? {
        None => Ok(Kind::Matches),
        Some(kind) => match kind.value.as_str() {
            "matches" => Ok(Kind::Matches),
            "speed" => Ok(Kind::Speed),
            "video" => Ok(Kind::Video),
            other => Err(DeclarationError::new(
                kind.line,
                format!("`kind` is \"matches\", \"speed\" or \"video\", not \"{other}\""),
            )),
        },
    }
}

fn duration(top: &Section<'_>, key: &str) -> Result<Option<Duration>, DeclarationError> {
    let Some(given) = top.text(key)? else { return Ok(None) };
    let parsed = duration_or_zero(key, &given.value);
    parsed.map(Some).map_err(|why| DeclarationError::new(given.line, why))
}
