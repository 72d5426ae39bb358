//! Counting the moves of a turn: the first choices of all moves as *entries*, each a set of vertices
//! with a weight, the number of ways behind each vertex (passes P4, P9 and P10).
//!
//! Entries that are made once are values of the function; entries made in a loop over vertices are
//! written to memory. Every move belongs to one vertex of one entry and one way behind it.

use std::rc::Rc;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable as Slot;
use regulus_rbg::declarations::{Piece, PieceSet};
use rustc_hash::{FxHashMap, FxHashSet};

use super::emit::{Emitter, Unsupported};
use super::environment::Env;
use super::parallel::Put;
use super::place::Where;
use super::rest::{Amount, Rest, Stop, Way};
use super::segments::Arc;
use super::set::{Bool, Set};

/// A modifier on the way to the vertex that is drawn.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) way: Way,
    pub(super) under: PieceSet,
    pub(super) at: Position,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Position {
    /// So far behind the vertex that is drawn.
    Behind(i32),
    /// A value in a loop; it is written with the entry.
    Saved(Value),
}

/// What is done where the drawn vertex is.
#[derive(Clone)]
pub(super) enum Then {
    /// One of these modifiers is taken.
    Take(Vec<Way>, Amount),
    /// The walk goes on to one of the stops of a segment.
    Walk(Rc<Rest>, usize),
}

/// A set of vertices to draw from.
pub(super) struct Entry {
    /// The state before the steps.
    pub(super) env: Env,
    pub(super) steps: Vec<Step>,
    pub(super) set: Set,
    /// The only vertex, if there is one at most.
    pub(super) at: Option<Value>,
    /// The most vertices there can be.
    pub(super) most: u64,
    pub(super) under: PieceSet,
    pub(super) then: Then,
    pub(super) weight: Amount,
    /// The parallel walk it is part of: its entries may differ in their distances only.
    pub(super) origin: usize,
}

/// The entries of a turn.
pub(super) struct Entries {
    pub(super) fixed: Vec<Entry>,
    /// Entries that are written in loops, by number.
    pub(super) sites: Vec<Entry>,
    /// The memory for them.
    pub(super) memory: Value,
    /// Where the next one is written, and their weight so far.
    pub(super) top: Slot,
    pub(super) total: Slot,
    origins: usize,
    /// How many entries the loops can write.
    pub(super) capacity: usize,
}

/// Where a walk to an entry is.
struct Walk<'w> {
    /// The state before the steps, and now.
    before: &'w Env,
    now: &'w Env,
    steps: &'w [Step],
    /// Whether the walk is possible at all.
    alive: Bool,
    looped: bool,
    /// The number of the parallel walk that this is part of.
    origin: usize,
}

impl Entries {
    pub(super) fn new(emitter: &mut Emitter<'_, '_>, memory: Value) -> Entries {
        let (top, total) = (emitter.b.declare_var(I64), emitter.b.declare_var(I64));
        let zero = emitter.constant(0);
        emitter.b.def_var(total, zero);
        emitter.b.def_var(top, memory);
        Entries {
            fixed: Vec::new(),
            sites: Vec::new(),
            memory,
            top,
            total,
            origins: 0,
            capacity: 0,
        }
    }
}

/// Words of an entry in memory before its set: the weight of all entries up to it, and a word with its
/// number and the vertices of its steps.
pub(super) const HEADER: usize = 2;

/// Vertices that an entry in memory can have besides the drawn one.
pub(super) const MAX_SAVED: usize = 3;

impl Emitter<'_, '_> {
    pub(super) fn entry_bytes(&self) -> i64 {
        ((HEADER + self.words()) * 8) as i64
    }

    /// Collects the entries of all moves from a node at one vertex.
    pub(super) fn collect_entries(
        &mut self,
        entries: &mut Entries,
        rest: &Rc<Rest>,
        here: &Where,
        env: &Env,
    ) -> Result<(), Unsupported> {
        let walk = Walk {
            before: env,
            now: env,
            steps: &[],
            alive: Bool::Const(true),
            looped: false,
            origin: 0,
        };
        self.enter_from(entries, rest, here, &walk)
    }

