//! A checked game as text: macros expanded, `^` unrolled, one canonical layout. Reading the text
//! again gives the same game.

use std::fmt::Write as _;

use crate::arithmetic::Arithmetic;
use crate::board::{Board, Shape, Vertex};
use crate::declarations::Declarations;
use crate::game::Game;
use crate::rule::{Rule, RuleKind};

/// Lines of rules are broken at this width where that is possible.
const WIDTH: usize = 96;

/// Lines are indented no further than this, so that the text stays linear in the rules.
const MAX_INDENT: usize = 120;

/// The whole game as a description.
pub fn game(game: &Game) -> String {
    let d = &game.declarations;
    let players = d.players().len();
    let bounded = |range: &[crate::declarations::Bounded]| {
        range.iter().map(|v| format!("{}({})", v.name, v.bound)).collect::<Vec<_>>().join(", ")
    };
    let variables = bounded(&d.variables()[players..]);
    format!(
        "#players = {}\n#pieces = {}\n#variables ={}{}\n#board ={}\n\n#rules = {}\n",
        bounded(&d.variables()[..players]),
        d.pieces().join(", "),
        if variables.is_empty() { "" } else { " " },
        variables,
        board(&game.board, d),
        rules(&game.rules, d),
    )
}

fn cells(board: &Board, d: &Declarations, line: &[Option<Vertex>]) -> String {
    let names: Vec<&str> =
        line.iter().map(|cell| cell.map_or("", |v| d.piece_name(board.piece(v)))).collect();
    format!("[{}]", names.join(", "))
}

fn board(board: &Board, d: &Declarations) -> String {
    let labels: Vec<&str> = board.generator_labels().iter().map(|l| d.label_name(*l)).collect();
    let labels = labels.join(", ");
    let word = board.generator().map_or("", |generator| generator.word);
    let lines = |lines: &[Vec<Option<Vertex>>], indent: &str| {
        let lines: Vec<String> = lines.iter().map(|l| cells(board, d, l)).collect();
        lines.join(&format!("\n{indent}"))
    };
    match board.shape() {
        Shape::Rectangle { lines: l } | Shape::Hexagon { lines: l } => {
            format!(" {word}({labels},\n    {})", lines(l, "    "))
        }
        Shape::Cuboid { layers } => {
            let layers: Vec<String> =
                layers.iter().map(|l| format!("[{}]", lines(l, "     "))).collect();
            format!(" {word}({labels},\n    {})", layers.join("\n    "))
        }
        Shape::Graph => {
            let mut text = String::new();
            for vertex in board.vertices() {
                let edges: Vec<String> = (0..d.labels().len())
                    .map(|l| crate::declarations::Label(l as u8))
                    .filter_map(|l| {
                        let to = board.next(vertex, l);
                        to.is_some().then(|| format!("{}: {}", d.label_name(l), board.name(to)))
                    })
                    .collect();
                let piece = d.piece_name(board.piece(vertex));
                let _ =
                    write!(text, "\n    {} [{piece}] {{{}}}", board.name(vertex), edges.join(", "));
            }
            text
        }
    }
}

/// The rules in several lines.
pub fn rules(rules: &Rule, d: &Declarations) -> String {
    let mut printer = Printer { declarations: d, text: String::new(), limit: usize::MAX };
    printer.broken(rules, 0, Context::Alone);
    printer.text
}

/// A part of the rules in one line.
pub fn rule(rule: &Rule, d: &Declarations) -> String {
    let mut printer = Printer { declarations: d, text: String::new(), limit: usize::MAX };
    printer.flat(rule, Context::Alone);
    printer.text
}

/// An expression in one line.
pub fn arithmetic(expression: &Arithmetic, d: &Declarations) -> String {
    match expression {
        Arithmetic::Constant(value) => value.to_string(),
        Arithmetic::Variable(v) => d.variable_name(*v).to_owned(),
        Arithmetic::Count(p) => d.piece_name(*p).to_owned(),
        Arithmetic::Operation(operator, operands) => {
            let parts: Vec<String> = operands
                .iter()
                .map(|o| match o {
                    Arithmetic::Operation(..) => format!("({})", arithmetic(o, d)),
                    _ => arithmetic(o, d),
                })
                .collect();
            parts.join(&format!(" {} ", operator.symbol()))
        }
    }
}

/// What stands around a part, which decides whether it needs brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Alone,
    InConcatenation,
    UnderStar,
}

struct Printer<'d> {
    declarations: &'d Declarations,
    text: String,
    /// `flat` need not go on beyond this length of the text.
    limit: usize,
}

