//! Small random games with everything the language has, as text. The front end may refuse some.

use super::choices::Choices;

const PIECES: [&str; 4] = ["e", "x", "y", "z"];
const PLAYERS: [&str; 2] = ["pa", "pb"];
/// What ends every game.
const COUNTER: &str = "[$ turn = turn + 1]";
/// What can be assigned; `turn` has its own places.
const VARIABLES: [&str; 4] = ["pa", "pb", "va", "vb"];

/// A random game.
pub fn description(choices: &mut Choices<'_>) -> String {
    let mut generator = Generator { choices, labels: Vec::new(), large: false, modifiers: 0 };
    generator.description()
}

/// Alternatives, in brackets.
fn sum(parts: impl IntoIterator<Item = String>) -> String {
    format!("({})", parts.into_iter().collect::<Vec<_>>().join(" + "))
}

/// Parts one after the other. Doing nothing is not an expression; a test that every piece passes is.
fn sequence(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().collect();
    if parts.is_empty() { format!("{{{}}}", PIECES.join(", ")) } else { parts.join(" ") }
}

fn check(negated: bool, body: &str) -> String {
    format!("{{{} {body}}}", if negated { '!' } else { '?' })
}

fn star(body: &str) -> String {
    format!("({body})*")
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mover {
    Player,
    Keeper,
    Condition,
}

struct Generator<'c, 'b> {
    choices: &'c mut Choices<'b>,
    labels: Vec<&'static str>,
    /// On large boards moves have few modifiers, or there would be too many of them.
    large: bool,
    /// Modifiers that a move may still get.
    modifiers: usize,
}

impl Generator<'_, '_> {
    fn below(&mut self, n: usize) -> usize {
        self.choices.below(n)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.choices.one_in(n)
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        self.choices.pick(list)
    }

    fn description(&mut self) -> String {
        let board = self.board();
        let turns = [1, 1, 2, 2, 3, 6][self.below(6)];
        let mut parts = Vec::new();
        if self.one_in(2) {
            self.modifiers = 3;
            parts.push(self.sequence(6, Mover::Keeper));
        }
        let counter_of_player = self.one_in(3);
        let round: Vec<String> =
            (0..1 + self.below(3)).map(|turn| self.turn(turn == 0, counter_of_player)).collect();
        parts.push(star(&sequence(round)));
        if self.one_in(3) {
            parts.push("->> {}".to_owned());
        }
        format!(
            "#players = pa(9), pb(4)\n#pieces = {}\n#variables = va(3), vb(5), turn({turns})\n\
             #board = {board}\n#rules = {}\n",
            PIECES.join(", "),
            sequence(parts)
        )
    }

    /// A player's move, then perhaps a stretch of the keeper's. The first turn of a round counts.
    fn turn(&mut self, counts: bool, counter_of_player: bool) -> String {
        let mut parts = vec![format!("->{}", self.pick(&PLAYERS))];
        if counts && counter_of_player {
            parts.push(COUNTER.to_owned());
        }
        self.modifiers = if self.large { 2 } else { 4 };
        let budget = 4 + self.below(14);
        parts.push(self.sequence(budget, Mover::Player));
        let keeps = (counts && !counter_of_player) || self.one_in(2);
        if keeps {
            parts.push("->>".to_owned());
            if counts && !counter_of_player {
                parts.push(COUNTER.to_owned());
            }
            self.modifiers = if self.large { 2 } else { 4 };
            let budget = 2 + self.below(12);
            parts.push(self.sequence(budget, Mover::Keeper));
            if self.one_in(5) {
                parts.push("->>".to_owned());
                self.modifiers = 2;
                parts.push(self.sequence(4, Mover::Keeper));
            }
        }
        let turn = sequence(parts);
        if !counts && self.one_in(3) {
            // An alternative to the whole turn; it ends the game, or hands over elsewhere.
            let other = match self.below(3) {
                0 => "->> {}".to_owned(),
                1 => "{! {x}} ->>".to_owned(),
                _ => self.turn(false, false),
            };
            return sum([turn, other]);
        }
        turn
    }

    fn sequence(&mut self, budget: usize, mover: Mover) -> String {
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
        sequence(parts)
    }

    /// Shifts that lead to many vertices.
    fn somewhere(&mut self) -> String {
        if self.labels.len() == 4 && self.one_in(2) {
            let l = &self.labels;
            return format!("({}* + {}*) ({}* + {}*)", l[0], l[1], l[2], l[3]);
        }
        star(&self.labels.join(" + "))
    }

    fn on(&mut self) -> String {
        let n = 1 + self.below(2);
        let mut pieces: Vec<&str> = (0..n).map(|_| self.pick(&PIECES)).collect();
        pieces.sort_unstable();
        pieces.dedup();
        format!("{{{}}}", pieces.join(", "))
    }

    fn element(&mut self, budget: usize, mover: Mover) -> String {
        if budget <= 1 {
            return self.action(mover);
        }
        match self.below(12) {
            0 | 1 if mover == Mover::Keeper && !self.one_in(5) => self.either(budget),
            0 | 1 => {
                let n = 2 + self.below(2);
                let parts: Vec<String> =
                    (0..n).map(|_| self.sequence(budget.div_ceil(n), mover)).collect();
                sum(parts)
            }
            2 if mover != Mover::Keeper => self.somewhere(),
            3 | 4 if mover == Mover::Keeper && !self.one_in(4) => {
                // As far as it goes.
                let step = format!("{} {}", self.label(), self.on());
                format!("{} {}", star(&step), check(true, &step))
            }
            3 | 4 => {
                // A line, perhaps in several directions.
                let n = 1 + self.below(2);
                let mut lines = Vec::new();
                for _ in 0..n {
                    let line = star(&format!("{} {}", self.label(), self.on()));
                    lines.push(match self.one_in(2) {
                        true => format!("{line} {}", self.label()),
                        false => line,
                    });
                }
                sum(lines)
            }
            5 | 6 => {
                let negated = self.one_in(2);
                let before = self.modifiers;
                // A condition may be tested at every vertex; the interpreter tries all its walks.
                let most = if self.large { 1 } else { 2 };
                self.modifiers = if self.one_in(2) { 0 } else { before.min(most) };
                let body = self.sequence(budget - 1, Mover::Condition);
                self.modifiers = before;
                check(negated, &body)
            }
            7 if mover == Mover::Keeper => self.either(budget),
            7 | 8 => self.chain(mover),
            9 => {
                let times = 2 + self.below(2);
                format!("({})^{times}", self.sequence(budget.div_ceil(times), mover))
            }
            10 => {
                // A star of anything without modifiers.
                let before = std::mem::replace(&mut self.modifiers, 0);
                let body = self.sequence(budget.div_ceil(2), mover);
                self.modifiers = before;
                star(&body)
            }
            _ => self.sequence(budget, mover),
        }
    }

    /// Alternatives of the keeper's that exclude each other.
    fn either(&mut self, budget: usize) -> String {
        let before = self.modifiers;
        self.modifiers = before.min(1);
        let condition = self.sequence(budget.div_ceil(3), Mover::Condition);
        self.modifiers = before;
        let yes = self.sequence(budget.div_ceil(3), Mover::Keeper);
        let no = self.sequence(budget.div_ceil(3), Mover::Keeper);
        let alternative = |negated, then: &str| format!("{} {then}", check(negated, &condition));
        sum([alternative(false, &yes), alternative(true, &no)])
    }

    /// A loop with a modifier that the position bounds: a piece that is used up, or a counter.
    fn chain(&mut self, mover: Mover) -> String {
        if self.modifiers == 0 || self.large {
            return self.somewhere();
        }
        // What follows is walked for every length of the chain.
        self.modifiers = self.modifiers.saturating_sub(2);
        if self.one_in(3) {
            let v = self.pick(&["va", "vb"]);
            return star(&format!("{} [$ {v} = {v} + 1]", self.label()));
        }
        let from = self.below(PIECES.len());
        let to = (from + 1 + self.below(PIECES.len() - 1)) % PIECES.len();
        let mut step = self.label().to_owned();
        let back = if self.one_in(3) { self.label() } else { "" };
        if mover != Mover::Condition && self.one_in(4) {
            step = sum([self.label().to_owned(), self.label().to_owned()]);
        }
        star(&format!("{step} {{{}}} [{}] {back}", PIECES[from], PIECES[to]))
    }

    fn label(&mut self) -> &'static str {
        let at = self.below(self.labels.len());
        self.labels[at]
    }

    fn action(&mut self, mover: Mover) -> String {
        let modifier = self.below(10);
        if modifier < 4 && self.modifiers > 0 {
            self.modifiers -= 1;
            return match modifier {
                0 | 1 => format!("[{}]", self.pick(&PIECES)),
                2 => format!("[{}]", {
                    let two = [self.pick(&PIECES), self.pick(&PIECES)];
                    two.join(", ")
                }),
                _ => format!("[$ {} = {}]", self.pick(&VARIABLES), self.number(2)),
            };
        }
        match self.below(12) {
            0..=4 => self.label().to_owned(),
            5..=7 => self.on(),
            8 if mover != Mover::Condition => ".".to_owned(),
            9 if self.one_in(4) => "{}".to_owned(),
            _ => {
                let comparison = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("{{$ {} {comparison} {}}}", self.number(2), self.number(1))
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
