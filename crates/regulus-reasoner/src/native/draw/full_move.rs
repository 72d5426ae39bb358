//! Drawing a whole move uniformly: the entries of all moves are counted once, one is selected by a
//! random number, and the rest of the move is drawn from what can be there at most; a draw that turns
//! out not to be a move is repeated (passes P9 and P10).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::Switch;

use super::continuation::{Amount, Branch};
use super::entries::{Entries, Entry, HEADER, Next, Position, saved_values};
use super::playout::{MAX_TRIES, PlayoutEmitter};
use super::walk::Draw;
use crate::native::Unsupported;
use crate::native::analysis::segments::NodeId;
use crate::native::emit::Emitter;
use crate::native::remarks::Left;
use crate::native::runtime::room::scratch_words;
use crate::native::sets::environment::Env;
use crate::native::sets::pointer_set::PointerSet;
use crate::native::sets::set::{Set, Word};

/// Where a turn can go.
#[derive(Clone, Copy)]
pub(crate) struct Ends {
    /// The helper makes the move.
    pub(crate) slow: Block,
    /// There is surely no move.
    pub(crate) none: Block,
    /// A move was made in the state in memory.
    pub(crate) dispatch: Block,
}

/// Entries that are drawn by the same code.
struct Family {
    members: Vec<Entry>,
    weight: Amount,
    /// How many vertices the members have together, after each of them.
    ends: Vec<Value>,
}

impl Emitter<'_, '_> {
    /// Draws and makes a move, or leaves for one of the ends.
    pub(crate) fn full_move(
        &mut self,
        player: &mut PlayoutEmitter,
        node: NodeId,
        here: &PointerSet,
        env: &Env,
        Ends { slow, none, dispatch }: Ends,
    ) -> Result<(), Unsupported> {
        let zero = self.constant(0);
        let Some(rest) = self.plan(node, env, &player.keeper.stretches) else {
            self.analysis.notes.leave(Left::Listed, node);
            self.b.ins().jump(slow, &[zero.into()]);
            return Ok(());
        };
        // The keeper has no choice points while a player moves; their memory holds the entries. The
        // first entry stands for what is before all others.
        let memory = player.keeper.bottom;
        let bytes = self.entry_bytes();
        let first = self.b.ins().iadd_imm_s(memory, bytes);
        let mut entries = Entries::new(self, first);
        entries.chains = rest.chains.then(|| self.begin_chains(player, slow));
        self.collect_entries(&mut entries, &rest, here, env)?;
        let walked = entries.chains.map(|_| self.end_chains(player));
        if (entries.capacity + 2) as i64 * bytes > self.scratch_bytes() {
            return Err(Unsupported("too many entries".to_owned()));
        }
        self.make_shrinking(&mut entries.fixed);
        let mut families = self.families(std::mem::take(&mut entries.fixed));
        let sites = entries.sites.iter().map(|s| s.weight);
        let weights: Vec<Amount> = families.iter().map(|f| f.weight).chain(sites).collect();
        if entries.sites.is_empty() && walked.is_none() && weights.iter().all(|w| *w == weights[0])
        {
            families.iter_mut().for_each(|f| f.weight = Amount::Const(1));
        }
        let ends = self.family_ends(&families);
        let mut total = ends.last().copied().unwrap_or(zero);
        if !entries.sites.is_empty() {
            self.store_word(memory, 0, zero);
            let written = self.b.use_var(entries.total);
            total = if ends.is_empty() { written } else { self.b.ins().iadd(total, written) };
        }
        let counted = total;
        if let Some(walked) = walked {
            total = self.b.ins().iadd(total, walked);
        }
        let retry = self.draw_again(total, zero, (slow, none));
        let number = self.below(player, total);
        if walked.is_some() {
            self.draw_chain(player, (number, counted), dispatch);
        }
        let mut draw = Draw { player, reject: retry };
        for (k, family) in families.iter().enumerate() {
            let last = k + 1 == families.len() && entries.sites.is_empty();
            let next = self.b.create_block();
            if !last {
                let take = self.b.create_block();
                let mine = self.b.ins().icmp(IntCC::UnsignedLessThan, number, ends[k]);
                self.b.ins().brif(mine, take, &[], next, &[]);
                self.b.switch_to_block(take);
            }
            let number = if k == 0 { number } else { self.b.ins().isub(number, ends[k - 1]) };
            self.draw_from_family(&mut draw, family, number)?;
            if last {
                return Ok(());
            }
            self.b.switch_to_block(next);
        }
        if entries.sites.is_empty() {
            // There is nothing to draw from.
            self.b.ins().jump(none, &[]);
            return Ok(());
        }
        let number = match ends.last() {
            None => number,
            Some(before) => self.b.ins().isub(number, *before),
        };
        self.draw_written(&mut draw, &entries, number)
    }

