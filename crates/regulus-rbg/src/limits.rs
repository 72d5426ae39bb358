//! The sizes at which a description is refused, so that hostile input costs bounded time and
//! memory. The largest known games have 9000 actions, 1200 vertices and 100 names.

/// Bytes of a file.
pub const MAX_FILE_BYTES: usize = 4 << 20;

/// Bytes of a name or a number, also of one that `~` has made.
pub const MAX_WORD_BYTES: usize = 255;

/// Tokens that come out of macro expansion, and steps taken to get them. This also bounds how deep
/// macro uses are nested.
pub const MAX_EXPANSION_STEPS: usize = 2_000_000;

/// Parameters of a macro.
pub const MAX_PARAMETERS: usize = 255;

/// Brackets inside brackets.
pub const MAX_NESTING: usize = 250;

/// Actions, operators and numbers of the rules after `^`.
pub const MAX_RULE_NODES: usize = 250_000;

/// Vertices looked at by one analysis of the rules on the board ([`crate::flow`],
/// [`crate::indecisive`]). What takes more is not analysed: the checks then say nothing about it, and
/// no split is removed. No known game takes a tenth of it.
pub const MAX_ANALYSIS_WORK: usize = 100_000_000;

/// Memory of the facts of all states, in words of 64 bits; beyond, nothing is analysed.
pub const MAX_FACT_WORDS: usize = 4 << 20;

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
