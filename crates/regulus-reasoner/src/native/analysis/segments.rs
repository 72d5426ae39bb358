//! The rules cut at modifiers. Between two modifiers the board does not change, so everything there
//! can be evaluated as a set of vertices: such parts become single transitions.
//!
//! A node stands for "the walk is here". A transition is *pure* (a list of rules without modifiers), a
//! modifier, a split point, or a check of a condition that itself contains modifiers.

use std::fmt;
use std::ops::Index;

use regulus_rbg::arithmetic::Arithmetic;
use regulus_rbg::declarations::{Declarations, Piece, Player, Variable};
use regulus_rbg::print;
use regulus_rbg::rule::{ModifierIndex, Rule, RuleKind};
use regulus_rbg::source::Span;

use super::denest::denested;
use crate::id::{Id, IdVec, Key};

/// A node of the segments.
pub(crate) type NodeId = Id<SegmentNode>;

/// The place of a walk between two transitions.
pub(crate) enum SegmentNode {}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.index())
    }
}

/// Where a walk stands between two semimoves, as states keep it: 0 for the start, the number of the last modifier, and
/// numbers behind those for split points.
pub(crate) type PositionId = Id<Position>;

impl PositionId {
    /// The one behind a modifier.
    pub(crate) fn of(modifier: ModifierIndex) -> PositionId {
        PositionId::new(modifier.0 as usize)
    }

    /// The position that a state keeps in a word.
    pub(crate) fn from_word(word: u64) -> PositionId {
        PositionId::new(word as usize)
    }

    /// The word that a state keeps for it.
    pub(crate) fn word(self) -> u64 {
        self.index() as u64
    }
}

/// A transition: the node that it leaves, and which of the node's it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct TransitionId {
    pub(crate) node: NodeId,
    pub(crate) index: usize,
}

impl NodeId {
    /// One of the transitions that leave the node.
    pub(crate) fn transition(self, index: usize) -> TransitionId {
        TransitionId { node: self, index }
    }
}

/// What a transition does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Transition {
    /// Nothing.
    Empty,
    /// Rules without modifiers, one after the other.
    Pure(Vec<Rule>),
    /// A condition whose body has modifiers.
    Check { negated: bool, start: NodeId, end: NodeId },
    /// Puts a piece.
    Off(Piece, ModifierIndex),
    /// Sets a variable.
    Assign(Variable, Arithmetic, ModifierIndex),
    /// Hands over.
    Switch(Player, ModifierIndex),
    /// A split point, numbered from 0.
    Dot(u32),
}

impl Transition {
    /// The number of the modifier, if it is one outside conditions.
    pub(crate) fn modifier(&self) -> ModifierIndex {
        match self {
            Transition::Off(_, m) | Transition::Assign(_, _, m) | Transition::Switch(_, m) => *m,
            _ => ModifierIndex::NONE,
        }
    }

    /// What stands for it in the steps of moves.
    pub(crate) fn action(&self) -> i32 {
        self.modifier().0 as i32
    }

    /// True if the walk goes on in the same segment.
    pub(crate) fn is_inner(&self) -> bool {
        matches!(self, Transition::Empty | Transition::Pure(_) | Transition::Check { .. })
    }
}

/// The rules as nodes and transitions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Segments {
    /// The transitions that leave every node, in textual order.
    pub(crate) nodes: IdVec<NodeId, Vec<(Transition, NodeId)>>,
    /// Where the rules begin.
    pub(crate) start: NodeId,
    /// Every modifier that some walk can pass, by number: a copy, because making moves asks for it.
    modifiers: Vec<Option<Transition>>,
    /// Where loops with modifiers begin, and their texts.
    pub(crate) loops: Vec<(NodeId, Span)>,
    dots: u32,
}

/// Where a walk can stand between two semimoves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    /// The node; `None` if no walk gets there.
    pub(crate) node: Option<NodeId>,
    /// True if a switch leads here: the state is nodal.
    pub(crate) hands_over: bool,
}

/// True for tests that cannot succeed, such as `{}`.
fn never(transition: &Transition) -> bool {
    let is_never = |r: &Rule| matches!(&r.kind, RuleKind::On(pieces) if pieces.is_empty());
    matches!(transition, Transition::Pure(rules) if rules.iter().any(is_never))
}

/// True if a rule changes nothing and hands over to nobody.
pub(crate) fn is_pure(rule: &Rule) -> bool {
    match &rule.kind {
        RuleKind::Shift(_) | RuleKind::On(_) | RuleKind::Comparison(..) => true,
        RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => parts.iter().all(is_pure),
        RuleKind::Star(body) | RuleKind::Condition { body, .. } => is_pure(body),
        RuleKind::Off(..) | RuleKind::Assignment(..) | RuleKind::Switch(..) | RuleKind::Dot => {
            false
        }
    }
}

impl Index<NodeId> for Segments {
    type Output = [(Transition, NodeId)];

    fn index(&self, node: NodeId) -> &Self::Output {
        &self.nodes[node]
    }
}

