//! From text to a checked game.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use regulus_diagnostic::did_you_mean;

use crate::class::Class;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Place};
use crate::interaction::{self, Interactions};
use crate::limits;
use crate::parameters::Parameters;
use crate::profile::Profile;
use crate::rules::Rules;
use crate::sprite_set::{self, SpriteSet};
use crate::sprite_type::{SpriteType, TypeId};
use crate::termination::{self, Termination};
use crate::text::{self, Tree};
use crate::unread;

/// A game without a level: everything its file says.
#[derive(Debug)]
pub struct Game {
    pub(crate) profile: Profile,
    pub(crate) types: Vec<SpriteType>,
    /// The side of a block in pixels, if the game sets it.
    pub(crate) square_size: Option<i32>,
    /// Obstacles for paths; none means that there are no paths.
    pub(crate) obstacles: Option<Vec<TypeId>>,
    pub(crate) interactions: Interactions,
    pub(crate) terminations: Vec<Termination>,
    pub(crate) mapping: BTreeMap<char, Vec<Mapped>>,
    pub(crate) rules: Rules,
}

/// A type that a level character stands for.
#[derive(Clone, Debug)]
pub(crate) enum Mapped {
    Type(TypeId),
    /// Named, and never declared or not creatable: a level must not use it.
    Missing(String),
}

/// A game if the text has one, and what there is to say about the text.
#[derive(Debug)]
pub struct Loaded {
    /// None if there is an error.
    pub game: Option<Arc<Game>>,
    /// Errors and warnings, by line.
    pub diagnostics: Vec<Diagnostic>,
}

impl Game {
    /// Reads a game. Never fails and never gives half a game: with an error there is none.
    ///
    /// ```
    /// use regulus_vgdl::{Game, Profile};
    /// let text = "BasicGame\n  SpriteSet\n    goal > Door\n  TerminationSet\n    Timeout limit=9 win=True\n";
    /// let loaded = Game::load(text, Profile::Y2021);
    /// assert!(loaded.game.is_some());
    /// let broken = Game::load(&text.replace("Door", "Dor"), Profile::Y2021);
    /// assert!(broken.game.is_none());
    /// assert_eq!((broken.diagnostics[0].place.line, broken.diagnostics[0].place.column), (3, 12));
    /// ```
    pub fn load(text: &str, profile: Profile) -> Loaded {
        let mut diagnostics = Diagnostics::default();
        let game = read(text, profile, &mut diagnostics);
        let game = game.filter(|_| !diagnostics.has_errors()).map(Arc::new);
        Loaded { game, diagnostics: diagnostics.into_sorted() }
    }

    /// The rules it is read and run with.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Its sprite types, by number.
    pub fn types(&self) -> &[SpriteType] {
        &self.types
    }

    /// The number of a sprite type.
    pub fn type_named(&self, name: &str) -> Option<TypeId> {
        let index = self.types.iter().position(|one| one.name == name)?;
        TypeId::try_from(index).ok()
    }

    /// The types that a character of a level stands for.
    pub fn mapped(&self, character: char) -> Vec<TypeId> {
        let mapped = self.mapping.get(&character).map_or(&[][..], Vec::as_slice);
        let id = |one: &Mapped| match one {
            Mapped::Type(id) => Some(*id),
            Mapped::Missing(_) => None,
        };
        mapped.iter().filter_map(id).collect()
    }

    /// The characters that levels can have.
    pub fn characters(&self) -> impl Iterator<Item = char> {
        self.mapping.keys().copied()
    }

    pub(crate) fn kind(&self, id: TypeId) -> &SpriteType {
        &self.types[usize::from(id)]
    }
}

/// What the first line of a game begins with; games with parameters are known and not implemented.
const ROOTS: [&str; 2] = ["BasicGame", "GameSpace"];

/// Whether a text begins as a game does.
pub fn is_game(text: &str) -> bool {
    let mut lines = text::lines(text).map(|line| line.split('#').next().unwrap_or("").trim());
    let first = lines.find(|line| !line.is_empty());
    first.is_some_and(|line| ROOTS.iter().any(|root| line.starts_with(root)))
}

