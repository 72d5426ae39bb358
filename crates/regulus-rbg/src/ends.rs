//! With which scores a game can end, as far as the rules say: an over-approximation by a fixpoint over the
//! automaton. What is known of a state is the scores of all players that walks can have there.

use std::cell::Cell;

use crate::arithmetic::Arithmetic;
use crate::automaton::{Automaton, Edge};
use crate::declarations::{Player, Variable};
use crate::game::Game;
use crate::rule::{Rule, RuleKind};

/// The scores of all players, the first player's first.
pub type Scores = Vec<u32>;

/// How many different scores are followed: one for each bit of a set. Games that add points up have more, and are
/// left alone.
const MOST: usize = 64;

/// All scores with which a game can end, and maybe some more, in order; nothing if the rules do not tell, or there
/// are too many. A game ends where somebody cannot move, so that these are the scores behind all moves and at the
/// start.
pub fn ends(game: &Game) -> Option<Vec<Scores>> {
    let automaton = Automaton::new(&game.rules);
    let mut all = vec![vec![0; game.declarations.players().len()]];
    let mut ends = 1u64;
    let mut known = vec![0u64; automaton.len()];
    known[automaton.start.index()] = 1;
    let mut queue = vec![(automaton.start, 1u64)];
    while let Some((state, new)) = queue.pop() {
        for edge in automaton.from(state) {
            let after = pass_all(game, edge, new, &mut all)?;
            if edge.is_switch() {
                ends |= after;
            }
            let before = &mut known[edge.to.index()];
            let new = after & !*before;
            *before |= after;
            if new != 0 {
                queue.push((edge.to, new));
            }
        }
    }
    let kept = all.into_iter().enumerate().filter(|(i, _)| ends >> i & 1 == 1);
    let mut ends: Vec<Scores> = kept.map(|(_, scores)| scores).collect();
    ends.sort_unstable();
    Some(ends)
}

/// The scores behind an edge, as a set of numbers in a list of all; nothing if the rules do not tell, or there are too
/// many.
fn pass_all(game: &Game, edge: &Edge<'_>, set: u64, all: &mut Vec<Scores>) -> Option<u64> {
    let Some(action) = edge.action else { return Some(set) };
    match &action.kind {
        // `{}` is how rules say that the game is over.
        RuleKind::On(pieces) if pieces.is_empty() => return Some(0),
        RuleKind::Assignment(..) | RuleKind::Comparison(..) => {}
        _ => return Some(set),
    }
    let mut passed = 0;
    for i in (0..all.len()).filter(|i| set >> i & 1 == 1) {
        let Some(scores) = pass(game, action, &all[i])? else { continue };
        let number = all.iter().position(|known| *known == scores).unwrap_or_else(|| {
            all.push(scores);
            all.len() - 1
        });
        if number >= MOST {
            return None;
        }
        passed |= 1 << number;
    }
    Some(passed)
}

/// The scores behind an action, nothing if it cannot be done; nothing at all if the rules do not tell.
fn pass(game: &Game, action: &Rule, scores: &[u32]) -> Option<Option<Scores>> {
    let mut after = scores.to_vec();
    match &action.kind {
        RuleKind::Assignment(variable, value, _) => {
            let Some(place) = place(*variable, scores.len()) else { return Some(Some(after)) };
            let value = value_of(value, scores)?;
            let fits = value.and_then(|v| u32::try_from(v).ok());
            let Some(value) = fits.filter(|v| *v <= game.declarations.bound(*variable)) else {
                return Some(None);
            };
            after[place] = value;
        }
        RuleKind::Comparison(comparison, sides) => {
            let sides = (value_of(&sides.0, scores), value_of(&sides.1, scores));
            if let (Some(left), Some(right)) = sides {
                let holds = left.zip(right).is_some_and(|(a, b)| comparison.holds(a, b));
                return Some(holds.then_some(after));
            }
        }
        _ => {}
    }
    Some(Some(after))
}

/// The place of a variable among scores, if it is one.
fn place(variable: Variable, players: usize) -> Option<usize> {
    (0..players).find(|place| Player(*place as u8 + 1).score() == Some(variable))
}

/// The value of an expression, nothing if something is divided by zero; nothing at all if it does not depend on
/// scores alone.
fn value_of(value: &Arithmetic, scores: &[u32]) -> Option<Option<i64>> {
    let told = Cell::new(true);
    let unknown = || {
        told.set(false);
        1
    };
    let variable =
        |v: Variable| place(v, scores.len()).map_or_else(unknown, |i| i64::from(scores[i]));
    let value = value.evaluate(&variable, &|_| unknown());
    told.get().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Source, load};

    fn ends_of(variables: &str, rules: &str) -> Option<Vec<Scores>> {
        let text = format!(
            "#players = a(100), b(100) #pieces = e, x #variables = {variables}
             #board = rectangle(up, down, left, right, [e, e])
             #rules = {rules}"
        );
        let loaded = load(&Source::new("test", &text));
        ends(&loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)))
    }

    #[test]
    fn scores_that_rules_set() {
        let won = ends_of("", "->a ({e} [x] ->b [$ a=100] ->> + {x} ->b [$ a=50, b=50] ->>)");
        assert_eq!(won, Some(vec![vec![0, 0], vec![50, 50], vec![100, 0]]));
        // What follows from other scores is known, too; a score out of bounds is no end.
        let more = ends_of("", "->a [$ a=60] ->b [$ b=100-a] ->a [$ a=a+b+1] ->>");
        assert_eq!(more, Some(vec![vec![0, 0], vec![60, 0], vec![60, 40]]));
        let compared = ends_of("", "->a [$ a=60] ->b ({$ a==60} [$ b=40] + {$ a<b} [$ b=1]) ->>");
        assert_eq!(compared, Some(vec![vec![0, 0], vec![60, 0], vec![60, 40]]));
    }

    #[test]
    fn scores_that_rules_do_not_tell() {
        assert_eq!(ends_of("v(100)", "->a [$ v=3] ->b [$ a=v] ->>"), None);
        assert_eq!(ends_of("", "->a {e} ->b [$ a=e] ->>"), None);
        // Points that add up are too many.
        assert_eq!(ends_of("", "->a ([$ a=a+1] ->b ->a)* ->>"), None);
        // Nothing comes behind an end.
        let over = ends_of("", "->a ({e} [$ a=100] ->> {} + {x} ->b {x} ->a)* [$ b=100] ->>");
        assert_eq!(over, Some(vec![vec![0, 0], vec![0, 100], vec![100, 0]]));
        // What is compared need not be known.
        let compared = ends_of("v(100)", "->a {$ v==3} [$ a=100] ->>");
        assert_eq!(compared, Some(vec![vec![0, 0], vec![100, 0]]));
    }
}
