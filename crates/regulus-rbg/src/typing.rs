//! Gives types to the expression of the rules: from the untyped tree to [`Rule`].

use crate::arithmetic::{Arithmetic, Comparison, Interval, NoInterval, Operator};
use crate::code::Code;
use crate::declarations::{Declarations, Meaning, Piece, PieceSet, Player, Variable};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean, list_of};
use crate::limits::MAX_RULE_NODES;
use crate::macros::Definitions;
use crate::provenance::Place;
use crate::rule::{ModifierIndex, Rule, RuleKind};
use crate::syntax::{Bracket, Syntax, SyntaxKind};
use crate::token::TokenKind;

/// Types the rules. `None` if there is an error, which is reported. Modifiers are not numbered yet.
pub fn rules(
    syntax: &Syntax<'_>,
    declarations: &Declarations,
    vertices: usize,
    macros: &Definitions<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Rule> {
    let mut typing =
        Typing { declarations, vertices, macros, diagnostics, conditions: Vec::new(), nodes: 0 };
    typing.movement(syntax)
}

struct Typing<'t> {
    declarations: &'t Declarations,
    vertices: usize,
    macros: &'t Definitions<'t>,
    diagnostics: &'t mut Diagnostics,
    /// The conditions around the current place, outermost first.
    conditions: Vec<Place>,
    nodes: usize,
}

