//! Monte-Carlo tree search on moves and on semimoves (THESIS chapter 2, AAAI22).
//!
//! Two papers are cited throughout: THESIS is W. Pawlik, *A General Game Playing agent using Monte-Carlo
//! Tree Search with split moves* (2021), AAAI22 is Kowalski et al., *Split Moves for Monte-Carlo Tree
//! Search*. Read the code beside them; algorithm numbers are those of THESIS.
//!
//! Everything random comes from [`config::Config::seed`]: with a limit in simulations or states the
//! same search gives the same tree on every machine.
//!
//! ```
//! use regulus_search::{Config, Limits, Search, Searcher};
//! # use regulus_rbg::Source;
//! # let text = regulus_games::find("tic-tac-toe").unwrap().text;
//! # let game = regulus_rbg::load(&Source::new("tic-tac-toe", text)).game.unwrap();
//! let interpreter = regulus_reasoner::Interpreter::new(&game);
//! let mut search = Search::new(interpreter.worker(), Config::default())?;
//! let thought = search.think(&Limits::simulations(200))?;
//! let chosen = thought.chosen.expect("the game is not over");
//! assert_eq!(search.moves().len(), 9);
//! search.advance(&chosen)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is **not** here: any game language, configuration files.
//!
//! # Where to look
//!
//! A search is plain data (`config/`) and three things (`search.rs`): what plays the game (`simulator.rs`, with the `episode.rs` at hand), a tree, and what takes part in its iterations (`observer.rs`, `catalogue.rs`). Activities have a file each.
//!
//! | to change | look at |
//! |---|---|
//! | parameters | what one is: `parameter/`; each is declared with its part: `config/mod.rs`, `tree_policy.rs`, `mast.rs`, `rave.rs`, `learning.rs`, `replies.rs`, `sampling.rs`, `parallel.rs`, `allocation.rs`; `limits.rs`; which combinations exist: `validation.rs`, `availability.rs`, all of them: `variants.rs` |
//! | selection and expansion (THESIS Algorithms 2, 3) | `iteration.rs`, for the tree of one thread `own_tree.rs`; UCT and RAVE values: `select.rs`, `rave.rs`; everything else that can change them: `tree_policy.rs`, declared in `config/tree_policy.rs` |
//! | proven scores | `solver.rs`; bounds are a column of the tree; what one player's score leaves to others: `outcomes.rs`; endgames that are tried out: `endgame.rs`; proof numbers: `proof.rs`; a search for a proof from the root: `proof_search/` (its table `table.rs`, order of moves `values.rs`, questions and what answers say `ends.rs`, what the tree takes over `tree.rs`) |
//! | parts for trees of boards and of video games, each kind a registry: what a child is worth, when one is added, how many count, what going back costs, how the root shares out iterations | `component/`: `selection/`, `urgency.rs`, `widening.rs`, `reversal.rs`, `allocation.rs`; what registries have in common: `mod.rs` |
//! | how iterations are shared out at the root of boards | `root_allocation.rs`, refusals: `config/allocation.rs` |
//! | SHOT | `shot/`: the algorithm `visit.rs`, budgets under time `turn.rs`, entries `table.rs` |
//! | several threads for one search | `parallel/`: a turn `turn.rs`, threads and errors `thread_pool.rs`; several trees `root.rs`, `merge.rs`; one tree (WU-UCT) `tree.rs`, `worker.rs`, `shared_tree.rs`, what each thread sees of hot nodes `views.rs`, memory `block_allocator.rs`; refusals: `config/parallel.rs` |
//! | playout policies that learn (PPA, MAST by its Algorithm 5, NST) and last good replies | `learning/`: an iteration notes what could be chosen and what was, as dense codes (`played.rs`, `codes.rs`, moves of groups as sets: `rows.rs`, features of the board: `surroundings.rs`); a rule learns from that without replaying |
//! | games with one player, NMCS (T. Cazenave, IJCAI 2009) and NRPA (PPA Algorithms 1, 2), which keep whole games instead of a tree | `nested/nmcs.rs`, `nrpa.rs`; adaptation: `policy.rs`, `sequence.rs`; limits, turns, the best game: `task.rs`; parameters and refusals: `config.rs` |
//! | simulations (Algorithms 1, 5) | `simulation.rs` |
//! | backpropagation, AMAF, roll-up (Algorithms 6, 4) | `backpropagation.rs`, `mast.rs`, `rave.rs` |
//! | final selection, what is reported; any legal move where nothing was found | `final_move.rs`, `report.rs`; `any_move.rs` |
//! | nodes, edges, what else edges have (columns), shared nodes, memory, re-rooting | `tree.rs`; keys of actions: `action.rs` |
//! | what MAST keeps scores for | `statistic/`: one file per statistic and a line in `REGISTRY`; whole moves in memory: `move_table.rs`; keys that stand for two actions, in debug builds: `collision.rs` |
//! | how scores become a choice | `policy/`: one file per policy and a line in `REGISTRY` |
//! | which kinds of search there are, and what depends on that | `algorithm.rs` |
//! | what searches of all kinds have in common; a turn: its limits, its clock, who looks at it | `searcher.rs`; `turn.rs`; limits: `stopper.rs`; turns of a tree search: `think.rs` |
//!
//! Video games have agents of their own in `video/`: one player, real time, chance in every tick. Equations and
//! algorithms are those of GVGAI-THESIS. Selections, expansions and scores are registries like policies.
//!
//! | to change | look at |
//! |---|---|
//! | parameters, ranges, known agents | `video/config.rs`, `validation.rs`, `preset.rs` |
//! | the loop (Algorithm 3.1), selection and expansion in the tree (3.2) | `video/mcts.rs`, `descent.rs`; nodes: `tree.rs` |
//! | what an action, an ending is worth | `video/expansion/`, `video/score/`, a file per formula; scaling: `video/bounds.rs`; what a child is worth: `component/selection/` |
//! | what can be added to a search | `video/modification.rs` (what, and what is refused); `reply.rs` and those of `component/`, each with a registry; `considered.rs` (which children there are to select from), `growth.rs` (expansion, macro-actions) |
//! | statistics of actions and of sequences of them | `video/ngrams.rs` |
//! | who chooses below the tree: random, MAST, NST, evolution of weights (4.2), genetic programming (4.1, 4.3 to 4.5) | `video/playout/` |
//! | when to stop, and how much time is kept back | `video/budget.rs` |
//! | evolution of plans, one step ahead | `video/evolution.rs`, `one_step.rs`; all of them in a game: `player.rs` |
//!
//! States are not kept in the tree: an iteration copies the root and applies edges, which with native code
//! costs less than the cache misses of stored states. Where neither scores nor a record of moves are needed
//! the engine plays whole simulations by itself. Logarithm and exponential are our own (`numeric.rs`),
//! since those of the platform differ in the last bit between machines. `docs/new-policy.md` shows how a
//! policy is added, `docs/new-part.md` any other part or parameter.
//!
//! # Tests
//!
//! | what | where |
//! |---|---|
//! | agents for video games: every combination, on toy worlds | `tests/video.rs`; equations by hand: beside them |
//! | the search = the papers' pseudocode, node by node | `tests/oracle/`, pseudocode: `tests/oracle/paper/` |
//! | whole searches: determinism, memory, reuse, limits | `tests/search.rs` |
//! | parts of selection and expansion = their definitions, node by node, alone and together; what the root does next | `tests/oracle/components.rs`; `tests/tree_policy.rs` |
//! | NMCS and NRPA = the pseudocode; a recorded game of Morpion Solitaire | `tests/nested.rs` |
//! | learned policies and replies = the pseudocode | `tests/oracle/learning.rs`; whole games: `tests/learning.rs` |
//! | the solver = an exhaustive search | `tests/solver.rs` |
//! | halving at the root: rounds by hand, in every turn, by any limit; the whole tree = the pseudocode | `tests/allocation.rs`; `tests/oracle/components.rs` |
//! | positions with one node for all ways to them = a table of positions | `tests/oracle/transpositions.rs` |
//! | SHOT = the pseudocode, entry by entry, on moves and on semimoves; budgets, memory, split moves | `tests/shot_oracle/`, `tests/shot.rs` |
//! | several threads: the result does not depend on them; what they share, in all orders (loom) | `tests/parallel.rs`, `parallel_model.rs` |
//! | moves are legal where vertices are chosen by walks in any direction | `tests/free_walks.rs` |

pub mod action;
mod algorithm;
mod any_move;
mod backpropagation;
mod catalogue;
pub mod component;
pub mod config;
mod decisive;
mod endgame;
mod episode;
mod failure;
mod final_move;
mod iteration;
mod learning;
mod mast;
pub mod nested;
pub mod numeric;
mod observer;
mod outcomes;
mod own_tree;
pub mod parallel;
pub mod parameter;
pub mod policy;
mod proof;
mod proof_search;
mod rave;
mod record;
mod repeated;
mod report;
mod root_allocation;
mod search;
mod searcher;
mod select;
pub mod shot;
mod simulation;
mod simulator;
mod solver;
pub mod statistic;
pub mod stopper;
mod think;
pub mod tree;
mod tree_policy;
mod turn;
pub mod video;

pub use algorithm::{Algorithm, Asks, BoxedSearcher};
pub use config::{Config, Limits, Refusal};
pub use failure::Failure;
pub use report::{MoveReport, SearchResult, Snapshot, Totals};
pub use search::Search;
pub use searcher::Searcher;
pub use turn::{Asking, Turn};
