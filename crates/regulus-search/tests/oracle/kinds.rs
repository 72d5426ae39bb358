//! Pieces that no rule tells apart, from the tree of the rules.

use regulus_rbg::Game;
use regulus_rbg::arithmetic::Arithmetic;
use regulus_rbg::declarations::Piece;
use regulus_rbg::rule::{Rule, RuleKind};

/// For every piece a number that it shares with those that are the same to the rules.
pub fn kinds(game: &Game) -> Vec<u16> {
    let mut kinds = vec![0; game.declarations.pieces().len()];
    split(&game.rules, &mut kinds);
    kinds
}

/// Pieces inside and outside of a set are of different kinds.
fn part(kinds: &mut [u16], inside: impl Fn(Piece) -> bool) {
    let next = kinds.iter().max().map_or(0, |most| most + 1);
    for (piece, kind) in kinds.iter_mut().enumerate() {
        if inside(Piece(piece as u8)) {
            *kind += next;
        }
    }
    // Numbers stay small: the first piece of a kind names it.
    let firsts: Vec<u16> = kinds
        .iter()
        .map(|kind| kinds.iter().position(|other| other == kind).expect("itself") as u16)
        .collect();
    kinds.copy_from_slice(&firsts);
}

fn split(rule: &Rule, kinds: &mut [u16]) {
    match &rule.kind {
        RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => {
            parts.iter().for_each(|part| split(part, kinds));
        }
        RuleKind::Star(body) | RuleKind::Condition { body, .. } => split(body, kinds),
        RuleKind::On(pieces) => part(kinds, |piece| pieces.contains(piece)),
        RuleKind::Comparison(_, sides) => {
            count(&sides.0, kinds);
            count(&sides.1, kinds);
        }
        RuleKind::Assignment(_, value, _) => count(value, kinds),
        _ => {}
    }
}

fn count(expression: &Arithmetic, kinds: &mut [u16]) {
    match expression {
        Arithmetic::Count(counted) => part(kinds, |piece| piece == *counted),
        Arithmetic::Operation(_, operands) => operands.iter().for_each(|o| count(o, kinds)),
        _ => {}
    }
}
