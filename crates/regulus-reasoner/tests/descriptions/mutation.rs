//! Changes of rules that mostly leave them valid: parts are deleted, doubled, exchanged, taken from
//! elsewhere, wrapped and unwrapped, and what single actions say is changed. Boards and names are changed
//! in `surroundings.rs`.

use regulus_rbg::arithmetic::{Arithmetic, Comparison, Operator};
use regulus_rbg::declarations::{Piece, Variable};

use super::choices::Choices;
use super::draft::{Draft, Expression};
use super::surroundings;

use Expression::{Assign, Check, Compare, Dot, Off, On, Sequence, Shift, Star, Sum, Switch};

/// Parts of rules beyond which nothing is added.
const MOST_PARTS: usize = 3_000;

/// The largest part that is copied to another place.
const MOST_COPIED: usize = 120;

const COMPARISONS: [Comparison; 6] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::Less,
    Comparison::LessEqual,
    Comparison::Greater,
    Comparison::GreaterEqual,
];

const OPERATORS: [Operator; 4] =
    [Operator::Add, Operator::Subtract, Operator::Multiply, Operator::Divide];

/// Changes a draft in a few ways. Parts may come from another game.
pub fn mutate(draft: &mut Draft, other: &Draft, choices: &mut Choices<'_>) {
    if draft.vertices() > 36 && !choices.one_in(4) {
        surroundings::crop(draft, choices);
    }
    let mut changes = 1;
    while changes < 12 && !choices.one_in(3) {
        changes += 1;
    }
    for _ in 0..changes {
        match choices.below(10) {
            0 => surroundings::change_board(draft, choices),
            1 if choices.one_in(2) => surroundings::change_names(draft, choices),
            _ => change_rules(draft, other, choices),
        }
    }
    tidy(&mut draft.rules, false);
}

fn change_rules(draft: &mut Draft, other: &Draft, choices: &mut Choices<'_>) {
    let size = draft.rules.size();
    let at = choices.below(size);
    match choices.below(16) {
        0 | 1 => delete(draft, choices),
        2 => double(draft, choices),
        3 => exchange(draft, choices),
        // A part of the same rules, or of others, in the place of this one or beside it.
        4..=6 => {
            let from = if choices.one_in(2) { &*draft } else { other };
            let found = from.rules.at(choices.below(from.rules.size())).clone();
            if found.size() > MOST_COPIED || size > MOST_PARTS {
                return;
            }
            let part = translated(found, draft);
            place(draft.rules.at_mut(at).0, part, choices);
        }
        7 | 8 => wrap(draft, at, choices),
        9 => unwrap(draft.rules.at_mut(at).0, choices),
        10 | 11 => {
            let part = action(draft, choices);
            place(draft.rules.at_mut(at).0, part, choices);
        }
        _ => {
            // Most parts are actions; among a few, one is soon found.
            for _ in 0..8 {
                let at = choices.below(size);
                if draft.rules.at(at).parts().is_empty() || matches!(draft.rules.at(at), Check(..))
                {
                    change_action(draft, at, choices);
                    return;
                }
            }
        }
    }
}

/// A sequence or sum with at least `least` parts, if one is found quickly.
fn operator<'d>(
    draft: &'d mut Draft,
    least: usize,
    choices: &mut Choices<'_>,
) -> Option<&'d mut Vec<Expression>> {
    let size = draft.rules.size();
    let numbers: Vec<usize> = (0..12).map(|_| choices.below(size)).collect();
    let fits = |e: &Expression| matches!(e, Sequence(p) | Sum(p) if p.len() >= least);
    let at = numbers.into_iter().find(|at| fits(draft.rules.at(*at)))?;
    match draft.rules.at_mut(at).0 {
        Sequence(parts) | Sum(parts) => Some(parts),
        _ => None,
    }
}

fn delete(draft: &mut Draft, choices: &mut Choices<'_>) {
    let Some(parts) = operator(draft, 1, choices) else { return };
    let from = choices.below(parts.len());
    let most = if choices.one_in(4) { 4 } else { 1 };
    let to = (from + 1 + choices.below(most)).min(parts.len());
    parts.drain(from..to);
}

fn double(draft: &mut Draft, choices: &mut Choices<'_>) {
    if draft.rules.size() > MOST_PARTS {
        return;
    }
    let Some(parts) = operator(draft, 1, choices) else { return };
    let from = choices.below(parts.len());
    let to = choices.below(parts.len() + 1);
    let part = parts[from].clone();
    if part.size() <= MOST_COPIED {
        parts.insert(to, part);
    }
}

