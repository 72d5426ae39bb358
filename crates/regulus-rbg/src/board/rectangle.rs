//! `rectangle(...)`: lines of equal length.

use crate::board::builder::Builder;
use crate::board::generator::{Generator, equal_lengths, link_plane};
use crate::board::parser::Layer;
use crate::board::{Shape, Vertex};
use crate::declarations::Label;
use crate::diagnostic::Diagnostics;

pub(super) static GENERATOR: Generator = Generator {
    word: "rectangle",
    directions: &["up", "down", "left", "right"],
    is_layered: false,
    is_centred: false,
    join,
};

fn join(
    builder: &mut Builder<'_>,
    layers: &[Layer<'_>],
    labels: &[Label],
    diagnostics: &mut Diagnostics,
) -> Option<Shape> {
    let [(lines, _)] = layers else { return None };
    let is_regular = equal_lengths(lines.iter(), lines.first()?, diagnostics);
    let grid: Vec<Vec<Option<Vertex>>> = lines
        .iter()
        .enumerate()
        .map(|(y, line)| builder.line(line, |x| format!("rx{x}y{y}"), diagnostics))
        .collect();
    is_regular?;
    link_plane(builder, &grid, labels);
    Some(Shape::Rectangle { lines: grid })
}
