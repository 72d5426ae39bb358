//! Effects of interactions, as they are written.

use crate::sprite_type::TypeId;

/// What an effect does, with its parameters.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub(crate) enum Kind {
    StepBack {
        pixel_perfect: bool,
    },
    UndoAll {
        except: Vec<TypeId>,
    },
    KillSprite,
    KillBoth,
    KillAll {
        stype: TypeId,
    },
    KillIfHasLess {
        resource: Option<TypeId>,
        limit: i32,
    },
    KillIfHasMore {
        resource: Option<TypeId>,
        limit: i32,
    },
    KillIfOtherHasMore {
        resource: Option<TypeId>,
        limit: i32,
        subtract: bool,
    },
    KillIfFromAbove,
    KillIfFrontal,
    KillIfNotFrontal,
    KillIfAlive,
    KillIfFast {
        limit: f64,
    },
    KillIfSlow {
        limit: f64,
    },
    TransformTo {
        stype: TypeId,
        options: Transform,
    },
    TransformToAll {
        stype: TypeId,
        to: TypeId,
        options: Transform,
    },
    TransformIfCount {
        stype: TypeId,
        counted: TypeId,
        at_least: i32,
        at_most: i32,
        otherwise: Option<TypeId>,
        options: Transform,
    },
    TransformToRandomChild {
        children: Vec<TypeId>,
        options: Transform,
    },
    TransformToSingleton {
        stype: TypeId,
        other: TypeId,
        take_orientation: bool,
    },
    BounceForward,
    /// `memory` numbers the effects that act once per sprite and tick.
    PullWithIt {
        pixel_perfect: bool,
        memory: u16,
    },
    AttractGaze {
        align: bool,
    },
    Align {
        orient: bool,
    },
    ReverseDirection,
    FlipDirection,
    TurnAround,
    WrapAround {
        offset: f64,
    },
    TeleportToExit,
    CollectResource {
        kill: bool,
    },
    CollectResourceIfHeld {
        held: TypeId,
        value: i32,
        kill: bool,
    },
    ChangeResource {
        resource: TypeId,
        value: i32,
        kill: bool,
    },
    AddHealthPoints {
        value: i32,
        kill_second: bool,
    },
    AddHealthPointsToMax {
        value: i32,
        kill_second: bool,
    },
    SubtractHealthPoints {
        value: i32,
        limit: i32,
        stype: Option<TypeId>,
        score_if_killed: i32,
    },
    Spawn {
        stype: TypeId,
    },
    SpawnIfHasMore {
        resource: Option<TypeId>,
        limit: i32,
        stype: TypeId,
        spend: i32,
    },
    SpawnIfHasLess {
        resource: Option<TypeId>,
        limit: i32,
        stype: TypeId,
    },
    SpawnBehind {
        stype: TypeId,
    },
    SpawnBeside {
        stype: TypeId,
        x: i32,
        y: i32,
        step_back: bool,
    },
    SpawnIfCounterSubTypes {
        stype: TypeId,
        otherwise: TypeId,
        counted: TypeId,
        subtypes: i32,
        limit: i32,
    },
    UpdateSpawnType {
        stype: TypeId,
        spawn_point: TypeId,
    },
    RemoveScore {
        stype: Option<TypeId>,
        kill_second: bool,
    },
    SetSpeedForAll {
        stype: TypeId,
        value: f64,
    },
    IncreaseSpeedToAll {
        stype: TypeId,
        value: f64,
    },
    DecreaseSpeedToAll {
        stype: TypeId,
        value: f64,
    },
    HalfSpeed,
    WallStop,
    WallBounce,
    WallReverse,
    BounceDirection {
        max_angle: f64,
    },
    CloneSprite,
    ShieldFrom {
        stype: TypeId,
        effect: u16,
    },
    AddTimer {
        timer: i32,
        repeating: bool,
        delegate: Box<Effect>,
    },
}

/// Options of transformations.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Transform {
    pub kill_second: bool,
    pub force_orientation: bool,
}

/// An effect with the parameters that every effect has.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    pub kind: Kind,
    /// The position of its name in [`NAMES`]: what shields look for.
    pub name: u16,
    pub score: i32,
    pub prob: f64,
}

