//! Monte-Carlo tree search (GVGAI-THESIS Algorithm 3.1).
//!
//! | file | step |
//! |---|---|
//! | `descent.rs` | selection (Algorithm 3.2) |
//! | `considered.rs` | which children there are to select from |
//! | `growth.rs` | expansion |
//! | `selection/`, `expansion/`, `score/` | what they go by |
//! | `allocation.rs`, `urgency.rs`, `widening.rs`, `reversal.rs`, `reply.rs` | what can be added to that |
//! | `playout/` | who chooses below the tree |
//! | `tree.rs` | nodes, and backpropagation |
//! | `final_choice.rs` | what is played in the end |
//! | `budget.rs` | when it ends |

use regulus_game::{Random, World};

use super::bounds::Bounds;
use super::budget::Budget;
use super::config;
use super::expansion::{self, Expand};
use super::ngrams::Table;
use super::playout::{self, Guide, Playout, Span, Surroundings};
use super::reply::{self, Reply};
use super::score::Judge;
use super::tree::{Index, ROOT, Tree};
use crate::component;
use crate::component::allocation::{self, Allocate};
use crate::component::reversal::{self, Trail};
use crate::component::selection::{self, Select};
use crate::component::urgency::{self, Urge};
use crate::component::widening::{self, Widen};

/// A search that goes with a player through a game.
pub(crate) struct Search<W: World> {
    pub(super) config: config::Mcts,
    pub(super) select: Box<dyn Select>,
    pub(super) expand: Box<dyn Expand>,
    pub(super) guide: Box<dyn Guide<W>>,
    pub(super) judge: Judge,
    pub(super) ngrams: Table,
    pub(super) urgency: Option<Box<dyn Urge>>,
    pub(super) widening: Option<Box<dyn Widen>>,
    pub(super) trail: Option<Trail>,
    pub(super) replies: Option<Box<dyn Reply>>,
    pub(super) allocation: Option<Box<dyn Allocate>>,
    /// The tree of this tick.
    pub(super) tree: Tree<W>,
    /// Of the values of all iterations of the game.
    pub(super) game_bounds: Bounds,
    /// Of the values of all iterations of this tick.
    pub(super) tick_bounds: Bounds,
    /// The numbers of the actions of this iteration.
    pub(super) path: Vec<usize>,
    /// The nodes of this iteration.
    pub(super) visited: Vec<Index>,
    /// The actions of the node at hand.
    pub(super) actions: Vec<W::Action>,
    /// Those of them that are candidates.
    pub(super) candidates: Vec<W::Action>,
    /// What the candidates are worth.
    pub(super) values: Vec<f64>,
    /// States behind candidates.
    pub(super) trials: Vec<W>,
    /// How many ticks they are away.
    pub(super) trial_ticks: Vec<usize>,
    /// The state that iterations work on.
    copy: Option<W>,
}

impl<W: World> Search<W> {
    /// A search at the beginning of a game.
    pub fn new(config: &config::Mcts) -> Self {
        // Candidates are told apart by the bits of a word.
        const { assert!(W::ACTIONS <= u64::BITS as usize) };
        let added = &config.modifications;
        let mut replies = component::chosen(reply::REGISTRY, &added.replies);
        if let Some(replies) = &mut replies {
            replies.begin_game(W::ACTIONS);
        }
        Search {
            config: config.clone(),
            select: selection::make(&config.selection),
            expand: expansion::make(&config.expansion),
            guide: playout::guide(&config.playout),
            judge: Judge::new(&config.score, config.depth),
            ngrams: Table::new(config.ngrams, W::ACTIONS),
            urgency: component::chosen(urgency::REGISTRY, &added.urgency),
            widening: component::chosen(widening::REGISTRY, &added.widening),
            trail: component::chosen(reversal::REGISTRY, &added.reversal).map(Trail::new),
            replies,
            allocation: component::chosen(allocation::REGISTRY, &added.allocation),
            tree: Tree::new(config.max_nodes),
            game_bounds: Bounds::NONE,
            tick_bounds: Bounds::NONE,
            path: Vec::new(),
            visited: Vec::new(),
            actions: Vec::new(),
            candidates: Vec::new(),
            values: Vec::new(),
            trials: Vec::new(),
            trial_ticks: Vec::new(),
            copy: None,
        }
    }

    /// Builds the tree of a state that is not over.
    pub fn run(
        &mut self,
        root: &W,
        budget: &mut Budget,
        stop_when_full: bool,
        random: &mut Random,
    ) {
        self.tree.reset();
        self.tick_bounds = Bounds::NONE;
        self.guide.begin_tick();
        if let Some(replies) = &mut self.replies {
            replies.begin_tick();
        }
        if let Some(allocation) = &mut self.allocation {
            // Where nothing can be done, nothing is.
            allocation.begin(root.actions().len().max(1), budget.simulations());
        }
        if self.is_closed() {
            self.tree.keep(ROOT, root);
        }
        let mut state = match self.copy.take() {
            Some(mut copy) => {
                copy.clone_from(root);
                copy
            }
            None => root.clone(),
        };
        while budget.another() {
            self.iteration(root, &mut state, budget, random);
            budget.iteration();
            if stop_when_full && !self.tree.has_room(W::ACTIONS) {
                break;
            }
        }
        self.copy = Some(state);
    }

    /// An action of the game was played.
    pub fn played(&mut self) {
        self.ngrams.decay();
        self.judge.forget();
        if let Some(trail) = &mut self.trail {
            trail.played();
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.config.tree == config::Tree::Closed
    }

    /// Lines 3 to 6 of the algorithm.
    fn iteration(&mut self, root: &W, state: &mut W, budget: &mut Budget, random: &mut Random) {
        self.path.clear();
        self.visited.clear();
        self.guide.begin_iteration(random);
        self.descend(root, state, budget, random);
        self.play_out(state, budget, random);
        let value = self.judge.end(state, self.path.len());
        self.guide.end_playout(value, random);
        self.game_bounds.include(value);
        self.tick_bounds.include(value);
        self.tree.update(&self.visited, value);
        self.ngrams.record(&self.path, value);
        if let Some(replies) = &mut self.replies {
            replies.record(&self.path, value);
        }
    }

    /// The values that a play-out can look at: those of the game so far, or of the tick.
    pub(super) fn seen(&self) -> Bounds {
        match &self.config.playout {
            Playout::Stgp(stgp) if stgp.bounds == Span::Tick => self.tick_bounds,
            _ => self.game_bounds,
        }
    }

    fn play_out(&mut self, state: &mut W, budget: &mut Budget, random: &mut Random) {
        self.guide.begin_playout(self.judge.worth(state, self.path.len()));
        let bounds = self.seen().get();
        while !state.is_over() && self.path.len() < self.config.depth as usize && !budget.spent() {
            let around = Surroundings { path: &self.path, ngrams: &self.ngrams, bounds };
            let action = if state.actions().is_empty() {
                W::NIL
            } else if let Some(reply) = self.reply_in(state) {
                reply
            } else {
                self.guide.choose(state, &around, random)
            };
            state.advance(action);
            budget.tick();
            self.path.push(W::number(action));
        }
    }

    /// The last good reply in a state, if play-outs ask for one.
    fn reply_in(&self, state: &W) -> Option<W::Action> {
        let replies = self.replies.as_ref().filter(|replies| replies.in_playouts())?;
        let action = |number| state.actions().iter().find(|a| W::number(**a) == number).copied();
        replies.find(&self.path, &|number| action(number).is_some()).and_then(action)
    }
}
