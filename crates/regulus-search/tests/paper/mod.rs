//! The pseudocode of THESIS chapter 2, transcribed line by line with maps, copies of states and
//! recursion: slow, and the oracle for the optimised search. It takes random numbers in the same order:
//! a single candidate takes none; an untried action that is chosen gives its place to the first, a dead
//! one to the last; ties are broken by one number.

use std::collections::{HashMap, HashSet};

use regulus_game::{Engine, GroupedMove, MoveGroups, Moves, Random, Step};
use regulus_search::config::{Config, Decay, Mast, Policy, SimulationDesign, TreeDesign, Variant};
use regulus_search::numeric;

type Submove = Vec<Step>;

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Samples {
    pub sum: f64,
    pub weight: f64,
}

/// An edge from a node, tried or not.
#[derive(Clone, Debug)]
pub struct Edge {
    pub submove: Submove,
    pub node: Option<usize>,
    pub amaf: Samples,
    pub amaf_split: Samples,
}

pub struct Node<S> {
    state: S,
    alive: bool,
    pub nodal: bool,
    player: usize,
    parent: Option<usize>,
    /// The submove from the last nodal state, without split points.
    context: Submove,
    pub children: Vec<Edge>,
    /// `None` until the node is first left.
    pub untried: Option<Vec<Edge>>,
    pub iterations: u32,
    pub score_sum: f64,
}

pub struct Paper<E: Engine> {
    engine: E,
    config: Config,
    random: Random,
    pub nodes: Vec<Node<E::State>>,
    mast: HashMap<(usize, Submove), Samples>,
    mast_split: HashMap<(usize, Step), Samples>,
    simulations: u32,
}

/// A move of the iteration: who made it, its steps, how many of them in the tree.
struct Applied {
    player: usize,
    steps: Submove,
    in_tree: usize,
}

fn without_split_points(steps: &[Step]) -> Submove {
    steps.iter().copied().filter(|s| s.is_modifier()).collect()
}

/// A submove behind a context: only the last step may be a split point.
fn concatenate(context: &[Step], submove: &[Step]) -> Submove {
    let (last, before) = submove.split_last().expect("a submove has steps");
    let mut all = without_split_points(context);
    all.extend(without_split_points(before));
    all.push(*last);
    all
}

impl<E: Engine> Paper<E> {
    pub fn new(mut engine: E, config: Config) -> Self {
        let mut state = engine.initial();
        let alive = engine.keeper(&mut state).expect("keeper");
        let random = Random::new(config.seed);
        let mut paper = Paper {
            engine,
            config,
            random,
            nodes: Vec::new(),
            mast: HashMap::new(),
            mast_split: HashMap::new(),
            simulations: 0,
        };
        paper.create_node(state, alive, true, None, Vec::new());
        paper
    }

    fn create_node(
        &mut self,
        state: E::State,
        alive: bool,
        nodal: bool,
        parent: Option<usize>,
        context: Submove,
    ) -> usize {
        let player = self.engine.player(&state);
        self.nodes.push(Node {
            state,
            alive,
            nodal,
            player,
            parent,
            context,
            children: Vec::new(),
            untried: None,
            iterations: 0,
            score_sum: 0.0,
        });
        self.nodes.len() - 1
    }

    fn semisplit_tree(&self) -> bool {
        self.config.tree != TreeDesign::Orthodox
    }

    /// What the node's player can do, computed when it is first needed.
    fn list(&mut self, v: usize) {
        if self.nodes[v].untried.is_some() {
            return;
        }
        let mut state = self.nodes[v].state.clone();
        let mut submoves = Vec::new();
        if self.semisplit_tree() {
            let mut semimoves = Vec::new();
            self.engine.semimoves(&mut state, &mut semimoves).expect("semimoves");
            submoves.extend(semimoves.into_iter().map(|s| vec![s]));
        } else {
            let mut moves = Moves::new();
            self.engine.list(&mut state, &mut moves).expect("moves");
            submoves.extend(moves.iter().map(<[Step]>::to_vec));
        }
        let edge = |submove| Edge {
            submove,
            node: None,
            amaf: Samples::default(),
            amaf_split: Samples::default(),
        };
        self.nodes[v].untried = Some(submoves.into_iter().map(edge).collect());
    }