    fn enter_from(
        &mut self,
        entries: &mut Entries,
        rest: &Rc<Rest>,
        here: &Where,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let all: Vec<usize> = (0..rest.stops.len()).collect();
        let places = self.reach(rest, &all, here, walk.now)?;
        for (stop, place) in rest.stops.iter().zip(places) {
            if place.set.is_empty_constant() {
                continue;
            }
            let set = self.clean(&place).when(walk.alive, &mut self.b);
            let certain = place.certain && walk.alive == Bool::Const(true);
            let place = Where { set, dirty: false, certain, ..place };
            self.enter_stop(entries, stop, &place, walk)?;
        }
        Ok(())
    }

    /// True if more should be known of what is behind a modifier before it is drawn.
    fn wants_more(&self, way: &Way, one: bool, looped: bool) -> bool {
        let Some(rest) = &way.rest else { return false };
        if one {
            return !rest.single;
        }
        rest.uneven || (!looped && (self.is_parallel(rest) || rest.wasteful))
    }

    fn enter_stop(
        &mut self,
        entries: &mut Entries,
        stop: &Stop,
        place: &Where,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        let one = place.at.is_some();
        let most = match stop.width {
            Amount::Const(c) => c,
            Amount::Value(_) => u64::MAX,
        };
        if !stop.ways.iter().any(|way| self.wants_more(way, one, walk.looped)) {
            let then = Then::Take(stop.ways.clone(), stop.behind);
            let entry = self.entry(walk, place, most, then, stop.behind);
            return self.enter(entries, entry, walk.looped);
        }
        for way in &stop.ways {
            let Some(rest) = way.rest.clone().filter(|_| self.wants_more(way, one, walk.looped))
            else {
                let then = Then::Take(vec![way.clone()], way.bound());
                let entry = self.entry(walk, place, most, then, way.bound());
                self.enter(entries, entry, walk.looped)?;
                continue;
            };
            if let Some(at) = place.at {
                self.enter_one(entries, way, &rest, at, place, walk)?;
            } else if !walk.looped && self.is_parallel(&rest) {
                entries.origins += 1;
                self.enter_parallel(entries, way, &rest, place, walk)?;
            } else if rest.uneven {
                self.enter_told_apart(entries, way, &rest, place, most, walk)?;
            } else {
                self.enter_loop(entries, way, &rest, place, walk)?;
            }
        }
        Ok(())
    }

    /// Takes a modifier at the one vertex where it can be taken.
    fn enter_one(
        &mut self,
        entries: &mut Entries,
        way: &Way,
        rest: &Rc<Rest>,
        at: Value,
        place: &Where,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        let analysis = self.analysis;
        let (arc, _) = &analysis.segments.nodes[way.node as usize][way.index];
        if walk.looped {
            // Code in a loop may branch; what is not in a loop is used later and must not.
            let possible = self.nonempty(place);
            let after = self.guard(possible);
            let mut here = self.at(at);
            here.under = place.under;
            let mut env = walk.now.clone();
            let ok = self.modify(&mut env, &mut here, arc);
            let failed = self.guard(ok);
            let mut steps = walk.steps.to_vec();
            let under = place.under;
            steps.push(Step { way: way.clone(), under, at: Position::Saved(at) });
            let inner = Walk { now: &env, steps: &steps, alive: Bool::Const(true), ..*walk };
            self.enter_from(entries, rest, &here, &inner)?;
            self.rejoin(failed);
            self.rejoin(after);
            return Ok(());
        }
        let mut here = self.at(at);
        here.under = place.under;
        // If the walk is not there, nothing is changed and nothing is found.
        here.set = place.set.clone();
        here.certain = place.certain;
        let mut env = walk.now.clone();
        let ok = self.modify(&mut env, &mut here, arc);
        let alive = walk.alive.and(ok, &mut self.b);
        here.certain &= alive == Bool::Const(true);
        let inner = Walk { before: &env, now: &env, steps: &[], alive, looped: false, origin: 0 };
        self.enter_from(entries, rest, &here, &inner)
    }

