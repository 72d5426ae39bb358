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
/// Contacts of a tick, repetitions included: some 1,400 sprites in one place that all meet each other. A tick with
/// more ends the game, see [`crate::Breakdown`].
pub(crate) const MAX_CONTACTS: usize = 1 << 21;
/// Steps of a tick: contacts that are found, sorted or acted on, sprites that are looked at. A step takes some
/// nanoseconds, and a tick of a game that anybody plays takes some thousand steps. A tick with more ends the game.
pub(crate) const MAX_STEPS: u64 = 1 << 24;
/// Effects that wait for their time.
pub(crate) const MAX_TIMERS: usize = 10_000;
/// Resources in the hands of all sprites together, amounts of the same one counted once.
pub(crate) const MAX_HELD: usize = 1 << 14;
/// Lines of a TerminationSet: all of them are looked at in every tick.
pub(crate) const MAX_TERMINATIONS: usize = 1000;
/// After this tick a game is over.
pub const MAX_TICKS: i32 = 2000;
/// Pixels of the longer side of the screen when no square size is given.
pub(crate) const WINDOW: i32 = 800;
/// The 2021 framework ends a game when more messages than this were logged; a sprite for which there is no room is
/// one.
pub(crate) const MAX_WARNINGS: usize = 25;