    fn untried(&self, v: usize) -> &[Edge] {
        self.nodes[v].untried.as_deref().expect("listed")
    }

    /// MCTSITERATION (Algorithm 2).
    pub fn iteration(&mut self) {
        let mut v = 0;
        let mut applied: Vec<Applied> = Vec::new();
        loop {
            if !self.nodes[v].alive {
                break;
            }
            self.list(v);
            if self.untried(v).is_empty() && self.nodes[v].children.is_empty() {
                break;
            }
            if self.nodes[v].nodal {
                let player = self.nodes[v].player;
                applied.push(Applied { player, steps: Vec::new(), in_tree: 0 });
            }
            if self.untried(v).is_empty() {
                let i = self.uct(v);
                let submove = self.nodes[v].children[i].submove.clone();
                let current = applied.last_mut().expect("a move was begun");
                current.steps.extend(submove);
                current.in_tree = current.steps.len();
                v = self.nodes[v].children[i].node.expect("tried");
                continue;
            }
            let a = self.choose_untried(v);
            let expanded = self.expand(v, a, &mut applied);
            if let Some((leaf, scores)) = expanded {
                self.backpropagation(leaf, &scores, &applied);
                return;
            }
            // Dead: the move that was begun here is begun again.
            if self.nodes[v].nodal {
                applied.pop();
            }
        }
        let scores = self.scores(&self.nodes[v].state);
        self.backpropagation(v, &scores, &applied);
    }

    fn scores(&self, state: &E::State) -> Vec<u32> {
        let players = 1..=self.engine.players();
        std::iter::once(0).chain(players.map(|p| self.engine.score(state, p))).collect()
    }

    /// EXPAND (Algorithm 2) or EXPANDNODAL (Algorithm 3) of the `a`-th untried action; orthodox
    /// expansion.
    fn expand(
        &mut self,
        v: usize,
        a: usize,
        applied: &mut Vec<Applied>,
    ) -> Option<(usize, Vec<u32>)> {
        let submove = self.untried(v)[a].submove.clone();
        let mut state = self.nodes[v].state.clone();
        let semisplit = self.semisplit_tree();
        let before = applied.last().map_or(0, |m| m.steps.len());
        let mut way = submove.clone();
        if semisplit {
            let undo = self.engine.apply_step(&mut state, submove[0]);
            let mut rest = None;
            if let Some(undo) = undo {
                self.engine.keep(undo);
                if self.engine.is_nodal(&state) {
                    rest = Some(Vec::new());
                } else {
                    let context = concatenate(&self.nodes[v].context.clone(), &submove);
                    rest = self.semisplit_move(&state, &context, before + 1, &mut Vec::new());
                }
            }
            let Some(rest) = rest else {
                // REMOVESEMIMOVE
                self.nodes[v].untried.as_mut().expect("listed").swap_remove(a);
                return None;
            };
            way.extend(rest);
        }
        let nodal_tree = !semisplit || self.config.tree.is_nodal();
        let in_tree = if nodal_tree { way.len() } else { 1 };
        // ADDCHILD for every node of the way, or for the first.
        let (mut at, mut state) = (v, self.nodes[v].state.clone());
        let pieces: Vec<Submove> =
            if semisplit { way.iter().map(|s| vec![*s]).collect() } else { vec![way.clone()] };
        let added = if nodal_tree { pieces.len() } else { 1 };
        for (i, piece) in pieces.iter().enumerate() {
            self.engine.apply(&mut state, piece);
            let nodal = self.engine.is_nodal(&state);
            let mut alive = true;
            if nodal {
                alive = self.engine.keeper(&mut state).expect("keeper");
            }
            if i < added {
                let context = if nodal {
                    Vec::new()
                } else {
                    without_split_points(&concatenate(&self.nodes[at].context.clone(), piece))
                };
                self.list(at);
                let c = self.create_node(state.clone(), alive, nodal, Some(at), context);
                let untried = self.nodes[at].untried.as_mut().expect("listed");
                let chosen = match i {
                    0 => a,
                    _ => untried.iter().position(|e| e.submove == *piece).expect("listed"),
                };
                // The first untried takes the place of the chosen one.
                untried.swap(0, chosen);
                let mut edge = untried.remove(0);
                edge.node = Some(c);
                self.nodes[at].children.push(edge);
                at = c;
            }
        }
        let alive = self.engine.player(&state) != 0;
        let current = applied.last_mut().expect("a move was begun");
        current.steps.extend_from_slice(&way);
        current.in_tree = before + if semisplit { in_tree } else { way.len() };
        if alive {
            self.simulation(&mut state, applied);
        }
        Some((at, self.scores(&state)))
    }

