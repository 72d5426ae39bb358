//! The catalogue at work: all that can take part in the iterations of a tree besides plain UCT, MAST and RAVE. At
//! every moment of an iteration the components are asked in a fixed order.

use regulus_game::{Engine, Step};
use rustc_hash::FxHashSet;

use crate::action::NODAL;
use crate::config::{Config, Untried};
use crate::endgame::Endgame;
use crate::iteration::{At, Reached};
use crate::observer::{Next, Observer};
use crate::outcomes::Outcomes;
use crate::proof::ProofNumbers;
use crate::proof_search::ProofSearch;
use crate::rave::RaveState;
use crate::root_allocation::RootAllocation;
use crate::select::Uct;
use crate::simulator::Simulator;
use crate::solver::Solver;
use crate::tree::{Node, Tree};
use crate::tree_policy::TreePolicyState;

pub(crate) struct Catalogue<E: Engine> {
    /// Selection with components, if there are any.
    policy: Option<TreePolicyState>,
    /// Halving at the root.
    pub(crate) allocation: Option<RootAllocation>,
    pub(crate) solver: Option<Solver>,
    proof_numbers: Option<ProofNumbers>,
    endgame: Option<Endgame<E>>,
    pub(crate) proof_search: Option<ProofSearch<E>>,
    /// A position has one node, whatever way leads to it.
    transpositions: bool,
    /// Untried moves are tried in the order of the list.
    listed: bool,
    /// Then, the positions in which simulations have begun in this turn, if they have one node each.
    entered: FxHashSet<u64>,
}

impl<E: Engine> Catalogue<E> {
    /// What a configuration asks for; nothing if that is nothing. Learning needs moments, too.
    pub(crate) fn new(engine: &E, config: &Config, learns: bool) -> Option<Self> {
        let settings = &config.tree_policy;
        let allocation = RootAllocation::new(config);
        let listed = config.untried == Untried::Listed;
        let is_plain = settings.is_plain() && allocation.is_none() && !learns && !listed;
        if is_plain && !config.transpositions {
            return None;
        }
        let outcomes = if settings.solver { Outcomes::of(engine) } else { Outcomes::default() };
        let (memory, players) = (config.memory, engine.players());
        let endgame = |states| Endgame::new(states, players, memory, outcomes.clone());
        let proof_search = |states| ProofSearch::new(states, memory, outcomes.clone());
        Some(Catalogue {
            policy: (!settings.is_plain())
                .then(|| TreePolicyState::new(*settings, config.exploration)),
            allocation,
            endgame: Some(settings.endgame).filter(|states| *states > 0).map(endgame),
            proof_search: Some(settings.proof_search)
                .filter(|states| *states > 0)
                .map(proof_search),
            proof_numbers: (settings.proof_bias > 0.0).then(ProofNumbers::default),
            solver: settings.solver.then(|| Solver::new(outcomes, settings.proof_search > 0)),
            transpositions: config.transpositions,
            listed,
            entered: FxHashSet::default(),
        })
    }

    /// A move of the game was played, and the tree is another one.
    pub(crate) fn next_turn(&mut self, tree: &Tree) {
        if let Some(solver) = &mut self.solver {
            solver.look_at_root(tree);
        }
        if let Some(policy) = &mut self.policy {
            policy.next_turn();
        }
        if let Some(proof_search) = &mut self.proof_search {
            proof_search.next_turn();
        }
        self.entered.clear();
    }

    /// The best move of the position, if it is proven.
    pub(crate) fn proven_move(&self) -> Option<&Vec<Step>> {
        self.proof_search.as_ref()?.proven_move.as_ref()
    }

    /// True if the last edge of the path has led to a nodal state whose scores are known by proof search.
    fn take_proof(&mut self, sim: &Simulator<E>, tree: &mut Tree) -> bool {
        let (Some(proof_search), Some(solver)) = (&self.proof_search, &mut self.solver) else {
            return false;
        };
        proof_search.take(sim, tree, solver)
    }

