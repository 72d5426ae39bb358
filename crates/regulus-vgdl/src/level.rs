//! Levels: where sprites are at the beginning, and which of them can be shared by all states.

use std::sync::Arc;

use crate::data::{Data, locate};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Place};
use crate::game::{Game, Mapped};
use crate::limits;
use crate::paths::Paths;
use crate::rules::TypeBits;
use crate::sprite::Sprite;
use crate::sprite_type::TypeId;
use crate::text;

/// A game with a level, ready to be played.
#[derive(Debug)]
pub struct Level {
    pub(crate) game: Arc<Game>,
    pub(crate) width: i32,
    pub(crate) height: i32,
    /// The side of a block in pixels.
    pub(crate) block: i32,
    /// Width and height in pixels.
    pub(crate) screen: (i32, i32),
    /// 2^32 divided by the block, rounded up.
    reciprocal: u64,
    pub(crate) layers: Layers,
    pub(crate) paths: Paths,
    pub(crate) initial: Data,
}

/// Sprites that never change and never move: walls, floors, food. States share them and only remember
/// which are left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layers {
    /// By type, then by id.
    pub sprites: Vec<Sprite>,
    /// By type: the range in `sprites`.
    pub range: Vec<(u32, u32)>,
    /// By cell of the grid with margin.
    pub cells: Vec<LayerCell>,
    items: Vec<LayerItem>,
}

/// The shared sprites of a cell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LayerCell {
    /// Their types.
    pub bits: TypeBits,
    /// The range in the list of items.
    start: u32,
    end: u32,
}

/// A shared sprite in a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerItem {
    /// Its place in the list of shared sprites.
    pub index: u32,
    pub stype: TypeId,
    pub bit: u8,
}

impl Layers {
    pub fn at(&self, cell: &LayerCell) -> &[LayerItem] {
        &self.items[cell.start as usize..cell.end as usize]
    }
}

/// A level if the text has one, and what there is to say about the text.
#[derive(Debug)]
pub struct LoadedLevel {
    /// None if there is an error.
    pub level: Option<Arc<Level>>,
    /// Errors and warnings, by line.
    pub diagnostics: Vec<Diagnostic>,
}

/// A sprite of the level file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub x: i32,
    pub y: i32,
    pub stype: TypeId,
}

impl Level {
    /// Reads a level of a game.
    pub fn load(game: &Arc<Game>, text: &str) -> LoadedLevel {
        let mut diagnostics = Diagnostics::default();
        let level = read(game, text, true, &mut diagnostics);
        let level = level.filter(|_| !diagnostics.has_errors()).map(Arc::new);
        LoadedLevel { level, diagnostics: diagnostics.into_sorted() }
    }

    /// A level without shared sprites, for tests.
    #[cfg(test)]
    pub(crate) fn load_plain(game: &Arc<Game>, text: &str) -> Option<Arc<Level>> {
        read(game, text, false, &mut Diagnostics::default()).map(Arc::new)
    }

    /// Its game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Columns and rows.
    pub fn size(&self) -> (i32, i32) {
        (self.width, self.height)
    }

    /// The side of a block in pixels.
    pub fn block_size(&self) -> i32 {
        self.block
    }

    /// Cells in a row of the grid, the margin included.
    pub(crate) fn stride(&self) -> i32 {
        self.width + 2
    }

    /// A coordinate on the screen divided by the block. Exact: the screen has at most 1000 blocks of at
    /// most 1000 pixels, and the error of the reciprocal times that is below 1.
    pub(crate) fn divide(&self, pixels: i32) -> i32 {
        ((pixels as u64 * self.reciprocal) >> 32) as i32
    }

    /// The cell of a point, in the grid with a margin that stands for everything outside.
    pub(crate) fn column(&self, x: i32) -> i32 {
        x.div_euclid(self.block).clamp(-1, self.width) + 1
    }

    pub(crate) fn row(&self, y: i32) -> i32 {
        y.div_euclid(self.block).clamp(-1, self.height) + 1
    }
}

