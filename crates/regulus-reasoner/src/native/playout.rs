//! Code that plays whole random games (study, passes P9, P10, P20): one function in which the state
//! lives in values and players and keeper hand over to each other by jumps.
//!
//! A move is drawn uniformly from all legal moves. Choices are counted level by level: a level whose
//! choices all have the same number of continuations is counted by population count, any other one by
//! a loop. What can only fail after the last choice (such as being in check) is tested when a move has
//! been drawn, and the draw is repeated if it fails, which keeps the distribution uniform. When that
//! happens too often, and where no such code can be made, a helper lists all moves and draws one.
//!
//! With split moves (Mod) one choice is drawn per level; a choice that turns out dead is drawn again
//! at its level (THESIS, Algorithm 1).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, Value};
use cranelift_frontend::{Switch, Variable as Slot};
use regulus_rbg::rule::{Rule, RuleKind};

use super::analysis::Analysis;
use super::emit::{Emitter, Env, Unsupported, Where};
use super::keeper::Keeper;
use super::relation::{Group, is_static};
use super::segments::Arc;
use super::set::{Bool, Set};

/// Draws that may fail before the helper is asked.
const MAX_TRIES: i64 = 64;

/// How moves are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Uniformly from the legal moves.
    Full,
    /// One modifier after the other.
    Split,
}

/// What the code of a playout shares.
pub(crate) struct Player {
    pub(crate) mode: Mode,
    /// True if the helper draws every move, because code for drawing would be too large.
    pub(crate) by_helper: bool,
    pub(crate) keeper: Keeper,
    /// The state in memory, for the helper.
    pub(crate) state: Value,
    /// The context of the helper; its first word is the address of the steps, its second the state of
    /// the random generator, its third the number of moves made.
    pub(crate) context: Value,
    /// `choose(context, state, steps) -> moved`
    pub(crate) choose: FuncRef,
    /// `select(word, n) -> position of the n-th bit`
    pub(crate) select: FuncRef,
    pub(crate) random: Slot,
    pub(crate) length: Slot,
    pub(crate) over: Block,
}

/// A move that is being looked for by its number.
#[derive(Clone, Copy)]
struct Draw {
    /// The number that is left when all moves before are passed.
    rest: Slot,
    /// Draws again.
    reject: Block,
}

/// A level of choices that is open.
#[derive(Clone, Copy)]
struct Level {
    /// Draws again at this level.
    redraw: Block,
    /// The number of steps before it.
    depth: usize,
}

/// True if rules without modifiers lead from one vertex to one vertex at most.
fn keeps_single(analysis: &Analysis, rules: &[Rule]) -> bool {
    let mut i = 0;
    while i < rules.len() {
        let run = rules[i..].iter().take_while(|r| is_static(r)).count();
        if run > 0 {
            if analysis.relation(&rules[i..i + run]).widest > 1 {
                return false;
            }
            i += run;
            continue;
        }
        let keeps = match &rules[i].kind {
            RuleKind::On(_) | RuleKind::Comparison(..) | RuleKind::Condition { .. } => true,
            RuleKind::Concatenation(parts) => keeps_single(analysis, parts),
            RuleKind::Sum(alternatives) => alternatives.iter().all(only_tests),
            _ => false,
        };
        if !keeps {
            return false;
        }
        i += 1;
    }
    true
}

fn only_tests(rule: &Rule) -> bool {
    match &rule.kind {
        RuleKind::On(_) | RuleKind::Comparison(..) | RuleKind::Condition { .. } => true,
        RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => parts.iter().all(only_tests),
        _ => false,
    }
}

/// One of several ways through rules without modifiers: steps of one distance each, and tests.
type Path<'r> = Vec<PathItem<'r>>;

#[derive(Clone)]
enum PathItem<'r> {
    Move(Group),
    /// To a position, wherever the walk was.
    Jump(usize),
    Test(&'r Rule),
}

/// Most paths and ways that are drawn from without knowing which are open.
const MAX_WAYS: u64 = 16;

/// Most ways when choices that follow each other are drawn before they are counted.
const MAX_CHAIN: u64 = 4096;

/// What may follow a choice that is counted by population count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spread {
    /// One vertex at a time.
    No,
    /// Also a few paths to different vertices.
    Paths,
    /// Also sets of vertices, as long as there is only one way to go on: one of as many vertices as
    /// there can be at most is drawn, and the draw fails if there are not so many (prefix acceptance).
    Chain,
}

