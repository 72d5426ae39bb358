//! Random games: small rule files that the front end accepts, with everything the language has.
//!
//! A game is a tree ([`Expression`]) that prints itself as text; [`Rules::simpler`] gives smaller
//! variants, so that a game on which two engines differ can be made small.

use std::fmt;

use regulus_game::Random;
use regulus_rbg::{Game, Source, load};

/// A game as a tree.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The text of the board section.
    pub board: String,
    /// The largest value of the counter that ends the game.
    pub turns: u32,
    /// The rules themselves.
    pub body: Expression,
}

/// A part of the rules.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// An action without parts, as text.
    Action(String),
    /// `{? }` or `{! }`.
    Check(bool, Box<Expression>),
    /// One after the other.
    Sequence(Vec<Expression>),
    /// One of them.
    Sum(Vec<Expression>),
    /// Repeated: any number of times (0), or as often as it says.
    Repeated(Box<Expression>, u32),
}

use Expression::{Action, Check, Repeated, Sequence, Sum};

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action(text) => f.write_str(text),
            Check(negated, body) => write!(f, "{{{} {body}}}", if *negated { '!' } else { '?' }),
            // Doing nothing is not an expression; a test that every piece passes is.
            Sequence(parts) if parts.is_empty() => write!(f, "{{{}}}", PIECES.join(", ")),
            Sequence(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    let space = if i > 0 { " " } else { "" };
                    match part {
                        Sum(_) | Sequence(_) => write!(f, "{space}({part})")?,
                        _ => write!(f, "{space}{part}")?,
                    }
                }
                Ok(())
            }
            Sum(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                f.write_str(&parts.join(" + "))
            }
            Repeated(body, 0) => write!(f, "({body})*"),
            Repeated(body, times) => write!(f, "({body})^{times}"),
        }
    }
}

const PIECES: [&str; 4] = ["e", "x", "y", "z"];
const PLAYERS: [&str; 2] = ["pa", "pb"];
/// What ends every game.
const COUNTER: &str = "[$ turn = turn + 1]";
/// What can be assigned; `turn` has its own places.
const VARIABLES: [&str; 4] = ["pa", "pb", "va", "vb"];

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "#players = pa(9), pb(4)\n#pieces = {}", PIECES.join(", "))?;
        writeln!(f, "#variables = va(3), vb(5), turn({})", self.turns)?;
        write!(f, "#board = {}\n#rules = {}\n", self.board, self.body)
    }
}

impl Rules {
    /// The checked game, if the front end accepts it.
    pub fn load(&self) -> Option<Game> {
        load(&Source::new("generated", self.to_string())).game
    }

    /// A random game; the front end may not accept it.
    pub fn generate(random: &mut Random) -> Rules {
        let mut generator =
            Generator { random: random.clone(), labels: Vec::new(), large: false, modifiers: 0 };
        let rules = generator.rules();
        *random = generator.random;
        rules
    }

    /// Variants of the game that are a little smaller, larger cuts first.
    pub fn simpler(&self) -> Vec<Rules> {
        let mut bodies = Vec::new();
        simpler(&self.body, &mut |e| bodies.push(e));
        bodies.sort_by_key(size);
        let body = |body| Rules { body, ..self.clone() };
        let fewer = (self.turns > 1).then(|| Rules { turns: self.turns - 1, ..self.clone() });
        fewer.into_iter().chain(bodies.into_iter().map(body)).collect()
    }
}

fn size(e: &Expression) -> usize {
    match e {
        Action(_) => 1,
        Check(_, body) | Repeated(body, _) => 1 + size(body),
        Sequence(parts) | Sum(parts) => 1 + parts.iter().map(size).sum::<usize>(),
    }
}

