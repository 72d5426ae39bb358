//! Code that goes through the moves of a position: nested loops over the exits of segments. Modifiers
//! edit values, so leaving a loop undoes nothing. Moves are listed, counted, or looked for by number;
//! for the last two, choices behind which everything is sure to go on in one way are counted by
//! population count (pass P9). Moves in groups: `grouping.rs`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, MemFlagsData, StackSlot, Value};
use cranelift_frontend::{Switch, Variable as Slot};
use cranelift_module::{FuncId, Linkage, Module};
use regulus_game::Ending;
use regulus_rbg::rule::ModifierIndex;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{MAX_MOVES, MAX_STEPS, MAX_WALK_MODIFIERS};
use crate::native::Unsupported;
use crate::native::analysis::Analysis;
use crate::native::analysis::segments::{NodeId, Segments, Transition};
use crate::native::analysis::walk_length::Counted;
use crate::native::emit::{Emitter, HEADER, MAX_NESTED, words_signature};
use crate::native::sets::environment::Env;
use crate::native::sets::pointer_set::PointerSet;

/// What is asked about the moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Question {
    /// Which they are: the helper gets each. The answer is 0, unless the helper says stop.
    List,
    /// How many there are.
    Count,
    /// The move of the number in the context; the answer is how many steps it has.
    Nth,
    /// Which they are, in groups; moves that are illegal in the end may be among them. The answer is 0,
    /// or else there was no room for all.
    Groups,
}

/// Words of the context: the address of the steps; and for counting, the steps of all moves so far, for
/// finding one, how many come before it.
const STEPS: usize = HEADER;
const ALL_STEPS: usize = HEADER + 1;
const REST: usize = HEADER + 1;

/// What the functions of a question share. All of them answer `FAILED` if they give up.
pub(crate) struct Enumeration<'l> {
    pub(crate) question: Question,
    /// `report(context, steps) -> stop`: a complete move of a list.
    pub(crate) report: Option<FuncRef>,
    /// The nodes that have a function of their own.
    pub(crate) shared: &'l FxHashSet<NodeId>,
    /// The functions of nodes, in the module and in the function that is being made, and those whose
    /// code is still to be made.
    pub(crate) ids: &'l mut FxHashMap<NodeId, FuncId>,
    pub(crate) references: FxHashMap<NodeId, FuncRef>,
    pub(crate) pending: &'l mut Vec<NodeId>,
    /// Where a state is handed to such a function.
    pub(crate) outgoing: StackSlot,
    /// Ends the function with the answer in `answer`.
    pub(crate) stop: Block,
    pub(crate) answer: Slot,
    /// The nodes whose code is being made, outermost first.
    pub(crate) inside: Vec<NodeId>,
    /// How moves in groups can end.
    pub(crate) endings: &'l mut Vec<Ending>,
    /// Whether tests at the end of moves in groups may be left out.
    pub(crate) defers: bool,
}

/// A transition that moves take at some vertices.
#[derive(Clone, Copy)]
pub(crate) struct Choice<'c> {
    pub(crate) transition: &'c Transition,
    /// Where it leads.
    pub(crate) to: NodeId,
    pub(crate) place: &'c PointerSet,
    pub(crate) env: &'c Env,
    /// The steps before: how many, or the beginning that they are.
    pub(crate) steps: Value,
}

/// The nodes behind modifiers that get a function of their own: those that a loop comes back to, and
/// those that several modifiers lead to and that do more than hand over.
pub(crate) fn shared_nodes(analysis: &Analysis) -> FxHashSet<NodeId> {
    let segments = &analysis.segments;
    let mut incoming: FxHashMap<NodeId, usize> = FxHashMap::default();
    for (transition, to) in segments.nodes.iter().flatten() {
        if transition.modifier() != ModifierIndex::NONE
            && !matches!(transition, Transition::Switch(..))
        {
            *incoming.entry(segments.canonical(*to)).or_default() += 1;
        }
    }
    let is_worth_it = |(node, n): &(NodeId, usize)| {
        let trivial = matches!(&segments[*node], [(Transition::Switch(..), _)]);
        (*n >= 2 && !trivial) || analysis.leads_back(*node)
    };
    incoming.into_iter().filter(is_worth_it).map(|(node, _)| node).collect()
}

