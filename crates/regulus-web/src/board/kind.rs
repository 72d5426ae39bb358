//! Board games as a kind of games.

use std::sync::Arc;

use regulus_player::catalogue::Catalogue;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::catalogue::{AGENTS, GAMES};
use super::check::{CheckRequest, RulesCheck};
use super::commands::COMMANDS;
use super::loading::{built_in, uploaded};
use super::seat::Seat;
use super::{BoardGame, Opening};
use crate::game_kind::{About, Beginning, Check, GameKind, check_length, short_name};
use crate::json::{json, read};
use crate::limits::Limits;
use crate::refusal::Refusal;

/// What is known of this kind.
pub static ABOUT: About = About {
    name: "board",
    path: "",
    link: "session",
    commands: &COMMANDS,
    games: &GAMES,
    agents: &AGENTS,
};

/// Board games.
#[derive(Default)]
pub struct BoardGames {
    catalogue: Arc<Catalogue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BeginRequest {
    game: Option<String>,
    text: Option<String>,
    name: Option<String>,
    seats: Option<Vec<Seat>>,
    seed: Option<u64>,
    #[serde(default)]
    moves: Vec<String>,
}

impl GameKind for BoardGames {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, request: &Value, limits: &Limits) -> Result<Check, Refusal> {
        let CheckRequest { text } = read(request)?;
        check_length(text.len(), limits)?;
        Ok(Box::new(move |limits| Ok(json(&RulesCheck::new(&text, limits)))))
    }

    fn begin(&self, request: &Value, limits: &Limits) -> Result<Beginning, Refusal> {
        let BeginRequest { game, text, name, seats, seed, moves } = read(request)?;
        let (seed, is_uploaded) = (seed.unwrap_or(1), text.is_some());
        let opening = Opening { seats, seed, moves, is_uploaded };
        match (game, text, name) {
            (Some(game), None, None) => {
                let catalogue = Arc::clone(&self.catalogue);
                Ok(Beginning::new(false, move |id, limits| {
                    BoardGame::new(id, built_in(&catalogue, &game)?, limits, opening)
                }))
            }
            (None, Some(text), name) => {
                check_length(text.len(), limits)?;
                let name = short_name(name.as_deref().unwrap_or("rules"));
                Ok(Beginning::new(true, move |id, limits| {
                    BoardGame::new(id, uploaded(&name, &text, &limits)?, limits, opening)
                }))
            }
            _ => Err(Refusal::invalid("give either `game`, or `text` and perhaps `name`")),
        }
    }

    fn show_failure(&self, view: &mut Map<String, Value>, why: &str) {
        view.insert("outcome".to_owned(), json!(format!("it cannot go on, because {why}")));
        view.insert("choices".to_owned(), json!([]));
        view.insert("hinting".to_owned(), json!(false));
    }
}
