//! Collecting the entries of a turn: how far each move is looked into before one is drawn
//! (passes P4, P9 and P10).

use std::rc::Rc;

use cranelift_codegen::ir::Value;
use regulus_rbg::declarations::Piece;

use super::continuation::{Amount, Branch, Continuation, Stop};
use super::entries::{Entries, Entry, Next, Position, Step};
use super::possible::MAX_AHEAD;
use crate::native::Unsupported;
use crate::native::analysis::segments::{NodeId, Transition};
use crate::native::emit::Emitter;
use crate::native::sets::environment::Env;
use crate::native::sets::parallel::Put;
use crate::native::sets::pointer_set::PointerSet;
use crate::native::sets::set::{Bool, Set};

/// Ways of which only one can be open that are looked into before a move is drawn.
const MAX_PATHS: usize = 4;

/// Chains that are begun in parallel behind one modifier on boards of more than 64 vertices.
const MAX_CHAINS: usize = 2;

/// Where a walk to an entry is.
pub(crate) struct Walk<'w> {
    /// The state before the steps, and now.
    pub(crate) before: &'w Env,
    pub(crate) now: &'w Env,
    pub(crate) steps: &'w [Step],
    /// How many modifiers it has passed.
    pub(crate) passed: i64,
    /// Whether the walk is possible at all.
    alive: Bool,
    pub(crate) looped: bool,
    /// The number of the parallel walk that this is part of.
    origin: usize,
}

/// A modifier that is taken at some vertices.
#[derive(Clone, Copy)]
pub(crate) struct Taking<'t> {
    pub(crate) way: &'t Branch,
    pub(crate) transition: &'t Transition,
    /// What is behind it.
    rest: &'t Rc<Continuation>,
    pub(crate) place: &'t PointerSet,
}

impl Emitter<'_, '_> {
    /// Collects the entries of all moves from a node at one vertex.
    pub(crate) fn collect_entries(
        &mut self,
        entries: &mut Entries,
        rest: &Rc<Continuation>,
        here: &PointerSet,
        env: &Env,
    ) -> Result<(), Unsupported> {
        let walk = Walk {
            before: env,
            now: env,
            steps: &[],
            passed: 0,
            alive: Bool::Const(true),
            looped: false,
            origin: 0,
        };
        self.enter_from(entries, rest, here, &walk)
    }

    fn enter_from(
        &mut self,
        entries: &mut Entries,
        rest: &Rc<Continuation>,
        here: &PointerSet,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let deferrals: Vec<_> = rest
            .stops
            .iter()
            .map(|stop| {
                let later = stop.ways.iter().any(|way| self.wants_more(way, false, walk.looped));
                if walk.looped || later { None } else { self.deferral(rest, stop) }
            })
            .collect();
        let wanted: Vec<NodeId> = rest
            .stops
            .iter()
            .zip(&deferrals)
            .map(|(stop, deferral)| deferral.as_ref().map_or(stop.node, |deferral| deferral.from))
            .collect();
        let places = self.reach(rest, &wanted, here, walk.now)?;
        for ((stop, mut place), deferral) in rest.stops.iter().zip(places).zip(deferrals) {
            let mut checks = Vec::new();
            if let Some(deferral) = deferral {
                place = self.before_checks(&deferral, &place, walk.now);
                checks = deferral.checks;
            }
            if place.set.is_empty_constant() {
                continue;
            }
            if !checks.is_empty() && place.at.is_none() {
                // What is asked late is better not asked in vain.
                let mut live = Set::empty(self.words());
                for way in &stop.ways {
                    let more = self.may_go_on(way, &place, walk);
                    live = live.or(&more, &mut self.b);
                }
                let set = self.clean(&place).and(&live, &mut self.b);
                place = PointerSet { set, dirty: false, certain: false, ..place };
            }
            if place.at.is_some() {
                place = self.check_all(&std::mem::take(&mut checks), place, walk.now)?;
            }
            let set = self.clean(&place).when(walk.alive, &mut self.b);
            let certain = place.certain && walk.alive == Bool::Const(true);
            let place = PointerSet { set, dirty: false, certain, ..place };
            if checks.is_empty() {
                self.enter_stop(entries, stop, &place, walk)?;
            } else {
                let then = Next::Take(stop.ways.clone(), stop.behind);
                let entry = self.entry(walk, &place, u64::MAX, then, stop.behind);
                self.enter(entries, Entry { checks, ..entry }, false)?;
            }
        }
        Ok(())
    }

