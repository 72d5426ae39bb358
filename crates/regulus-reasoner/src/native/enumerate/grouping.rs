//! Code that gives the moves of a position in groups ([`MoveGroups`](regulus_game::MoveGroups)), for
//! choosing one by its score. The last choice of a vertex is left as the set it is computed as. Tests behind
//! it are left out: they are made for the one move that is chosen (pass P10), which may then turn out to
//! be illegal.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable as Slot;
use regulus_game::Ending;
use regulus_rbg::rule::ModifierIndex;

use super::enumeration::{Choice, Enumeration, Question};
use crate::error::MAX_WALK_MODIFIERS;
use crate::native::Unsupported;
use crate::native::analysis::segments::{NodeId, Transition, TransitionId};
use crate::native::analysis::single::only_tests;
use crate::native::emit::{Emitter, HEADER, Header, MAX_NESTED};
use crate::native::sets::environment::Env;
use crate::native::sets::pointer_set::PointerSet;
use crate::native::sets::set::{Set, Word};

/// What the code and its caller share.
#[repr(C)]
pub(crate) struct GroupContext {
    pub(crate) header: Header,
    pub(crate) beginnings: *mut u64,
    pub(crate) groups: *mut u64,
    /// How many there are.
    pub(crate) beginning_count: u64,
    pub(crate) group_count: u64,
    /// How many there is room for.
    pub(crate) beginning_limit: u64,
    pub(crate) group_limit: u64,
}

const BEGINNINGS: usize = HEADER;
const GROUPS: usize = HEADER + 1;
const BEGINNING_COUNT: usize = HEADER + 2;
const GROUP_COUNT: usize = HEADER + 3;
const BEGINNING_LIMIT: usize = HEADER + 4;
const GROUP_LIMIT: usize = HEADER + 5;

/// The answer if there is no room.
pub(crate) const NO_ROOM: i64 = 1;

/// An ending behind tests.
struct ToldApart {
    exit: TransitionId,
    ending: Ending,
}

impl Emitter<'_, '_> {
    /// How a move that takes a transition ends, if that is the same whatever the state and happens at one
    /// vertex.
    fn ending(&self, transition: &Transition, mut node: NodeId, defers: bool) -> Option<Ending> {
        let mut actions = vec![transition.action()];
        let mut sure = true;
        if matches!(transition, Transition::Switch(..)) {
            return Some(Ending { lead: None, actions: actions.into(), sure });
        }
        for _ in 0..256 {
            let [(transition, to)] = &self.analysis.segments[node] else {
                return None;
            };
            match transition {
                Transition::Empty => {}
                Transition::Pure(rules) if rules.iter().all(only_tests) => sure = false,
                Transition::Check { .. } => sure = false,
                Transition::Off(..) => actions.push(transition.action()),
                Transition::Assign(variable, value, _) => {
                    sure &= self.analysis.always_fits(*variable, value);
                    actions.push(transition.action());
                }
                Transition::Switch(..) => {
                    actions.push(transition.action());
                    return (sure || defers).then(|| Ending {
                        lead: None,
                        actions: actions.into(),
                        sure,
                    });
                }
                Transition::Pure(_) | Transition::Dot(_) => return None,
            }
            node = *to;
        }
        None
    }

    /// Goes through the moves that take a transition at some places, from the beginning that `steps` stands for:
    /// its number in the low half, how many steps it has in the high half. `checks` is true if there may be too
    /// many of these.
    pub(crate) fn group_from(
        &mut self,
        asked: &mut Enumeration<'_>,
        choice: Choice<'_>,
        checks: bool,
    ) -> Result<(), Unsupported> {
        debug_assert_eq!(asked.question, Question::Groups);
        let Choice { transition, to, place, env, steps } = choice;
        if checks {
            // One step after the other, so that it is known which one is too much.
            return self.for_each_taken(place, transition, env, |this, place, env| {
                let made = this.steps_of_beginning(steps);
                this.fail_at_limit(made, MAX_WALK_MODIFIERS);
                let at = place.at.expect("a modifier acts on one vertex");
                let steps = this.store_beginning(asked, transition.modifier(), at, steps);
                this.enumerate_after(asked, Choice { place, env, steps, ..choice })
            });
        }
        if let Some(ending) = self.ending(transition, to, asked.defers) {
            let set = self.ending_at(transition, place, env);
            self.write_group(asked, ending, &set, steps);
            return Ok(());
        }
        if self.group_in_parallel(asked, choice) {
            return Ok(());
        }
        let node = self.analysis.segments.canonical(to);
        let has_function = asked.inside.contains(&node)
            || asked.shared.contains(&node)
            || asked.inside.len() >= MAX_NESTED;
        if !has_function
            && let Some(endings) = self.endings_told_apart(transition, to, asked.defers)
        {
            self.check_size()?;
            asked.inside.push(node);
            self.group_told_apart(asked, choice, endings)?;
            asked.inside.pop();
            return Ok(());
        }
        self.for_each_taken(place, transition, env, |this, place, env| {
            let at = place.at.expect("a modifier acts on one vertex");
            let steps = this.store_beginning(asked, transition.modifier(), at, steps);
            this.enumerate_after(asked, Choice { place, env, steps, ..choice })
        })
    }