fn exchange(draft: &mut Draft, choices: &mut Choices<'_>) {
    let Some(parts) = operator(draft, 2, choices) else { return };
    let (a, b) = (choices.below(parts.len()), choices.below(parts.len()));
    parts.swap(a, b);
}

/// Puts a part where another one is, or before, behind or beside it.
fn place(here: &mut Expression, part: Expression, choices: &mut Choices<'_>) {
    let old = std::mem::replace(here, Expression::nothing());
    *here = match choices.below(5) {
        0 => part,
        1 | 2 => Sequence(vec![part, old]),
        3 => Sequence(vec![old, part]),
        _ => Sum(if choices.one_in(2) { vec![part, old] } else { vec![old, part] }),
    };
}

fn wrap(draft: &mut Draft, at: usize, choices: &mut Choices<'_>) {
    let small = draft.rules.at(at).size() <= MOST_COPIED && draft.rules.size() <= MOST_PARTS;
    let test = action(draft, choices);
    let (here, _) = draft.rules.at_mut(at);
    let old = std::mem::replace(here, Expression::nothing());
    *here = match choices.below(9) {
        0 | 1 => Star(Box::new(old)),
        2 => Check(false, Box::new(old)),
        3 => Check(true, Box::new(old)),
        4 => Sum(vec![old, Expression::nothing()]),
        // A loop that can go round without changing anything, and one that has to.
        5 => Star(Box::new(Sum(vec![old, test]))),
        6 if small => {
            let check = |negated| Check(negated, Box::new(test.clone()));
            Sum(vec![
                Sequence(vec![check(false), old.clone()]),
                Sequence(vec![check(true), if choices.one_in(2) { old } else { test }]),
            ])
        }
        7 if small => {
            let times = if choices.one_in(8) { 20 } else { 2 + choices.below(3) };
            Sequence(vec![old; times])
        }
        _ => Sequence(vec![Check(choices.one_in(2), Box::new(test)), old]),
    };
}

fn unwrap(here: &mut Expression, choices: &mut Choices<'_>) {
    let parts = here.parts();
    if !parts.is_empty() {
        let part = parts[choices.below(parts.len())].clone();
        *here = part;
    }
}

/// A new action, or a few that belong together.
pub fn action(draft: &Draft, choices: &mut Choices<'_>) -> Expression {
    let (pieces, labels) = (draft.pieces.len(), draft.labels.len());
    match choices.below(14) {
        0..=2 => Shift(choices.below(labels)),
        3 | 4 => On(some_pieces(draft, choices)),
        5 | 6 => Off(choices.below(pieces)),
        7 => Assign(choices.below(draft.variables.len()), number(draft, choices, 2)),
        8 => Compare(
            choices.pick(&COMPARISONS),
            number(draft, choices, 1),
            number(draft, choices, 1),
        ),
        9 => Dot,
        10 => Switch(choices.below(draft.players + 1)),
        11 => Star(Box::new(Shift(choices.below(labels)))),
        // A loop that the board bounds.
        12 => {
            let (from, to) = (choices.below(pieces), choices.below(pieces));
            let step = Sequence(vec![Shift(choices.below(labels)), On(vec![from]), Off(to)]);
            Star(Box::new(step))
        }
        _ => {
            let way = Sequence(vec![Shift(choices.below(labels)), On(some_pieces(draft, choices))]);
            Check(choices.one_in(2), Box::new(way))
        }
    }
}

fn some_pieces(draft: &Draft, choices: &mut Choices<'_>) -> Vec<usize> {
    let all = draft.pieces.len();
    match choices.below(8) {
        0 => Vec::new(),
        1 => (0..all).collect(),
        2 => (0..all).filter(|_| choices.one_in(2)).collect(),
        n => {
            let mut some: Vec<usize> = (0..1 + n / 4).map(|_| choices.below(all)).collect();
            some.sort_unstable();
            some.dedup();
            some
        }
    }
}

fn number(draft: &Draft, choices: &mut Choices<'_>, depth: usize) -> Arithmetic {
    if depth > 0 && choices.one_in(2) {
        let operands = (0..2 + choices.below(2)).map(|_| number(draft, choices, depth - 1));
        let operands = operands.collect();
        return Arithmetic::Operation(choices.pick(&OPERATORS), operands);
    }
    match choices.below(6) {
        0 | 1 => Arithmetic::Constant(choices.below(4) as i64),
        2 => Arithmetic::Constant(choices.below(1200) as i64),
        3 => Arithmetic::Count(Piece(choices.below(draft.pieces.len()) as u8)),
        _ => Arithmetic::Variable(Variable(choices.below(draft.variables.len()) as u16)),
    }
}

