//! The tree in flat arenas: nodes and edges are numbers, the edges of a node are contiguous, and what
//! selection reads of an edge (visits, sum, child) is one 16-byte record.
//!
//! The statistics of a child are kept in the edge to it, so a leaf needs no node: a node is made when
//! its moves are first needed. Tried edges stand before untried ones, in the order in which they were
//! first tried.
//!
//! Memory: [`NODE_BYTES`] per node that has been left once, [`EDGE_BYTES`] per edge, [`STEP_BYTES`] per step of an
//! edge's submove. What else is kept for edges is a column each ([`Columns`]): with RAVE [`AMAF_BYTES`] more, with
//! RAVE-mix twice that, and the numbers of actions; [`SPREAD_BYTES`] for some parts of the tree policy;
//! [`BOUND_BYTES`] for every player with the solver, [`PROOF_BYTES`] with proof numbers.

use regulus_game::Step;
use rustc_hash::FxHashMap;

use crate::action::{Actions, split_key, submove_key};

/// No node yet behind an edge that leads to a nodal state.
pub const NONE: u32 = u32::MAX;
/// No node yet behind an edge that leads to an intermediate state.
pub const HALFWAY: u32 = u32::MAX - 1;

/// An edge: the move or submove to a child, and the statistics of that child.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Edge {
    /// Scores of the player who chooses this edge, summed over iterations: whole numbers, so exact.
    pub sum: f64,
    /// Iterations through this edge; 0 if untried.
    pub visits: u32,
    /// The node behind it, or [`NONE`] or [`HALFWAY`].
    pub child: u32,
}

const UNTRIED: Edge = Edge { sum: 0.0, visits: 0, child: NONE };

/// A node whose moves are known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Node {
    /// Its first edge.
    pub first: u32,
    /// How many edges it has.
    pub count: u32,
    /// How many of them, from the first on, were tried.
    pub tried: u32,
    /// Who moves.
    pub player: u8,
    /// False inside a move.
    pub nodal: bool,
}

/// All-moves-as-first statistics of an edge: iterations in which its action was played at the node or
/// later.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Amaf {
    /// Scores of the player of the node.
    pub sum: f64,
    /// Iterations.
    pub count: u32,
    /// The number of the action among [`Tree::actions`].
    pub action: u32,
}

/// What parts of the tree policy ask about the scores of an edge; see [`TreePolicy`](crate::config::TreePolicy).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// The sum of the squares of the scores.
    pub squares: f64,
    /// The least score.
    pub least: f64,
    /// The greatest score.
    pub greatest: f64,
    /// What a heuristic said when the edge was first tried, from 0 to 1.
    pub prior: f64,
    /// The hash of the nodal state behind it; 0 if it leads into a move.
    pub position: u64,
}

const UNKNOWN_SPREAD: Spread = Spread {
    squares: 0.0,
    least: f64::INFINITY,
    greatest: f64::NEG_INFINITY,
    prior: 0.0,
    position: 0,
};

/// What is proven about the score of a player behind an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The score is at least this.
    pub low: u32,
    /// The score is at most this.
    pub high: u32,
}

/// How much is left to prove behind an edge; see `proof.rs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Positions to be solved before the answer is yes.
    pub yes: u32,
    /// The same for no.
    pub no: u32,
}

impl Proof {
    /// Nothing is known.
    pub const UNKNOWN: Proof = Proof { yes: 1, no: 1 };
}

/// What is kept for edges besides visits and sums.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    /// Statistics of RAVE.
    pub amaf: AmafKeys,
    /// [`Tree::spread`].
    pub spread: bool,
    /// [`Tree::bounds`]: the highest scores of all players; nothing for no solver.
    pub high: Vec<u32>,
    /// [`Tree::proofs`].
    pub proofs: bool,
    /// A position has one node, whatever way leads to it: [`Tree::known`].
    pub shared: bool,
}

/// Bytes per node.
pub const NODE_BYTES: usize = 16;
/// Bytes per edge, its submove not counted.
pub const EDGE_BYTES: usize = 16 + 8;
/// Bytes per edge and AMAF statistic.
pub const AMAF_BYTES: usize = 16;
/// Bytes per edge for [`Tree::spread`].
pub const SPREAD_BYTES: usize = 40;
/// Bytes per edge and player for [`Tree::bounds`].
pub const BOUND_BYTES: usize = 8;
/// Bytes per edge for [`Tree::proofs`].
pub const PROOF_BYTES: usize = 8;
/// Bytes per position that is known, if nodes are shared.
pub const KNOWN_BYTES: usize = 17;
/// Bytes per node more, if nodes are shared.
pub const SHARED_BYTES: usize = 12;
/// Bytes per step of an edge's submove.
pub const STEP_BYTES: usize = 8;

