//! One iteration: selection, expansion, simulation (THESIS Algorithms 2 and 3).

use regulus_game::{Engine, Step};

use crate::action::{NODAL, context_behind};
use crate::config::Variant;
use crate::learning::Learner;
use crate::root_allocation::RootAllocation;
use crate::search::{Passed, Search};
use crate::select::{Uct, amaf_mean, beta};
use crate::statistic::Candidates;
use crate::tree::{HALFWAY, Node};
use crate::tree_policy::Found;

impl<E: Engine> Search<E> {
    /// MCTSITERATION. The root must be listed and have moves. An iteration that cannot go on ends where it is: what it
    /// has added to the tree has a result.
    pub(crate) fn iterate(&mut self) -> Result<(), E::Error> {
        self.path.clear();
        let outcome =
            if self.plain { self.iterate_with::<false>() } else { self.iterate_with::<true>() };
        if outcome.is_err() {
            self.ended = false;
            self.take_points();
            self.back_up::<true>(false);
        }
        outcome
    }

    /// An iteration of a search that has parts of the catalogue or has none: a plain one does not pay for asking.
    fn iterate_with<const PARTS: bool>(&mut self) -> Result<(), E::Error> {
        if PARTS {
            self.search_proof()?;
        }
        self.state.clone_from(&self.position);
        self.record.clear();
        self.ended = false;
        let (mut node, mut visits, mut context) = (0, self.root_visits, NODAL);
        self.record.begin(usize::from(self.tree.nodes[0].player));
        if PARTS {
            self.begin_parts()?;
        }
        let mut depth = 0;
        let shares = PARTS && self.config.transpositions;
        let stamp = self.totals.iterations + 1;
        loop {
            if shares {
                // The way has come back to where it was: whatever is known there, it would never end.
                if self.tree.stamps[node as usize] == stamp {
                    self.finish_outside(context)?;
                    break;
                }
                self.tree.stamps[node as usize] = stamp;
                visits = self.tree.visits[node as usize].max(1);
            }
            let n = self.tree.nodes[node as usize];
            if n.count == 0 {
                // Terminal: no moves, or all semimoves turned out dead.
                self.ended = n.nodal;
                break;
            }
            let can_expand = n.tried < n.count && !self.full;
            if n.tried == 0 && !can_expand {
                self.finish_outside(context)?;
                break;
            }
            let allocated = if PARTS && self.path.is_empty() { self.allocated() } else { None };
            let found = if let Some(found) = allocated {
                found
            } else if PARTS
                && let Some(edge) =
                    self.towards_proof(n).filter(|e| can_expand || *e < n.first + n.tried)
            {
                if edge < n.first + n.tried { Found::Follow(edge) } else { Found::Expand }
            } else if PARTS && self.tree_policy.is_some() {
                self.select_by_parts(node, n, visits, context)
            } else if can_expand {
                Found::Expand
            } else {
                Found::Follow(self.select(node, n, visits))
            };
            let Found::Follow(edge) = found else {
                match self.expand::<PARTS>(node, visits, context)? {
                    Expanded::Dead => {
                        if PARTS
                            && let Some(allocation) = self.allocation.as_mut().filter(|_| node == 0)
                        {
                            allocation.remove_current();
                        }
                        if PARTS && self.config.tree_policy.solver {
                            self.narrow_without_dead();
                        }
                        if shares {
                            self.tree.stamps[node as usize] = 0;
                        }
                        continue;
                    }
                    Expanded::Simulated => {
                        depth += 1;
                        break;
                    }
                    Expanded::Proven => {
                        let last = self.path.last().map(|passed| passed.edge);
                        return last.map_or(Ok(()), |edge| self.end_proven(edge));
                    }
                    Expanded::Known(below) => {
                        depth += 1;
                        context = NODAL;
                        node = below;
                        self.learn_node()?;
                        continue;
                    }
                }
            };
            let passed = Passed { node, edge, visits, steps: self.record.steps.len() as u32 };
            self.path.push(passed);
            if PARTS && self.config.tree_policy.solver {
                if shares {
                    self.refresh_bounds(edge);
                }
                if self.is_proven(edge) {
                    return self.end_proven(edge);
                }
            }
            if PARTS {
                self.learn_edge(n, edge);
            }
            let below = self.tree.edges[edge as usize];
            visits = below.visits;
            context = self.follow(edge, context);
            if self.engine.is_nodal(&self.state) {
                depth += 1;
                context = NODAL;
                let goes_on = self.arrive()?;
                if PARTS {
                    self.note_position(edge);
                }
                if !goes_on {
                    self.ended = true;
                    break;
                }
                if PARTS {
                    if self.take_proof() {
                        return self.end_proven(edge);
                    }
                    self.learn_node()?;
                }
            }
            node = below.child;
            if node >= HALFWAY {
                if PARTS && context == NODAL && self.try_endgame(edge)? {
                    return self.end_proven(edge);
                }
                let Some(listed) = self.list_node(context, false)? else {
                    self.finish_outside(context)?;
                    break;
                };
                self.tree.edges[edge as usize].child = listed;
                node = listed;
            }
        }
        self.totals.depth_sum += depth;
        self.totals.max_depth = self.totals.max_depth.max(depth);
        self.take_points();
        self.back_up::<PARTS>(true);
        Ok(())
    }