    /// True if more should be known of what is behind a modifier before it is drawn.
    fn wants_more(&self, way: &Branch, one: bool, looped: bool) -> bool {
        let Some(rest) = &way.rest else { return false };
        if rest.chains {
            return true;
        }
        if one {
            return !rest.single;
        }
        if rest.bound == Amount::Const(1) && rest.paths > MAX_PATHS {
            return false;
        }
        rest.uneven || (!looped && (self.is_parallel(rest) || rest.wasteful))
    }

    /// True if all ways behind a modifier are walked, one after the other: it begins a chain, or leads to one from many
    /// vertices.
    fn walks_all(&self, rest: &Continuation, one: bool, looped: bool) -> bool {
        if !rest.chains {
            return false;
        }
        let begins = |way: &&Branch| way.rest.as_ref().is_some_and(|rest| rest.stops.is_empty());
        let chains = rest.stops.iter().flat_map(|stop| &stop.ways).filter(begins).count();
        // Every way to go on is looked for behind every way to begin; sets of several words are too slow for that.
        let is_small = self.words() == 1 || chains <= MAX_CHAINS;
        let looks_on = one || (!looped && is_small && self.is_parallel(rest));
        rest.stops.is_empty() || !looks_on
    }

    /// True if the modifiers at a stop get entries of their own: one wants more, or only some depend on variables. If all
    /// do, one entry is cheaper, and open if one of them is.
    fn splits_ways(&self, stop: &Stop, wants_more: impl Fn(&Branch) -> bool) -> bool {
        let asking = stop.ways.iter().filter(|way| self.asks_variables(way, MAX_AHEAD)).count();
        stop.ways.iter().any(wants_more) || (1..stop.ways.len()).contains(&asking)
    }

    fn enter_stop(
        &mut self,
        entries: &mut Entries,
        stop: &Stop,
        place: &PointerSet,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        let one = place.at.is_some();
        let most = match stop.width {
            Amount::Const(c) => c,
            Amount::Value(_) => u64::MAX,
        };
        if !self.splits_ways(stop, |way| self.wants_more(way, one, walk.looped)) {
            let then = Next::Take(stop.ways.clone(), stop.behind);
            let entry = self.entry(walk, place, most, then, stop.behind);
            return self.enter(entries, entry, walk.looped);
        }
        for way in &stop.ways {
            let Some(rest) = way.rest.clone().filter(|_| self.wants_more(way, one, walk.looped))
            else {
                let then = Next::Take(vec![way.clone()], way.bound());
                let entry = self.entry(walk, place, most, then, way.bound());
                self.enter(entries, entry, walk.looped)?;
                continue;
            };
            let (transition, _) = &self.analysis.segments[way.transition];
            let taking = Taking { way, transition, rest: &rest, place };
            if self.walks_all(&rest, one, walk.looped) {
                self.enter_chain(entries, taking, walk)?;
            } else if let Some(at) = place.at {
                self.enter_one(entries, taking, at, walk)?;
            } else if !walk.looped && self.is_parallel(&rest) {
                entries.origins += 1;
                self.enter_parallel(entries, taking, walk)?;
            } else if rest.uneven {
                self.enter_told_apart(entries, taking, most, walk)?;
            } else {
                self.enter_loop(entries, taking, walk)?;
            }
        }
        Ok(())
    }

