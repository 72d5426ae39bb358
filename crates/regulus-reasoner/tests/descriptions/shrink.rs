//! Makes a description small that shows something: parts are taken out while it is still shown.

use super::draft::{Board, Draft, Expression};
use super::mutation::tidy;

use Expression::{Assign, Check, Compare, Off, On, Sequence, Star, Sum, Switch};
use regulus_rbg::arithmetic::Arithmetic;
use regulus_rbg::declarations::{Piece, Variable};

/// The smallest description near this one for which `shows` is true, after at most `tries` tries.
pub fn shrink(draft: Draft, tries: usize, mut shows: impl FnMut(&Draft) -> bool) -> Draft {
    let mut best = draft;
    let mut left = tries;
    let mut test = |candidate: &Draft, best: &mut Draft| {
        let smaller = weight(candidate) < weight(best);
        if !smaller || left == 0 || candidate.load().is_none() {
            return false;
        }
        left -= 1;
        let found = shows(candidate);
        if found {
            *best = candidate.clone();
        }
        found
    };
    loop {
        let before = weight(&best);
        smaller_rules(&mut best, &mut test);
        smaller_boards(&mut best, &mut test);
        fewer_names(&mut best, &mut test);
        if weight(&best) == before {
            return best;
        }
    }
}

type Test<'t> = dyn FnMut(&Draft, &mut Draft) -> bool + 't;

/// What is to become small: rules above all, then names, the board and bounds.
fn weight(draft: &Draft) -> usize {
    let mut parts = 0;
    draft.rules.clone().for_each(&mut |e| {
        parts += match e {
            On(pieces) => 2 + pieces.len(),
            Assign(_, value) => 2 + value.size(),
            Compare(_, a, b) => 1 + a.size() + b.size(),
            Sequence(_) => 1,
            _ => 2,
        }
    });
    let names = draft.pieces.len() + draft.labels.len() + draft.variables.len();
    let edges = match &draft.board {
        Board::Graph(cells) => cells.iter().map(|cell| 1 + cell.edges.len()).sum(),
        _ => draft.vertices(),
    };
    let bounds: usize = draft.variables.iter().map(|(_, b)| b.ilog2() as usize).sum();
    parts * 20 + names * 10 + edges * 10 + bounds
}

/// Takes parts of sequences and sums out, long runs of them first; then puts parts in the place of what is
/// around them.
fn smaller_rules(best: &mut Draft, test: &mut Test<'_>) {
    let mut at = 0;
    while at < best.rules.size() {
        let mut run = best.rules.at(at).parts().len().next_power_of_two();
        while run > 0 {
            let mut from = 0;
            while from < best.rules.at(at).parts().len() {
                let mut candidate = best.clone();
                let removed = match candidate.rules.at_mut(at).0 {
                    Sequence(parts) | Sum(parts) => {
                        let to = (from + run).min(parts.len());
                        parts.drain(from..to);
                        true
                    }
                    _ => false,
                };
                // What was taken out is not there any more, so the next run is at the same place.
                if !removed || !test(&candidate, best) {
                    from += run;
                }
            }
            run /= 2;
        }
        let number = best.rules.at(at).parts().len();
        for part in 0..number.min(40) {
            let mut candidate = best.clone();
            let inner = best.rules.at(at).parts().get(part).cloned();
            let Some(inner) = inner else { break };
            *candidate.rules.at_mut(at).0 = inner;
            tidy(&mut candidate.rules, false);
            if test(&candidate, best) {
                break;
            }
        }
        simpler_action(best, at, test);
        at += 1;
    }
}

fn simpler_action(best: &mut Draft, at: usize, test: &mut Test<'_>) {
    let mut simpler: Vec<Expression> = Vec::new();
    let numbers = |value: &Arithmetic| -> Vec<Arithmetic> {
        match value {
            Arithmetic::Operation(_, operands) => operands.clone(),
            Arithmetic::Constant(_) => Vec::new(),
            _ => vec![Arithmetic::Constant(0), Arithmetic::Constant(1)],
        }
    };
    match best.rules.at(at) {
        On(pieces) => {
            let without = |i: usize| {
                let mut fewer = pieces.clone();
                fewer.remove(i);
                On(fewer)
            };
            simpler.extend((0..pieces.len()).map(without));
        }
        Assign(v, value) => simpler.extend(numbers(value).into_iter().map(|n| Assign(*v, n))),
        Compare(c, a, b) => {
            simpler.extend(numbers(a).into_iter().map(|n| Compare(*c, n, b.clone())));
            simpler.extend(numbers(b).into_iter().map(|n| Compare(*c, a.clone(), n)));
        }
        Check(..) | Star(_) => simpler.push(Expression::nothing()),
        _ => {}
    }
    for action in simpler {
        let mut candidate = best.clone();
        *candidate.rules.at_mut(at).0 = action;
        if test(&candidate, best) {
            return;
        }
    }
}