    /// Tells the parts that an iteration begins.
    fn begin_parts(&mut self) -> Result<(), E::Error> {
        if let Some(policy) = &mut self.tree_policy {
            policy.begin(|| self.engine.position_key(&self.position));
        }
        self.learn_root()
    }

    /// Applies the submove of an edge; gives the context behind it.
    fn follow(&mut self, edge: u32, context: u64) -> u64 {
        let submove = self.tree.submove(edge);
        self.engine.apply(&mut self.state, submove);
        self.record.steps.extend_from_slice(submove);
        self.record.in_tree = self.record.steps.len();
        self.totals.states += 1;
        submove.iter().fold(context, |key, step| context_behind(key, *step))
    }

    /// A nodal state is reached: the keeper moves, and the next player begins. False if the game is
    /// over.
    pub(crate) fn arrive(&mut self) -> Result<bool, E::Error> {
        self.totals.nodal_states += 1;
        if !self.engine.keeper(&mut self.state)? {
            return Ok(false);
        }
        self.record.begin(self.engine.player(&self.state));
        Ok(true)
    }

    /// Scores behind the last edge are proven: they end the iteration as a simulation would. Inside a move no nodal
    /// state was passed; it counts as one, so that limits are reached.
    fn end_proven(&mut self, edge: u32) -> Result<(), E::Error> {
        self.totals.nodal_states += 1;
        self.points.clear();
        self.points.push(0.0);
        let bounds = self.tree.bounds_of(edge);
        self.points.extend(bounds.iter().map(|bound| f64::from(bound.low)));
        self.back_up::<true>(false);
        Ok(())
    }

    /// UCT, with AMAF if RAVE is used.
    fn select(&mut self, node: u32, n: Node, visits: u32) -> u32 {
        let range = n.first as usize..(n.first + n.tried) as usize;
        let edges = &self.tree.edges[range.clone()];
        let scale = self.scales[usize::from(n.player)];
        let uct = Uct::new(self.config.exploration, visits, scale);
        let Some(rave) = &self.rave else {
            return n.first + uct.best(edges, &mut self.random) as u32;
        };
        let settings = rave.settings;
        let beta = beta(settings.equivalence, visits);
        let mixes = matches!(rave.variant, Variant::Mix { threshold } if threshold > 0);
        if !mixes && settings.reference == 0 {
            let amaf = &self.tree.amaf[range];
            return n.first + uct.best_with_own_amaf(edges, amaf, beta, &mut self.random) as u32;
        }
        self.fill_amaf(node, n, visits);
        let Some(rave) = &self.rave else { return n.first };
        let edges = &self.tree.edges[range];
        n.first + uct.best_with_amaf(edges, |i| rave.means[i], beta, &mut self.random) as u32
    }

    /// AMAF means of the tried edges of a node.
    pub(crate) fn fill_amaf(&mut self, node: u32, n: Node, visits: u32) {
        let Some(rave) = &mut self.rave else { return };
        let range = n.first as usize..(n.first + n.tried) as usize;
        let scale = self.scales[usize::from(n.player)];
        let settings = rave.settings;
        let threshold = match rave.variant {
            Variant::Mix { threshold } => threshold,
            _ => 0,
        };
        let tree = &self.tree;
        let mean = |edge: usize| {
            if threshold > 0 && tree.amaf[edge].count < threshold {
                return amaf_mean(&tree.amaf_split[edge], scale);
            }
            amaf_mean(&tree.amaf[edge], scale)
        };
        rave.means.clear();
        let borrows = visits <= settings.reference && self.root_visits > settings.reference;
        if !borrows || node == 0 {
            rave.means.extend(range.map(mean));
            return;
        }
        // TGRAVE: AMAF from the nearest ancestor with enough iterations that has the same action of the
        // same player.
        let mut missing = range.len();
        rave.means.resize(missing, None);
        let ancestors = self.path.iter().rev().filter(|passed| passed.visits > settings.reference);
        for passed in ancestors {
            let ancestor = tree.nodes[passed.node as usize];
            if ancestor.player != n.player || missing == 0 {
                continue;
            }
            for e in ancestor.first as usize..(ancestor.first + ancestor.count) as usize {
                let action = tree.amaf[e].action;
                for (i, found) in rave.means.iter_mut().enumerate() {
                    if found.is_none() && tree.amaf[range.start + i].action == action {
                        *found = mean(e);
                        missing -= usize::from(found.is_some());
                    }
                }
            }
        }
        for (i, found) in rave.means.iter_mut().enumerate() {
            *found = found.or_else(|| mean(range.start + i));
        }
    }