    /// Takes a modifier at the one vertex where it can be taken.
    fn enter_one(
        &mut self,
        entries: &mut Entries,
        Taking { way, transition, rest, place }: Taking<'_>,
        at: Value,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        if walk.looped {
            // Code in a loop may branch; what is not in a loop is used later and must not.
            let possible = self.nonempty(place);
            let after = self.guard(possible);
            let mut here = self.at(at);
            here.under = place.under;
            let mut env = walk.now.clone();
            let ok = self.modify(&mut env, &mut here, transition);
            let failed = self.guard(ok);
            let mut steps = walk.steps.to_vec();
            let under = place.under;
            steps.push(Step { way: way.clone(), under, at: Position::Saved(at) });
            let passed = walk.passed + 1;
            let inner =
                Walk { now: &env, steps: &steps, passed, alive: Bool::Const(true), ..*walk };
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
        let ok = self.modify(&mut env, &mut here, transition);
        let alive = walk.alive.and(ok, &mut self.b);
        here.certain &= alive == Bool::Const(true);
        let passed = walk.passed + 1;
        let inner =
            Walk { before: &env, now: &env, steps: &[], passed, alive, looped: false, origin: 0 };
        self.enter_from(entries, rest, &here, &inner)
    }

    /// Takes a modifier at all vertices of a place at once and walks on in parallel (pass P4).
    /// The steps of the walk so far are parallel ones, too.
    fn enter_parallel(
        &mut self,
        entries: &mut Entries,
        Taking { way, transition, rest, place }: Taking<'_>,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let mut place = place.clone();
        let mut steps = walk.steps.to_vec();
        steps.push(Step { way: way.clone(), under: place.under, at: Position::Behind(0) });
        // Variables are the same wherever the walk began; the sets of pieces stay as they were.
        let mut env = walk.now.clone();
        match transition {
            Transition::Off(piece, _) => place = self.lying(place, *piece),
            _ => {
                let ok = self.modify(&mut env, &mut place, transition);
                place.set = place.set.when(ok, &mut self.b);
            }
        }
        let pieces = self.puts(&steps);
        let put = |distance: i32| -> Option<Piece> {
            let back = pieces.iter().rev().find(|(behind, _)| behind + distance == 0);
            back.map(|(_, piece)| *piece)
        };
        let ends: Vec<NodeId> = rest.stops.iter().map(|stop| stop.node).collect();
        let found = self.parallel_segment(rest.node, &ends, &place, &env, &put);
        for (stop, paths) in rest.stops.iter().zip(found) {
            for path in paths {
                let set = self.clean(&path.place);
                let there = PointerSet { set, dirty: false, certain: false, ..path.place };
                let steps: Vec<Step> = steps
                    .iter()
                    .map(|step| {
                        let Position::Behind(d) = step.at else { unreachable!("set in parallel") };
                        Step { at: Position::Behind(d + path.distance), ..step.clone() }
                    })
                    .collect();
                let (origin, passed) = (entries.origins, walk.passed + 1);
                let walk = Walk { now: &env, steps: &steps, passed, origin, ..*walk };
                self.enter_parallel_stop(entries, stop, &there, &walk)?;
            }
        }
        Ok(())
    }

    fn enter_parallel_stop(
        &mut self,
        entries: &mut Entries,
        stop: &Stop,
        place: &PointerSet,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        if !self.splits_ways(stop, |way| self.wants_more(way, false, false)) {
            let then = Next::Take(stop.ways.clone(), stop.behind);
            let entry = self.entry(walk, place, u64::MAX, then, stop.behind);
            return self.enter(entries, entry, false);
        }
        for way in &stop.ways {
            let Some(rest) = way.rest.clone().filter(|_| self.wants_more(way, false, false)) else {
                let then = Next::Take(vec![way.clone()], way.bound());
                let entry = self.entry(walk, place, u64::MAX, then, way.bound());
                self.enter(entries, entry, false)?;
                continue;
            };
            let (transition, _) = &self.analysis.segments[way.transition];
            let taking = Taking { way, transition, rest: &rest, place };
            if self.walks_all(&rest, false, false) {
                self.enter_chain(entries, taking, walk)?;
            } else if self.is_parallel(&rest) {
                self.enter_parallel(entries, taking, walk)?;
            } else if rest.uneven {
                self.enter_told_apart(entries, taking, u64::MAX, walk)?;
            } else {
                self.enter_loop(entries, taking, walk)?;
            }
        }
        Ok(())
    }

    /// The pieces that steps have put, with how far they are behind.
    pub(crate) fn puts(&self, steps: &[Step]) -> Vec<(i32, Piece)> {
        let segments = &self.analysis.segments;
        let put = |step: &Step| match (&segments[step.way.transition].0, step.at) {
            (Transition::Off(piece, _), Position::Behind(d)) => Some((d, *piece)),
            _ => None,
        };
        steps.iter().filter_map(put).collect()
    }

    /// One entry for every stop behind a modifier, with the vertices at which its condition can hold.
    fn enter_told_apart(
        &mut self,
        entries: &mut Entries,
        Taking { way, transition, rest, place }: Taking<'_>,
        most: u64,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        // In a loop the state has the steps before in it; elsewhere it has not.
        let mut puts: Vec<Put> = Vec::new();
        if !walk.looped {
            let before = self.puts(walk.steps);
            puts.extend(before.iter().map(|(d, piece)| Put { piece: *piece, here: *d == 0 }));
        }
        if let Transition::Off(piece, _) = transition {
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
            let there = PointerSet { set, ..place.clone() };
            let there = match transition {
                Transition::Off(piece, _) => self.lying(there, *piece),
                _ => there,
            };
            let walk = Walk { steps: &steps, ..*walk };
            let then = Next::Walk(rest.clone(), k);
            let entry = self.entry(&walk, &there, most, then, stop.weight);
            self.enter(entries, entry, walk.looped)?;
        }
        Ok(())
    }

    /// Takes a modifier at one vertex after the other; what can follow is written to memory.
    fn enter_loop(
        &mut self,
        entries: &mut Entries,
        Taking { way, transition, rest, place }: Taking<'_>,
        walk: &Walk<'_>,
    ) -> Result<(), Unsupported> {
        if walk.looped {
            return Err(Unsupported("a loop in a loop".to_owned()));
        }
        let before = entries.sites.len();
        let mut result = Ok(());
        self.for_each(&place.set, |this, at| {
            let mut env = walk.before.clone();
            let mut steps = Vec::new();
            for step in walk.steps {
                let (mut here, transition) = this.again(step, at, &[]);
                let position = here.at.expect("steps are made on one vertex");
                // Whether it succeeds was asked before.
                this.modify(&mut env, &mut here, transition);
                steps.push(Step { at: Position::Saved(position), ..step.clone() });
            }
            let mut here = this.at(at);
            here.under = place.under;
            let ok = this.modify(&mut env, &mut here, transition);
            let after = this.guard(ok);
            let under = place.under;
            steps.push(Step { way: way.clone(), under, at: Position::Saved(at) });
            let inner = Walk {
                before: walk.before,
                now: &env,
                steps: &steps,
                passed: walk.passed + 1,
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

    fn entry(
        &mut self,
        walk: &Walk<'_>,
        place: &PointerSet,
        most: u64,
        then: Next,
        weight: Amount,
    ) -> Entry {
        // The sets of a parallel walk lack what its steps put.
        let has_put = !walk.looped && !walk.steps.is_empty();
        let possible = self.possible(&then, walk.now, has_put);
        Entry {
            env: walk.before.clone(),
            steps: walk.steps.to_vec(),
            set: place.set.when(possible, &mut self.b),
            at: place.at,
            most,
            under: place.under,
            then,
            weight,
            origin: walk.origin,
            checks: Vec::new(),
            shrinking: None,
        }
    }
}