/// The ways through rules without modifiers, if there are few, each from one vertex to one vertex, and
/// no two of them can lead to the same vertex.
fn paths<'r>(analysis: &Analysis, rules: &'r [Rule]) -> Option<Vec<Path<'r>>> {
    let paths = expand(analysis, rules)?;
    // Where a path ends: a position, or a distance from where it began.
    let mut ends: Vec<(bool, i32)> = paths
        .iter()
        .map(|path| {
            path.iter().fold((false, 0), |(jumped, at), item| match item {
                PathItem::Move(group) => (jumped, at + group.delta),
                PathItem::Jump(to) => (true, *to as i32),
                PathItem::Test(_) => (jumped, at),
            })
        })
        .collect();
    ends.sort_unstable();
    ends.dedup();
    let comparable = ends.iter().all(|(jumped, _)| *jumped == ends[0].0);
    (comparable && ends.len() == paths.len()).then_some(paths)
}

fn expand<'r>(analysis: &Analysis, rules: &'r [Rule]) -> Option<Vec<Path<'r>>> {
    let mut all: Vec<Path<'r>> = vec![Vec::new()];
    let mut i = 0;
    while i < rules.len() {
        let run = rules[i..].iter().take_while(|r| is_static(r)).count();
        let options: Vec<Path<'r>> = if run > 0 {
            let relation = analysis.relation(&rules[i..i + run]);
            i += run;
            match &relation.constant {
                Some(constant) if constant.len() as u64 <= MAX_WAYS => {
                    constant.iter().map(|p| vec![PathItem::Jump(p)]).collect()
                }
                None if relation.groups.len() as u64 <= MAX_WAYS => {
                    relation.groups.iter().map(|g| vec![PathItem::Move(g.clone())]).collect()
                }
                _ => return None,
            }
        } else {
            let rule = &rules[i];
            i += 1;
            match &rule.kind {
                RuleKind::On(_) | RuleKind::Comparison(..) | RuleKind::Condition { .. } => {
                    vec![vec![PathItem::Test(rule)]]
                }
                RuleKind::Concatenation(parts) => expand(analysis, parts)?,
                RuleKind::Sum(alternatives) => {
                    let mut options = Vec::new();
                    for alternative in alternatives {
                        options.extend(expand(analysis, std::slice::from_ref(alternative))?);
                    }
                    options
                }
                _ => return None,
            }
        };
        if (all.len() * options.len()) as u64 > MAX_WAYS {
            return None;
        }
        all = all
            .iter()
            .flat_map(|path| {
                options.iter().map(move |more| path.iter().chain(more).cloned().collect())
            })
            .collect();
    }
    Some(all)
}

/// How many ways there are from a node at one vertex to a switch, if every one of them keeps to one
/// vertex at a time and no two of them can be the same move.
fn tail_ways(analysis: &Analysis, node: u32, spread: Spread, fuel: &mut u32) -> Option<u64> {
    *fuel = fuel.checked_sub(1)?;
    let arcs = &analysis.segments.nodes[node as usize];
    if spread == Spread::Chain && arcs.len() > 1 {
        return None;
    }
    let mut ways = 0;
    for (arc, to) in arcs {
        ways += match arc {
            Arc::Empty | Arc::Off(..) | Arc::Assign(..) | Arc::Check { .. } => {
                tail_ways(analysis, *to, spread, fuel)?
            }
            Arc::Pure(rules) if keeps_single(analysis, rules) => {
                tail_ways(analysis, *to, spread, fuel)?
            }
            Arc::Pure(rules) if spread != Spread::No => {
                let width = match paths(analysis, rules) {
                    Some(paths) => paths.len(),
                    None if spread == Spread::Chain => analysis.width(rules),
                    None => return None,
                };
                width as u64 * tail_ways(analysis, *to, spread, fuel)?
            }
            Arc::Switch(..) => 1,
            Arc::Pure(_) | Arc::Dot(_) => return None,
        };
    }
    (ways <= if spread == Spread::Chain { MAX_CHAIN } else { MAX_WAYS }).then_some(ways)
}