/// Changes what one action says.
fn change_action(draft: &mut Draft, at: usize, choices: &mut Choices<'_>) {
    let some = some_pieces(draft, choices);
    let new = number(draft, choices, 2);
    let (pieces, labels) = (draft.pieces.len(), draft.labels.len());
    let (players, variables) = (draft.players, draft.variables.len());
    match draft.rules.at_mut(at).0 {
        Shift(label) => *label = choices.below(labels),
        On(pieces) => match choices.below(3) {
            0 => *pieces = some,
            1 => pieces.retain(|p| !some.contains(p)),
            _ => {
                pieces.extend(some);
                pieces.sort_unstable();
                pieces.dedup();
            }
        },
        Off(piece) => *piece = choices.below(pieces),
        Assign(variable, _) if choices.one_in(3) => *variable = choices.below(variables),
        Assign(_, value) => change_number(value, new, choices),
        Compare(comparison, ..) if choices.one_in(3) => *comparison = choices.pick(&COMPARISONS),
        Compare(_, a, b) => change_number(if choices.one_in(2) { a } else { b }, new, choices),
        Switch(player) => *player = choices.below(players + 1),
        Check(negated, _) => *negated = !*negated,
        here => *here = Expression::nothing(),
    }
}

fn change_number(here: &mut Arithmetic, new: Arithmetic, choices: &mut Choices<'_>) {
    match here {
        Arithmetic::Operation(_, operands) if choices.one_in(2) => {
            let at = choices.below(operands.len());
            change_number(&mut operands[at], new, choices);
        }
        Arithmetic::Operation(operator, _) if choices.one_in(2) => {
            *operator = choices.pick(&OPERATORS);
        }
        Arithmetic::Constant(value) if choices.one_in(2) => {
            *value = (*value + choices.below(3) as i64 - 1).max(0);
        }
        _ => *here = new,
    }
}

/// A part of another game with the names of this one: the same names, or others in their place.
fn translated(mut part: Expression, draft: &Draft) -> Expression {
    let (pieces, labels) = (draft.pieces.len(), draft.labels.len());
    let (players, variables) = (draft.players, draft.variables.len());
    part.for_each(&mut |e| match e {
        Shift(label) => *label %= labels,
        On(on) => {
            on.iter_mut().for_each(|p| *p %= pieces);
            on.sort_unstable();
            on.dedup();
        }
        Off(piece) => *piece %= pieces,
        Assign(variable, value) => {
            *variable %= variables;
            translate(value, pieces, variables);
        }
        Compare(_, a, b) => {
            translate(a, pieces, variables);
            translate(b, pieces, variables);
        }
        Switch(player) => *player %= players + 1,
        _ => {}
    });
    part
}

fn translate(value: &mut Arithmetic, pieces: usize, variables: usize) {
    match value {
        Arithmetic::Constant(_) => {}
        Arithmetic::Variable(Variable(v)) => *v %= variables as u16,
        Arithmetic::Count(Piece(p)) => *p = (usize::from(*p) % pieces) as u8,
        Arithmetic::Operation(_, operands) => {
            operands.iter_mut().for_each(|o| translate(o, pieces, variables));
        }
    }
}

/// Takes out what is never valid or says the same twice: switches in conditions, brackets in brackets.
pub fn tidy(e: &mut Expression, inside: bool) {
    let within = inside || matches!(e, Check(..));
    e.parts_mut().iter_mut().for_each(|part| tidy(part, within));
    match e {
        Switch(_) if inside => *e = Expression::nothing(),
        Sequence(parts) => {
            let flat = std::mem::take(parts).into_iter().flat_map(|part| match part {
                Sequence(inner) => inner,
                part => vec![part],
            });
            *parts = flat.collect();
        }
        Sum(parts) => {
            let flat = std::mem::take(parts).into_iter().flat_map(|part| match part {
                Sum(inner) if !inner.is_empty() => inner,
                part => vec![part],
            });
            *parts = flat.collect();
        }
        _ => {}
    }
    if let Sequence(parts) | Sum(parts) = e
        && parts.len() == 1
        && let Some(only) = parts.pop()
    {
        *e = only;
    }
}
