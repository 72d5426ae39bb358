//! Native code from rules: Cranelift in the process, no compiler or linker on the machine.
//!
//! It is a row of general analyses; comments name them by these numbers: P1
//! vertex numbering, P2 sets of pieces, P3 shift-only relations, P4 sets between modifiers, P5 lines, P6
//! conditions, P7 virtual modifiers, P8 known old pieces, P9 counting, P10 rejection, P11 floods, P12
//! determined keeper, P19 intervals of variables, P20 whole playouts in one function. `show --ir=PASS`
//! prints what they found; `analysis/verify.rs` checks them in debug builds.
//!
//! Analyses, before any code is made:
//!
//! | file | does |
//! |---|---|
//! | `analysis/bits.rs`, `analysis/embedding.rs` | vertex numbering in which a direction is one shift (P1) |
//! | `analysis/relation.rs` | shift-only parts as relations computed at compile time (P3) |
//! | `analysis/denest.rs` | loops that may go round without a modifier, rewritten |
//! | `analysis/segments.rs` | the rules cut at modifiers: between two of them everything is a set of vertices |
//! | `analysis/cycles.rs`, `analysis/walk_length.rs` | where walks can go round, and how long they can get: where code has to count |
//! | `analysis/mod.rs` | all of the above for one game, the layout of states, assignments that cannot fail (P19) |
//! | `analysis/guard.rs`, `analysis/implication.rs`, `keeper/stretch.rs`, `analysis/single.rs` | which alternatives exclude each other, where the keeper can get stuck, what keeps to one vertex (P12) |
//! | `analysis/describe.rs`, `analysis/verify.rs` | all of it as text; checks of it |
//! | `remarks.rs` | what has no code of its own, and where in the rules |
//!
//! Code for parts without modifiers, shared by everything below (`emit.rs` is the `Emitter` they add to):
//!
//! | file | does |
//! |---|---|
//! | `sets/set.rs` | sets in generated code, constants folded |
//! | `sets/environment.rs`, `sets/pointer_set.rs` | board, variables and pointer of a walk as values: modifiers edit values, not memory (P7, P8) |
//! | `sets/forward.rs`, `sets/backward.rs` | parts without modifiers as sets, walked forward or backward (P4, P6) |
//! | `sets/star.rs`, `sets/line.rs`, `sets/lines.rs`, `sets/seek.rs` | loops: lines, floods, floods that end early (P5, P11) |
//! | `sets/condition.rs`, `sets/inner_walk.rs` | large conditions as functions; conditions that contain modifiers |
//! | `sets/exits.rs` | which modifiers can come next, and where |
//!
//! Code of the operations:
//!
//! | file | does |
//! |---|---|
//! | `keeper/mod.rs`, `keeper/choice.rs`, `keeper/selection.rs`, `keeper/bulk.rs` | the keeper as straight code; choice points where alternatives may overlap; loops at once (P11, P12) |
//! | `keeper/vertex.rs`, `keeper/order.rs`, `keeper/confluence.rs` | which of several vertices is the keeper's: the first in the interpreter's order, from tables; any one where nobody can tell |
//! | `keeper/interpreted.rs` | moves of the keeper that code leaves to the interpreter, since it does not know their order |
//! | `enumerate/enumeration.rs`, `enumerate/grouping.rs`, `draw/levels.rs` | going through moves: listing, counting, finding one by number; moves in groups, for choosing one by its score; semimoves |
//! | `draw/playout.rs` | whole random games in one function (P20) |
//! | `draw/full_move.rs`, `draw/entries.rs`, `draw/collect.rs`, `sets/parallel.rs` | drawing a whole move: first choices counted once, one selected (P4, P9) |
//! | `draw/deferred.rs`, `draw/possible.rs` | conditions with modifiers asked of the vertex that was drawn; what a move will ask of variables asked before it is drawn |
//! | `draw/continuation.rs`, `analysis/width.rs`, `draw/walk.rs` | what is behind a choice: upper bounds, walking it, rejection (P10) |
//! | `draw/split_move.rs`, `draw/level_graph.rs`, `draw/live.rs` | drawing a move semimove by semimove without replacement; semimoves that may be live (P10) |
//! | `draw/walker.rs` | the same one level at a time, for dead ends that the code cannot leave |
//!
//! Running it (the only `unsafe` of the project):
//!
//! | file | does |
//! |---|---|
//! | `runtime/room.rs` | **the room rule**: what each piece of memory handed to code may hold and who proves it; buffers that end at protected pages, stacks of known size |
//! | `compiler.rs` | the functions of an operation, emitted when it is first used |
//! | `code.rs` | memory that runs, made quickly first and well once it is used often |
//! | `game.rs`, `runtime/state.rs`, `runtime/worker.rs` | `Native`, its states, and `Engine` for it |
//! | `runtime/runner.rs` | running code on a stack that is deep enough |
//! | `enumerate/listing.rs`, `draw/drawing.rs` | what code calls: every listed move, moves that a playout does not draw itself |
//!
//! The interpreter is the oracle: the tests compare both at every position of random games.

mod analysis;
mod code;
mod compiler;
mod draw;
mod emit;
mod enumerate;
mod game;
mod keeper;
mod remarks;
mod runtime;
mod sets;

pub(crate) use draw::playout::Mode;
pub use game::{CompiledGame, Native};
pub use remarks::remarks;
pub use runtime::state::NativeState;
pub use runtime::worker::{NativeUndo, NativeWorker};

pub use crate::operation::{Operation, Pass, Remark, Unsupported};
