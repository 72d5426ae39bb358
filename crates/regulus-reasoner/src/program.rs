//! The rules as an automaton that can be run: states, edges with actions, and tables of the board.
//!
//! Conditions become automata of their own in the same arrays; an edge that tests one names it. An
//! empty edge costs a step of the walk and nothing else, which keeps the automaton linear in the size
//! of the rules.

use std::fmt;

use regulus_rbg::arithmetic::{Arithmetic, Comparison};
use regulus_rbg::automaton::Automaton;
use regulus_rbg::declarations::{Label, PieceSet};
use regulus_rbg::print;
use regulus_rbg::rule::{Rule, RuleKind};
use regulus_rbg::{Board, Game};
use rustc_hash::{FxHashMap, FxHashSet};

/// What an edge does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing.
    Empty,
    /// Follow an edge of the board.
    Shift(u8),
    /// Test the piece under the pointer.
    On(PieceSet),
    /// Compare two numbers.
    Compare(Comparison, Box<(Arithmetic, Arithmetic)>),
    /// Test a condition.
    Check {
        /// True for `{! }`.
        negated: bool,
        /// Which condition.
        condition: u32,
    },
    /// Put a piece.
    Off(u8),
    /// Set a variable.
    Assign(u16, Box<Arithmetic>),
    /// Hand over; 0 is the keeper.
    Switch(u8),
    /// A split point.
    Dot,
}

/// An edge of the automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// What it does.
    pub action: Action,
    /// The number of the modifier, 0 if the action has none.
    pub modifier: u32,
    /// Where it leads.
    pub target: u32,
}

/// A state of the automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its first edge.
    pub first: u32,
    /// One past its last edge.
    pub last: u32,
    /// A number if a walk can come here twice at the same vertex: several edges lead here, or one that
    /// leads from several vertices to one.
    pub join: Option<u32>,
}

/// Where a condition begins and ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// Its first state.
    pub start: u32,
    /// The state at which it holds.
    pub end: u32,
    /// It has modifiers, those in conditions inside it not counted.
    pub changes: bool,
}

/// A game that can be run.
#[derive(Debug)]
pub struct Program {
    /// The game it came from; its rules are the ones that are run, dots included.
    pub game: Game,
    /// All states.
    pub nodes: Vec<Node>,
    /// All edges, grouped by the state they leave, in textual order.
    pub edges: Vec<Edge>,
    /// All conditions.
    pub conditions: Vec<Condition>,
    /// Where the rules begin.
    pub start: u32,
    /// The edge of every modifier, by number; `u32::MAX` for those that no walk passes.
    pub modifiers: Vec<u32>,
    /// How many states can be reached twice.
    pub joins: u32,
}

struct Builder {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    conditions: Vec<Condition>,
}

impl Program {
    /// Makes the automaton of a game.
    pub fn new(game: &Game) -> Program {
        let mut builder = Builder { nodes: Vec::new(), edges: Vec::new(), conditions: Vec::new() };
        let (start, _) = builder.automaton(&game.rules);
        builder.drop_dead_ends();
        let joins = builder.number_joins(start, &game.board);
        let Builder { nodes, edges, conditions } = builder;
        let mut modifiers = vec![u32::MAX; game.modifier_count as usize + 1];
        for (i, edge) in edges.iter().enumerate().filter(|(_, e)| e.modifier > 0) {
            modifiers[edge.modifier as usize] = i as u32;
        }
        Program { game: game.clone(), nodes, edges, conditions, start, modifiers, joins }
    }

    /// The edges that leave a state.
    pub fn edges_of(&self, state: u32) -> &[Edge] {
        let node = &self.nodes[state as usize];
        &self.edges[node.first as usize..node.last as usize]
    }

    /// The edge of a modifier.
    pub fn modifier(&self, number: i32) -> Option<&Edge> {
        self.edges.get(*self.modifiers.get(usize::try_from(number).ok()?)? as usize)
    }
}

/// True if a rule has modifiers, those in conditions inside it not counted.
fn changes(rule: &Rule) -> bool {
    match &rule.kind {
        RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => parts.iter().any(changes),
        RuleKind::Star(body) => changes(body),
        _ => rule.is_modifier(),
    }
}

impl Builder {
    /// Adds an automaton; returns its first and last state.
    fn automaton(&mut self, rules: &Rule) -> (u32, u32) {
        let automaton = Automaton::new(rules);
        let base = self.nodes.len() as u32;
        let states = automaton.len();
        // Reserve the states first, because conditions put theirs behind them.
        self.nodes.extend((0..states).map(|_| Node { first: 0, last: 0, join: None }));
        for state in 0..states {
            let edges: Vec<Edge> = automaton
                .from(regulus_rbg::automaton::State(state as u32))
                .map(|edge| {
                    let (action, modifier) =
                        edge.action.map_or((Action::Empty, 0), |a| self.action(a));
                    Edge { action, modifier, target: base + edge.to.0 }
                })
                .collect();
            let first = self.edges.len() as u32;
            self.edges.extend(edges);
            let node = &mut self.nodes[base as usize + state];
            (node.first, node.last) = (first, self.edges.len() as u32);
        }
        (base + automaton.start.0, base + automaton.end.0)
    }