    /// How moves that take a transition can end where they are, if only tests decide whether they do: the
    /// transitions behind the tests, with the endings from there. `None` if there are none.
    fn endings_told_apart(
        &self,
        transition: &Transition,
        to: NodeId,
        defers: bool,
    ) -> Option<Vec<ToldApart>> {
        let segments = &self.analysis.segments;
        let start = segments.canonical(to);
        let order = segments.topological(start)?;
        // Nodes that walks come to elsewhere than where they began.
        let mut moved: Vec<NodeId> = Vec::new();
        let mut endings = Vec::new();
        for node in order {
            for exit in segments.leaving(node) {
                let (next, to) = &segments[exit];
                let stays = match next {
                    Transition::Empty | Transition::Check { .. } => true,
                    Transition::Pure(rules) => rules.iter().all(only_tests),
                    _ => {
                        let ending = self.ending(next, *to, defers);
                        if let Some(ending) = ending.filter(|_| !moved.contains(&node)) {
                            let first = [transition.action()];
                            let actions = first.iter().chain(&*ending.actions).copied().collect();
                            let ending = Ending { actions, ..ending };
                            endings.push(ToldApart { exit, ending });
                        }
                        continue;
                    }
                };
                if !stays || moved.contains(&node) {
                    moved.push(*to);
                }
            }
        }
        (!endings.is_empty()).then_some(endings)
    }

    /// Makes the tests behind a transition at one vertex after the other; one group for each way to end there. Where
    /// moves go on the vertex becomes part of a beginning.
    fn group_told_apart(
        &mut self,
        asked: &mut Enumeration<'_>,
        Choice { transition, to, place, env, steps }: Choice<'_>,
        endings: Vec<ToldApart>,
    ) -> Result<(), Unsupported> {
        let zero = self.constant(0);
        let words = self.words();
        let found: Vec<Vec<Slot>> = endings
            .iter()
            .map(|_| {
                let slots: Vec<Slot> = (0..words).map(|_| self.b.declare_var(I64)).collect();
                slots.iter().for_each(|slot| self.b.def_var(*slot, zero));
                slots
            })
            .collect();
        let analysis = self.analysis;
        let start = analysis.segments.canonical(to);
        self.for_each_taken(place, transition, env, |this, here, env| {
            for (exit, there) in this.exits(start, here, env)? {
                let (next, behind) = &analysis.segments[exit];
                if let Some(k) = endings.iter().position(|e| e.exit == exit) {
                    let set = this.ending_at(next, &there, env);
                    for (slot, word) in found[k].iter().zip(&set.0) {
                        let (old, word) = (this.b.use_var(*slot), word.value(&mut this.b));
                        let more = this.b.ins().bor(old, word);
                        this.b.def_var(*slot, more);
                    }
                    continue;
                }
                let some = this.nonempty(&there);
                let after = this.guard(some);
                let at = here.at.expect("a modifier acts on one vertex");
                let steps = this.store_beginning(asked, transition.modifier(), at, steps);
                let checks =
                    !matches!(next, Transition::Switch(..)) && analysis.leads_to_overrun(exit.node);
                let choice = Choice { transition: next, to: *behind, place: &there, env, steps };
                this.group_from(asked, choice, checks)?;
                this.rejoin(after);
            }
            Ok(())
        })?;
        for (told, slots) in endings.into_iter().zip(found) {
            let set = Set(slots.iter().map(|s| Word::Value(self.b.use_var(*s))).collect());
            self.write_group(asked, told.ending, &set, steps);
        }
        Ok(())
    }

