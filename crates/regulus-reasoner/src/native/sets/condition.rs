//! Large conditions as functions of their own, so that their code is made once.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_module::{FuncId, Linkage, Module};
use regulus_rbg::arithmetic::Arithmetic;
use regulus_rbg::declarations::{Piece, PieceSet, Variable};
use regulus_rbg::rule::{Rule, RuleKind};

use super::environment::{Env, Held};
use super::inner_walk::InnerWalk;
use super::memo::Memo;
use super::seek::MANY_WORDS;
use super::set::{Bool, Set, Word};
use crate::native::analysis::Analysis;
use crate::native::analysis::relation::is_static;
use crate::native::analysis::segments::NodeId;
use crate::native::emit::{Emitter, words_signature};

/// Conditions that are worth a function of their own, because they are large and asked in many
/// places.
#[derive(Default)]
pub(crate) struct ConditionFunctions {
    /// Equal conditions share a function.
    functions: Vec<(Rule, FuncId)>,
    /// How many of them are made.
    functions_made: usize,
    /// Walks inside conditions with modifiers that have a function.
    pub(crate) walks: Vec<(InnerWalk, FuncId)>,
    /// How many of them are made.
    walks_made: usize,
    /// Nodes behind modifiers that have a function which walks all ways on.
    pub(crate) chains: Vec<(NodeId, FuncId)>,
    /// How many of them are made.
    chains_made: usize,
    /// Conditions whose answers are remembered, in code that has memory for them.
    pub(crate) memos: Vec<Memo>,
}

impl ConditionFunctions {
    /// The next condition whose function is to be made, with its number.
    pub(crate) fn next_condition(&mut self) -> Option<(usize, Rule, FuncId)> {
        let index = self.functions_made;
        let (body, id) = self.functions.get(index)?;
        self.functions_made += 1;
        Some((index, body.clone(), *id))
    }

    /// The next walk whose function is to be made.
    pub(crate) fn next_walk(&mut self) -> Option<(InnerWalk, FuncId)> {
        let next = self.walks.get(self.walks_made).copied()?;
        self.walks_made += 1;
        Some(next)
    }

    /// The next node whose function is to be made.
    pub(crate) fn next_chain(&mut self) -> Option<(NodeId, FuncId)> {
        let next = self.chains.get(self.chains_made).copied()?;
        self.chains_made += 1;
        Some(next)
    }
}

/// Actions and operators from which on a condition gets a function of its own.
pub(crate) const LARGE_CONDITION: usize = 30;

pub(crate) fn size_of(rule: &Rule) -> usize {
    if is_static(rule) { 1 } else { rule.size() }
}

/// The parts of a state that a condition reads.
struct Needs {
    pieces: Vec<Piece>,
    variables: Vec<Variable>,
}

impl Needs {
    pub(crate) fn of(body: &Rule, analysis: &Analysis) -> Needs {
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
    /// True if a condition is better asked by calling a function.
    pub(crate) fn has_function(&self, body: &Rule, env: &Env) -> bool {
        let large =
            size_of(body) > LARGE_CONDITION || (self.words() >= MANY_WORDS && self.has_flood(body));
        let is_own = || {
            let own = self.own_condition.and_then(|own| self.conditions.functions.get(own));
            own.is_some_and(|(own, _)| own == body)
        };
        large && !is_own() && !self.is_shared_set(body, env)
    }

    /// Asks a condition by calling its function. Where the pointer cannot be, the answer has no meaning,
    /// which does no harm: the place is empty anyway.
    pub(crate) fn call_condition(&mut self, body: &Rule, at: Value, env: &Env) -> Bool {
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
        let known = self.conditions.functions.iter().find(|(rule, _)| rule == body);
        let id = match known {
            Some((_, id)) => *id,
            None => {
                let name = format!("condition_{}", self.conditions.functions.len());
                let signature = words_signature(self.module, arguments.len());
                let id = self
                    .module
                    .declare_function(&name, Linkage::Local, &signature)
                    .expect("names of conditions are unique");
                self.conditions.functions.push((body.clone(), id));
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
        let holds = self.can_walk(std::slice::from_ref(body), &here, &env).value(&mut self.b);
        let result = self.b.ins().uextend(I64, holds);
        self.b.ins().return_(&[result]);
    }
}
