//! Where the framework of 2021 stops reading a game. It has no way to go on after a line whose effect or termination
//! it does not have: what stands before the line is the game, and the line and everything behind it is not.
//! One of its own games has such a line.
//!
//! A name that is almost a known one is a mistake in writing, and an error here.

use regulus_diagnostic::did_you_mean;

use crate::diagnostic::{Code, Diagnostics};
use crate::text::{Token, Tree};
use crate::{effect, termination};

/// Cuts a tree off where the framework stops reading it, and says so; gives the first line that is gone.
pub(crate) fn cut(
    tree: &mut Tree<'_>,
    interactions: &[usize],
    terminations: &[usize],
    diagnostics: &mut Diagnostics,
) -> Option<usize> {
    let lines = |sections: &[usize]| -> Vec<usize> {
        sections.iter().flat_map(|&section| tree.nodes[section].children.clone()).collect()
    };
    let effect = lines(interactions).into_iter().find_map(|line| {
        let name = effect_name(&tree.nodes[line].tokens)?;
        let known = effect::NAMES.iter().map(|(name, ..)| *name);
        is_foreign(name.text, known).then_some((line, name, "effect"))
    });
    let end = lines(terminations).into_iter().find_map(|line| {
        let name = tree.nodes[line].head();
        is_foreign(name.text, termination::NAMES).then_some((line, name, "termination"))
    });
    let (line, name, what) = effect.into_iter().chain(end).min_by_key(|(line, ..)| *line)?;
    let ignored = match tree.nodes.len() - 1 - line {
        0 => "this line does not count".to_owned(),
        1 => "this line and the one behind it do not count".to_owned(),
        count => format!("this line and the {count} behind it do not count"),
    };
    let message = format!(
        "no {what} is called `{}`; the framework of 2021 stops reading here, and {ignored}",
        name.text
    );
    diagnostics.push(Code::ReadingStops, name.place, message);
    for node in &mut tree.nodes {
        node.children.retain(|child| *child < line);
    }
    Some(line)
}

/// Whether a name is no known one, and not meant to be one.
fn is_foreign<'k>(name: &str, known: impl IntoIterator<Item = &'k str> + Clone) -> bool {
    known.clone().into_iter().all(|other| other != name) && did_you_mean(name, known).is_none()
}

/// The effect of a line, if it is a whole one.
fn effect_name<'a>(tokens: &[Token<'a>]) -> Option<Token<'a>> {
    let arrow = tokens.iter().position(|token| token.text == ">").filter(|&arrow| arrow >= 2)?;
    let is_name = |token: &&Token<'_>| token.text != ">" && !token.text.contains('=');
    tokens[arrow..].iter().rfind(is_name).copied()
}
