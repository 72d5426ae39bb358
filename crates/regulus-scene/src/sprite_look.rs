//! What sprites of video games look like: their class and what they mean to the player say a shape, the colour
//! in the rules says the fill. Pictures that rules name are not used.

use std::sync::Arc;

use regulus_vgdl::{Class, Game, Generator, Level, Meaning, SpriteType, State, TypeId};
use serde::Serialize;

use crate::palette;

/// The shapes that whoever draws sprites must know.
pub const SHAPES: [&str; 23] = [
    "floor", "wall", "tile", "trap", "pit", "token", "door", "portal", "nest", "gem", "bag",
    "belt", "flash", "blade", "flame", "dart", "crate", "saucer", "creature", "hunter", "runner",
    "hero", "gunner",
];

/// What sprites of a type look like.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SpriteLook {
    /// The name of the type.
    pub name: String,
    /// One of [`SHAPES`].
    pub shape: &'static str,
    /// Its colour, `#rrggbb`.
    pub fill: String,
    /// The colour of its outline.
    pub stroke: String,
    /// The colour of what is drawn on it.
    pub ink: String,
    /// Its size as a part of a block.
    pub size: f64,
    /// True if the shape shows where it looks.
    pub turns: bool,
    /// 0, or the number of dots that tell it from others that look the same.
    pub mark: usize,
    /// What it does, in a few words.
    pub words: String,
}

/// How the sprites of a level are drawn.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stage {
    /// Blocks in a row.
    pub columns: i32,
    /// Blocks in a column.
    pub rows: i32,
    /// Pixels of a block: positions are in pixels.
    pub block: i32,
    /// The looks of all types, by number.
    pub types: Vec<SpriteLook>,
    /// The types that are drawn, those in front later.
    pub order: Vec<TypeId>,
    /// The types to explain: those that are there at the beginning, those in front first, then those that may come.
    pub legend: Vec<TypeId>,
}

impl Stage {
    /// How a level is drawn.
    pub fn new(level: &Arc<Level>) -> Self {
        let game = level.game();
        let (columns, rows) = level.size();
        let order = game.drawing_order();
        let mut there = vec![false; game.types().len()];
        State::new(level, Generator::own(0)).each_drawn(|s| there[usize::from(s.stype)] = true);
        let is_there = |id: &TypeId| there[usize::from(*id)];
        let creatable = game.creatable();
        let may_come = |id: &TypeId| !is_there(id) && creatable.contains(id);
        let legend = order.iter().rev().copied().filter(is_there);
        let legend = legend.chain(order.iter().rev().copied().filter(may_come)).collect();
        Stage { columns, rows, block: level.block_size(), types: sprite_looks(game), order, legend }
    }
}

/// The looks of all types of a game, by number.
pub fn sprite_looks(game: &Game) -> Vec<SpriteLook> {
    let mut colourless = 0;
    let mut looks = Vec::with_capacity(game.types().len());
    for (id, kind) in game.types().iter().enumerate() {
        let meaning = game.meaning(id as TypeId);
        let shape = shape(kind.class, meaning);
        let paint = kind.colour.as_deref().and_then(palette::vgdl).unwrap_or_else(|| match shape {
            "wall" => palette::of_wall(),
            "floor" => palette::of_floor(),
            _ => {
                colourless += 1;
                palette::sprite(colourless - 1)
            }
        });
        looks.push(SpriteLook {
            name: kind.name.clone(),
            shape,
            stroke: palette::outline(&paint.fill),
            fill: paint.fill,
            ink: paint.ink.to_owned(),
            size: size(kind, shape),
            turns: matches!(
                shape,
                "belt"
                    | "blade"
                    | "dart"
                    | "saucer"
                    | "gunner"
                    | "hero"
                    | "creature"
                    | "hunter"
                    | "runner"
            ),
            mark: 0,
            words: words(kind, meaning),
        });
    }
    marks(&mut looks, &game.drawing_order());
    looks
}

/// Sprites of the grid are as large as a block, whatever the rules say about drawing; extremes cannot be seen.
fn size(kind: &SpriteType, shape: &str) -> f64 {
    let usual = match shape {
        "gem" | "token" | "bag" => 0.8,
        _ => 1.0,
    };
    if kind.shrink_factor > 0.0 { kind.shrink_factor.clamp(0.3, 1.0) } else { usual }
}

fn shape(class: Option<Class>, meaning: Meaning) -> &'static str {
    use Class::*;
    let Some(class) = class else { return "tile" };
    match class {
        Immovable if meaning.scenery => "floor",
        Immovable if meaning.blocks && meaning.lasting => "wall",
        Immovable if meaning.blocks => "tile",
        Immovable if meaning.hurts => "trap",
        Immovable if meaning.taken => "token",
        Immovable if meaning.consumes => "pit",
        Immovable if meaning.lasting && !meaning.stops => "floor",
        Immovable => "tile",
        Passive | SpriteProducer => "crate",
        Door => "door",
        Portal => "portal",
        SpawnPoint | SpawnPointMultiSprite => "nest",
        Resource => "gem",
        ResourcePack => "bag",
        Conveyor => "belt",
        Flicker => "flash",
        OrientedFlicker => "blade",
        Spreader => "flame",
        Missile | RandomMissile | ErraticMissile => "dart",
        Bomber | RandomBomber | BomberRandomMissile => "saucer",
        RandomNpc => "creature",
        Fleeing => "runner",
        Chaser | LosChaser | PathChaser | AlternateChaser | RandomAltChaser | PathAltChaser
        | RandomPathAltChaser => "hunter",
        MovingAvatar | HorizontalAvatar | VerticalAvatar | OrientedAvatar | NullAvatar => "hero",
        FlakAvatar | ShootAvatar | ShootOnlyAvatar | MissileAvatar | OngoingAvatar
        | OngoingShootAvatar | OngoingTurningAvatar => "gunner",
    }
}