/// All nodes behind modifiers that do more than hand over: where the code would be too large otherwise.
pub(crate) fn all_nodes(segments: &Segments) -> FxHashSet<NodeId> {
    let behind = segments.nodes.iter().flatten().filter_map(|(transition, to)| match transition {
        Transition::Off(..) | Transition::Assign(..) => Some(segments.canonical(*to)),
        _ => None,
    });
    behind.filter(|n| !matches!(&segments[*n], [(Transition::Switch(..), _)])).collect()
}

/// The modifiers on the only way from a node to a switch, if that way cannot fail.
fn sure_way(segments: &Segments, mut node: NodeId) -> Option<Vec<&Transition>> {
    let mut way = Vec::new();
    for _ in 0..64 {
        match &segments[node] {
            [(transition @ Transition::Switch(..), _)] => {
                way.push(transition);
                return Some(way);
            }
            [(transition @ Transition::Off(..), to)] => {
                way.push(transition);
                node = *to;
            }
            [(Transition::Empty, to)] => node = *to,
            _ => return None,
        }
    }
    None
}

impl Emitter<'_, '_> {
    /// The body of `question(state, context)`: dispatches on the position of the player to move.
    pub(crate) fn enumeration_function(
        &mut self,
        state: Value,
        asked: &mut Enumeration<'_>,
    ) -> Result<(), Unsupported> {
        let layout = self.analysis.layout;
        let slots = self.new_slots();
        self.load_slots(&slots, state);
        let zero = self.constant(0);
        self.b.def_var(asked.answer, zero);
        let position = self.load_word(state, layout.node());
        let mut switch = Switch::new();
        let entries = self.player_entries(&mut switch);
        switch.emit(&mut self.b, position, asked.stop);
        for (node, block) in entries {
            self.b.switch_to_block(block);
            self.analysis.notes.begin(node);
            let (here, env) = self.walk_in(&slots);
            let zero = self.constant(0);
            self.enumerate_from(asked, node, &here, &env, zero)?;
            self.b.ins().jump(asked.stop, &[]);
        }
        Ok(())
    }

    /// A block for every node at which a player's move begins, entered by the number of the switch.
    pub(crate) fn player_entries(&mut self, switch: &mut Switch) -> Vec<(NodeId, Block)> {
        let mut entries: Vec<(NodeId, Block)> = Vec::new();
        for (transition, to) in self.analysis.segments.nodes.iter().flatten() {
            if let Transition::Switch(player, modifier) = transition
                && player.0 != 0
            {
                let node = self.analysis.segments.canonical(*to);
                let block = match entries.iter().find(|(n, _)| *n == node) {
                    Some((_, block)) => *block,
                    None => {
                        let block = self.b.create_block();
                        entries.push((node, block));
                        block
                    }
                };
                switch.set_entry(u128::from(modifier.0), block);
            }
        }
        entries
    }

    /// The body of `question_at(state, context, steps)` for a node with its own function.
    pub(crate) fn enumeration_node_function(
        &mut self,
        node: NodeId,
        state: Value,
        steps: Value,
        asked: &mut Enumeration<'_>,
    ) -> Result<(), Unsupported> {
        self.analysis.notes.begin(node);
        let slots = self.new_slots();
        self.load_slots(&slots, state);
        let zero = self.constant(0);
        self.b.def_var(asked.answer, zero);
        let (here, env) = self.walk_in(&slots);
        self.count_work();
        self.enumerate_from(asked, node, &here, &env, steps)?;
        self.b.ins().jump(asked.stop, &[]);
        Ok(())
    }

