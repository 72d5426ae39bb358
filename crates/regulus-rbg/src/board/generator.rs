//! The words that make boards of lines of cells: what each is called, what its labels mean, how it joins its cells.
//!
//! A new one is a file beside this one, a line in [`GENERATORS`], its word in `token.rs`, and a sentence in `code.rs`.

use crate::board::builder::Builder;
use crate::board::parser::{Layer, Line};
use crate::board::{Shape, Vertex, cuboid, hexagon, rectangle};
use crate::code::Code;
use crate::declarations::Label;
use crate::diagnostic::{Diagnostic, Diagnostics};

/// What a word such as `rectangle` means in the section of the board.
#[derive(Debug)]
pub struct Generator {
    /// The word of the language.
    pub word: &'static str,
    /// The directions that labels are given for, in this order.
    pub directions: &'static [&'static str],
    /// Whether lines stand in layers, each in its own brackets.
    pub(crate) is_layered: bool,
    /// Whether lines are of different lengths, so that they are written centred.
    pub(crate) is_centred: bool,
    /// Numbers the cells and joins neighbours. Without layers there is one.
    pub(crate) join: fn(
        builder: &mut Builder<'_>,
        layers: &[Layer<'_>],
        labels: &[Label],
        diagnostics: &mut Diagnostics,
    ) -> Option<Shape>,
}

/// All of them.
pub static GENERATORS: [&Generator; 3] =
    [&rectangle::GENERATOR, &hexagon::GENERATOR, &cuboid::GENERATOR];

/// Each word has one generator.
impl PartialEq for Generator {
    fn eq(&self, other: &Generator) -> bool {
        self.word == other.word
    }
}

impl Eq for Generator {}

impl Generator {
    /// The generator of a word.
    pub fn by_word(word: &str) -> Option<&'static Generator> {
        GENERATORS.into_iter().find(|generator| generator.word == word)
    }
}

pub(super) fn ragged(line: &Line<'_>, expected: &str, first: &Line<'_>) -> Diagnostic {
    let cells = |n: usize| if n == 1 { "1 cell".to_owned() } else { format!("{n} cells") };
    Diagnostic::new(Code::RaggedBoard, line.1)
        .message(format!("this line has {}, expected {expected}", cells(line.0.len())))
        .label(cells(line.0.len()))
        .related(first.1.span, format!("this line has {}", cells(first.0.len())))
}

/// Reports the lines whose length is not that of the first.
pub(super) fn equal_lengths<'l, 'a: 'l>(
    lines: impl Iterator<Item = &'l Line<'a>>,
    first: &Line<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<()> {
    let wrong: Vec<_> = lines.filter(|l| l.0.len() != first.0.len()).collect();
    for line in &wrong {
        diagnostics.push(
            ragged(line, &first.0.len().to_string(), first)
                .help("write holes as nothing between commas: `[e, , e]`"),
        );
    }
    wrong.is_empty().then_some(())
}

/// Joins orthogonal neighbours: labels are up, down, left, right.
pub(super) fn link_plane(
    builder: &mut Builder<'_>,
    grid: &[Vec<Option<Vertex>>],
    labels: &[Label],
) {
    for (y, line) in grid.iter().enumerate() {
        for (x, cell) in line.iter().enumerate() {
            builder.link(*cell, labels[0], y.checked_sub(1).map(|y| grid[y][x]));
            builder.link(*cell, labels[1], grid.get(y + 1).map(|l| l[x]));
            builder.link(*cell, labels[2], x.checked_sub(1).map(|x| line[x]));
            builder.link(*cell, labels[3], line.get(x + 1).copied());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;
    use crate::token::{TokenKind, lex};

    #[test]
    fn words_of_generators_are_reserved() {
        for generator in GENERATORS {
            let mut diagnostics = Diagnostics::default();
            let tokens = lex(&Source::new("a word", generator.word), &mut diagnostics);
            let kinds: Vec<TokenKind> = tokens.iter().map(|token| token.kind).collect();
            assert_eq!(kinds, [TokenKind::Generator], "{}", generator.word);
        }
    }
}
