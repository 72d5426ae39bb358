//! What a declaration says about video games.

use std::time::Duration;

use regulus_player::limit;
use regulus_search::config::Limits;
use regulus_vgdl::Profile;

use super::declaration::{AVERAGE, Declaration, DeclarationError};
use super::declaration_check as check;
use super::kind::Kind;
use super::toml_section::{Located, Section};
use crate::budget::Budget;
use crate::video::{GameSet, Levels, Scope};

/// The keys that only video games have.
pub const KEYS: &[&str] = &["profile", "levels", "initialisation", "runs", "set"];

/// The keys that video games do not have, and why.
const OTHERS: &[&str] =
    &["baseline", "pairs", "games_per_pair", "searches", "flat", "opening_plies", "max_plies"];

/// The keys of a set of games.
const SET_KEYS: &[&str] = &["name", "games"];

/// The keys of a published figure.
const PUBLISHED_KEYS: &[&str] = &[
    "game",
    "set",
    "agent",
    "limit",
    "wins",
    "error",
    "score",
    "score_error",
    "iterations",
    "iterations_error",
];

/// A figure from a publication about video games.
#[derive(Clone, PartialEq, Debug)]
pub struct VideoPublished {
    /// The game, the set of games, or all games.
    pub scope: Scope,
    /// The name of the agent.
    pub agent: String,
    /// The limit, as text.
    pub limit: String,
    /// Runs that were won, in percent.
    pub wins: Option<f64>,
    /// Half the length of its 95 % interval, in percent.
    pub error: Option<f64>,
    /// The mean score.
    pub score: Option<f64>,
    /// Half the length of its 95 % interval.
    pub score_error: Option<f64>,
    /// Iterations for an action in the mean.
    pub iterations: Option<f64>,
    /// Half the length of its 95 % interval.
    pub iterations_error: Option<f64>,
}

/// What a declaration says about video games.
#[derive(Clone, PartialEq, Debug)]
pub struct VideoDeclaration {
    /// The rules that games are read and run with.
    pub profile: Profile,
    /// The levels of every game.
    pub levels: Levels,
    /// What an agent may use before the first tick, if it is not as usual.
    pub initialisation: Option<Limits>,
    /// How often every level is played.
    pub runs: u64,
    /// What is kept back of the time for an action, if it is not what the agents say.
    pub buffer: Option<Duration>,
    /// Sets of games.
    pub sets: Vec<GameSet>,
    /// Figures from the publication.
    pub published: Vec<VideoPublished>,
}

/// Refuses the keys of another kind of experiment.
pub fn check_keys(top: &Section<'_>, kind: Kind) -> Result<(), DeclarationError> {
    let (wrong, why) = match kind {
        Kind::Video => (OTHERS, "kind = \"video\" has `agents`, `levels` and `runs`"),
        Kind::Matches | Kind::Speed => (KEYS, "it belongs to kind = \"video\""),
    };
    match wrong.iter().find(|key| top.has(key)) {
        Some(key) => Err(DeclarationError::new(
            top.line_of_key(key),
            format!("`{key}` has no meaning here: {why}"),
        )),
        None => Ok(()),
    }
}

impl VideoDeclaration {
    /// How many levels every game has, if that is said.
    pub fn level_count(&self) -> Option<usize> {
        match &self.levels {
            Levels::All => None,
            Levels::Named(names) => Some(names.len()),
        }
    }

    /// Reads what concerns video games; `declaration` is the rest.
    pub fn read(
        top: &Section<'_>,
        declaration: &Declaration,
        buffer: Option<Duration>,
    ) -> Result<Self, DeclarationError> {
        let runs = top.count("runs", 1)?;
        let mut read = VideoDeclaration {
            profile: profile(top)?,
            levels: levels(top)?,
            initialisation: initialisation(top)?,
            runs: runs.ok_or_else(|| DeclarationError::new(1, "`runs` is missing"))?,
            buffer,
            sets: Vec::new(),
            published: Vec::new(),
        };
        for section in top.tables("set", SET_KEYS)? {
            let set = set(&section, declaration)?;
            if read.sets.iter().any(|other| other.name == set.name) {
                let message = format!("there are two sets with the name `{}`", set.name);
                return Err(DeclarationError::new(section.line, message));
            }
            read.sets.push(set);
        }
        let figures = top.tables("published", PUBLISHED_KEYS)?;
        let figures = figures.iter().map(|section| figure(section, declaration, &read.sets));
        read.published = figures.collect::<Result<_, _>>()?;
        Ok(read)
    }
}

fn profile(top: &Section<'_>) -> Result<Profile, DeclarationError> {
    let Some(given) = top.text("profile")? else { return Ok(Profile::default()) };
    given.value.parse().map_err(|why: String| DeclarationError::new(given.line, why))
}