/// The ways from a node of a tail that has been counted.
fn ways_behind(analysis: &Analysis, node: u32) -> u64 {
    [Spread::No, Spread::Paths, Spread::Chain]
        .into_iter()
        .find_map(|spread| tail_ways(analysis, node, spread, &mut 60))
        .unwrap_or(1)
}

/// True if two ways through the segment that begins at a node come together again.
fn has_joins(analysis: &Analysis, node: u32) -> bool {
    let Some(order) = analysis.segments.topological(node) else { return true };
    let mut seen = rustc_hash::FxHashSet::default();
    for node in order {
        for (arc, to) in &analysis.segments.nodes[node as usize] {
            if arc.is_inner() && !seen.insert(*to) {
                return true;
            }
        }
    }
    false
}

impl Emitter<'_, '_> {
    /// The body of `playout(state, context, choices, limit) -> outcome`.
    pub(crate) fn playout_function(&mut self, player: &mut Player) -> Result<(), Unsupported> {
        let layout = self.analysis.layout;
        let zero = self.constant(0);
        self.b.def_var(player.length, zero);
        let seed = self.load_word(player.context, 1);
        self.b.def_var(player.random, seed);
        player.keeper.players = Some(Default::default());
        let dispatch = self.b.create_block();
        self.b.append_block_param(dispatch, I64);
        let position = self.load_word(player.state, layout.node());
        self.b.ins().jump(dispatch, &[position.into()]);
        self.b.switch_to_block(dispatch);
        let position = self.b.block_params(dispatch)[0];
        let mut switch = Switch::new();
        for (number, node) in self.keeper_positions() {
            let block = player.keeper.block(self, node);
            switch.set_entry(u128::from(number), block);
        }
        for (arc, to) in self.analysis.segments.nodes.iter().flatten() {
            if let Arc::Switch(p, number) = arc
                && p.0 != 0
            {
                let block = player.keeper.player_block(self, *to);
                switch.set_entry(u128::from(*number), block);
            }
        }
        switch.emit(&mut self.b, position, player.over);
        loop {
            self.keeper_blocks(&mut player.keeper)?;
            let players = player.keeper.players.get_or_insert_default();
            let Some(node) = players.pending.pop() else { break };
            let block = player.keeper.player_block(self, node);
            self.b.switch_to_block(block);
            self.player_node(player, node, dispatch)?;
        }
        let stuck = self.keeper_stuck(&player.keeper);
        self.b.switch_to_block(stuck);
        let env = self.env_of(&player.keeper.complete);
        let pointer = self.b.use_var(player.keeper.complete.pointer);
        self.store_state(&env, pointer, player.state);
        self.b.ins().jump(player.over, &[]);
        self.b.switch_to_block(player.over);
        let random = self.b.use_var(player.random);
        self.store_word(player.context, 1, random);
        let length = self.b.use_var(player.length);
        self.store_word(player.context, 2, length);
        let zero = self.constant(0);
        self.b.ins().return_(&[zero]);
        self.b.switch_to_block(player.keeper.endless());
        let one = self.constant(1);
        self.b.ins().return_(&[one]);
        // A block of the keeper's that nothing jumps to in a playout.
        self.b.switch_to_block(player.keeper.unused());
        self.b.ins().return_(&[one]);
        Ok(())
    }

    /// A random number below a bound.
    fn below(&mut self, player: &Player, bound: Value) -> Value {
        let state = self.b.use_var(player.random);
        let add = self.constant(0xa076_1d64_78bd_642f_u64 as i64);
        let xor = self.constant(0xe703_7ed1_a0b4_28db_u64 as i64);
        let state = self.b.ins().iadd(state, add);
        self.b.def_var(player.random, state);
        let other = self.b.ins().bxor(state, xor);
        let high = self.b.ins().umulhi(state, other);
        let low = self.b.ins().imul(state, other);
        let bits = self.b.ins().bxor(high, low);
        self.b.ins().umulhi(bits, bound)
    }

