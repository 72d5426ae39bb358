//! Counting the moves of a turn: the first choices of all moves as *entries*, each a set of vertices
//! with a weight, the number of ways behind each vertex (passes P4, P9 and P10).
//!
//! Entries that are made once are values of the function; entries made in a loop over vertices are
//! written to memory. Every move belongs to one vertex of one entry and one way behind it.

use std::rc::Rc;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable as Slot;
use regulus_rbg::declarations::PieceSet;

use super::chain::Chains;
use super::continuation::{Amount, Branch, Continuation};
use super::deferred::{Check, Shrinking};
use super::playout::PlayoutEmitter;
use crate::native::Unsupported;
use crate::native::analysis::segments::Transition;
use crate::native::emit::Emitter;
use crate::native::sets::environment::Env;
use crate::native::sets::pointer_set::PointerSet;
use crate::native::sets::set::Set;

/// A modifier on the way to the vertex that is drawn.
#[derive(Clone)]
pub(crate) struct Step {
    pub(crate) way: Branch,
    pub(crate) under: PieceSet,
    pub(crate) at: Position,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Position {
    /// So far behind the vertex that is drawn.
    Behind(i32),
    /// A value in a loop; it is written with the entry.
    Saved(Value),
}

/// What is done where the drawn vertex is.
#[derive(Clone)]
pub(crate) enum Next {
    /// One of these modifiers is taken.
    Take(Vec<Branch>, Amount),
    /// The walk goes on to one of the stops of a segment.
    Walk(Rc<Continuation>, usize),
}

/// A set of vertices to draw from.
pub(crate) struct Entry {
    /// The state before the steps.
    pub(crate) env: Env,
    pub(crate) steps: Vec<Step>,
    pub(crate) set: Set,
    /// The only vertex, if there is one at most.
    pub(crate) at: Option<Value>,
    /// The most vertices there can be.
    pub(crate) most: u64,
    pub(crate) under: PieceSet,
    pub(crate) then: Next,
    pub(crate) weight: Amount,
    /// The parallel walk it is part of: its entries may differ in their distances only.
    pub(crate) origin: usize,
    /// What is asked of a vertex only when it was drawn.
    pub(crate) checks: Vec<Check>,
    pub(crate) shrinking: Option<Shrinking>,
}

/// The entries of a turn.
pub(crate) struct Entries {
    pub(crate) fixed: Vec<Entry>,
    /// Entries that are written in loops, by number.
    pub(crate) sites: Vec<Entry>,
    /// The memory for them.
    pub(crate) memory: Value,
    /// Where the next one is written, and their weight so far.
    pub(crate) top: Slot,
    pub(crate) total: Slot,
    pub(crate) origins: usize,
    /// How many entries the loops can write.
    pub(crate) capacity: usize,
    /// Walks what is not counted.
    pub(crate) chains: Option<Chains>,
}

impl Entries {
    pub(crate) fn new(emitter: &mut Emitter<'_, '_>, memory: Value) -> Entries {
        let (top, total) = (emitter.b.declare_var(I64), emitter.b.declare_var(I64));
        let zero = emitter.constant(0);
        emitter.b.def_var(total, zero);
        emitter.b.def_var(top, memory);
        Entries {
            fixed: Vec::new(),
            sites: Vec::new(),
            memory,
            top,
            total,
            origins: 0,
            capacity: 0,
            chains: None,
        }
    }
}

/// Words of an entry in memory before its set: the weight of all entries up to it, and a word with its
/// number and the vertices of its steps.
pub(crate) const HEADER: usize = 2;

/// Vertices that an entry in memory can have besides the drawn one.
pub(crate) const MAX_SAVED: usize = 3;

impl<'a> Emitter<'a, '_> {
    pub(crate) fn entry_bytes(&self) -> i64 {
        ((HEADER + self.words()) * 8) as i64
    }

    /// Makes a step of a move that is being drawn again, for a vertex that is known now.
    pub(crate) fn redo(
        &mut self,
        player: &PlayoutEmitter,
        step: &Step,
        drawn: Value,
        saved: &[(Value, Value)],
        env: &mut Env,
    ) -> Result<PointerSet, Unsupported> {
        let (mut here, transition) = self.again(step, drawn, saved);
        let at = here.at.expect("steps are made on one vertex");
        self.add_to_hash(player, transition, (at, here.under), env, false)?;
        // Whether it succeeds was asked when it was counted.
        self.modify(env, &mut here, transition);
        Ok(here)
    }

    /// Where a step is made, and what it does, for a vertex that is known now.
    pub(crate) fn again(
        &mut self,
        step: &Step,
        drawn: Value,
        saved: &[(Value, Value)],
    ) -> (PointerSet, &'a Transition) {
        let position = match step.at {
            Position::Behind(0) => drawn,
            Position::Behind(d) => self.b.ins().iadd_imm_s(drawn, -i64::from(d)),
            Position::Saved(value) => {
                saved.iter().find(|(old, _)| *old == value).map_or(value, |(_, new)| *new)
            }
        };
        let mut here = self.at(position);
        here.under = step.under;
        let analysis = self.analysis;
        (here, &analysis.segments[step.way.transition].0)
    }

    pub(crate) fn enter(
        &mut self,
        entries: &mut Entries,
        entry: Entry,
        looped: bool,
    ) -> Result<(), Unsupported> {
        if !looped {
            entries.fixed.push(entry);
            return Ok(());
        }
        let saved = saved_values(&entry.steps);
        if saved.len() > MAX_SAVED {
            return Err(Unsupported("too many vertices to write".to_owned()));
        }
        let mut count = entry.set.count(&mut self.b);
        if entry.weight != Amount::Const(1) {
            let weight = self.amount(entry.weight);
            count = self.b.ins().imul(count, weight);
        }
        let total = self.b.use_var(entries.total);
        let total = self.b.ins().iadd(total, count);
        self.b.def_var(entries.total, total);
        // Written even if there is nothing in it: then the next one takes its place.
        let top = self.b.use_var(entries.top);
        self.store_word(top, 0, total);
        let mut packed = self.constant(entries.sites.len() as i64);
        for (i, value) in saved.iter().enumerate() {
            let shifted = self.b.ins().ishl_imm_s(*value, 16 * (i as i64 + 1));
            packed = self.b.ins().bor(packed, shifted);
        }
        self.store_word(top, 1, packed);
        for (w, word) in entry.set.0.clone().iter().enumerate() {
            let value = word.value(&mut self.b);
            self.store_word(top, HEADER + w, value);
        }
        let bytes = self.entry_bytes();
        let next = self.b.ins().iadd_imm_s(top, bytes);
        let next = self.b.ins().select(count, next, top);
        self.b.def_var(entries.top, next);
        entries.sites.push(entry);
        Ok(())
    }
}

/// The different values that steps in a loop were taken at.
pub(crate) fn saved_values(steps: &[Step]) -> Vec<Value> {
    let mut values = Vec::new();
    for step in steps {
        if let Position::Saved(value) = step.at
            && !values.contains(&value)
        {
            values.push(value);
        }
    }
    values
}
