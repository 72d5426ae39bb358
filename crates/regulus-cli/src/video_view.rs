//! Levels of video games as text: a character for every type of sprite, in its colours.

use std::fmt::Write as _;

use anstyle::{Ansi256Color, Style};
use regulus_scene::sprite_looks;
use regulus_vgdl::{Class, Game, Level, State, TypeId};

/// How the types of a game are drawn.
pub struct VideoView {
    symbols: Vec<char>,
    styles: Vec<Style>,
    /// What sprites do, in a few words.
    words: Vec<String>,
    drawn: Vec<TypeId>,
}

/// The avatar, and what stops it: characters that no level can have mean something everywhere.
const AVATAR: char = '@';
const WALL: char = '#';

impl VideoView {
    /// How a game is drawn.
    pub fn new(level: &Level) -> Self {
        let game = level.game();
        let looks = sprite_looks(game);
        let style = |fill: &str, ink: &str| {
            Style::new().bg_color(Some(colour(fill).into())).fg_color(Some(colour(ink).into()))
        };
        VideoView {
            symbols: symbols(game),
            styles: looks.iter().map(|look| style(&look.fill, &look.ink)).collect(),
            words: looks.into_iter().map(|look| look.words).collect(),
            drawn: game.drawing_order(),
        }
    }

    /// The rows of a state; every cell takes `cell` characters.
    pub fn rows(&self, state: &State, cell: usize) -> Vec<String> {
        grid(state).iter().map(|row| self.row(row, cell)).collect()
    }

    /// As much of a state as there is room for, around the avatar; cells are square if there is room for that.
    pub fn window(&self, state: &State, columns: usize, rows: usize) -> Vec<String> {
        let (width, height) = state.level().size();
        let (width, height) = (width as usize, height as usize);
        let cell = if 2 * width <= columns { 2 } else { 1 };
        let block = state.level().block_size();
        let (x, y) = state.avatar().map_or((0, 0), |avatar| avatar.position);
        let start = |position: i32, all: usize, shown: usize| {
            let at = usize::try_from(position / block).unwrap_or(0);
            at.saturating_sub(shown / 2).min(all.saturating_sub(shown))
        };
        let (left, top) = (start(x, width, columns / cell), start(y, height, rows));
        let right = (left + columns / cell).min(width);
        let shown = grid(state).into_iter().skip(top).take(rows);
        shown.map(|row| self.row(&row[left..right], cell)).collect()
    }

    fn row(&self, row: &[Option<TypeId>], cell: usize) -> String {
        let length = row.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let mut text = String::new();
        let mut last: Option<TypeId> = None;
        for &stype in &row[..length] {
            if stype != last {
                self.change(&mut text, last, stype);
                last = stype;
            }
            let symbol = stype.map_or(' ', |id| self.symbol(id));
            // What fills its cell is drawn so.
            let second = if symbol == WALL { WALL } else { ' ' };
            text.extend((0..cell).map(|column| if column == 0 { symbol } else { second }));
        }
        self.change(&mut text, last, None);
        text
    }

    fn change(&self, text: &mut String, from: Option<TypeId>, to: Option<TypeId>) {
        // Writing to a string cannot fail.
        if let Some(id) = from {
            let _ = write!(text, "{}", self.styles[usize::from(id)].render_reset());
        }
        if let Some(id) = to {
            let _ = write!(text, "{}", self.styles[usize::from(id)].render());
        }
    }

    /// The character of a type; a blank if its sprites are not drawn.
    pub fn symbol(&self, id: TypeId) -> char {
        if self.drawn.contains(&id) { self.symbols[usize::from(id)] } else { ' ' }
    }

    /// The character of a type in its colours.
    pub fn painted(&self, id: TypeId) -> String {
        match self.symbol(id) {
            ' ' => " ".to_owned(),
            symbol => {
                let style = self.styles[usize::from(id)];
                format!("{}{symbol}{}", style.render(), style.render_reset())
            }
        }
    }

    /// What sprites of a type do, in a few words.
    pub fn words(&self, id: TypeId) -> &str {
        &self.words[usize::from(id)]
    }

    /// The types that are drawn, in the order of the rules.
    pub fn drawn(&self) -> Vec<TypeId> {
        let mut drawn = self.drawn.clone();
        drawn.sort_unstable();
        drawn
    }
}

/// The type in front in every cell.
fn grid(state: &State) -> Vec<Vec<Option<TypeId>>> {
    let (width, height) = state.level().size();
    let block = state.level().block_size();
    let mut grid = vec![vec![None; width as usize]; height as usize];
    state.each_drawn(|sprite| {
        // Sprites between two cells are drawn where most of them is.
        let at = |pixels: i32| pixels.saturating_add(block / 2).div_euclid(block);
        let (column, row) = (at(sprite.position.0), at(sprite.position.1));
        if (0..width).contains(&column) && (0..height).contains(&row) {
            grid[row as usize][column as usize] = Some(sprite.stype);
        }
    });
    grid
}

