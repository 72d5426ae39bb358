//! The built-in games and agents, as they are shown and as they are played.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use regulus_agent::{COLLECTION, by_name, explain};
use regulus_player::{AUTO, auto_in_words};
use regulus_rbg::{Source, load};
use regulus_scene::{Hints, Look, Picture, Scene};
use serde::Serialize;

use crate::refusal::Refusal;
use crate::setting::Setting;
use crate::video;

#[derive(Serialize)]
struct Games<'p> {
    games: Vec<Card<'p>>,
}

/// A game to choose.
#[derive(Serialize)]
struct Card<'p> {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    rules: String,
    players: &'p [String],
    scene: &'p Scene,
    pieces: &'p [Look],
    board: &'p [u8],
}

#[derive(Serialize)]
struct Agents {
    agents: Vec<AgentCard>,
    default: &'static str,
}

#[derive(Serialize)]
struct AgentCard {
    name: &'static str,
    description: String,
}

/// What is built in. Everything is made when it is first asked for, and kept.
#[derive(Default)]
pub struct Catalogue {
    games: OnceLock<Arc<str>>,
    agents: OnceLock<Arc<str>>,
    video_games: OnceLock<Arc<str>>,
    video_agents: OnceLock<Arc<str>>,
    settings: Mutex<Vec<Arc<Setting>>>,
}

impl Catalogue {
    /// All games as JSON.
    pub fn games(&self) -> Arc<str> {
        Arc::clone(self.games.get_or_init(games))
    }

    /// All agents as JSON.
    pub fn agents(&self) -> Arc<str> {
        Arc::clone(self.agents.get_or_init(agents))
    }

    /// All video games as JSON.
    pub fn video_games(&self) -> Arc<str> {
        Arc::clone(self.video_games.get_or_init(video::games))
    }

    /// All agents for video games as JSON.
    pub fn video_agents(&self) -> Arc<str> {
        Arc::clone(self.video_agents.get_or_init(video::agents))
    }

    /// A game, ready to be played.
    pub fn setting(&self, name: &str) -> Result<Arc<Setting>, Refusal> {
        let known = regulus_games::find(name).map_or(name, |game| game.name);
        let find = |settings: &[Arc<Setting>]| {
            settings.iter().find(|setting| setting.name == known).map(Arc::clone)
        };
        let lock = || self.settings.lock().unwrap_or_else(PoisonError::into_inner);
        let found = find(&lock());
        if let Some(setting) = found {
            return Ok(setting);
        }
        let new = Arc::new(Setting::built_in(name)?);
        let mut settings = lock();
        // Somebody else may have been faster.
        if let Some(setting) = find(&settings) {
            return Ok(setting);
        }
        settings.push(Arc::clone(&new));
        Ok(new)
    }
}

fn games() -> Arc<str> {
    let read = |game: &regulus_games::BuiltIn| {
        let read = load(&Source::new(game.name, game.text)).game?;
        let picture = Picture::new(&read, &Hints::read(game.text));
        Some((*game, read.declarations.players().to_vec(), picture))
    };
    let read: Vec<_> = regulus_games::GAMES.iter().filter_map(read).collect();
    let cards = read.iter().map(|(game, players, picture)| {
        let (title, description) = game.title_and_goal();
        Card {
            name: game.name,
            title,
            description,
            rules: game.rules_in_words(),
            players,
            scene: &picture.scene,
            pieces: &picture.pieces,
            board: &picture.board,
        }
    });
    json(&Games { games: cards.collect() })
}

fn agents() -> Arc<str> {
    let auto = AgentCard {
        name: AUTO,
        description: format!("Chooses by the rules of the game. {}", auto_in_words().join(" ")),
    };
    let described = |name: &&'static str| {
        let agent = by_name(name).ok()?;
        // The first line is the name again.
        let lines = explain(&agent);
        let lines: Vec<&str> = lines.lines().skip(1).map(|l| l.trim_start_matches("- ")).collect();
        Some(AgentCard { name, description: lines.join(" ") })
    };
    let agents = std::iter::once(auto).chain(COLLECTION.iter().filter_map(described));
    json(&Agents { agents: agents.collect(), default: AUTO })
}

/// As JSON. What we make ourselves always can be written.
pub fn json(value: &impl Serialize) -> Arc<str> {
    serde_json::to_string(value).unwrap_or_default().into()
}