    /// Takes a modifier at all vertices of a place at once and walks on in parallel (pass P4).
    /// The steps of the walk so far are parallel ones, too.
    fn enter_parallel(
        &mut self,
        entries: &mut Entries,
        way: &Way,
        rest: &Rc<Rest>,
        place: &Where,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let analysis = self.analysis;
        let (arc, _) = &analysis.segments.nodes[way.node as usize][way.index];
        let mut place = place.clone();
        let mut steps = walk.steps.to_vec();
        steps.push(Step { way: way.clone(), under: place.under, at: Position::Behind(0) });
        // Variables are the same wherever the walk began; the sets of pieces stay as they were.
        let mut env = walk.now.clone();
        match arc {
            Arc::Off(piece, _) => place.under = [*piece].into_iter().collect(),
            _ => {
                let ok = self.modify(&mut env, &mut place, arc);
                place.set = place.set.when(ok, &mut self.b);
            }
        }
        let pieces = self.puts(&steps);
        let put = |distance: i32| -> Option<Piece> {
            let back = pieces.iter().rev().find(|(behind, _)| behind + distance == 0);
            back.map(|(_, piece)| *piece)
        };
        let found = self.parallel_segment(rest, &place, &env, &put);
        for (stop, paths) in rest.stops.iter().zip(found) {
            for path in paths {
                let set = self.clean(&path.place);
                let there = Where { set, dirty: false, certain: false, ..path.place };
                let steps: Vec<Step> = steps
                    .iter()
                    .map(|step| {
                        let Position::Behind(d) = step.at else { unreachable!("set in parallel") };
                        Step { at: Position::Behind(d + path.distance), ..step.clone() }
                    })
                    .collect();
                let walk = Walk { now: &env, steps: &steps, origin: entries.origins, ..*walk };
                self.enter_parallel_stop(entries, stop, &there, &walk)?;
            }
        }
        Ok(())
    }

    fn enter_parallel_stop(
        &mut self,
        entries: &mut Entries,
        stop: &Stop,
        place: &Where,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        if !stop.ways.iter().any(|way| self.wants_more(way, false, false)) {
            let then = Then::Take(stop.ways.clone(), stop.behind);
            let entry = self.entry(walk, place, u64::MAX, then, stop.behind);
            return self.enter(entries, entry, false);
        }
        for way in &stop.ways {
            let Some(rest) = way.rest.clone().filter(|_| self.wants_more(way, false, false)) else {
                let then = Then::Take(vec![way.clone()], way.bound());
                let entry = self.entry(walk, place, u64::MAX, then, way.bound());
                self.enter(entries, entry, false)?;
                continue;
            };
            if self.is_parallel(&rest) {
                self.enter_parallel(entries, way, &rest, place, walk)?;
            } else if rest.uneven {
                self.enter_told_apart(entries, way, &rest, place, u64::MAX, walk)?;
            } else {
                self.enter_loop(entries, way, &rest, place, walk)?;
            }
        }
        Ok(())
    }

    /// The pieces that steps have put, with how far they are behind.
    fn puts(&self, steps: &[Step]) -> Vec<(i32, Piece)> {
        let nodes = &self.analysis.segments.nodes;
        let put = |step: &Step| match (&nodes[step.way.node as usize][step.way.index].0, step.at) {
            (Arc::Off(piece, _), Position::Behind(d)) => Some((d, *piece)),
            _ => None,
        };
        steps.iter().filter_map(put).collect()
    }

