//! Native code from rules: Cranelift in the process, no compiler or linker on the machine.
//!
//! It is a row of general analyses; comments name them by these numbers: P1
//! vertex numbering, P2 sets of pieces, P3 shift-only relations, P4 sets between modifiers, P5 lines, P6
//! conditions, P7 virtual modifiers, P8 known old pieces, P9 counting, P10 rejection, P11 floods, P12
//! determined keeper, P19 intervals of variables, P20 whole playouts in one function. `show --ir=PASS`
//! prints what they found; `verify.rs` checks them in debug builds.
//!
//! Analyses, before any code is made:
//!
//! | file | does |
//! |---|---|
//! | `bits.rs`, `embedding.rs` | vertex numbering in which a direction is one shift (P1) |
//! | `relation.rs` | shift-only parts as relations computed at compile time (P3) |
//! | `segments.rs` | the rules cut at modifiers: between two of them everything is a set of vertices |
//! | `cycles.rs`, `walk_length.rs` | where walks can go round, and how long they can get: where code has to count |
//! | `analysis.rs` | all of the above for one game, the layout of states, assignments that cannot fail (P19) |
//! | `guard.rs`, `implication.rs`, `stretch.rs`, `single.rs` | which alternatives exclude each other, where the keeper can get stuck, what keeps to one vertex (P12) |
//! | `describe.rs`, `verify.rs` | all of it as text; checks of it |
//!
//! Code for parts without modifiers, shared by everything below (`emit.rs` is the `Emitter` they add to):
//!
//! | file | does |
//! |---|---|
//! | `set.rs` | sets in generated code, constants folded |
//! | `environment.rs`, `place.rs` | board, variables and pointer of a walk as values: modifiers edit values, not memory (P7, P8) |
//! | `forward.rs`, `backward.rs` | parts without modifiers as sets, walked forward or backward (P4, P6) |
//! | `star.rs`, `line.rs`, `lines.rs`, `seek.rs` | loops: lines, floods, floods that end early (P5, P11) |
//! | `condition.rs`, `inner_walk.rs` | large conditions as functions; conditions that contain modifiers |
//! | `exits.rs` | which modifiers can come next, and where |
//!
//! Code of the operations:
//!
//! | file | does |
//! |---|---|
//! | `keeper.rs`, `choice.rs`, `selection.rs`, `bulk.rs` | the keeper as straight code; choice points where alternatives may overlap; loops at once (P11, P12) |
//! | `order.rs`, `confluence.rs` | which of several vertices is the keeper's: the first in the interpreter's order, from tables; any one where nobody can tell |
//! | `interpreted.rs` | moves of the keeper that code leaves to the interpreter, since it does not know their order |
//! | `enumeration.rs`, `grouping.rs`, `levels.rs` | going through moves: listing, counting, finding one by number; moves in groups, for choosing one by its score; semimoves |
//! | `playout.rs` | whole random games in one function (P20) |
//! | `full_move.rs`, `entries.rs`, `collect.rs`, `parallel.rs` | drawing a whole move: first choices counted once, one selected (P4, P9) |
//! | `rest.rs`, `width.rs`, `walk.rs` | what is behind a choice: upper bounds, walking it, rejection (P10) |
//! | `split_move.rs`, `level_graph.rs`, `live.rs` | drawing a move semimove by semimove without replacement; semimoves that may be live (P10) |
//! | `walker.rs` | the same one level at a time, for dead ends that the code cannot leave |
//!
//! Running it (the only `unsafe` of the project):
//!
//! | file | does |
//! |---|---|
//! | `room.rs` | **the room rule**: what each piece of memory handed to code may hold and who proves it; buffers that end at protected pages, stacks of known size |
//! | `compiler.rs` | from emitted functions to memory that runs, when an operation is first used |
//! | `game.rs`, `state.rs`, `worker.rs` | `Native`, its states, and `Engine` for it |
//! | `runner.rs` | running code on a stack that is deep enough |
//! | `listing.rs`, `drawing.rs` | what code calls: every listed move, moves that a playout does not draw itself |
//!
//! The interpreter is the oracle: the tests compare both at every position of random games.

mod analysis;
mod backward;
mod bits;
mod bulk;
mod choice;
mod collect;
mod compiler;
mod condition;
mod confluence;
mod cycles;
mod describe;
mod drawing;
mod embedding;
mod emit;
mod entries;
mod enumeration;
mod environment;
mod exits;
mod forward;
mod full_move;
mod game;
mod grouping;
mod guard;
mod implication;
mod inner_walk;
mod interpreted;
mod keeper;
mod level_graph;
mod levels;
mod line;
mod lines;
mod listing;
mod live;
mod order;
mod parallel;
mod place;
mod playout;
mod pointer;
mod relation;
mod rest;
mod room;
mod runner;
mod seek;
mod segments;
mod selection;
mod set;
mod single;
mod split_move;
mod star;
mod state;
mod stretch;
mod verify;
mod walk;
mod walk_length;
mod walker;
mod width;
mod worker;

pub use describe::Pass;
pub use emit::Unsupported;
pub use game::{Native, Operation};
pub(crate) use playout::Mode;
pub use state::NativeState;
pub use worker::{NativeUndo, NativeWorker};
