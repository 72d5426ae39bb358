//! Loops that can be passed again and again with nothing changed: inside a move they give infinitely
//! many moves; the keeper, who goes on by himself, never hands over to a player.

use rustc_hash::FxHashSet;

use super::repetition::{Search, Walker};
use crate::automaton::Automaton;
use crate::code::Code;
use crate::declarations::Player;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::flow::Flow;
use crate::game::Game;
use crate::rule::{Rule, RuleKind};

pub(super) fn check(
    game: &Game,
    automaton: &Automaton<'_>,
    flow: &Flow,
    diagnostics: &mut Diagnostics,
) {
    let is_change = |rule: &Rule| rule.is_modifier() && !matches!(rule.kind, RuleKind::Switch(..));
    let moves = Search::new(game, automaton, Walker::Mover);
    report(moves, automaton, flow, is_change, |action| diagnostics.push(endless_move(action)));
    let hands_on = |rule: &Rule| matches!(rule.kind, RuleKind::Switch(Player::KEEPER, _));
    let keeper = Search::new(game, automaton, Walker::Keeper);
    report(keeper, automaton, flow, hands_on, |action| diagnostics.push(endless_keeper(action)));
}

/// Reports loops through actions that are looked for, one in each part of the rules.
fn report(
    mut search: Search<'_, '_>,
    automaton: &Automaton<'_>,
    flow: &Flow,
    is_wanted: impl Fn(&Rule) -> bool,
    mut push: impl FnMut(&Rule),
) {
    let mut reported = FxHashSet::default();
    for (index, edge) in automaton.edges().iter().enumerate() {
        let Some(action) = edge.action.filter(|a| is_wanted(a)) else { continue };
        let Some(round) = search.round(edge) else { continue };
        let Some(fact) = flow.at(edge.from) else { continue };
        if reported.contains(&round) {
            continue;
        }
        for vertex in fact.vertices.iter() {
            if search.is_over() {
                return;
            }
            if search.repeats(index, vertex) {
                reported.insert(round);
                push(action);
                break;
            }
        }
    }
}

fn endless_move(action: &Rule) -> Diagnostic {
    let diagnostic = Diagnostic::new(Code::EndlessLoop, action.place)
        .message("this can be repeated for ever with nothing changed")
        .label("a loop passes here without a switch");
    match action.kind {
        RuleKind::Off(..) => {
            diagnostic.help("test what stands there first, so that it happens once: `({e} [x])*`")
        }
        _ => diagnostic
            .help("a repeated assignment needs something that runs out, such as a counter"),
    }
}

fn endless_keeper(action: &Rule) -> Diagnostic {
    Diagnostic::new(Code::EndlessKeeper, action.place)
        .message("the keeper can go round for ever with nothing changed")
        .label("a loop passes here and no switch to a player")
        .help("hand over to a player in the loop, or test something that changes with every round")
}
