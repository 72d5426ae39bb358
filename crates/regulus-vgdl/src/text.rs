//! Lines, tokens and the tree that indentation makes.

use crate::diagnostic::{Code, Diagnostics, Place};

/// A word of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub text: &'a str,
    pub place: Place,
}

/// A line that is not blank, and the lines under it.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub tokens: Vec<Token<'a>>,
    pub indent: u32,
    pub parent: Option<usize>,
    pub children: Vec<usize>,
}

impl Node<'_> {
    /// The first word; every node has one.
    pub fn head(&self) -> Token<'_> {
        self.tokens[0]
    }

    /// The whole line.
    pub fn place(&self) -> Place {
        let first = self.tokens[0].place;
        let end = self.tokens.last().map_or(first.end, |token| token.place.end);
        Place { end, ..first }
    }
}

/// All lines; the first is the root.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    pub nodes: Vec<Node<'a>>,
}

/// Splits at `\n`, `\r\n` and `\r`, as a Java reader does.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rest = (!text.is_empty()).then_some(text);
    std::iter::from_fn(move || {
        let current = rest?;
        match current.find(['\n', '\r']) {
            None => {
                rest = None;
                Some(current)
            }
            Some(end) => {
                let width = if current[end..].starts_with("\r\n") { 2 } else { 1 };
                let after = &current[end + width..];
                rest = (!after.is_empty()).then_some(after);
                Some(&current[..end])
            }
        }
    })
}

/// Makes the tree, or nothing if there is no line or the lines have no common root.
pub(crate) fn tree<'a>(text: &'a str, diagnostics: &mut Diagnostics) -> Option<Tree<'a>> {
    let mut nodes: Vec<Node<'a>> = Vec::new();
    // The character of the first indentation: lines with another are said to be mixed.
    let mut usual: Option<char> = None;
    for (number, line) in lines(text).enumerate() {
        let number = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let code = line.split('#').next().unwrap_or("");
        let tokens = tokens(code, number);
        let Some(first) = tokens.first() else { continue };
        let indent = first.place.column - 1;
        let mut margin = code.chars().take(indent as usize);
        usual = usual.or(code.chars().next().filter(|_| indent > 0));
        if margin.any(|character| Some(character) != usual) {
            let place = Place { line: number, column: 1, end: indent + 1 };
            let message = "tabs and spaces are mixed in indentation; a tab counts as one column";
            diagnostics.push(Code::MixedIndentation, place, message.to_owned());
        }
        let parent = match nodes.len().checked_sub(1) {
            None => None,
            Some(mut above) => {
                while nodes[above].indent >= indent {
                    match nodes[above].parent {
                        Some(parent) => above = parent,
                        None => {
                            let message =
                                "only the first line may have this indentation".to_owned();
                            diagnostics.push(Code::BadRoot, first.place, message);
                            return None;
                        }
                    }
                }
                Some(above)
            }
        };
        let index = nodes.len();
        if let Some(parent) = parent {
            if let Some(&sibling) = nodes[parent].children.first()
                && nodes[sibling].indent != indent
            {
                let message =
                    format!("the lines above it are indented by {}", nodes[sibling].indent);
                diagnostics.push(Code::UnevenIndentation, first.place, message);
            }
            nodes[parent].children.push(index);
        }
        nodes.push(Node { tokens, indent, parent, children: Vec::new() });
    }
    if nodes.is_empty() {
        let place = Place { line: 1, column: 1, end: 1 };
        diagnostics.push(Code::EmptyFile, place, "the file has no text".to_owned());
        return None;
    }
    Some(Tree { nodes })
}

fn tokens(line: &str, number: u32) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut start: Option<(usize, u32)> = None;
    let characters = line.char_indices().chain([(line.len(), ' ')]);
    for (column, (offset, character)) in (1..).zip(characters) {
        let blank = character.is_whitespace() || character <= ' ';
        match start {
            None if !blank => start = Some((offset, column)),
            Some((from, first)) if blank => {
                let place = Place { line: number, column: first, end: column };
                tokens.push(Token { text: &line[from..offset], place });
                start = None;
            }
            _ => {}
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_in_java() {
        let found: Vec<_> = lines("a\r\nb\rc\n\nd\n").collect();
        assert_eq!(found, ["a", "b", "c", "", "d"]);
        assert_eq!(lines("").count(), 0);
        assert_eq!(lines("\n").count(), 1);
    }

    #[test]
    fn a_tab_is_one_column() {
        let mut diagnostics = Diagnostics::default();
        let tree = tree("root\n  a\n \tb\n  \tc # d\n", &mut diagnostics).unwrap();
        let parents: Vec<_> = tree.nodes.iter().map(|node| node.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(0), Some(2)]);
        assert_eq!(tree.nodes[3].tokens.len(), 1);
    }

    #[test]
    fn columns_count_characters() {
        let found = tokens("  ä > b=1", 3);
        let places: Vec<_> = found.iter().map(|t| (t.place.column, t.place.end)).collect();
        assert_eq!(places, [(3, 4), (5, 6), (7, 10)]);
    }
}
