//! A sprite type: what its sprites are like when they are created.

use regulus_game::Category;

use crate::class::Class;
use crate::diagnostic::{Code, Diagnostics};
use crate::direction::Direction;
use crate::parameters::{Parameters, Reader};
use crate::profile::Profile;

/// The number of a sprite type; `wall` is 0 and `avatar` 1.
pub type TypeId = u16;

/// A sprite type with everything that its line and its parents say.
#[derive(Clone, Debug)]
pub struct SpriteType {
    /// Its name.
    pub name: String,
    /// Its class; none if no sprite of it can be created.
    pub class: Option<Class>,
    /// Ancestors from the top down to and including the type itself.
    pub lineage: Vec<TypeId>,
    /// Ancestors, itself and all descendants: what counts and collides as this type.
    pub family: Vec<TypeId>,
    /// At most one sprite of its family may exist.
    pub singleton: bool,
    /// Without children.
    pub leaf: bool,
    /// The name of its colour, for drawing.
    pub colour: Option<String>,
    /// The name of its picture in the reference framework, for choosing a drawing.
    pub image: Option<String>,
    /// Left out of observations.
    pub hidden: bool,
    /// Left out of drawings.
    pub invisible: bool,
    /// The drawn size, as a part of the block.
    pub shrink_factor: f64,
    pub(crate) traits: Traits,
}

/// Values that the rules use.
#[derive(Clone, Debug)]
pub(crate) struct Traits {
    pub speed: f64,
    pub cooldown: i32,
    pub oriented: bool,
    pub orientation: Direction,
    pub is_static: bool,
    pub only_active: bool,
    pub stationary: bool,
    pub is_resource: bool,
    pub portal: bool,
    pub npc: bool,
    pub rotate_in_place: bool,
    pub health: i32,
    pub max_health: i32,
    pub limit_health: i32,
    pub time_to_live: i32,
    /// Of flickers: age; of resources: how much one may hold.
    pub limit: i32,
    pub age: i32,
    pub value: i32,
    pub prob: f64,
    pub total: i32,
    pub spawn_orientation: Direction,
    pub cons: i32,
    pub fleeing: bool,
    pub max_distance: f64,
    pub epsilon: f64,
    pub spread_prob: f64,
    pub random_target: bool,
    /// What it spawns, chases, shoots or leads to; in order of the list.
    pub targets: Vec<TypeId>,
    /// The second list of chasers that alternate.
    pub second_targets: Vec<TypeId>,
    /// Resources needed to shoot, one per target.
    pub ammo: Vec<TypeId>,
    pub min_ammo: i32,
    pub ammo_cost: i32,
    /// How much of this type, as a resource, may be held.
    pub resource_limit: i32,
}

impl SpriteType {
    /// True if sprites of it are the player's.
    pub fn is_avatar(&self) -> bool {
        self.class.is_some_and(Class::is_avatar)
    }

    /// What a sprite of it is to an agent, if it was made by the avatar or not.
    pub fn category(&self, from_avatar: bool) -> Category {
        let traits = &self.traits;
        if self.is_avatar() {
            Category::Avatar
        } else if traits.is_resource {
            Category::Resource
        } else if traits.portal {
            Category::Portal
        } else if traits.npc {
            Category::Npc
        } else if traits.is_static {
            Category::Immovable
        } else if from_avatar {
            Category::FromAvatar
        } else {
            Category::Movable
        }
    }
}

/// Names to numbers, while a game is read.
pub(crate) type Lookup<'a> = dyn Fn(&str) -> Option<TypeId> + 'a;

