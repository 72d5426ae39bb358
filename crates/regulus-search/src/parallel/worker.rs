//! One thread at work on a shared tree: the iteration of `iteration.rs`, with a path whose edges others change, too.
//!
//! A worker brings what plays the game; what is here is the way through the tree, expansion and the way back. The way
//! begins in nodes of which the worker has a view (`views.rs`) and goes on in those that are only in the tree.

use std::sync::atomic::Ordering;

use regulus_game::{Engine, Step};

use super::block_allocator::BlockAllocator;
use super::cells::Behind;
use super::shared_tree::{Kind, SharedNode, SharedTree};
use super::views::Views;
use crate::action::NODAL;
use crate::iteration::{At, Child, Growth, Reached};
use crate::observer::Next;
use crate::repeated::Repeated;
use crate::report::Totals;
use crate::select::Uct;
use crate::simulator::Simulator;
use crate::tree::{HALFWAY, NONE};

pub(super) struct Worker<E: Engine> {
    pub(super) sim: Simulator<Repeated<E>>,
    hand: Hand,
    /// Totals when the turn began.
    pub(super) before: Totals,
}

/// What one thread has in hand for a shared tree.
struct Hand {
    /// The way of the iteration.
    path: Vec<Passed>,
    /// The iteration was counted at the root of the tree when it began.
    begun: bool,
    /// The view of the node where the iteration is.
    view: Option<u32>,
    /// The iterations of the edge that was passed last, and what is behind it, so far as the view of its node tells.
    passed: (u32, u32),
    views: Views,
    allocator: BlockAllocator,
    /// Labels and steps of untried edges, for MAST; steps are those of the edge that is followed, too.
    labels: Vec<(u32, u32)>,
    steps: Vec<Step>,
    /// Edges that this worker has tried since the tree got its root.
    tried: u64,
    /// Bytes of statistics that the tree knows about.
    statistics: usize,
}

/// One level of the way down the tree.
#[derive(Clone, Copy)]
struct Passed {
    node: u32,
    edge: u32,
    /// The view in which the edge was chosen; else it was counted in the tree.
    view: Option<u32>,
}

impl<E: Engine> Worker<E> {
    /// One of `threads` threads.
    pub(super) fn new(sim: Simulator<Repeated<E>>, threads: usize) -> Self {
        let hand = Hand {
            path: Vec::new(),
            begun: false,
            view: None,
            passed: (0, NONE),
            views: Views::new(threads),
            allocator: BlockAllocator::new(),
            labels: Vec::new(),
            steps: Vec::new(),
            tried: 0,
            statistics: 0,
        };
        Worker { sim, hand, before: Totals::default() }
    }

    /// Edges that this worker has tried since the tree got its root.
    pub(super) fn tried(&self) -> u64 {
        self.hand.tried
    }

    /// A turn begins.
    pub(super) fn begin_turn(&mut self) {
        self.before = self.sim.totals;
        self.sim.totals.max_depth = 0;
    }

    /// The tree is another one now.
    pub(super) fn forget_tree(&mut self) {
        self.hand.views.forget();
        self.hand.allocator = BlockAllocator::new();
        self.hand.tried = 0;
    }

    /// All that this worker has done is known to the tree.
    pub(super) fn close(&mut self, tree: &SharedTree) {
        self.hand.views.close(tree);
    }

    /// Makes the root of an empty tree; false if there are no moves.
    pub(super) fn prepare_root(&mut self, tree: &SharedTree) -> Result<bool, E::Error> {
        if !self.sim.alive {
            return Ok(false);
        }
        if tree.is_empty() {
            self.sim.episode.state.clone_from(&self.sim.position);
            self.sim.list_submoves()?;
            add_listed(&self.sim, tree, &mut BlockAllocator::in_any_case());
        }
        Ok(tree.node(0).extent.get().1 > 0)
    }

