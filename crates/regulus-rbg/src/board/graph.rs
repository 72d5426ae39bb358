//! Boards whose vertices and edges are listed one by one.

use rustc_hash::FxHashMap;

use crate::board::builder::Builder;
use crate::board::parser::{DraftVertex, Word};
use crate::board::{Shape, Vertex};
use crate::code::Code;
use crate::declarations::Meaning;
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean};
use crate::provenance::Place;

/// Numbers the vertices and joins them as listed.
pub(super) fn join(
    builder: &mut Builder<'_>,
    vertices: &[DraftVertex<'_>],
    diagnostics: &mut Diagnostics,
) -> Option<Shape> {
    let mut numbers: FxHashMap<&str, (Vertex, Place)> = FxHashMap::default();
    for draft in vertices {
        let (name, place) = draft.name;
        if let Some((_, first)) = numbers.get(name) {
            diagnostics.push(
                Diagnostic::new(Code::DuplicateVertex, place)
                    .message(format!("the vertex `{name}` is declared twice"))
                    .label("declared again here")
                    .related(first.span, "first declared here"),
            );
            continue;
        }
        let Some(piece) = draft.piece else { continue };
        let vertex = builder.add(name.to_owned(), piece, diagnostics);
        numbers.insert(name, (vertex, place));
    }
    for draft in vertices {
        let Some((from, _)) = numbers.get(draft.name.0).copied() else { continue };
        let mut used: Vec<Word<'_>> = Vec::new();
        for (label, (target, target_place)) in &draft.edges {
            if let Some((_, first)) = used.iter().find(|(name, _)| *name == label.0) {
                diagnostics.push(
                    Diagnostic::new(Code::DuplicateEdge, label.1)
                        .message(format!(
                            "the vertex `{}` has two edges `{}`",
                            draft.name.0, label.0
                        ))
                        .label("the second one")
                        .related(first.span, "the first one"),
                );
                continue;
            }
            used.push(*label);
            let Some((to, _)) = numbers.get(target) else {
                if !diagnostics.is_news(Code::UnknownVertex, target_place.span, target) {
                    continue;
                }
                let near = did_you_mean(target, vertices.iter().map(|v| v.name.0));
                diagnostics.push(
                    Diagnostic::new(Code::UnknownVertex, *target_place)
                        .message(format!("there is no vertex `{target}`"))
                        .label("not declared")
                        .maybe_help(near.map(|n| format!("did you mean `{n}`?"))),
                );
                continue;
            };
            if let Some(Meaning::Label(label)) = builder.declarations.meaning(label.0) {
                builder.edges.push((from, label, *to));
            }
        }
    }
    Some(Shape::Graph)
}