impl Traits {
    /// Reads the values of a sprite of a class.
    pub fn read(
        class: Option<Class>,
        parameters: &Parameters<'_>,
        lookup: &Lookup<'_>,
        profile: Profile,
        diagnostics: &mut Diagnostics,
    ) -> Traits {
        let is = |family: fn(Class) -> bool| class.is_some_and(family);
        let old = profile.is_old();
        let mut reader = parameters.reader(diagnostics);
        let moves = is(Class::is_avatar)
            || is(Class::is_npc)
            || is(Class::is_missile)
            || class == Some(Class::RandomBomber);
        let is_static = is(|class| {
            use Class::*;
            matches!(
                class,
                Immovable
                    | Door
                    | Conveyor
                    | Portal
                    | SpawnPoint
                    | SpawnPointMultiSprite
                    | ResourcePack
            )
        });
        let faces_right = is(Class::is_oriented_avatar)
            || is(Class::is_bomber)
            || class == Some(Class::SpawnPointMultiSprite);
        let default_orientation = match class {
            Some(Class::RandomMissile) => Direction::NIL,
            _ if faces_right => Direction::RIGHT,
            _ => Direction::NONE,
        };
        let default_oriented = faces_right
            || is(Class::is_missile)
            || matches!(class, Some(Class::OrientedFlicker | Class::Conveyor));
        let portal = matches!(class, Some(Class::Door | Class::Portal));
        let npc = is(Class::is_npc)
            || is(Class::is_bomber)
            || class == Some(Class::SpawnPointMultiSprite);
        let resource = is(Class::is_resource);
        let orientation = reader.direction("orientation", default_orientation);
        let is_resource = resource;
        let health = if old { 0 } else { reader.int("healthPoints", 0) };
        let mut max_health = if old { 0 } else { reader.int("maxHealthPoints", 0) };
        if max_health == 0 {
            max_health = health;
        }
        let cooldown = reader.int("cooldown", i32::from(is(Class::is_spawner)));
        let default_limit = if resource { 2 } else { 1 };
        let limit = if resource || is(Class::is_flicker) {
            reader.int("limit", default_limit)
        } else {
            default_limit
        };
        let npc_class = is(Class::is_npc);
        let mut traits = Traits {
            speed: reader.double("speed", f64::from(u8::from(moves))),
            cooldown: if old { cooldown } else { cooldown.max(1) },
            oriented: reader.bool("is_oriented", default_oriented) || !orientation.is_none(),
            orientation,
            is_static: reader.bool("is_static", is_static),
            only_active: reader.bool("only_active", false),
            stationary: !old && reader.bool("stationary", false),
            is_resource,
            portal: reader.bool("portal", portal),
            npc: reader.bool("is_npc", npc),
            rotate_in_place: reader.bool("rotateInPlace", is(Class::is_oriented_avatar)),
            health: health.min(max_health),
            max_health,
            limit_health: if old { 1000 } else { reader.int("limitHealthPoints", 1000) },
            time_to_live: if old { -1 } else { reader.int("timeToLive", -1) },
            limit,
            age: if is(Class::is_flicker) { reader.int("age", 0) } else { 0 },
            value: if resource { reader.int("value", 1) } else { 1 },
            prob: if is(Class::is_spawner) { reader.double("prob", 1.0) } else { 1.0 },
            total: if is(Class::is_spawner) { reader.int("total", 0) } else { 0 },
            spawn_orientation: if is(Class::is_spawner) && !old {
                reader.direction("spawnorientation", Direction::NONE)
            } else {
                Direction::NONE
            },
            cons: if npc_class && !old { reader.int("cons", 0) } else { 0 },
            fleeing: npc_class && reader.bool("fleeing", class == Some(Class::Fleeing)),
            max_distance: if npc_class && !old { reader.double("maxDistance", -1.0) } else { -1.0 },
            epsilon: if npc_class { reader.double("epsilon", 0.0) } else { 0.0 },
            spread_prob: if class == Some(Class::Spreader) {
                reader.double("spreadprob", 1.0)
            } else {
                1.0
            },
            random_target: npc_class && reader.bool("randomTarget", false),
            targets: Vec::new(),
            second_targets: Vec::new(),
            ammo: Vec::new(),
            min_ammo: -1,
            ammo_cost: 1,
            resource_limit: if class == Some(Class::Resource) { limit } else { 0 },
        };
        traits.read_targets(class, &mut reader, lookup);
        // A number in 2021, the name of a class in 2015.
        if let Some(parameter) = reader.get("physicstype")
            && !["GRID", "0", "GridPhysics"].contains(&parameter.text)
        {
            let message = "continuous physics is not implemented".to_owned();
            reader.diagnostics.push(Code::Unsupported, parameter.place, message);
        }
        traits
    }

    fn read_targets(
        &mut self,
        class: Option<Class>,
        reader: &mut Reader<'_, '_>,
        lookup: &Lookup<'_>,
    ) {
        let Some(class) = class else { return };
        use Class::*;
        match class {
            Portal | SpawnPoint | Bomber | RandomBomber | Chaser | Fleeing | LosChaser
            | PathChaser | FlakAvatar | Spreader => {
                self.targets = type_list(reader, lookup, "stype");
                self.targets.truncate(1);
            }
            ShootAvatar | ShootOnlyAvatar | OngoingShootAvatar => {
                self.targets = type_list(reader, lookup, "stype");
            }
            SpawnPointMultiSprite => self.targets = type_list(reader, lookup, "stypes"),
            BomberRandomMissile => self.targets = type_list(reader, lookup, "stypeMissile"),
            AlternateChaser | RandomAltChaser | PathAltChaser | RandomPathAltChaser => {
                self.targets = type_list(reader, lookup, "stype1");
                self.second_targets = type_list(reader, lookup, "stype2");
            }
            OngoingTurningAvatar => self.targets = type_list(reader, lookup, "spawnBehind"),
            _ => {}
        }
        if matches!(class, FlakAvatar | ShootAvatar | ShootOnlyAvatar | OngoingShootAvatar) {
            self.ammo = type_list(reader, lookup, "ammo");
        }
        if class == FlakAvatar {
            self.min_ammo = reader.int("minAmmo", -1);
            self.ammo_cost = reader.int("ammoCost", 1);
        }
    }
}

/// A list of types separated by commas; unknown ones are errors.
pub(crate) fn type_list(
    reader: &mut Reader<'_, '_>,
    lookup: &Lookup<'_>,
    key: &str,
) -> Vec<TypeId> {
    let Some(parameter) = reader.text(key) else { return Vec::new() };
    let mut types = Vec::new();
    for name in parameter.text.split(',') {
        match lookup(name) {
            Some(id) => types.push(id),
            None => reader.diagnostics.unknown_type(parameter.place, name),
        }
    }
    types
}