    /// Goes through what can be done from a node at one position.
    fn enumerate_from(
        &mut self,
        asked: &mut Enumeration<'_>,
        node: NodeId,
        here: &PointerSet,
        env: &Env,
        steps: Value,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let analysis = self.analysis;
        asked.inside.push(node);
        for (id, place) in self.exits(node, here, env)? {
            let ((transition, to), node) = (&analysis.segments[id], id.node);
            let checks = !matches!(transition, Transition::Switch(..))
                && analysis.may_overrun(node, Counted::Modifiers);
            if asked.question == Question::Groups {
                let checks = !matches!(transition, Transition::Switch(..))
                    && analysis.leads_to_overrun(node);
                let choice = Choice { transition, to: *to, place: &place, env, steps };
                self.group_from(asked, choice, checks)?;
                continue;
            }
            let sure = match (asked.question, transition) {
                (Question::List | Question::Groups, _) => None,
                (_, Transition::Switch(..)) => Some(Vec::new()),
                (_, Transition::Off(..)) => sure_way(&analysis.segments, *to),
                _ => None,
            };
            match sure {
                Some(way) => {
                    let checks = analysis.leads_to_overrun(node);
                    self.count_sure(asked, (transition, checks), &way, &place, steps);
                }
                None => self.for_each_taken(&place, transition, env, |this, place, env| {
                    if checks {
                        this.fail_at_limit(steps, MAX_WALK_MODIFIERS);
                    }
                    if asked.question != Question::Count {
                        let at = place.at.expect("a modifier acts on one vertex");
                        this.store_step(steps, transition.modifier(), at);
                    }
                    let steps = this.b.ins().iadd_imm_s(steps, 1);
                    this.enumerate_after(asked, Choice { transition, to: *to, place, env, steps })
                })?,
            }
        }
        asked.inside.pop();
        Ok(())
    }

