//! Everything about a game that code is made from: numbering of vertices, segments, relations, and
//! the layout of states.

pub(crate) mod bits;
pub(crate) mod cycles;
pub(crate) mod denest;
pub(crate) mod describe;
pub(crate) mod embedding;
pub(crate) mod guard;
pub(crate) mod implication;
pub(crate) mod pattern;
pub(crate) mod pointer;
pub(crate) mod relation;
pub(crate) mod segments;
pub(crate) mod single;
pub(crate) mod standing;
pub(crate) mod verify;
pub(crate) mod walk_length;
pub(crate) mod width;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use regulus_rbg::Game;
use regulus_rbg::arithmetic::{Arithmetic, Interval, Operator};
use regulus_rbg::declarations::{PieceSet, Variable};
use regulus_rbg::rule::{Rule, RuleKind};
use regulus_rbg::split::{count_dots, retain_dots};
use rustc_hash::FxHashMap;

use crate::error::{MAX_SEMIMOVES, MAX_WALK_MODIFIERS};
use crate::id::IdVec;
use crate::native::emit::MAX_INSTRUCTIONS;
use crate::native::keeper::order::Order;
use crate::native::remarks::Notes;
use bits::Bits;
use cycles::on_cycles;
use embedding::Embedding;
use pattern::Pattern;
use relation::{Images, Relation, is_static};
use segments::{NodeId, Segments, is_pure};
use walk_length::{Counted, longest};

/// Where things are in a state, in 64-bit words: the set of every piece, the variables, and where the
/// walk stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) words_per_set: usize,
    pub(crate) pieces: usize,
    pub(crate) variables: usize,
}

impl Layout {
    pub(crate) fn set(&self, piece: usize, word: usize) -> usize {
        piece * self.words_per_set + word
    }

    pub(crate) fn variable(&self, variable: usize) -> usize {
        self.pieces * self.words_per_set + variable
    }

    /// The node of the segments at which the walk stands.
    pub(crate) fn node(&self) -> usize {
        self.variable(self.variables)
    }

    /// The position of the pointer.
    pub(crate) fn pointer(&self) -> usize {
        self.node() + 1
    }

    /// Who is to move.
    pub(crate) fn player(&self) -> usize {
        self.node() + 2
    }

    /// How many words a state has.
    pub(crate) fn len(&self) -> usize {
        self.node() + 3
    }
}

/// What is known about a game when code is made.
pub(crate) struct Analysis {
    pub(crate) game: Game,
    pub(crate) embedding: Embedding,
    pub(crate) full: Bits,
    pub(crate) segments: Segments,
    /// How many transitions lead to every node of the segments.
    pub(crate) incoming: IdVec<NodeId, u32>,
    pub(crate) layout: Layout,
    /// How large a function may get.
    pub(crate) max_instructions: usize,
    /// How deep conditions with modifiers stand in each other.
    pub(crate) condition_depth: usize,
    /// The longest walks to every node, in modifiers and in semimoves.
    modifiers: IdVec<NodeId, Option<usize>>,
    semimoves: IdVec<NodeId, Option<usize>>,
    /// The longest of all, as far as walks may be long.
    longest_walk: usize,
    /// Nodes that a walk can come back to, with modifiers and without any.
    loops: IdVec<NodeId, bool>,
    has_loops: bool,
    inner_loops: IdVec<NodeId, bool>,
    /// Nodes on the way to where there may be too many modifiers.
    overruns: OnceLock<IdVec<NodeId, bool>>,
    /// What can stand at the pointer at every node.
    standing: OnceLock<IdVec<NodeId, PieceSet>>,
    /// By what the rules say: macros repeat them.
    relations: Mutex<FxHashMap<Vec<Rule>, Arc<Relation>>>,
    relaxations: Mutex<FxHashMap<Vec<Rule>, Arc<Relation>>>,
    orders: Mutex<FxHashMap<Vec<Rule>, Option<Arc<Order>>>>,
    patterns: Mutex<Patterns>,
    /// What is noticed while code is made.
    pub(crate) notes: Notes,
    /// Work that finding relations may still take.
    work_left: AtomicU64,
}

/// Work that finding all relations of a game may take: about half a second.
const MAX_RELATION_WORK: u64 = 1 << 28;

/// Patterns of conditions, by what can stand where they are asked.
type Patterns = FxHashMap<(Rule, PieceSet), Option<Arc<Pattern>>>;

