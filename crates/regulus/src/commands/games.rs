//! `regulus games`: the built-in games.

use std::io::Write;

use clap::Args;
use regulus_games::{BuiltIn, GAMES};
use regulus_rbg::{Game, Source, load};
use serde::Serialize;

use super::print_json;
use crate::failure::Failure;

/// List the built-in games
#[derive(Args)]
pub struct Games {
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    players: usize,
    board: String,
    vertices: usize,
    aliases: &'static [&'static str],
}

#[derive(Serialize)]
struct List {
    games: Vec<Entry>,
}

/// A built-in game, loaded.
fn loaded(built_in: &BuiltIn) -> Result<Game, Failure> {
    load(&Source::new(built_in.name, built_in.text))
        .game
        .ok_or_else(|| Failure::Failed(format!("the built-in game {} is broken", built_in.name)))
}

impl Games {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let mut games = Vec::new();
        for built_in in GAMES {
            let game = loaded(built_in)?;
            let (title, description) = built_in.title_and_goal();
            games.push(Entry {
                name: built_in.name,
                title,
                description,
                players: game.declarations.players().len(),
                board: game.board.summary(),
                vertices: game.board.len(),
                aliases: built_in.aliases,
            });
        }
        if self.json {
            return Ok(print_json(&List { games })?);
        }
        let mut out = anstream::stdout().lock();
        let width = |f: fn(&Entry) -> usize| games.iter().map(f).max().unwrap_or(0);
        let (names, boards) = (width(|e| e.name.len()), width(|e| e.board.len()));
        writeln!(out, "{:names$}  players  {:boards$}  goal", "game", "board")?;
        for e in &games {
            writeln!(
                out,
                "{:names$}  {:>7}  {:boards$}  {}",
                e.name, e.players, e.board, e.description
            )?;
        }
        writeln!(out, "\n`regulus show GAME` tells more about one of them.")?;
        Ok(())
    }
}
