//! The rules as an automaton: one edge per action, empty edges where operators join. Checks and
//! analyses that follow walks work on it. (The reasoner has its own, which is made to be run.)

use crate::rule::{Rule, RuleKind};

/// A state of the automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct State(pub u32);

impl State {
    /// The state as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge: an action of the rules, or none.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'r> {
    /// Where it begins.
    pub from: State,
    /// Where it ends.
    pub to: State,
    /// The action: anything but a sum, concatenation or star; nothing for an empty edge.
    pub action: Option<&'r Rule>,
}

impl Edge<'_> {
    /// True for `->player` and `->>`.
    pub fn is_switch(&self) -> bool {
        self.action.is_some_and(|a| matches!(a.kind, RuleKind::Switch(..)))
    }

    /// True for offs, assignments and switches.
    pub fn is_modifier(&self) -> bool {
        self.action.is_some_and(Rule::is_modifier)
    }

    /// True where a move is split under Mod: at modifiers and dots.
    pub fn is_split(&self) -> bool {
        self.action.is_some_and(|a| a.is_modifier() || a.kind == RuleKind::Dot)
    }
}

/// An alternative of a sum: its states are numbered `first..last`.
#[derive(Clone, Copy, Debug)]
pub struct Alternative<'r> {
    /// The alternative.
    pub rule: &'r Rule,
    /// Where it begins.
    pub entry: State,
    /// Where it ends.
    pub exit: State,
    /// The states inside, `exit` excluded.
    pub first: u32,
    /// One past the states inside.
    pub last: u32,
}

/// The automaton of some rules. Conditions are single edges.
#[derive(Debug)]
pub struct Automaton<'r> {
    edges: Vec<Edge<'r>>,
    outgoing: Vec<Vec<u32>>,
    /// Where walks begin.
    pub start: State,
    /// The end of the rules.
    pub end: State,
    /// All alternatives of sums, inner ones before outer ones.
    pub alternatives: Vec<Alternative<'r>>,
}

impl<'r> Automaton<'r> {
    /// Builds the automaton of some rules. States are numbered from left to right.
    pub fn new(rules: &'r Rule) -> Self {
        let mut automaton = Automaton {
            edges: Vec::new(),
            outgoing: Vec::new(),
            start: State(0),
            end: State(0),
            alternatives: Vec::new(),
        };
        automaton.start = automaton.state();
        automaton.end = automaton.add(rules, automaton.start);
        automaton
    }

    fn state(&mut self) -> State {
        self.outgoing.push(Vec::new());
        State(self.outgoing.len() as u32 - 1)
    }

    fn edge(&mut self, from: State, to: State, action: Option<&'r Rule>) {
        self.outgoing[from.index()].push(self.edges.len() as u32);
        self.edges.push(Edge { from, to, action });
    }

    /// Adds a part that begins at `from`; returns where it ends.
    fn add(&mut self, rule: &'r Rule, from: State) -> State {
        match &rule.kind {
            RuleKind::Concatenation(parts) => {
                parts.iter().fold(from, |at, part| self.add(part, at))
            }
            RuleKind::Sum(alternatives) => {
                let mut ends = Vec::with_capacity(alternatives.len());
                for alternative in alternatives {
                    let first = self.outgoing.len() as u32;
                    let entry = self.state();
                    self.edge(from, entry, None);
                    let exit = self.add(alternative, entry);
                    let last = self.outgoing.len() as u32;
                    self.alternatives.push(Alternative {
                        rule: alternative,
                        entry,
                        exit,
                        first,
                        last,
                    });
                    ends.push(exit);
                }
                let to = self.state();
                for end in ends {
                    self.edge(end, to, None);
                }
                to
            }
            RuleKind::Star(body) => {
                let head = self.state();
                self.edge(from, head, None);
                let entry = self.state();
                self.edge(head, entry, None);
                let end = self.add(body, entry);
                self.edge(end, head, None);
                let to = self.state();
                self.edge(head, to, None);
                to
            }
            _ => {
                let to = self.state();
                self.edge(from, to, Some(rule));
                to
            }
        }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.outgoing.len()
    }

    /// An automaton has at least its start.
    pub fn is_empty(&self) -> bool {
        self.outgoing.is_empty()
    }

    /// All edges.
    pub fn edges(&self) -> &[Edge<'r>] {
        &self.edges
    }

    /// The edges that leave a state, in textual order.
    pub fn from(&self, state: State) -> impl Iterator<Item = &Edge<'r>> {
        self.outgoing[state.index()].iter().map(|e| &self.edges[*e as usize])
    }

    /// The edges that leave a state, with their indices in [`Automaton::edges`].
    pub fn from_indexed(&self, state: State) -> impl Iterator<Item = (usize, &Edge<'r>)> {
        self.outgoing[state.index()].iter().map(|e| (*e as usize, &self.edges[*e as usize]))
    }

    /// The strongly connected component of every state, following the edges that `keep` accepts.
    pub fn components(&self, keep: impl Fn(&Edge<'r>) -> bool) -> Vec<u32> {
        // Tarjan's algorithm with an explicit stack.
        const UNSEEN: u32 = u32::MAX;
        let n = self.len();
        let mut order = vec![UNSEEN; n];
        let mut low = vec![0u32; n];
        let mut component = vec![UNSEEN; n];
        let (mut stack, mut next, mut components) = (Vec::new(), 0u32, 0u32);
        let mut calls: Vec<(usize, usize)> = Vec::new();
        for root in 0..n {
            if order[root] != UNSEEN {
                continue;
            }
            calls.push((root, 0));
            while let Some((q, edge)) = calls.pop() {
                if edge == 0 {
                    order[q] = next;
                    low[q] = next;
                    next += 1;
                    stack.push(q);
                }
                let mut descended = false;
                for (i, e) in self.outgoing[q].iter().enumerate().skip(edge) {
                    let e = &self.edges[*e as usize];
                    if !keep(e) {
                        continue;
                    }
                    let to = e.to.index();
                    if order[to] == UNSEEN {
                        calls.push((q, i + 1));
                        calls.push((to, 0));
                        descended = true;
                        break;
                    }
                    if component[to] == UNSEEN {
                        low[q] = low[q].min(order[to]);
                    }
                }
                if descended {
                    continue;
                }
                if low[q] == order[q] {
                    while let Some(top) = stack.pop() {
                        component[top] = components;
                        if top == q {
                            break;
                        }
                    }
                    components += 1;
                }
                if let Some((parent, _)) = calls.last() {
                    low[*parent] = low[*parent].min(low[q]);
                }
            }
        }
        component
    }
}