    /// The node of the position that was reached, if it has one or is to have one.
    fn known(&mut self, sim: &mut Simulator<E>, tree: &mut Tree) -> Result<Option<u32>, E::Error> {
        let position = sim.engine.position_key(&sim.episode.state);
        let known = tree.known(position);
        if known.is_some() || !self.listed || self.entered.insert(position) {
            return Ok(known);
        }
        // Another way has led here before, and gave it no node, since no iteration has gone on from here.
        let reserved = sim.statistic_bytes() + self.bytes();
        sim.list_node(tree, reserved, NODAL, false)
    }

    /// The edge towards the best move by proof search, if that is known and not in the tree yet.
    fn towards_proof(&self, sim: &Simulator<E>, tree: &Tree, n: Node) -> Option<u32> {
        self.proof_search.as_ref()?.towards(&sim.episode.record, tree, n)
    }
}

impl<E: Engine> Observer<E> for Catalogue<E> {
    fn prepare(&mut self, sim: &mut Simulator<E>) -> Result<(), E::Error> {
        self.proof_search.as_mut().map_or(Ok(()), |proof_search| proof_search.go_on(sim))
    }

    fn begin(&mut self, sim: &mut Simulator<E>) -> Result<(), E::Error> {
        if let Some(policy) = &mut self.policy {
            policy.begin(|| sim.engine.position_key(&sim.position));
        }
        sim.learn_root()
    }

    fn enter(&mut self, sim: &Simulator<E>, tree: &mut Tree, at: &mut At) -> bool {
        // The root is entered by a simulation (PPA Algorithm 7).
        if self.listed && tree.root_visits == 0 {
            return false;
        }
        if !self.transpositions {
            return true;
        }
        let (node, stamp) = (at.node as usize, sim.totals.iterations + 1);
        // The way has come back to where it was: whatever is known there, it would never end.
        if tree.stamps[node] == stamp {
            return false;
        }
        tree.stamps[node] = stamp;
        at.visits = tree.visits[node].max(1);
        true
    }

    fn choose(
        &mut self,
        sim: &mut Simulator<E>,
        tree: &mut Tree,
        rave: &mut Option<RaveState>,
        at: At,
        can_expand: bool,
    ) -> Option<Next> {
        let n = tree.nodes[at.node as usize];
        if sim.episode.path.is_empty()
            && let Some(allocation) = &mut self.allocation
            && let Some(next) = allocation.next(tree, &mut sim.random)
        {
            return Some(next);
        }
        let untried = n.first + n.tried;
        let proof = self.towards_proof(sim, tree, n).filter(|edge| can_expand || *edge < untried);
        if let Some(edge) = proof {
            return Some(if edge < untried { Next::Follow(edge) } else { Next::Expand });
        }
        if self.listed && !can_expand {
            let edges = &tree.edges[n.first as usize..untried as usize];
            let scale = sim.scales[usize::from(n.player)];
            let uct = Uct::new(sim.config.exploration, at.visits, scale);
            return Some(Next::Follow(n.first + uct.first_best(edges) as u32));
        }
        let policy = self.policy.as_mut()?;
        Some(policy.choose(sim, tree, (rave, self.proof_numbers.as_ref()), at))
    }

    fn choose_untried(&mut self, sim: &mut Simulator<E>, tree: &Tree, n: Node) -> Option<u32> {
        if let Some(edge) = self.allocation.as_mut().and_then(RootAllocation::take_untried) {
            return Some(edge);
        }
        if let Some(edge) =
            self.towards_proof(sim, tree, n).filter(|edge| *edge >= n.first + n.tried)
        {
            return Some(edge);
        }
        if self.listed {
            return Some(n.first + n.tried);
        }
        sim.untried_reply(tree, n)
    }

    fn try_semimove(&mut self, sim: &mut Simulator<E>, tree: &Tree, n: Node, edge: u32) {
        sim.learn_edge(tree, n, edge);
    }

