//! The rules as an automaton that can be run: states, edges with actions, and tables of the board.
//!
//! Conditions become automata of their own in the same arrays; an edge that tests one names it. An
//! empty edge costs a step of the walk and nothing else, which keeps the automaton linear in the size
//! of the rules.

use std::fmt;
use std::ops::Range;

use regulus_rbg::arithmetic::{Arithmetic, Comparison};
use regulus_rbg::automaton::{Automaton, State};
use regulus_rbg::declarations::{Label, PieceSet};
use regulus_rbg::print;
use regulus_rbg::rule::{Rule, RuleKind};
use regulus_rbg::{Board, Game};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::id::{Id, IdVec, Key};

/// The number of a state of the automaton.
pub type ProgramNodeId = Id<Node>;

/// The number of an edge of the automaton.
pub type EdgeId = Id<Edge>;

/// The number of a condition.
pub type ConditionId = Id<Condition>;

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
        condition: ConditionId,
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
    pub target: ProgramNodeId,
}

/// A state of the automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its edges.
    pub edges: Range<EdgeId>,
    /// A number if a walk can come here twice at the same vertex: several edges lead here, or one that
    /// leads from several vertices to one.
    pub join: Option<u32>,
}

/// Where a condition begins and ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// Its first state.
    pub start: ProgramNodeId,
    /// The state at which it holds.
    pub end: ProgramNodeId,
    /// It has modifiers, those in conditions inside it not counted.
    pub changes: bool,
}

/// A game that can be run.
#[derive(Debug)]
pub struct Program {
    /// The game it came from; its rules are the ones that are run, dots included.
    pub game: Game,
    /// All states.
    pub nodes: IdVec<ProgramNodeId, Node>,
    /// All edges, grouped by the state they leave, in textual order.
    pub edges: IdVec<EdgeId, Edge>,
    /// All conditions.
    pub conditions: IdVec<ConditionId, Condition>,
    /// Where the rules begin.
    pub start: ProgramNodeId,
    /// The edge of every modifier that some walk passes, by number.
    pub modifiers: Vec<Option<EdgeId>>,
    /// How many states can be reached twice.
    pub joins: u32,
}

#[derive(Default)]
struct Builder {
    nodes: IdVec<ProgramNodeId, Node>,
    edges: IdVec<EdgeId, Edge>,
    conditions: IdVec<ConditionId, Condition>,
}

impl Program {
    /// Makes the automaton of a game.
    pub fn new(game: &Game) -> Program {
        let mut builder = Builder::default();
        let (start, _) = builder.automaton(&game.rules);
        builder.drop_dead_ends();
        let joins = builder.number_joins(start, &game.board);
        let Builder { nodes, edges, conditions } = builder;
        let mut modifiers = vec![None; game.modifier_count as usize + 1];
        for (id, edge) in edges.enumerated().filter(|(_, edge)| edge.modifier > 0) {
            modifiers[edge.modifier as usize] = Some(id);
        }
        Program { game: game.clone(), nodes, edges, conditions, start, modifiers, joins }
    }

    /// The edges that leave a state.
    pub fn edges_of(&self, state: ProgramNodeId) -> &[Edge] {
        &self.edges[self.nodes[state].edges.clone()]
    }

    /// The edge of a modifier.
    pub fn modifier(&self, number: i32) -> Option<&Edge> {
        let id = (*self.modifiers.get(usize::try_from(number).ok()?)?)?;
        Some(&self.edges[id])
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
    fn automaton(&mut self, rules: &Rule) -> (ProgramNodeId, ProgramNodeId) {
        let automaton = Automaton::new(rules);
        let base = self.nodes.len();
        let states = automaton.len();
        let node = |state: State| ProgramNodeId::new(base + state.0 as usize);
        // Reserve the states first, because conditions put theirs behind them.
        for _ in 0..states {
            self.nodes.push(Node { edges: EdgeId::FIRST..EdgeId::FIRST, join: None });
        }
        for state in (0..states).map(|state| State(state as u32)) {
            let edges: Vec<Edge> = automaton
                .from(state)
                .map(|edge| {
                    let (action, modifier) =
                        edge.action.map_or((Action::Empty, 0), |a| self.action(a));
                    Edge { action, modifier, target: node(edge.to) }
                })
                .collect();
            self.nodes[node(state)].edges = self.edges.extend(edges);
        }
        (node(automaton.start), node(automaton.end))
    }

    /// Drops edges from which no walk reaches a switch or the end of its condition, whatever the state:
    /// nobody should wait for walks among them to end.
    fn drop_dead_ends(&mut self) {
        let mut before = self.nodes.filled(Vec::new());
        let mut pending: Vec<ProgramNodeId> = self.conditions.iter().map(|c| c.end).collect();
        let passes = |edge: &Edge| !matches!(edge.action, Action::On(pieces) if pieces.is_empty());
        for (state, node) in self.nodes.enumerated() {
            for edge in &self.edges[node.edges.clone()] {
                match edge.action {
                    Action::Switch(_) => pending.push(state),
                    _ if passes(edge) => before[edge.target].push(state),
                    _ => {}
                }
            }
        }
        let mut useful = self.nodes.filled(false);
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut useful[state], true) {
                pending.extend(&before[state]);
            }
        }
        let is_useful = |edge: &&Edge| {
            let is_switch = matches!(edge.action, Action::Switch(_));
            is_switch || (passes(edge) && useful[edge.target])
        };
        let mut kept = IdVec::default();
        for node in &mut self.nodes {
            let edges = self.edges[node.edges.clone()].iter();
            node.edges = kept.extend(edges.filter(is_useful).cloned());
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
                let condition = self.conditions.push(Condition { start, end, changes });
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

    fn number_joins(&mut self, start: ProgramNodeId, board: &Board) -> u32 {
        let mut shifts = FxHashMap::default();
        let mut incoming = self.nodes.filled(0);
        incoming[start] += 1;
        self.conditions.iter().for_each(|c| incoming[c.start] += 1);
        for edge in &self.edges {
            let injective = match edge.action {
                Action::Shift(l) => *shifts.entry(l).or_insert_with(|| is_injective(board, l)),
                _ => true,
            };
            incoming[edge.target] += if injective { 1 } else { 2 };
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

impl fmt::Display for ProgramNodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "q{}", self.index())
    }
}

impl fmt::Display for ConditionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c{}", self.index())
    }
}

/// The automaton as text: one line per state with its edges.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let d = &self.game.declarations;
        writeln!(
            f,
            "; {} states, {} edges, {} modifiers, {} conditions; starts at {}",
            self.nodes.len(),
            self.edges.len(),
            self.game.modifier_count,
            self.conditions.len(),
            self.start
        )?;
        let starts: FxHashMap<ProgramNodeId, ConditionId> =
            self.conditions.enumerated().map(|(id, c)| (c.start, id)).collect();
        for (state, node) in self.nodes.enumerated() {
            if let Some(id) = starts.get(&state) {
                writeln!(f, "condition {id}: {state} to {}", self.conditions[*id].end)?;
            }
            let mark = if node.join.is_some() { " join" } else { "" };
            writeln!(f, "{state}:{mark}")?;
            for edge in self.edges_of(state) {
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
                        format!("check {}{condition}", if *negated { "not " } else { "" })
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
                writeln!(f, "    {action}{index} -> {}", edge.target)?;
            }
        }
        Ok(())
    }
}