fn read(text: &str, profile: Profile, diagnostics: &mut Diagnostics) -> Option<Game> {
    if text.len() > limits::MAX_FILE {
        let message = format!("the file has more than {} bytes", limits::MAX_FILE);
        diagnostics.push(Code::TooLarge, Place { line: 1, column: 1, end: 1 }, message);
        return None;
    }
    let mut tree = text::tree(text, diagnostics)?;
    let root = &tree.nodes[0];
    let (square_size, obstacle_names) = header(&tree, diagnostics)?;
    let mut sections: [Vec<usize>; 4] = Default::default();
    const SECTIONS: [&str; 4] = ["SpriteSet", "InteractionSet", "LevelMapping", "TerminationSet"];
    for &child in &root.children {
        let head = tree.nodes[child].head();
        match SECTIONS.iter().position(|&name| name == head.text) {
            Some(index) => sections[index].push(child),
            None => {
                let message = format!(
                    "no section is called `{}`; there are {}",
                    head.text,
                    SECTIONS.join(", ")
                );
                let code = Code::UnknownSection;
                diagnostics.unknown(code, head.place, message, head.text, SECTIONS);
            }
        }
    }
    if !profile.is_old() {
        let end = unread::cut(&mut tree, &sections[1], &sections[3], diagnostics);
        for all in &mut sections {
            all.retain(|section| end.is_none_or(|end| *section < end));
        }
    }
    let root = &tree.nodes[0];
    if sections[0].is_empty() {
        let message = "the game has no SpriteSet".to_owned();
        diagnostics.push(Code::MissingSection, root.place(), message);
        return None;
    }
    let sprites = sprite_set::read(&tree, &sections[0], profile, diagnostics);
    // Names are resolved line by line in the reference framework: a SpriteSet behind its use is too
    // late there, and a mistake here.
    let later = sections[1].iter().chain(&sections[3]).min();
    if let (Some(&used), Some(&declared)) = (later, sections[0].last())
        && used < declared
    {
        let message = "the SpriteSet must come before interactions and terminations".to_owned();
        diagnostics.push(Code::UnknownSection, tree.nodes[declared].head().place, message);
    }
    let interactions = interaction::read(&tree, &sections[1], &sprites, profile, diagnostics);
    let terminations = termination::read(&tree, &sections[3], &sprites, profile, diagnostics);
    if terminations.is_empty() {
        let message = "the game has no termination; it runs until the tick limit".to_owned();
        diagnostics.push(Code::NoTermination, root.place(), message);
    }
    check_classes(&tree, &sections[2], &sprites, &interactions, diagnostics);
    check_creations(&sprites, &interactions, root.place(), diagnostics);
    let mapping = mapping(&tree, &sections[2], &sprites, diagnostics);
    let mut obstacles = None;
    if let Some((names, place)) = obstacle_names {
        let mut list = Vec::new();
        for name in names.split(',') {
            match sprites.types.iter().position(|one| one.name == name) {
                Some(index) => list.push(index as TypeId),
                None => diagnostics.unknown_type(place, name),
            }
        }
        obstacles = Some(list);
    }
    if diagnostics.has_errors() {
        return None;
    }
    let Some(rules) = Rules::derive(&sprites, &interactions) else {
        let message = "too many types meet in too many interactions".to_owned();
        diagnostics.push(Code::TooLarge, Place { line: 1, column: 1, end: 1 }, message);
        return None;
    };
    let SpriteSet { types, .. } = sprites;
    Some(Game {
        profile,
        types,
        square_size,
        obstacles,
        interactions,
        terminations,
        mapping,
        rules,
    })
}

type Header<'a> = (Option<i32>, Option<(&'a str, Place)>);

/// The first line: the side of a block and the obstacles.
fn header<'a>(tree: &Tree<'a>, diagnostics: &mut Diagnostics) -> Option<Header<'a>> {
    let root = &tree.nodes[0];
    let mut parameters = Parameters::default();
    let mut name = None;
    for &token in &root.tokens {
        if !parameters.take(token, diagnostics) && token.text != ">" {
            name = Some(token);
        }
    }
    match name {
        Some(token) if token.text == ROOTS[0] => {}
        Some(token) if token.text == ROOTS[1] => {
            let message = "games with a ParameterSet are not implemented".to_owned();
            diagnostics.push(Code::Unsupported, token.place, message);
            return None;
        }
        _ => {
            let message = "a game begins with `BasicGame`".to_owned();
            diagnostics.push(Code::BadRoot, root.place(), message);
            return None;
        }
    }
    const KNOWN: [&str; 5] = ["square_size", "key_handler", "obs", "no_players", "no_counters"];
    parameters.warn_unknown(&KNOWN, "the game", diagnostics);
    let mut reader = parameters.reader(diagnostics);
    let players = reader.int("no_players", 1);
    if players != 1 {
        let message = "only games for one player are implemented".to_owned();
        reader.diagnostics.push(Code::Unsupported, root.place(), message);
    }
    let square_size = reader.int("square_size", -1);
    if square_size != -1 && !(1..=1000).contains(&square_size) {
        let message = format!("a block of {square_size} pixels cannot be used");
        reader.diagnostics.push(Code::WrongParameterType, root.place(), message);
    }
    let obstacles = parameters.get("obs").map(|parameter| (parameter.text, parameter.place));
    Some(((square_size != -1).then_some(square_size), obstacles))
}

