//! Checks of a game that has its types right: what is probably a mistake (warnings), and loops
//! that would give infinitely many moves (an error).

mod afterwards;
mod condition;
mod endless;
mod keeper_place;
mod keeper_walk;
mod outcomes;
mod repetition;
mod termination;
mod unreachable;
mod unused;
mod value_set;
mod values;

use crate::automaton::Automaton;
use crate::diagnostic::Diagnostics;
use crate::flow::Flow;
use crate::game::Game;

/// Runs all checks.
pub fn check(game: &Game, diagnostics: &mut Diagnostics) {
    let automaton = Automaton::new(&game.rules);
    let flow = Flow::of(game, &automaton);
    unused::check(game, diagnostics);
    unreachable::check(game, &automaton, &flow, diagnostics);
    if flow.gave_up() {
        return;
    }
    termination::check(game, &automaton, &flow, diagnostics);
    endless::check(game, &automaton, &flow, diagnostics);
    outcomes::check(game, &automaton, &flow, diagnostics);
}