    /// Makes a node of the current state; `None` if memory is full. The root is made in any case.
    pub(crate) fn list_node(&mut self, context: u64, root: bool) -> Result<Option<u32>, E::Error> {
        let reserved = self.statistic_bytes();
        if self.full || (!root && !self.tree.has_room(0, 0, reserved)) {
            self.set_full();
            return Ok(None);
        }
        let position = (self.config.transpositions && self.engine.is_nodal(&self.state))
            .then(|| self.engine.position_key(&self.state));
        if let Some(known) = position.and_then(|position| self.tree.known(position)) {
            return Ok(Some(known));
        }
        let listed = self.list_new_node(context, root, reserved)?;
        if let (Some(position), Some(node)) = (position, listed) {
            self.tree.remember(position, node);
        }
        Ok(listed)
    }

    fn list_new_node(
        &mut self,
        context: u64,
        root: bool,
        reserved: usize,
    ) -> Result<Option<u32>, E::Error> {
        let player = self.engine.player(&self.state);
        self.list_submoves()?;
        if self.config.tree.is_orthodox() {
            let steps = self.moves.iter().map(<[Step]>::len).sum();
            if !root && !self.tree.has_room(self.moves.len(), steps, reserved) {
                self.set_full();
                return Ok(None);
            }
            return Ok(Some(self.tree.add_node(player, true, context, self.moves.iter())));
        }
        let count = self.steps.len();
        if !root && !self.tree.has_room(count, count, reserved) {
            self.set_full();
            return Ok(None);
        }
        let nodal = self.engine.is_nodal(&self.state);
        Ok(Some(self.tree.add_node(player, nodal, context, self.steps.chunks_exact(1))))
    }

    /// Lists what the edges of a node for the current state are: moves into `moves`, or semimoves into `steps`.
    pub(crate) fn list_submoves(&mut self) -> Result<(), E::Error> {
        if self.config.tree.is_orthodox() {
            self.engine.list(&mut self.state, &mut self.moves)?;
        } else {
            self.engine.semimoves(&mut self.state, &mut self.steps)?;
        }
        self.keep_decisive()
    }

    pub(crate) fn set_full(&mut self) {
        self.full = true;
        if let Some(mast) = &mut self.mast {
            mast.statistic.freeze(true);
        }
        if let Some(learner) = &mut self.learner {
            learner.freeze(true);
        }
    }

    /// RANDOMELEMENT of the untried edges, or by MAST (CHOOSESEMIMOVEWITHMAST).
    fn choose_untried<const PARTS: bool>(&mut self, n: Node, context: u64) -> u32 {
        if PARTS && let Some(edge) = self.allocation.as_mut().and_then(RootAllocation::take_untried)
        {
            return edge;
        }
        if PARTS && let Some(edge) = self.towards_proof(n).filter(|e| *e >= n.first + n.tried) {
            return edge;
        }
        if PARTS && let Some(reply) = self.untried_reply(n) {
            return reply;
        }
        let range = (n.first + n.tried) as usize..(n.first + n.count) as usize;
        let labels = &self.tree.labels[range.clone()];
        let guide = self.mast.as_mut().filter(|mast| mast.settings.in_expansion);
        let candidates = Candidates::Submoves(labels, &self.tree.steps);
        let player = usize::from(n.player);
        let chosen = choose(player, context, candidates, guide, &mut self.scores, &mut self.random);
        (range.start + chosen) as u32
    }