    /// SEMISPLITSIMULATION (Algorithm 1) or an orthodox one, from a nodal state after the keeper.
    fn simulation(&mut self, state: &mut E::State, applied: &mut Vec<Applied>) {
        let split = self.config.simulation == SimulationDesign::Semisplit;
        let mast = self.config.mast;
        let guided = mast.is_some_and(|m| m.in_playouts);
        let recorded = self.config.rave.is_some() || mast.is_some_and(|m| !m.tree_only);
        if !guided && !recorded {
            self.engine.playout(state, split, &mut self.random).expect("playout");
            return;
        }
        loop {
            let player = self.engine.player(state);
            let found = if split {
                self.semisplit_move(&state.clone(), &[], 0, &mut Vec::new())
            } else {
                self.orthodox_move(state, player)
            };
            let Some(steps) = found else { return };
            self.engine.apply(state, &steps);
            applied.push(Applied { player, steps, in_tree: 0 });
            if !self.engine.keeper(state).expect("keeper") {
                return;
            }
        }
    }

    /// A move of the engine's groups, in their order, drawn from all of them; one that turns out to be
    /// illegal is put aside.
    fn orthodox_move(&mut self, state: &mut E::State, player: usize) -> Option<Submove> {
        let guide = self.config.mast.filter(|m| m.in_playouts);
        let guide = guide.filter(|mast| !self.ignores_scores(mast));
        let mut groups = MoveGroups::default();
        self.engine.groups(state, &mut groups).expect("moves");
        let mut all: Vec<(GroupedMove, Submove)> = (0..groups.len())
            .map(|number| {
                let it = groups.nth(number).expect("a move");
                let mut steps = Vec::new();
                groups.push_steps(it, &mut steps);
                (it, steps)
            })
            .collect();
        while !all.is_empty() {
            let chosen = match &guide {
                Some(_) if all.len() == 1 => 0,
                Some(mast) => {
                    let moves: Vec<Submove> = all.iter().map(|(_, steps)| steps.clone()).collect();
                    self.choose_by_scores(mast, player, &[], &moves)
                }
                None => self.random.below(all.len() as u64) as usize,
            };
            let (it, steps) = all.remove(chosen);
            let mut tried = state.clone();
            if self.engine.take(&mut tried, &groups, it, &mut Vec::new()).expect("a move") {
                return Some(steps);
            }
        }
        None
    }

    /// SEMISPLITRANDOMMOVE (Algorithm 1), SEMISPLITMASTMOVE (Algorithm 5). `passed` has the split points
    /// since the last modifier.
    fn semisplit_move(
        &mut self,
        state: &E::State,
        context: &[Step],
        depth: usize,
        passed: &mut Vec<Step>,
    ) -> Option<Submove> {
        if depth >= self.config.max_semidepth as usize {
            return None;
        }
        let mut semimoves = Vec::new();
        self.engine.semimoves(&mut state.clone(), &mut semimoves).expect("semimoves");
        let player = self.engine.player(state);
        let joined = self.resolved_mast() == Some(Variant::Join);
        let guide = self.config.mast.filter(|m| m.in_playouts && !joined);
        while !semimoves.is_empty() {
            let candidates: Vec<Submove> = semimoves.iter().map(|s| vec![*s]).collect();
            let chosen = self.choose(guide, player, context, &candidates);
            let a = semimoves.swap_remove(chosen);
            if !a.is_modifier() {
                if passed.contains(&a) {
                    continue;
                }
                passed.push(a);
            }
            let mut next = state.clone();
            let Some(undo) = self.engine.apply_step(&mut next, a) else { continue };
            self.engine.keep(undo);
            if self.engine.is_nodal(&next) {
                return Some(vec![a]);
            }
            let behind = concatenate(context, &[a]);
            let found = if a.is_modifier() {
                self.semisplit_move(&next, &behind, depth + 1, &mut Vec::new())
            } else {
                self.semisplit_move(&next, &behind, depth + 1, passed)
            };
            if let Some(rest) = found {
                let mut whole = vec![a];
                whole.extend(rest);
                return Some(whole);
            }
        }
        None
    }