impl Analysis {
    pub(crate) fn new(game: &Game) -> Analysis {
        let embedding = Embedding::new(&game.board);
        let full = embedding.full();
        let segments = Segments::new(&game.rules, game.modifier_count);
        let layout = Layout {
            words_per_set: embedding.words,
            pieces: game.declarations.pieces().len(),
            variables: game.declarations.variables().len(),
        };
        let incoming = segments.incoming();
        let modifiers = longest(&segments, Counted::Modifiers, game.board.len());
        let semimoves = longest(&segments, Counted::Semimoves, game.board.len());
        let known = modifiers.iter().map(|made| made.unwrap_or(usize::MAX)).max();
        let longest_walk = known.unwrap_or(0).min(MAX_WALK_MODIFIERS);
        let loops = on_cycles(
            &segments.targets(|transition| !matches!(transition, segments::Transition::Switch(..))),
        );
        if cfg!(debug_assertions) {
            verify::embedding(&embedding, &game.board);
            verify::segments(&segments);
            verify::walk_lengths(&segments, &modifiers, &semimoves, &loops);
        }
        // The keeper passes split points as if they were not there.
        let passes = |transition: &segments::Transition| {
            transition.is_inner() || matches!(transition, segments::Transition::Dot(_))
        };
        let inner_loops = on_cycles(&segments.targets(passes));
        Analysis {
            game: game.clone(),
            embedding,
            full,
            segments,
            incoming,
            layout,
            max_instructions: MAX_INSTRUCTIONS,
            condition_depth: condition_depth(&game.rules),
            modifiers,
            semimoves,
            longest_walk,
            has_loops: loops.iter().any(|on_loop| *on_loop),
            loops,
            inner_loops,
            overruns: OnceLock::new(),
            standing: OnceLock::new(),
            relations: Mutex::default(),
            relaxations: Mutex::default(),
            orders: Mutex::default(),
            patterns: Mutex::default(),
            notes: Notes::default(),
            work_left: AtomicU64::new(MAX_RELATION_WORK),
        }
    }

    /// For split moves: the rules with those split points that players can pass, if there are any. The
    /// keeper's moves are not split, and he is better off without.
    pub(crate) fn with_dots(game: &Game) -> Option<Analysis> {
        if count_dots(&game.rules) == 0 {
            return None;
        }
        let dots = Segments::new(&game.rules, game.modifier_count).players_dots();
        let rules = retain_dots(&game.rules, &mut |number| dots.contains(&number));
        (!dots.is_empty()).then(|| Analysis::new(&Game { rules, ..game.clone() }))
    }

    pub(crate) fn words(&self) -> usize {
        self.embedding.words
    }

    /// True if a walk that leaves a node by one more of what is counted may have too many then.
    pub(crate) fn may_overrun(&self, node: NodeId, counted: Counted) -> bool {
        let (longest, limit) = match counted {
            Counted::Modifiers => (&self.modifiers, MAX_WALK_MODIFIERS),
            // The last one hands over.
            Counted::Semimoves => (&self.semimoves, MAX_SEMIMOVES - 1),
        };
        longest[node].is_none_or(|made| made >= limit)
    }

    /// True if a walk can come from a node to where it may have too many modifiers.
    pub(crate) fn leads_to_overrun(&self, node: NodeId) -> bool {
        let find = || {
            let nodes = &self.segments.nodes;
            let mut before = nodes.filled(Vec::new());
            let mut pending = Vec::new();
            let inside = |transition: &segments::Transition| {
                !matches!(transition, segments::Transition::Switch(..))
            };
            for (node, transitions) in nodes.enumerated() {
                for (transition, to) in
                    transitions.iter().filter(|(transition, _)| inside(transition))
                {
                    before[*to].push(node);
                    let counts = matches!(
                        transition,
                        segments::Transition::Off(..) | segments::Transition::Assign(..)
                    );
                    if counts && self.may_overrun(node, Counted::Modifiers) {
                        pending.push(node);
                    }
                }
            }
            let mut leads = nodes.filled(false);
            while let Some(node) = pending.pop() {
                if !std::mem::replace(&mut leads[node], true) {
                    pending.extend(&before[node]);
                }
            }
            leads
        };
        self.overruns.get_or_init(find)[node]
    }

    /// What can stand at the pointer when a walk of the keeper's comes to a node.
    pub(crate) fn standing(&self, node: NodeId) -> PieceSet {
        self.standing.get_or_init(|| standing::standing(self))[self.segments.canonical(node)]
    }

    /// The most modifiers that a walk can have passed at a node, if that is known.
    pub(crate) fn longest_walk_to(&self, node: NodeId) -> Option<usize> {
        self.modifiers[node]
    }

    /// The most modifiers that a walk can pass, without its switch.
    pub(crate) fn longest_walk(&self) -> usize {
        self.longest_walk
    }

    /// True if a walk can come back to a node without a switch.
    pub(crate) fn leads_back(&self, node: NodeId) -> bool {
        self.loops[node]
    }

    /// True if there is any node that a walk can come back to without a switch.
    pub(crate) fn has_loops(&self) -> bool {
        self.has_loops
    }

