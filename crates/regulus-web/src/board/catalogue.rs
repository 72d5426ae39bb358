//! The built-in board games and the agents for them, as they are shown.

use std::sync::{Arc, LazyLock};

use regulus_agent::{COLLECTION, by_name, explain};
use regulus_player::{AUTO, auto_in_words};
use regulus_rbg::{Source, load};
use regulus_scene::{Hints, Look, Picture, Scene};
use serde::Serialize;

use crate::agent_list::AgentList;
use crate::json::json;

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

/// All games, as JSON.
pub static GAMES: LazyLock<Arc<str>> = LazyLock::new(games);

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

/// All agents, as JSON.
pub static AGENTS: LazyLock<Arc<str>> = LazyLock::new(agents);

fn agents() -> Arc<str> {
    let mut list = AgentList::new(AUTO, None);
    let auto = format!("Chooses by the rules of the game. {}", auto_in_words().join(" "));
    list.add(AUTO, auto);
    for name in COLLECTION {
        if let Ok(agent) = by_name(name) {
            list.add_explained(name, &explain(&agent));
        }
    }
    list.json()
}
