//! What a level of a video game consists of.

use std::collections::BTreeMap;
use std::io::Write;

use regulus_game::{Category, Random};
use regulus_games::VIDEO_GAMES;
use regulus_player::video::VideoLevel;
use regulus_vgdl::{Action, Generator, Outline, State, TypeId, trace};
use serde::Serialize;

use super::super::print_json;
use super::Show;
use crate::failure::Failure;
use crate::video_session::action_word;
use crate::video_view::VideoView;

#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    profile: &'static str,
    width: i32,
    height: i32,
    block_size: i32,
    sprites: usize,
    actions: Vec<&'static str>,
    /// Whether random games went differently with another seed.
    random: bool,
    /// The level as it is drawn.
    rows: Vec<String>,
    types: Vec<TypeReport<'a>>,
    mapping: BTreeMap<char, Vec<&'a str>>,
    interactions: Vec<String>,
    terminations: Vec<String>,
}

#[derive(Serialize)]
struct TypeReport<'a> {
    name: &'a str,
    /// Ancestors, the nearest last.
    parents: Vec<&'a str>,
    class: Option<&'static str>,
    category: Option<&'static str>,
    colour: Option<&'a str>,
    /// Its character in `rows`.
    symbol: Option<char>,
    /// How many sprites of exactly this type there are at the beginning.
    count: usize,
    singleton: bool,
    hidden: bool,
    invisible: bool,
    /// What it does, in a few words.
    words: &'a str,
    /// Its line in the rules, and nothing for the two types that are always there.
    declaration: Option<String>,
}

impl Show {
    /// Shows a level.
    pub(in crate::commands) fn show_video(&self, level: &VideoLevel) -> Result<(), Failure> {
        if self.expanded || self.split.is_some() || self.ir.is_some() || self.performance {
            let message =
                "--expanded, --split, --ir and --performance are for board games".to_owned();
            return Err(Failure::Failed(message));
        }
        show(level, self.json)
    }
}

fn show(level: &VideoLevel, json: bool) -> Result<(), Failure> {
    let view = VideoView::new(&level.level);
    let outline = Outline::read(&level.game_text);
    let state = level.start(1);
    if json {
        return Ok(print_json(&report(level, &state, &view, &outline))?);
    }
    Ok(print(level, &state, &view, &outline)?)
}

fn category_word(category: Category) -> &'static str {
    match category {
        Category::Avatar => "avatar",
        Category::Resource => "resource",
        Category::Portal => "portal",
        Category::Npc => "character",
        Category::Immovable => "immovable",
        Category::FromAvatar => "from avatar",
        Category::Movable => "movable",
    }
}

fn count(state: &State, id: TypeId) -> usize {
    let mut count = 0;
    state.each_of_type(id, &mut |_, _| count += 1);
    count
}

/// The line that declares a type; the last one counts.
fn declaration(outline: &Outline, name: &str) -> Option<String> {
    let is_it = |text: &str| text.split(' ').next() == Some(name);
    let line = outline.sprites.iter().rev().find(|line| is_it(&line.text));
    line.map(|line| line.text.clone())
}

/// Plays some random games twice, with different random numbers of the rules.
fn is_random(state: &State) -> bool {
    const GAMES: u64 = 10;
    const TICKS: usize = 150;
    (0..GAMES).any(|game| {
        let mut random = Random::new(game);
        let mut one = state.clone();
        let mut other = state.clone();
        one.set_generator(Generator::own(game));
        other.set_generator(Generator::own(game + GAMES));
        (0..TICKS).any(|_| {
            let actions = one.actions();
            let choice = random.below(actions.len() as u64 + 1) as usize;
            let action = actions.get(choice).copied().unwrap_or(Action::Nil);
            one.advance(action);
            other.advance(action);
            trace::line(&one) != trace::line(&other)
        })
    })
}

