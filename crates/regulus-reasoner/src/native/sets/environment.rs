//! Environments: board and variables as a walk has made them, in values or in slots of a function
//! (passes P7 and P8).

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable as Slot;
use regulus_rbg::arithmetic::{Arithmetic, Comparison, Interval, Operator};
use regulus_rbg::declarations::{Piece, PieceSet, Variable};

use super::pointer_set::PointerSet;
use super::set::{Bool, Set, Word};
use crate::native::analysis::segments::Transition;
use crate::native::emit::Emitter;

/// Board and variables as a walk has made them so far. Modifiers edit these values, not memory:
/// testing a move stores nothing and undoes nothing.
#[derive(Clone)]
pub(crate) struct Env {
    pub(crate) sets: Vec<Held<Set>>,
    pub(crate) variables: Vec<Held<Value>>,
}

impl Env {
    /// True if no modifier has edited it.
    pub(crate) fn is_as_before(&self) -> bool {
        self.sets.iter().all(|set| matches!(set, Held::Slots(_)))
            && self.variables.iter().all(|variable| matches!(variable, Held::Slots(_)))
    }
}

#[derive(Clone)]
pub(crate) enum Held<T> {
    Now(T),
    /// What these slots of the function hold where it is read.
    Slots(Rc<[Slot]>),
}

/// Slots of a function that hold a whole environment and a pointer.
#[derive(Clone)]
pub(crate) struct Slots {
    pub(crate) sets: Vec<Rc<[Slot]>>,
    pub(crate) variables: Vec<Rc<[Slot]>>,
    pub(crate) pointer: Slot,
}

impl Emitter<'_, '_> {
    pub(crate) fn new_slots(&mut self) -> Slots {
        let layout = self.analysis.layout;
        self.live += layout.len();
        let mut slots =
            |n: usize| -> Rc<[Slot]> { (0..n).map(|_| self.b.declare_var(I64)).collect() };
        Slots {
            sets: (0..layout.pieces).map(|_| slots(layout.words_per_set)).collect(),
            variables: (0..layout.variables).map(|_| slots(1)).collect(),
            pointer: slots(1)[0],
        }
    }

    /// Fills slots from a state in memory.
    pub(crate) fn load_slots(&mut self, slots: &Slots, state: Value) {
        let layout = self.analysis.layout;
        for (p, set) in slots.sets.iter().enumerate() {
            for (w, slot) in set.iter().enumerate() {
                let value = self.load_word(state, layout.set(p, w));
                self.b.def_var(*slot, value);
            }
        }
        for (v, slot) in slots.variables.iter().enumerate() {
            let value = self.load_word(state, layout.variable(v));
            self.b.def_var(slot[0], value);
        }
        let pointer = self.load_word(state, layout.pointer());
        self.b.def_var(slots.pointer, pointer);
    }

    /// Writes an environment and a pointer to memory.
    pub(crate) fn store_state(&mut self, env: &Env, pointer: Value, state: Value) {
        let layout = self.analysis.layout;
        for p in 0..layout.pieces {
            let set = self.set(env, Piece(p as u8));
            for (w, word) in set.0.iter().enumerate() {
                let value = word.value(&mut self.b);
                self.store_word(state, layout.set(p, w), value);
            }
        }
        for v in 0..layout.variables {
            let value = self.variable(env, Variable(v as u16));
            self.store_word(state, layout.variable(v), value);
        }
        self.store_word(state, layout.pointer(), pointer);
    }

    pub(crate) fn env_of(&self, slots: &Slots) -> Env {
        Env {
            sets: slots.sets.iter().map(|s| Held::Slots(s.clone())).collect(),
            variables: slots.variables.iter().map(|s| Held::Slots(s.clone())).collect(),
        }
    }

    /// A walk that begins with what slots hold: where it is, and its environment.
    pub(crate) fn walk_in(&mut self, slots: &Slots) -> (PointerSet, Env) {
        let env = self.env_of(slots);
        let pointer = self.b.use_var(slots.pointer);
        (self.at(pointer), env)
    }

    /// Puts an environment and a pointer into slots. What is in these very slots already stays.
    pub(crate) fn fill_slots(&mut self, slots: &Slots, env: &Env, pointer: Value) {
        // Read everything before writing anything: the environment may live in the same slots.
        let mut writes: Vec<(Slot, Value)> = Vec::new();
        for (p, set) in slots.sets.iter().enumerate() {
            if matches!(&env.sets[p], Held::Slots(s) if Rc::ptr_eq(s, set)) {
                continue;
            }
            let words = self.set(env, Piece(p as u8));
            for (slot, word) in set.iter().zip(words.0) {
                writes.push((*slot, word.value(&mut self.b)));
            }
        }
        for (v, slot) in slots.variables.iter().enumerate() {
            if matches!(&env.variables[v], Held::Slots(s) if Rc::ptr_eq(s, slot)) {
                continue;
            }
            let value = self.variable(env, Variable(v as u16));
            writes.push((slot[0], value));
        }
        writes.push((slots.pointer, pointer));
        for (slot, value) in writes {
            self.b.def_var(slot, value);
        }
    }

    pub(crate) fn set(&mut self, env: &Env, piece: Piece) -> Set {
        match &env.sets[usize::from(piece.0)] {
            Held::Now(set) => set.clone(),
            Held::Slots(slots) => {
                Set(slots.iter().map(|s| Word::Value(self.b.use_var(*s))).collect())
            }
        }
    }

