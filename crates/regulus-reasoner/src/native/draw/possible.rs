//! Hoisted guards: what the rest of a move asks of variables is asked before it is drawn, so that moves that are bound to
//! fail are not even counted: in `any {slot} [wall] [$ walls = walls - 1]` a player without walls has no such move.

use regulus_rbg::arithmetic::Arithmetic;
use regulus_rbg::declarations::Variable;
use regulus_rbg::rule::{Rule, RuleKind};

use super::continuation::{Branch, Stop};
use super::entries::Next;
use crate::native::analysis::segments::{Transition, TransitionId};
use crate::native::emit::Emitter;
use crate::native::sets::environment::{Env, Held};
use crate::native::sets::set::Bool;

/// Modifiers that are looked at behind a vertex.
pub(crate) const MAX_AHEAD: u32 = 12;

/// What is known of the state some modifiers ahead.
#[derive(Clone)]
struct Ahead {
    env: Env,
    /// Whether pieces were put since, so that their numbers are not known.
    has_put: bool,
    unknown: Vec<Variable>,
    fuel: u32,
}

impl Ahead {
    /// Whether the value of an expression is known.
    fn knows(&self, value: &Arithmetic) -> bool {
        let mut known = true;
        value.visit(&mut |part| {
            known &= match part {
                Arithmetic::Count(_) => !self.has_put,
                Arithmetic::Variable(variable) => !self.unknown.contains(variable),
                _ => true,
            };
        });
        known
    }
}

impl<'a> Emitter<'a, '_> {
    /// Whether a way can come to its end, as far as variables tell. `env` may lack pieces that were put before.
    pub(crate) fn possible(&mut self, then: &Next, env: &Env, has_put: bool) -> Bool {
        let ahead = Ahead { env: env.clone(), has_put, unknown: Vec::new(), fuel: MAX_AHEAD };
        let asks = match then {
            Next::Take(ways, _) => ways.iter().all(|way| self.asks_variables(way, MAX_AHEAD)),
            Next::Walk(rest, k) => self.stop_asks(&rest.stops[*k], MAX_AHEAD),
        };
        match then {
            _ if !asks => Bool::Const(true),
            Next::Take(ways, _) => self.some_way_possible(ways, &ahead),
            Next::Walk(rest, k) => self.stop_possible(&rest.stops[*k], &ahead),
        }
    }

    /// Whether all that is behind a modifier depends on variables.
    pub(crate) fn asks_variables(&self, way: &Branch, fuel: u32) -> bool {
        let Some(fuel) = fuel.checked_sub(1) else { return false };
        match &self.analysis.segments[way.transition].0 {
            Transition::Assign(variable, value, _)
                if !self.analysis.always_fits(*variable, value) =>
            {
                return true;
            }
            Transition::Assign(..) | Transition::Off(..) => {}
            _ => return false,
        }
        if !way.asked.is_empty() {
            return true;
        }
        let stops = way.rest.as_ref().map_or(&[][..], |rest| &rest.stops);
        !stops.is_empty() && stops.iter().all(|stop| self.stop_asks(stop, fuel))
    }

    fn stop_asks(&self, stop: &Stop, fuel: u32) -> bool {
        !self.comparisons(stop).is_empty()
            || stop.ways.iter().all(|way| self.asks_variables(way, fuel))
    }

    /// The comparisons on the only path to a stop.
    fn comparisons(&self, stop: &Stop) -> Vec<&'a Rule> {
        let rules = stop.path.as_deref().and_then(|path| self.rules_on(path)).unwrap_or_default();
        let is_comparison = |rule: &&Rule| matches!(rule.kind, RuleKind::Comparison(..));
        rules.into_iter().flatten().filter(is_comparison).collect()
    }

    fn stop_possible(&mut self, stop: &Stop, ahead: &Ahead) -> Bool {
        let mut possible = Bool::Const(true);
        for rule in self.comparisons(stop) {
            if let RuleKind::Comparison(comparison, sides) = &rule.kind
                && ahead.knows(&sides.0)
                && ahead.knows(&sides.1)
            {
                let holds = self.compare(*comparison, sides, &ahead.env);
                possible = possible.and(holds, &mut self.b);
            }
        }
        let behind = self.some_way_possible(&stop.ways, ahead);
        possible.and(behind, &mut self.b)
    }

    fn some_way_possible(&mut self, ways: &[Branch], ahead: &Ahead) -> Bool {
        if !ways.iter().all(|way| self.asks_variables(way, ahead.fuel)) {
            return Bool::Const(true);
        }
        let mut some = Bool::Const(false);
        for way in ways {
            let this = self.way_possible(way, ahead);
            some = some.or(this, &mut self.b);
        }
        some
    }

    /// Whether an assignment succeeds.
    pub(crate) fn fits(&mut self, id: TransitionId, env: &Env) -> Bool {
        match &self.analysis.segments[id].0 {
            Transition::Assign(variable, value, _) => self.assigned(*variable, value, env).1,
            _ => Bool::Const(true),
        }
    }

    fn way_possible(&mut self, way: &Branch, ahead: &Ahead) -> Bool {
        let mut ahead = ahead.clone();
        let Some(fuel) = ahead.fuel.checked_sub(1) else { return Bool::Const(true) };
        ahead.fuel = fuel;
        let mut possible = Bool::Const(true);
        match &self.analysis.segments[way.transition].0 {
            Transition::Assign(variable, value, _) if ahead.knows(value) => {
                let (value, ok) = self.assigned(*variable, value, &ahead.env);
                ahead.env.variables[usize::from(variable.0)] = Held::Now(value);
                ahead.unknown.retain(|unknown| unknown != variable);
                possible = ok;
            }
            Transition::Assign(variable, ..) => ahead.unknown.push(*variable),
            Transition::Off(..) => ahead.has_put = true,
            _ => return possible,
        }
        for id in &way.asked {
            if let (Transition::Assign(_, value, _), _) = &self.analysis.segments[*id]
                && ahead.knows(value)
            {
                let fits = self.fits(*id, &ahead.env);
                possible = possible.and(fits, &mut self.b);
            }
        }
        let Some(rest) = &way.rest else { return possible };
        let mut behind = Bool::Const(false);
        for stop in &rest.stops {
            let this = self.stop_possible(stop, &ahead);
            behind = behind.or(this, &mut self.b);
        }
        possible.and(behind, &mut self.b)
    }
}
