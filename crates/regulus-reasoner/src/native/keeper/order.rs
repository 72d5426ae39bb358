//! The order in which a walk comes to vertices (pass P12). Where a stretch without modifiers leads the keeper to several
//! vertices, he takes the first at which the rest of his move succeeds, and the interpreter's search is depth-first in
//! the order of the text. Parts that only follow edges have a table of that order, made when code is made.

use std::sync::Arc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I16, I64};
use cranelift_codegen::ir::{
    Block, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Value,
};
use regulus_rbg::rule::{Rule, RuleKind};
use regulus_rbg::{Board, Vertex};

use crate::native::analysis::Analysis;
use crate::native::analysis::embedding::Embedding;
use crate::native::analysis::relation::is_static;
use crate::native::analysis::single::only_tests;
use crate::native::emit::Emitter;
use crate::native::sets::environment::Env;
use crate::native::sets::pointer_set::PointerSet;
use crate::native::sets::set::Set;

/// Stages of a stretch for which code is made.
const MAX_STAGES: usize = 3;

/// Entries of a table: four megabytes.
const MAX_ENTRIES: usize = 1 << 21;

/// Vertices that making a table may look at.
const MAX_TABLE_WORK: usize = 1 << 23;

/// Behind the last entry of a row.
const END: u16 = u16::MAX;

/// A table: for every position, the positions that static rules lead to, in order, and [`END`].
///
/// Code reads a row from its beginning to its end, so it stays inside the table, and what it reads is a position.
#[derive(Debug)]
pub(crate) struct Order {
    /// Entries of a row.
    stride: usize,
    /// The rows, four entries in a word.
    words: Box<[u64]>,
}

/// A part of a stretch: it only follows edges, then it only tests.
#[derive(Debug)]
pub(crate) struct Stage {
    order: Arc<Order>,
    /// How many of the rules have been passed at its end.
    passed: usize,
}

impl Order {
    /// The order of static rules, one after the other; nothing if no table is made of them.
    pub(crate) fn of(rules: &[Rule], board: &Board, embedding: &Embedding) -> Option<Order> {
        if embedding.len() >= usize::from(END) {
            return None;
        }
        let mut search = Search { board, work: 0, seen: vec![0; board.len() + 1], turn: 0 };
        let lists = search.all(rules)?;
        let stride = lists.iter().map(Vec::len).max()? + 1;
        if stride * embedding.len() > MAX_ENTRIES {
            return None;
        }
        let mut entries = vec![END; (stride * embedding.len()).next_multiple_of(4)];
        for v in board.vertices() {
            let row = embedding.position(v) * stride;
            for (i, to) in lists[usize::from(v.0)].iter().enumerate() {
                entries[row + i] = embedding.position(Vertex(*to)) as u16;
            }
        }
        let word = |four: &[u16]| four.iter().rev().fold(0, |word, e| word << 16 | u64::from(*e));
        Some(Order { stride, words: entries.chunks(4).map(word).collect() })
    }
}

/// Where a rule leads from every vertex, in order.
type Lists = Vec<Vec<u16>>;

/// Follows static rules from all vertices.
struct Search<'b> {
    board: &'b Board,
    work: usize,
    /// The last turn in which a vertex was seen.
    seen: Vec<u32>,
    turn: u32,
}

