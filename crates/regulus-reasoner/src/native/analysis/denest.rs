//! Loops that may go round without a modifier, rewritten: `(A m + B)*` is `B* (A m B*)*`, so that every round of the
//! outer loop passes a modifier and the inner one is a set of vertices. Only inside conditions, where nobody asks in
//! which order walks are tried.

use regulus_rbg::rule::{Rule, RuleKind};

use super::segments::is_pure;

/// Rules one after the other.
type Run = Vec<Rule>;

/// A loop gives up to this many times its rules.
const MAX_GROWTH: usize = 8;

/// What a rule consists of cannot be told apart.
struct Mixed;

/// The loop over a body rewritten, if it may go round without a modifier and that helps.
pub(crate) fn denested(body: &Rule) -> Option<Rule> {
    let without = without_modifiers(body).ok()??;
    let inner = star(concatenation(without, body)?, body);
    let mut rounds = Vec::new();
    for mut round in with_modifiers(body).ok()? {
        round.push(inner.clone());
        rounds.push(concatenation(round, body)?);
    }
    let round = match rounds.len() {
        0 => return None,
        1 => rounds.remove(0),
        _ => Rule { kind: RuleKind::Sum(rounds), ..body.clone() },
    };
    let rule = concatenation(vec![inner, star(round, body)], body)?;
    (rule.size() <= MAX_GROWTH * body.size()).then_some(rule)
}

fn star(body: Rule, like: &Rule) -> Rule {
    Rule { kind: RuleKind::Star(Box::new(body)), ..like.clone() }
}

/// One rule from some, none of which is a concatenation then; nothing from none.
fn concatenation(rules: Run, like: &Rule) -> Option<Rule> {
    let mut parts = Vec::new();
    for rule in rules {
        match rule.kind {
            RuleKind::Concatenation(inner) => parts.extend(inner),
            _ => parts.push(rule),
        }
    }
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(Rule { kind: RuleKind::Concatenation(parts), ..like.clone() }),
    }
}

/// The walks through a rule that pass no modifier; nothing if there are none.
fn without_modifiers(rule: &Rule) -> Result<Option<Run>, Mixed> {
    if is_pure(rule) {
        return Ok(Some(vec![rule.clone()]));
    }
    match &rule.kind {
        RuleKind::Concatenation(parts) => {
            let mut all = Vec::new();
            for part in parts {
                match without_modifiers(part)? {
                    Some(run) => all.extend(run),
                    None => return Ok(None),
                }
            }
            Ok(Some(all))
        }
        RuleKind::Sum(alternatives) => {
            let mut ways = Vec::new();
            for alternative in alternatives {
                if let Some(run) = without_modifiers(alternative)? {
                    ways.push(concatenation(run, rule).ok_or(Mixed)?);
                }
            }
            Ok(match ways.len() {
                0 => None,
                1 => Some(ways),
                _ => Some(vec![Rule { kind: RuleKind::Sum(ways), ..rule.clone() }]),
            })
        }
        // A loop need not be gone round.
        RuleKind::Star(body) => {
            let run = without_modifiers(body)?.unwrap_or_default();
            let around = concatenation(run, rule).map(|body| star(body, rule));
            Ok(Some(around.into_iter().collect()))
        }
        RuleKind::Dot => Ok(Some(Vec::new())),
        RuleKind::Off(..) | RuleKind::Assignment(..) => Ok(None),
        // A condition with modifiers passes none, but is no rule of a set.
        _ => Err(Mixed),
    }
}

/// The walks through a rule that pass a modifier: what is before the first one, it, and the rest.
fn with_modifiers(rule: &Rule) -> Result<Vec<Run>, Mixed> {
    if is_pure(rule) {
        return Ok(Vec::new());
    }
    match &rule.kind {
        RuleKind::Concatenation(parts) => {
            let mut walks = Vec::new();
            let mut before: Run = Vec::new();
            for (i, part) in parts.iter().enumerate() {
                for walk in with_modifiers(part)? {
                    walks.push([&before, &walk, &parts[i + 1..]].concat());
                }
                match without_modifiers(part)? {
                    Some(run) => before.extend(run),
                    None => break,
                }
            }
            Ok(walks)
        }
        RuleKind::Sum(alternatives) => {
            let mut walks = Vec::new();
            for alternative in alternatives {
                walks.extend(with_modifiers(alternative)?);
            }
            Ok(walks)
        }
        RuleKind::Star(body) => {
            let again = [star((**body).clone(), rule)];
            let before = without_modifiers(rule)?.unwrap_or_default();
            let walks = with_modifiers(body)?.into_iter();
            Ok(walks.map(|walk| [&before[..], &walk, &again].concat()).collect())
        }
        RuleKind::Off(..) | RuleKind::Assignment(..) => Ok(vec![vec![rule.clone()]]),
        RuleKind::Dot => Ok(Vec::new()),
        _ => Err(Mixed),
    }
}

#[cfg(test)]
mod tests {
    use regulus_rbg::{Source, print};

    use super::*;

    /// The first loop of some rules, rewritten.
    fn rewritten(rules: &str) -> Option<String> {
        let text = format!(
            "#players = a(1) #pieces = x, y #variables = v(9) \
             #board = rectangle(up, down, left, right, [x, y]) #rules = ->a {{? {rules} }} ->> {{}}"
        );
        let game = regulus_rbg::load(&Source::new("test", &text)).game.expect("valid");
        fn first(rule: &Rule) -> Option<&Rule> {
            match &rule.kind {
                RuleKind::Star(body) => Some(body),
                RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => {
                    parts.iter().find_map(first)
                }
                RuleKind::Condition { body, .. } => first(body),
                _ => None,
            }
        }
        let body = first(&game.rules).expect("a loop");
        denested(body).map(|rule| print::rule(&rule, &game.declarations))
    }

    #[test]
    fn loops_are_rewritten() {
        let text = |rules| rewritten(rules).expect("rewritten");
        assert_eq!(
            text("({x} [$ v = v + 1] right + {y} right)*"),
            "({y} right)* ({x} [$ v = v + 1] right ({y} right)*)*"
        );
        assert_eq!(
            text("(({x} [$ v = v + 1] + {y}) right)*"),
            "({y} right)* ({x} [$ v = v + 1] right ({y} right)*)*"
        );
        assert_eq!(
            text("(left ([x] + {y}) ([y] + up))*"),
            "(left {y} up)* (left [x] ([y] + up) (left {y} up)* + left {y} [y] (left {y} up)*)*"
        );
    }

    #[test]
    fn others_are_left_alone() {
        // Every round passes a modifier.
        assert_eq!(rewritten("({x} [y] right)*"), None);
        // No round does.
        assert_eq!(rewritten("({x} right)*"), None);
        // A round need not do anything.
        assert_eq!(rewritten("({x} [y] right + ([x] up)*)*"), None);
        // What is in a round cannot be part of a set.
        assert_eq!(rewritten("({x} [y] right + {? [x] right} left)*"), None);
    }
}