    fn choose_untried(&mut self, v: usize) -> usize {
        let guide = self.config.mast.filter(|m| m.in_expansion);
        let candidates: Vec<Submove> = self.untried(v).iter().map(|e| e.submove.clone()).collect();
        let (player, context) = (self.nodes[v].player, self.nodes[v].context.clone());
        self.choose(guide, player, &context, &candidates)
    }

    fn choose(
        &mut self,
        guide: Option<Mast>,
        player: usize,
        context: &[Step],
        candidates: &[Submove],
    ) -> usize {
        if candidates.len() == 1 {
            return 0;
        }
        if let Some(mast) = guide
            && !self.ignores_scores(&mast)
        {
            return self.choose_by_scores(&mast, player, context, candidates);
        }
        self.random.below(candidates.len() as u64) as usize
    }

    /// Algorithm 5, line 2.
    fn ignores_scores(&mut self, mast: &Mast) -> bool {
        match mast.policy {
            Policy::EpsilonGreedy { epsilon } => numeric::unit(&mut self.random) < epsilon,
            _ => false,
        }
    }

    fn choose_by_scores(
        &mut self,
        mast: &Mast,
        player: usize,
        context: &[Step],
        candidates: &[Submove],
    ) -> usize {
        let scores: Vec<f64> =
            candidates.iter().map(|c| self.mast_score(player, context, c)).collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = match mast.policy {
            Policy::EpsilonGreedy { .. } => {
                let ties: Vec<usize> = (0..scores.len()).filter(|i| scores[*i] == best).collect();
                return match ties.len() {
                    1 => ties[0],
                    n => ties[self.random.below(n as u64) as usize],
                };
            }
            Policy::Gibbs { temperature } => {
                scores.iter().map(|s| numeric::exp((s - best) / temperature)).collect()
            }
            _ => scores,
        };
        let total: f64 = weights.iter().sum();
        if total == 0.0 {
            return self.random.below(weights.len() as u64) as usize;
        }
        let mut rest = numeric::unit(&mut self.random) * total;
        for (i, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return i;
            }
            rest -= weight;
        }
        unreachable!("rounding at the last candidate")
    }

    fn resolved_mast(&self) -> Option<Variant> {
        self.config.mast.map(|m| self.config.resolved(m.variant))
    }

    fn mast_score(&self, player: usize, context: &[Step], submove: &[Step]) -> f64 {
        let mean = |s: Option<&Samples>| s.map(|s| s.sum / s.weight);
        let split = || {
            let means: Option<Vec<f64>> =
                submove.iter().map(|s| mean(self.mast_split.get(&(player, *s)))).collect();
            means.map_or(1.0, |m| m.iter().sum::<f64>() / m.len() as f64)
        };
        let whole = self.mast.get(&(player, concatenate(context, submove)));
        match self.resolved_mast() {
            Some(Variant::Split) => split(),
            Some(Variant::Mix { threshold }) => match whole {
                Some(samples) if samples.weight >= f64::from(threshold) => {
                    samples.sum / samples.weight
                }
                _ => split(),
            },
            _ => mean(whole).unwrap_or(1.0),
        }
    }

    /// UCT, with AMAF for RAVE.
    fn uct(&mut self, v: usize) -> usize {
        let node = &self.nodes[v];
        let big_n = f64::from(node.iterations);
        let bound = 1.0 / f64::from(self.engine.score_bound(node.player));
        let c_root = self.config.exploration * numeric::ln(big_n).sqrt();
        let value = |edge: &Edge| {
            let child = &self.nodes[edge.node.expect("tried")];
            let n = f64::from(child.iterations);
            let amaf = self.config.rave.and_then(|rave| {
                let beta = (rave.equivalence / (3.0 * big_n + rave.equivalence)).sqrt();
                self.amaf(v, edge, rave.reference, bound).map(|amaf| (beta, amaf))
            });
            match amaf {
                // Rounded as in the search, since equal values must be equal here, too.
                None => child.score_sum * bound * (1.0 / n) + c_root * (1.0 / n).sqrt(),
                Some((beta, amaf)) => {
                    // (1 - beta) mean + beta AMAF + C sqrt(ln N / n)
                    let own = (1.0 - beta) * bound * child.score_sum * (1.0 / n);
                    own + c_root * (1.0 / n).sqrt() + beta * amaf
                }
            }
        };
        let values: Vec<f64> = node.children.iter().map(value).collect();
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let ties: Vec<usize> = (0..values.len()).filter(|i| values[*i] == best).collect();
        match ties.len() {
            1 => ties[0],
            n => ties[self.random.below(n as u64) as usize],
        }
    }

    fn resolved_rave(&self) -> Option<Variant> {
        self.config.rave.map(|r| self.config.resolved(r.variant))
    }

    /// The identity of an action for RAVE.
    fn rave_action(&self, context: &[Step], submove: &[Step]) -> Submove {
        match self.resolved_rave() {
            Some(Variant::Split) => submove[submove.len() - 1..].to_vec(),
            _ => concatenate(context, submove),
        }
    }

    /// The AMAF mean (not scaled) of an edge; with a reference count, from the nearest ancestor with
    /// more iterations that knows the action.
    fn amaf(&self, v: usize, edge: &Edge, reference: u32, bound: f64) -> Option<f64> {
        let threshold = match self.resolved_rave() {
            Some(Variant::Mix { threshold }) => f64::from(threshold),
            _ => 0.0,
        };
        let mean = |edge: &Edge| {
            let samples = if edge.amaf.weight < threshold { edge.amaf_split } else { edge.amaf };
            (samples.weight > 0.0).then(|| samples.sum * bound * (1.0 / samples.weight))
        };
        let enough = |v: usize| self.nodes[v].iterations > reference;
        if !enough(v) && enough(0) {
            let action = self.rave_action(&self.nodes[v].context, &edge.submove);
            let mut ancestor = self.nodes[v].parent;
            while let Some(u) = ancestor {
                let node = &self.nodes[u];
                if enough(u) && node.player == self.nodes[v].player {
                    let same = node
                        .children
                        .iter()
                        .chain(self.untried(u))
                        .filter(|e| self.rave_action(&node.context, &e.submove) == action);
                    if let Some(found) = same.filter_map(mean).next() {
                        return Some(found);
                    }
                }
                ancestor = node.parent;
            }
        }
        mean(edge)
    }

    /// BACKPROPAGATION (Algorithm 6).
    fn backpropagation(&mut self, leaf: usize, scores: &[u32], applied: &[Applied]) {
        self.update_mast(scores, applied);
        // From the end of the iteration to its beginning; what each player has played so far.
        let mut played: HashSet<(usize, Submove)> = HashSet::new();
        let mut played_split: HashSet<(usize, Step)> = HashSet::new();
        let mut unplayed: Vec<(usize, Submove, Step)> = Vec::new();
        for m in applied.iter().filter(|_| self.config.rave.is_some()) {
            for (i, step) in m.steps.iter().enumerate() {
                let whole = i + 1 == m.steps.len();
                let prefix = concatenate(&[], &m.steps[..=i]);
                let action = match self.resolved_rave() {
                    Some(Variant::Split) => vec![*step],
                    Some(Variant::Join) if !whole => Vec::new(),
                    _ => prefix,
                };
                unplayed.push((m.player, action, *step));
            }
        }
        let in_tree: usize = applied.iter().map(|m| m.in_tree).sum();
        let mut until = in_tree;
        let mut v = leaf;
        while let Some(parent) = self.nodes[v].parent {
            let player = self.nodes[parent].player;
            self.nodes[v].score_sum += f64::from(scores[player]);
            self.nodes[v].iterations += 1;
            let edge = self.nodes[parent].children.iter().find(|e| e.node == Some(v));
            until -= edge.expect("a child").submove.len();
            if self.config.rave.is_some() {
                while unplayed.len() > until {
                    let (player, action, step) = unplayed.pop().expect("not empty");
                    played.insert((player, action));
                    played_split.insert((player, step));
                }
                let context = self.nodes[parent].context.clone();
                let variant = self.resolved_rave();
                let node = &mut self.nodes[parent];
                let untried = node.untried.as_mut().expect("listed");
                for edge in node.children.iter_mut().chain(untried) {
                    let last = *edge.submove.last().expect("steps");
                    let action = match variant {
                        Some(Variant::Split) => vec![last],
                        _ => concatenate(&context, &edge.submove),
                    };
                    if played.contains(&(player, action)) {
                        edge.amaf.sum += f64::from(scores[player]);
                        edge.amaf.weight += 1.0;
                    }
                    if matches!(variant, Some(Variant::Mix { .. }))
                        && played_split.contains(&(player, last))
                    {
                        edge.amaf_split.sum += f64::from(scores[player]);
                        edge.amaf_split.weight += 1.0;
                    }
                }
            }
            self.rollup(v, parent);
            v = parent;
        }
        self.nodes[0].iterations += 1;
    }

    /// ROLLUP (Algorithm 4).
    fn rollup(&mut self, v: usize, parent: usize) {
        let TreeDesign::Rollup { min_simulations_factor: msf, min_score_diff, .. } =
            self.config.tree
        else {
            return;
        };
        let node = &self.nodes[v];
        let expanded = node.untried.as_ref().is_some_and(Vec::is_empty);
        let count = node.children.len();
        if node.nodal || !expanded || f64::from(node.iterations) < count as f64 * msf {
            return;
        }
        if count > 1 && min_score_diff > 0.0 {
            let bound = f64::from(self.engine.score_bound(node.player));
            let mean = |e: &Edge| {
                let child = &self.nodes[e.node.expect("tried")];
                child.score_sum / f64::from(child.iterations) / bound * 100.0
            };
            let means: Vec<f64> = node.children.iter().map(mean).collect();
            let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let low = means.iter().copied().fold(f64::INFINITY, f64::min);
            if high - low < min_score_diff {
                return;
            }
        }
        let children = std::mem::take(&mut self.nodes[v].children);
        let place = self.nodes[parent].children.iter().position(|e| e.node == Some(v));
        let edge = self.nodes[parent].children.remove(place.expect("a child"));
        for mut child in children {
            let c = child.node.expect("tried");
            self.nodes[c].parent = Some(parent);
            let mut submove = without_split_points(&edge.submove);
            submove.extend(child.submove);
            child.submove = submove;
            self.nodes[parent].children.push(child);
        }
    }

    fn update_mast(&mut self, scores: &[u32], applied: &[Applied]) {
        let Some(mast) = self.config.mast else { return };
        let variant = self.resolved_mast();
        for m in applied {
            let value =
                f64::from(scores[m.player]) * (1.0 / f64::from(self.engine.score_bound(m.player)));
            let steps = if mast.tree_only { &m.steps[..m.in_tree] } else { &m.steps[..] };
            for (i, step) in steps.iter().enumerate() {
                let whole = i + 1 == m.steps.len();
                if variant != Some(Variant::Join) || whole {
                    let prefix = concatenate(&[], &steps[..=i]);
                    let samples = self.mast.entry((m.player, prefix)).or_default();
                    samples.sum += value;
                    samples.weight += 1.0;
                }
                let samples = self.mast_split.entry((m.player, *step)).or_default();
                samples.sum += value;
                samples.weight += 1.0;
            }
        }
        self.simulations += 1;
        let factor = match mast.decay {
            Decay::Simulation { factor } => factor,
            Decay::Batch { factor, simulations }
                if self.simulations.is_multiple_of(simulations) =>
            {
                factor
            }
            _ => return,
        };
        for samples in self.mast.values_mut().chain(self.mast_split.values_mut()) {
            samples.sum *= factor;
            samples.weight *= factor;
        }
    }
}
