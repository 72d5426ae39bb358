//! The classes of sprites.

use crate::profile::Profile;

macro_rules! classes {
    ($( $variant:ident = $name:literal, $old:literal, [$($key:literal),*]; )*) => {
        /// What a sprite does by itself.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[allow(missing_docs)]
        pub enum Class {
            $( $variant, )*
        }

        impl Class {
            /// Every class.
            pub const ALL: &'static [Class] = &[ $( Class::$variant, )* ];

            /// As it is written in games.
            pub fn name(self) -> &'static str {
                match self { $( Class::$variant => $name, )* }
            }

            /// Whether the profile has it.
            pub fn exists_in(self, profile: Profile) -> bool {
                match self { $( Class::$variant => $old || profile == Profile::Y2021, )* }
            }

            /// Parameters of the class beside those of every sprite.
            pub(crate) fn own_parameters(self) -> &'static [&'static str] {
                match self { $( Class::$variant => &[$($key),*], )* }
            }
        }
    };
}

classes! {
    Immovable = "Immovable", true, [];
    Passive = "Passive", true, [];
    Door = "Door", true, [];
    Resource = "Resource", true, ["value", "limit"];
    ResourcePack = "ResourcePack", true, ["value", "limit"];
    Conveyor = "Conveyor", true, [];
    Flicker = "Flicker", true, ["limit", "age"];
    OrientedFlicker = "OrientedFlicker", true, ["limit", "age"];
    Spreader = "Spreader", true, ["limit", "age", "spreadprob", "stype"];
    Missile = "Missile", true, [];
    RandomMissile = "RandomMissile", true, [];
    ErraticMissile = "ErraticMissile", true, [];
    SpriteProducer = "SpriteProducer", true, [];
    Portal = "Portal", true, ["stype"];
    SpawnPoint = "SpawnPoint", true, ["stype", "prob", "total", "spawnorientation"];
    SpawnPointMultiSprite = "SpawnPointMultiSprite", false, ["stypes", "prob", "total", "spawnorientation"];
    Bomber = "Bomber", true, ["stype", "prob", "total", "spawnorientation"];
    RandomBomber = "RandomBomber", false, ["stype", "prob", "total", "spawnorientation"];
    BomberRandomMissile = "BomberRandomMissile", false, ["stype", "stypeMissile", "prob", "total", "spawnorientation"];
    RandomNpc = "RandomNPC", true, ["cons"];
    Chaser = "Chaser", true, ["cons", "stype", "maxDistance", "fleeing"];
    Fleeing = "Fleeing", true, ["cons", "stype", "maxDistance", "fleeing"];
    LosChaser = "LOSChaser", false, ["cons", "stype", "maxDistance", "fleeing"];
    PathChaser = "PathChaser", false, ["cons", "stype", "maxDistance", "fleeing"];
    AlternateChaser = "AlternateChaser", true, ["cons", "stype1", "stype2", "fleeing"];
    RandomAltChaser = "RandomAltChaser", true, ["cons", "stype1", "stype2", "fleeing", "epsilon"];
    PathAltChaser = "PathAltChaser", false, ["cons", "stype1", "stype2", "fleeing", "randomTarget"];
    RandomPathAltChaser = "RandomPathAltChaser", false, ["cons", "stype1", "stype2", "fleeing", "randomTarget", "epsilon"];
    MovingAvatar = "MovingAvatar", true, ["alternate_keys"];
    HorizontalAvatar = "HorizontalAvatar", true, ["alternate_keys"];
    VerticalAvatar = "VerticalAvatar", false, ["alternate_keys"];
    FlakAvatar = "FlakAvatar", true, ["alternate_keys", "stype", "ammo", "minAmmo", "ammoCost"];
    OrientedAvatar = "OrientedAvatar", true, ["alternate_keys"];
    ShootAvatar = "ShootAvatar", true, ["alternate_keys", "stype", "ammo"];
    ShootOnlyAvatar = "ShootOnlyAvatar", false, ["alternate_keys", "stype", "ammo"];
    MissileAvatar = "MissileAvatar", true, ["alternate_keys"];
    OngoingAvatar = "OngoingAvatar", true, ["alternate_keys"];
    OngoingShootAvatar = "OngoingShootAvatar", false, ["alternate_keys", "stype", "ammo"];
    OngoingTurningAvatar = "OngoingTurningAvatar", false, ["alternate_keys", "spawnBehind"];
    NullAvatar = "NullAvatar", false, ["alternate_keys"];
}