impl Search<'_> {
    fn for_each_start(
        &mut self,
        mut list: impl FnMut(&mut Self, u16) -> Vec<u16>,
    ) -> Option<Lists> {
        let mut lists = Vec::with_capacity(self.board.len() + 1);
        lists.push(Vec::new());
        for v in 1..=self.board.len() as u16 {
            self.turn += 1;
            lists.push(list(self, v));
            if self.work > MAX_TABLE_WORK {
                return None;
            }
        }
        Some(lists)
    }

    fn is_new(&mut self, vertex: u16) -> bool {
        self.work += 1;
        std::mem::replace(&mut self.seen[usize::from(vertex)], self.turn) != self.turn
    }

    fn all(&mut self, rules: &[Rule]) -> Option<Lists> {
        let mut lists = self.for_each_start(|_, v| vec![v])?;
        for rule in rules {
            let next = self.lists(rule)?;
            lists = self.for_each_start(|this, v| {
                let there = lists[usize::from(v)].iter().flat_map(|u| &next[usize::from(*u)]);
                there.copied().filter(|w| this.is_new(*w)).collect()
            })?;
        }
        Some(lists)
    }

    fn lists(&mut self, rule: &Rule) -> Option<Lists> {
        let board = self.board;
        match &rule.kind {
            RuleKind::Shift(label) => self.for_each_start(|_, v| {
                let next = board.next(Vertex(v), *label);
                next.is_some().then_some(next.0).into_iter().collect()
            }),
            RuleKind::Concatenation(parts) => self.all(parts),
            RuleKind::Sum(parts) => {
                let parts: Vec<Lists> =
                    parts.iter().map(|part| self.lists(part)).collect::<Option<_>>()?;
                self.for_each_start(|this, v| {
                    let there = parts.iter().flat_map(|part| &part[usize::from(v)]);
                    there.copied().filter(|w| this.is_new(*w)).collect()
                })
            }
            RuleKind::Star(body) if is_fan(body) => {
                let body = self.lists(body)?;
                self.for_each_start(|this, v| this.repeated(&body, v))
            }
            RuleKind::Condition { negated, body } => {
                let body = self.lists(body)?;
                self.for_each_start(|_, v| {
                    let holds = body[usize::from(v)].is_empty() == *negated;
                    holds.then_some(v).into_iter().collect()
                })
            }
            RuleKind::On(pieces) if pieces.is_empty() => self.for_each_start(|_, _| Vec::new()),
            _ => None,
        }
    }

    /// Once more comes before going on, as in the automaton.
    fn repeated(&mut self, body: &Lists, from: u16) -> Vec<u16> {
        let mut list = Vec::new();
        self.is_new(from);
        let mut stack = vec![(from, 0)];
        while let Some((v, next)) = stack.last_mut() {
            match body[usize::from(*v)].get(*next) {
                Some(to) => {
                    *next += 1;
                    if self.is_new(*to) {
                        stack.push((*to, 0));
                    }
                }
                None => {
                    list.push(*v);
                    stack.pop();
                }
            }
        }
        list
    }
}

/// True if ways through a rule part at its beginning only: then a walk that repeats it and comes to a place inside for
/// the second time has nothing left to do there, and only the places between two rounds matter.
fn is_fan(rule: &Rule) -> bool {
    let is_step =
        |rule: &Rule| matches!(rule.kind, RuleKind::Shift(_) | RuleKind::Condition { .. });
    let is_line = |rule: &Rule| match &rule.kind {
        RuleKind::Concatenation(parts) => parts.iter().all(is_step),
        _ => is_step(rule),
    };
    match &rule.kind {
        RuleKind::Sum(parts) => parts.iter().all(is_line),
        _ => is_line(rule),
    }
}

/// The stages of rules that begin at one vertex; nothing if they are of another kind.
pub(crate) fn stages(analysis: &Analysis, rules: &[Rule]) -> Option<Vec<Stage>> {
    let mut stages = Vec::new();
    let mut passed = 0;
    while passed < rules.len() {
        let rest = &rules[passed..];
        let moves = rest.iter().take_while(|rule| is_static(rule)).count();
        let tests = rest[moves..].iter().take_while(|rule| only_tests(rule)).count();
        if moves + tests == 0 {
            return None;
        }
        passed += moves + tests;
        if moves > 0 {
            stages.push(Stage { order: analysis.order(&rest[..moves])?, passed });
        }
    }
    (1..=MAX_STAGES).contains(&stages.len()).then_some(stages)
}

impl Emitter<'_, '_> {
    /// The first vertex in the order of the stages of some rules. `last` are those that all of them lead to.
    pub(crate) fn first_in_order(
        &mut self,
        (stages, rules): (&[Stage], &[Rule]),
        (here, env): (&PointerSet, &Env),
        last: &Set,
        none: Block,
    ) -> Value {
        let mut reached = Vec::with_capacity(stages.len());
        for stage in stages.split_last().map_or(&[][..], |(_, before)| before) {
            let place = self.forward(&rules[..stage.passed], here, env);
            let set = self.clean(&place);
            reached.push(self.spilled(&set));
        }
        reached.push(self.spilled(last));
        let found = self.b.create_block();
        self.b.append_block_param(found, I64);
        let mut from = here.at.expect("a stretch begins at one vertex");
        let mut exhausted = none;
        for (stage, set) in stages.iter().zip(reached) {
            // Reads the row until one of its vertices leads on.
            let table = self.constant(stage.order.words.as_ptr() as i64);
            let row = self.b.ins().imul_imm_s(from, 2 * stage.order.stride as i64);
            let row = self.b.ins().iadd(table, row);
            let (look, test) = (self.b.create_block(), self.b.create_block());
            let (leads_on, next) = (self.b.create_block(), self.b.create_block());
            self.b.append_block_param(look, I64);
            self.b.ins().jump(look, &[row.into()]);
            self.b.switch_to_block(look);
            let entry = self.b.block_params(look)[0];
            let vertex = self.b.ins().load(I16, MemFlagsData::trusted(), entry, 0);
            let vertex = self.b.ins().uextend(I64, vertex);
            let at_end = self.b.ins().icmp_imm_s(IntCC::Equal, vertex, i64::from(END));
            self.b.ins().brif(at_end, exhausted, &[], test, &[]);
            self.b.switch_to_block(test);
            let is_reached = self.spilled_contains(set, vertex);
            self.b.ins().brif(is_reached, leads_on, &[], next, &[]);
            self.b.switch_to_block(next);
            let entry = self.b.ins().iadd_imm_s(entry, 2);
            self.b.ins().jump(look, &[entry.into()]);
            self.b.switch_to_block(leads_on);
            (from, exhausted) = (vertex, next);
        }
        self.b.ins().jump(found, &[from.into()]);
        self.b.switch_to_block(found);
        self.b.block_params(found)[0]
    }