/// The nearest colour of those that every terminal has: 6 steps of each part, and greys.
fn colour(hexadecimal: &str) -> Ansi256Color {
    let value = u32::from_str_radix(hexadecimal.trim_start_matches('#'), 16).unwrap_or(0);
    let [_, red, green, blue] = value.to_be_bytes();
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let nearest = |part: u8| {
        let distance = |step: &u8| STEPS[usize::from(*step)].abs_diff(part);
        (0..6).min_by_key(distance).unwrap_or(0)
    };
    let steps = [nearest(red), nearest(green), nearest(blue)];
    let grey = ((u16::from(red) + u16::from(green) + u16::from(blue)) / 3) as u8;
    let grey_step = (grey.saturating_sub(3) / 10).min(23);
    let error = |found: [u8; 3]| -> u32 {
        let parts = [red, green, blue].into_iter().zip(found);
        parts.map(|(part, found)| u32::from(part.abs_diff(found)).pow(2)).sum()
    };
    if error([8 + 10 * grey_step; 3]) < error(steps.map(|step| STEPS[usize::from(step)])) {
        Ansi256Color(232 + grey_step)
    } else {
        Ansi256Color(16 + 36 * steps[0] + 6 * steps[1] + steps[2])
    }
}

/// One character for every type: that of the level files where it means this type alone or is the first letter of
/// its name, else a letter of its name.
fn symbols(game: &Game) -> Vec<char> {
    let types = game.types();
    let mut symbols: Vec<Option<char>> = vec![None; types.len()];
    let mapped: Vec<(char, Vec<TypeId>)> =
        game.characters().map(|character| (character, game.mapped(character))).collect();
    let choose = |symbols: &mut Vec<Option<char>>, id: TypeId, symbol: char| {
        let free = !symbols.contains(&Some(symbol));
        if free && symbols[usize::from(id)].is_none() {
            symbols[usize::from(id)] = Some(symbol);
        }
    };
    for (id, kind) in types.iter().enumerate() {
        let id = id as TypeId;
        if kind.is_avatar() {
            // There is never more than one, whatever it has become.
            symbols[usize::from(id)] = Some(AVATAR);
        } else if kind.name == "wall" && kind.class == Some(Class::Immovable) {
            choose(&mut symbols, id, WALL);
        }
    }
    for (character, ids) in &mapped {
        if let [id] = ids[..] {
            choose(&mut symbols, id, *character);
        }
    }
    for (character, ids) in &mapped {
        for &id in ids.iter().filter(|_| ids.len() > 1) {
            if types[usize::from(id)].name.starts_with(*character) {
                choose(&mut symbols, id, *character);
            }
        }
    }
    for (id, kind) in types.iter().enumerate().filter(|(_, kind)| kind.leaf) {
        let name = || kind.name.chars().filter(char::is_ascii_alphanumeric);
        let any = name()
            .chain(name().map(|letter| letter.to_ascii_uppercase()))
            .chain('a'..='z')
            .chain('A'..='Z')
            .chain('!'..='~');
        for symbol in any {
            choose(&mut symbols, id as TypeId, symbol);
        }
    }
    symbols.into_iter().map(|symbol| symbol.unwrap_or('?')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use regulus_vgdl::{Generator, Profile};

    const GAME: &str = "BasicGame
  SpriteSet
    floor > Immovable
    ghost > RandomNPC
    secret > Immovable invisible=True
    big >
      box > Passive
      ball > Passive
    avatar >
      armed > ShootAvatar stype=bullet
      unarmed > MovingAvatar
    bullet > Missile
  InteractionSet
    avatar wall > stepBack
  LevelMapping
    . > floor
    g > floor ghost
    s > secret
    b > floor box
    A > floor unarmed
  TerminationSet
    Timeout limit=9 win=True";

    #[test]
    fn characters_of_the_level_are_kept() {
        let game = Game::load(GAME, Profile::Y2021).game.expect("a game");
        let level = Level::load(&game, "wwwww\nwgbAw\nws..w").level.expect("a level");
        let view = VideoView::new(&level);
        let state = State::new(&level, Generator::own(1));
        let plain = |cell| -> Vec<String> {
            let rows = view.rows(&state, cell);
            rows.iter().map(|row| anstream::adapter::strip_str(row).to_string()).collect()
        };
        assert_eq!(plain(1), ["#####", "#gb@#", "# ..#"]);
        assert_eq!(plain(2), ["##########", "##g b @ ##", "##  . . ##"]);
        // A small terminal shows what is around the avatar.
        let small = view.window(&state, 3, 2);
        let small: Vec<_> =
            small.iter().map(|row| anstream::adapter::strip_str(row).to_string()).collect();
        assert_eq!(small, ["###", "b@#"]);
        let others = |id: &TypeId| !game.types()[usize::from(*id)].is_avatar();
        let others: Vec<TypeId> = view.drawn().into_iter().filter(others).collect();
        let mut all: Vec<char> = others.iter().map(|&id| view.symbol(id)).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), others.len(), "no two types look the same: {all:?}");
    }

    #[test]
    fn colours_are_near() {
        assert_eq!(colour("#ff0000"), Ansi256Color(196));
        assert_eq!(colour("#ffffff"), Ansi256Color(231));
        assert_eq!(colour("#808080"), Ansi256Color(244));
        assert_eq!(colour("#000000"), Ansi256Color(16));
    }
}
