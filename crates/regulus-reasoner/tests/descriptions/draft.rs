//! A description that can be edited: names, board and rules as plain data that print themselves as text.

use std::fmt::{self, Write as _};

use regulus_rbg::arithmetic::{Arithmetic, Comparison};
use regulus_rbg::board::Shape;
use regulus_rbg::declarations::{Label, Piece, Variable};
use regulus_rbg::rule::{Rule, RuleKind};
use regulus_rbg::{Game, Source, Vertex, load};

/// A game that is being edited. Parts refer to names by their place in the lists.
#[derive(Clone, PartialEq, Debug)]
pub struct Draft {
    /// How many of the variables are players' scores; these come first.
    pub players: usize,
    /// Names and bounds of scores and variables.
    pub variables: Vec<(String, u32)>,
    pub pieces: Vec<String>,
    pub labels: Vec<String>,
    pub board: Board,
    pub rules: Expression,
}

/// A line of cells; holes have no piece.
pub type Line = Vec<Option<usize>>;

/// A board.
#[derive(Clone, PartialEq, Debug)]
pub enum Board {
    /// Labels in the order of the generator, then the lines.
    Rectangle(Vec<usize>, Vec<Line>),
    Hexagon(Vec<usize>, Vec<Line>),
    Cuboid(Vec<usize>, Vec<Vec<Line>>),
    Graph(Vec<Cell>),
}

/// A vertex of an explicit graph.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    pub piece: usize,
    /// Labels, and the numbers of the vertices to which they lead.
    pub edges: Vec<(usize, usize)>,
}

/// A part of the rules.
#[derive(Clone, PartialEq, Debug)]
pub enum Expression {
    Shift(usize),
    On(Vec<usize>),
    Off(usize),
    Assign(usize, Arithmetic),
    Compare(Comparison, Arithmetic, Arithmetic),
    /// To the keeper (0) or a player.
    Switch(usize),
    Dot,
    /// `{! }` if true, else `{? }`.
    Check(bool, Box<Expression>),
    Sequence(Vec<Expression>),
    Sum(Vec<Expression>),
    Star(Box<Expression>),
}

use Expression::{Assign, Check, Compare, Dot, Off, On, Sequence, Shift, Star, Sum, Switch};

impl Draft {
    /// The draft of a text, if the front end accepts it.
    pub fn read(text: &str) -> Option<Draft> {
        load(&Source::new("draft", text)).game.as_ref().map(Draft::of)
    }

    /// The draft of a game.
    pub fn of(game: &Game) -> Draft {
        let (d, board) = (&game.declarations, &game.board);
        let piece = |v: Vertex| usize::from(board.piece(v).0);
        let line = |line: &Vec<Option<Vertex>>| line.iter().map(|v| v.map(piece)).collect();
        let lines = |lines: &Vec<Vec<Option<Vertex>>>| lines.iter().map(line).collect();
        let labels = board.generator_labels().iter().map(|l| usize::from(l.0)).collect();
        let board = match board.shape() {
            Shape::Rectangle { lines: l } => Board::Rectangle(labels, lines(l)),
            Shape::Hexagon { lines: l } => Board::Hexagon(labels, lines(l)),
            Shape::Cuboid { layers } => Board::Cuboid(labels, layers.iter().map(lines).collect()),
            Shape::Graph => Board::Graph(cells(game)),
        };
        Draft {
            players: d.players().len(),
            variables: d.variables().iter().map(|v| (v.name.clone(), v.bound)).collect(),
            pieces: d.pieces().to_vec(),
            labels: d.labels().to_vec(),
            board,
            rules: Expression::of(&game.rules),
        }
    }

    /// The checked game, if the front end accepts it.
    pub fn load(&self) -> Option<Game> {
        load(&Source::new("draft", self.to_string())).game
    }

    /// How many vertices the board has.
    pub fn vertices(&self) -> usize {
        let full = |line: &Line| line.iter().flatten().count();
        match &self.board {
            Board::Rectangle(_, lines) | Board::Hexagon(_, lines) => lines.iter().map(full).sum(),
            Board::Cuboid(_, layers) => layers.iter().flatten().map(full).sum(),
            Board::Graph(cells) => cells.len(),
        }
    }

    /// Puts an explicit graph in the place of a generated board.
    pub fn make_graph(&mut self) {
        if let Some(game) = self.load() {
            // Labels of a loaded game are in the order of their names, and all are used.
            let number = |l: usize| {
                let name = &game.declarations.labels()[l];
                self.labels.iter().position(|n| n == name)
            };
            let piece = |p: usize| {
                let name = &game.declarations.pieces()[p];
                self.pieces.iter().position(|n| n == name).unwrap_or(0)
            };
            let mut graph = cells(&game);
            for cell in &mut graph {
                cell.piece = piece(cell.piece);
                let edges = cell.edges.iter();
                cell.edges = edges.filter_map(|(l, to)| Some((number(*l)?, *to))).collect();
            }
            self.board = Board::Graph(graph);
        }
    }
}