const _: () = {
    assert!(size_of::<Node>() == NODE_BYTES);
    assert!(size_of::<Edge>() + size_of::<(u32, u32)>() == EDGE_BYTES);
    assert!(size_of::<Amaf>() == AMAF_BYTES);
    assert!(size_of::<Spread>() == SPREAD_BYTES);
    assert!(size_of::<Bound>() == BOUND_BYTES);
    assert!(size_of::<Proof>() == PROOF_BYTES);
    assert!(size_of::<Step>() == STEP_BYTES);
};

/// What the AMAF statistics of edges are named by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AmafKeys {
    /// No RAVE.
    None,
    /// The context and the submove. In an orthodox tree: the move.
    Context,
    /// The semimove alone.
    Split,
    /// Both, in two statistics.
    Both,
}

impl Columns {
    /// Statistics of RAVE alone.
    pub fn amaf(amaf: AmafKeys) -> Self {
        Columns { amaf, spread: false, high: Vec::new(), proofs: false, shared: false }
    }
}

/// The arenas. The root is node 0.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Edges, those of a node side by side.
    pub edges: Vec<Edge>,
    /// Where the submove of each edge is in `steps`: begin and length.
    pub labels: Vec<(u32, u32)>,
    /// The steps of submoves.
    pub steps: Vec<Step>,
    /// Statistics by context (or by semimove, if that is the only kind).
    pub amaf: Vec<Amaf>,
    /// Statistics by semimove, for RAVE-mix.
    pub amaf_split: Vec<Amaf>,
    /// Spreads, for some parts of the tree policy.
    pub spread: Vec<Spread>,
    /// Proven bounds, for the solver: those of all players for the first edge, then for the next.
    pub bounds: Vec<Bound>,
    /// Proof numbers.
    pub proofs: Vec<Proof>,
    /// The nodes of nodal positions by their hash, if nodes are shared.
    known: FxHashMap<u64, u32>,
    /// Iterations through each node, if nodes are shared: more than through any edge to it.
    pub visits: Vec<u32>,
    /// The last iteration that came through each node, if nodes are shared.
    pub stamps: Vec<u64>,
    /// The actions that have statistics.
    pub actions: Actions,
    /// How many edges were tried: the nodes of the papers, without the root.
    pub tried: u64,
    /// Iterations through the root.
    pub root_visits: u32,
    /// There was no room for a node: no more expansion.
    pub full: bool,
    columns: Columns,
    limit: usize,
}

impl Tree {
    /// An empty tree that will take at most `limit` bytes.
    pub fn new(columns: Columns, limit: usize) -> Self {
        Tree {
            nodes: Vec::new(),
            edges: Vec::new(),
            labels: Vec::new(),
            steps: Vec::new(),
            amaf: Vec::new(),
            amaf_split: Vec::new(),
            spread: Vec::new(),
            bounds: Vec::new(),
            proofs: Vec::new(),
            known: FxHashMap::default(),
            visits: Vec::new(),
            stamps: Vec::new(),
            actions: Actions::default(),
            tried: 0,
            root_visits: 0,
            full: false,
            columns,
            limit,
        }
    }

    /// An empty tree of the same kind.
    pub fn emptied(&self) -> Self {
        Tree::new(self.columns.clone(), self.limit)
    }

