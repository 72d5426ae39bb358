//! How large things may be.

/// Sprite types of a game; the predefined two included.
pub(crate) const MAX_TYPES: usize = 1000;
/// How deeply sprite types may be nested.
pub(crate) const MAX_DEPTH: usize = 100;
/// Effects of a game, repetitions included.
pub(crate) const MAX_EFFECTS: usize = 20_000;
/// Sum over all pairs of interacting types: types that can be the first times types that can be the
/// second.
pub(crate) const MAX_MEETINGS: usize = 1 << 20;
/// Bytes of a game or level file.
pub(crate) const MAX_FILE: usize = 4 << 20;
/// Columns and rows of a level.
pub(crate) const MAX_SIDE: usize = 1000;
/// Sprites that may exist, in a level and in a running game.
pub(crate) const MAX_SPRITES: i32 = 10_000;
/// Contacts of a tick, repetitions included: some 4,000 sprites in one place that all meet each other. More
/// are left out, since a state may not take all memory.
pub(crate) const MAX_CONTACTS: usize = 1 << 23;
/// After this tick a game is over.
pub const MAX_TICKS: i32 = 2000;
/// Pixels of the longer side of the screen when no square size is given.
pub(crate) const WINDOW: i32 = 800;
/// The 2021 framework ends a game when more messages than this were logged.
pub(crate) const MAX_WARNINGS: usize = 25;