/// The vertices of a game's board with their edges.
fn cells(game: &Game) -> Vec<Cell> {
    let board = &game.board;
    let edges = |v: Vertex| {
        let next = (0..board.label_count()).map(|l| (l, board.next(v, Label(l as u8))));
        next.filter(|(_, to)| to.is_some()).map(|(l, to)| (l, usize::from(to.0) - 1)).collect()
    };
    let cell = |v: Vertex| Cell { piece: usize::from(board.piece(v).0), edges: edges(v) };
    board.vertices().map(cell).collect()
}

impl Expression {
    /// A part that always succeeds and does nothing.
    pub fn nothing() -> Expression {
        Sequence(Vec::new())
    }

    fn of(rule: &Rule) -> Expression {
        let all = |parts: &[Rule]| parts.iter().map(Expression::of).collect();
        match &rule.kind {
            RuleKind::Concatenation(parts) => Sequence(all(parts)),
            RuleKind::Sum(parts) => Sum(all(parts)),
            RuleKind::Star(body) => Star(Box::new(Expression::of(body))),
            RuleKind::Shift(label) => Shift(usize::from(label.0)),
            RuleKind::On(pieces) => On(pieces.iter().map(|p| usize::from(p.0)).collect()),
            RuleKind::Off(piece, _) => Off(usize::from(piece.0)),
            RuleKind::Assignment(v, value, _) => Assign(usize::from(v.0), value.clone()),
            RuleKind::Comparison(c, sides) => Compare(*c, sides.0.clone(), sides.1.clone()),
            RuleKind::Condition { negated, body } => {
                Check(*negated, Box::new(Expression::of(body)))
            }
            RuleKind::Switch(player, _) => Switch(usize::from(player.0)),
            RuleKind::Dot => Dot,
        }
    }

    /// The direct parts.
    pub fn parts(&self) -> &[Expression] {
        match self {
            Sequence(parts) | Sum(parts) => parts,
            Check(_, body) | Star(body) => std::slice::from_ref(body),
            _ => &[],
        }
    }

    /// The direct parts, to be changed.
    pub fn parts_mut(&mut self) -> &mut [Expression] {
        match self {
            Sequence(parts) | Sum(parts) => parts,
            Check(_, body) | Star(body) => std::slice::from_mut(body),
            _ => &mut [],
        }
    }

    /// How many parts there are, this one included.
    pub fn size(&self) -> usize {
        1 + self.parts().iter().map(Expression::size).sum::<usize>()
    }

    /// The part with a number below [`Expression::size`], in textual order.
    pub fn at(&self, number: usize) -> &Expression {
        let mut rest = number;
        let mut here = self;
        'down: while rest > 0 {
            rest -= 1;
            for part in here.parts() {
                let size = part.size();
                if rest < size {
                    here = part;
                    continue 'down;
                }
                rest -= size;
            }
            break;
        }
        here
    }

    /// The same, to be changed; and whether it is inside a condition.
    pub fn at_mut(&mut self, number: usize) -> (&mut Expression, bool) {
        let mut rest = number;
        let mut here = self;
        let mut inside = false;
        while rest > 0 {
            rest -= 1;
            let sizes = here.parts().iter().map(Expression::size);
            let Some(next) = sizes.enumerate().find_map(|(i, size)| {
                let found = (rest < size).then_some(i);
                rest -= if found.is_none() { size } else { 0 };
                found
            }) else {
                break;
            };
            inside |= matches!(here, Check(..));
            here = &mut here.parts_mut()[next];
        }
        (here, inside)
    }

    /// Calls `f` for every part, inner ones first.
    pub fn for_each(&mut self, f: &mut dyn FnMut(&mut Expression)) {
        self.parts_mut().iter_mut().for_each(|part| part.for_each(f));
        f(self);
    }
}

impl fmt::Display for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bounded = |list: &[(String, u32)]| {
            let list: Vec<String> = list.iter().map(|(n, b)| format!("{n}({b})")).collect();
            list.join(", ")
        };
        let (players, variables) = self.variables.split_at(self.players);
        writeln!(f, "#players = {}\n#pieces = {}", bounded(players), self.pieces.join(", "))?;
        writeln!(f, "#variables = {}", bounded(variables))?;
        writeln!(f, "#board = {}", self.board_text())?;
        let mut text = String::new();
        self.write(&self.rules, &mut text);
        writeln!(f, "#rules = {text}")
    }
}

