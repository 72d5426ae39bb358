//! The tree of one thread, as an iteration grows it: selection by UCT, with AMAF if RAVE is used, and expansion. The
//! way back is in `backpropagation.rs`.

use regulus_game::{Engine, Step};

use crate::action::{NODAL, context_behind};
use crate::config::Untried;
use crate::episode::Episode;
use crate::iteration::{At, Child, Growth, Reached};
use crate::observer::{Next, Observer};
use crate::rave::RaveState;
use crate::select::{Uct, beta};
use crate::simulator::Simulator;
use crate::tree::{HALFWAY, Node, Tree};

/// A tree and what takes part in its iterations.
pub(crate) struct OwnTree<'t, O> {
    pub(crate) tree: &'t mut Tree,
    pub(crate) rave: &'t mut Option<RaveState>,
    pub(crate) observer: &'t mut O,
}

impl<E: Engine, O: Observer<E>> Growth<E> for OwnTree<'_, O> {
    #[inline]
    fn begin(&mut self, sim: &mut Simulator<E>) -> Result<At, E::Error> {
        self.observer.prepare(sim)?;
        sim.episode.begin(&sim.position, usize::from(self.tree.nodes[0].player));
        self.observer.begin(sim)?;
        Ok(At { node: 0, visits: self.tree.root_visits, context: NODAL })
    }

    #[inline]
    fn select(&mut self, sim: &mut Simulator<E>, at: &mut At) -> Result<Next, E::Error> {
        if !self.observer.enter(sim, self.tree, at) {
            return Ok(Next::Leave);
        }
        let n = self.tree.nodes[at.node as usize];
        if n.count == 0 {
            sim.episode.ended = n.nodal;
            return Ok(Next::Terminal);
        }
        let can_expand = n.tried < n.count && !self.tree.full;
        if n.tried == 0 && !can_expand {
            return Ok(Next::Leave);
        }
        if let Some(next) = self.observer.choose(sim, self.tree, self.rave, *at, can_expand) {
            return Ok(next);
        }
        Ok(if can_expand { Next::Expand } else { Next::Follow(self.best(sim, n, *at)) })
    }

    #[inline]
    fn choose_untried(&mut self, sim: &mut Simulator<E>, at: At) -> u32 {
        let n = self.tree.nodes[at.node as usize];
        if let Some(edge) = self.observer.choose_untried(sim, self.tree, n) {
            return edge;
        }
        let untried = n.first + n.tried;
        let labels = &self.tree.labels[untried as usize..(n.first + n.count) as usize];
        untried + sim.choose_untried(n.player, at.context, labels, &self.tree.steps) as u32
    }

    fn semimove(&mut self, sim: &mut Simulator<E>, at: At, untried: u32) -> Step {
        let n = self.tree.nodes[at.node as usize];
        self.observer.try_semimove(sim, self.tree, n, untried);
        self.tree.submove(untried)[0]
    }

    fn remove_untried(&mut self, sim: &mut Simulator<E>, at: At, untried: u32) {
        self.tree.remove_untried(at.node, untried);
        self.observer.remove(sim, self.tree, at);
    }

    #[inline]
    fn try_move(&mut self, sim: &mut Simulator<E>, at: At, untried: u32) {
        let edge = self.tree.try_edge(at.node, untried);
        sim.episode.pass(at.node, edge, at.visits, sim.episode.record.steps.len());
        sim.follow(self.tree.submove(edge), at.context);
    }

    fn try_semimove(&mut self, sim: &mut Simulator<E>, at: At, untried: u32, steps: usize) {
        let edge = self.tree.try_edge(at.node, untried);
        sim.episode.pass(at.node, edge, at.visits, steps);
        sim.episode.record.in_tree = steps + 1;
        if sim.episode.record.steps.len() > steps + 1 {
            self.tree.edges[edge as usize].child = HALFWAY;
            if sim.config.tree.is_nodal() {
                self.add_completion(sim, edge, at);
            }
        }
    }

    #[inline]
    fn reach_new(
        &mut self,
        sim: &mut Simulator<E>,
        at: At,
        goes_on: bool,
    ) -> Result<Reached, E::Error> {
        self.observer.reach_new(sim, self.tree, at.node, goes_on)
    }

    #[inline]
    fn pass(&mut self, sim: &mut Simulator<E>, at: At, edge: u32) -> bool {
        sim.episode.pass(at.node, edge, at.visits, sim.episode.record.steps.len());
        let n = self.tree.nodes[at.node as usize];
        self.observer.pass(sim, self.tree, n, edge)
    }

    #[inline]
    fn follow(&mut self, sim: &mut Simulator<E>, at: At, edge: u32) -> (u64, u32) {
        let context = sim.follow(self.tree.submove(edge), at.context);
        (context, self.tree.edges[edge as usize].visits)
    }

    #[inline]
    fn reach(&mut self, sim: &mut Simulator<E>, goes_on: bool) -> Result<Reached, E::Error> {
        self.observer.reach(sim, self.tree, goes_on)
    }

    #[inline]
    fn child(
        &mut self,
        sim: &mut Simulator<E>,
        _: At,
        edge: u32,
        context: u64,
    ) -> Result<Child, E::Error> {
        let child = self.tree.edges[edge as usize].child;
        if child < HALFWAY {
            return Ok(Child::Node(child));
        }
        if context == NODAL && self.observer.settle(sim, self.tree)? {
            return Ok(Child::Proven);
        }
        let Some(listed) = self.list_node(sim, context, false)? else { return Ok(Child::Outside) };
        self.tree.edges[edge as usize].child = listed;
        Ok(Child::Node(listed))
    }

    fn take_proven_points(&mut self, sim: &mut Simulator<E>) {
        let Episode { path, points, .. } = &mut sim.episode;
        let Some(last) = path.last() else { return };
        points.clear();
        points.push(0.0);
        points.extend(self.tree.bounds_of(last.edge).iter().map(|bound| f64::from(bound.low)));
    }

    #[inline]
    fn back_up(&mut self, sim: &mut Simulator<E>, whole: bool) {
        self.backpropagate(sim, whole);
    }
}

