//! One thread at work on a shared tree: the iteration of `iteration.rs`, with a path whose edges others change, too.
//!
//! A worker is a whole [`Search`] whose own tree stays empty. It brings engine, random numbers, simulations and MAST;
//! what is here is the way through the tree, expansion (THESIS Algorithms 2 and 3) and the way back.

use std::sync::atomic::Ordering;

use regulus_game::{Engine, Step};

use super::cells::Behind;
use super::shared_tree::{SharedNode, SharedTree};
use crate::action::{NODAL, context_behind};
use crate::iteration::choose;
use crate::report::Totals;
use crate::search::Search;
use crate::select::Uct;
use crate::statistic::Candidates;

pub(super) struct Worker<E: Engine> {
    pub(super) search: Search<E>,
    /// Nodes and edges of the iteration.
    path: Vec<(u32, u32)>,
    /// Labels of untried edges, for MAST.
    labels: Vec<(u32, u32)>,
    /// Totals when the turn began.
    pub(super) before: Totals,
    /// Edges that this worker has tried since the tree got its root.
    pub(super) tried: u64,
    /// Bytes of statistics that the tree knows about.
    statistics: usize,
}

/// What came of trying an edge.
enum Expanded {
    /// It is dead, and gone.
    Dead,
    /// The iteration has come to its end.
    Simulated,
}

impl<E: Engine> Worker<E> {
    pub(super) fn new(search: Search<E>) -> Self {
        Worker {
            search,
            path: Vec::new(),
            labels: Vec::new(),
            before: Totals::default(),
            tried: 0,
            statistics: 0,
        }
    }

    /// A turn begins.
    pub(super) fn begin_turn(&mut self) {
        self.before = self.search.totals;
        self.search.totals.max_depth = 0;
    }

    /// Makes the root of an empty tree; false if there are no moves.
    pub(super) fn prepare_root(&mut self, tree: &SharedTree) -> Result<bool, E::Error> {
        if !self.search.alive {
            return Ok(false);
        }
        if tree.is_empty() {
            self.search.state.clone_from(&self.search.position);
            self.search.list_submoves()?;
            let root = self.listed();
            tree.take_root_room(root.edges.len(), root.steps.len());
            tree.add(root);
        }
        Ok(tree.node(0).extent.get().1 > 0)
    }

    /// MCTSITERATION on a tree whose root is there.
    pub(super) fn iterate(&mut self, tree: &SharedTree) -> Result<(), E::Error> {
        self.search.state.clone_from(&self.search.position);
        self.search.record.clear();
        self.path.clear();
        let (mut number, mut context, mut depth) = (0, NODAL, 0);
        let mut visits = tree.root.begin().all();
        self.search.record.begin(usize::from(tree.node(0).player));
        loop {
            let node = tree.node(number);
            let (tried, count) = node.extent.get();
            if count == 0 {
                // Terminal: no moves, or all semimoves turned out dead.
                break;
            }
            let mut can_expand = tried < count && !tree.is_full();
            if can_expand {
                can_expand = node.claim.take();
                // Another may have tried the last edge in the meantime.
                if can_expand && {
                    let (tried, count) = node.extent.get();
                    tried >= count
                } {
                    node.claim.release();
                    continue;
                }
            }
            if can_expand {
                let expanded = self.expand(tree, number, context)?;
                match expanded {
                    Expanded::Dead => continue,
                    Expanded::Simulated => {
                        depth += 1;
                        break;
                    }
                }
            }
            if tried == 0 {
                // No room, or somebody is trying the first edge.
                self.search.finish_outside(context)?;
                break;
            }
            let scale = self.search.scales[usize::from(node.player)];
            let uct = Uct::new(self.search.config.exploration, visits, scale);
            let edges = &node.edges[..tried as usize];
            let known = |i: usize| {
                let counts = edges[i].counter.counts();
                (edges[i].sum(), counts.visits, counts.all())
            };
            let e = uct.best_of_shared(edges.len(), known, &mut self.search.random) as u32;
            let edge = &edges[e as usize];
            visits = edge.counter.begin().all();
            self.path.push((number, e));
            context = self.follow(node.submove(e), context);
            if self.search.engine.is_nodal(&self.search.state) {
                depth += 1;
                context = NODAL;
                if !self.search.arrive()? {
                    break;
                }
            }
            match edge.link.behind() {
                Behind::Node(below) => number = below,
                Behind::Nothing { halfway } if edge.link.begin(halfway) => {
                    let Some(below) = self.list_node(tree)? else {
                        edge.link.give_up(halfway);
                        self.search.finish_outside(context)?;
                        break;
                    };
                    edge.link.publish(below);
                    number = below;
                }
                // Somebody is making the node.
                _ => {
                    self.search.finish_outside(context)?;
                    break;
                }
            }
        }
        self.search.totals.depth_sum += depth;
        self.search.totals.max_depth = self.search.totals.max_depth.max(depth);
        self.back_up(tree);
        Ok(())
    }