impl Printer<'_> {
    fn needs_brackets(rule: &Rule, context: Context) -> bool {
        match context {
            Context::Alone => false,
            Context::InConcatenation => matches!(&rule.kind, RuleKind::Sum(s) if !s.is_empty()),
            Context::UnderStar => {
                !matches!(rule.kind, RuleKind::Shift(_) | RuleKind::Dot | RuleKind::Switch(..))
            }
        }
    }

    fn flat(&mut self, rule: &Rule, context: Context) {
        if self.text.len() > self.limit {
            return;
        }
        if Self::needs_brackets(rule, context) {
            self.text.push('(');
            self.flat(rule, Context::Alone);
            self.text.push(')');
            return;
        }
        let d = self.declarations;
        match &rule.kind {
            RuleKind::Concatenation(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    self.text.push_str(if i > 0 { " " } else { "" });
                    self.flat(part, Context::InConcatenation);
                }
            }
            RuleKind::Sum(alternatives) if alternatives.is_empty() => self.text.push_str("[]"),
            RuleKind::Sum(alternatives) => {
                for (i, alternative) in alternatives.iter().enumerate() {
                    self.text.push_str(if i > 0 { " + " } else { "" });
                    self.flat(alternative, Context::Alone);
                }
            }
            RuleKind::Star(body) => {
                self.flat(body, Context::UnderStar);
                self.text.push('*');
            }
            RuleKind::Shift(label) => self.text.push_str(d.label_name(*label)),
            RuleKind::On(pieces) => {
                let names: Vec<&str> = pieces.iter().map(|p| d.piece_name(p)).collect();
                let _ = write!(self.text, "{{{}}}", names.join(", "));
            }
            RuleKind::Off(piece, _) => {
                let _ = write!(self.text, "[{}]", d.piece_name(*piece));
            }
            RuleKind::Assignment(variable, value, _) => {
                let _ = write!(
                    self.text,
                    "[$ {} = {}]",
                    d.variable_name(*variable),
                    arithmetic(value, d)
                );
            }
            RuleKind::Comparison(comparison, sides) => {
                let (left, right) = (arithmetic(&sides.0, d), arithmetic(&sides.1, d));
                let _ = write!(self.text, "{{$ {left} {} {right}}}", comparison.symbol());
            }
            RuleKind::Condition { negated, body } => {
                self.text.push_str(if *negated { "{! " } else { "{? " });
                self.flat(body, Context::Alone);
                self.text.push('}');
            }
            RuleKind::Switch(player, _) if player.0 == 0 => self.text.push_str("->>"),
            RuleKind::Switch(player, _) => {
                let _ = write!(self.text, "->{}", d.player_name(*player));
            }
            RuleKind::Dot => self.text.push('.'),
        }
    }

    /// Prints in one line if it fits, otherwise breaks the outermost operator.
    fn broken(&mut self, rule: &Rule, indent: usize, context: Context) {
        let start = self.text.len();
        let column = start - self.text.rfind('\n').map_or(0, |i| i + 1);
        let is_leaf = rule.children().is_empty();
        self.limit = if is_leaf { usize::MAX } else { start + WIDTH.saturating_sub(column) };
        self.flat(rule, context);
        let fits = self.text.len() <= self.limit;
        self.limit = usize::MAX;
        if fits {
            return;
        }
        self.text.truncate(start);
        let brackets = Self::needs_brackets(rule, context);
        let inner = indent + if brackets { 4 } else { 0 };
        if brackets {
            self.text.push('(');
            self.line(inner);
        }
        match &rule.kind {
            RuleKind::Concatenation(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    if i > 0 {
                        self.line(inner);
                    }
                    self.broken(part, inner, Context::InConcatenation);
                }
            }
            RuleKind::Sum(alternatives) => {
                for (i, alternative) in alternatives.iter().enumerate() {
                    if i > 0 {
                        self.line(inner);
                    }
                    self.text.push_str(if i > 0 { "+ " } else { "  " });
                    self.broken(alternative, inner + 2, Context::Alone);
                }
            }
            RuleKind::Star(body) => {
                self.broken(body, inner, Context::UnderStar);
                self.text.push('*');
            }
            RuleKind::Condition { negated, body } => {
                self.text.push_str(if *negated { "{!" } else { "{?" });
                self.line(inner + 4);
                self.broken(body, inner + 4, Context::Alone);
                self.line(inner);
                self.text.push('}');
            }
            _ => self.flat(rule, Context::Alone),
        }
        if brackets {
            self.line(indent);
            self.text.push(')');
        }
    }

    fn line(&mut self, indent: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent.min(MAX_INDENT)));
    }
}