impl<O> OwnTree<'_, O> {
    /// UCT, with AMAF if RAVE is used.
    #[inline]
    fn best<E: Engine>(&mut self, sim: &mut Simulator<E>, n: Node, at: At) -> u32 {
        let range = n.first as usize..(n.first + n.tried) as usize;
        let edges = &self.tree.edges[range.clone()];
        let scale = sim.scales[usize::from(n.player)];
        let uct = Uct::new(sim.config.exploration, at.visits, scale);
        let Some(rave) = self.rave else {
            return n.first + uct.best(edges, &mut sim.random) as u32;
        };
        let beta = beta(rave.settings.equivalence, at.visits);
        let best = if rave.is_simple() {
            uct.best_with_own_amaf(edges, &self.tree.amaf[range], beta, &mut sim.random)
        } else {
            rave.fill_means(self.tree, &sim.episode.path, (at.node, n), at.visits, scale);
            uct.best_with_amaf(edges, |i| rave.means[i], beta, &mut sim.random)
        };
        n.first + best as u32
    }

    /// How many bytes there are besides those of the tree.
    pub(crate) fn reserved<E: Engine>(&self, sim: &Simulator<E>) -> usize
    where
        O: Observer<E>,
    {
        sim.statistic_bytes() + self.observer.bytes()
    }

    /// Makes a node of the current state; `None` if memory is full. The root is made in any case.
    pub(crate) fn list_node<E: Engine>(
        &mut self,
        sim: &mut Simulator<E>,
        context: u64,
        root: bool,
    ) -> Result<Option<u32>, E::Error>
    where
        O: Observer<E>,
    {
        let reserved = self.reserved(sim);
        sim.list_node(self.tree, reserved, context, root)
    }

    /// Algorithm 3, lines 8-12: nodes for the intermediate states of the move that was just completed, behind its
    /// first edge.
    fn add_completion<E: Engine>(&mut self, sim: &mut Simulator<E>, mut edge: u32, at: At)
    where
        O: Observer<E>,
    {
        let player = usize::from(self.tree.nodes[at.node as usize].player);
        let begin = sim.episode.record.in_tree;
        let count = sim.episode.record.steps.len() - begin;
        let edges: usize = sim.episode.levels[..count].iter().map(|level| level.all.len()).sum();
        if !self.tree.has_room(edges + count, edges, self.reserved(sim)) {
            sim.set_full(self.tree);
            return;
        }
        let mut context = context_behind(at.context, sim.episode.record.steps[begin - 1]);
        for i in 0..count {
            let step = sim.episode.record.steps[begin + i];
            let all = &sim.episode.levels[i].all;
            let place = all.iter().position(|s| *s == step).expect("a semimove that was listed");
            let node = self.tree.add_node(player, false, context, all.chunks_exact(1));
            self.tree.edges[edge as usize].child = node;
            let first = self.tree.nodes[node as usize].first;
            edge = self.tree.try_edge(node, first + place as u32);
            sim.episode.pass(node, edge, 0, begin + i);
            context = context_behind(context, step);
        }
        sim.episode.record.in_tree = sim.episode.record.steps.len();
    }
}

impl<E: Engine> Simulator<E> {
    /// Makes a node of the current state, in a tree beside which some bytes are taken; `None` if memory is full. The root
    /// is made in any case.
    pub(crate) fn list_node(
        &mut self,
        tree: &mut Tree,
        reserved: usize,
        context: u64,
        root: bool,
    ) -> Result<Option<u32>, E::Error> {
        if tree.full || (!root && !tree.has_room(0, 0, reserved)) {
            self.set_full(tree);
            return Ok(None);
        }
        let nodal = self.engine.is_nodal(&self.episode.state);
        let position = (self.config.transpositions && nodal)
            .then(|| self.engine.position_key(&self.episode.state));
        if let Some(known) = position.and_then(|position| tree.known(position)) {
            return Ok(Some(known));
        }
        let player = self.engine.player(&self.episode.state);
        self.list_submoves()?;
        let Episode { moves, steps, .. } = &self.episode;
        let orthodox = self.config.tree.is_orthodox();
        let (edges, length) = match orthodox {
            true => (moves.len(), moves.iter().map(<[Step]>::len).sum()),
            false => (steps.len(), steps.len()),
        };
        if !root && !tree.has_room(edges, length, reserved) {
            self.set_full(tree);
            return Ok(None);
        }
        let node = match orthodox {
            true => tree.add_node(player, true, context, moves.iter()),
            false => tree.add_node(player, nodal, context, steps.chunks_exact(1)),
        };
        if let Some(position) = position {
            tree.remember(position, node);
            // PPA Algorithm 7: the simulation with which the position was entered counts.
            tree.visits[node as usize] = u32::from(self.config.untried == Untried::Listed);
        }
        Ok(Some(node))
    }

    fn set_full(&mut self, tree: &mut Tree) {
        tree.full = true;
        self.freeze();
    }
}
