//! Pieces and variables that have no part in the game.

use crate::arithmetic::Arithmetic;
use crate::code::Code;
use crate::declarations::{Piece, PieceSet, Variable};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::game::Game;
use crate::provenance::Place;
use crate::rule::RuleKind;

pub(super) fn check(game: &Game, diagnostics: &mut Diagnostics) {
    let d = &game.declarations;
    let mut pieces: PieceSet = game.board.vertices().map(|v| game.board.piece(v)).collect();
    let mut read = vec![false; d.variables().len()];
    let mut assigned = vec![false; d.variables().len()];
    let mut look = |expression: &Arithmetic, pieces: &mut PieceSet| {
        expression.visit(&mut |part| match part {
            Arithmetic::Variable(v) => read[usize::from(v.0)] = true,
            Arithmetic::Count(p) => pieces.insert(*p),
            _ => {}
        });
    };
    game.rules.visit(&mut |rule| match &rule.kind {
        RuleKind::On(set) => pieces = pieces.union(*set),
        RuleKind::Off(piece, _) => pieces.insert(*piece),
        RuleKind::Assignment(variable, value, _) => {
            assigned[usize::from(variable.0)] = true;
            look(value, &mut pieces);
        }
        RuleKind::Comparison(_, sides) => {
            look(&sides.0, &mut pieces);
            look(&sides.1, &mut pieces);
        }
        _ => {}
    });
    let mut report = |code: Code, name: &str, message: String, label: &str| {
        if let Some(span) = d.declared_at(name) {
            diagnostics
                .push(Diagnostic::new(code, Place::written(span)).message(message).label(label));
        }
    };
    for (i, name) in d.pieces().iter().enumerate() {
        if !pieces.contains(Piece(i as u8)) {
            let message = format!("the piece `{name}` is never used");
            report(Code::UnusedPiece, name, message, "neither on the board nor in the rules");
        }
    }
    for i in d.players().len()..d.variables().len() {
        let name = d.variable_name(Variable(i as u16));
        if !read[i] {
            let message = format!("the variable `{name}` is never read");
            let label = if assigned[i] { "assigned, but never read" } else { "never used" };
            report(Code::UnusedVariable, name, message, label);
        }
    }
}