fn read(game: &Arc<Game>, text: &str, share: bool, diagnostics: &mut Diagnostics) -> Option<Level> {
    let top = Place { line: 1, column: 1, end: 1 };
    if text.len() > limits::MAX_FILE {
        diagnostics.push(Code::TooLarge, top, "the level file is too large".to_owned());
        return None;
    }
    let rows: Vec<Vec<char>> = text::lines(text).map(|line| line.chars().collect()).collect();
    let width = rows.first().map_or(0, Vec::len);
    if width == 0 {
        diagnostics.push(Code::EmptyFile, top, "the level has no first row".to_owned());
        return None;
    }
    if width > limits::MAX_SIDE || rows.len() > limits::MAX_SIDE {
        let message = format!("a level has at most {0} columns and {0} rows", limits::MAX_SIDE);
        diagnostics.push(Code::TooLarge, top, message);
        return None;
    }
    let longest = width.max(rows.len()) as i32;
    let block = game.square_size.unwrap_or((limits::WINDOW / longest).max(2));
    let placed = place(game, &rows, width, block, diagnostics);
    let placed = keep_one_avatar(game, placed, diagnostics)?;
    if diagnostics.has_errors() {
        return None;
    }
    let (width, height) = (width as i32, rows.len() as i32);
    let empty = Level {
        game: Arc::clone(game),
        width,
        height,
        block,
        screen: (width * block, height * block),
        reciprocal: (1 << 32) / block as u64 + 1,
        layers: Layers::default(),
        paths: Paths::default(),
        initial: Data::default(),
    };
    let paths = paths(game, &empty, &placed, diagnostics);
    let mut shared = shared_types(game, &empty, &placed);
    if !share {
        shared.fill(false);
    }
    let layers = layers(game, &empty, &placed, &shared);
    let mut level = Level { layers, paths, ..empty };
    level.initial = Data::initial(&level, &placed, &shared);
    Some(level)
}

/// Scans the rows. Creations that a singleton forbids are left out.
fn place(
    game: &Game,
    rows: &[Vec<char>],
    width: usize,
    block: i32,
    diagnostics: &mut Diagnostics,
) -> Vec<Placed> {
    let mut placed = Vec::new();
    let mut counts = vec![0; game.types.len()];
    let mut unknown = 0;
    for (row, line) in rows.iter().enumerate() {
        let number = row as u32 + 1;
        if line.len() != width {
            let from = line.len().min(width) as u32 + 1;
            let place = Place { line: number, column: from, end: line.len() as u32 + 1 };
            let what = if line.len() < width { "filled with blanks" } else { "cut" };
            let message = format!(
                "the row has {} characters and the first has {width}; it is {what}",
                line.len()
            );
            diagnostics.push(Code::RaggedLevel, place, message);
        }
        for (column, &character) in line.iter().take(width).enumerate() {
            let start = column as u32 + 1;
            let place = Place { line: number, column: start, end: start + 1 };
            let Some(mapped) = game.mapping.get(&character) else {
                if character != ' ' {
                    unknown += 1;
                    let message = format!("`{character}` is not in the level mapping");
                    diagnostics.push(Code::UnknownCharacter, place, message);
                }
                continue;
            };
            for one in mapped {
                let id = match one {
                    Mapped::Type(id) => *id,
                    Mapped::Missing(name) => {
                        let message = format!(
                            "`{character}` stands for `{name}`, of which no sprite can be created"
                        );
                        diagnostics.push(Code::UncreatableSprite, place, message);
                        continue;
                    }
                };
                let refused = game.kind(id).lineage.iter().any(|&ancestor| {
                    let kind = game.kind(ancestor);
                    kind.singleton
                        && kind.family.iter().any(|&member| counts[usize::from(member)] > 0)
                });
                if refused {
                    continue;
                }
                if placed.len() as i32 >= limits::MAX_SPRITES {
                    let message =
                        format!("the level has more than {} sprites", limits::MAX_SPRITES);
                    diagnostics.push(Code::TooManySprites, place, message);
                    return placed;
                }
                counts[usize::from(id)] += 1;
                let (x, y) = (column as i32 * block, row as i32 * block);
                placed.push(Placed { x, y, stype: id });
            }
        }
    }
    if unknown > limits::MAX_WARNINGS && !game.profile.is_old() {
        let place = Place { line: 1, column: 1, end: width as u32 + 1 };
        let message = format!(
            "{unknown} characters are not in the level mapping; profile 2021 ends a game after {} messages",
            limits::MAX_WARNINGS
        );
        diagnostics.push(Code::TooManyUnknownCharacters, place, message);
    }
    placed
}

