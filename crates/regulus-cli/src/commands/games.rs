//! `regulus games`: the built-in games.

use std::io::Write;

use clap::Args;
use regulus_games::{BuiltIn, GAMES, VIDEO_GAMES, VideoGame};
use regulus_player::catalogue::VIDEO_PREFIX;
use regulus_player::video::VideoLevel;
use regulus_rbg::{Game, Source, load};
use regulus_vgdl::Profile;
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
struct VideoEntry {
    name: String,
    title: &'static str,
    description: &'static str,
    /// The rule profiles it can be played with.
    profiles: Vec<&'static str>,
    levels: Vec<LevelEntry>,
}

#[derive(Serialize)]
struct LevelEntry {
    name: String,
    width: i32,
    height: i32,
}

#[derive(Serialize)]
struct List {
    games: Vec<Entry>,
    video_games: Vec<VideoEntry>,
}

impl VideoEntry {
    fn new(game: &VideoGame) -> Result<Self, Failure> {
        let name = format!("{VIDEO_PREFIX}{}", game.name);
        let load = |number: usize, text: &&str, profile| {
            VideoLevel::load(&format!("{name}:{number}"), game.text, text, profile)
        };
        let mut levels = Vec::new();
        for (number, text) in game.levels.iter().enumerate() {
            let level = load(number, text, Profile::default()).map_err(|fault| {
                Failure::Failed(format!("the built-in game {name} is broken: {fault}"))
            })?;
            let (width, height) = level.level.size();
            levels.push(LevelEntry { name: level.name, width, height });
        }
        let can_play = |profile: &Profile| {
            game.levels
                .iter()
                .enumerate()
                .all(|(number, text)| load(number, text, *profile).is_ok())
        };
        let profiles = Profile::ALL.into_iter().filter(can_play).map(Profile::name).collect();
        let (title, description) = game.title_and_goal();
        Ok(VideoEntry { name, title, description, profiles, levels })
    }
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
        let video_games =
            VIDEO_GAMES.iter().map(VideoEntry::new).collect::<Result<Vec<_>, Failure>>()?;
        let list = List { games, video_games };
        if self.json { Ok(print_json(&list)?) } else { Ok(list.print()?) }
    }
}

impl List {
    fn print(&self) -> std::io::Result<()> {
        let mut out = anstream::stdout().lock();
        let width = |f: fn(&Entry) -> usize| self.games.iter().map(f).max().unwrap_or(0);
        let (names, boards) = (width(|e| e.name.len()), width(|e| e.board.len()));
        writeln!(out, "{:names$}  players  {:boards$}  goal", "game", "board")?;
        for e in &self.games {
            writeln!(
                out,
                "{:names$}  {:>7}  {:boards$}  {}",
                e.name, e.players, e.board, e.description
            )?;
        }
        let names = self.video_games.iter().map(|e| e.name.len()).max().unwrap_or(0);
        writeln!(out, "\n{:names$}  levels  goal", "video game")?;
        for e in &self.video_games {
            let last = e.levels.len().saturating_sub(1);
            writeln!(out, "{:names$}  {:6}  {}", e.name, format!("0 to {last}"), e.description)?;
        }
        writeln!(
            out,
            "\n`regulus show GAME` tells more about one of them; a level of a video game is `NAME:LEVEL`."
        )
    }
}
