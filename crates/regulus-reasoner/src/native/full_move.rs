//! Drawing a whole move uniformly: counting, selecting by number, and drawing again what turns out
//! not to be legal (passes P9 and P10).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::Variable as Slot;

use super::emit::{Emitter, Unsupported};
use super::environment::Env;
use super::place::Where;
use super::playout::{Draw, MAX_TRIES, Player};
use super::segments::Arc;
use super::set::Bool;
use super::ways::{Path, PathItem, Spread, has_joins, keeps_single, paths, tail_ways, ways_behind};

impl Emitter<'_, '_> {
    pub(super) fn full_move(
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
    pub(super) fn spread(&self, exits: &[(u32, usize, Where)], loops: usize) -> Spread {
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
    pub(super) fn tail_of(&self, arc: &Arc, to: u32, spread: Spread) -> Option<u64> {
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

    pub(super) fn tail_has_joins(&self, node: u32) -> bool {
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
    pub(super) fn count_moves(
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
            let deeper = loops + usize::from(place.at.is_none());
            let to = self.analysis.segments.canonical(*to);
            self.for_each_taken(&place, arc, env, |this, here, env| {
                this.count_moves(to, here, env, total, deeper)
            })?;
        }
        Ok(())
    }

    /// Finds the move of a number and makes it; jumps to `reject` if it is not legal after all.
    pub(super) fn select_move(
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
            let deeper = loops + usize::from(place.at.is_none());
            let to = self.analysis.segments.canonical(*to);
            self.for_each_taken(&place, arc, env, |this, here, env| {
                this.select_move(player, to, here, env, draw, deeper)
            })?;
        }
        Ok(())
    }

    pub(super) fn require(&mut self, condition: Bool, otherwise: Block) {
        if let Bool::Value(c) = condition {
            let go = self.b.create_block();
            self.b.ins().brif(c, go, &[], otherwise, &[]);
            self.b.switch_to_block(go);
        }
    }

    /// Walks one of the ways behind the last choice; jumps to `reject` if it is blocked.
    pub(super) fn tail(
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
    pub(super) fn forward_path(&mut self, path: &[PathItem<'_>], from: &Where, env: &Env) -> Where {
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
    pub(super) fn commit(
        &mut self,
        player: &mut Player,
        to_move: u8,
        node: u32,
        here: &Where,
        env: &Env,
    ) -> Result<(), Unsupported> {
        let pointer = here.at.expect("a switch happens on one vertex");
        if to_move == 0 {
            return self.keeper_enter(&mut player.keeper, node, here, env);
        }
        let slots = player.keeper.slots.clone();
        self.fill_slots(&slots, env, pointer);
        let block = player.keeper.player_block(self, node);
        self.b.ins().jump(block, &[]);
        Ok(())
    }
}