    /// A set in memory, or itself if it is one word.
    fn spilled(&mut self, set: &Set) -> Value {
        if let [word] = set.0.as_slice() {
            return word.value(&mut self.b);
        }
        let bytes = (8 * set.0.len()) as u32;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
        let slot = self.b.create_sized_stack_slot(slot);
        let address = self.b.ins().stack_addr(I64, slot, 0);
        for (i, word) in set.0.iter().enumerate() {
            let word = word.value(&mut self.b);
            self.store_word(address, i, word);
        }
        address
    }

    fn spilled_contains(&mut self, set: Value, position: Value) -> Value {
        let word = if self.words() == 1 {
            set
        } else {
            let index = self.b.ins().ushr_imm_s(position, 6);
            let offset = self.b.ins().ishl_imm_s(index, 3);
            let address = self.b.ins().iadd(set, offset);
            self.load_word(address, 0)
        };
        // Shifts take the distance modulo 64.
        let bit = self.b.ins().ushr(word, position);
        self.b.ins().band_imm_u(bit, 1)
    }
}

#[cfg(test)]
mod tests {
    use regulus_game::Engine;
    use regulus_rbg::Source;

    use super::*;
    use crate::interpreter::Interpreter;

    /// The vertices that the interpreter comes to from a vertex of a board of three by four, in its order.
    fn searched(rules: &str, vertex: u16) -> Vec<u16> {
        let way = "right ".repeat(usize::from((vertex - 1) % 4))
            + &"down ".repeat(usize::from((vertex - 1) / 4));
        let game = game(&format!("->a {way} {rules} [x] ->> {{}}"));
        let interpreter = Interpreter::new(&game);
        let mut worker = interpreter.worker();
        let mut state = worker.initial();
        assert!(worker.run_keeper(&mut state).expect("one switch"));
        let mut found = Vec::new();
        worker.semimoves(&mut state, &mut found).expect("few");
        found.iter().map(|step| step.vertex).collect()
    }

    fn game(rules: &str) -> regulus_rbg::Game {
        let text = format!(
            "#players = a(1), b(1) #pieces = x #variables = \
             #board = rectangle(up, down, left, right, [x, x, x, x] [x, x, x, x] [x, x, x, x]) \
             #near = (left + up + right + down) #any = (left* + right*)(up* + down*) \
             #rules = {rules}"
        );
        regulus_rbg::load(&Source::new("test", &text)).game.expect("valid")
    }

    /// The rules before the first modifier behind `->a`.
    fn rules(text: &str) -> Vec<Rule> {
        let RuleKind::Concatenation(parts) = game(&format!("->a {text} [x] ->> {{}}")).rules.kind
        else {
            panic!("one after the other")
        };
        parts.into_iter().skip(1).take_while(|rule| !rule.is_modifier()).collect()
    }

    #[test]
    fn tables_have_the_order_of_the_interpreter() {
        for text in [
            "any",
            "near",
            "near near",
            "near*",
            "(up left + right)*",
            "(right down* + left)",
            "(right {? down} + left {! up})*",
            "left* {! left} up* {! up} any",
            "(near + right right)* (left + down)",
            "(up + left*) (down + right*)",
        ] {
            let game = game("->a ->> {}");
            let embedding = Embedding::new(&game.board);
            let order = Order::of(&rules(text), &game.board, &embedding).expect("a small table");
            for v in 1..=12 {
                let row = embedding.position(Vertex(v)) * order.stride;
                let entries = (row..).map(|i| (order.words[i / 4] >> (16 * (i % 4))) as u16);
                let entries = entries.take_while(|entry| *entry != END);
                let table: Vec<u16> = entries.map(|e| embedding.vertex(e.into()).0).collect();
                assert_eq!(table, searched(text, v), "{text} from {v}");
            }
        }
    }

    #[test]
    fn no_table_where_walks_part_inside_a_round() {
        let game = game("->a ->> {}");
        let embedding = Embedding::new(&game.board);
        let order = |text: &str| Order::of(&rules(text), &game.board, &embedding);
        assert!(order("(near near)*").is_none());
        assert!(order("(up* left)*").is_none());
    }
}