    /// Drops edges from which no walk reaches a switch or the end of its condition, whatever the state:
    /// nobody should wait for walks among them to end.
    fn drop_dead_ends(&mut self) {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        let mut pending: Vec<u32> = self.conditions.iter().map(|c| c.end).collect();
        let passes = |edge: &Edge| !matches!(edge.action, Action::On(pieces) if pieces.is_empty());
        for (state, node) in self.nodes.iter().enumerate() {
            for edge in &self.edges[node.first as usize..node.last as usize] {
                match edge.action {
                    Action::Switch(_) => pending.push(state as u32),
                    _ if passes(edge) => before[edge.target as usize].push(state as u32),
                    _ => {}
                }
            }
        }
        let mut useful = vec![false; self.nodes.len()];
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut useful[state as usize], true) {
                pending.extend(&before[state as usize]);
            }
        }
        let mut kept = Vec::with_capacity(self.edges.len());
        for node in &mut self.nodes {
            let first = kept.len() as u32;
            let edges = &self.edges[node.first as usize..node.last as usize];
            kept.extend(
                edges
                    .iter()
                    .filter(|edge| {
                        let is_switch = matches!(edge.action, Action::Switch(_));
                        is_switch || (passes(edge) && useful[edge.target as usize])
                    })
                    .cloned(),
            );
            (node.first, node.last) = (first, kept.len() as u32);
        }
        self.edges = kept;
    }

    fn action(&mut self, rule: &Rule) -> (Action, u32) {
        match &rule.kind {
            RuleKind::Shift(Label(label)) => (Action::Shift(*label), 0),
            RuleKind::On(pieces) => (Action::On(*pieces), 0),
            RuleKind::Comparison(comparison, sides) => {
                (Action::Compare(*comparison, sides.clone()), 0)
            }
            RuleKind::Condition { negated, body } => {
                let (start, end) = self.automaton(body);
                let changes = changes(body);
                self.conditions.push(Condition { start, end, changes });
                let condition = self.conditions.len() as u32 - 1;
                (Action::Check { negated: *negated, condition }, 0)
            }
            RuleKind::Off(piece, index) => (Action::Off(piece.0), index.0),
            RuleKind::Assignment(variable, value, index) => {
                (Action::Assign(variable.0, Box::new(value.clone())), index.0)
            }
            RuleKind::Switch(player, index) => (Action::Switch(player.0), index.0),
            RuleKind::Dot => (Action::Dot, 0),
            RuleKind::Concatenation(_) | RuleKind::Sum(_) | RuleKind::Star(_) => {
                unreachable!("operators are states, not actions")
            }
        }
    }

    fn number_joins(&mut self, start: u32, board: &Board) -> u32 {
        let mut shifts = FxHashMap::default();
        let mut incoming = vec![0u32; self.nodes.len()];
        incoming[start as usize] += 1;
        self.conditions.iter().for_each(|c| incoming[c.start as usize] += 1);
        for edge in &self.edges {
            let injective = match edge.action {
                Action::Shift(l) => *shifts.entry(l).or_insert_with(|| is_injective(board, l)),
                _ => true,
            };
            incoming[edge.target as usize] += if injective { 1 } else { 2 };
        }
        let mut joins = 0;
        for (node, incoming) in self.nodes.iter_mut().zip(incoming) {
            if incoming > 1 {
                node.join = Some(joins);
                joins += 1;
            }
        }
        joins
    }
}

/// True if no two edges of a label lead to the same vertex.
fn is_injective(board: &Board, label: u8) -> bool {
    let mut seen = FxHashSet::default();
    board.vertices().map(|v| board.next(v, Label(label))).all(|to| to.0 == 0 || seen.insert(to))
}

/// The automaton as text: one line per state with its edges.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let d = &self.game.declarations;
        writeln!(
            f,
            "; {} states, {} edges, {} modifiers, {} conditions; starts at q{}",
            self.nodes.len(),
            self.edges.len(),
            self.game.modifier_count,
            self.conditions.len(),
            self.start
        )?;
        let starts: FxHashMap<u32, usize> =
            self.conditions.iter().enumerate().map(|(i, c)| (c.start, i)).collect();
        for (state, node) in self.nodes.iter().enumerate() {
            if let Some(i) = starts.get(&(state as u32)) {
                writeln!(f, "condition c{i}: q{state} to q{}", self.conditions[*i].end)?;
            }
            let mark = if node.join.is_some() { " join" } else { "" };
            writeln!(f, "q{state}:{mark}")?;
            for edge in self.edges_of(state as u32) {
                let action = match &edge.action {
                    Action::Empty => "empty".to_owned(),
                    Action::Shift(label) => format!("shift {}", d.label_name(Label(*label))),
                    Action::On(pieces) => {
                        let names: Vec<&str> = pieces.iter().map(|p| d.piece_name(p)).collect();
                        format!("on {{{}}}", names.join(", "))
                    }
                    Action::Compare(comparison, sides) => format!(
                        "compare {} {} {}",
                        print::arithmetic(&sides.0, d),
                        comparison.symbol(),
                        print::arithmetic(&sides.1, d)
                    ),
                    Action::Check { negated, condition } => {
                        format!("check {}c{condition}", if *negated { "not " } else { "" })
                    }
                    Action::Off(piece) => {
                        format!("off {}", d.piece_name(regulus_rbg::declarations::Piece(*piece)))
                    }
                    Action::Assign(variable, value) => format!(
                        "assign {} = {}",
                        d.variable_name(regulus_rbg::declarations::Variable(*variable)),
                        print::arithmetic(value, d)
                    ),
                    Action::Switch(player) => format!(
                        "switch {}",
                        d.player_name(regulus_rbg::declarations::Player(*player))
                    ),
                    Action::Dot => "dot".to_owned(),
                };
                let index =
                    if edge.modifier > 0 { format!(" #{}", edge.modifier) } else { String::new() };
                writeln!(f, "    {action}{index} -> q{}", edge.target)?;
            }
        }
        Ok(())
    }
}
