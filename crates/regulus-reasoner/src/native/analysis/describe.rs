//! The analyses as text, one per pass: for people who wonder what the compiler knows about a game, and
//! for tests.

use std::fmt::Write as _;

use regulus_rbg::arithmetic::Interval;
use regulus_rbg::declarations::Label;
use regulus_rbg::print;
use regulus_rbg::rule::{ModifierIndex, Rule, RuleKind};

use super::Analysis;
use super::guard::are_exclusive;
use super::relation::{Relation, is_static};
use super::segments::Transition;

use crate::native::Pass;

/// What a pass found out about a game.
pub(crate) fn describe(analysis: &Analysis, pass: Pass) -> String {
    match pass {
        Pass::Numbering => numbering(analysis),
        Pass::Segments => analysis.segments.dump(&analysis.game.declarations),
        Pass::Relations => relations(analysis),
        Pass::Guards => guards(analysis),
        Pass::Intervals => intervals(analysis),
        Pass::Patterns => patterns(analysis),
    }
}

fn numbering(analysis: &Analysis) -> String {
    let (embedding, d) = (&analysis.embedding, &analysis.game.declarations);
    let board = &analysis.game.board;
    let mut text = format!(
        "; {} vertices in {} positions, {} word{}{}\n",
        board.len(),
        embedding.len(),
        embedding.words,
        if embedding.words == 1 { "" } else { "s" },
        if embedding.padded { ", a step off the board never lands on a vertex" } else { "" }
    );
    for (label, delta) in embedding.delta.iter().enumerate() {
        let name = d.label_name(Label(label as u8));
        let _ = match delta {
            Some(delta) => writeln!(text, "{name} {delta:+}"),
            None => writeln!(text, "{name} has no fixed distance"),
        };
    }
    for vertex in board.vertices() {
        let _ = writeln!(text, "{} at {}", board.name(vertex), embedding.position(vertex));
    }
    text
}

/// A relation in a few words.
fn relation_text(relation: &Relation) -> String {
    if let Some(constant) = &relation.constant {
        return format!("leads to the same {} vertices from everywhere", constant.len());
    }
    let groups: Vec<String> = relation
        .groups
        .iter()
        .map(|g| {
            let plain = if g.is_plain_shift { "" } else { " masked" };
            format!("{:+}{plain} from {}", g.delta, g.sources.len())
        })
        .collect();
    let line =
        relation.longest_chain.map_or(String::new(), |n| format!(", repeated at most {n} times"));
    format!("at most {} at once: {}{line}", relation.widest, groups.join(", "))
}

fn relations(analysis: &Analysis) -> String {
    fn add(analysis: &Analysis, rules: &[Rule], seen: &mut Vec<String>) {
        for run in rules.chunk_by(|a, b| is_static(a) == is_static(b)) {
            if is_static(&run[0]) {
                let d = &analysis.game.declarations;
                let alone = run.len() == 1;
                let shown: Vec<String> = run
                    .iter()
                    .map(|r| match r.kind {
                        RuleKind::Sum(_) if !alone => format!("({})", print::rule(r, d)),
                        _ => print::rule(r, d),
                    })
                    .collect();
                let relation = analysis.relation(run);
                let line = format!("{}\n    {}\n", shown.join(" "), relation_text(&relation));
                if !seen.contains(&line) {
                    seen.push(line);
                }
                continue;
            }
            for rule in run {
                match &rule.kind {
                    RuleKind::Concatenation(parts) => add(analysis, parts, seen),
                    _ => rule
                        .children()
                        .iter()
                        .for_each(|child| add(analysis, std::slice::from_ref(child), seen)),
                }
            }
        }
    }
    let mut seen = Vec::new();
    for (transition, _) in analysis.segments.nodes.iter().flatten() {
        if let Transition::Pure(rules) = transition {
            add(analysis, rules, &mut seen);
        }
    }
    seen.concat()
}

fn guards(analysis: &Analysis) -> String {
    let mut text = String::new();
    for (node, transitions) in analysis.segments.nodes.enumerated().filter(|(_, a)| a.len() > 1) {
        let pairs =
            (0..transitions.len()).flat_map(|i| (i + 1..transitions.len()).map(move |j| (i, j)));
        let open: Vec<String> = pairs
            .filter(|(i, j)| !are_exclusive(analysis, node, *i, *j))
            .map(|(i, j)| format!("{i} and {j}"))
            .collect();
        let _ = match open.is_empty() {
            true => writeln!(text, "{node}: at most one of {} ways is open", transitions.len()),
            false => writeln!(text, "{node}: may both be open: {}", open.join(", ")),
        };
    }
    text
}

fn intervals(analysis: &Analysis) -> String {
    let d = &analysis.game.declarations;
    let mut text = String::new();
    for (transition, _) in analysis.segments.nodes.iter().flatten() {
        let Transition::Assign(variable, value, ModifierIndex(number)) = transition else {
            continue;
        };
        let bound = d.bound(*variable);
        let shown = print::arithmetic(value, d);
        let name = d.variable_name(*variable);
        let interval = Interval::of(value, d, analysis.game.board.len());
        let _ = match interval {
            Ok(i) if i.low >= 0 && i.high <= i128::from(bound) => {
                writeln!(text, "#{number} {name} = {shown}: always within 0..{bound}")
            }
            Ok(i) => writeln!(
                text,
                "#{number} {name} = {shown}: {}..{}, tested against 0..{bound}",
                i.low, i.high
            ),
            Err(_) => writeln!(text, "#{number} {name} = {shown}: tested against 0..{bound}"),
        };
    }
    text
}

/// Conditions that are asked of a bounded surrounding, with the bits that each of their tables takes.
fn patterns(analysis: &Analysis) -> String {
    let d = &analysis.game.declarations;
    let mut seen: Vec<String> = Vec::new();
    for (node, transitions) in analysis.segments.nodes.enumerated() {
        for (transition, _) in transitions {
            let Transition::Pure(rules) = transition else { continue };
            for (i, rule) in rules.iter().enumerate() {
                let RuleKind::Condition { body, .. } = &rule.kind else { continue };
                let under = if i == 0 { analysis.standing(node) } else { d.all_pieces() };
                let Some(pattern) = analysis.pattern(body, under) else { continue };
                let mut text = format!("{}\n", print::rule(body, d));
                for truth in &pattern.truths {
                    let bits = truth.bits.iter().map(|bit| {
                        let pieces: Vec<&str> =
                            bit.class.iter().map(|piece| d.piece_name(piece)).collect();
                        format!("{:+} {}", bit.offset, pieces.join("/"))
                    });
                    let bits: Vec<String> = bits.collect();
                    let n = truth.terms.len();
                    let _ = writeln!(text, "    {n} ways to hold: {}", bits.join(", "));
                }
                if !seen.contains(&text) {
                    seen.push(text);
                }
            }
        }
    }
    seen.concat()
}