/// The types that rules create.
fn created(sprites: &SpriteSet, interactions: &Interactions) -> BTreeSet<TypeId> {
    let spawns =
        |one: &&SpriteType| one.class.is_some_and(|class| class.is_spawner() || class.is_avatar());
    let by_sprites =
        sprites.types.iter().filter(spawns).flat_map(|one| one.traits.targets.iter().copied());
    let timed = interactions.timed.iter().map(|timed| &timed.effect);
    let by_effects =
        interactions.effects.iter().chain(timed).flat_map(|effect| effect.kind.creates());
    by_sprites.chain(by_effects).collect()
}

/// Classes that do not exist are an error where a sprite may need them.
fn check_classes(
    tree: &Tree<'_>,
    mappings: &[usize],
    sprites: &SpriteSet,
    interactions: &Interactions,
    diagnostics: &mut Diagnostics,
) {
    let created = created(sprites, interactions);
    let lines = mappings.iter().flat_map(|&section| &tree.nodes[section].children);
    let mapped: BTreeSet<&str> = lines
        .flat_map(|&line| tree.nodes[line].tokens.iter().skip(2).map(|token| token.text))
        .collect();
    for unknown in &sprites.unknown_classes {
        let name = sprites.types[usize::from(unknown.stype)].name.as_str();
        // Walls and avatars have characters of their own.
        let is_needed =
            unknown.stype < 2 || created.contains(&unknown.stype) || mapped.contains(name);
        let known = Class::ALL.iter().map(|class| class.name());
        let is_misspelt = did_you_mean(&unknown.class, known.clone()).is_some();
        let is_error = is_needed || is_misspelt && unknown.code == Code::UnknownClass;
        let (code, message) = match is_error {
            true => (unknown.code, unknown.message.clone()),
            false => (Code::UnusedClass, format!("{}; nothing makes a `{name}`", unknown.message)),
        };
        diagnostics.unknown(code, unknown.place, message, &unknown.class, known);
    }
}

/// Sprites that are created must have a class that can be run.
fn check_creations(
    sprites: &SpriteSet,
    interactions: &Interactions,
    fallback: Place,
    diagnostics: &mut Diagnostics,
) {
    for id in created(sprites, interactions) {
        if let Some(&(_, place)) = sprites.uncreatable.iter().find(|(other, _)| *other == id) {
            let name = &sprites.types[usize::from(id)].name;
            let message = format!("`{name}` is created in the game and its class cannot be run");
            let place = if place == Place::default() { fallback } else { place };
            diagnostics.push(Code::UncreatableSprite, place, message);
        }
    }
}

fn mapping(
    tree: &Tree<'_>,
    sections: &[usize],
    sprites: &SpriteSet,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<char, Vec<Mapped>> {
    let mut mapping = BTreeMap::new();
    mapping.insert('w', vec![Mapped::Type(0)]);
    mapping.insert('A', vec![Mapped::Type(1)]);
    for &section in sections {
        for &child in &tree.nodes[section].children {
            let line = &tree.nodes[child];
            let head = line.head();
            let mut characters = head.text.chars();
            let (Some(character), None) = (characters.next(), characters.next()) else {
                let message = format!("`{}` should be one character", head.text);
                diagnostics.push(Code::BadLine, head.place, message);
                continue;
            };
            if line.tokens.get(1).is_none_or(|token| token.text != ">") {
                let message = format!("a mapping is `{character} > type ...`");
                diagnostics.push(Code::BadLine, line.place(), message);
                continue;
            }
            let mut mapped = Vec::new();
            for token in &line.tokens[2..] {
                let index = sprites.types.iter().position(|one| one.name == token.text);
                match index.map(|index| index as TypeId) {
                    Some(id) if sprites.uncreatable.iter().all(|(other, _)| *other != id) => {
                        mapped.push(Mapped::Type(id));
                    }
                    // A declared type that cannot be created has an error or warning of its own.
                    Some(_) if diagnostics.has_errors() => {}
                    _ => {
                        let message = format!(
                            "no sprite of type `{}` can be created; levels must not use `{character}`",
                            token.text
                        );
                        let code = Code::UnknownMappedType;
                        diagnostics.unknown_type_as(code, token.place, message, token.text);
                        mapped.push(Mapped::Missing(token.text.to_owned()));
                    }
                }
            }
            mapping.insert(character, mapped);
            if let Some(&below) = line.children.first() {
                let message = "a mapping has no lines under it".to_owned();
                diagnostics.push(Code::UnexpectedChild, tree.nodes[below].place(), message);
            }
        }
    }
    mapping
}