    fn remove(&mut self, sim: &Simulator<E>, tree: &mut Tree, at: At) {
        if let Some(allocation) = self.allocation.as_mut().filter(|_| at.node == 0) {
            allocation.remove_current();
        }
        if let Some(solver) = &mut self.solver {
            solver.narrow_without_dead(tree, &sim.episode.path);
        }
        if self.transpositions {
            tree.stamps[at.node as usize] = 0;
        }
    }

    fn pass(&mut self, sim: &mut Simulator<E>, tree: &mut Tree, n: Node, edge: u32) -> bool {
        if let Some(solver) = &mut self.solver {
            if self.transpositions {
                solver.refresh_bounds(tree, &sim.episode.path, edge);
            }
            if tree.is_proven(edge) {
                return true;
            }
        }
        sim.learn_edge(tree, n, edge);
        false
    }

    fn reach(
        &mut self,
        sim: &mut Simulator<E>,
        tree: &mut Tree,
        goes_on: bool,
    ) -> Result<Reached, E::Error> {
        if let Some(policy) = &mut self.policy {
            policy.note_position(sim, tree);
            policy.note_late_score(sim, tree);
        }
        if !goes_on {
            sim.episode.ended = true;
            return Ok(Reached::End);
        }
        if self.take_proof(sim, tree) {
            return Ok(Reached::Proven);
        }
        sim.learn_node()?;
        Ok(Reached::Open)
    }

    fn reach_new(
        &mut self,
        sim: &mut Simulator<E>,
        tree: &mut Tree,
        node: u32,
        goes_on: bool,
    ) -> Result<Reached, E::Error> {
        let record = &sim.episode.record;
        let last = sim.episode.last_edge().filter(|edge| tree.ends_move(*edge));
        let last = last.filter(|_| record.in_tree == record.steps.len());
        if let Some(policy) = &mut self.policy {
            policy.note_first_try(sim, tree, node);
            policy.note_late_score(sim, tree);
            if last.is_some() {
                policy.note_position(sim, tree);
            }
        }
        if !goes_on {
            sim.episode.ended = last.is_some();
            return Ok(Reached::End);
        }
        // A move that ends outside of the tree ends in a position that nothing is kept about.
        let Some(last) = last else { return Ok(Reached::Open) };
        if self.take_proof(sim, tree) {
            return Ok(Reached::Proven);
        }
        if self.transpositions
            && let Some(known) = self.known(sim, tree)?
        {
            tree.edges[last as usize].child = known;
            sim.learn_node()?;
            return Ok(Reached::Known(known));
        }
        Ok(Reached::Open)
    }

    fn settle(&mut self, sim: &mut Simulator<E>, tree: &mut Tree) -> Result<bool, E::Error> {
        let (Some(endgame), Some(solver)) = (&mut self.endgame, &mut self.solver) else {
            return Ok(false);
        };
        endgame.settle(sim, tree, solver)
    }

    fn end(&mut self, sim: &mut Simulator<E>, tree: &mut Tree, whole: bool) {
        if sim.episode.ended
            && let Some(solver) = &mut self.solver
        {
            solver.prove(tree, &sim.episode.path, &sim.episode.points);
        }
        if whole {
            sim.update_learner(|| tree.bytes());
        }
    }

    fn note_result(&mut self, tree: &mut Tree, node: u32, edge: u32, points: f64) {
        tree.note_result(node, edge, points);
    }

    fn finish(&mut self, sim: &Simulator<E>, tree: &mut Tree) {
        if let Some(proof_numbers) = &mut self.proof_numbers {
            proof_numbers.count(tree, &sim.episode.path);
        }
    }

    fn bytes(&self) -> usize {
        let endgame = self.endgame.as_ref().map_or(0, Endgame::bytes);
        // A hash set has a byte beside every key.
        let entered = self.entered.capacity() * (size_of::<u64>() + 1);
        endgame + self.proof_search.as_ref().map_or(0, ProofSearch::bytes) + entered
    }
}
