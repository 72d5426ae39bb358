//! SHOT against a transcription of the pseudocode of SLIDES: the same entries, playout by playout, for the same random
//! numbers, in trees of moves and of semimoves.
//!
//! | file | what |
//! |---|---|
//! | `paper.rs` | the pseudocode |
//! | `../oracle/games.rs` | small games |
//! | this one | what is compared, on which games |

#[path = "../oracle/games.rs"]
mod games;
mod paper;

use games::{native, small_breakthrough, small_draughts, walkers};
use paper::Paper;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::Native;
use regulus_search::Searcher;
use regulus_search::config::{Config, Limits, SimulationDesign, TreeDesign};
use regulus_search::shot::Shot;

const SEMISPLIT: TreeDesign = TreeDesign::Semisplit { nodal: false };

/// What came up in a comparison.
#[derive(Clone, Copy, Default, Debug)]
struct Seen {
    /// Entries in the middle of a move.
    begun: usize,
    /// Those with several semimoves behind them.
    long: usize,
    /// Those in which some semimove has had more playouts than another.
    halved: usize,
    /// Semimoves that lead to no move.
    dead: usize,
    /// Entries of which all semimoves are dead but one.
    forced: usize,
    /// Ways that came back in the middle of a move, and elsewhere.
    returns: [u64; 2],
}

impl Seen {
    fn of<E: regulus_game::Engine>(paper: &Paper<E>) -> Self {
        let mut seen = Seen { returns: paper.returns, ..Seen::default() };
        for (name, entry) in &paper.table {
            let playouts: Vec<u64> = entry.moves.iter().flatten().map(|known| known.0).collect();
            let dead = entry.moves.len() - playouts.len();
            seen.dead += dead;
            seen.forced += usize::from(dead > 0 && playouts.len() == 1);
            if !name.is_nodal {
                seen.begun += 1;
                seen.long += usize::from(name.begun.len() > 1);
                let least = playouts.iter().min();
                seen.halved += usize::from(least > Some(&0) && least < playouts.iter().max());
            }
        }
        seen
    }

    fn add(&mut self, more: Seen) {
        self.begun += more.begun;
        self.long += more.long;
        self.halved += more.halved;
        self.dead += more.dead;
        self.forced += more.forced;
        self.returns[0] += more.returns[0];
        self.returns[1] += more.returns[1];
    }
}

/// Turns of these numbers of playouts with both; all entries are compared after each.
fn check(name: &str, native: &Native, config: &Config, budgets: &[u64]) -> Seen {
    let mut search = Shot::new(native.worker(), config.clone()).expect("runs");
    let mut paper = Paper::new(native.worker(), config.clone());
    for (turn, budget) in budgets.iter().enumerate() {
        let what = format!("{name}, turn {turn}, {config:?}");
        let thought = search.think(&Limits::simulations(*budget)).expect("runs");
        let board = paper.board(search.position());
        let used = paper.shot(&board, *budget).expect("no move was begun").used;
        assert_eq!(thought.totals.iterations, used, "{what}");
        assert!(used <= *budget, "{what}");
        assert_eq!(thought.nodes as usize, paper.table.len(), "{what}");
        for (name, expected) in &paper.table {
            let (budget_node, stats) = search.entry(name.key()).expect("known");
            assert_eq!(budget_node, expected.budget_node, "{what}");
            // What leads to no move is known by a number of playouts that nothing else can have.
            let known = |(playouts, sum): (u32, f64)| {
                (playouts < u32::MAX).then_some((u64::from(playouts), sum))
            };
            let found: Vec<_> = stats.into_iter().map(known).collect();
            assert_eq!(found, expected.moves, "{what}");
        }
        assert_eq!(thought.chosen, paper.final_move(&board), "{what}: the move");
        let Some(chosen) = thought.chosen else { break };
        search.advance(&chosen).expect("runs");
    }
    Seen::of(&paper)
}

/// Searches with the tree design, with whole moves and with semimoves in playouts, from several seeds.
fn check_designs(
    name: &str,
    native: &Native,
    plain: &Config,
    seeds: std::ops::Range<u64>,
    budgets: &[u64],
) -> Seen {
    let mut seen = Seen::default();
    for simulation in [SimulationDesign::Orthodox, SimulationDesign::Semisplit] {
        for seed in seeds.clone() {
            let config = Config { simulation, seed, ..plain.clone() };
            seen.add(check(name, native, &config, budgets));
        }
    }
    seen
}

#[test]
fn two_players() {
    for (name, budgets) in [
        ("breakthrough", [1, 2, 21, 22, 23, 110, 1000, 4000, 300].as_slice()),
        ("tic-tac-toe", &[360, 5, 100, 3000, 50, 50, 50, 50, 50, 50]),
        ("connect-four", &[5000, 800, 20, 1000]),
    ] {
        let native = native(name, Some(Strategy::Mod));
        check_designs(name, &native, &Config::default(), 0..4, budgets);
    }
}

/// Forced moves, scores between loss and win, one player, three players.
#[test]
fn other_games() {
    for name in ["chess", "english-draughts", "eight-puzzle", "rolit", "yavalath"] {
        let native = native(name, Some(Strategy::Mod));
        let budgets = [300, 40, 700, 100, 100, 100];
        check_designs(name, &native, &Config::default(), 1..2, &budgets);
    }
}

#[test]
fn moves_that_lead_back() {
    for tree in [TreeDesign::Orthodox, SEMISPLIT] {
        let config = Config { tree, ..Config::default() };
        let seen = check_designs("walkers", &walkers(), &config, 0..4, &[3000, 300, 30, 2000, 7]);
        assert!(seen.returns.iter().sum::<u64>() > 20, "{seen:?}");
    }
}

const TURNS: [u64; 14] = [700, 1, 2, 5, 30, 3000, 60, 300, 10, 1000, 300, 300, 300, 300];

/// Semimoves that are halved, several of one player in a row, dead ones; walks in any direction that are split at every
/// step, and come back.
#[test]
fn semimoves() {
    use Strategy::{Mod, ModPlus, ModPlusShift, ModShift};
    let built_in = |name, strategy| (name, native(name, Some(strategy)));
    let config = Config { tree: SEMISPLIT, ..Config::default() };
    let mut seen = Seen::default();
    for (name, native) in [
        ("small breakthrough", small_breakthrough(Mod)),
        ("small breakthrough", small_breakthrough(ModPlusShift)),
        ("small draughts", small_draughts(Mod)),
        ("small draughts", small_draughts(ModPlus)),
        ("small draughts", small_draughts(ModShift)),
        built_in("hare-and-hounds", ModShift),
        built_in("rolit", ModShift),
        built_in("eight-puzzle", ModPlus),
        built_in("tic-tac-toe", ModPlusShift),
    ] {
        seen.add(check_designs(name, &native, &config, 0..2, &TURNS));
    }
    assert!(seen.begun > 10_000 && seen.long > 5000 && seen.halved > 2000, "{seen:?}");
    assert!(seen.dead > 10_000 && seen.forced > 2000 && seen.returns[0] > 1000, "{seen:?}");
}

/// Moves may be longer than the configuration expects them to be.
#[test]
fn no_move_is_too_long() {
    let native = small_draughts(Strategy::Mod);
    for max_semidepth in [1, 4, 50] {
        let config = Config { tree: SEMISPLIT, max_semidepth, ..Config::default() };
        let seen = check_designs("small draughts", &native, &config, 0..2, &TURNS[..8]);
        assert!(seen.long > 1000, "{seen:?}");
    }
}