    /// One entry for every stop behind a modifier, with the vertices at which its condition can hold.
    fn enter_told_apart(
        &mut self,
        entries: &mut Entries,
        way: &Way,
        rest: &Rc<Rest>,
        place: &Where,
        most: u64,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        let analysis = self.analysis;
        let (arc, _) = &analysis.segments.nodes[way.node as usize][way.index];
        // In a loop the state has the steps before in it; elsewhere it has not.
        let mut puts: Vec<Put> = Vec::new();
        if !walk.looped {
            let before = self.puts(walk.steps);
            puts.extend(before.iter().map(|(d, piece)| Put { piece: *piece, here: *d == 0 }));
        }
        if let Arc::Off(piece, _) = arc {
            puts.push(Put { piece: *piece, here: true });
        }
        let mut steps = walk.steps.to_vec();
        steps.push(Step { way: way.clone(), under: place.under, at: Position::Behind(0) });
        for (k, stop) in rest.stops.iter().enumerate() {
            let set = match self.guard_of(stop) {
                Some(body) if stop.weight != Amount::Const(1) => self
                    .can_hold(body, &place.set, walk.now, &puts)
                    .unwrap_or_else(|| place.set.clone()),
                _ => place.set.clone(),
            };
            let under = match arc {
                Arc::Off(piece, _) => [*piece].into_iter().collect(),
                _ => place.under,
            };
            let there = Where { set, under, ..place.clone() };
            let walk = Walk { steps: &steps, ..*walk };
            let then = Then::Walk(rest.clone(), k);
            let entry = self.entry(&walk, &there, most, then, stop.weight);
            self.enter(entries, entry, walk.looped)?;
        }
        Ok(())
    }

    /// Takes a modifier at one vertex after the other; what can follow is written to memory.
    fn enter_loop(
        &mut self,
        entries: &mut Entries,
        way: &Way,
        rest: &Rc<Rest>,
        place: &Where,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        if walk.looped {
            return Err(Unsupported("a loop in a loop".to_owned()));
        }
        let analysis = self.analysis;
        let (arc, _) = &analysis.segments.nodes[way.node as usize][way.index];
        let before = entries.sites.len();
        let mut result = Ok(());
        self.for_each(&place.set, |this, at| {
            let mut env = walk.before.clone();
            let mut steps = Vec::new();
            for step in walk.steps {
                let (position, _) = this.redo(step, at, &[], &mut env);
                steps.push(Step { at: Position::Saved(position), ..step.clone() });
            }
            let mut here = this.at(at);
            here.under = place.under;
            let ok = this.modify(&mut env, &mut here, arc);
            let after = this.guard(ok);
            let under = place.under;
            steps.push(Step { way: way.clone(), under, at: Position::Saved(at) });
            let inner = Walk {
                before: walk.before,
                now: &env,
                steps: &steps,
                alive: Bool::Const(true),
                looped: true,
                origin: 0,
            };
            result = this.enter_from(entries, rest, &here, &inner);
            this.rejoin(after);
        });
        entries.capacity += (entries.sites.len() - before) * self.analysis.full.len();
        result
    }

    /// Makes a step again, for a vertex that is known now.
    pub(super) fn redo(
        &mut self,
        step: &Step,
        drawn: Value,
        saved: &[(Value, Value)],
        env: &mut Env,
    ) -> (Value, Where) {
        let position = match step.at {
            Position::Behind(0) => drawn,
            Position::Behind(d) => self.b.ins().iadd_imm_s(drawn, -i64::from(d)),
            Position::Saved(value) => {
                saved.iter().find(|(old, _)| *old == value).map_or(value, |(_, new)| *new)
            }
        };
        let mut here = self.at(position);
        here.under = step.under;
        let analysis = self.analysis;
        let (arc, _) = &analysis.segments.nodes[step.way.node as usize][step.way.index];
        // Whether it succeeds was asked when it was counted.
        self.modify(env, &mut here, arc);
        (position, here)
    }

    fn entry(
        &mut self,
        walk: &Walk<'_>,
        place: &Where,
        most: u64,
        then: Then,
        weight: Amount,
    ) -> Entry {
        Entry {
            env: walk.before.clone(),
            steps: walk.steps.to_vec(),
            set: place.set.clone(),
            at: place.at,
            most,
            under: place.under,
            then,
            weight,
            origin: walk.origin,
        }
    }