/// An effect on all sprites of a type at certain ticks, or on none.
#[derive(Clone, Debug)]
pub(crate) struct TimedEffect {
    /// Whose family it acts on.
    pub stype: TypeId,
    pub effect: Effect,
    pub timer: i32,
    pub repeating: bool,
    /// The first tick.
    pub first: i32,
}

/// Effects: name, whether profile 2015 has it, and parameters beside those of every effect.
pub(crate) const NAMES: [(&str, bool, &[&str]); 58] = [
    ("stepBack", true, &["pixelPerfect"]),
    ("undoAll", true, &["notStype"]),
    ("killSprite", true, &[]),
    ("killBoth", false, &[]),
    ("killAll", false, &["stype"]),
    ("killIfHasLess", true, &["resource", "limit"]),
    ("killIfHasMore", true, &["resource", "limit"]),
    ("killIfOtherHasMore", true, &["resource", "limit", "subtract"]),
    ("killIfFromAbove", true, &[]),
    ("killIfFrontal", false, &[]),
    ("killIfNotFrontal", false, &[]),
    ("killIfAlive", false, &[]),
    ("killIfFast", false, &["limspeed"]),
    ("killIfSlow", false, &["limspeed"]),
    ("transformTo", true, &["stype", "killSecond", "forceOrientation"]),
    ("transformToAll", false, &["stype", "stypeTo", "killSecond", "forceOrientation"]),
    (
        "transformIfCount",
        false,
        &["stype", "stypeCount", "geq", "leq", "estype", "killSecond", "forceOrientation"],
    ),
    ("transformToRandomChild", false, &["stype", "killSecond", "forceOrientation"]),
    ("transformToSingleton", true, &["stype", "stype_other", "takeOrientation"]),
    ("bounceForward", true, &[]),
    ("pullWithIt", true, &["pixelPerfect"]),
    ("attractGaze", true, &["align"]),
    ("align", false, &["orient"]),
    ("reverseDirection", true, &[]),
    ("flipDirection", true, &[]),
    ("turnAround", true, &[]),
    ("wrapAround", true, &["offset"]),
    ("teleportToExit", true, &[]),
    ("collectResource", true, &["killResource"]),
    ("collectResourceIfHeld", false, &["heldResource", "value", "killResource"]),
    ("changeResource", true, &["resource", "value", "killResource"]),
    ("addHealthPoints", false, &["value", "killSecond"]),
    ("addHealthPointsToMax", false, &["value", "killSecond"]),
    ("subtractHealthPoints", false, &["value", "limit", "stype", "scoreChangeIfKilled"]),
    ("spawn", false, &["stype"]),
    ("spawnIfHasMore", true, &["resource", "limit", "stype", "spend"]),
    ("spawnIfHasLess", false, &["resource", "limit", "stype"]),
    ("spawnBehind", false, &["stype"]),
    ("spawnAbove", false, &["stype", "stepBack"]),
    ("spawnBelow", false, &["stype", "stepBack"]),
    ("spawnLeft", false, &["stype", "stepBack"]),
    ("spawnRight", false, &["stype", "stepBack"]),
    ("spawnIfCounterSubTypes", false, &["stype", "estype", "stypeCount", "subTypesNum", "limit"]),
    ("updateSpawnType", false, &["stype", "spawnPoint"]),
    ("removeScore", false, &["stype", "killSecond"]),
    ("setSpeedForAll", false, &["stype", "value"]),
    ("increaseSpeedToAll", false, &["stype", "value"]),
    ("decreaseSpeedToAll", false, &["stype", "value"]),
    ("halfSpeed", false, &[]),
    ("wallStop", true, &[]),
    ("wallBounce", false, &[]),
    ("wallReverse", false, &[]),
    ("bounceDirection", false, &["maxBounceAngleDeg"]),
    ("cloneSprite", true, &[]),
    ("shieldFrom", false, &["stype", "ftype"]),
    ("addTimer", false, &["timer", "repeating", "nextExecution", "ftype"]),
    ("waterPhysics", false, &[]),
    ("killIfNotUpright", false, &[]),
];

/// Names at and after this position are known and not implemented.
pub(crate) const FIRST_UNSUPPORTED: usize = 56;