fn report<'a>(
    level: &'a VideoLevel,
    state: &State,
    view: &'a VideoView,
    outline: &Outline,
) -> Report<'a> {
    let game = level.level.game();
    let types = game.types();
    let name = |id: &TypeId| types[usize::from(*id)].name.as_str();
    let type_report = |(id, kind): (usize, &'a regulus_vgdl::SpriteType)| {
        let id = id as TypeId;
        TypeReport {
            name: &kind.name,
            parents: kind.lineage.iter().filter(|&&one| one != id).map(name).collect(),
            class: kind.class.map(|class| class.name()),
            category: kind.class.map(|_| category_word(kind.category(false))),
            colour: kind.colour.as_deref(),
            symbol: Some(view.symbol(id)).filter(|symbol| *symbol != ' '),
            count: count(state, id),
            singleton: kind.singleton,
            hidden: kind.hidden,
            invisible: kind.invisible,
            words: view.words(id),
            declaration: declaration(outline, &kind.name),
        }
    };
    let lines = |lines: &[regulus_vgdl::OutlineLine]| {
        lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>()
    };
    let (width, height) = level.level.size();
    let plain = |row: String| anstream::adapter::strip_str(&row).to_string();
    Report {
        game: &level.name,
        profile: level.profile().name(),
        width,
        height,
        block_size: level.level.block_size(),
        sprites: state.sprite_count(),
        actions: state.actions().iter().map(|action| action_word(*action)).collect(),
        random: is_random(state),
        rows: view.rows(state, 1).into_iter().map(plain).collect(),
        types: types.iter().enumerate().map(type_report).collect(),
        mapping: game
            .characters()
            .map(|character| (character, game.mapped(character).iter().map(name).collect()))
            .collect(),
        interactions: lines(&outline.interactions),
        terminations: lines(&outline.terminations),
    }
}

fn print(
    level: &VideoLevel,
    state: &State,
    view: &VideoView,
    outline: &Outline,
) -> std::io::Result<()> {
    let mut out = anstream::stdout().lock();
    match VIDEO_GAMES.iter().find(|game| game.text == &*level.game_text) {
        Some(built_in) => writeln!(out, "{}\n", built_in.rules_in_words())?,
        None => writeln!(out, "{}\n", level.name)?,
    }
    let (width, height) = level.level.size();
    let actions: Vec<&str> = state.actions().iter().map(|action| action_word(*action)).collect();
    let random = if is_random(state) {
        "yes: the same actions lead to different games"
    } else {
        "no: random games went the same with other random numbers"
    };
    writeln!(out, "level    {}, {width} x {height}, {} sprites", level.name, state.sprite_count())?;
    writeln!(out, "profile  {}", level.profile())?;
    writeln!(
        out,
        "actions  {}",
        if actions.is_empty() { "none".to_owned() } else { actions.join(", ") }
    )?;
    writeln!(out, "random   {random}\n")?;
    for row in view.rows(state, 1) {
        writeln!(out, "{row}")?;
    }
    print_types(&mut out, level, state, view)?;
    for (title, lines) in [
        ("declarations", &outline.sprites),
        ("interactions", &outline.interactions),
        ("characters of levels", &outline.mapping),
        ("ends", &outline.terminations),
    ] {
        writeln!(out, "\n{title}")?;
        for line in lines {
            writeln!(out, "  {:indent$}{}", "", line.text, indent = 2 * line.depth)?;
        }
    }
    Ok(())
}

/// The types with their ancestors before them.
fn print_types(
    out: &mut impl Write,
    level: &VideoLevel,
    state: &State,
    view: &VideoView,
) -> std::io::Result<()> {
    let types = level.level.game().types();
    let mut order: Vec<TypeId> = (0..types.len() as TypeId).collect();
    order.sort_by_key(|id| &types[usize::from(*id)].lineage);
    let indented = |id: &TypeId| {
        let kind = &types[usize::from(*id)];
        format!("{}{}", "  ".repeat(kind.lineage.len().saturating_sub(1)), kind.name)
    };
    let names = order.iter().map(|id| indented(id).len()).max().unwrap_or(0).max("sprite".len());
    let class = |id: &TypeId| types[usize::from(*id)].class.map_or("", |class| class.name());
    let classes = order.iter().map(|id| class(id).len()).max().unwrap_or(0);
    writeln!(
        out,
        "\n   {:names$}  {:classes$}  count  {:9}  colour",
        "sprite", "class", "category"
    )?;
    for id in &order {
        let kind = &types[usize::from(*id)];
        let category = kind.class.map_or("", |_| category_word(kind.category(false)));
        let colour = kind.colour.as_deref().unwrap_or("");
        let has_sprites = kind.class.is_some() && kind.leaf;
        let count = if has_sprites { count(state, *id).to_string() } else { String::new() };
        let mut notes: Vec<&str> = Vec::new();
        if has_sprites {
            notes.push(view.words(*id));
        }
        let said = [
            (kind.singleton, "at most one"),
            (kind.hidden, "hidden from agents"),
            (kind.invisible, "invisible"),
        ];
        notes.extend(said.into_iter().filter(|(so, _)| *so).map(|(_, word)| word));
        let symbol = if has_sprites { view.painted(*id) } else { " ".to_owned() };
        let row = format!(
            " {symbol} {:names$}  {:classes$}  {count:>5}  {category:9}  {colour:11}  {}",
            indented(id),
            class(id),
            notes.join("; ")
        );
        writeln!(out, "{}", row.trim_end())?;
    }
    Ok(())
}