    /// EXPAND or EXPANDNODAL, and the simulation. A semimove that is dead is removed.
    fn expand<const PARTS: bool>(
        &mut self,
        node: u32,
        visits: u32,
        context: u64,
    ) -> Result<Expanded, E::Error> {
        let n = self.tree.nodes[node as usize];
        let untried = self.choose_untried::<PARTS>(n, context);
        let steps = self.record.steps.len() as u32;
        if self.config.tree.is_orthodox() {
            let edge = self.tree.try_edge(node, untried);
            self.path.push(Passed { node, edge, visits, steps });
            self.follow(edge, context);
            return self.end_expansion::<PARTS>(edge, n);
        }
        let choices = self.learner.as_ref().map_or(0, Learner::choices);
        self.learn_edge(n, untried);
        let step = self.tree.submove(untried)[0];
        let Some(undo) = self.apply_semimove(step) else {
            self.take_back_choices(choices);
            self.tree.remove_untried(node, untried);
            return Ok(Expanded::Dead);
        };
        let intermediate = !self.engine.is_nodal(&self.state);
        let behind = context_behind(context, step);
        if intermediate && !self.complete_move(behind)? {
            self.engine.undo(&mut self.state, undo);
            self.record.steps.pop();
            self.take_back_choices(choices);
            self.tree.remove_untried(node, untried);
            return Ok(Expanded::Dead);
        }
        self.engine.keep(undo);
        let edge = self.tree.try_edge(node, untried);
        self.path.push(Passed { node, edge, visits, steps });
        self.record.in_tree = steps as usize + 1;
        if intermediate {
            self.tree.edges[edge as usize].child = HALFWAY;
            if self.config.tree.is_nodal() {
                self.add_completion(edge, n.player, behind);
            }
        }
        self.end_expansion::<PARTS>(edge, n)
    }

    /// A move is complete whose first new edge is given: the simulation, unless the position is known already.
    fn end_expansion<const PARTS: bool>(
        &mut self,
        edge: u32,
        n: Node,
    ) -> Result<Expanded, E::Error> {
        let goes_on = self.arrive()?;
        if PARTS && self.tree_policy.is_some() {
            self.note_first_try(edge, usize::from(n.player));
            if self.ends_path() {
                let last = self.path.last().map_or(edge, |passed| passed.edge);
                self.note_position(last);
            }
        }
        if !goes_on {
            self.ended = PARTS && self.ends_path();
            return Ok(Expanded::Simulated);
        }
        if PARTS && self.ends_path() && self.take_proof() {
            return Ok(Expanded::Proven);
        }
        if PARTS
            && self.config.transpositions
            && self.ends_path()
            && let Some(known) = self.tree.known(self.engine.position_key(&self.state))
            && let Some(passed) = self.path.last()
        {
            self.tree.edges[passed.edge as usize].child = known;
            return Ok(Expanded::Known(known));
        }
        self.simulate()?;
        Ok(Expanded::Simulated)
    }

    /// True if the last edge of the path leads to a nodal state.
    fn ends_path(&self) -> bool {
        self.record.in_tree == self.record.steps.len()
            && self.path.last().is_some_and(|passed| self.ends_move(passed.edge))
    }

    /// Algorithm 3, lines 8-12: nodes for the intermediate states of the move that was just completed.
    fn add_completion(&mut self, mut edge: u32, player: u8, mut context: u64) {
        let begin = self.record.in_tree;
        let count = self.record.steps.len() - begin;
        let edges: usize = self.levels[..count].iter().map(|level| level.all.len()).sum();
        if !self.tree.has_room(edges + count, edges, self.statistic_bytes()) {
            self.set_full();
            return;
        }
        for i in 0..count {
            let step = self.record.steps[begin + i];
            let all = &self.levels[i].all;
            let place = all.iter().position(|s| *s == step).expect("a semimove that was listed");
            let node = self.tree.add_node(usize::from(player), false, context, all.chunks_exact(1));
            self.tree.edges[edge as usize].child = node;
            let first = self.tree.nodes[node as usize].first;
            edge = self.tree.try_edge(node, first + place as u32);
            self.path.push(Passed { node, edge, visits: 0, steps: (begin + i) as u32 });
            context = context_behind(context, step);
        }
        self.record.in_tree = self.record.steps.len();
    }

    /// There is no room for the current state: the iteration goes on as a simulation.
    pub(crate) fn finish_outside(&mut self, context: u64) -> Result<(), E::Error> {
        if self.engine.is_nodal(&self.state) {
            return self.simulate();
        }
        if self.complete_move(context)? && self.arrive()? {
            self.simulate()?;
        }
        Ok(())
    }
}

/// What came of trying an edge.
enum Expanded {
    /// It is dead, and gone.
    Dead,
    /// The iteration has come to its end.
    Simulated,
    /// It leads to a position whose scores are known.
    Proven,
    /// It leads to a position that has a node.
    Known(u32),
}

/// One of the candidates: by MAST if it is given, else uniformly. A single candidate takes no random
/// number.
pub(crate) fn choose(
    player: usize,
    context: u64,
    candidates: Candidates<'_>,
    guide: Option<&mut crate::search::MastState>,
    scores: &mut Vec<f64>,
    random: &mut regulus_game::Random,
) -> usize {
    let count = candidates.len();
    if count == 1 {
        return 0;
    }
    if let Some(mast) = guide
        && !mast.choice.ignores_scores(random)
    {
        mast.statistic.scores(player, context, candidates, scores);
        return mast.choice.choose(scores, random);
    }
    random.below(count as u64) as usize
}
