//! Generating code: the environment of a walk, and evaluation of parts without modifiers as sets
//! (study, passes P2-P8).

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, InstBuilder, MemFlagsData, Signature, Value,
};
use cranelift_frontend::{FunctionBuilder, Variable as Slot};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module};
use regulus_rbg::arithmetic::{Arithmetic, Comparison, Interval, Operator};
use regulus_rbg::declarations::{Piece, PieceSet, Variable};
use regulus_rbg::rule::{Rule, RuleKind};

use rustc_hash::FxHashMap;

use super::analysis::Analysis;
use super::bits::Bits;
use super::relation::{Group, Relation, is_static};
use super::segments::Arc;
use super::set::{Bool, Set, Word};

/// Why no code can be made for a game (yet); it is interpreted instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

/// Board and variables as a walk has made them so far. Modifiers edit these values, not memory:
/// testing a move stores nothing and undoes nothing.
#[derive(Clone)]
pub(crate) struct Env {
    sets: Vec<Held<Set>>,
    variables: Vec<Held<Value>>,
}

#[derive(Clone)]
enum Held<T> {
    Now(T),
    /// What these slots of the function hold where it is read.
    Slots(Rc<[Slot]>),
}

/// Where the pointer of a walk can be.
#[derive(Clone)]
pub(crate) struct Where {
    pub(crate) set: Set,
    /// The position, if there is at most one.
    pub(crate) at: Option<Value>,
    /// What can stand there.
    pub(crate) under: PieceSet,
    /// True if the set is surely not empty.
    pub(crate) certain: bool,
    /// True if the set may have bits that are no vertices.
    dirty: bool,
}

/// Slots of a function that hold a whole environment and a pointer.
#[derive(Clone)]
pub(crate) struct Slots {
    sets: Vec<Rc<[Slot]>>,
    variables: Vec<Rc<[Slot]>>,
    pub(crate) pointer: Slot,
}

/// Conditions that are worth a function of their own, because they are large and asked in many
/// places.
#[derive(Default)]
pub(crate) struct ConditionFunctions {
    functions: FxHashMap<*const Rule, FuncId>,
    /// Those whose code is still to be made.
    pub(crate) pending: Vec<(*const Rule, FuncId)>,
}

pub(crate) struct Emitter<'a, 'f> {
    pub(crate) b: FunctionBuilder<'f>,
    pub(crate) analysis: &'a Analysis,
    pub(crate) module: &'a mut JITModule,
    pub(crate) conditions: &'a mut ConditionFunctions,
    /// The condition whose function this is: its body is not called but made.
    pub(crate) own_condition: Option<*const Rule>,
    /// Tables that the code reads; they live as long as the code.
    pub(crate) tables: &'a mut Vec<Box<[u64]>>,
}

/// Instructions of one function.
const MAX_INSTRUCTIONS: usize = 40_000;

/// Instructions from which on a test is worth a branch around it.
const WORTH_A_BRANCH: usize = 60;

/// Actions and operators from which on a condition gets a function of its own.
const LARGE_CONDITION: usize = 30;

fn size_of(rule: &Rule) -> usize {
    if is_static(rule) { 1 } else { rule.size() }
}

/// A function of so many words that returns one.
pub(crate) fn words_signature(module: &JITModule, parameters: usize) -> Signature {
    let mut signature = module.make_signature();
    signature.params.extend((0..parameters).map(|_| AbiParam::new(I64)));
    signature.returns.push(AbiParam::new(I64));
    signature
}

/// The parts of a state that a condition reads.
struct Needs {
    pieces: Vec<Piece>,
    variables: Vec<Variable>,
}

impl Needs {
    fn of(body: &Rule, analysis: &Analysis) -> Needs {
        let all = analysis.layout.pieces;
        let mut pieces = PieceSet::EMPTY;
        let mut variables = std::collections::BTreeSet::new();
        body.visit(&mut |rule| match &rule.kind {
            RuleKind::On(set) if set.len() < all => {
                // The same choice as in `class`: the pieces themselves, or all the others.
                let wanted = set.len() * 2 <= all + 1;
                for p in (0..all).map(|p| Piece(p as u8)).filter(|p| set.contains(*p) == wanted) {
                    pieces.insert(p);
                }
            }
            RuleKind::Comparison(_, sides) => {
                for side in [&sides.0, &sides.1] {
                    side.visit(&mut |part| match part {
                        Arithmetic::Variable(v) => {
                            variables.insert(*v);
                        }
                        Arithmetic::Count(p) => pieces.insert(*p),
                        _ => {}
                    });
                }
            }
            _ => {}
        });
        Needs { pieces: pieces.iter().collect(), variables: variables.into_iter().collect() }
    }
}

impl Emitter<'_, '_> {
    pub(crate) fn words(&self) -> usize {
        self.analysis.words()
    }

    /// Refuses to go on when a function gets too large: it would take longer to compile than to
    /// interpret the game.
    pub(crate) fn check_size(&self) -> Result<(), Unsupported> {
        if self.b.func.dfg.num_insts() > MAX_INSTRUCTIONS {
            return Err(Unsupported("the code would be too large".to_owned()));
        }
        Ok(())
    }

    pub(crate) fn constant(&mut self, value: i64) -> Value {
        self.b.ins().iconst(I64, value)
    }