/// Parameters of every effect.
pub(crate) const GENERAL: [&str; 11] = [
    "scoreChange",
    "prob",
    "repeat",
    "counter",
    "counterElse",
    "count",
    "countElse",
    "is_kill_effect",
    "is_stochastic",
    "sequential",
    "applyScore",
];

/// What an effect changes of the sprites it is executed on, beside killing them.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Changes {
    pub first: bool,
    pub second: bool,
}

impl Kind {
    /// It gets all sprites that were hit at once.
    pub fn is_batch(&self) -> bool {
        matches!(self, Kind::WallBounce | Kind::WallReverse)
    }

    /// Sprites whose fields stay as created for ever need no copy of their own: see `layers.rs`.
    /// Going back to where it was does not change a sprite that never moved.
    pub fn changes(&self) -> Changes {
        use Kind::*;
        let (first, second) = match self {
            StepBack { .. } | UndoAll { .. } | KillSprite | KillBoth | KillAll { .. } => {
                (false, false)
            }
            KillIfHasLess { .. } | KillIfHasMore { .. } | KillIfFromAbove | KillIfFrontal => {
                (false, false)
            }
            KillIfNotFrontal | KillIfAlive | KillIfFast { .. } | KillIfSlow { .. } => {
                (false, false)
            }
            KillIfOtherHasMore { subtract, .. } => (false, *subtract),
            TransformTo { .. } | TransformToAll { .. } | TransformIfCount { .. } => (false, false),
            TransformToRandomChild { .. } | TransformToSingleton { .. } => (false, false),
            BounceForward | PullWithIt { .. } | AttractGaze { .. } | Align { .. } => (true, false),
            ReverseDirection | FlipDirection | TurnAround | WrapAround { .. } => (true, false),
            TeleportToExit | ChangeResource { .. } => (true, false),
            CollectResource { .. } | CollectResourceIfHeld { .. } => (false, true),
            AddHealthPoints { .. } | AddHealthPointsToMax { .. } => (true, false),
            SubtractHealthPoints { .. } | SpawnIfHasMore { .. } => (true, false),
            Spawn { .. } | SpawnIfHasLess { .. } | SpawnBehind { .. } => (false, false),
            SpawnBeside { .. } | SpawnIfCounterSubTypes { .. } => (false, false),
            UpdateSpawnType { .. } | RemoveScore { .. } | CloneSprite => (false, false),
            SetSpeedForAll { .. } | IncreaseSpeedToAll { .. } | DecreaseSpeedToAll { .. } => {
                (false, false)
            }
            HalfSpeed | WallStop | WallReverse | BounceDirection { .. } => (true, false),
            WallBounce => (true, true),
            ShieldFrom { .. } | AddTimer { .. } => (false, false),
        };
        Changes { first, second }
    }

    /// A type all of whose family it changes, wherever they are.
    pub fn changes_everywhere(&self) -> Option<TypeId> {
        match self {
            Kind::SetSpeedForAll { stype, .. }
            | Kind::IncreaseSpeedToAll { stype, .. }
            | Kind::DecreaseSpeedToAll { stype, .. } => Some(*stype),
            Kind::SubtractHealthPoints { stype, .. } => *stype,
            Kind::AddTimer { delegate, .. } => delegate.kind.changes_everywhere(),
            _ => None,
        }
    }

    /// The types it can create.
    pub fn creates(&self) -> Vec<TypeId> {
        use Kind::*;
        match self {
            TransformTo { stype, .. }
            | Spawn { stype }
            | SpawnIfHasMore { stype, .. }
            | SpawnIfHasLess { stype, .. }
            | SpawnBehind { stype }
            | SpawnBeside { stype, .. } => vec![*stype],
            TransformToAll { to, .. } => vec![*to],
            TransformIfCount { stype, otherwise, .. } => {
                std::iter::once(*stype).chain(*otherwise).collect()
            }
            // A child that cannot be created is skipped when it is drawn.
            TransformToRandomChild { .. } => Vec::new(),
            TransformToSingleton { stype, other, .. } => vec![*stype, *other],
            SpawnIfCounterSubTypes { stype, otherwise, .. } => vec![*stype, *otherwise],
            AddTimer { delegate, .. } => delegate.kind.creates(),
            _ => Vec::new(),
        }
    }
}