    pub(crate) fn variable(&mut self, env: &Env, variable: Variable) -> Value {
        match &env.variables[usize::from(variable.0)] {
            Held::Now(value) => *value,
            Held::Slots(slots) => self.b.use_var(slots[0]),
        }
    }

    /// The vertices with one of these pieces.
    pub(crate) fn class(&mut self, env: &Env, pieces: PieceSet) -> Set {
        let all = self.analysis.layout.pieces;
        let full = Set::constant(&self.analysis.full);
        if pieces.len() == all {
            return full;
        }
        let unite = |this: &mut Self, wanted: bool| {
            let mut union = Set::empty(this.words());
            for p in (0..all).map(|p| Piece(p as u8)).filter(|p| pieces.contains(*p) == wanted) {
                let set = this.set(env, p);
                union = union.or(&set, &mut this.b);
            }
            union
        };
        if pieces.len() * 2 <= all + 1 {
            unite(self, true)
        } else {
            let rest = unite(self, false);
            full.and_not(&rest, &mut self.b)
        }
    }

    /// The value of an expression, and whether it has one (no division by zero).
    pub(crate) fn number(&mut self, expression: &Arithmetic, env: &Env) -> (Value, Bool) {
        match expression {
            Arithmetic::Constant(c) => (self.constant(*c), Bool::Const(true)),
            Arithmetic::Variable(v) => (self.variable(env, *v), Bool::Const(true)),
            Arithmetic::Count(p) => {
                let set = self.set(env, *p);
                (set.count(&mut self.b), Bool::Const(true))
            }
            Arithmetic::Operation(operator, operands) => {
                let (mut value, mut valid) = self.number(&operands[0], env);
                for operand in &operands[1..] {
                    let (other, ok) = self.number(operand, env);
                    valid = valid.and(ok, &mut self.b);
                    value = match operator {
                        Operator::Add => self.b.ins().iadd(value, other),
                        Operator::Subtract => self.b.ins().isub(value, other),
                        Operator::Multiply => self.b.ins().imul(value, other),
                        Operator::Divide => {
                            let nonzero = self.b.ins().icmp_imm_s(IntCC::NotEqual, other, 0);
                            valid = valid.and(Bool::Value(nonzero), &mut self.b);
                            let one = self.constant(1);
                            let divisor = self.b.ins().select(nonzero, other, one);
                            self.b.ins().sdiv(value, divisor)
                        }
                    };
                }
                (value, valid)
            }
        }
    }

    pub(crate) fn compare(
        &mut self,
        c: Comparison,
        sides: &(Arithmetic, Arithmetic),
        env: &Env,
    ) -> Bool {
        let (left, left_ok) = self.number(&sides.0, env);
        let (right, right_ok) = self.number(&sides.1, env);
        let code = match c {
            Comparison::Equal => IntCC::Equal,
            Comparison::NotEqual => IntCC::NotEqual,
            Comparison::Less => IntCC::SignedLessThan,
            Comparison::LessEqual => IntCC::SignedLessThanOrEqual,
            Comparison::Greater => IntCC::SignedGreaterThan,
            Comparison::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
        };
        let holds = Bool::Value(self.b.ins().icmp(code, left, right));
        let valid = left_ok.and(right_ok, &mut self.b);
        holds.and(valid, &mut self.b)
    }

    /// The value of an assignment and whether it succeeds.
    pub(crate) fn assigned(
        &mut self,
        variable: Variable,
        value: &Arithmetic,
        env: &Env,
    ) -> (Value, Bool) {
        let (number, mut valid) = self.number(value, env);
        let bound = i64::from(self.analysis.game.declarations.bound(variable));
        let d = &self.analysis.game.declarations;
        let interval = Interval::of(value, d, self.analysis.game.board.len());
        if !interval.is_ok_and(|i| i.low >= 0 && i.high <= i128::from(bound)) {
            // One unsigned comparison catches negative values, too.
            let ok = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, number, bound);
            valid = valid.and(Bool::Value(ok), &mut self.b);
        }
        (number, valid)
    }

    /// Puts a piece where the pointer is.
    pub(crate) fn put(&mut self, env: &mut Env, place: &PointerSet, piece: Piece) -> PointerSet {
        for old in place.under.iter().filter(|p| *p != piece) {
            let set = self.set(env, old).and_not(&place.set, &mut self.b);
            env.sets[usize::from(old.0)] = Held::Now(set);
        }
        if place.under.len() != 1 || !place.under.contains(piece) {
            let set = self.set(env, piece).or(&place.set, &mut self.b);
            env.sets[usize::from(piece.0)] = Held::Now(set);
        }
        PointerSet { under: [piece].into_iter().collect(), ..place.clone() }
    }

    /// Applies a modifier at a place of one position; gives whether it succeeds.
    pub(crate) fn modify(
        &mut self,
        env: &mut Env,
        place: &mut PointerSet,
        transition: &Transition,
    ) -> Bool {
        match transition {
            Transition::Off(piece, _) => {
                *place = self.put(env, place, *piece);
                Bool::Const(true)
            }
            Transition::Assign(variable, value, _) => {
                let (value, ok) = self.assigned(*variable, value, env);
                env.variables[usize::from(variable.0)] = Held::Now(value);
                ok
            }
            _ => Bool::Const(true),
        }
    }
}
