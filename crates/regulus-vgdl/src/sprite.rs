//! A sprite that has a state of its own.

use crate::class::Class;
use crate::direction::Direction;
use crate::sprite_type::{SpriteType, TypeId};

/// No sprite, in links between sprites.
pub(crate) const NONE: u16 = u16::MAX;

/// A sprite. Plain data: states are copied by copying memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sprite {
    pub x: i32,
    pub y: i32,
    /// Where it was before the last move, if `last_epoch` is the present epoch of its type; else it
    /// has not moved since the last update and was where it is.
    pub last_x: i32,
    pub last_y: i32,
    pub last_epoch: i32,
    /// The epoch of its last move: updates since then are `epoch - moved_epoch`.
    pub moved_epoch: i32,
    pub orientation: Direction,
    pub speed: f64,
    pub id: u32,
    /// The cell of its top left corner, and in `span` whether it reaches into the next ones.
    pub cell: u32,
    pub health: i32,
    pub max_health: i32,
    pub time_to_live: i32,
    /// Characters: ticks in the same direction. Spawners: sprites spawned. Flickers: age.
    pub counter: i32,
    /// Characters: the direction of the last choice, -1 for none. Spawners: the first tick, or -1.
    pub memory: i32,
    /// The y that its row in the collision buckets of 2015 comes from: wrapping around forgets to
    /// change it.
    pub row_y: i32,
    pub stype: TypeId,
    /// What a spawner spawns.
    pub spawns: TypeId,
    /// Neighbours in the list of its type; `next` also links free places.
    pub next: u16,
    pub previous: u16,
    pub span: u8,
    pub flags: u8,
    /// The bit of its type, see [`crate::rules::TypeBits`].
    pub bit: u8,
}

/// Bits of `span`.
pub(crate) mod span {
    pub const RIGHT: u8 = 1;
    pub const DOWN: u8 = 2;
    /// Not fully on the screen.
    pub const OUTSIDE: u8 = 4;
}

/// Bits of `flags`.
pub(crate) mod flag {
    pub const ALIVE: u8 = 1;
    pub const ORIENTED: u8 = 2;
    /// Its first passive movement is still to come, and does nothing.
    pub const FIRST_TICK: u8 = 4;
    /// Removed at the end of this tick.
    pub const KILLED: u8 = 8;
    /// A dead avatar that still takes part in collisions.
    pub const DISABLED: u8 = 16;
    pub const FROM_AVATAR: u8 = 32;
    /// Its class is an avatar's.
    pub const AVATAR: u8 = 64;
    /// Its type is not in the order of updates.
    pub const UNORDERED: u8 = 128;
}

/// A place on the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub x: i32,
    pub y: i32,
    pub cell: u32,
    pub span: u8,
}

impl Sprite {
    /// A sprite of a type as it is created, without a place and a number. It is not alive if no sprite
    /// of the type can be created.
    pub fn template(stype: TypeId, kind: &SpriteType, bit: u8, ordered: bool) -> Sprite {
        let traits = &kind.traits;
        let mut flags = flag::FIRST_TICK;
        if kind.class.is_some() {
            flags |= flag::ALIVE;
        }
        if traits.oriented {
            flags |= flag::ORIENTED;
        }
        if kind.is_avatar() {
            flags |= flag::AVATAR;
        }
        if !ordered {
            flags |= flag::UNORDERED;
        }
        Sprite {
            x: 0,
            y: 0,
            last_x: 0,
            last_y: 0,
            last_epoch: 0,
            moved_epoch: 0,
            orientation: traits.orientation,
            speed: traits.speed,
            id: 0,
            cell: 0,
            health: traits.health,
            max_health: traits.max_health,
            time_to_live: traits.time_to_live,
            counter: if kind.class.is_some_and(Class::is_flicker) { traits.age } else { 0 },
            memory: -1,
            row_y: 0,
            stype,
            spawns: traits.targets.first().copied().unwrap_or(TypeId::MAX),
            next: NONE,
            previous: NONE,
            span: 0,
            flags,
            bit,
        }
    }

    /// How many updates it has had after its update in a tick.
    pub fn epoch_after(&self, tick: i32) -> i32 {
        if self.has(flag::UNORDERED) { 0 } else { tick + 1 }
    }

    /// Puts a new sprite somewhere.
    #[inline]
    pub fn stand(&mut self, spot: Spot, epoch: i32) {
        let Spot { x, y, cell, span } = spot;
        (self.x, self.y, self.cell, self.span) = (x, y, cell, span);
        (self.last_x, self.last_y, self.row_y) = (x, y, y);
        (self.last_epoch, self.moved_epoch) = (epoch, epoch);
    }

    pub fn spot(&self) -> Spot {
        Spot { x: self.x, y: self.y, cell: self.cell, span: self.span }
    }

    #[inline(always)]
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// A sprite of either kind: in the shared layers of the level, or in the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ref(u32);

const SHARED: u32 = 1 << 31;

impl Ref {
    pub fn own(slot: u16) -> Ref {
        Ref(u32::from(slot))
    }

    pub fn shared(index: u32) -> Ref {
        Ref(SHARED | index)
    }

    /// The place in the state.
    pub fn slot(self) -> Option<u16> {
        (self.0 & SHARED == 0).then_some(self.0 as u16)
    }

    /// The place in the layers of the level.
    pub fn layer_index(self) -> Option<usize> {
        (self.0 & SHARED != 0).then_some((self.0 & !SHARED) as usize)
    }
}