    /// How many bytes are taken, unused capacity included.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.labels.capacity() * size_of::<(u32, u32)>()
            + self.steps.capacity() * size_of::<Step>()
            + (self.amaf.capacity() + self.amaf_split.capacity()) * size_of::<Amaf>()
            + self.spread.capacity() * size_of::<Spread>()
            + self.bounds.capacity() * size_of::<Bound>()
            + self.proofs.capacity() * PROOF_BYTES
            + self.known.capacity() * KNOWN_BYTES
            + self.visits.capacity() * size_of::<u32>()
            + self.stamps.capacity() * size_of::<u64>()
            + self.actions.bytes()
    }

    /// True if one more node with `edges` edges and `steps` steps fits.
    pub fn has_room(&self, edges: usize, steps: usize, reserved: usize) -> bool {
        let statistics = match self.columns.amaf {
            AmafKeys::None => 0,
            AmafKeys::Context | AmafKeys::Split => 1,
            AmafKeys::Both => 2,
        };
        let per_edge = EDGE_BYTES
            + statistics * AMAF_BYTES
            + usize::from(self.columns.spread) * SPREAD_BYTES
            + self.columns.high.len() * BOUND_BYTES
            + usize::from(self.columns.proofs) * PROOF_BYTES;
        let used = self.nodes.len() * NODE_BYTES
            + self.edges.len() * per_edge
            + self.steps.len() * STEP_BYTES
            + self.actions.bytes()
            + self.known.capacity() * KNOWN_BYTES
            + self.visits.len() * SHARED_BYTES;
        let more = NODE_BYTES + edges * per_edge + steps * STEP_BYTES;
        let numbers = (HALFWAY as usize).min(self.limit / STEP_BYTES + 1);
        used + more + reserved <= self.limit && self.steps.len() + steps < numbers
    }

    /// A new node with an untried edge for each submove.
    pub fn add_node<'m>(
        &mut self,
        player: usize,
        nodal: bool,
        context: u64,
        submoves: impl ExactSizeIterator<Item = &'m [Step]> + Clone,
    ) -> u32 {
        let (first, count) = (self.edges.len() as u32, submoves.len());
        self.reserve(count, submoves.clone().map(<[Step]>::len).sum());
        self.edges.resize(first as usize + count, UNTRIED);
        for submove in submoves {
            self.add_label(context, submove);
        }
        if self.columns.spread {
            self.spread.resize(self.edges.len(), UNKNOWN_SPREAD);
        }
        if !self.columns.high.is_empty() {
            let widest = self.columns.high.iter().map(|&high| Bound { low: 0, high });
            self.bounds.extend(std::iter::repeat_n(widest, count).flatten());
        }
        if self.columns.proofs {
            self.proofs.resize(self.edges.len(), Proof::UNKNOWN);
        }
        let node = Node { first, count: count as u32, tried: 0, player: player as u8, nodal };
        self.nodes.push(node);
        if self.columns.shared {
            self.visits.push(0);
            self.stamps.push(0);
        }
        self.nodes.len() as u32 - 1
    }

    /// A result behind an edge, for the columns that are there.
    pub(crate) fn note_result(&mut self, node: u32, edge: u32, points: f64) {
        if let Some(visits) = self.visits.get_mut(node as usize) {
            *visits += 1;
        }
        if let Some(spread) = self.spread.get_mut(edge as usize) {
            spread.squares += points * points;
            spread.least = spread.least.min(points);
            spread.greatest = spread.greatest.max(points);
        }
    }

    /// The node of a position, if it has one and nodes are shared.
    pub fn known(&self, position: u64) -> Option<u32> {
        self.known.get(&position).copied()
    }

    /// Remembers the node of a position.
    pub fn remember(&mut self, position: u64, node: u32) {
        self.known.insert(position, node);
    }

    fn add_label(&mut self, context: u64, submove: &[Step]) {
        self.labels.push((self.steps.len() as u32, submove.len() as u32));
        self.steps.extend_from_slice(submove);
        let by_context = || submove_key(context, submove);
        let by_semimove = || submove.last().map_or(0, |step| split_key(*step));
        let actions = &mut self.actions;
        let mut statistic = |key| Amaf { sum: 0.0, count: 0, action: actions.number(key) };
        match self.columns.amaf {
            AmafKeys::None => {}
            AmafKeys::Context => self.amaf.push(statistic(by_context())),
            AmafKeys::Split => self.amaf.push(statistic(by_semimove())),
            AmafKeys::Both => {
                self.amaf.push(statistic(by_context()));
                self.amaf_split.push(statistic(by_semimove()));
            }
        }
    }

    /// Grows arenas by an eighth; by a 64th when much is taken, so that little is taken in vain.
    fn reserve(&mut self, edges: usize, steps: usize) {
        let part = if self.bytes() > self.limit / 4 { 64 } else { 8 };
        fn grow<T>(arena: &mut Vec<T>, more: usize, part: usize) {
            if arena.capacity() - arena.len() < more {
                arena.reserve_exact(more.max(arena.len() / part));
            }
        }
        grow(&mut self.nodes, 1, part);
        grow(&mut self.edges, edges, part);
        grow(&mut self.labels, edges, part);
        grow(&mut self.steps, steps, part);
        if self.columns.amaf != AmafKeys::None {
            grow(&mut self.amaf, edges, part);
        }
        if self.columns.amaf == AmafKeys::Both {
            grow(&mut self.amaf_split, edges, part);
        }
        if self.columns.spread {
            grow(&mut self.spread, edges, part);
        }
        grow(&mut self.bounds, edges * self.columns.high.len(), part);
        if self.columns.proofs {
            grow(&mut self.proofs, edges, part);
        }
    }

    /// The submove of an edge.
    pub fn submove(&self, edge: u32) -> &[Step] {
        let (start, len) = self.labels[edge as usize];
        &self.steps[start as usize..(start + len) as usize]
    }

    /// The tried edges of a node.
    pub fn tried_edges(&self, node: u32) -> std::ops::Range<u32> {
        let node = self.nodes[node as usize];
        node.first..node.first + node.tried
    }

    /// True if a tried edge leads to a nodal state.
    pub fn ends_move(&self, edge: u32) -> bool {
        match self.edges[edge as usize].child {
            HALFWAY => false,
            child => self.nodes.get(child as usize).is_none_or(|node| node.nodal),
        }
    }

    /// The node that a move leads to from a node, and its iterations.
    pub fn find(&self, node: u32, steps: &[Step]) -> Option<(u32, u32)> {
        // Nodes inside the move, the next edge of each, and how many modifiers lead there.
        let mut open = vec![(node, self.nodes[node as usize].first, 0)];
        while let Some((node, next, made)) = open.last_mut() {
            if *next == self.tried_edges(*node).end {
                open.pop();
                continue;
            }
            let (e, rest) = (*next, &steps[*made..]);
            *next += 1;
            let modifiers = self.submove(e).iter().filter(|step| step.is_modifier());
            let len = modifiers.clone().count();
            if len > rest.len() || !modifiers.eq(&rest[..len]) {
                continue;
            }
            let edge = self.edges[e as usize];
            let Some(child) = self.nodes.get(edge.child as usize) else { continue };
            if !child.nodal {
                let made = *made + len;
                open.push((edge.child, child.first, made));
            } else if rest.len() == len {
                return Some((edge.child, edge.visits));
            }
        }
        None
    }

    /// Makes an untried edge the last of the tried ones; gives its new place.
    pub fn try_edge(&mut self, node: u32, edge: u32) -> u32 {
        let n = &mut self.nodes[node as usize];
        let place = n.first + n.tried;
        n.tried += 1;
        self.tried += 1;
        self.swap_untried(edge, place);
        place
    }

    /// Removes an untried edge.
    pub fn remove_untried(&mut self, node: u32, edge: u32) {
        let n = &mut self.nodes[node as usize];
        n.count -= 1;
        let last = n.first + n.count;
        self.swap_untried(edge, last);
    }

    /// Statistics of untried edges are equal, but AMAF and bounds may be known.
    fn swap_untried(&mut self, a: u32, b: u32) {
        let (a, b) = (a as usize, b as usize);
        self.labels.swap(a, b);
        if self.columns.amaf != AmafKeys::None {
            self.amaf.swap(a, b);
        }
        if self.columns.amaf == AmafKeys::Both {
            self.amaf_split.swap(a, b);
        }
        for player in 0..self.columns.high.len() {
            let players = self.columns.high.len();
            self.bounds.swap(a * players + player, b * players + player);
        }
        if self.columns.proofs {
            self.proofs.swap(a, b);
        }
    }

    /// Exchanges two edges of a node that were tried.
    pub fn swap_tried(&mut self, a: u32, b: u32) {
        self.swap_untried(a, b);
        let (a, b) = (a as usize, b as usize);
        self.edges.swap(a, b);
        if self.columns.spread {
            self.spread.swap(a, b);
        }
    }

    /// The proven bounds of all players behind an edge; nothing without the solver.
    pub fn bounds_of(&self, edge: u32) -> &[Bound] {
        let players = self.columns.high.len();
        let start = edge as usize * players;
        &self.bounds[start..start + players]
    }

    /// Copies an edge to the end of the arenas.
    fn push_copy(&mut self, edge: u32) {
        let i = edge as usize;
        self.edges.push(self.edges[i]);
        self.labels.push(self.labels[i]);
        if self.columns.amaf != AmafKeys::None {
            self.amaf.push(self.amaf[i]);
        }
        if self.columns.amaf == AmafKeys::Both {
            self.amaf_split.push(self.amaf_split[i]);
        }
        if self.columns.spread {
            self.spread.push(self.spread[i]);
        }
        let players = self.columns.high.len();
        self.bounds.extend_from_within(i * players..(i + 1) * players);
        if self.columns.proofs {
            self.proofs.push(self.proofs[i]);
        }
    }

    /// THESIS Algorithm 4, lines 5-11: removes the node behind an edge of `parent` and gives its edges
    /// to `parent`, behind the tried ones; their submoves are concatenated, their statistics (AMAF too)
    /// kept. False, and nothing is changed, if memory is full.
    pub fn roll_up(&mut self, parent: u32, edge: u32, reserved: usize) -> bool {
        let up = self.nodes[parent as usize];
        let down = self.nodes[self.edges[edge as usize].child as usize];
        let lengths = (down.first..down.first + down.count).map(|e| self.labels[e as usize].1);
        let (_, prefix) = self.labels[edge as usize];
        let steps = lengths.sum::<u32>() + prefix * down.count;
        let count = (up.count - 1 + down.count) as usize;
        if !self.has_room(count, steps as usize, reserved) {
            return false;
        }
        self.reserve(count, steps as usize);
        let first = self.edges.len() as u32;
        for e in (up.first..up.first + up.tried).filter(|e| *e != edge) {
            self.push_copy(e);
        }
        for e in down.first..down.first + down.count {
            self.push_copy(e);
            // Split points in the middle of a submove are left out (THESIS 3.1).
            let start = self.steps.len() as u32;
            let ((from, len), (tail, tail_len)) =
                (self.labels[edge as usize], self.labels[e as usize]);
            for i in from..from + len {
                let step = self.steps[i as usize];
                if step.is_modifier() {
                    self.steps.push(step);
                }
            }
            for i in tail..tail + tail_len {
                self.steps.push(self.steps[i as usize]);
            }
            if let Some(label) = self.labels.last_mut() {
                *label = (start, self.steps.len() as u32 - start);
            }
        }
        for e in up.first + up.tried..up.first + up.count {
            self.push_copy(e);
        }
        let tried = up.tried - 1 + down.tried;
        self.nodes[parent as usize] = Node { first, count: count as u32, tried, ..up };
        self.tried -= 1;
        true
    }

    /// The part of the tree below a node as a new tree.
    pub fn subtree(&self, root: u32) -> Tree {
        let mut copy = self.emptied();
        let mut waiting = std::collections::VecDeque::from([(root, NONE)]);
        // New numbers of old nodes: several edges may lead to one.
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        while let Some((old, edge)) = waiting.pop_front() {
            let number = copy.nodes.len() as u32;
            if self.columns.shared {
                if let Some(known) = numbers.get(&old) {
                    copy.edges[edge as usize].child = *known;
                    continue;
                }
                numbers.insert(old, number);
                copy.visits.push(self.visits[old as usize]);
                copy.stamps.push(0);
            }
            if edge != NONE {
                copy.edges[edge as usize].child = number;
            }
            let node = self.nodes[old as usize];
            let first = copy.edges.len() as u32;
            let range = node.first as usize..(node.first + node.count) as usize;
            let steps = self.labels[range.clone()].iter().map(|label| label.1 as usize).sum();
            copy.reserve(range.len(), steps);
            for e in range.clone() {
                if self.edges[e].child < HALFWAY {
                    waiting.push_back((self.edges[e].child, copy.edges.len() as u32));
                }
                copy.edges.push(self.edges[e]);
                let submove = self.submove(e as u32);
                copy.labels.push((copy.steps.len() as u32, submove.len() as u32));
                copy.steps.extend_from_slice(submove);
            }
            // Actions that are not below any more lose their numbers.
            let actions = &mut copy.actions;
            let mut renumbered = |amaf: &Amaf| {
                let action = actions.number(self.actions.key(amaf.action));
                Amaf { action, ..*amaf }
            };
            if self.columns.amaf != AmafKeys::None {
                copy.amaf.extend(self.amaf[range.clone()].iter().map(&mut renumbered));
            }
            if self.columns.amaf == AmafKeys::Both {
                copy.amaf_split.extend(self.amaf_split[range.clone()].iter().map(&mut renumbered));
            }
            if self.columns.spread {
                copy.spread.extend_from_slice(&self.spread[range.clone()]);
            }
            let players = self.columns.high.len();
            let bounds = range.start * players..range.end * players;
            copy.bounds.extend_from_slice(&self.bounds[bounds]);
            if self.columns.proofs {
                copy.proofs.extend_from_slice(&self.proofs[range.clone()]);
            }
            copy.nodes.push(Node { first, ..node });
            copy.tried += u64::from(node.tried);
        }
        let moved = |(position, old): (&u64, &u32)| Some((*position, *numbers.get(old)?));
        copy.known = self.known.iter().filter_map(moved).collect();
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::NODAL;

    fn step(action: i32) -> Step {
        Step { action, vertex: 1 }
    }

    fn add(tree: &mut Tree, actions: &[i32]) -> u32 {
        let steps: Vec<Step> = actions.iter().map(|a| step(*a)).collect();
        tree.add_node(1, false, NODAL, steps.chunks_exact(1))
    }

    #[test]
    fn tried_edges_come_first_in_order() {
        let mut tree = Tree::new(Columns::amaf(AmafKeys::Context), 1 << 20);
        let node = add(&mut tree, &[1, 2, 3, 4]);
        assert_eq!(tree.try_edge(node, 2), 0);
        assert_eq!(tree.try_edge(node, 3), 1);
        tree.remove_untried(node, 2);
        let order: Vec<i32> = (0..3).map(|e| tree.submove(e)[0].action).collect();
        assert_eq!(order, [3, 4, 2]);
        assert_eq!((tree.nodes[0].tried, tree.nodes[0].count), (2, 3));
        let number = |e: u32| tree.actions.find(submove_key(NODAL, tree.submove(e)));
        assert!((0..3).all(|e| Some(tree.amaf[e as usize].action) == number(e)));
    }

    /// Figure by hand: root -(5)-> v, root -(6)-> w, root 7 untried; v -(split point, 8 and 9)->.
    #[test]
    fn rolling_up_joins_submoves_and_keeps_statistics() {
        let mut tree = Tree::new(Columns::amaf(AmafKeys::None), 1 << 20);
        let root = add(&mut tree, &[5, 6, 7]);
        tree.try_edge(root, 0);
        tree.try_edge(root, 1);
        let v = add(&mut tree, &[8, -9]);
        let first = tree.nodes[v as usize].first;
        tree.try_edge(v, first);
        tree.try_edge(v, first + 1);
        tree.edges[0] = Edge { sum: 50.0, visits: 3, child: v };
        tree.edges[1] = Edge { sum: 10.0, visits: 1, child: NONE };
        tree.edges[first as usize] = Edge { sum: 30.0, visits: 2, child: NONE };
        tree.edges[first as usize + 1] = Edge { sum: 20.0, visits: 1, child: NONE };
        assert!(tree.roll_up(root, 0, 0));
        let n = tree.nodes[root as usize];
        assert_eq!((n.count, n.tried), (4, 3));
        let labels: Vec<Vec<i32>> = (n.first..n.first + n.count)
            .map(|e| tree.submove(e).iter().map(|s| s.action).collect())
            .collect();
        assert_eq!(labels, [vec![6], vec![5, 8], vec![5, -9], vec![7]]);
        let sums: Vec<f64> = tree.tried_edges(root).map(|e| tree.edges[e as usize].sum).collect();
        assert_eq!(sums, [10.0, 30.0, 20.0]);
        assert_eq!(tree.tried, 3);
        let copy = tree.subtree(root);
        assert_eq!(copy.edges.len(), 4);
        assert_eq!(copy.submove(1), [step(5), step(8)]);
    }

    #[test]
    fn memory_is_limited() {
        let mut tree = Tree::new(Columns::amaf(AmafKeys::Both), 1 << 20);
        while tree.has_room(4, 4, 0) {
            add(&mut tree, &[1, 2, 3, 4]);
        }
        let bytes = tree.bytes();
        assert!(bytes < (1 << 20) * 105 / 100 && bytes > (1 << 20) * 95 / 100, "{bytes}");
    }
}