fn smaller_boards(best: &mut Draft, test: &mut Test<'_>) {
    let mut change = |best: &mut Draft, f: &dyn Fn(&mut Board) -> bool| {
        let mut candidate = best.clone();
        f(&mut candidate.board) && test(&candidate, best)
    };
    for at in (0..400).rev() {
        change(best, &|board| match board {
            Board::Rectangle(_, lines) if at < lines.len() && lines.len() > 1 => {
                lines.remove(at);
                true
            }
            Board::Cuboid(_, layers) if at < layers.len() && layers.len() > 1 => {
                layers.remove(at);
                true
            }
            Board::Graph(cells) if at < cells.len() && cells.len() > 1 => {
                cells.remove(at);
                for cell in cells {
                    cell.edges.retain(|(_, to)| *to != at);
                    cell.edges.iter_mut().filter(|e| e.1 > at).for_each(|e| e.1 -= 1);
                }
                true
            }
            _ => false,
        });
        change(best, &|board| match board {
            // A hexagon keeps its shape if every line loses a cell, or the last line goes.
            Board::Hexagon(_, lines) if at == 0 && lines.iter().all(|line| line.len() > 1) => {
                for line in lines {
                    line.pop();
                }
                true
            }
            Board::Hexagon(_, lines) if at > 0 && at < lines.len() => {
                lines.truncate(at);
                true
            }
            Board::Rectangle(_, lines) if at < lines[0].len() && lines[0].len() > 1 => {
                for line in lines {
                    line.remove(at);
                }
                true
            }
            _ => false,
        });
    }
    let cells = if let Board::Graph(cells) = &best.board { cells.len() } else { 0 };
    for at in 0..cells {
        for edge in (0..best.labels.len()).rev() {
            change(best, &|board| match board {
                Board::Graph(cells) if cells[at].edges.len() > edge => {
                    cells[at].edges.remove(edge);
                    true
                }
                _ => false,
            });
        }
    }
}

/// Takes out variables and pieces that nothing mentions, and makes bounds smaller.
fn fewer_names(best: &mut Draft, test: &mut Test<'_>) {
    for at in (best.players..best.variables.len()).rev() {
        let mut candidate = best.clone();
        candidate.variables.remove(at);
        let mut used = false;
        renumber(
            &mut candidate.rules,
            &mut used,
            &mut |v| (v != at).then_some(v - usize::from(v > at)),
            &mut Some,
        );
        if !used {
            test(&candidate, best);
        }
    }
    for at in (0..best.pieces.len()).rev() {
        let mut candidate = best.clone();
        candidate.pieces.remove(at);
        let mut used = false;
        let mut without = |p: usize| (p != at).then_some(p - usize::from(p > at));
        renumber(&mut candidate.rules, &mut used, &mut Some, &mut without);
        let mut cell = |piece: &mut usize| *piece = without(*piece).unwrap_or(0);
        match &mut candidate.board {
            Board::Rectangle(_, lines) | Board::Hexagon(_, lines) => {
                lines.iter_mut().flatten().flatten().for_each(&mut cell);
            }
            Board::Cuboid(_, layers) => {
                layers.iter_mut().flatten().flatten().flatten().for_each(&mut cell);
            }
            Board::Graph(cells) => cells.iter_mut().for_each(|c| cell(&mut c.piece)),
        }
        if !used && !candidate.pieces.is_empty() {
            test(&candidate, best);
        }
    }
    while best.players > 1 {
        let mut candidate = best.clone();
        let last = best.players;
        candidate.variables.remove(last - 1);
        candidate.players -= 1;
        let mut used = false;
        renumber(
            &mut candidate.rules,
            &mut used,
            &mut |v| (v != last - 1).then_some(v - usize::from(v >= last)),
            &mut Some,
        );
        candidate.rules.for_each(&mut |e| {
            if let Switch(player) = e {
                used |= *player == last;
            }
        });
        if used || !test(&candidate, best) {
            break;
        }
    }
    for at in 0..best.variables.len() {
        for bound in [1, 3, 10, 100] {
            let mut candidate = best.clone();
            candidate.variables[at].1 = bound;
            if test(&candidate, best) {
                break;
            }
        }
    }
}

type Renumbering<'r> = dyn FnMut(usize) -> Option<usize> + 'r;

/// Gives variables and pieces other numbers; `used` becomes true if one of them has none any more.
fn renumber(
    rules: &mut Expression,
    used: &mut bool,
    variable: &mut Renumbering<'_>,
    piece: &mut Renumbering<'_>,
) {
    fn number(
        value: &mut Arithmetic,
        used: &mut bool,
        variable: &mut Renumbering<'_>,
        piece: &mut Renumbering<'_>,
    ) {
        match value {
            Arithmetic::Constant(_) => {}
            Arithmetic::Variable(Variable(v)) => match variable(usize::from(*v)) {
                Some(new) => *v = new as u16,
                None => *used = true,
            },
            Arithmetic::Count(Piece(p)) => match piece(usize::from(*p)) {
                Some(new) => *p = new as u8,
                None => *used = true,
            },
            Arithmetic::Operation(_, operands) => {
                operands.iter_mut().for_each(|o| number(o, used, variable, piece));
            }
        }
    }
    rules.for_each(&mut |e| match e {
        On(pieces) => {
            for p in pieces {
                match piece(*p) {
                    Some(new) => *p = new,
                    None => *used = true,
                }
            }
        }
        Off(p) => match piece(*p) {
            Some(new) => *p = new,
            None => *used = true,
        },
        Assign(v, value) => {
            match variable(*v) {
                Some(new) => *v = new,
                None => *used = true,
            }
            number(value, used, variable, piece);
        }
        Compare(_, a, b) => {
            number(a, used, variable, piece);
            number(b, used, variable, piece);
        }
        _ => {}
    });
}