impl Index<TransitionId> for Segments {
    type Output = (Transition, NodeId);

    fn index(&self, transition: TransitionId) -> &Self::Output {
        &self.nodes[transition.node][transition.index]
    }
}

impl Segments {
    /// Cuts rules at their modifiers.
    pub(crate) fn new(rules: &Rule, modifiers: u32) -> Segments {
        let mut segments = Segments {
            nodes: IdVec::default(),
            start: NodeId::FIRST,
            modifiers: vec![None; modifiers as usize + 1],
            loops: Vec::new(),
            dots: 0,
        };
        segments.start = segments.node();
        segments.add(rules, segments.start, false);
        segments.prune();
        for (transition, _) in segments.nodes.iter().flatten() {
            let modifier = transition.modifier();
            if modifier != ModifierIndex::NONE {
                segments.modifiers[modifier.0 as usize] = Some(transition.clone());
            }
        }
        segments
    }

    /// The transitions that leave a node.
    pub(crate) fn leaving(&self, node: NodeId) -> impl Iterator<Item = TransitionId> + use<> {
        (0..self[node].len()).map(move |index| node.transition(index))
    }

    /// The transition of a modifier that some walk can pass.
    pub(crate) fn modifier(&self, number: i32) -> Option<&Transition> {
        self.modifiers.get(usize::try_from(number).ok()?)?.as_ref()
    }

    /// The nodes at which walks go on.
    pub(crate) fn positions(&self) -> IdVec<PositionId, Position> {
        let nowhere = Position { node: None, hands_over: false };
        let mut positions = IdVec::of(nowhere, self.modifiers.len() + self.dots as usize);
        positions[PositionId::FIRST] =
            Position { node: Some(self.canonical(self.start)), hands_over: true };
        for (transition, to) in self.nodes.iter().flatten() {
            let behind = self.behind(transition);
            if behind != PositionId::FIRST {
                let hands_over = matches!(transition, Transition::Switch(..));
                positions[behind] = Position { node: Some(self.canonical(*to)), hands_over };
            }
        }
        positions
    }