    /// The position of the n-th bit of a set.
    fn nth(&mut self, player: &Player, set: &Set, n: Value) -> Value {
        let mut word = set.0[0].value(&mut self.b);
        let mut base = self.constant(0);
        let mut rest = n;
        let mut before = self.constant(0);
        for (i, w) in set.0.iter().enumerate() {
            let value = w.value(&mut self.b);
            if i > 0 {
                let here = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, n, before);
                word = self.b.ins().select(here, value, word);
                let less = self.b.ins().isub(n, before);
                rest = self.b.ins().select(here, less, rest);
                let start = self.constant(i as i64 * 64);
                base = self.b.ins().select(here, start, base);
            }
            if i + 1 < set.0.len() {
                let count = self.b.ins().popcnt(value);
                before = self.b.ins().iadd(before, count);
            }
        }
        let call = self.b.ins().call(player.select, &[word, rest]);
        let at = self.b.inst_results(call)[0];
        self.b.ins().iadd(at, base)
    }

    /// A player's turn.
    fn player_node(
        &mut self,
        player: &mut Player,
        node: u32,
        dispatch: Block,
    ) -> Result<(), Unsupported> {
        let length = self.b.use_var(player.length);
        let length = self.b.ins().iadd_imm_s(length, 1);
        self.b.def_var(player.length, length);
        let slow = self.b.create_block();
        let steps = self.b.append_block_param(slow, I64);
        let env = self.env_of(&player.keeper.slots);
        let pointer = self.b.use_var(player.keeper.slots.pointer);
        let here = self.at(pointer);
        let zero = self.constant(0);
        if player.by_helper || !self.is_countable(node, &mut Vec::new()) {
            self.b.ins().jump(slow, &[zero.into()]);
        } else if player.mode == Mode::Full {
            self.full_move(player, node, &here, &env, slow)?;
        } else {
            let top = self.b.create_block();
            self.b.ins().jump(top, &[]);
            self.b.switch_to_block(top);
            self.split_level(player, node, &here, &env, None, slow, 0)?;
        }
        self.b.switch_to_block(slow);
        let env = self.env_of(&player.keeper.slots);
        let pointer = self.b.use_var(player.keeper.slots.pointer);
        self.store_state(&env, pointer, player.state);
        let number = self.number_behind(node);
        let number = self.constant(i64::from(number));
        let layout = self.analysis.layout;
        self.store_word(player.state, layout.node(), number);
        let random = self.b.use_var(player.random);
        self.store_word(player.context, 1, random);
        let call = self.b.ins().call(player.choose, &[player.context, player.state, steps]);
        let moved = self.b.inst_results(call)[0];
        let random = self.load_word(player.context, 1);
        self.b.def_var(player.random, random);
        let (go, none) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(moved, go, &[], none, &[]);
        self.b.switch_to_block(none);
        // The turn was counted, but no move was made.
        let length = self.b.use_var(player.length);
        let length = self.b.ins().iadd_imm_s(length, -1);
        self.b.def_var(player.length, length);
        self.b.ins().jump(player.over, &[]);
        self.b.switch_to_block(go);
        let slots = player.keeper.slots.clone();
        self.load_slots(&slots, player.state);
        let complete = player.keeper.complete.clone();
        self.load_slots(&complete, player.state);
        let position = self.load_word(player.state, layout.node());
        self.b.ins().jump(dispatch, &[position.into()]);
        Ok(())
    }

    /// A switch that leads to a node.
    fn number_behind(&self, node: u32) -> u32 {
        let segments = &self.analysis.segments;
        let arcs = segments.nodes.iter().flatten();
        arcs.into_iter()
            .find_map(|(arc, to)| match arc {
                Arc::Switch(_, number) if segments.canonical(*to) == node => Some(*number),
                _ => None,
            })
            .unwrap_or(0)
    }

    /// True if code can be made for the choices from a node: no loops through modifiers, no split
    /// points, and not too much of it.
    fn is_countable(&self, node: u32, inside: &mut Vec<u32>) -> bool {
        let segments = &self.analysis.segments;
        if inside.contains(&node) || inside.len() > 12 {
            return false;
        }
        let Some(order) = segments.topological(node) else { return false };
        inside.push(node);
        let fine = order.iter().all(|n| {
            segments.nodes[*n as usize].iter().all(|(arc, to)| match arc {
                Arc::Off(..) | Arc::Assign(..) => {
                    self.is_countable(segments.canonical(*to), inside)
                }
                Arc::Dot(_) => false,
                _ => true,
            })
        });
        inside.pop();
        fine
    }

    // --- full moves -------------------------------------------------------------------------------

    fn full_move(
        &mut self,
        player: &mut Player,
        node: u32,
        here: &Where,
        env: &Env,
        slow: Block,
    ) -> Result<(), Unsupported> {
        let total = self.b.declare_var(I64);
        let zero = self.constant(0);
        self.b.def_var(total, zero);
        self.count_moves(node, here, env, total, 0)?;
        let tries = self.b.declare_var(I64);
        self.b.def_var(tries, zero);
        let (draw, go) = (self.b.create_block(), self.b.create_block());
        let n = self.b.use_var(total);
        self.b.ins().brif(n, draw, &[], slow, &[zero.into()]);
        self.b.switch_to_block(draw);
        let count = self.b.use_var(tries);
        let count = self.b.ins().iadd_imm_s(count, 1);
        self.b.def_var(tries, count);
        let too_many = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, count, MAX_TRIES);
        self.b.ins().brif(too_many, slow, &[zero.into()], go, &[]);
        self.b.switch_to_block(go);
        let bound = self.b.use_var(total);
        let r = self.below(player, bound);
        let rest = self.b.declare_var(I64);
        self.b.def_var(rest, r);
        self.select_move(player, node, here, env, Draw { rest, reject: draw }, 0)?;
        // Counting and selecting see the same moves, so nothing is left over.
        self.b.ins().jump(draw, &[]);
        Ok(())
    }

    /// How the exits of a segment are counted. If all that can be done behind them is to try one of a few
    /// ways, none of them needs to be looked at vertex by vertex; inside a loop a choice and what
    /// follows it is drawn without a further loop.
    fn spread(&self, exits: &[(u32, usize, Where)], loops: usize) -> Spread {
        let all_have_few_ways = exits.iter().all(|(node, i, _)| {
            let (arc, to) = &self.analysis.segments.nodes[*node as usize][*i];
            self.tail_of(arc, *to, Spread::Paths).is_some()
        });
        match (all_have_few_ways, loops) {
            (true, _) => Spread::Paths,
            (false, 0) => Spread::No,
            (false, _) => Spread::Chain,
        }
    }

    /// How many ways lead on from the target of an exit, if that is always the same.
    fn tail_of(&self, arc: &Arc, to: u32, spread: Spread) -> Option<u64> {
        // What has one way only is not drawn blindly.
        if spread == Spread::Chain
            && let Some(ways) = self.tail_of(arc, to, Spread::No)
        {
            return Some(ways);
        }
        if matches!(arc, Arc::Switch(..)) {
            return Some(1);
        }
        let mut fuel = 60;
        let ways = tail_ways(self.analysis, to, spread, &mut fuel)?;
        (ways > 0 && !self.tail_has_joins(to)).then_some(ways)
    }

    fn tail_has_joins(&self, node: u32) -> bool {
        has_joins(self.analysis, node)
            || self.analysis.segments.topological(node).is_none_or(|order| {
                order.iter().any(|n| {
                    self.analysis.segments.nodes[*n as usize].iter().any(|(arc, to)| {
                        matches!(arc, Arc::Off(..) | Arc::Assign(..)) && self.tail_has_joins(*to)
                    })
                })
            })
    }

    /// Adds the number of moves (as far as it can be told without trying) to a slot.
    fn count_moves(
        &mut self,
        node: u32,
        here: &Where,
        env: &Env,
        total: Slot,
        loops: usize,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let exits = self.exits(node, here, env)?;
        let spread = self.spread(&exits, loops);
        for (node, i, place) in exits {
            let (arc, to) = &self.analysis.segments.nodes[node as usize][i];
            if let Some(ways) = self.tail_of(arc, *to, spread) {
                let set = self.clean(&place);
                let count = set.count(&mut self.b);
                let count =
                    if ways == 1 { count } else { self.b.ins().imul_imm_s(count, ways as i64) };
                let old = self.b.use_var(total);
                let new = self.b.ins().iadd(old, count);
                self.b.def_var(total, new);
                continue;
            }
            let mut failure = None;
            let under = place.under;
            let deeper = loops + usize::from(place.at.is_none());
            self.for_each_place(&place, |this, at| {
                let mut env = env.clone();
                let mut here = this.at(at);
                here.under = under;
                let ok = this.modify(&mut env, &mut here, arc);
                let after = this.guard(ok);
                let to = this.analysis.segments.canonical(*to);
                if let Err(e) = this.count_moves(to, &here, &env, total, deeper) {
                    failure = Some(e);
                }
                this.rejoin(after);
            });
            if let Some(failure) = failure {
                return Err(failure);
            }
        }
        Ok(())
    }

    /// Finds the move of a number and makes it; jumps to `reject` if it is not legal after all.
    fn select_move(
        &mut self,
        player: &mut Player,
        node: u32,
        here: &Where,
        env: &Env,
        draw: Draw,
        loops: usize,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let exits = self.exits(node, here, env)?;
        let spread = self.spread(&exits, loops);
        for (node, i, place) in exits {
            let (arc, to) = &self.analysis.segments.nodes[node as usize][i];
            if place.set.is_empty_constant() {
                continue;
            }
            let under = place.under;
            if let Some(ways) = self.tail_of(arc, *to, spread) {
                let set = self.clean(&place);
                let mut count = set.count(&mut self.b);
                if ways > 1 {
                    count = self.b.ins().imul_imm_s(count, ways as i64);
                }
                let r = self.b.use_var(draw.rest);
                let (take, skip) = (self.b.create_block(), self.b.create_block());
                let mine = self.b.ins().icmp(IntCC::UnsignedLessThan, r, count);
                self.b.ins().brif(mine, take, &[], skip, &[]);
                self.b.switch_to_block(take);
                let (index, way) = if ways == 1 {
                    (r, None)
                } else {
                    let index = self.b.ins().udiv_imm_s(r, ways as i64);
                    let whole = self.b.ins().imul_imm_s(index, ways as i64);
                    (index, Some(self.b.ins().isub(r, whole)))
                };
                let at = match place.at {
                    Some(at) => at,
                    None => self.nth(player, &set, index),
                };
                let mut here = self.at(at);
                here.under = under;
                let mut env = env.clone();
                let ok = self.modify(&mut env, &mut here, arc);
                self.require(ok, draw.reject);
                if let Arc::Switch(p, _) = arc {
                    self.commit(player, p.0, *to, &here, &env)?;
                } else {
                    self.tail(player, *to, &here, &env, way, draw.reject)?;
                }
                self.b.switch_to_block(skip);
                let left = self.b.ins().isub(r, count);
                self.b.def_var(draw.rest, left);
                continue;
            }
            let mut failure = None;
            let deeper = loops + usize::from(place.at.is_none());
            self.for_each_place(&place, |this, at| {
                let mut env = env.clone();
                let mut here = this.at(at);
                here.under = under;
                let ok = this.modify(&mut env, &mut here, arc);
                let after = this.guard(ok);
                let to = this.analysis.segments.canonical(*to);
                if let Err(e) = this.select_move(player, to, &here, &env, draw, deeper) {
                    failure = Some(e);
                }
                this.rejoin(after);
            });
            if let Some(failure) = failure {
                return Err(failure);
            }
        }
        Ok(())
    }

    fn require(&mut self, condition: Bool, otherwise: Block) {
        if let Bool::Value(c) = condition {
            let go = self.b.create_block();
            self.b.ins().brif(c, go, &[], otherwise, &[]);
            self.b.switch_to_block(go);
        }
    }

    /// Walks one of the ways behind the last choice; jumps to `reject` if it is blocked.
    fn tail(
        &mut self,
        player: &mut Player,
        node: u32,
        here: &Where,
        env: &Env,
        way: Option<Value>,
        reject: Block,
    ) -> Result<(), Unsupported> {
        let analysis = self.analysis;
        let arcs = &analysis.segments.nodes[node as usize];
        // Every arc is one option, or as many as it has paths.
        let mut options: Vec<(&Arc, u32, Option<Path<'_>>, u64)> = Vec::new();
        for (arc, to) in arcs {
            match arc {
                Arc::Pure(rules) if !keeps_single(analysis, rules) => {
                    match paths(analysis, rules) {
                        Some(found) => {
                            options.extend(found.into_iter().map(|path| (arc, *to, Some(path), 1)));
                        }
                        None => options.push((arc, *to, None, analysis.width(rules) as u64)),
                    }
                }
                _ => options.push((arc, *to, None, 1)),
            }
        }
        let mut first = 0u64;
        let several = options.len() > 1;
        for (arc, to, path, width) in options {
            let behind = match arc {
                Arc::Switch(..) => 1,
                _ => ways_behind(analysis, to),
            };
            let ways = width * behind;
            let next = match way.filter(|_| several) {
                Some(way) => {
                    let (mine, next) = (self.b.create_block(), self.b.create_block());
                    let last = (first + ways) as i64;
                    let below = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, way, last);
                    self.b.ins().brif(below, mine, &[], next, &[]);
                    self.b.switch_to_block(mine);
                    Some(next)
                }
                None => None,
            };
            let mut inner_way = way.map(|w| self.b.ins().iadd_imm_s(w, -(first as i64)));
            let mut env = env.clone();
            let mut place = match (arc, &path) {
                (_, Some(path)) => self.forward_path(path, here, &env),
                (Arc::Pure(rules), None) => self.forward(rules, here, &env),
                (Arc::Check { negated, start, end }, None) => {
                    self.check(*negated, *start, *end, here, &env)?
                }
                _ => here.clone(),
            };
            if place.set.is_empty_constant() {
                self.b.ins().jump(reject, &[]);
            } else {
                if width > 1 || place.at.is_none() {
                    // One of as many vertices as there can be at most; there may be fewer.
                    let zero = self.constant(0);
                    let way = inner_way.unwrap_or(zero);
                    let index = self.b.ins().udiv_imm_s(way, behind as i64);
                    let whole = self.b.ins().imul_imm_s(index, behind as i64);
                    inner_way = Some(self.b.ins().isub(way, whole));
                    let set = self.clean(&place);
                    let count = set.count(&mut self.b);
                    let exists = self.b.ins().icmp(IntCC::UnsignedLessThan, index, count);
                    self.require(Bool::Value(exists), reject);
                    let at = self.nth(player, &set, index);
                    let under = place.under;
                    place = self.at(at);
                    place.under = under;
                } else if !place.certain {
                    let set = self.clean(&place);
                    let some = set.is_nonempty(&mut self.b);
                    self.require(some, reject);
                    let at = place.at.expect("a tail keeps to one vertex");
                    let under = place.under;
                    place = self.at(at);
                    place.under = under;
                }
                let ok = self.modify(&mut env, &mut place, arc);
                self.require(ok, reject);
                match arc {
                    Arc::Switch(p, _) => self.commit(player, p.0, to, &place, &env)?,
                    _ => self.tail(player, to, &place, &env, inner_way, reject)?,
                }
            }
            first += ways;
            match next {
                Some(next) => self.b.switch_to_block(next),
                None => return Ok(()),
            }
        }
        self.b.ins().jump(reject, &[]);
        Ok(())
    }

    /// Walks along one path.
    fn forward_path(&mut self, path: &[PathItem<'_>], from: &Where, env: &Env) -> Where {
        let mut place = from.clone();
        for item in path {
            place = match item {
                PathItem::Move(group) => self.follow_group(group, &place),
                PathItem::Jump(to) => {
                    let to = self.constant(*to as i64);
                    let reached = self.nonempty(&place);
                    let mut there = self.at(to);
                    there.set = there.set.when(reached, &mut self.b);
                    there.certain = reached == Bool::Const(true);
                    there
                }
                PathItem::Test(rule) => self.forward(std::slice::from_ref(*rule), &place, env),
            };
        }
        place
    }

    /// Ends a move: the edited values become the state, and the next to move goes on.
    fn commit(
        &mut self,
        player: &mut Player,
        to_move: u8,
        node: u32,
        here: &Where,
        env: &Env,
    ) -> Result<(), Unsupported> {
        let pointer = here.at.expect("a switch happens on one vertex");
        let complete = player.keeper.complete.clone();
        self.fill_slots(&complete, env, pointer);
        if to_move == 0 {
            return self.keeper_continue(&mut player.keeper, node, here, env);
        }
        let slots = player.keeper.slots.clone();
        self.fill_slots(&slots, env, pointer);
        let block = player.keeper.player_block(self, node);
        self.b.ins().jump(block, &[]);
        Ok(())
    }

    // --- split moves ------------------------------------------------------------------------------

    /// Draws one modifier after the other. `above` is the level to which a dead end goes back.
    #[allow(clippy::too_many_arguments)]
    fn split_level(
        &mut self,
        player: &mut Player,
        node: u32,
        here: &Where,
        env: &Env,
        above: Option<Level>,
        slow: Block,
        depth: usize,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let mut exits = self.exits(node, here, env)?;
        exits.retain(|(_, _, place)| !place.set.is_empty_constant());
        let sets: Vec<Set> = exits.iter().map(|(_, _, place)| self.clean(place)).collect();
        let dead = |this: &mut Self| match above {
            Some(level) => {
                this.b.ins().jump(level.redraw, &[]);
            }
            None => {
                let zero = this.constant(0);
                this.b.ins().jump(slow, &[zero.into()]);
            }
        };
        if let ([(n, i, place)], true) =
            (exits.as_slice(), exits.first().is_some_and(|e| e.2.at.is_some()))
        {
            // One way only: no choice, and a dead end is one of the level above.
            let (arc, to) = &self.analysis.segments.nodes[*n as usize][*i];
            let some =
                if place.certain { Bool::Const(true) } else { sets[0].is_nonempty(&mut self.b) };
            let failed = self.b.create_block();
            self.require(some, failed);
            let mut env = env.clone();
            let at = place.at.expect("checked above");
            let mut here = self.at(at);
            here.under = place.under;
            let ok = self.modify(&mut env, &mut here, arc);
            self.require(ok, failed);
            self.split_step(player.context, depth, arc.modifier(), at);
            if let Arc::Switch(p, _) = arc {
                self.commit(player, p.0, *to, &here, &env)?;
            } else {
                let to = self.analysis.segments.canonical(*to);
                self.split_level(player, to, &here, &env, above, slow, depth + 1)?;
            }
            self.b.switch_to_block(failed);
            dead(self);
            return Ok(());
        }
        let mut total = self.constant(0);
        let mut bounds = Vec::new();
        for set in &sets {
            let count = set.count(&mut self.b);
            total = self.b.ins().iadd(total, count);
            bounds.push(total);
        }
        let tries = self.b.declare_var(I64);
        let zero = self.constant(0);
        self.b.def_var(tries, zero);
        let (draw, go, none) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().brif(total, draw, &[], none, &[]);
        self.b.switch_to_block(none);
        dead(self);
        self.b.switch_to_block(draw);
        let count = self.b.use_var(tries);
        let count = self.b.ins().iadd_imm_s(count, 1);
        self.b.def_var(tries, count);
        let too_many = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, count, MAX_TRIES);
        let depth_value = self.constant(depth as i64);
        self.b.ins().brif(too_many, slow, &[depth_value.into()], go, &[]);
        self.b.switch_to_block(go);
        let r = self.below(player, total);
        let level = Level { redraw: draw, depth };
        let mut before = self.constant(0);
        for (k, (n, i, place)) in exits.iter().enumerate() {
            let (arc, to) = &self.analysis.segments.nodes[*n as usize][*i];
            let next = self.b.create_block();
            if k + 1 < exits.len() {
                let take = self.b.create_block();
                let mine = self.b.ins().icmp(IntCC::UnsignedLessThan, r, bounds[k]);
                self.b.ins().brif(mine, take, &[], next, &[]);
                self.b.switch_to_block(take);
            }
            let index = self.b.ins().isub(r, before);
            let at = match place.at {
                Some(at) => at,
                None => self.nth(player, &sets[k], index),
            };
            let mut env = env.clone();
            let mut here = self.at(at);
            here.under = place.under;
            let ok = self.modify(&mut env, &mut here, arc);
            self.require(ok, level.redraw);
            self.split_step(player.context, level.depth, arc.modifier(), at);
            if let Arc::Switch(p, _) = arc {
                self.commit(player, p.0, *to, &here, &env)?;
            } else {
                let to = self.analysis.segments.canonical(*to);
                self.split_level(player, to, &here, &env, Some(level), slow, depth + 1)?;
            }
            self.b.switch_to_block(next);
            before = bounds[k];
        }
        // Every number below the total belongs to one of the exits; this block is never reached.
        self.b.ins().jump(draw, &[]);
        Ok(())
    }

    /// Remembers a step, for the helper.
    fn split_step(&mut self, context: Value, depth: usize, modifier: u32, at: Value) {
        let depth = self.constant(depth as i64);
        self.store_step(context, depth, modifier, at);
    }
}
