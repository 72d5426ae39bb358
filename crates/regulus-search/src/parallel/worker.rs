//! One thread at work on a shared tree: the iteration of `iteration.rs`, with a path whose edges others change, too.
//!
//! A worker is a whole [`Search`] whose own tree stays empty. It brings engine, random numbers, simulations and MAST;
//! what is here is the way through the tree, expansion (THESIS Algorithms 2 and 3) and the way back. The way begins
//! in nodes of which the worker has a view (`views.rs`) and goes on in those that are only in the tree.

use std::sync::atomic::Ordering;

use regulus_game::{Engine, Step};

use super::cells::Behind;
use super::shared_tree::{Kind, SharedNode, SharedTree};
use super::supply::Supply;
use super::views::Views;
use crate::action::{NODAL, context_behind};
use crate::iteration::choose;
use crate::report::Totals;
use crate::search::Search;
use crate::select::Uct;
use crate::statistic::Candidates;
use crate::tree::{HALFWAY, NONE};

pub(super) struct Worker<E: Engine> {
    pub(super) search: Search<E>,
    /// The way of the iteration.
    path: Vec<Passed>,
    /// The iteration was counted at the root of the tree when it began.
    begun: bool,
    views: Views,
    supply: Supply,
    /// Labels and steps of untried edges, for MAST.
    labels: Vec<(u32, u32)>,
    steps: Vec<Step>,
    /// Totals when the turn began.
    pub(super) before: Totals,
    /// Edges that this worker has tried since the tree got its root.
    pub(super) tried: u64,
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

/// What came of trying an edge.
enum Expanded {
    /// It is dead, and gone.
    Dead,
    /// The iteration has come to its end.
    Simulated,
}

impl<E: Engine> Worker<E> {
    /// One of so many threads.
    pub(super) fn new(search: Search<E>, threads: usize) -> Self {
        Worker {
            search,
            path: Vec::new(),
            begun: false,
            views: Views::new(threads),
            supply: Supply::new(),
            labels: Vec::new(),
            steps: Vec::new(),
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

    /// The tree is another one now.
    pub(super) fn forget_tree(&mut self) {
        self.views.forget();
        self.supply = Supply::new();
        self.tried = 0;
    }

    /// All that this worker has done is known to the tree.
    pub(super) fn close(&mut self, tree: &SharedTree) {
        self.views.close(tree);
    }

    /// Makes the root of an empty tree; false if there are no moves.
    pub(super) fn prepare_root(&mut self, tree: &SharedTree) -> Result<bool, E::Error> {
        if !self.search.alive {
            return Ok(false);
        }
        if tree.is_empty() {
            self.search.state.clone_from(&self.search.position);
            self.search.list_submoves()?;
            Self::add_listed(&self.search, tree, &mut Supply::in_any_case());
        }
        Ok(tree.node(0).extent.get().1 > 0)
    }

    /// MCTSITERATION on a tree whose root is there.
    pub(super) fn iterate(&mut self, tree: &SharedTree) -> Result<(), E::Error> {
        self.search.state.clone_from(&self.search.position);
        self.search.record.clear();
        self.path.clear();
        let (mut number, mut context, mut depth) = (0, NODAL, 0);
        let (mut view, mut visits) = match self.views.root() {
            Some((view, visits)) => (Some(view), visits),
            None => (None, tree.root.0.begin().all()),
        };
        self.begun = view.is_none();
        self.search.record.begin(usize::from(tree.node(0).player));
        loop {
            let node = tree.node(number);
            if view.is_none() {
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
                if (tried == count || tree.is_full()) && self.views.is_hot(visits) {
                    view = self.look(tree, number, tried);
                }
            }
            let scale = self.search.scales[usize::from(node.player)];
            let uct = Uct::new(self.search.config.exploration, visits, scale);
            let (e, mut below);
            if let Some(view) = view {
                let edges = self.views.edges(view);
                e = uct.best(edges, &mut self.search.random) as u32;
                (visits, below) = (edges[e as usize].visits, edges[e as usize].child);
            } else {
                let edges = &node.edges()[..node.extent.get().0 as usize];
                let known = |i: usize| {
                    let (sum, counts) = edges[i].tally.known();
                    (sum as f64, counts.visits, counts.all())
                };
                e = uct.best_of_shared(edges.len(), known, &mut self.search.random) as u32;
                visits = edges[e as usize].tally.counter.begin().all();
                below = NONE;
            }
            self.path.push(Passed { node: number, edge: e, view });
            context = self.follow(node, e, context);
            if self.search.engine.is_nodal(&self.search.state) {
                depth += 1;
                context = NODAL;
                if !self.search.arrive()? {
                    break;
                }
            }
            if below >= HALFWAY {
                let link = &node.edges()[e as usize].link;
                below = match link.behind() {
                    Behind::Node(below) => below,
                    Behind::Nothing { halfway } if link.begin(halfway) => {
                        let Some(below) = self.list_node(tree)? else {
                            link.give_up(halfway);
                            self.search.finish_outside(context)?;
                            break;
                        };
                        link.publish(below);
                        below
                    }
                    // Somebody is making the node.
                    _ => {
                        self.search.finish_outside(context)?;
                        break;
                    }
                };
                if let Some(view) = view {
                    self.views.learn(view, e, below);
                }
            }
            number = below;
            view = view.and_then(|view| self.views.below(view, e));
        }
        self.search.totals.depth_sum += depth;
        self.search.totals.max_depth = self.search.totals.max_depth.max(depth);
        self.back_up(tree);
        Ok(())
    }

    /// Scores up the path, and samples for MAST.
    fn back_up(&mut self, tree: &SharedTree) {
        self.search.backpropagate();
        for passed in &self.path {
            if let Some(view) = passed.view {
                self.views.end(tree, (view, passed.edge), &self.search.points);
                continue;
            }
            let node = tree.node(passed.node);
            let points = self.search.points[usize::from(node.player)];
            node.edges()[passed.edge as usize].tally.end(points as u64);
        }
        self.views.end_root(!self.begun);
        if self.begun {
            tree.root.0.end();
        }
        let bytes = self.search.statistic_bytes();
        if bytes != self.statistics {
            // The number may wrap around below zero on its way, as long as the sum is right.
            let more = bytes.wrapping_sub(self.statistics);
            tree.statistics.0.fetch_add(more, Ordering::Relaxed);
            self.statistics = bytes;
        }
        // While a table grows, its old and new memory are taken.
        if let Some(mast) = &mut self.search.mast
            && (tree.is_full() || tree.bytes() + 2 * bytes > self.search.config.memory)
        {
            mast.statistic.freeze(true);
        }
    }

    /// A view of the node where the iteration is, if it came there by views only.
    fn look(&mut self, tree: &SharedTree, number: u32, tried: u32) -> Option<u32> {
        let above = match self.path.last() {
            Some(passed) => Some((passed.view?, passed.edge)),
            None => None,
        };
        self.views.look(tree, number, tried, above)
    }

    /// Applies the submove of an edge; gives the context behind it.
    fn follow(&mut self, node: &SharedNode, edge: u32, context: u64) -> u64 {
        let search = &mut self.search;
        let begin = search.record.steps.len();
        search.record.steps.extend(node.submove(edge));
        search.record.in_tree = search.record.steps.len();
        let submove = &search.record.steps[begin..];
        search.engine.apply(&mut search.state, submove);
        search.totals.states += 1;
        submove.iter().fold(context, |key, step| context_behind(key, *step))
    }

    /// Adds a node of what was listed last.
    fn add_listed(search: &Search<E>, tree: &SharedTree, supply: &mut Supply) -> Option<u32> {
        let player = search.engine.player(&search.state);
        if search.config.tree.is_orthodox() {
            return tree.add(supply, Kind { player, nodal: true }, search.moves.iter());
        }
        let nodal = search.engine.is_nodal(&search.state);
        tree.add(supply, Kind { player, nodal }, search.steps.chunks_exact(1))
    }

    /// Makes a node of the current state; `None` if memory is full.
    fn list_node(&mut self, tree: &SharedTree) -> Result<Option<u32>, E::Error> {
        if tree.is_full() {
            return Ok(None);
        }
        self.search.list_submoves()?;
        let number = Self::add_listed(&self.search, tree, &mut self.supply);
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
        self.steps.clear();
        for untried in tried..count {
            let begin = self.steps.len();
            self.steps.extend(node.submove(untried));
            self.labels.push((begin as u32, (self.steps.len() - begin) as u32));
        }
        let candidates = Candidates::Submoves(&self.labels, &self.steps);
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
            self.follow(node, e, context);
            return self.end_expansion();
        }
        let step = node.submove(untried).next().expect("a semimove is a step");
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
        let edge = &node.edges()[e as usize];
        edge.tally.counter.begin();
        self.path.push(Passed { node: number, edge: e, view: None });
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
        node.edges()[e as usize].tally.counter.begin();
        node.extent.grow();
        self.path.push(Passed { node: number, edge: e, view: None });
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
        let (mut first, mut above) = (None, None);
        for i in 0..count {
            let step = self.search.record.steps[begin + i];
            let all = &self.search.levels[i].all;
            let place = all.iter().position(|s| *s == step).expect("a semimove that was listed");
            let kind = Kind { player: usize::from(player), nodal: false };
            let Some(number) = tree.add(&mut self.supply, kind, all.chunks_exact(1)) else {
                tree.set_full(true);
                break;
            };
            if let Some((node, edge)) = above {
                let above: &SharedNode = tree.node(node);
                above.edges()[edge as usize].link.publish(number);
            }
            let node = tree.node(number);
            let e = self.try_edge(node, number, place as u32);
            if i + 1 < count {
                node.edges()[e as usize].link.lead_halfway();
            }
            first = first.or(Some(number));
            above = Some((number, e));
            self.search.record.in_tree = begin + i + 1;
        }
        first
    }
}