    /// The split points that players can pass, by number.
    pub(crate) fn players_dots(&self) -> rustc_hash::FxHashSet<u32> {
        let mut seen = self.nodes.filled(false);
        let transitions = self.nodes.iter().flatten();
        let mut stack: Vec<NodeId> = transitions
            .filter(|(transition, _)| matches!(transition, Transition::Switch(player, _) if player.0 != 0))
            .map(|(_, to)| *to)
            .collect();
        let mut dots = rustc_hash::FxHashSet::default();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            for (transition, to) in &self[node] {
                match transition {
                    Transition::Switch(..) => continue,
                    Transition::Dot(number) => drop(dots.insert(*number)),
                    _ => {}
                }
                stack.push(*to);
            }
        }
        dots
    }

    /// Where a walk stands behind a modifier or a split point.
    pub(crate) fn behind(&self, transition: &Transition) -> PositionId {
        match transition {
            Transition::Dot(number) => PositionId::new(self.modifiers.len() + *number as usize),
            _ => PositionId::of(transition.modifier()),
        }
    }

    /// Drops transitions that lead neither to a switch nor to the end of a condition.
    fn prune(&mut self) {
        let mut useful = self.nodes.filled(false);
        for (transition, _) in self.nodes.iter().flatten() {
            if let Transition::Check { end, .. } = transition {
                useful[*end] = true;
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for node in self.nodes.ids().rev() {
                let leads = self[node].iter().any(|(transition, to)| {
                    matches!(transition, Transition::Switch(..))
                        || (useful[*to] && !never(transition))
                });
                changed |= leads && !useful[node];
                useful[node] |= leads;
            }
        }
        for transitions in &mut self.nodes {
            transitions.retain(|(transition, to)| {
                matches!(transition, Transition::Switch(..)) || (useful[*to] && !never(transition))
            });
        }
    }

    fn node(&mut self) -> NodeId {
        self.nodes.push(Vec::new())
    }

    fn transition(&mut self, from: NodeId, transition: Transition) -> NodeId {
        let to = self.node();
        self.nodes[from].push((transition, to));
        to
    }

    fn add(&mut self, rule: &Rule, from: NodeId, in_condition: bool) -> NodeId {
        if is_pure(rule) {
            return self.transition(from, Transition::Pure(vec![rule.clone()]));
        }
        match &rule.kind {
            RuleKind::Concatenation(parts) => {
                let mut at = from;
                for run in parts.chunk_by(|a, b| is_pure(a) && is_pure(b)) {
                    at = if is_pure(&run[0]) {
                        self.transition(at, Transition::Pure(run.to_vec()))
                    } else {
                        run.iter().fold(at, |at, part| self.add(part, at, in_condition))
                    };
                }
                at
            }
            RuleKind::Sum(alternatives) => {
                let to = self.node();
                for alternative in alternatives {
                    let entry = self.transition(from, Transition::Empty);
                    let end = self.add(alternative, entry, in_condition);
                    self.nodes[end].push((Transition::Empty, to));
                }
                to
            }
            RuleKind::Star(body) => {
                if in_condition && let Some(rule) = denested(body) {
                    return self.add(&rule, from, true);
                }
                let head = self.transition(from, Transition::Empty);
                self.loops.push((head, rule.place.span));
                let entry = self.transition(head, Transition::Empty);
                let end = self.add(body, entry, in_condition);
                self.nodes[end].push((Transition::Empty, head));
                self.transition(head, Transition::Empty)
            }
            RuleKind::Condition { negated, body } => {
                let start = self.node();
                let end = self.add(body, start, true);
                self.transition(from, Transition::Check { negated: *negated, start, end })
            }
            RuleKind::Off(piece, index) => self.transition(from, Transition::Off(*piece, *index)),
            RuleKind::Assignment(variable, value, index) => {
                self.transition(from, Transition::Assign(*variable, value.clone(), *index))
            }
            RuleKind::Switch(player, index) => {
                self.transition(from, Transition::Switch(*player, *index))
            }
            // A split point means nothing inside a condition.
            RuleKind::Dot if in_condition => self.transition(from, Transition::Empty),
            RuleKind::Dot => {
                self.dots += 1;
                self.transition(from, Transition::Dot(self.dots - 1))
            }
            RuleKind::Shift(_) | RuleKind::On(_) | RuleKind::Comparison(..) => {
                unreachable!("these are pure")
            }
        }
    }

    /// Where some of the transitions of every node lead.
    pub(crate) fn targets(&self, keep: impl Fn(&Transition) -> bool) -> IdVec<NodeId, Vec<NodeId>> {
        let targets = |transitions: &Vec<(Transition, NodeId)>| {
            transitions
                .iter()
                .filter(|(transition, _)| keep(transition))
                .map(|(_, to)| *to)
                .collect()
        };
        self.nodes.iter().map(targets).collect()
    }

    /// How many transitions lead to every node.
    pub(crate) fn incoming(&self) -> IdVec<NodeId, u32> {
        let mut incoming = self.nodes.filled(0);
        self.nodes.iter().flatten().for_each(|(_, to)| incoming[*to] += 1);
        incoming
    }

    /// The node itself, or the first one behind it where anything is decided or done.
    pub(crate) fn canonical(&self, mut node: NodeId) -> NodeId {
        // A node with one empty transition cannot lead back to itself, or it would lead nowhere.
        for _ in 0..self.nodes.len() {
            match &self[node] {
                [(Transition::Empty, to)] => node = *to,
                _ => break,
            }
        }
        node
    }

    /// The nodes of the segment that begins at `from`, each before those it leads to; `None` if the
    /// segment goes round in circles.
    pub(crate) fn topological(&self, from: NodeId) -> Option<Vec<NodeId>> {
        let mut order = Vec::new();
        // 0 unseen, 1 being visited, 2 done
        let mut mark = rustc_hash::FxHashMap::<NodeId, u8>::default();
        let mut stack = vec![(from, 0usize)];
        while let Some((node, next)) = stack.pop() {
            if next == 0 {
                mark.insert(node, 1);
            }
            let transitions = &self[node];
            let inner = (next..transitions.len()).find(|i| transitions[*i].0.is_inner());
            match inner {
                Some(i) => {
                    stack.push((node, i + 1));
                    match mark.get(&transitions[i].1) {
                        Some(1) => return None,
                        Some(_) => {}
                        None => stack.push((transitions[i].1, 0)),
                    }
                }
                None => {
                    mark.insert(node, 2);
                    order.push(node);
                }
            }
        }
        order.reverse();
        Some(order)
    }

    /// The text of the segments, for people and tests.
    pub(crate) fn dump(&self, d: &Declarations) -> String {
        use fmt::Write as _;
        let mut text = format!("; starts at {}\n", self.start);
        for (node, transitions) in self.nodes.enumerated() {
            let _ = writeln!(text, "{node}:");
            for (transition, to) in transitions {
                let shown = match transition {
                    Transition::Empty => "empty".to_owned(),
                    Transition::Pure(rules) => {
                        let parts: Vec<String> = rules
                            .iter()
                            .map(|r| match r.kind {
                                RuleKind::Sum(_) => format!("({})", print::rule(r, d)),
                                _ => print::rule(r, d),
                            })
                            .collect();
                        format!("pure {}", parts.join(" "))
                    }
                    Transition::Check { negated, start, end } => {
                        format!("check {}{start} to {end}", if *negated { "not " } else { "" })
                    }
                    Transition::Off(piece, m) => format!("off {} #{}", d.piece_name(*piece), m.0),
                    Transition::Assign(v, value, m) => {
                        format!(
                            "assign {} = {} #{}",
                            d.variable_name(*v),
                            print::arithmetic(value, d),
                            m.0
                        )
                    }
                    Transition::Switch(player, m) => {
                        format!("switch {} #{}", d.player_name(*player), m.0)
                    }
                    Transition::Dot(i) => format!("dot {i}"),
                };
                let _ = writeln!(text, "    {shown} -> {to}");
            }
        }
        text
    }
}
