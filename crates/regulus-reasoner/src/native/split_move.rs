//! Drawing a move modifier by modifier; dead ends are drawn again at their level (THESIS, Algorithm 1).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};

use super::emit::{Emitter, Unsupported};
use super::environment::Env;
use super::place::Where;
use super::playout::{Level, MAX_TRIES, Player};
use super::segments::Arc;
use super::set::{Bool, Set};

impl Emitter<'_, '_> {
    /// Draws one modifier after the other. `above` is the level to which a dead end goes back.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn split_level(
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
    pub(super) fn split_step(&mut self, context: Value, depth: usize, modifier: u32, at: Value) {
        let depth = self.constant(depth as i64);
        self.store_step(context, depth, modifier, at);
    }
}