    /// Scores up the path, and samples for MAST.
    fn back_up(&mut self, tree: &SharedTree) {
        self.search.backpropagate();
        for (number, e) in &self.path {
            let node = tree.node(*number);
            let points = self.search.points[usize::from(node.player)];
            node.edges[*e as usize].end(points);
        }
        tree.root.end();
        let bytes = self.search.statistic_bytes();
        if bytes != self.statistics {
            // The number may wrap around below zero on its way, as long as the sum is right.
            let more = bytes.wrapping_sub(self.statistics);
            tree.statistics.fetch_add(more, Ordering::Relaxed);
            self.statistics = bytes;
        }
        // While a table grows, its old and new memory are taken.
        if let Some(mast) = &mut self.search.mast
            && (tree.is_full() || tree.bytes() + 2 * bytes > self.search.config.memory)
        {
            mast.statistic.freeze(true);
        }
    }

    /// Applies the submove of an edge; gives the context behind it.
    fn follow(&mut self, submove: &[Step], context: u64) -> u64 {
        let search = &mut self.search;
        for _ in 1..search.config.reasoning_overhead {
            search.spare.clone_from(&search.state);
            search.engine.apply(&mut search.spare, submove);
        }
        search.engine.apply(&mut search.state, submove);
        search.record.steps.extend_from_slice(submove);
        search.record.in_tree = search.record.steps.len();
        search.totals.states += 1;
        submove.iter().fold(context, |key, step| context_behind(key, *step))
    }

    /// A node of what was listed last.
    fn listed(&self) -> SharedNode {
        let search = &self.search;
        let player = search.engine.player(&search.state);
        if search.config.tree.is_orthodox() {
            return SharedNode::new(player, true, search.moves.iter());
        }
        let nodal = search.engine.is_nodal(&search.state);
        SharedNode::new(player, nodal, search.steps.chunks_exact(1))
    }

    /// Makes a node of the current state; `None` if memory is full.
    fn list_node(&mut self, tree: &SharedTree) -> Result<Option<u32>, E::Error> {
        if tree.is_full() {
            return Ok(None);
        }
        self.search.list_submoves()?;
        let (edges, steps) = match self.search.config.tree.is_orthodox() {
            true => (self.search.moves.len(), self.search.moves.total_steps()),
            false => (self.search.steps.len(), self.search.steps.len()),
        };
        if !tree.take_room(1, edges, steps) {
            tree.set_full(true);
            return Ok(None);
        }
        let number = tree.add(self.listed());
        if number.is_none() {
            tree.set_full(true);
        }
        Ok(number)
    }

    /// RANDOMELEMENT of the untried edges, or by MAST. The node is claimed.
    fn choose_untried(&mut self, node: &SharedNode, context: u64) -> u32 {
        let search = &mut self.search;
        let (tried, count) = node.extent.get();
        let guide = search.mast.as_mut().filter(|mast| mast.settings.in_expansion);
        if guide.is_none() {
            let left = u64::from(count - tried);
            // A single candidate takes no random number.
            return tried + if left == 1 { 0 } else { search.random.below(left) as u32 };
        }
        self.labels.clear();
        let untried = &node.edges[tried as usize..count as usize];
        self.labels.extend(untried.iter().map(|edge| edge.label()));
        let candidates = Candidates::Submoves(&self.labels, &node.steps);
        let (scores, random) = (&mut search.scores, &mut search.random);
        let player = usize::from(node.player);
        tried + choose(player, context, candidates, guide, scores, random) as u32
    }