    /// Makes the move that was kept of all chains if a number is beyond those that were counted; goes on if not.
    fn draw_chain(
        &mut self,
        player: &PlayoutEmitter,
        (number, counted): (Value, Value),
        dispatch: Block,
    ) {
        let (chain, other) = (self.b.create_block(), self.b.create_block());
        let is_counted = self.b.ins().icmp(IntCC::UnsignedLessThan, number, counted);
        self.b.ins().brif(is_counted, other, &[], chain, &[]);
        self.b.switch_to_block(chain);
        self.keeper_move_begun(&player.keeper);
        self.play_on(player, dispatch);
        self.b.switch_to_block(other);
    }

    /// How many ways families have together, after each of them.
    fn family_ends(&mut self, families: &[Family]) -> Vec<Value> {
        let mut ends: Vec<Value> = Vec::new();
        for family in families {
            let mut count = *family.ends.last().expect("families have members");
            if family.weight != Amount::Const(1) {
                let weight = self.amount(family.weight);
                count = self.b.ins().imul(count, weight);
            }
            let end = match ends.last() {
                None => count,
                Some(before) => self.b.ins().iadd(*before, count),
            };
            ends.push(end);
        }
        ends
    }

    /// Goes on where a draw begins, if there is anything to draw from; gives the block that draws again. It jumps to
    /// `slow` after too many tries.
    fn draw_again(&mut self, total: Value, zero: Value, (slow, none): (Block, Block)) -> Block {
        let tries = self.b.declare_var(I64);
        self.b.def_var(tries, zero);
        let (draw, retry) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(total, draw, &[], none, &[]);
        self.b.switch_to_block(retry);
        let count = self.b.use_var(tries);
        let count = self.b.ins().iadd_imm_s(count, 1);
        self.b.def_var(tries, count);
        let too_many = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, count, MAX_TRIES);
        self.b.ins().brif(too_many, slow, &[zero.into()], draw, &[]);
        self.b.switch_to_block(draw);
        retry
    }

    /// The memory of the keeper's choice points.
    fn scratch_bytes(&self) -> i64 {
        8 * scratch_words(self.analysis) as i64
    }

    /// Brings entries together that differ in their distances only.
    fn families(&mut self, entries: Vec<Entry>) -> Vec<Family> {
        let mut families: Vec<Family> = Vec::new();
        for entry in entries {
            let count = entry.set.count(&mut self.b);
            let family = families.iter_mut().find(|f| is_same_walk(&f.members[0], &entry));
            match family {
                Some(family) => {
                    let before = *family.ends.last().expect("families have members");
                    let end = self.b.ins().iadd(before, count);
                    family.ends.push(end);
                    family.members.push(entry);
                }
                None => {
                    let weight = entry.weight;
                    families.push(Family { members: vec![entry], weight, ends: vec![count] });
                }
            }
        }
        families
    }

    /// The number of a vertex, from a number among all the ways behind all vertices.
    fn without_weight(
        &mut self,
        player: &PlayoutEmitter,
        number: Value,
        weight: Amount,
        count: Value,
    ) -> Value {
        match weight {
            Amount::Const(1) => number,
            Amount::Const(weight) => self.b.ins().udiv_imm_s(number, weight as i64),
            // Drawing again is cheaper than dividing.
            Amount::Value(_) => self.below(player, count),
        }
    }

    fn draw_from_family(
        &mut self,
        draw: &mut Draw<'_>,
        family: &Family,
        number: Value,
    ) -> Result<(), Unsupported> {
        let all = *family.ends.last().expect("families have members");
        let number = self.without_weight(draw.player, number, family.weight, all);
        let first = &family.members[0];
        // Which member it is is random: selected, not branched on.
        let mut set = first.set.clone();
        let mut index = number;
        let mut distances: Vec<(Amount, i32)> =
            first.steps.iter().map(|s| distance_of(s.at)).collect();
        let mut under = first.under;
        let mut steps = first.steps.clone();
        for (k, member) in family.members.iter().enumerate().skip(1) {
            let start = family.ends[k - 1];
            let here = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, number, start);
            set = self.select_set(here, &member.set, &set);
            let less = self.b.ins().isub(number, start);
            index = self.b.ins().select(here, less, index);
            for (i, step) in member.steps.iter().enumerate() {
                let (mine, d) = distance_of(step.at);
                if d != distances[i].1 || matches!(distances[i].0, Amount::Value(_)) {
                    let (mine, old) = (self.amount(mine), self.amount(distances[i].0));
                    let chosen = self.b.ins().select(here, mine, old);
                    distances[i] = (Amount::Value(chosen), d);
                }
                steps[i].under = steps[i].under.union(step.under);
            }
            under = under.union(member.under);
        }
        let most = if family.members.len() == 1 { first.most } else { u64::MAX };
        let at = match first.at {
            Some(at) => at,
            None => self.nth_of(draw.player, &set, index, most),
        };
        let mut env = first.env.clone();
        let mut here = self.at(at);
        here.under = under;
        for (step, (distance, _)) in steps.iter().zip(distances) {
            let place = match distance {
                Amount::Const(d) => {
                    let step =
                        super::entries::Step { at: Position::Behind(d as i32), ..step.clone() };
                    self.redo(&step, at, &[], &mut env).1
                }
                Amount::Value(d) => {
                    let position = self.b.ins().isub(at, d);
                    let step =
                        super::entries::Step { at: Position::Saved(position), ..step.clone() };
                    self.redo(&step, at, &[], &mut env).1
                }
            };
            if distance == Amount::Const(0) {
                here.under = place.under;
            }
        }
        self.require_checks(first, at, &here, &env)?;
        self.go_on(draw, &first.then, &here, &env)
    }

    pub(crate) fn select_set(&mut self, condition: Value, yes: &Set, no: &Set) -> Set {
        let words = yes.0.iter().zip(&no.0).map(|(yes, no)| {
            if yes == no {
                return *yes;
            }
            let (yes, no) = (yes.value(&mut self.b), no.value(&mut self.b));
            Word::Value(self.b.ins().select(condition, yes, no))
        });
        Set(words.collect())
    }

    /// Finds the entry of a number among those in memory and draws from it.
    fn draw_written(
        &mut self,
        draw: &mut Draw<'_>,
        entries: &Entries,
        number: Value,
    ) -> Result<(), Unsupported> {
        let bytes = self.entry_bytes();
        let (scan, found) = (self.b.create_block(), self.b.create_block());
        let entry = self.b.append_block_param(scan, I64);
        self.b.ins().jump(scan, &[entries.memory.into()]);
        self.b.switch_to_block(scan);
        let end = self.load_word(entry, 0);
        let next = self.b.ins().iadd_imm_s(entry, bytes);
        let here = self.b.ins().icmp(IntCC::UnsignedLessThan, number, end);
        self.b.ins().brif(here, found, &[], scan, &[next.into()]);
        self.b.switch_to_block(found);
        let before = self.b.ins().iadd_imm_s(entry, -bytes);
        let start = self.load_word(before, 0);
        let number = self.b.ins().isub(number, start);
        let packed = self.load_word(entry, 1);
        let blocks: Vec<Block> = entries.sites.iter().map(|_| self.b.create_block()).collect();
        match blocks.as_slice() {
            [only] => {
                self.b.ins().jump(*only, &[]);
            }
            _ => {
                let site = self.b.ins().band_imm_u(packed, 0xffff);
                let mut switch = Switch::new();
                for (i, block) in blocks.iter().enumerate().skip(1) {
                    switch.set_entry(i as u128, *block);
                }
                switch.emit(&mut self.b, site, blocks[0]);
            }
        }
        for (site, block) in entries.sites.iter().zip(blocks) {
            self.b.switch_to_block(block);
            let words = self.words();
            let set = (0..words).map(|w| Word::Value(self.load_word(entry, HEADER + w)));
            let set = Set(set.collect());
            let count = match site.weight {
                Amount::Value(_) => set.count(&mut self.b),
                Amount::Const(_) => number,
            };
            let index = self.without_weight(draw.player, number, site.weight, count);
            let most = if site.at.is_some() { 1 } else { site.most };
            let at = self.nth_of(draw.player, &set, index, most);
            let mut saved = Vec::new();
            for (i, value) in saved_values(&site.steps).into_iter().enumerate() {
                let shifted = self.b.ins().ushr_imm_s(packed, 16 * (i as i64 + 1));
                saved.push((value, self.b.ins().band_imm_u(shifted, 0xffff)));
            }
            let mut env = site.env.clone();
            let mut here = self.at(at);
            here.under = site.under;
            for step in &site.steps {
                let (_, place) = self.redo(step, at, &saved, &mut env);
                if step.at == Position::Behind(0) {
                    here.under = place.under;
                }
            }
            self.go_on(draw, &site.then, &here, &env)?;
        }
        Ok(())
    }
}

/// How far a step is behind, as an amount and as it is.
fn distance_of(at: Position) -> (Amount, i32) {
    match at {
        Position::Behind(d) => (Amount::Const(i64::from(d) as u64), d),
        Position::Saved(_) => unreachable!("entries that are not in memory have no saved vertices"),
    }
}

/// True if two entries came the same way and go on the same way.
fn is_same_walk(a: &Entry, b: &Entry) -> bool {
    let same_way = |a: &Branch, b: &Branch| a.transition == b.transition;
    let same_then = match (&a.then, &b.then) {
        (Next::Take(a, _), Next::Take(b, _)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_way(a, b))
        }
        (Next::Walk(a, i), Next::Walk(b, j)) => a.node == b.node && i == j,
        _ => false,
    };
    a.at.is_none()
        && b.at.is_none()
        && a.checks.is_empty()
        && b.checks.is_empty()
        && a.origin == b.origin
        && a.origin > 0
        && a.weight == b.weight
        && same_then
        && a.steps.len() == b.steps.len()
        && a.steps.iter().zip(&b.steps).all(|(a, b)| same_way(&a.way, &b.way))
}