    pub(crate) fn load_word(&mut self, state: Value, word: usize) -> Value {
        self.b.ins().load(I64, MemFlagsData::trusted(), state, (word * 8) as i32)
    }

    pub(crate) fn store_word(&mut self, state: Value, word: usize, value: Value) {
        self.b.ins().store(MemFlagsData::trusted(), value, state, (word * 8) as i32);
    }

    // --- environments -----------------------------------------------------------------------------

    pub(crate) fn new_slots(&mut self) -> Slots {
        let layout = self.analysis.layout;
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
    fn class(&mut self, env: &Env, pieces: PieceSet) -> Set {
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

    // --- places -----------------------------------------------------------------------------------

    fn everything(&self) -> PieceSet {
        self.analysis.game.declarations.all_pieces()
    }

    pub(crate) fn nowhere(&self) -> Where {
        Where {
            set: Set::empty(self.words()),
            at: None,
            under: PieceSet::EMPTY,
            certain: false,
            dirty: false,
        }
    }

    /// The set of one position.
    pub(crate) fn one(&mut self, position: Value) -> Set {
        let one = self.b.ins().iconst(I64, 1);
        let bit = self.b.ins().ishl(one, position);
        if self.words() == 1 {
            return Set(vec![Word::Value(bit)]);
        }
        let word = self.b.ins().ushr_imm_s(position, 6);
        let zero = self.b.ins().iconst(I64, 0);
        let words = (0..self.words()).map(|w| {
            let here = self.b.ins().icmp_imm_s(IntCC::Equal, word, w as i64);
            Word::Value(self.b.ins().select(here, bit, zero))
        });
        Set(words.collect())
    }

    /// A walk at one position.
    pub(crate) fn at(&mut self, position: Value) -> Where {
        let set = self.one(position);
        let under = self.everything();
        Where { set, at: Some(position), under, certain: true, dirty: false }
    }

    /// A walk at any position of a set.
    pub(crate) fn many(&mut self, set: Set) -> Where {
        let under = self.everything();
        Where { set, at: None, under, certain: true, dirty: false }
    }

    /// Only vertices, no bits of holes.
    pub(crate) fn clean(&mut self, place: &Where) -> Set {
        if place.dirty {
            place.set.and(&Set::constant(&self.analysis.full), &mut self.b)
        } else {
            place.set.clone()
        }
    }

    pub(crate) fn nonempty(&mut self, place: &Where) -> Bool {
        if place.certain {
            return Bool::Const(true);
        }
        let set = self.clean(place);
        set.is_nonempty(&mut self.b)
    }

    fn table(&mut self, words: Vec<u64>) -> Value {
        let table: Box<[u64]> = words.into();
        let address = table.as_ptr() as i64;
        self.tables.push(table);
        self.constant(address)
    }

    /// Follows a relation.
    fn follow(&mut self, relation: &Relation, place: &Where) -> Where {
        let under = self.everything();
        if place.set.is_empty_constant() {
            return self.nowhere();
        }
        if let Some(constant) = &relation.constant {
            if constant.is_empty() {
                return self.nowhere();
            }
            let reached = self.nonempty(place);
            let set = Set::constant(constant).when(reached, &mut self.b);
            let certain = reached == Bool::Const(true);
            let only = constant.iter().next().filter(|_| constant.len() == 1);
            let at = only.map(|p| self.constant(p as i64));
            return Where { set, at, under, certain, dirty: false };
        }
        if let [group] = relation.groups.as_slice() {
            return self.follow_group(group, place);
        }
        match place.at {
            Some(at) => {
                let words = self.words();
                let rows = relation.rows.iter().flat_map(|r| r.words().to_vec()).collect();
                let table = self.table(rows);
                let offset = self.b.ins().imul_imm_s(at, (words * 8) as i64);
                let row = self.b.ins().iadd(table, offset);
                // An impossible place may have any position; read the first row instead.
                let reached = self.nonempty(place);
                let row = match reached {
                    Bool::Const(_) => row,
                    Bool::Value(c) => self.b.ins().select(c, row, table),
                };
                let set = Set((0..words).map(|w| Word::Value(self.load_word(row, w))).collect());
                let set = set.when(reached, &mut self.b);
                let at = (relation.widest <= 1).then(|| self.target_of(relation, at));
                Where { set, at, under, certain: false, dirty: false }
            }
            None => {
                let mut union = Set::empty(self.words());
                let mut any_dirty = false;
                for group in &relation.groups {
                    let (set, dirty) = self.moved(place, group);
                    any_dirty |= dirty;
                    union = union.or(&set, &mut self.b);
                }
                Where { set: union, at: None, under, certain: false, dirty: any_dirty }
            }
        }
    }

    /// Moves by the distance of a group.
    pub(crate) fn follow_group(&mut self, group: &Group, place: &Where) -> Where {
        let (set, dirty) = self.moved(place, group);
        let at = place.at.map(|at| self.b.ins().iadd_imm_s(at, i64::from(group.delta)));
        Where { set, at, under: self.everything(), certain: false, dirty }
    }

    /// The one position that a relation leads to, from a table.
    fn target_of(&mut self, relation: &Relation, at: Value) -> Value {
        let targets: Vec<u64> =
            relation.rows.iter().map(|r| r.iter().next().unwrap_or(0) as u64).collect();
        let last = self.constant(targets.len() as i64 - 1);
        let table = self.table(targets);
        let safe = self.b.ins().umin(at, last);
        let offset = self.b.ins().ishl_imm_s(safe, 3);
        let address = self.b.ins().iadd(table, offset);
        self.load_word(address, 0)
    }

    /// Moves a set by the distance of a group; says whether bits of holes may be in the result.
    fn moved(&mut self, place: &Where, group: &Group) -> (Set, bool) {
        let set = self.clean(place);
        let shifted = set.shift(group.delta, &mut self.b);
        if group.is_plain_shift {
            (shifted, true)
        } else {
            (shifted.and(&Set::constant(&group.targets), &mut self.b), false)
        }
    }

    // --- numbers ----------------------------------------------------------------------------------

    /// The value of an expression, and whether it has one (no division by zero).
    fn number(&mut self, expression: &Arithmetic, env: &Env) -> (Value, Bool) {
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

    fn compare(&mut self, c: Comparison, sides: &(Arithmetic, Arithmetic), env: &Env) -> Bool {
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
    fn assigned(&mut self, variable: Variable, value: &Arithmetic, env: &Env) -> (Value, Bool) {
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

    // --- modifiers --------------------------------------------------------------------------------

    /// Puts a piece where the pointer is.
    pub(crate) fn put(&mut self, env: &mut Env, place: &Where, piece: Piece) -> Where {
        for old in place.under.iter().filter(|p| *p != piece) {
            let set = self.set(env, old).and_not(&place.set, &mut self.b);
            env.sets[usize::from(old.0)] = Held::Now(set);
        }
        if place.under.len() != 1 || !place.under.contains(piece) {
            let set = self.set(env, piece).or(&place.set, &mut self.b);
            env.sets[usize::from(piece.0)] = Held::Now(set);
        }
        Where { under: [piece].into_iter().collect(), ..place.clone() }
    }

    /// Applies a modifier at a place of one position; gives whether it succeeds.
    pub(crate) fn modify(&mut self, env: &mut Env, place: &mut Where, arc: &Arc) -> Bool {
        match arc {
            Arc::Off(piece, _) => {
                *place = self.put(env, place, *piece);
                Bool::Const(true)
            }
            Arc::Assign(variable, value, _) => {
                let (value, ok) = self.assigned(*variable, value, env);
                env.variables[usize::from(variable.0)] = Held::Now(value);
                ok
            }
            _ => Bool::Const(true),
        }
    }

    // --- parts without modifiers ------------------------------------------------------------------

    /// Walks forward through rules without modifiers.
    pub(crate) fn forward(&mut self, rules: &[Rule], from: &Where, env: &Env) -> Where {
        let mut place = from.clone();
        let mut i = 0;
        while i < rules.len() {
            if place.set.is_empty_constant() {
                return self.nowhere();
            }
            if !place.certain && self.cost(&rules[i..]) > WORTH_A_BRANCH {
                return self.forward_if_anywhere(&rules[i..], &place, env);
            }
            let run = rules[i..].iter().take_while(|r| is_static(r)).count();
            if run > 0 {
                let relation = self.analysis.relation(&rules[i..i + run]);
                place = self.follow(&relation, &place);
                i += run;
            } else {
                place = self.forward_one(&rules[i], &place, env);
                i += 1;
            }
        }
        place
    }

    /// The same, skipped if there is no place to begin at: what follows is expensive.
    fn forward_if_anywhere(&mut self, rules: &[Rule], from: &Where, env: &Env) -> Where {
        let words = self.words();
        let (inside, after) = (self.b.create_block(), self.b.create_block());
        let results: Vec<Value> =
            (0..words).map(|_| self.b.append_block_param(after, I64)).collect();
        let zero = self.constant(0);
        let nothing: Vec<BlockArg> = (0..words).map(|_| zero.into()).collect();
        let position = self.b.declare_var(I64);
        self.b.def_var(position, zero);
        let some = self.nonempty(from).value(&mut self.b);
        self.b.ins().brif(some, inside, &[], after, &nothing);
        self.b.switch_to_block(inside);
        let set = self.clean(from);
        let from = Where { set, certain: true, dirty: false, ..from.clone() };
        let place = self.forward(rules, &from, env);
        let set = self.clean(&place);
        let found: Vec<BlockArg> =
            set.0.iter().map(|w| BlockArg::from(w.value(&mut self.b))).collect();
        if let Some(at) = place.at {
            self.b.def_var(position, at);
        }
        self.b.ins().jump(after, &found);
        self.b.switch_to_block(after);
        // Where nothing moved, it is still the same position.
        let at = place.at.map(|at| match from.at == Some(at) {
            true => at,
            false => self.b.use_var(position),
        });
        let set = Set(results.into_iter().map(Word::Value).collect());
        Where { set, at, under: place.under, certain: false, dirty: false }
    }

    /// Roughly how many instructions rules take.
    fn cost(&self, rules: &[Rule]) -> usize {
        rules.iter().map(|rule| self.cost_of(rule)).sum::<usize>() * self.words()
    }

    fn cost_of(&self, rule: &Rule) -> usize {
        if is_static(rule) {
            return 2;
        }
        match &rule.kind {
            RuleKind::On(pieces) => pieces.len().min(4),
            RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => {
                parts.iter().map(|p| self.cost_of(p)).sum()
            }
            RuleKind::Star(body) => 8 * self.cost_of(body),
            RuleKind::Condition { body, .. } => 1 + self.cost_of(body),
            _ => 3,
        }
    }

    fn forward_one(&mut self, rule: &Rule, place: &Where, env: &Env) -> Where {
        match &rule.kind {
            RuleKind::On(pieces) => {
                let under = place.under.intersection(*pieces);
                if under.is_empty() {
                    return self.nowhere();
                }
                if under == place.under && !place.dirty {
                    return place.clone();
                }
                let class = self.class(env, *pieces);
                let set = place.set.and(&class, &mut self.b);
                Where { set, under, certain: false, dirty: false, ..place.clone() }
            }
            RuleKind::Concatenation(parts) => self.forward(parts, place, env),
            RuleKind::Sum(alternatives) => {
                let mut union: Option<Where> = None;
                for alternative in alternatives {
                    let one = self.forward(std::slice::from_ref(alternative), place, env);
                    union = Some(match union {
                        None => one,
                        Some(all) => self.union(&all, &one),
                    });
                }
                union.unwrap_or_else(|| self.nowhere())
            }
            RuleKind::Star(body) => self.forward_star(body, place, env),
            RuleKind::Comparison(comparison, sides) => {
                let holds = self.compare(*comparison, sides, env);
                let set = place.set.when(holds, &mut self.b);
                let certain = place.certain && holds == Bool::Const(true);
                Where { set, certain, ..place.clone() }
            }
            RuleKind::Condition { negated, body } => {
                let body = std::slice::from_ref(&**body);
                let set = if let Some(at) = place.at {
                    let mut holds = if size_of(&body[0]) > LARGE_CONDITION
                        && self.own_condition != Some(body.as_ptr())
                    {
                        self.call_condition(&body[0], at, env)
                    } else {
                        let reached = self.forward(body, place, env);
                        self.nonempty(&reached)
                    };
                    if *negated {
                        holds = holds.not(&mut self.b);
                    }
                    place.set.when(holds, &mut self.b)
                } else {
                    let full = Set::constant(&self.analysis.full);
                    let holds = self.backward(body, &full, env);
                    let set = self.clean(place);
                    if *negated {
                        set.and_not(&holds, &mut self.b)
                    } else {
                        set.and(&holds, &mut self.b)
                    }
                };
                Where {
                    set,
                    certain: false,
                    dirty: place.dirty && place.at.is_some(),
                    ..place.clone()
                }
            }
            _ => place.clone(),
        }
    }

    /// Asks a condition by calling its function. Where the pointer cannot be, the answer has no meaning,
    /// which does no harm: the place is empty anyway.
    fn call_condition(&mut self, body: &Rule, at: Value, env: &Env) -> Bool {
        let key = std::ptr::from_ref(body);
        let needs = Needs::of(body, self.analysis);
        let mut arguments = Vec::new();
        // A position off the board would be out of the tables.
        let last = self.constant(self.analysis.embedding.len() as i64 - 1);
        arguments.push(self.b.ins().umin(at, last));
        for piece in &needs.pieces {
            let set = self.set(env, *piece);
            arguments.extend(set.0.iter().map(|w| w.value(&mut self.b)));
        }
        for variable in &needs.variables {
            arguments.push(self.variable(env, *variable));
        }
        let id = match self.conditions.functions.get(&key) {
            Some(id) => *id,
            None => {
                let name = format!("condition_{}", self.conditions.functions.len());
                let signature = words_signature(self.module, arguments.len());
                let id = self
                    .module
                    .declare_function(&name, Linkage::Local, &signature)
                    .expect("names of conditions are unique");
                self.conditions.functions.insert(key, id);
                self.conditions.pending.push((key, id));
                id
            }
        };
        let function = self.module.declare_func_in_func(id, self.b.func);
        let call = self.b.ins().call(function, &arguments);
        let result = self.b.inst_results(call)[0];
        Bool::Value(self.b.ins().icmp_imm_s(IntCC::NotEqual, result, 0))
    }

    /// The body of a condition's function.
    pub(crate) fn condition_function(&mut self, body: &Rule, values: &[Value]) {
        let needs = Needs::of(body, self.analysis);
        let mut env = Env {
            sets: vec![Held::Now(Set::empty(self.words())); self.analysis.layout.pieces],
            variables: vec![Held::Now(values[0]); self.analysis.layout.variables],
        };
        let mut next = values[1..].iter().copied();
        for piece in &needs.pieces {
            let words = next.by_ref().take(self.words()).map(Word::Value).collect();
            env.sets[usize::from(piece.0)] = Held::Now(Set(words));
        }
        for (variable, value) in needs.variables.iter().zip(next) {
            env.variables[usize::from(variable.0)] = Held::Now(value);
        }
        let here = self.at(values[0]);
        let reached = self.forward(std::slice::from_ref(body), &here, &env);
        let holds = self.nonempty(&reached).value(&mut self.b);
        let result = self.b.ins().uextend(I64, holds);
        self.b.ins().return_(&[result]);
    }

    pub(crate) fn union(&mut self, a: &Where, b: &Where) -> Where {
        if a.set.is_empty_constant() {
            return b.clone();
        }
        if b.set.is_empty_constant() {
            return a.clone();
        }
        Where {
            set: a.set.or(&b.set, &mut self.b),
            at: a.at.filter(|at| b.at == Some(*at)),
            under: a.under.union(b.under),
            certain: a.certain || b.certain,
            dirty: a.dirty || b.dirty,
        }
    }

    fn forward_star(&mut self, body: &Rule, place: &Where, env: &Env) -> Where {
        let parts = match &body.kind {
            RuleKind::Concatenation(parts) => parts.as_slice(),
            _ => std::slice::from_ref(body),
        };
        let under = self.everything();
        let start = self.clean(place);
        if let Some(at) = place.at
            && let Some(set) = self.ray(parts, at, &start, env)
        {
            return Where { set, at: None, under, certain: place.certain, dirty: false };
        }
        if let Some(steps) = self.chain_length(parts) {
            let (mut all, mut front) = (start.clone(), start);
            for _ in 0..steps {
                let place = Where { set: front, at: None, under, certain: false, dirty: false };
                let next = self.forward(parts, &place, env);
                front = self.clean(&next);
                all = all.or(&front, &mut self.b);
            }
            return Where { set: all, at: None, under, certain: place.certain, dirty: false };
        }
        let set = self.closure(start, |this, front| {
            let place = Where { set: front, at: None, under, certain: false, dirty: false };
            let next = this.forward(parts, &place, env);
            this.clean(&next)
        });
        Where { set, at: None, under, certain: place.certain, dirty: false }
    }

    /// A loop along a line from one vertex: everything up to the first vertex that stops it, found in
    /// a table (study, pass P5). The body is `f {S}` or `{S} f`.
    fn ray(&mut self, parts: &[Rule], at: Value, start: &Set, env: &Env) -> Option<Set> {
        let (line, pieces, test_first) = match parts {
            [.., last] if parts[..parts.len() - 1].iter().all(is_static) => match &last.kind {
                RuleKind::On(pieces) => (&parts[..parts.len() - 1], *pieces, false),
                _ => return None,
            },
            [first, rest @ ..] if rest.iter().all(is_static) => match &first.kind {
                RuleKind::On(pieces) => (rest, *pieces, true),
                _ => return None,
            },
            _ => return None,
        };
        if line.is_empty() {
            return None;
        }
        let relation = self.analysis.relation(line);
        let [group] = relation.groups.as_slice() else { return None };
        relation.longest_chain?;
        let forward = group.delta > 0;
        let rays = relation.rays(self.words());
        let words = self.words();
        let row = |this: &mut Self, table: Value, index: Value| {
            let offset = this.b.ins().imul_imm_s(index, (words * 8) as i64);
            let address = this.b.ins().iadd(table, offset);
            Set((0..words).map(|w| Word::Value(this.load_word(address, w))).collect())
        };
        let table = self.table(rays.iter().flat_map(|r| r.words().to_vec()).collect());
        // Where the pointer cannot be, any row will do: the result is masked.
        let length = self.constant(rays.len() as i64 - 1);
        let safe = self.b.ins().umin(at, length);
        let ray = row(self, table, safe);
        let class = self.class(env, pieces);
        let stops = ray.and_not(&class, &mut self.b);
        // What lies behind the stop (and the stop itself, if it must be tested to be entered). One more
        // row than there are positions: "no stop" takes nothing away.
        let mut beyond: Vec<Bits> = rays.clone();
        if !test_first {
            beyond.iter_mut().enumerate().for_each(|(i, bits)| bits.insert(i));
        }
        let none = Bits::empty(words);
        beyond.resize(words * 64, none.clone());
        if forward {
            beyond.push(none);
        } else {
            beyond.insert(0, none);
        }
        let table = self.table(beyond.iter().flat_map(|r| r.words().to_vec()).collect());
        let first =
            if forward { self.lowest_or_end(&stops) } else { self.highest_plus_one(&stops) };
        let behind = row(self, table, first);
        let mut reached = ray.and_not(&behind, &mut self.b);
        let can_start = if test_first { start.and(&class, &mut self.b) } else { start.clone() };
        let some = can_start.is_nonempty(&mut self.b);
        reached = reached.when(some, &mut self.b);
        Some(reached.or(start, &mut self.b))
    }

    /// The lowest position of a set, or the number of all positions if it is empty.
    fn lowest_or_end(&mut self, set: &Set) -> Value {
        let words: Vec<Value> = set.0.iter().map(|w| w.value(&mut self.b)).collect();
        let mut at = self.constant(words.len() as i64 * 64);
        for (i, word) in words.iter().enumerate().rev() {
            let low = self.b.ins().ctz(*word);
            let here = self.b.ins().iadd_imm_s(low, i as i64 * 64);
            if i + 1 == words.len() {
                // Counting zeros of an empty word gives 64, which is what is wanted in the last one.
                at = here;
            } else {
                let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, *word, 0);
                at = self.b.ins().select(some, here, at);
            }
        }
        at
    }

    /// One more than the highest position of a set; 0 if it is empty.
    fn highest_plus_one(&mut self, set: &Set) -> Value {
        let words: Vec<Value> = set.0.iter().map(|w| w.value(&mut self.b)).collect();
        let mut at = self.constant(0);
        for (i, word) in words.iter().enumerate() {
            let zeros = self.b.ins().clz(*word);
            let end = self.constant((i as i64 + 1) * 64);
            let here = self.b.ins().isub(end, zeros);
            if i == 0 {
                at = here;
            } else {
                let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, *word, 0);
                at = self.b.ins().select(some, here, at);
            }
        }
        at
    }

    /// How often a loop body can be repeated at most, if it moves along one-way lines only and tests
    /// what it meets: short lines are better unrolled.
    fn chain_length(&self, parts: &[Rule]) -> Option<usize> {
        let mut statics: Vec<&[Rule]> = Vec::new();
        for run in parts.chunk_by(|a, b| is_static(a) == is_static(b)) {
            if is_static(&run[0]) {
                statics.push(run);
            } else if !run.iter().all(|r| matches!(r.kind, RuleKind::On(_))) {
                return None;
            }
        }
        match statics.as_slice() {
            [run] => {
                let relation = self.analysis.relation(run);
                let single = relation.groups.len() == 1;
                relation.longest_chain.filter(|n| single && *n <= 20)
            }
            _ => None,
        }
    }

    /// The smallest set that contains `start` and what `step` gives for its parts.
    fn closure(&mut self, start: Set, mut step: impl FnMut(&mut Self, Set) -> Set) -> Set {
        let words = self.words();
        let all: Vec<Slot> = (0..words).map(|_| self.b.declare_var(I64)).collect();
        let front: Vec<Slot> = (0..words).map(|_| self.b.declare_var(I64)).collect();
        for (i, word) in start.0.iter().enumerate() {
            let value = word.value(&mut self.b);
            self.b.def_var(all[i], value);
            self.b.def_var(front[i], value);
        }
        let (head, done) = (self.b.create_block(), self.b.create_block());
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        let current = Set(front.iter().map(|s| Word::Value(self.b.use_var(*s))).collect());
        let next = step(self, current);
        let known = Set(all.iter().map(|s| Word::Value(self.b.use_var(*s))).collect());
        let new = next.and_not(&known, &mut self.b);
        let grown = known.or(&new, &mut self.b);
        for i in 0..words {
            let (g, n) = (grown.0[i].value(&mut self.b), new.0[i].value(&mut self.b));
            self.b.def_var(all[i], g);
            self.b.def_var(front[i], n);
        }
        let more = new.is_nonempty(&mut self.b).value(&mut self.b);
        self.b.ins().brif(more, head, &[], done, &[]);
        self.b.switch_to_block(done);
        Set(all.iter().map(|s| Word::Value(self.b.use_var(*s))).collect())
    }

    /// The vertices from which rules without modifiers lead into `to`.
    fn backward(&mut self, rules: &[Rule], to: &Set, env: &Env) -> Set {
        let mut set = to.clone();
        let mut end = rules.len();
        while end > 0 {
            let run = rules[..end].iter().rev().take_while(|r| is_static(r)).count();
            if run > 0 {
                let relation = self.analysis.relation(&rules[end - run..end]);
                set = self.lead_to(&relation, &set);
                end -= run;
            } else {
                set = self.backward_one(&rules[end - 1], &set, env);
                end -= 1;
            }
        }
        set
    }

    fn lead_to(&mut self, relation: &Relation, to: &Set) -> Set {
        let full = self.analysis.full.clone();
        if let Some(constant) = &relation.constant {
            let hit = to.and(&Set::constant(constant), &mut self.b).is_nonempty(&mut self.b);
            return Set::constant(&full).when(hit, &mut self.b);
        }
        let is_full = *to == Set::constant(&full);
        if is_full {
            let domain: Bits = relation.domain(self.words());
            return Set::constant(&domain);
        }
        let mut union = Set::empty(self.words());
        for group in &relation.groups {
            let back = to.shift(-group.delta, &mut self.b);
            let back = back.and(&Set::constant(&group.sources), &mut self.b);
            union = union.or(&back, &mut self.b);
        }
        union
    }

    fn backward_one(&mut self, rule: &Rule, to: &Set, env: &Env) -> Set {
        match &rule.kind {
            RuleKind::On(pieces) => {
                let class = self.class(env, *pieces);
                to.and(&class, &mut self.b)
            }
            RuleKind::Concatenation(parts) => self.backward(parts, to, env),
            RuleKind::Sum(alternatives) => {
                let mut union = Set::empty(self.words());
                for alternative in alternatives {
                    let one = self.backward(std::slice::from_ref(alternative), to, env);
                    union = union.or(&one, &mut self.b);
                }
                union
            }
            RuleKind::Star(body) => {
                let parts = match &body.kind {
                    RuleKind::Concatenation(parts) => parts.as_slice(),
                    _ => std::slice::from_ref(&**body),
                };
                if let Some(steps) = self.chain_length(parts) {
                    let (mut all, mut front) = (to.clone(), to.clone());
                    for _ in 0..steps {
                        front = self.backward(parts, &front, env);
                        all = all.or(&front, &mut self.b);
                    }
                    return all;
                }
                self.closure(to.clone(), |this, front| this.backward(parts, &front, env))
            }
            RuleKind::Comparison(comparison, sides) => {
                let holds = self.compare(*comparison, sides, env);
                to.when(holds, &mut self.b)
            }
            RuleKind::Condition { negated, body } => {
                let full = Set::constant(&self.analysis.full);
                let holds = self.backward(std::slice::from_ref(&**body), &full, env);
                if *negated { to.and_not(&holds, &mut self.b) } else { to.and(&holds, &mut self.b) }
            }
            _ => to.clone(),
        }
    }

    // --- segments ---------------------------------------------------------------------------------

    /// Where the walk can be at every node of the segment that begins at `node`.
    pub(crate) fn segment(
        &mut self,
        node: u32,
        from: &Where,
        env: &Env,
    ) -> Result<Vec<(u32, Where)>, Unsupported> {
        let analysis = self.analysis;
        let order = analysis
            .segments
            .topological(node)
            .ok_or_else(|| Unsupported("a loop that may pass no modifier".to_owned()))?;
        let mut reached: Vec<(u32, Where)> = Vec::with_capacity(order.len());
        let mut pending: rustc_hash::FxHashMap<u32, Where> = rustc_hash::FxHashMap::default();
        pending.insert(node, from.clone());
        for node in order {
            let Some(place) = pending.remove(&node) else { continue };
            if place.set.is_empty_constant() {
                continue;
            }
            for (arc, to) in &analysis.segments.nodes[node as usize] {
                let next = match arc {
                    Arc::Empty => place.clone(),
                    Arc::Pure(rules) => self.forward(rules, &place, env),
                    Arc::Check { negated, start, end } => {
                        self.check(*negated, *start, *end, &place, env)?
                    }
                    _ => continue,
                };
                let merged = match pending.remove(to) {
                    Some(other) => self.union(&other, &next),
                    None => next,
                };
                pending.insert(*to, merged);
            }
            reached.push((node, place));
        }
        Ok(reached)
    }

    /// The arcs that end the segment which begins at `node`, with where they can be taken.
    pub(crate) fn exits(
        &mut self,
        node: u32,
        from: &Where,
        env: &Env,
    ) -> Result<Vec<(u32, usize, Where)>, Unsupported> {
        let mut exits = Vec::new();
        for (node, place) in self.segment(node, from, env)? {
            for (i, (arc, _)) in self.analysis.segments.nodes[node as usize].iter().enumerate() {
                if !arc.is_inner() {
                    exits.push((node, i, place.clone()));
                }
            }
        }
        Ok(exits)
    }

    /// Keeps the places at which a condition with modifiers holds.
    pub(crate) fn check(
        &mut self,
        negated: bool,
        start: u32,
        end: u32,
        place: &Where,
        env: &Env,
    ) -> Result<Where, Unsupported> {
        if let Some(at) = place.at {
            let reached = self.nonempty(place);
            let (inside, after) = (self.b.create_block(), self.b.create_block());
            let result = self.b.append_block_param(after, I8);
            let reached = reached.value(&mut self.b);
            let no = self.b.ins().iconst(I8, 0);
            self.b.ins().brif(reached, inside, &[], after, &[no.into()]);
            self.b.switch_to_block(inside);
            let here = self.at(at);
            let here = Where { under: place.under, ..here };
            let (found, missing) = (self.b.create_block(), self.b.create_block());
            self.exists(start, end, &here, env, found, &mut Vec::new())?;
            self.b.ins().jump(missing, &[]);
            self.b.switch_to_block(found);
            let yes = self.b.ins().iconst(I8, i64::from(!negated));
            self.b.ins().jump(after, &[yes.into()]);
            self.b.switch_to_block(missing);
            let no = self.b.ins().iconst(I8, i64::from(negated));
            self.b.ins().jump(after, &[no.into()]);
            self.b.switch_to_block(after);
            let set = place.set.when(Bool::Value(result), &mut self.b);
            return Ok(Where { set, certain: false, ..place.clone() });
        }
        // For many places, one after the other.
        let words = self.words();
        let kept: Vec<Slot> = (0..words).map(|_| self.b.declare_var(I64)).collect();
        let zero = self.constant(0);
        kept.iter().for_each(|s| self.b.def_var(*s, zero));
        let set = self.clean(place);
        let under = place.under;
        let mut failure = None;
        self.for_each(&set, |this, at| {
            let here = this.at(at);
            let here = Where { under, ..here };
            let (found, missing) = (this.b.create_block(), this.b.create_block());
            let after = this.b.create_block();
            if let Err(e) = this.exists(start, end, &here, env, found, &mut Vec::new()) {
                failure = Some(e);
            }
            this.b.ins().jump(missing, &[]);
            let (keep, drop) = if negated { (missing, found) } else { (found, missing) };
            this.b.switch_to_block(keep);
            for (slot, word) in kept.iter().zip(&here.set.0) {
                let old = this.b.use_var(*slot);
                let word = word.value(&mut this.b);
                let new = this.b.ins().bor(old, word);
                this.b.def_var(*slot, new);
            }
            this.b.ins().jump(after, &[]);
            this.b.switch_to_block(drop);
            this.b.ins().jump(after, &[]);
            this.b.switch_to_block(after);
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        let set = Set(kept.iter().map(|s| Word::Value(self.b.use_var(*s))).collect());
        Ok(Where { set, at: None, certain: false, dirty: false, under })
    }

    /// Jumps to `found` if a walk from a place of one position to the node `end` exists; falls through
    /// otherwise.
    fn exists(
        &mut self,
        node: u32,
        end: u32,
        from: &Where,
        env: &Env,
        found: Block,
        inside: &mut Vec<u32>,
    ) -> Result<(), Unsupported> {
        if inside.contains(&node) {
            return Err(Unsupported("a condition that repeats a modifier".to_owned()));
        }
        self.check_size()?;
        inside.push(node);
        let reached = self.segment(node, from, env)?;
        for (node, place) in reached {
            if node == end {
                let set = self.clean(&place);
                let hit = set.is_nonempty(&mut self.b).value(&mut self.b);
                let next = self.b.create_block();
                self.b.ins().brif(hit, found, &[], next, &[]);
                self.b.switch_to_block(next);
            }
            for (arc, to) in &self.analysis.segments.nodes[node as usize] {
                if arc.is_inner() {
                    continue;
                }
                let set = self.clean(&place);
                let under = place.under;
                let mut failure = None;
                self.for_each(&set, |this, at| {
                    let mut env = env.clone();
                    let mut here = this.at(at);
                    here.under = under;
                    let ok = this.modify(&mut env, &mut here, arc);
                    let after = this.guard(ok);
                    if let Err(e) = this.exists(*to, end, &here, &env, found, inside) {
                        failure = Some(e);
                    }
                    this.rejoin(after);
                });
                if let Some(failure) = failure {
                    return Err(failure);
                }
            }
        }
        inside.pop();
        Ok(())
    }

    /// Goes on only if a condition is true; [`Emitter::rejoin`] brings both ways together.
    pub(crate) fn guard(&mut self, condition: Bool) -> Option<Block> {
        match condition {
            Bool::Const(true) => None,
            condition => {
                let (inside, after) = (self.b.create_block(), self.b.create_block());
                let c = condition.value(&mut self.b);
                self.b.ins().brif(c, inside, &[], after, &[]);
                self.b.switch_to_block(inside);
                Some(after)
            }
        }
    }

    pub(crate) fn rejoin(&mut self, after: Option<Block>) {
        if let Some(after) = after {
            self.b.ins().jump(after, &[]);
            self.b.switch_to_block(after);
        }
    }

    /// Runs code for every position of a set, from the lowest.
    pub(crate) fn for_each(&mut self, set: &Set, mut body: impl FnMut(&mut Self, Value)) {
        let single = set.0.len() == 1;
        if single {
            let word = set.0[0];
            self.for_each_in_word(word, 0, &mut body);
            return;
        }
        // Several words share one copy of the body: a loop over the words around the loop over bits.
        let words: Vec<Value> = set.0.iter().map(|w| w.value(&mut self.b)).collect();
        let (outer, next_word, done) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let index = self.b.append_block_param(outer, I64);
        let zero = self.constant(0);
        self.b.ins().jump(outer, &[zero.into()]);
        self.b.switch_to_block(outer);
        let mut word = words[0];
        for (i, w) in words.iter().enumerate().skip(1) {
            let here = self.b.ins().icmp_imm_s(IntCC::Equal, index, i as i64);
            word = self.b.ins().select(here, *w, word);
        }
        let base = self.b.ins().ishl_imm_s(index, 6);
        let (head, inside) = (self.b.create_block(), self.b.create_block());
        let rest = self.b.append_block_param(head, I64);
        self.b.ins().jump(head, &[word.into()]);
        self.b.switch_to_block(head);
        self.b.ins().brif(rest, inside, &[], next_word, &[]);
        self.b.switch_to_block(inside);
        let low = self.b.ins().ctz(rest);
        let at = self.b.ins().iadd(base, low);
        body(self, at);
        let less = self.b.ins().iadd_imm_s(rest, -1);
        let rest = self.b.ins().band(rest, less);
        self.b.ins().jump(head, &[rest.into()]);
        self.b.switch_to_block(next_word);
        let index = self.b.ins().iadd_imm_s(index, 1);
        let more = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, index, words.len() as i64);
        self.b.ins().brif(more, outer, &[index.into()], done, &[]);
        self.b.switch_to_block(done);
    }

    fn for_each_in_word(&mut self, word: Word, base: i64, body: &mut dyn FnMut(&mut Self, Value)) {
        if word == Word::Const(0) {
            return;
        }
        let value = word.value(&mut self.b);
        let (head, inside, done) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let rest = self.b.append_block_param(head, I64);
        self.b.ins().jump(head, &[value.into()]);
        self.b.switch_to_block(head);
        self.b.ins().brif(rest, inside, &[], done, &[]);
        self.b.switch_to_block(inside);
        let low = self.b.ins().ctz(rest);
        let at = self.b.ins().iadd_imm_s(low, base);
        body(self, at);
        let less = self.b.ins().iadd_imm_s(rest, -1);
        let rest = self.b.ins().band(rest, less);
        self.b.ins().jump(head, &[rest.into()]);
        self.b.switch_to_block(done);
    }
}