    fn enter(
        &mut self,
        entries: &mut Entries,
        entry: Entry,
        looped: bool,
    ) -> Result<(), Unsupported> {
        if !looped {
            entries.fixed.push(entry);
            return Ok(());
        }
        let saved = saved_values(&entry.steps);
        if saved.len() > MAX_SAVED {
            return Err(Unsupported("too many vertices to write".to_owned()));
        }
        let mut count = entry.set.count(&mut self.b);
        if entry.weight != Amount::Const(1) {
            let weight = self.amount(entry.weight);
            count = self.b.ins().imul(count, weight);
        }
        let total = self.b.use_var(entries.total);
        let total = self.b.ins().iadd(total, count);
        self.b.def_var(entries.total, total);
        // Written even if there is nothing in it: then the next one takes its place.
        let top = self.b.use_var(entries.top);
        self.store_word(top, 0, total);
        let mut packed = self.constant(entries.sites.len() as i64);
        for (i, value) in saved.iter().enumerate() {
            let shifted = self.b.ins().ishl_imm_s(*value, 16 * (i as i64 + 1));
            packed = self.b.ins().bor(packed, shifted);
        }
        self.store_word(top, 1, packed);
        for (w, word) in entry.set.0.clone().iter().enumerate() {
            let value = word.value(&mut self.b);
            self.store_word(top, HEADER + w, value);
        }
        let bytes = self.entry_bytes();
        let next = self.b.ins().iadd_imm_s(top, bytes);
        let next = self.b.ins().select(count, next, top);
        self.b.def_var(entries.top, next);
        entries.sites.push(entry);
        Ok(())
    }

    /// Where the walk can be at some stops of a segment; only what leads there is looked at.
    pub(super) fn reach(
        &mut self,
        rest: &Rest,
        wanted: &[usize],
        from: &Where,
        env: &Env,
    ) -> Result<Vec<Where>, Unsupported> {
        let analysis = self.analysis;
        let order = analysis
            .segments
            .topological(rest.node)
            .ok_or_else(|| Unsupported("a loop that may pass no modifier".to_owned()))?;
        let mut leads: FxHashSet<u32> = wanted.iter().map(|k| rest.stops[*k].node).collect();
        for node in order.iter().rev() {
            let arcs = &analysis.segments.nodes[*node as usize];
            if arcs.iter().any(|(arc, to)| arc.is_inner() && leads.contains(to)) {
                leads.insert(*node);
            }
        }
        let mut reached: FxHashMap<u32, Where> = FxHashMap::default();
        reached.insert(rest.node, from.clone());
        for node in &order {
            let Some(place) = reached.get(node).cloned() else { continue };
            if place.set.is_empty_constant() {
                continue;
            }
            for (arc, to) in &analysis.segments.nodes[*node as usize] {
                if !arc.is_inner() || !leads.contains(to) {
                    continue;
                }
                let next = match arc {
                    Arc::Pure(rules) => self.forward(rules, &place, env),
                    Arc::Check { negated, start, end } => {
                        self.check(*negated, *start, *end, &place, env)?
                    }
                    _ => place.clone(),
                };
                let merged = match reached.remove(to) {
                    Some(other) => self.union(&other, &next),
                    None => next,
                };
                reached.insert(*to, merged);
            }
        }
        let place = |this: &Self, k: &usize| {
            reached.get(&rest.stops[*k].node).cloned().unwrap_or_else(|| this.nowhere())
        };
        Ok(wanted.iter().map(|k| place(self, k)).collect())
    }
}

/// The different values that steps in a loop were taken at.
pub(super) fn saved_values(steps: &[Step]) -> Vec<Value> {
    let mut values = Vec::new();
    for step in steps {
        if let Position::Saved(value) = step.at
            && !values.contains(&value)
        {
            values.push(value);
        }
    }
    values
}