    /// If moves that take a transition end at few distances from there, whatever the vertex: one group for each
    /// distance, all vertices at once (pass P4). False if they do not; then nothing is done.
    fn group_in_parallel(
        &mut self,
        asked: &mut Enumeration<'_>,
        Choice { transition, to, place, env, steps }: Choice<'_>,
    ) -> bool {
        let segments = &self.analysis.segments;
        let start = segments.canonical(to);
        let Some(order) = segments.topological(start) else { return false };
        let mut ends = Vec::new();
        let mut endings = Vec::new();
        for node in order {
            let mut exits = Vec::new();
            for (transition, to) in
                segments[node].iter().filter(|(transition, _)| !transition.is_inner())
            {
                let Some(ending) = self.ending(transition, *to, asked.defers) else { return false };
                exits.push((transition, ending));
            }
            if !exits.is_empty() {
                ends.push(node);
                endings.push(exits);
            }
        }
        match self.parallel_distances(start, &ends) {
            Some(distances) if distances.iter().all(|d| !d.contains(&0)) => {}
            _ => return false,
        }
        let (mut place, mut env) = (place.clone(), env.clone());
        let mut piece = None;
        match transition {
            // The sets stay as they were; only a walk that comes back can see the difference.
            Transition::Off(put, _) => {
                piece = Some(*put);
                place = self.lying(place, *put);
            }
            _ => {
                let ok = self.modify(&mut env, &mut place, transition);
                place.set = place.set.when(ok, &mut self.b);
                place.certain = false;
            }
        }
        let put = |distance: i32| piece.filter(|_| distance == 0);
        let found = self.parallel_segment(start, &ends, &place, &env, &put);
        for (exits, paths) in endings.into_iter().zip(found) {
            for path in paths {
                for (exit, ending) in &exits {
                    let lead = Some((transition.action(), path.distance));
                    let ending = Ending { lead, ..ending.clone() };
                    let set = self.ending_at(exit, &path.place, &env);
                    self.write_group(asked, ending, &set, steps);
                }
            }
        }
        true
    }

    /// How many steps a beginning has.
    fn steps_of_beginning(&mut self, beginning: Value) -> Value {
        self.b.ins().ushr_imm_s(beginning, 32)
    }

    /// Where an ending that begins with a transition can happen.
    fn ending_at(&mut self, transition: &Transition, place: &PointerSet, env: &Env) -> Set {
        let set = self.clean(place);
        let Transition::Assign(variable, value, _) = transition else { return set };
        // Whether it stays within the bounds does not depend on the vertex.
        let (_, ok) = self.assigned(*variable, value, env);
        set.when(ok, &mut self.b)
    }

    /// Writes a group; it counts only if it has a move.
    fn write_group(
        &mut self,
        asked: &mut Enumeration<'_>,
        ending: Ending,
        set: &Set,
        steps: Value,
    ) {
        if set.is_empty_constant() {
            return;
        }
        let known = asked.endings.iter().position(|e| *e == ending);
        let number = known.unwrap_or_else(|| {
            asked.endings.push(ending);
            asked.endings.len() - 1
        });
        let words = self.words();
        let count = self.load_word(self.context, GROUP_COUNT);
        let limit = self.load_word(self.context, GROUP_LIMIT);
        self.stop_without_room(asked, count, limit);
        let groups = self.load_word(self.context, GROUPS);
        let offset = self.b.ins().imul_imm_s(count, 8 * (words as i64 + 1));
        let address = self.b.ins().iadd(groups, offset);
        let beginning = self.b.ins().band_imm_s(steps, 0xffff_ffff);
        let head = self.b.ins().bor_imm_s(beginning, (number as i64) << 32);
        self.store_word(address, 0, head);
        for (w, word) in set.0.iter().enumerate() {
            let word = word.value(&mut self.b);
            self.store_word(address, 1 + w, word);
        }
        let some = set.is_nonempty(&mut self.b).value(&mut self.b);
        let some = self.b.ins().uextend(I64, some);
        let count = self.b.ins().iadd(count, some);
        self.store_word(self.context, GROUP_COUNT, count);
    }

    /// Ends the function if there are as many as there is room for.
    fn stop_without_room(&mut self, asked: &Enumeration<'_>, count: Value, limit: Value) {
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, count, limit);
        let (no_room, go) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(no_room);
        self.b.ins().brif(full, no_room, &[], go, &[]);
        self.b.switch_to_block(no_room);
        let answer = self.constant(NO_ROOM);
        self.b.def_var(asked.answer, answer);
        self.b.ins().jump(asked.stop, &[]);
        self.b.switch_to_block(go);
    }

    /// Writes a beginning with one more step; gives what stands for it.
    fn store_beginning(
        &mut self,
        asked: &Enumeration<'_>,
        modifier: ModifierIndex,
        at: Value,
        steps: Value,
    ) -> Value {
        let count = self.load_word(self.context, BEGINNING_COUNT);
        let limit = self.load_word(self.context, BEGINNING_LIMIT);
        self.stop_without_room(asked, count, limit);
        let beginnings = self.load_word(self.context, BEGINNINGS);
        let offset = self.b.ins().ishl_imm_s(count, 4);
        let address = self.b.ins().iadd(beginnings, offset);
        let before = self.b.ins().band_imm_s(steps, 0xffff_ffff);
        self.store_word(address, 0, before);
        let high = self.b.ins().ishl_imm_s(at, 32);
        let step = self.b.ins().bor_imm_s(high, i64::from(modifier.0));
        self.store_word(address, 1, step);
        let next = self.b.ins().iadd_imm_s(count, 1);
        self.store_word(self.context, BEGINNING_COUNT, next);
        let made = self.b.ins().isub(steps, before);
        let made = self.b.ins().iadd_imm_s(made, 1 << 32);
        self.b.ins().bor(made, count)
    }
}
