//! A sprite that has a state of its own.

use crate::direction::Direction;
use crate::sprite_type::TypeId;

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
}

impl Sprite {
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