    /// EXPAND or EXPANDNODAL, and the simulation. A semimove that is dead is removed. The node is claimed; the
    /// claim is given back.
    fn expand(
        &mut self,
        tree: &SharedTree,
        number: u32,
        context: u64,
    ) -> Result<Expanded, E::Error> {
        let node = tree.node(number);
        let untried = self.choose_untried(node, context);
        if self.search.config.tree.is_orthodox() {
            let e = self.try_edge(node, number, untried);
            node.claim.release();
            self.follow(node.submove(e), context);
            return self.end_expansion();
        }
        let step = node.submove(untried)[0];
        let search = &mut self.search;
        let steps = search.record.steps.len();
        let Some(undo) = search.apply_semimove(step) else {
            node.remove_untried(untried);
            node.claim.release();
            return Ok(Expanded::Dead);
        };
        let intermediate = !search.engine.is_nodal(&search.state);
        let behind = context_behind(context, step);
        if intermediate && !search.complete_move(behind)? {
            search.engine.undo(&mut search.state, undo);
            search.record.steps.pop();
            node.remove_untried(untried);
            node.claim.release();
            return Ok(Expanded::Dead);
        }
        search.engine.keep(undo);
        search.record.in_tree = steps + 1;
        let e = node.put_next(untried);
        let edge = &node.edges[e as usize];
        edge.counter.begin();
        self.path.push((number, e));
        self.tried += 1;
        if intermediate {
            edge.link.lead_halfway();
            if self.search.config.tree.is_nodal()
                && let Some(below) = self.add_completion(tree, node.player)
            {
                edge.link.publish(below);
            }
        }
        node.extent.grow();
        node.claim.release();
        self.end_expansion()
    }

    /// Makes an untried edge the last of the tried ones, with this iteration under way; gives its new place.
    fn try_edge(&mut self, node: &SharedNode, number: u32, untried: u32) -> u32 {
        let e = node.put_next(untried);
        node.edges[e as usize].counter.begin();
        node.extent.grow();
        self.path.push((number, e));
        self.tried += 1;
        e
    }

    /// A move is complete: the simulation.
    fn end_expansion(&mut self) -> Result<Expanded, E::Error> {
        if self.search.arrive()? {
            self.search.simulate()?;
        }
        Ok(Expanded::Simulated)
    }

    /// Algorithm 3, lines 8-12: nodes for the intermediate states of the move that was just completed. Gives the
    /// first of them; nobody sees them before it is published.
    fn add_completion(&mut self, tree: &SharedTree, player: u8) -> Option<u32> {
        let begin = self.search.record.in_tree;
        let count = self.search.record.steps.len() - begin;
        let edges: usize = self.search.levels[..count].iter().map(|level| level.all.len()).sum();
        if !tree.take_room(count, edges, edges) {
            tree.set_full(true);
            return None;
        }
        let (mut first, mut above) = (None, None);
        for i in 0..count {
            let step = self.search.record.steps[begin + i];
            let all = &self.search.levels[i].all;
            let place = all.iter().position(|s| *s == step).expect("a semimove that was listed");
            let node = SharedNode::new(usize::from(player), false, all.chunks_exact(1));
            let Some(number) = tree.add(node) else {
                tree.set_full(true);
                break;
            };
            if let Some((node, edge)) = above {
                let above: &SharedNode = tree.node(node);
                above.edges[edge as usize].link.publish(number);
            }
            let node = tree.node(number);
            let e = self.try_edge(node, number, place as u32);
            if i + 1 < count {
                node.edges[e as usize].link.lead_halfway();
            }
            first = first.or(Some(number));
            above = Some((number, e));
            self.search.record.in_tree = begin + i + 1;
        }
        first
    }
}
