//! `cuboid(...)`: layers of equal rectangles.

use crate::board::builder::Builder;
use crate::board::generator::{Generator, equal_lengths, link_plane};
use crate::board::parser::Layer;
use crate::board::{Shape, Vertex};
use crate::code::Code;
use crate::declarations::Label;
use crate::diagnostic::{Diagnostic, Diagnostics};

pub(super) static GENERATOR: Generator = Generator {
    word: "cuboid",
    directions: &["up", "down", "left", "right", "front", "back"],
    is_layered: true,
    is_centred: false,
    join,
};

fn join(
    builder: &mut Builder<'_>,
    layers: &[Layer<'_>],
    labels: &[Label],
    diagnostics: &mut Diagnostics,
) -> Option<Shape> {
    let (first, _) = layers.first()?;
    equal_lengths(layers.iter().flat_map(|(lines, _)| lines), first.first()?, diagnostics)?;
    if let Some((lines, place)) = layers.iter().find(|(lines, _)| lines.len() != first.len()) {
        diagnostics.push(
            Diagnostic::new(Code::RaggedBoard, *place)
                .message(format!(
                    "this layer has {} line{}, expected {}",
                    lines.len(),
                    if lines.len() == 1 { "" } else { "s" },
                    first.len()
                ))
                .label("a layer of another size")
                .related(layers[0].1.span, format!("this layer has {}", first.len())),
        );
        return None;
    }
    let grids: Vec<Vec<Vec<Option<Vertex>>>> = layers
        .iter()
        .enumerate()
        .map(|(z, (lines, _))| {
            let lines = lines.iter().enumerate();
            lines
                .map(|(y, line)| builder.line(line, |x| format!("cx{x}y{y}z{z}"), diagnostics))
                .collect()
        })
        .collect();
    for (z, grid) in grids.iter().enumerate() {
        link_plane(builder, grid, labels);
        for (y, line) in grid.iter().enumerate() {
            for (x, cell) in line.iter().enumerate() {
                builder.link(*cell, labels[4], grids.get(z + 1).map(|g| g[y][x]));
                builder.link(*cell, labels[5], z.checked_sub(1).map(|z| grids[z][y][x]));
            }
        }
    }
    Some(Shape::Cuboid { layers: grids })
}
