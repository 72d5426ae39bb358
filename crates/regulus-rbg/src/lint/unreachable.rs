//! Alternatives that no walk can pass, players who never move, games that are over at once.

use std::collections::BTreeMap;

use crate::automaton::{Alternative, Automaton};
use crate::code::Code;
use crate::declarations::Player;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::flow::Flow;
use crate::game::Game;
use crate::provenance::Place;
use crate::rule::RuleKind;
use crate::source::Span;

pub(super) fn check(
    game: &Game,
    automaton: &Automaton<'_>,
    flow: &Flow,
    diagnostics: &mut Diagnostics,
) {
    let mut moves = vec![false; game.declarations.players().len() + 1];
    // The states of alternatives that contain a switch somebody can get to.
    let mut switches = Vec::new();
    for edge in automaton.edges() {
        if let Some(RuleKind::Switch(player, _)) = edge.action.map(|a| &a.kind)
            && flow.at(edge.from).is_some()
        {
            moves[usize::from(player.0)] = true;
            switches.push(edge.from.0);
        }
    }
    if switches.is_empty() {
        diagnostics.push(
            Diagnostic::new(Code::OverAtOnce, game.rules.place)
                .message("the game is over before it begins")
                .label("no walk through these rules reaches a switch"),
        );
        return;
    }
    dead_alternatives(automaton, flow, &switches, diagnostics);
    for (i, name) in game.declarations.players().iter().enumerate() {
        let player = Player(i as u8 + 1);
        if !moves[usize::from(player.0)]
            && let Some(span) = game.declarations.declared_at(name)
        {
            diagnostics.push(
                Diagnostic::new(Code::PlayerNeverMoves, Place::written(span))
                    .message(format!("the player `{name}` never moves"))
                    .label(format!("no reachable `->{name}` in the rules")),
            );
        }
    }
}

/// A macro may have an alternative that is dead in one of its uses and alive in another; only what
/// is dead wherever it can be entered is a mistake.
fn dead_alternatives(
    automaton: &Automaton<'_>,
    flow: &Flow,
    switches: &[u32],
    diagnostics: &mut Diagnostics,
) {
    let mut verdicts: BTreeMap<Span, (bool, Place)> = BTreeMap::new();
    let mut last_dead: Option<u32> = None;
    for alternative in &automaton.alternatives {
        let Alternative { rule, entry, exit, first, last } = *alternative;
        if flow.at(entry).is_none() {
            continue;
        }
        let at = switches.partition_point(|s| *s < first);
        let has_switch = switches.get(at).is_some_and(|s| *s < last);
        let dead = flow.at(exit).is_none() && !has_switch;
        // An outer alternative that is dead because of an inner one is not worth a second message.
        // Inner ones come before outer ones, so whatever begins here or later is inside.
        let explained = last_dead.is_some_and(|f| first <= f);
        if dead {
            last_dead = last_dead.max(Some(first));
        }
        let verdict = verdicts.entry(rule.place.span).or_insert((true, rule.place));
        verdict.0 &= dead && !explained;
    }
    for (dead, place) in verdicts.into_values() {
        if dead {
            diagnostics.push(
                Diagnostic::new(Code::UnreachableAlternative, place)
                    .message("this alternative can never succeed")
                    .label("no walk gets through this"),
            );
        }
    }
}