fn noun(syntax: &Syntax<'_>, declarations: &Declarations) -> &'static str {
    match &syntax.kind {
        SyntaxKind::Name(name) => {
            declarations.meaning(name).map_or("something unknown", Meaning::noun)
        }
        SyntaxKind::Number(_) => "a number",
        SyntaxKind::Dot => "a split point",
        SyntaxKind::KeeperSwitch | SyntaxKind::PlayerSwitch(..) => "a switch",
        SyntaxKind::Bracket(bracket, inner) => match bracket {
            Bracket::Round => noun(inner, declarations),
            Bracket::On => "a test for pieces",
            Bracket::Off => "an off",
            Bracket::Assignment => "an assignment",
            Bracket::Comparison => "a comparison",
            Bracket::Positive | Bracket::Negative => "a condition",
        },
        SyntaxKind::Operation(operator, _) => match operator {
            TokenKind::Comma => "a list",
            TokenKind::Equal => "an assignment",
            TokenKind::Plus => "a sum",
            TokenKind::Minus => "a difference",
            TokenKind::Star => "a product",
            TokenKind::Slash => "a quotient",
            _ => "a comparison",
        },
        SyntaxKind::Sequence(_) => "a sequence",
        SyntaxKind::Star(_) | SyntaxKind::Power(..) => "a repetition",
        SyntaxKind::Empty => "nothing",
        SyntaxKind::Error => "an error",
    }
}

/// The places of the names and numbers that an expression is made of, as far as it is not nested.
fn parts_of<'s>(syntax: &'s Syntax<'_>) -> impl Iterator<Item = Place> + 's {
    let parts = match &syntax.kind {
        SyntaxKind::Operation(_, parts) | SyntaxKind::Sequence(parts) => parts.as_slice(),
        _ => &[],
    };
    parts
        .iter()
        .filter(|p| matches!(p.kind, SyntaxKind::Name(_) | SyntaxKind::Number(_)))
        .map(|p| p.place)
}

impl Typing<'_> {
    fn mismatch(&mut self, syntax: &Syntax<'_>, expected: &str, help: Option<String>) {
        if self.diagnostics.is_full() {
            return;
        }
        if matches!(syntax.kind, SyntaxKind::Name(name) if self.declarations.is_ambiguous(name)) {
            return;
        }
        let noun = noun(syntax, self.declarations);
        self.diagnostics.push(
            Diagnostic::new(Code::TypeMismatch, syntax.place)
                .message(format!("expected {expected}, found {noun}"))
                .label(format!("this is {noun}"))
                .parts(parts_of(syntax))
                .maybe_help(help),
        );
    }

    fn undeclared(&mut self, name: &str, place: Place, wanted: impl Fn(Meaning) -> bool) {
        if !self.diagnostics.is_news(Code::UndeclaredName, place.span, name) {
            return;
        }
        let near = did_you_mean(name, self.declarations.names_where(wanted))
            .or_else(|| did_you_mean(name, self.declarations.names_where(|_| true)))
            .or_else(|| did_you_mean(name, self.macros.keys().copied()));
        self.diagnostics.push(
            Diagnostic::new(Code::UndeclaredName, place)
                .message(format!("`{name}` is not declared"))
                .label("not a piece, player, variable, edge label or macro")
                .maybe_help(near.map(|n| format!("did you mean `{n}`?"))),
        );
    }

    /// Counts nodes; false when the rules get too large, or have more errors than anybody reads.
    fn grow(&mut self, nodes: usize, place: Place) -> bool {
        if self.diagnostics.is_full() {
            return false;
        }
        if self.nodes > MAX_RULE_NODES {
            return false;
        }
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > MAX_RULE_NODES {
            self.diagnostics.push(
                Diagnostic::new(Code::RulesTooLarge, place)
                    .message(format!(
                        "the rules have more than {MAX_RULE_NODES} actions, operators and numbers"
                    ))
                    .label("too large from here on"),
            );
            return false;
        }
        true
    }

    fn movement(&mut self, syntax: &Syntax<'_>) -> Option<Rule> {
        let place = syntax.place;
        // What is counted is what the rules are made of in the end: round brackets are nothing there.
        let nodes = usize::from(!matches!(syntax.kind, SyntaxKind::Bracket(Bracket::Round, _)));
        if !self.grow(nodes, place) {
            return None;
        }
        let kind = match &syntax.kind {
            SyntaxKind::Name(name) => match self.declarations.meaning(name) {
                Some(Meaning::Label(label)) => RuleKind::Shift(label),
                Some(meaning) => {
                    let help = match meaning {
                        Meaning::Piece(_) => {
                            format!("`{{{name}}}` tests for the piece, `[{name}]` puts it")
                        }
                        Meaning::Player(_) => format!("`->{name}` hands over to the player"),
                        _ => format!("`{{$ {name} == 1}}` compares, `[$ {name} = 1]` assigns"),
                    };
                    self.mismatch(syntax, "a move", Some(help));
                    return None;
                }
                None => {
                    self.undeclared(name, place, |m| matches!(m, Meaning::Label(_)));
                    return None;
                }
            },
            SyntaxKind::Dot => RuleKind::Dot,
            SyntaxKind::KeeperSwitch => {
                self.check_switch(place);
                RuleKind::Switch(Player::KEEPER, ModifierIndex::NONE)
            }
            SyntaxKind::PlayerSwitch(name, name_place) => {
                self.check_switch(place);
                RuleKind::Switch(self.player(name, *name_place)?, ModifierIndex::NONE)
            }
            SyntaxKind::Bracket(bracket, inner) => {
                return self.bracket(*bracket, inner, place);
            }
            SyntaxKind::Operation(TokenKind::Plus, operands) => {
                let typed: Vec<Option<Rule>> = operands.iter().map(|o| self.operand(o)).collect();
                return Some(Rule::sum(typed.into_iter().collect::<Option<_>>()?, place));
            }
            SyntaxKind::Sequence(parts) => {
                let typed: Vec<Option<Rule>> = parts.iter().map(|p| self.movement(p)).collect();
                return Some(Rule::concatenation(typed.into_iter().collect::<Option<_>>()?, place));
            }
            SyntaxKind::Star(body) => RuleKind::Star(Box::new(self.movement(body)?)),
            SyntaxKind::Power(body, times, times_place) => {
                return self.power(body, *times, *times_place, place);
            }
            SyntaxKind::Empty => {
                self.diagnostics.push(
                    Diagnostic::new(Code::EmptyExpression, place)
                        .message("an expression is missing here")
                        .label("expected a move"),
                );
                return None;
            }
            SyntaxKind::Error => return None,
            // A missing operand has been reported, and what remains is a guess.
            SyntaxKind::Operation(_, operands)
                if operands.iter().any(|o| matches!(o.kind, SyntaxKind::Empty)) =>
            {
                return None;
            }
            SyntaxKind::Operation(TokenKind::Comma, _) => {
                self.mismatch(
                    syntax,
                    "a move",
                    Some(
                        "alternatives are separated by `+`, pieces in `{ }` and `[ ]` by `,`"
                            .to_owned(),
                    ),
                );
                return None;
            }
            SyntaxKind::Operation(TokenKind::Equal, _) => {
                let help = "assignments stand in `[$ ]`".to_owned();
                self.mismatch(syntax, "a move", Some(help));
                return None;
            }
            SyntaxKind::Number(_) | SyntaxKind::Operation(..) => {
                match self.number_in_front(syntax) {
                    // What the operator makes of the moves before it is not worth mentioning.
                    Some(number) => return self.movement(number),
                    None => {
                        let help = "comparisons stand in `{$ }`, assignments in `[$ ]`".to_owned();
                        self.mismatch(syntax, "a move", Some(help));
                    }
                }
                return None;
            }
        };
        Some(Rule::new(kind, place))
    }

    /// The number right in front of an operator, behind moves: `v` in `up v * down`.
    fn number_in_front<'s, 'a>(&self, syntax: &'s Syntax<'a>) -> Option<&'s Syntax<'a>> {
        let SyntaxKind::Operation(_, operands) = &syntax.kind else { return None };
        let SyntaxKind::Sequence(parts) = &operands.first()?.kind else { return None };
        parts.last().filter(|last| match &last.kind {
            SyntaxKind::Number(_) => true,
            SyntaxKind::Name(name) => {
                self.declarations.meaning(name).is_some_and(|m| !matches!(m, Meaning::Label(_)))
            }
            _ => false,
        })
    }

    /// An alternative of a sum; an empty one has been reported by the parser.
    fn operand(&mut self, syntax: &Syntax<'_>) -> Option<Rule> {
        if matches!(syntax.kind, SyntaxKind::Empty) { None } else { self.movement(syntax) }
    }

    fn check_switch(&mut self, place: Place) {
        if let Some(condition) = self.conditions.last() {
            self.diagnostics.push(
                Diagnostic::new(Code::SwitchInCondition, place)
                    .message("a switch cannot stand inside a condition")
                    .label("hands the move over")
                    .related(condition.span, "inside this condition")
                    .help("a condition only tests whether a walk exists; leave the switch out"),
            );
        }
    }

    fn player(&mut self, name: &str, name_place: Place) -> Option<Player> {
        if let Some(Meaning::Player(player)) = self.declarations.meaning(name) {
            return Some(player);
        }
        if self.declarations.is_ambiguous(name) {
            return None;
        }
        let players = self.declarations.players();
        let near = did_you_mean(name, players.iter().map(String::as_str));
        let help = match near {
            Some(near) => format!("did you mean `->{near}`?"),
            None if players.len() == 1 => format!("the only player is {}", list_of(players)),
            None => format!("the players are {}", list_of(players)),
        };
        let meaning = self.declarations.meaning(name);
        let label = meaning.map_or("not declared".to_owned(), |m| format!("this is {}", m.noun()));
        self.diagnostics.push(
            Diagnostic::new(Code::NotAPlayer, name_place)
                .message(format!("`{name}` is not a player"))
                .label(label)
                .help(help),
        );
        None
    }

    fn bracket(&mut self, bracket: Bracket, inner: &Syntax<'_>, place: Place) -> Option<Rule> {
        match bracket {
            Bracket::Round => {
                if matches!(inner.kind, SyntaxKind::Empty) {
                    self.diagnostics.push(
                        Diagnostic::new(Code::EmptyExpression, place)
                            .message("empty brackets")
                            .label("expected a move")
                            .help("leave the brackets out; `{}` never succeeds"),
                    );
                    return None;
                }
                self.movement(inner)
            }
            Bracket::On => {
                let pieces: PieceSet = self.pieces(inner)?.into_iter().map(|(p, _)| p).collect();
                Some(Rule::new(RuleKind::On(pieces), place))
            }
            Bracket::Off => {
                let pieces = self.pieces(inner)?;
                if pieces.len() > 1 && !self.grow(pieces.len(), place) {
                    return None;
                }
                let offs = pieces
                    .into_iter()
                    .map(|(p, at)| Rule::new(RuleKind::Off(p, ModifierIndex::NONE), at))
                    .collect();
                Some(Rule { place, ..Rule::sum(offs, place) })
            }
            Bracket::Assignment => self.assignments(inner, place),
            Bracket::Comparison => self.comparison(inner, place),
            Bracket::Positive | Bracket::Negative => {
                self.conditions.push(place);
                let body = self.operand(inner);
                self.conditions.pop();
                if matches!(inner.kind, SyntaxKind::Empty) {
                    self.diagnostics.push(
                        Diagnostic::new(Code::EmptyExpression, place)
                            .message("an empty condition")
                            .label("expected a move inside")
                            .help("`{}` never succeeds"),
                    );
                }
                let negated = bracket == Bracket::Negative;
                Some(Rule::new(RuleKind::Condition { negated, body: Box::new(body?) }, place))
            }
        }
    }

    fn power(
        &mut self,
        body: &Syntax<'_>,
        times: u64,
        times_place: Place,
        place: Place,
    ) -> Option<Rule> {
        let body = self.movement(body)?;
        if times == 0 {
            self.diagnostics.push(
                Diagnostic::new(Code::PowerZero, times_place)
                    .message("`^0` repeats zero times")
                    .label("must be at least 1")
                    .help("leave the whole thing out"),
            );
            return None;
        }
        let more = usize::try_from(times - 1).unwrap_or(usize::MAX);
        if !self.grow(body.weight().saturating_mul(more), place) {
            return None;
        }
        let copies = std::iter::repeat_n(body, times as usize).collect();
        Some(Rule::concatenation(copies, place))
    }

    /// The pieces of `{ }` and `[ ]`, each with its place.
    fn pieces(&mut self, syntax: &Syntax<'_>) -> Option<Vec<(Piece, Place)>> {
        match &syntax.kind {
            SyntaxKind::Empty => Some(Vec::new()),
            SyntaxKind::Operation(TokenKind::Comma, operands) => {
                let pieces: Vec<Option<(Piece, Place)>> =
                    operands.iter().map(|o| self.piece(o)).collect();
                pieces.into_iter().collect()
            }
            _ => self.piece(syntax).map(|p| vec![p]),
        }
    }

    fn piece(&mut self, syntax: &Syntax<'_>) -> Option<(Piece, Place)> {
        match &syntax.kind {
            SyntaxKind::Name(name) => match self.declarations.meaning(name) {
                Some(Meaning::Piece(piece)) => return Some((piece, syntax.place)),
                Some(meaning) => {
                    let help = match meaning {
                        Meaning::Label(_) => {
                            Some(format!("`{{? {name}}}` tests whether there is such an edge"))
                        }
                        Meaning::Variable(_) => {
                            Some(format!("`{{$ {name} == 1}}` compares, `[$ {name} = 1]` assigns"))
                        }
                        _ => None,
                    };
                    self.mismatch(syntax, "a piece", help);
                }
                None => {
                    self.undeclared(name, syntax.place, |m| matches!(m, Meaning::Piece(_)));
                }
            },
            SyntaxKind::Error | SyntaxKind::Empty => {}
            SyntaxKind::Operation(TokenKind::Equal, _) => {
                let help = "assignments are written with a dollar: `[$ x = 1]`".to_owned();
                self.mismatch(syntax, "a list of pieces", Some(help));
            }
            SyntaxKind::Operation(
                TokenKind::Less
                | TokenKind::LessEqual
                | TokenKind::Greater
                | TokenKind::GreaterEqual
                | TokenKind::DoubleEqual
                | TokenKind::NotEqual,
                _,
            ) => {
                let help = "comparisons are written with a dollar: `{$ x == 1}`".to_owned();
                self.mismatch(syntax, "a list of pieces", Some(help));
            }
            SyntaxKind::Sequence(parts)
                if parts.iter().all(|p| matches!(p.kind, SyntaxKind::Name(_))) =>
            {
                let help = "pieces are separated by commas".to_owned();
                self.mismatch(syntax, "a list of pieces", Some(help));
            }
            _ => {
                let help = "conditions are written `{? }` and `{! }`".to_owned();
                self.mismatch(syntax, "a list of pieces", Some(help));
            }
        }
        None
    }

    fn assignments(&mut self, syntax: &Syntax<'_>, place: Place) -> Option<Rule> {
        let list = match &syntax.kind {
            SyntaxKind::Operation(TokenKind::Comma, operands) => operands.as_slice(),
            _ => std::slice::from_ref(syntax),
        };
        if list.len() > 1 && !self.grow(list.len(), place) {
            return None;
        }
        let rules: Vec<Option<Rule>> = list.iter().map(|s| self.assignment(s, place)).collect();
        let rules = rules.into_iter().collect::<Option<Vec<Rule>>>()?;
        let single = rules.len() == 1;
        let rule = Rule::concatenation(rules, place);
        Some(if single { Rule { place, ..rule } } else { rule })
    }

    fn assignment(&mut self, syntax: &Syntax<'_>, bracket: Place) -> Option<Rule> {
        let SyntaxKind::Operation(TokenKind::Equal, operands) = &syntax.kind else {
            if !matches!(syntax.kind, SyntaxKind::Error) {
                let place =
                    if matches!(syntax.kind, SyntaxKind::Empty) { bracket } else { syntax.place };
                let help = match &syntax.kind {
                    SyntaxKind::Operation(TokenKind::DoubleEqual, _) => {
                        "`=` assigns; comparisons stand in `{$ }`"
                    }
                    _ => "write `[$ variable = value]`",
                };
                let noun = noun(syntax, self.declarations);
                self.diagnostics.push(
                    Diagnostic::new(Code::TypeMismatch, place)
                        .message(format!("expected an assignment, found {noun}"))
                        .label("expected `variable = value`")
                        .parts(parts_of(syntax))
                        .help(help),
                );
            }
            return None;
        };
        let [target, value] = operands.as_slice() else {
            self.diagnostics.push(
                Diagnostic::new(Code::TypeMismatch, syntax.place)
                    .message("an assignment has one `=`")
                    .label(format!("this has {}", operands.len() - 1))
                    .parts(parts_of(syntax))
                    .help("write one assignment after the other: `[$ a = 1, b = 1]`"),
            );
            return None;
        };
        let variable = self.variable(target);
        let (value, interval) = self.arithmetic(value)?;
        let variable = variable?;
        let bound = self.declarations.bound(variable);
        if interval.high < 0 || interval.low > i128::from(bound) {
            let name = self.declarations.variable_name(variable).to_owned();
            let value = if interval.low == interval.high {
                interval.low.to_string()
            } else {
                format!("any of {} to {}", interval.low, interval.high)
            };
            let message = if interval.high < 0 {
                format!("`{name}` cannot be {value}: variables are never negative")
            } else {
                format!("`{name}` cannot be {value}: its bound is {bound}")
            };
            let mut diagnostic = Diagnostic::new(Code::NeverInBounds, syntax.place)
                .message(message)
                .label("this assignment always fails")
                .parts(parts_of(syntax));
            if let Some(span) = self.declarations.declared_at(&name) {
                diagnostic = diagnostic.related(span, "declared here");
            }
            self.diagnostics.push(diagnostic);
            return None;
        }
        Some(Rule::new(RuleKind::Assignment(variable, value, ModifierIndex::NONE), syntax.place))
    }

    fn variable(&mut self, syntax: &Syntax<'_>) -> Option<Variable> {
        match &syntax.kind {
            SyntaxKind::Name(name) => match self.declarations.meaning(name) {
                Some(Meaning::Variable(variable)) => return Some(variable),
                Some(Meaning::Player(player)) => return player.score(),
                Some(meaning) => {
                    let help = matches!(meaning, Meaning::Piece(_))
                        .then(|| format!("pieces are put with `[{name}]`"));
                    self.mismatch(syntax, "a variable or a player", help);
                }
                None => self.undeclared(name, syntax.place, |m| {
                    matches!(m, Meaning::Variable(_) | Meaning::Player(_))
                }),
            },
            SyntaxKind::Error | SyntaxKind::Empty => {}
            _ => self.mismatch(syntax, "a variable or a player", None),
        }
        None
    }

    fn comparison(&mut self, syntax: &Syntax<'_>, place: Place) -> Option<Rule> {
        let found = match &syntax.kind {
            SyntaxKind::Operation(operator, operands) => match operator {
                TokenKind::DoubleEqual => Some((Comparison::Equal, operands)),
                TokenKind::NotEqual => Some((Comparison::NotEqual, operands)),
                TokenKind::Less => Some((Comparison::Less, operands)),
                TokenKind::LessEqual => Some((Comparison::LessEqual, operands)),
                TokenKind::Greater => Some((Comparison::Greater, operands)),
                TokenKind::GreaterEqual => Some((Comparison::GreaterEqual, operands)),
                _ => None,
            },
            SyntaxKind::Error => return None,
            _ => None,
        };
        let Some((comparison, operands)) = found else {
            let help = match &syntax.kind {
                SyntaxKind::Operation(TokenKind::Equal, _) => {
                    "`==` compares; `=` assigns, inside `[$ ]`"
                }
                SyntaxKind::Operation(TokenKind::Comma, _) => {
                    "write one comparison after the other: `{$ a == 1} {$ b == 2}`"
                }
                _ => "write a comparison such as `{$ x == 1}`",
            };
            let place = if matches!(syntax.kind, SyntaxKind::Empty) { place } else { syntax.place };
            let noun = noun(syntax, self.declarations);
            self.diagnostics.push(
                Diagnostic::new(Code::TypeMismatch, place)
                    .message(format!("expected a comparison, found {noun}"))
                    .label(format!("this is {noun}"))
                    .parts(parts_of(syntax))
                    .help(help),
            );
            return None;
        };
        let [left, right] = operands.as_slice() else {
            self.diagnostics.push(
                Diagnostic::new(Code::TypeMismatch, syntax.place)
                    .message("a comparison has two sides")
                    .label(format!("this has {}", operands.len()))
                    .parts(parts_of(syntax))
                    .help("write one comparison after the other: `{$ a < b} {$ b < c}`"),
            );
            return None;
        };
        let left = self.arithmetic(left);
        let right = self.arithmetic(right);
        let sides = Box::new((left?.0, right?.0));
        Some(Rule::new(RuleKind::Comparison(comparison, sides), place))
    }

    /// An expression with the values it can take.
    fn arithmetic(&mut self, syntax: &Syntax<'_>) -> Option<(Arithmetic, Interval)> {
        if !self.grow(1, syntax.place) {
            return None;
        }
        let operand = match &syntax.kind {
            SyntaxKind::Number(value) => Some(Arithmetic::Constant(*value as i64)),
            SyntaxKind::Name(name) => match self.declarations.meaning(name) {
                Some(Meaning::Variable(v)) => Some(Arithmetic::Variable(v)),
                Some(Meaning::Player(p)) => p.score().map(Arithmetic::Variable),
                Some(Meaning::Piece(p)) => Some(Arithmetic::Count(p)),
                _ => None,
            },
            _ => None,
        };
        if let Some(operand) = operand {
            let interval = Interval::of(&operand, self.declarations, self.vertices).ok()?;
            return Some((operand, interval));
        }
        match &syntax.kind {
            SyntaxKind::Name(name) => match self.declarations.meaning(name) {
                Some(_) => self.mismatch(syntax, "a number", None),
                None => {
                    self.undeclared(name, syntax.place, |m| !matches!(m, Meaning::Label(_)));
                }
            },
            SyntaxKind::Bracket(Bracket::Round, inner) => return self.arithmetic(inner),
            SyntaxKind::Operation(token, operands) => {
                let operator = match token {
                    TokenKind::Plus => Some(Operator::Add),
                    TokenKind::Minus => Some(Operator::Subtract),
                    TokenKind::Star => Some(Operator::Multiply),
                    TokenKind::Slash => Some(Operator::Divide),
                    _ => None,
                };
                if let Some(operator) = operator {
                    let typed: Vec<Option<(Arithmetic, Interval)>> =
                        operands.iter().map(|o| self.arithmetic(o)).collect();
                    let typed: Vec<(Arithmetic, Interval)> =
                        typed.into_iter().collect::<Option<_>>()?;
                    return self.operation(operator, typed, syntax);
                }
                self.mismatch(syntax, "a number", None);
            }
            SyntaxKind::Star(base) if matches!(&base.kind, SyntaxKind::Name(n) if self.declarations.meaning(n).is_none()) =>
            {
                return self.arithmetic(base);
            }
            SyntaxKind::Sequence(parts) => {
                // `x* 2` with an unknown `x` was read as a repetition: name the unknown thing.
                match parts.first().map(|p| &p.kind) {
                    Some(SyntaxKind::Star(_)) => return self.arithmetic(&parts[0]),
                    _ => self.mismatch(syntax, "a number", None),
                }
            }
            SyntaxKind::Error => {}
            SyntaxKind::Empty => {}
            _ => self.mismatch(syntax, "a number", None),
        }
        None
    }

    /// Combines operands; reports what cannot be computed whatever the values.
    fn operation(
        &mut self,
        operator: Operator,
        operands: Vec<(Arithmetic, Interval)>,
        syntax: &Syntax<'_>,
    ) -> Option<(Arithmetic, Interval)> {
        let (values, intervals): (Vec<Arithmetic>, Vec<Interval>) = operands.into_iter().unzip();
        let (first, rest) = intervals.split_first()?;
        let place = syntax.place;
        let diagnostic = match rest.iter().try_fold(*first, |a, b| a.combine(operator, *b)) {
            Ok(interval) => return Some((Arithmetic::Operation(operator, values), interval)),
            Err(NoInterval::DivisionByZero) => {
                Diagnostic::new(Code::DivisionByZero, place).label("the divisor is always zero")
            }
            Err(NoInterval::Overflow) => Diagnostic::new(Code::NumbersOverflow, place)
                .message("this can leave the range of 64-bit integers")
                .label("too large when its variables are at their bounds")
                .help("declare smaller bounds"),
        };
        self.diagnostics.push(diagnostic.parts(parts_of(syntax)));
        None
    }
}