    /// Choices behind which there is one way each.
    fn count_sure(
        &mut self,
        asked: &Enumeration<'_>,
        (transition, checks): (&Transition, bool),
        way: &[&Transition],
        place: &PointerSet,
        steps: Value,
    ) {
        let set = self.clean(place);
        if set.is_empty_constant() {
            return;
        }
        let count = set.count(&mut self.b);
        if checks {
            // All of the way is walked, if there is a vertex to walk it from.
            let modifiers = self.b.ins().iadd_imm_s(steps, way.len() as i64);
            let limit = MAX_WALK_MODIFIERS as i64;
            let long = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, modifiers, limit);
            let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, count, 0);
            let both = self.b.ins().band(long, some);
            self.fail_if(both);
        }
        if asked.question == Question::Count {
            let total = self.b.use_var(asked.answer);
            let total = self.b.ins().iadd(total, count);
            self.b.def_var(asked.answer, total);
            if self.analysis.counts_steps() {
                let length = self.b.ins().iadd_imm_s(steps, way.len() as i64 + 1);
                self.count_steps(length, count);
            }
            // Loops that stand in each other do not take long if there are few vertices: the caller looks at the sum.
            let most =
                (self.analysis.game.board.len() as u64).checked_pow(asked.inside.len() as u32 - 1);
            if most.is_none_or(|most| most > MAX_MOVES) {
                self.stop_at_too_many(asked);
            }
            return;
        }
        let rest = self.load_word(self.context, REST);
        let (here, skip, after) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let mine = self.b.ins().icmp(IntCC::UnsignedLessThan, rest, count);
        self.b.ins().brif(mine, here, &[], skip, &[]);
        self.b.switch_to_block(skip);
        let less = self.b.ins().isub(rest, count);
        self.store_word(self.context, REST, less);
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(here);
        let left = self.b.declare_var(I64);
        self.b.def_var(left, rest);
        self.for_each(&set, |this, at| {
            let (found, next) = (this.b.create_block(), this.b.create_block());
            let now = this.b.use_var(left);
            let less = this.b.ins().iadd_imm_s(now, -1);
            this.b.def_var(left, less);
            this.b.ins().brif(now, next, &[], found, &[]);
            this.b.switch_to_block(found);
            let mut steps = steps;
            for transition in std::iter::once(&transition).chain(way) {
                this.store_step(steps, transition.modifier(), at);
                steps = this.b.ins().iadd_imm_s(steps, 1);
            }
            this.b.def_var(asked.answer, steps);
            this.b.ins().jump(asked.stop, &[]);
            this.b.switch_to_block(next);
        });
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(after);
    }

    /// Goes on behind a transition that was taken.
    pub(crate) fn enumerate_after(
        &mut self,
        asked: &mut Enumeration<'_>,
        Choice { transition, to, place, env, steps }: Choice<'_>,
    ) -> Result<(), Unsupported> {
        let to = self.analysis.segments.canonical(to);
        let deep = asked.inside.len() >= MAX_NESTED;
        let call = if let (Transition::Switch(..), Some(report)) = (transition, asked.report) {
            self.b.ins().call(report, &[self.context, steps])
        } else if deep || asked.inside.contains(&to) || asked.shared.contains(&to) {
            let function = self.enumeration_function_of(asked, to);
            let state = self.b.ins().stack_addr(I64, asked.outgoing, 0);
            let pointer = place.at.expect("a modifier acts on one vertex");
            self.store_state(env, pointer, state);
            self.b.ins().call(function, &[state, self.context, steps])
        } else {
            return self.enumerate_from(asked, to, place, env, steps);
        };
        let answer = self.b.inst_results(call)[0];
        if asked.question == Question::Count {
            let gave_up = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, answer, 0);
            self.fail_if(gave_up);
            let total = self.b.use_var(asked.answer);
            let total = self.b.ins().iadd(total, answer);
            self.b.def_var(asked.answer, total);
            self.stop_at_too_many(asked);
        } else {
            self.b.def_var(asked.answer, answer);
            let go = self.b.create_block();
            self.b.ins().brif(answer, asked.stop, &[], go, &[]);
            self.b.switch_to_block(go);
        }
        Ok(())
    }

    /// Gives up counting when there are too many moves.
    fn stop_at_too_many(&mut self, asked: &Enumeration<'_>) {
        let total = self.b.use_var(asked.answer);
        let limit = MAX_MOVES as i64;
        let over = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, total, limit);
        self.fail_if(over);
    }

    /// Counts the steps of moves of one length; gives up when there are too many.
    fn count_steps(&mut self, length: Value, moves: Value) {
        let steps = self.b.ins().imul(length, moves);
        let all = self.load_word(self.context, ALL_STEPS);
        let all = self.b.ins().iadd(all, steps);
        self.store_word(self.context, ALL_STEPS, all);
        let over = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, all, MAX_STEPS as i64);
        self.fail_if(over);
    }

    fn enumeration_function_of(&mut self, asked: &mut Enumeration<'_>, node: NodeId) -> FuncRef {
        if let Some(known) = asked.references.get(&node) {
            return *known;
        }
        let id = *asked.ids.entry(node).or_insert_with(|| {
            asked.pending.push(node);
            let signature = words_signature(self.module, 3);
            self.module
                .declare_function(&format!("question_{node}"), Linkage::Local, &signature)
                .expect("names of nodes are unique")
        });
        let reference = self.module.declare_func_in_func(id, self.b.func);
        asked.references.insert(node, reference);
        reference
    }

    /// Writes a step: the modifier in the low half, the position in the high half.
    pub(crate) fn store_step(&mut self, steps: Value, modifier: ModifierIndex, at: Value) {
        let buffer = self.load_word(self.context, STEPS);
        let offset = self.b.ins().ishl_imm_s(steps, 3);
        let address = self.b.ins().iadd(buffer, offset);
        let high = self.b.ins().ishl_imm_s(at, 32);
        let step = self.b.ins().bor_imm_s(high, i64::from(modifier.0));
        self.b.ins().store(MemFlagsData::trusted(), step, address, 0);
    }
}
