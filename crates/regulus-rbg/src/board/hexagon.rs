//! `hexagon(...)`: lines that grow by one up to the widest and shrink by one from there.

use crate::board::builder::Builder;
use crate::board::generator::{Generator, ragged};
use crate::board::parser::Layer;
use crate::board::{Shape, Vertex};
use crate::declarations::Label;
use crate::diagnostic::Diagnostics;

pub(super) static GENERATOR: Generator = Generator {
    word: "hexagon",
    directions: &["north-west", "north-east", "east", "south-east", "south-west", "west"],
    is_layered: false,
    is_centred: true,
    join,
};

fn join(
    builder: &mut Builder<'_>,
    layers: &[Layer<'_>],
    labels: &[Label],
    diagnostics: &mut Diagnostics,
) -> Option<Shape> {
    let [(lines, _)] = layers else { return None };
    let length = |y: usize| lines[y].0.len();
    let peak = (1..lines.len()).take_while(|y| length(*y) == length(y - 1) + 1).count();
    let wrong = (peak + 1..lines.len()).find(|y| length(*y) + 1 != length(y - 1));
    if let Some(y) = wrong {
        let expected = if y == peak + 1 {
            format!("{} or {}", length(y - 1) + 1, length(y - 1).saturating_sub(1))
        } else {
            format!("{}", length(y - 1).saturating_sub(1))
        };
        diagnostics.push(ragged(&lines[y], &expected, &lines[y - 1]).help(
            "each line of a hexagon is one longer than the one before up to the widest, then one shorter",
        ));
        return None;
    }
    let grid: Vec<Vec<Option<Vertex>>> = lines
        .iter()
        .enumerate()
        .map(|(y, line)| builder.line(line, |x| format!("hx{x}y{y}"), diagnostics))
        .collect();
    let cell = |x: Option<usize>, y: Option<usize>| -> Option<Option<Vertex>> {
        x.and_then(|x| y.and_then(|y| grid.get(y)).and_then(|line| line.get(x))).copied()
    };
    let [nw, ne, east, se, sw, west] = labels else { return None };
    for (y, line) in grid.iter().enumerate() {
        // At or above the widest line, the line above is shorter and shifted half a cell right.
        let (up_left, up_right) = if y <= peak { (-1, 0) } else { (0, 1) };
        let (down_left, down_right) = if y < peak { (0, 1) } else { (-1, 0) };
        for (x, from) in line.iter().enumerate() {
            let by = |dx: isize| x.checked_add_signed(dx);
            let (above, below) = (y.checked_sub(1), Some(y + 1));
            builder.link(*from, *nw, cell(by(up_left), above));
            builder.link(*from, *ne, cell(by(up_right), above));
            builder.link(*from, *east, cell(by(1), Some(y)));
            builder.link(*from, *se, cell(by(down_right), below));
            builder.link(*from, *sw, cell(by(down_left), below));
            builder.link(*from, *west, cell(by(-1), Some(y)));
        }
    }
    Some(Shape::Hexagon { lines: grid })
}
