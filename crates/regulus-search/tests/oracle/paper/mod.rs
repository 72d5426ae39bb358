//! The pseudocode of THESIS chapter 2, transcribed line by line with maps, copies of states and
//! recursion: slow, and the oracle for the optimised search. It takes random numbers in the same order:
//! a single candidate takes none; an untried action that is chosen gives its place to the first, a dead
//! one to the last; ties are broken by one number.
//!
//! | file | what |
//! |---|---|
//! | this one | iterations: Algorithms 2 and 3 |
//! | `simulation.rs` | Algorithm 1, moves of Algorithm 5 |
//! | `selection.rs` | UCT and AMAF |
//! | `parts.rs` | parts that change selection and expansion |
//! | `mast.rs` | the rest of Algorithm 5, decay |
//! | `backpropagation.rs` | Algorithms 6 and 4 |
//! | `learning.rs` | playout learning: Algorithms 3, 4 and 5 of PPA |
//! | `sequences.rs` | NST and last good replies |
//! | `allocation.rs` | halving at the root |
//! | `turn.rs` | final selection (2.2.2), going on after a move |

mod allocation;
mod backpropagation;
mod components;
mod learning;
mod mast;
mod selection;
mod sequences;
mod simulation;
mod turn;

use regulus_game::{Engine, Moves, Random, Step};
use regulus_search::config::{Config, TreeDesign, Untried};
use rustc_hash::FxHashMap;

use components::Next;
use mast::Weighed;

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
    pub spread: components::Spread,
}

pub struct Paper<E: Engine> {
    engine: E,
    config: Config,
    random: Random,
    pub nodes: Vec<Node<E::State>>,
    pub root: usize,
    mast: FxHashMap<(usize, Submove), Weighed>,
    mast_split: FxHashMap<(usize, Step), Weighed>,
    simulations: u32,
    iterations_of_turn: u32,
    learned: learning::Learned,
    sequences: sequences::Sequences,
    /// How often samples have lost weight.
    decays: u32,
    rounds: allocation::Rounds,
    /// What a piece is to the rules, for features; itself if nothing is said.
    pub kinds: Vec<u16>,
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
        let alive = engine.run_keeper(&mut state).expect("keeper");
        let random = Random::new(config.seed);
        let mut paper = Paper {
            engine,
            config,
            random,
            nodes: Vec::new(),
            root: 0,
            mast: FxHashMap::default(),
            mast_split: FxHashMap::default(),
            simulations: 0,
            iterations_of_turn: 0,
            learned: learning::Learned::default(),
            sequences: sequences::Sequences::default(),
            decays: 0,
            rounds: allocation::Rounds::default(),
            kinds: Vec::new(),
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
            spread: components::Spread::default(),
        });
        self.nodes.len() - 1
    }

    fn semisplit_tree(&self) -> bool {
        self.config.tree != TreeDesign::Orthodox
    }

    /// What the node's player can do, computed when it is first needed; only what is decisive, if that is asked for.
    fn list(&mut self, v: usize, decisive: bool) {
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
        if decisive {
            submoves = self.keep_decisive(&self.nodes[v].state.clone(), submoves);
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
        let mut v = self.root;
        self.iterations_of_turn += 1;
        let mut applied: Vec<Applied> = Vec::new();
        // PPA Algorithm 7: a position without an entry gets one, and a playout.
        if self.config.untried == Untried::Listed && self.nodes[v].iterations == 0 {
            let mut state = self.nodes[v].state.clone();
            self.simulation(&mut state, &mut applied);
            let scores = self.scores(&state);
            return self.backpropagation(v, &scores, &applied);
        }
        loop {
            if !self.nodes[v].alive {
                break;
            }
            self.list(v, true);
            if self.untried(v).is_empty() && self.nodes[v].children.is_empty() {
                break;
            }
            if self.nodes[v].nodal {
                let player = self.nodes[v].player;
                applied.push(Applied { player, steps: Vec::new(), in_tree: 0 });
            }
            if let Next::Follow(i) = self.next(v) {
                let submove = self.nodes[v].children[i].submove.clone();
                let current = applied.last_mut().expect("a move was begun");
                current.steps.extend(submove);
                current.in_tree = current.steps.len();
                v = self.nodes[v].children[i].node.expect("tried");
                if self.nodes[v].nodal {
                    self.note_late_score(v, &self.nodes[v].state.clone());
                }
                continue;
            }
            let a = self.choose_untried(v, &applied);
            let expanded = self.expand(v, a, &mut applied);
            if let Some((leaf, scores)) = expanded {
                self.backpropagation(leaf, &scores, &applied);
                return;
            }
            self.leave_out(v);
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
                self.engine.commit(undo);
                if self.engine.is_nodal(&state) {
                    rest = Some(Vec::new());
                } else {
                    let context = concatenate(&self.nodes[v].context.clone(), &submove);
                    let guide = self.semimove_guide();
                    let history = self.history_of_semimoves(applied).map(|mut history| {
                        history.push((self.nodes[v].player, submove.clone()));
                        history
                    });
                    let passed = &mut Vec::new();
                    rest = self.semisplit_move(&state, &context, guide, passed, history);
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
        let mut new = Vec::new();
        for (i, piece) in pieces.iter().enumerate() {
            self.engine.apply(&mut state, piece);
            let nodal = self.engine.is_nodal(&state);
            let mut alive = true;
            if nodal {
                alive = self.engine.run_keeper(&mut state).expect("keeper");
            }
            if i < added {
                let context = if nodal {
                    Vec::new()
                } else {
                    without_split_points(&concatenate(&self.nodes[at].context.clone(), piece))
                };
                // Nodes on the way to the end of a move have all that was drawn from.
                self.list(at, false);
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
                new.push(c);
            }
        }
        let player = self.nodes[v].player;
        let score = f64::from(self.engine.score(&state, player));
        let prior = score * (1.0 / f64::from(self.engine.score_bound(player)));
        let policy = self.config.tree_policy;
        if policy.score_bias > 0.0 && policy.score_bias_from == 1 {
            new.into_iter().for_each(|c| self.nodes[c].spread.prior = prior);
        }
        self.note_late_score(at, &state);
        let alive = self.engine.player(&state) != 0;
        let current = applied.last_mut().expect("a move was begun");
        current.steps.extend_from_slice(&way);
        current.in_tree = before + if semisplit { in_tree } else { way.len() };
        if alive {
            self.simulation(&mut state, applied);
        }
        Some((at, self.scores(&state)))
    }
}
