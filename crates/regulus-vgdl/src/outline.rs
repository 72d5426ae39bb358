//! The lines of a game as they are written, without comments and superfluous blanks.

use crate::diagnostic::Diagnostics;
use crate::text::{self, Tree};

/// A game, line by line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    /// The first line.
    pub heading: String,
    /// The lines of the SpriteSet.
    pub sprites: Vec<OutlineLine>,
    /// The lines of the InteractionSet.
    pub interactions: Vec<OutlineLine>,
    /// The lines of the LevelMapping.
    pub mapping: Vec<OutlineLine>,
    /// The lines of the TerminationSet.
    pub terminations: Vec<OutlineLine>,
}

/// A line of a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlineLine {
    /// How many lines of the section it is nested in.
    pub depth: usize,
    /// The line, with one blank between words.
    pub text: String,
}

impl Outline {
    /// Reads the lines of a game. Where the text is wrong, what can be read is given.
    pub fn read(text: &str) -> Outline {
        let mut outline = Outline::default();
        let Some(tree) = text::tree(text, &mut Diagnostics::default()) else { return outline };
        outline.heading = words(&tree, 0);
        for &section in &tree.nodes[0].children {
            let list = match tree.nodes[section].head().text {
                "SpriteSet" => &mut outline.sprites,
                "InteractionSet" => &mut outline.interactions,
                "LevelMapping" => &mut outline.mapping,
                "TerminationSet" => &mut outline.terminations,
                _ => continue,
            };
            // Lines stand in the order of the text, so a stack of parents is all that nesting needs.
            let mut pending: Vec<(usize, usize)> =
                tree.nodes[section].children.iter().rev().map(|&node| (node, 0)).collect();
            while let Some((node, depth)) = pending.pop() {
                list.push(OutlineLine { depth, text: words(&tree, node) });
                let below = tree.nodes[node].children.iter().rev();
                pending.extend(below.map(|&child| (child, depth + 1)));
            }
        }
        outline
    }
}

fn words(tree: &Tree<'_>, node: usize) -> String {
    let words: Vec<&str> = tree.nodes[node].tokens.iter().map(|token| token.text).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_order_and_depth() {
        let text = "BasicGame  # a game\n SpriteSet\n  a >\n    b   > Door\n      c > Door\n  d > Door\n \
                    TerminationSet\n  Timeout  limit=9";
        let outline = Outline::read(text);
        let sprites: Vec<_> = outline.sprites.iter().map(|l| (l.depth, l.text.as_str())).collect();
        assert_eq!(sprites, [(0, "a >"), (1, "b > Door"), (2, "c > Door"), (0, "d > Door")]);
        assert_eq!(outline.heading, "BasicGame");
        assert_eq!(outline.terminations[0].text, "Timeout limit=9");
        assert_eq!(Outline::read(""), Outline::default());
    }
}