    /// MCTSITERATION on a tree whose root is there.
    pub(super) fn iterate(&mut self, tree: &SharedTree) -> Result<(), E::Error> {
        self.sim.iterate(&mut Sharing { tree, hand: &mut self.hand })
    }
}

/// Adds a node of what was listed last.
fn add_listed<E: Engine>(
    sim: &Simulator<E>,
    tree: &SharedTree,
    allocator: &mut BlockAllocator,
) -> Option<u32> {
    let player = sim.engine.player(&sim.episode.state);
    if sim.config.tree.is_orthodox() {
        return tree.add(allocator, Kind { player, nodal: true }, sim.episode.moves.iter());
    }
    let nodal = sim.engine.is_nodal(&sim.episode.state);
    tree.add(allocator, Kind { player, nodal }, sim.episode.steps.chunks_exact(1))
}

/// A shared tree, as one thread grows it.
struct Sharing<'t> {
    tree: &'t SharedTree,
    hand: &'t mut Hand,
}

impl<E: Engine> Growth<E> for Sharing<'_> {
    fn begin(&mut self, sim: &mut Simulator<E>) -> Result<At, E::Error> {
        sim.episode.begin(&sim.position, usize::from(self.tree.node(0).player));
        self.hand.path.clear();
        let root = self.hand.views.root();
        self.hand.begun = root.is_none();
        self.hand.view = root.map(|(view, _)| view);
        let visits = root.map_or_else(|| self.tree.root.0.begin().all(), |(_, visits)| visits);
        Ok(At { node: 0, visits, context: NODAL })
    }

    /// If the node is to grow, this thread has its claim.
    fn select(&mut self, sim: &mut Simulator<E>, at: &mut At) -> Result<Next, E::Error> {
        let node = self.tree.node(at.node);
        while self.hand.view.is_none() {
            let (tried, count) = node.extent.get();
            if count == 0 {
                return Ok(Next::Terminal);
            }
            if tried < count && !self.tree.is_full() && node.claim.take() {
                let (tried, count) = node.extent.get();
                if tried < count {
                    return Ok(Next::Expand);
                }
                // Another has tried the last edge in the meantime.
                node.claim.release();
                continue;
            }
            if tried == 0 {
                // No room, or somebody is trying the first edge.
                return Ok(Next::Leave);
            }
            if (tried == count || self.tree.is_full()) && self.hand.views.is_hot(at.visits) {
                self.hand.view = self.look(at.node, tried);
            }
            break;
        }
        let scale = sim.scales[usize::from(node.player)];
        let uct = Uct::new(sim.config.exploration, at.visits, scale);
        if let Some(view) = self.hand.view {
            return Ok(Next::Follow(uct.best(self.hand.views.edges(view), &mut sim.random) as u32));
        }
        let edges = &node.edges()[..node.extent.get().0 as usize];
        let known = |i: usize| {
            let (sum, counts) = edges[i].tally.known();
            (sum as f64, counts.visits, counts.all())
        };
        Ok(Next::Follow(uct.best_of_shared(edges.len(), known, &mut sim.random) as u32))
    }

    fn choose_untried(&mut self, sim: &mut Simulator<E>, at: At) -> u32 {
        let node = self.tree.node(at.node);
        let (tried, count) = node.extent.get();
        if !sim.mast.as_ref().is_some_and(|mast| mast.settings.in_expansion) {
            let left = u64::from(count - tried);
            // A single candidate takes no random number.
            return tried + if left == 1 { 0 } else { sim.random.below(left) as u32 };
        }
        let Hand { labels, steps, .. } = &mut *self.hand;
        labels.clear();
        steps.clear();
        for untried in tried..count {
            let begin = steps.len();
            steps.extend(node.submove(untried));
            labels.push((begin as u32, (steps.len() - begin) as u32));
        }
        tried + sim.choose_untried(node.player, at.context, labels, steps) as u32
    }

    fn semimove(&mut self, _: &mut Simulator<E>, at: At, untried: u32) -> Step {
        self.tree.node(at.node).submove(untried).next().expect("a semimove is a step")
    }

    fn remove_untried(&mut self, _: &mut Simulator<E>, at: At, untried: u32) {
        let node = self.tree.node(at.node);
        node.remove_untried(untried);
        node.claim.release();
    }

    fn try_move(&mut self, sim: &mut Simulator<E>, at: At, untried: u32) {
        let node = self.tree.node(at.node);
        let edge = self.put_next(node, at.node, untried);
        node.extent.grow();
        node.claim.release();
        self.apply(sim, node, edge, at.context);
    }

    fn try_semimove(&mut self, sim: &mut Simulator<E>, at: At, untried: u32, steps: usize) {
        let node = self.tree.node(at.node);
        sim.episode.record.in_tree = steps + 1;
        let edge = self.put_next(node, at.node, untried);
        if sim.episode.record.steps.len() > steps + 1 {
            let link = &node.edges()[edge as usize].link;
            link.lead_halfway();
            if sim.config.tree.is_nodal()
                && let Some(below) = self.add_completion(sim, node.player)
            {
                link.publish(below);
            }
        }
        node.extent.grow();
        node.claim.release();
    }

    fn reach_new(
        &mut self,
        _: &mut Simulator<E>,
        _: At,
        goes_on: bool,
    ) -> Result<Reached, E::Error> {
        Ok(if goes_on { Reached::Open } else { Reached::End })
    }

    fn pass(&mut self, _: &mut Simulator<E>, at: At, edge: u32) -> bool {
        self.hand.passed = match self.hand.view {
            Some(view) => {
                let known = self.hand.views.edges(view)[edge as usize];
                (known.visits, known.child)
            }
            None => {
                let shared = &self.tree.node(at.node).edges()[edge as usize];
                (shared.tally.counter.begin().all(), NONE)
            }
        };
        self.hand.path.push(Passed { node: at.node, edge, view: self.hand.view });
        false
    }

    fn follow(&mut self, sim: &mut Simulator<E>, at: At, edge: u32) -> (u64, u32) {
        let context = self.apply(sim, self.tree.node(at.node), edge, at.context);
        (context, self.hand.passed.0)
    }

    fn reach(&mut self, _: &mut Simulator<E>, goes_on: bool) -> Result<Reached, E::Error> {
        Ok(if goes_on { Reached::Open } else { Reached::End })
    }

    fn child(
        &mut self,
        sim: &mut Simulator<E>,
        at: At,
        edge: u32,
        _: u64,
    ) -> Result<Child, E::Error> {
        let (view, mut below) = (self.hand.view, self.hand.passed.1);
        if below >= HALFWAY {
            let link = &self.tree.node(at.node).edges()[edge as usize].link;
            below = match link.behind() {
                Behind::Node(below) => below,
                Behind::Nothing { halfway } if link.begin(halfway) => {
                    let Some(below) = self.list_node(sim)? else {
                        link.give_up(halfway);
                        return Ok(Child::Outside);
                    };
                    link.publish(below);
                    below
                }
                // Somebody is making the node.
                _ => return Ok(Child::Outside),
            };
            if let Some(view) = view {
                self.hand.views.learn(view, edge, below);
            }
        }
        self.hand.view = view.and_then(|view| self.hand.views.below(view, edge));
        Ok(Child::Node(below))
    }

    fn take_proven_points(&mut self, _: &mut Simulator<E>) {
        unreachable!("a shared tree has no solver");
    }

    /// Scores up the path, and samples for MAST.
    fn back_up(&mut self, sim: &mut Simulator<E>, _: bool) {
        sim.update_mast(|| 0);
        sim.totals.iterations += 1;
        let (tree, hand) = (self.tree, &mut *self.hand);
        let points = &sim.episode.points;
        for passed in &hand.path {
            if let Some(view) = passed.view {
                hand.views.end(tree, (view, passed.edge), points);
                continue;
            }
            let node = tree.node(passed.node);
            let points = points[usize::from(node.player)];
            node.edges()[passed.edge as usize].tally.end(points as u64);
        }
        hand.views.end_root(!hand.begun);
        if hand.begun {
            tree.root.0.end();
        }
        let bytes = sim.statistic_bytes();
        if bytes != hand.statistics {
            // The number may wrap around below zero on its way, as long as the sum is right.
            let more = bytes.wrapping_sub(hand.statistics);
            tree.statistics.0.fetch_add(more, Ordering::Relaxed);
            hand.statistics = bytes;
        }
        // While a table grows, its old and new memory are taken.
        if tree.is_full() || tree.bytes() + 2 * bytes > sim.config.memory {
            sim.freeze();
        }
    }
}