/// Surplus avatars are removed again. Their numbers stay used, so the others keep theirs: the removed
/// ones are marked by an impossible type.
fn keep_one_avatar(
    game: &Game,
    mut placed: Vec<Placed>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Placed>> {
    let place = Place { line: 1, column: 1, end: 1 };
    let mut avatars = 0;
    for one in &mut placed {
        if game.kind(one.stype).is_avatar() {
            avatars += 1;
            if avatars > 1 {
                one.stype = REMOVED;
            }
        }
    }
    if avatars > 1 {
        let message = format!("the level has {avatars} avatars; only the first stays");
        diagnostics.push(Code::SeveralAvatars, place, message);
    }
    if avatars == 0 {
        let message = "the level has no sprite of an avatar class".to_owned();
        diagnostics.push(Code::MissingAvatar, place, message);
        return None;
    }
    Some(placed)
}

/// The type of a sprite that was removed while the level was read.
pub(crate) const REMOVED: TypeId = TypeId::MAX;

fn paths(game: &Game, level: &Level, placed: &[Placed], diagnostics: &mut Diagnostics) -> Paths {
    use crate::class::Class;
    let follows = |class: Class| class.has_path_memory() || class == Class::PathChaser;
    let needed = game.types.iter().any(|kind| kind.class.is_some_and(follows));
    let Some(obstacles) = game.obstacles.as_ref().filter(|_| needed) else {
        return Paths::default();
    };
    let cells = i64::from(level.width) * i64::from(level.height);
    if cells * cells > 1 << 26 {
        let place = Place { line: 1, column: 1, end: 1 };
        let message = "the level is too large for paths between all its cells".to_owned();
        diagnostics.push(Code::TooLarge, place, message);
        return Paths::default();
    }
    let mut obstacle = vec![false; cells as usize];
    let avatar = placed.iter().find(|one| one.stype != REMOVED && game.kind(one.stype).is_avatar());
    for one in placed.iter().filter(|one| one.stype != REMOVED) {
        let kind = game.kind(one.stype);
        if obstacles.contains(&one.stype) && kind.leaf && !kind.hidden {
            let (column, row) = (one.x / level.block, one.y / level.block);
            obstacle[(row * level.width + column) as usize] = true;
        }
    }
    // An avatar with three actions makes the framework think of a game on a line.
    let horizontal = avatar.is_some_and(|one| {
        game.kind(one.stype).class.is_some_and(|class| crate::action::of_class(class).len() == 3)
    });
    Paths::compute(level.width, level.height, &obstacle, horizontal)
}

/// Which types have their initial sprites in the shared layers. Two sprites that meet where they stand
/// cannot both be there: collisions look from a sprite of the state at the layers.
fn shared_types(game: &Game, level: &Level, placed: &[Placed]) -> Vec<bool> {
    let rules = &game.rules;
    let mut shared = rules.unchanging.clone();
    let mut by_cell: Vec<Vec<TypeId>> = vec![Vec::new(); (level.width * level.height) as usize];
    let mut counts = vec![0; game.types.len()];
    for one in placed.iter().filter(|one| one.stype != REMOVED) {
        counts[usize::from(one.stype)] += 1;
        let cell = one.y / level.block * level.width + one.x / level.block;
        by_cell[cell as usize].push(one.stype);
    }
    for types in &by_cell {
        for (index, &a) in types.iter().enumerate() {
            for &b in &types[index + 1..] {
                let both = shared[usize::from(a)] && shared[usize::from(b)];
                let (bit_a, bit_b) = (rules.bit(a), rules.bit(b));
                if both && rules.partners(bit_a) >> bit_b & 1 != 0 {
                    let fewer =
                        if counts[usize::from(a)] <= counts[usize::from(b)] { a } else { b };
                    shared[usize::from(fewer)] = false;
                }
            }
        }
    }
    shared
}

fn layers(game: &Game, level: &Level, placed: &[Placed], shared: &[bool]) -> Layers {
    let mut layers = Layers { range: vec![(0, 0); game.types.len()], ..Layers::default() };
    let cells = (level.stride() * (level.height + 2)) as usize;
    layers.cells = vec![LayerCell::default(); cells];
    for (id, &is_shared) in shared.iter().enumerate() {
        let start = layers.sprites.len() as u32;
        if is_shared {
            for (number, one) in placed.iter().enumerate() {
                if usize::from(one.stype) == id {
                    let mut sprite = game.rules.templates[id];
                    sprite.stand(locate(level, one.x, one.y), 0);
                    sprite.id = number as u32;
                    layers.cells[sprite.cell as usize].bits |= 1 << sprite.bit;
                    layers.sprites.push(sprite);
                }
            }
        }
        layers.range[id] = (start, layers.sprites.len() as u32);
    }
    let mut lists: Vec<Vec<LayerItem>> = vec![Vec::new(); cells];
    for (index, sprite) in layers.sprites.iter().enumerate() {
        let Sprite { stype, bit, .. } = *sprite;
        lists[sprite.cell as usize].push(LayerItem { index: index as u32, stype, bit });
    }
    for (cell, list) in layers.cells.iter_mut().zip(lists) {
        cell.start = layers.items.len() as u32;
        layers.items.extend(list);
        cell.end = layers.items.len() as u32;
    }
    layers
}