pub(super) fn levels(top: &Section<'_>) -> Result<Levels, DeclarationError> {
    let Some(given) = top.counts("levels")? else { return Ok(Levels::All) };
    let line = top.line_of_key("levels");
    if given.is_empty() {
        return Err(DeclarationError::new(line, "`levels` is empty"));
    }
    let names: Vec<String> = given.iter().map(u64::to_string).collect();
    match names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        Some((_, name)) => Err(DeclarationError::new(line, format!("level {name} is given twice"))),
        None => Ok(Levels::Named(names)),
    }
}

pub(super) fn initialisation(top: &Section<'_>) -> Result<Option<Limits>, DeclarationError> {
    let Some(given) = top.text("initialisation")? else { return Ok(None) };
    let parsed = limit::parse(&given.value);
    parsed.map(Some).map_err(|why| DeclarationError::new(given.line, why))
}

/// The name of a game of the experiment.
fn game(given: Located<String>, declaration: &Declaration) -> Result<String, DeclarationError> {
    let given = Located { value: check::canonical_video_game(&given.value), ..given };
    check::one_of(&given, declaration.games.clone(), "game")
}

fn set(section: &Section<'_>, declaration: &Declaration) -> Result<GameSet, DeclarationError> {
    let missing =
        |key| DeclarationError::new(section.line, format!("a set of games needs `{key}`"));
    let name = section.text("name")?.ok_or_else(|| missing("name"))?.value;
    let games = section.texts("games")?.into_iter().map(|given| game(given, declaration));
    let games = games.collect::<Result<Vec<_>, _>>()?;
    if games.is_empty() {
        return Err(missing("games"));
    }
    Ok(GameSet { name, games })
}

fn figure(
    section: &Section<'_>,
    declaration: &Declaration,
    sets: &[GameSet],
) -> Result<VideoPublished, DeclarationError> {
    let wrong = |message: String| DeclarationError::new(section.line, message);
    let missing = |key: &str| wrong(format!("a published figure needs `{key}`"));
    let scope = match (section.text("game")?, section.text("set")?) {
        (Some(given), None) if given.value == AVERAGE => Scope::All,
        (Some(given), None) => Scope::Game(game(given, declaration)?),
        (None, Some(given)) => {
            let names = sets.iter().map(|set| set.name.clone()).collect();
            Scope::Set(check::one_of(&given, names, "set")?)
        }
        _ => return Err(wrong("a published figure needs `game` or `set`".to_owned())),
    };
    let agent = section.text("agent")?.ok_or_else(|| missing("agent"))?;
    let agent = check::one_of(&agent, declaration.agent_names(), "agent")?;
    let limits = || declaration.limits.iter().map(Budget::to_string).collect::<Vec<_>>();
    let limit = match section.text("limit")? {
        Some(given) => {
            let budget = check::limit(&given)?;
            check::one_of(&Located { value: budget.to_string(), ..given }, limits(), "limit")?
        }
        None if declaration.limits.len() == 1 => declaration.limits[0].to_string(),
        None => return Err(missing("limit")),
    };
    let published = VideoPublished {
        scope,
        agent,
        limit,
        wins: section.number("wins", 100.0)?,
        error: section.number("error", 100.0)?,
        score: section.signed("score")?,
        score_error: section.number("score_error", f64::INFINITY)?,
        iterations: section.number("iterations", f64::INFINITY)?,
        iterations_error: section.number("iterations_error", f64::INFINITY)?,
    };
    let pairs = [
        ("wins", published.wins, "error", published.error),
        ("score", published.score, "score_error", published.score_error),
        ("iterations", published.iterations, "iterations_error", published.iterations_error),
    ];
    if let Some((key, _, error, _)) = pairs.iter().find(|p| p.1.is_none() && p.3.is_some()) {
        return Err(wrong(format!("`{error}` belongs to `{key}`")));
    }
    if pairs.iter().all(|pair| pair.1.is_none()) {
        return Err(wrong("a published figure is `wins`, `score` or `iterations`".to_owned()));
    }
    let has_results = match &published.scope {
        Scope::All => declaration.games.clone(),
        Scope::Set(name) => {
            sets.iter().find(|set| set.name == *name).map_or(Vec::new(), |set| set.games.clone())
        }
        Scope::Game(game) => vec![game.clone()],
    };
    let agents = [published.agent.clone()];
    if !has_results.iter().any(|game| declaration.includes(game, &agents, &published.limit)) {
        return Err(wrong("a published figure of what is not part of this experiment".to_owned()));
    }
    Ok(published)
}