impl Sharing<'_> {
    /// A view of the node where the iteration is, if it came there by views only.
    fn look(&mut self, number: u32, tried: u32) -> Option<u32> {
        let above = match self.hand.path.last() {
            Some(passed) => Some((passed.view?, passed.edge)),
            None => None,
        };
        self.hand.views.look(self.tree, number, tried, above)
    }

    /// Applies the submove of an edge; gives the context behind it.
    fn apply<E: Engine>(
        &mut self,
        sim: &mut Simulator<E>,
        node: &SharedNode,
        edge: u32,
        context: u64,
    ) -> u64 {
        self.hand.steps.clear();
        self.hand.steps.extend(node.submove(edge));
        sim.follow(&self.hand.steps, context)
    }

    /// Makes a node of the current state; `None` if memory is full.
    fn list_node<E: Engine>(&mut self, sim: &mut Simulator<E>) -> Result<Option<u32>, E::Error> {
        if self.tree.is_full() {
            return Ok(None);
        }
        sim.list_submoves()?;
        let number = add_listed(sim, self.tree, &mut self.hand.allocator);
        if number.is_none() {
            self.tree.set_full(true);
        }
        Ok(number)
    }

    /// Makes an untried edge the one after the tried ones, with this iteration under way; gives its new place.
    fn put_next(&mut self, node: &SharedNode, number: u32, untried: u32) -> u32 {
        let edge = node.put_next(untried);
        node.edges()[edge as usize].tally.counter.begin();
        self.hand.path.push(Passed { node: number, edge, view: None });
        self.hand.tried += 1;
        edge
    }

    /// Algorithm 3, lines 8-12: nodes for the intermediate states of the move that was just completed. Gives the
    /// first of them; nobody sees them before it is published.
    fn add_completion<E: Engine>(&mut self, sim: &mut Simulator<E>, player: u8) -> Option<u32> {
        let begin = sim.episode.record.in_tree;
        let count = sim.episode.record.steps.len() - begin;
        let (mut first, mut above) = (None, None);
        for i in 0..count {
            let step = sim.episode.record.steps[begin + i];
            let all = &sim.episode.levels[i].all;
            let place = all.iter().position(|s| *s == step).expect("a semimove that was listed");
            let kind = Kind { player: usize::from(player), nodal: false };
            let added = self.tree.add(&mut self.hand.allocator, kind, all.chunks_exact(1));
            let Some(number) = added else {
                self.tree.set_full(true);
                break;
            };
            if let Some((node, edge)) = above {
                let above: &SharedNode = self.tree.node(node);
                above.edges()[edge as usize].link.publish(number);
            }
            let node = self.tree.node(number);
            let edge = self.put_next(node, number, place as u32);
            node.extent.grow();
            if i + 1 < count {
                node.edges()[edge as usize].link.lead_halfway();
            }
            first = first.or(Some(number));
            above = Some((number, edge));
            sim.episode.record.in_tree = begin + i + 1;
        }
        first
    }
}