fn simpler(e: &Expression, found: &mut dyn FnMut(Expression)) {
    match e {
        Action(_) => {}
        Check(negated, body) => {
            simpler(body, &mut |b| found(Check(*negated, Box::new(b))));
        }
        Repeated(body, times) => {
            found((**body).clone());
            simpler(body, &mut |b| found(Repeated(Box::new(b), *times)));
        }
        Sequence(parts) | Sum(parts) => {
            let again = |parts| if matches!(e, Sum(_)) { Sum(parts) } else { Sequence(parts) };
            for i in 0..parts.len() {
                // Without its counter a game might not end.
                let removable = !parts[i].to_string().contains(COUNTER);
                if removable && (parts.len() > 1 || matches!(e, Sequence(_))) {
                    let mut fewer = parts.clone();
                    fewer.remove(i);
                    found(again(fewer));
                }
                simpler(&parts[i], &mut |part| {
                    let mut changed = parts.clone();
                    changed[i] = part;
                    found(again(changed));
                });
            }
            if let [only] = parts.as_slice() {
                found(only.clone());
            }
        }
    }
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mover {
    Player,
    Keeper,
    Condition,
}

struct Generator {
    random: Random,
    labels: Vec<&'static str>,
    /// On large boards moves have few modifiers, or there would be too many of them.
    large: bool,
    /// Modifiers that a move may still get.
    modifiers: usize,
}

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        let at = self.below(list.len());
        list[at]
    }

    fn rules(&mut self) -> Rules {
        let board = self.board();
        let turns = [1, 1, 2, 2, 3, 6][self.below(6)];
        let mut parts = Vec::new();
        if self.one_in(2) {
            self.modifiers = 3;
            parts.push(self.sequence(6, Mover::Keeper));
        }
        let mut round = Vec::new();
        let counter_of_player = self.one_in(3);
        for turn in 0..1 + self.below(3) {
            round.push(self.turn(turn == 0, counter_of_player));
        }
        let round = Repeated(Box::new(Sequence(round)), 0);
        parts.push(round);
        if self.one_in(3) {
            parts.push(Action("->> {}".to_owned()));
        }
        Rules { board, turns, body: Sequence(parts) }
    }

    /// A player's move, then perhaps a stretch of the keeper's. The first turn of a round counts.
    fn turn(&mut self, counts: bool, counter_of_player: bool) -> Expression {
        let counter = || Action(COUNTER.to_owned());
        let mut parts = vec![Action(format!("->{}", self.pick(&PLAYERS)))];
        if counts && counter_of_player {
            parts.push(counter());
        }
        self.modifiers = if self.large { 2 } else { 4 };
        let budget = 4 + self.below(14);
        parts.push(self.sequence(budget, Mover::Player));
        let keeps = (counts && !counter_of_player) || self.one_in(2);
        if keeps {
            parts.push(Action("->>".to_owned()));
            if counts && !counter_of_player {
                parts.push(counter());
            }
            self.modifiers = if self.large { 2 } else { 4 };
            let budget = 2 + self.below(12);
            parts.push(self.sequence(budget, Mover::Keeper));
            if self.one_in(5) {
                parts.push(Action("->>".to_owned()));
                self.modifiers = 2;
                parts.push(self.sequence(4, Mover::Keeper));
            }
        }
        let turn = Sequence(parts);
        if !counts && self.one_in(3) {
            // An alternative to the whole turn; it ends the game, or hands over elsewhere.
            let other = match self.below(3) {
                0 => Action("->> {}".to_owned()),
                1 => Action("{! {x}} ->>".to_owned()),
                _ => self.turn(false, false),
            };
            return Sum(vec![turn, other]);
        }
        turn
    }

    fn sequence(&mut self, budget: usize, mover: Mover) -> Expression {
        let mut left = budget;
        let mut parts = Vec::new();
        // Players mostly begin by going somewhere; a keeper who does can often go several ways.
        let goes = match mover {
            Mover::Player => self.one_in(2),
            Mover::Keeper => self.one_in(12),
            Mover::Condition => false,
        };
        if goes {
            parts.push(self.somewhere());
            parts.push(self.on());
        }
        while left > 0 {
            let share = 1 + self.below(left.min(8));
            left -= share;
            let part = self.element(share, mover);
            parts.push(part);
            if parts.len() > 6 {
                break;
            }
        }
        Sequence(parts)
    }

    /// Shifts that lead to many vertices.
    fn somewhere(&mut self) -> Expression {
        if self.labels.len() == 4 && self.one_in(2) {
            let stars =
                |a: &str, b: &str| Sum(vec![Action(format!("{a}*")), Action(format!("{b}*"))]);
            let l = &self.labels;
            return Sequence(vec![stars(l[0], l[1]), stars(l[2], l[3])]);
        }
        let all = self.labels.iter().map(|l| Action((*l).to_owned())).collect();
        Repeated(Box::new(Sum(all)), 0)
    }

    fn on(&mut self) -> Expression {
        let n = 1 + self.below(2);
        let mut pieces: Vec<&str> = (0..n).map(|_| self.pick(&PIECES)).collect();
        pieces.sort_unstable();
        pieces.dedup();
        Action(format!("{{{}}}", pieces.join(", ")))
    }

    fn element(&mut self, budget: usize, mover: Mover) -> Expression {
        if budget <= 1 {
            return self.action(mover);
        }
        match self.below(12) {
            0 | 1 if mover == Mover::Keeper && !self.one_in(5) => self.either(budget),
            0 | 1 => {
                let n = 2 + self.below(2);
                Sum((0..n).map(|_| self.sequence(budget.div_ceil(n), mover)).collect())
            }
            2 if mover != Mover::Keeper => self.somewhere(),
            3 | 4 if mover == Mover::Keeper && !self.one_in(4) => {
                // As far as it goes.
                let step = Sequence(vec![Action(self.label()), self.on()]);
                let line = Repeated(Box::new(step.clone()), 0);
                Sequence(vec![line, Check(true, Box::new(step))])
            }
            3 | 4 => {
                // A line, perhaps in several directions.
                let n = 1 + self.below(2);
                let mut lines = Vec::new();
                for _ in 0..n {
                    let step = Sequence(vec![Action(self.label()), self.on()]);
                    let line = Repeated(Box::new(step), 0);
                    lines.push(if self.one_in(2) {
                        Sequence(vec![line, Action(self.label())])
                    } else {
                        line
                    });
                }
                Sum(lines)
            }
            5 | 6 => {
                let negated = self.one_in(2);
                let before = self.modifiers;
                // A condition may be tested at every vertex; the interpreter tries all its walks.
                let most = if self.large { 1 } else { 2 };
                self.modifiers = if self.one_in(2) { 0 } else { before.min(most) };
                let body = self.sequence(budget - 1, Mover::Condition);
                self.modifiers = before;
                Check(negated, Box::new(body))
            }
            7 if mover == Mover::Keeper => self.either(budget),
            7 | 8 => self.chain(mover),
            9 => {
                let times = 2 + self.below(2) as u32;
                let body = self.sequence(budget.div_ceil(times as usize), mover);
                Repeated(Box::new(body), times)
            }
            10 => {
                // A star of anything without modifiers.
                let before = std::mem::replace(&mut self.modifiers, 0);
                let body = self.sequence(budget.div_ceil(2), mover);
                self.modifiers = before;
                Repeated(Box::new(body), 0)
            }
            _ => self.sequence(budget, mover),
        }
    }

    /// Alternatives of the keeper's that exclude each other.
    fn either(&mut self, budget: usize) -> Expression {
        let before = self.modifiers;
        self.modifiers = before.min(1);
        let condition = Box::new(self.sequence(budget.div_ceil(3), Mover::Condition));
        self.modifiers = before;
        let yes = self.sequence(budget.div_ceil(3), Mover::Keeper);
        let no = self.sequence(budget.div_ceil(3), Mover::Keeper);
        Sum(vec![
            Sequence(vec![Check(false, condition.clone()), yes]),
            Sequence(vec![Check(true, condition), no]),
        ])
    }

    /// A loop with a modifier that the position bounds: a piece that is used up, or a counter.
    fn chain(&mut self, mover: Mover) -> Expression {
        if self.modifiers == 0 || self.large {
            return self.somewhere();
        }
        // What follows is walked for every length of the chain.
        self.modifiers = self.modifiers.saturating_sub(2);
        let body = if self.one_in(3) {
            let v = self.pick(&["va", "vb"]);
            Sequence(vec![Action(self.label()), Action(format!("[$ {v} = {v} + 1]"))])
        } else {
            let from = self.below(PIECES.len());
            let to = (from + 1 + self.below(PIECES.len() - 1)) % PIECES.len();
            let test = Action(format!("{{{}}}", PIECES[from]));
            let put = Action(format!("[{}]", PIECES[to]));
            let mut parts = vec![Action(self.label()), test, put];
            if self.one_in(3) {
                parts.push(Action(self.label()));
            }
            if mover != Mover::Condition && self.one_in(4) {
                parts[0] = Sum(vec![Action(self.label()), Action(self.label())]);
            }
            Sequence(parts)
        };
        Repeated(Box::new(body), 0)
    }

    fn label(&mut self) -> String {
        let labels = self.labels.clone();
        self.pick(&labels).to_owned()
    }

    fn action(&mut self, mover: Mover) -> Expression {
        let modifier = self.below(10);
        if modifier < 4 && self.modifiers > 0 {
            self.modifiers -= 1;
            return Action(match modifier {
                0 | 1 => format!("[{}]", self.pick(&PIECES)),
                2 => format!("[{}]", {
                    let two = [self.pick(&PIECES), self.pick(&PIECES)];
                    two.join(", ")
                }),
                _ => format!("[$ {} = {}]", self.pick(&VARIABLES), self.number(2)),
            });
        }
        match self.below(12) {
            0..=4 => Action(self.label()),
            5..=7 => self.on(),
            8 if mover != Mover::Condition => Action(".".to_owned()),
            9 if self.one_in(4) => Action("{}".to_owned()),
            _ => {
                let comparison = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
                Action(format!("{{$ {} {comparison} {}}}", self.number(2), self.number(1)))
            }
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if depth > 0 && self.one_in(2) {
            let operator = self.pick(&["+", "+", "-", "*", "/"]);
            let n = 2 + usize::from(self.one_in(4));
            let operands: Vec<String> = (0..n).map(|_| self.number(depth - 1)).collect();
            return format!("({})", operands.join(&format!(" {operator} ")));
        }
        match self.below(6) {
            0 | 1 => self.below(4).to_string(),
            2 => self.pick(&PIECES).to_owned(),
            3 => self.pick(&["pa", "pb", "turn"]).to_owned(),
            _ => self.pick(&["va", "vb"]).to_owned(),
        }
    }

    fn piece(&mut self) -> &'static str {
        self.pick(&["e", "e", "e", "x", "y", "z"])
    }

    fn line(&mut self, length: usize, holes: bool) -> String {
        let cells: Vec<&str> = (0..length)
            .map(|i| if holes && i > 0 && self.one_in(8) { "" } else { self.piece() })
            .collect();
        format!("[{}]", cells.join(","))
    }

    fn board(&mut self) -> String {
        self.large = self.one_in(5);
        let holes = self.one_in(3);
        match self.below(5) {
            0 | 1 => {
                self.labels = vec!["up", "down", "left", "right"];
                let (width, height) = match self.large {
                    true => (7 + self.below(6), 7 + self.below(6)),
                    false => (1 + self.below(4), 1 + self.below(4)),
                };
                let lines: Vec<String> = (0..height).map(|_| self.line(width, holes)).collect();
                format!("rectangle(up, down, left, right, {})", lines.join(" "))
            }
            2 => {
                self.labels = vec!["nw", "ne", "ea", "se", "sw", "we"];
                let (first, rows) = if self.large { (6, 5) } else { (1 + self.below(2), 1) };
                let widths = (first..=first + rows).chain((first..first + rows).rev());
                let lines: Vec<String> = widths.map(|w| self.line(w, holes)).collect();
                format!("hexagon(nw, ne, ea, se, sw, we, {})", lines.join(" "))
            }
            3 => {
                self.labels = vec!["up", "down", "left", "right", "front", "back"];
                let size = if self.large { 5 } else { 2 };
                let layers: Vec<String> = (0..size)
                    .map(|_| {
                        let lines: Vec<String> =
                            (0..2).map(|_| self.line(size * 2, holes)).collect();
                        format!("[{}]", lines.join(" "))
                    })
                    .collect();
                format!("cuboid(up, down, left, right, front, back, {})", layers.join(" "))
            }
            _ => {
                // Odd edges: several lead to one vertex, some lead nowhere, some to themselves.
                self.labels = vec!["la", "lb", "lc"];
                let n = if self.large { 65 + self.below(20) } else { 2 + self.below(9) };
                let vertices: Vec<String> = (0..n)
                    .map(|v| {
                        let mut edges = vec![format!("la: v{}", self.below(n))];
                        if !self.one_in(3) {
                            edges.push(format!("lb: v{}", (v + 1) % n));
                        }
                        if self.one_in(2) {
                            edges.push(format!("lc: v{}", self.below(n)));
                        }
                        format!("v{v} [{}] {{{}}}", self.piece(), edges.join(", "))
                    })
                    .collect();
                let first = "v0 [e] {la: v1, lb: v1, lc: v1}".to_owned();
                std::iter::once(first)
                    .chain(vertices.into_iter().skip(1))
                    .collect::<Vec<_>>()
                    .join(" ")
            }
        }
    }
}