    /// True if a walk of the keeper's can come back to a node without any modifier.
    pub(crate) fn inner_loop(&self, node: NodeId) -> bool {
        self.inner_loops[node]
    }

    /// The number of a node among all of these.
    pub(crate) fn inner_loop_number(&self, node: NodeId) -> Option<usize> {
        let mut all = self.inner_loops.enumerated().filter(|(_, on_loop)| **on_loop);
        all.position(|(loop_node, _)| loop_node == node)
    }

    /// True if an assignment can never fail: its value always exists and is within the bounds
    /// (pass P19).
    pub(crate) fn always_fits(&self, variable: Variable, value: &Arithmetic) -> bool {
        let d = &self.game.declarations;
        let mut divides = false;
        value.visit(&mut |part| {
            divides |= matches!(part, Arithmetic::Operation(Operator::Divide, _));
        });
        let bound = i128::from(d.bound(variable));
        let interval = Interval::of(value, d, self.game.board.len());
        !divides && interval.is_ok_and(|i| i.low >= 0 && i.high <= bound)
    }

    /// True if code that counts moves has to count their steps, too: moves can be long. Otherwise only very many of
    /// them can have too many steps.
    pub(crate) fn counts_steps(&self) -> bool {
        self.longest_walk() >= 64
    }

    /// The relation of static rules.
    pub(crate) fn relation(&self, rules: &[Rule]) -> Arc<Relation> {
        let mut known = self.relations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(relation) = known.get(rules) {
            return relation.clone();
        }
        let mut images = self.images(self.work_left.load(Ordering::Relaxed));
        let relation = Relation::of(rules, &mut images);
        self.work_left.store(images.work, Ordering::Relaxed);
        // Without work left no code is made, and it does not matter what the relation is.
        let relation = relation.unwrap_or_else(|| Relation::empty(&self.embedding));
        if cfg!(debug_assertions) {
            verify::relation(&relation);
        }
        let relation = Arc::new(relation);
        known.insert(rules.to_vec(), relation.clone());
        relation
    }

    /// The order in which static rules come to vertices, if a table is made of it. It lives as long as the analysis.
    pub(crate) fn order(&self, rules: &[Rule]) -> Option<Arc<Order>> {
        let mut known = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || Order::of(rules, &self.game.board, &self.embedding).map(Arc::new);
        known.entry(rules.to_vec()).or_insert_with(make).clone()
    }

    /// The pattern of a condition that is asked from a vertex with one of some pieces, if it has one.
    pub(crate) fn pattern(&self, body: &Rule, under: PieceSet) -> Option<Arc<Pattern>> {
        let mut known = self.patterns.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || Pattern::of(body, under, self).map(Arc::new);
        known.entry((body.clone(), under)).or_insert_with(make).clone()
    }

    /// Follows static rules with at most `work` work.
    pub(crate) fn images(&self, work: u64) -> Images<'_> {
        Images { board: &self.game.board, embedding: &self.embedding, work }
    }

    /// True if following the rules on the board took too much work: then what is known is wrong.
    pub(crate) fn is_too_large(&self) -> bool {
        self.work_left.load(Ordering::Relaxed) == 0
    }

    /// The relation of rules without modifiers if all their tests of the state hold.
    pub(crate) fn relaxed(&self, rules: &[Rule]) -> Arc<Relation> {
        let mut known = self.relaxations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(relation) = known.get(rules) {
            return relation.clone();
        }
        let relaxed: Vec<Rule> = rules.iter().filter_map(relaxed).collect();
        let relation = self.relation(&relaxed);
        known.insert(rules.to_vec(), relation.clone());
        relation
    }
}

/// How deep conditions with modifiers stand in each other.
fn condition_depth(rule: &Rule) -> usize {
    match &rule.kind {
        RuleKind::Condition { body, .. } if is_pure(body) => 0,
        RuleKind::Condition { body, .. } => condition_depth(body) + 1,
        _ => rule.children().iter().map(condition_depth).max().unwrap_or(0),
    }
}

/// A rule without its tests of the state; nothing if nothing is left.
pub(crate) fn relaxed(rule: &Rule) -> Option<Rule> {
    if is_static(rule) {
        return Some(rule.clone());
    }
    let kind = match &rule.kind {
        RuleKind::Concatenation(parts) => {
            RuleKind::Concatenation(parts.iter().filter_map(relaxed).collect())
        }
        RuleKind::Sum(alternatives) => {
            let stay = || Rule::new(RuleKind::Concatenation(Vec::new()), rule.place);
            RuleKind::Sum(alternatives.iter().map(|a| relaxed(a).unwrap_or_else(stay)).collect())
        }
        RuleKind::Star(body) => RuleKind::Star(Box::new(relaxed(body)?)),
        _ => return None,
    };
    Some(Rule::new(kind, rule.place))
}