impl Draft {
    fn board_text(&self) -> String {
        let cell = |cell: &Option<usize>| cell.map_or("", |p| self.pieces[p].as_str());
        let line = |line: &Line| {
            let cells: Vec<&str> = line.iter().map(cell).collect();
            format!("[{}]", cells.join(","))
        };
        let lines = |lines: &[Line]| lines.iter().map(line).collect::<Vec<_>>().join(" ");
        let names = |labels: &[usize]| {
            let labels: Vec<&str> = labels.iter().map(|l| self.labels[*l].as_str()).collect();
            labels.join(", ")
        };
        match &self.board {
            Board::Rectangle(l, b) => format!("rectangle({}, {})", names(l), lines(b)),
            Board::Hexagon(l, b) => format!("hexagon({}, {})", names(l), lines(b)),
            Board::Cuboid(l, b) => {
                let layers: Vec<String> = b.iter().map(|l| format!("[{}]", lines(l))).collect();
                format!("cuboid({}, {})", names(l), layers.join(" "))
            }
            Board::Graph(cells) => {
                let mut text = String::new();
                for (i, cell) in cells.iter().enumerate() {
                    let edge = |(l, to): &(usize, usize)| format!("{}: w{to}", self.labels[*l]);
                    let edges: Vec<String> = cell.edges.iter().map(edge).collect();
                    let piece = &self.pieces[cell.piece];
                    let _ = write!(text, "\n    w{i} [{piece}] {{{}}}", edges.join(", "));
                }
                text
            }
        }
    }

    fn piece_list(&self, pieces: &[usize]) -> String {
        pieces.iter().map(|p| self.pieces[*p].as_str()).collect::<Vec<_>>().join(", ")
    }

    fn write(&self, e: &Expression, text: &mut String) {
        let _ = match e {
            Shift(label) => write!(text, "{}", self.labels[*label]),
            On(pieces) => write!(text, "{{{}}}", self.piece_list(pieces)),
            Off(piece) => write!(text, "[{}]", self.pieces[*piece]),
            Assign(v, value) => {
                write!(text, "[$ {} = {}]", self.variables[*v].0, self.number(value))
            }
            Compare(c, a, b) => {
                write!(text, "{{$ {} {} {}}}", self.number(a), c.symbol(), self.number(b))
            }
            Switch(0) => write!(text, "->>"),
            Switch(player) => write!(text, "->{}", self.variables[player - 1].0),
            Dot => write!(text, "."),
            Check(negated, body) => {
                text.push_str(if *negated { "{! " } else { "{? " });
                self.write(body, text);
                write!(text, "}}")
            }
            // Doing nothing is not an expression; a test that every piece passes is.
            Sequence(parts) if parts.is_empty() => {
                let all: Vec<usize> = (0..self.pieces.len()).collect();
                write!(text, "{{{}}}", self.piece_list(&all))
            }
            Sequence(parts) => {
                self.write_sequence(parts, text);
                Ok(())
            }
            Sum(parts) if parts.is_empty() => write!(text, "[]"),
            Sum(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    text.push_str(if i > 0 { " + " } else { "" });
                    self.write(part, text);
                }
                Ok(())
            }
            Star(body) => {
                text.push('(');
                self.write(body, text);
                write!(text, ")*")
            }
        };
    }

    /// Parts one after the other; what repeats itself is written once.
    fn write_sequence(&self, parts: &[Expression], text: &mut String) {
        let mut i = 0;
        while i < parts.len() {
            text.push_str(if i > 0 { " " } else { "" });
            let (period, times) = repetition(&parts[i..]);
            if times > 2 {
                text.push('(');
                self.write_sequence(&parts[i..i + period], text);
                let _ = write!(text, ")^{times}");
                i += period * times;
                continue;
            }
            let brackets = matches!(&parts[i], Sum(s) if !s.is_empty())
                || matches!(&parts[i], Sequence(s) if !s.is_empty());
            text.push_str(if brackets { "(" } else { "" });
            self.write(&parts[i], text);
            text.push_str(if brackets { ")" } else { "" });
            i += 1;
        }
    }

    fn number(&self, value: &Arithmetic) -> String {
        match value {
            Arithmetic::Constant(value) => value.to_string(),
            Arithmetic::Variable(Variable(v)) => self.variables[usize::from(*v)].0.clone(),
            Arithmetic::Count(Piece(p)) => self.pieces[usize::from(*p)].clone(),
            Arithmetic::Operation(operator, operands) => {
                let operands: Vec<String> = operands.iter().map(|o| self.number(o)).collect();
                format!("({})", operands.join(&format!(" {} ", operator.symbol())))
            }
        }
    }
}

/// How long what repeats itself at the beginning is, and how often it comes.
fn repetition(parts: &[Expression]) -> (usize, usize) {
    let times = |period: usize| {
        let mut times = usize::from(period <= parts.len());
        while (times + 1) * period <= parts.len()
            && parts[..period] == parts[times * period..(times + 1) * period]
        {
            times += 1;
        }
        (period, times)
    };
    let often = (1..=8).map(times).filter(|(_, times)| *times > 2);
    often.max_by_key(|(period, times)| (period * times, *times)).unwrap_or((1, 1))
}