/// What a class does by itself.
fn habit(class: Class) -> &'static str {
    use Class::*;
    match class {
        Immovable => "stands still",
        Passive | SpriteProducer => "lies there until it is moved",
        Door => "a door",
        Portal => "a portal",
        SpawnPoint | SpawnPointMultiSprite => "others come out of it",
        Resource | ResourcePack => "can be owned",
        Conveyor => "carries what is on it",
        Flicker | OrientedFlicker => "vanishes soon",
        Spreader => "spreads",
        Missile => "flies straight on",
        RandomMissile => "flies in some direction",
        ErraticMissile => "flies and turns",
        Bomber | RandomBomber | BomberRandomMissile => "moves and drops others",
        RandomNpc => "walks about",
        Chaser | LosChaser | PathChaser => "chases",
        Fleeing => "flees",
        AlternateChaser | RandomAltChaser | PathAltChaser | RandomPathAltChaser => {
            "chases or flees"
        }
        NullAvatar => "you; you only watch",
        FlakAvatar | ShootAvatar | ShootOnlyAvatar | OngoingShootAvatar => "you; you can shoot",
        _ => "you",
    }
}

fn words(kind: &SpriteType, meaning: Meaning) -> String {
    let Some(class) = kind.class else { return String::new() };
    let mut words = vec![habit(class)];
    if !class.is_avatar() {
        let said = [
            (meaning.scenery, "only to be seen"),
            (meaning.hurts, "dangerous"),
            (meaning.taken, "can be taken"),
            (meaning.turned, "changes when you touch it"),
            (meaning.consumes, "takes others"),
            (meaning.blocks, "in your way"),
            (meaning.stops && !meaning.blocks, "in the way of others"),
        ];
        words.extend(said.into_iter().filter(|(so, _)| *so).map(|(_, word)| word));
    }
    words.join(", ")
}

/// Numbers those that would look the same.
fn marks(looks: &mut [SpriteLook], drawn: &[TypeId]) {
    for (k, id) in drawn.iter().enumerate() {
        let look = &looks[usize::from(*id)];
        let alike = |other: &&TypeId| {
            let other = &looks[usize::from(**other)];
            (other.shape, &other.fill) == (look.shape, &look.fill)
        };
        looks[usize::from(*id)].mark = drawn[..k].iter().filter(alike).count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use regulus_vgdl::Profile;

    fn looks(sprites: &str, interactions: &str) -> Vec<SpriteLook> {
        let text = format!("BasicGame\n  SpriteSet\n{sprites}\n  InteractionSet\n{interactions}\n");
        let loaded = Game::load(&text, Profile::Y2021);
        sprite_looks(&loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)))
    }

    fn look<'l>(looks: &'l [SpriteLook], name: &str) -> &'l SpriteLook {
        looks.iter().find(|look| look.name == name).expect("a type")
    }

    #[test]
    fn classes_and_meanings_say_shapes() {
        let sprites =
            "    grass > Immovable\n    lava > Immovable\n    coin > Immovable\n    box > Passive";
        let rules = "    avatar wall > stepBack\n    avatar lava > killSprite\n    coin avatar > killSprite\n    box avatar > bounceForward";
        let looks = looks(sprites, rules);
        let shapes =
            ["wall", "avatar", "grass", "lava", "coin", "box"].map(|name| look(&looks, name).shape);
        assert_eq!(shapes, ["wall", "hero", "floor", "trap", "token", "crate"]);
        assert_eq!(look(&looks, "lava").words, "stands still, dangerous");
        assert_eq!(look(&looks, "wall").words, "stands still, in your way");
        // Every class has a shape that is known.
        for class in Class::ALL {
            assert!(SHAPES.contains(&shape(Some(*class), Meaning::default())), "{class:?}");
        }
    }

    #[test]
    fn colours_are_those_of_the_rules() {
        let looks = looks(
            "    a > Door color=LIGHTBLUE\n    b > Door color=DARKBLUE\n    c > Door color=BLUE\n    d > Door color=BLUE\n    e > Door\n    f > Door\n    g > Door color=MAUVE",
            "",
        );
        let fill = |name| look(&looks, name).fill.clone();
        assert_eq!(fill("c"), fill("d"));
        assert_eq!((look(&looks, "c").mark, look(&looks, "d").mark), (0, 1));
        let all = ["a", "b", "c", "e", "f", "g"].map(fill);
        for (i, one) in all.iter().enumerate() {
            assert!(!all[..i].contains(one), "{all:?}");
        }
    }
}