/// Classes of the reference frameworks that need continuous physics, or that games name without the
/// framework having them (InertialAvatar).
pub(crate) const UNSUPPORTED: [&str; 11] = [
    "Walker",
    "WalkerJumper",
    "RandomInertial",
    "InertialAvatar",
    "AimedAvatar",
    "BirdAvatar",
    "CarAvatar",
    "LanderAvatar",
    "PlatformerAvatar",
    "SpaceshipAvatar",
    "WizardAvatar",
];

/// Parameters of every sprite, and whether they mean anything to the rules.
const GENERAL: [&str; 42] = [
    "is_static",
    "only_active",
    "is_avatar",
    "is_stochastic",
    "color",
    "cooldown",
    "speed",
    "stationary",
    "mass",
    "physicstype",
    "gravity",
    "friction",
    "shrinkfactor",
    "is_oriented",
    "draw_arrow",
    "orientation",
    "jump_strength",
    "singleton",
    "is_resource",
    "portal",
    "invisible",
    "hidden",
    "frameRate",
    "img",
    "orientedImg",
    "is_npc",
    "is_from_avatar",
    "rotateInPlace",
    "healthPoints",
    "maxHealthPoints",
    "limitHealthPoints",
    "timeToLive",
    "rotation",
    "wMult",
    "hMult",
    "on_ground",
    "solid",
    "max_speed",
    "autotiling",
    "randomtiling",
    "image",
    "strength",
];

impl Class {
    /// The class of a name.
    pub fn named(name: &str) -> Option<Class> {
        Class::ALL.iter().copied().find(|class| class.name() == name)
    }

    /// Every parameter.
    pub(crate) fn parameters(self) -> Vec<&'static str> {
        [&GENERAL, self.own_parameters()].concat()
    }

    /// Controlled by the player.
    pub fn is_avatar(self) -> bool {
        (self as u8) >= Class::MovingAvatar as u8
    }

    /// Avatars that turn: they begin looking to the right.
    pub(crate) fn is_oriented_avatar(self) -> bool {
        use Class::*;
        matches!(
            self,
            OrientedAvatar
                | ShootAvatar
                | ShootOnlyAvatar
                | MissileAvatar
                | OngoingAvatar
                | OngoingShootAvatar
                | OngoingTurningAvatar
        )
    }

    /// Resource and its kind.
    pub(crate) fn is_resource(self) -> bool {
        matches!(self, Class::Resource | Class::ResourcePack)
    }

    /// The Flicker family.
    pub(crate) fn is_flicker(self) -> bool {
        matches!(self, Class::Flicker | Class::OrientedFlicker | Class::Spreader)
    }

    /// The SpawnPoint family.
    pub(crate) fn is_spawner(self) -> bool {
        use Class::*;
        matches!(
            self,
            SpawnPoint | SpawnPointMultiSprite | Bomber | RandomBomber | BomberRandomMissile
        )
    }

    /// Spawners that move: they look to the right and count as characters.
    pub(crate) fn is_bomber(self) -> bool {
        matches!(self, Class::Bomber | Class::RandomBomber | Class::BomberRandomMissile)
    }

    /// The RandomNPC family.
    pub(crate) fn is_npc(self) -> bool {
        use Class::*;
        matches!(
            self,
            RandomNpc
                | Chaser
                | Fleeing
                | LosChaser
                | PathChaser
                | AlternateChaser
                | RandomAltChaser
                | PathAltChaser
                | RandomPathAltChaser
        )
    }

    /// Characters that remember whom they follow.
    pub(crate) fn has_path_memory(self) -> bool {
        matches!(self, Class::PathAltChaser | Class::RandomPathAltChaser)
    }

    /// Missiles.
    pub(crate) fn is_missile(self) -> bool {
        matches!(self, Class::Missile | Class::RandomMissile | Class::ErraticMissile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families() {
        assert!(Class::NullAvatar.is_avatar() && Class::MovingAvatar.is_avatar());
        assert!(!Class::RandomPathAltChaser.is_avatar());
        assert_eq!(Class::named("RandomNPC"), Some(Class::RandomNpc));
        assert_eq!(Class::named("randomnpc"), None);
        assert!(Class::Chaser.parameters().contains(&"maxDistance"));
        assert!(!Class::Missile.parameters().contains(&"stype"));
    }
}
