//! The sizes at which a description is refused, so that hostile input costs bounded time and
//! memory. The largest known games stay below a hundredth of each.

/// Bytes of a file.
pub const MAX_FILE_BYTES: usize = 4 << 20;

/// Tokens that come out of macro expansion, and steps taken to get them.
pub const MAX_EXPANSION_STEPS: usize = 2_000_000;

/// Macro uses inside macro uses.
pub const MAX_EXPANSION_DEPTH: usize = 200;

/// Brackets inside brackets.
pub const MAX_NESTING: usize = 250;

/// Actions and operators of the rules after `^`.
pub const MAX_RULE_NODES: usize = 1_000_000;

/// Vertices of a board. Vertices are numbered from 1 in 16 bits; 0 means "off the board".
pub const MAX_VERTICES: usize = 65_535;

/// Pieces, so that a set of pieces has a fixed size.
pub const MAX_PIECES: usize = 255;

/// Edge labels.
pub const MAX_LABELS: usize = 255;

/// Players.
pub const MAX_PLAYERS: usize = 64;

/// Variables, players' scores included.
pub const MAX_VARIABLES: usize = 1024;

/// Numbers in a description are below this.
pub const NUMBER_LIMIT: u64 = u32::MAX as u64;
