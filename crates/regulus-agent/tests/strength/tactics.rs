//! Every agent of the collection, and others, find every win in one and every way out of a loss in one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regulus_agent::{Agent, COLLECTION};
use regulus_game::Step;
use regulus_rbg::Game;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::Native;
use regulus_search::config::{Config, Limits};
use regulus_search::{Search, Searcher};

use crate::arena::{Table, agent, compile, game};
use crate::position::{Kind, Position, Task, write_move};
use crate::search_for_positions;

/// Enough for the slowest of the agents.
const SIMULATIONS: u64 = 5000;

/// Agents of designs that the original collection does not have.
const OTHERS: [&str; 10] = [
    "mctsM_semisplit_orthodox",
    "mctsM_semisplit_orthodox_mastcontext_ravesplit",
    "mctsMP_semisplit_orthodox_mastmix7_ravecontext",
    "mctsM_rollup_orthodox",
    "mctsMPS_rollup_orthodox_mastsplit_ravecontext",
    "mctsM_rollup_semisplit",
    "mctsM_rollup_semisplit_mastcontext_ravecontext",
    "mctsM_rollup_semisplit_finalRollup",
    "mctsM_semisplitNodal_semisplit_mastmix7_tgrave",
    "mcts_orthodox_orthodox_mastjoin_ravejoin",
];

fn positions() -> Vec<Position> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/strength/positions.tsv");
    if std::env::var_os("REGULUS_BLESS").is_some() {
        let lines: Vec<String> = search_for_positions::all().iter().map(Position::write).collect();
        std::fs::write(&path, lines.join("\n") + "\n").expect("written");
    }
    let text = std::fs::read_to_string(path).expect("read");
    text.lines().map(Position::read).collect()
}

/// A position and what is to be found there.
struct Puzzle<'p> {
    position: &'p Position,
    task: Task,
}

impl<'p> Puzzle<'p> {
    /// Checks by brute force that the position is what it says.
    fn new(position: &'p Position, native: &Native) -> Puzzle<'p> {
        let mut table = Table::new(native);
        for m in &position.moves {
            assert!(table.legal().contains(m), "{position:?}: {m:?} is not legal");
            table.play(m);
        }
        let task = Task::of(&mut table);
        assert_eq!(task.solution().map(|found| found.0), Some(position.kind), "{position:?}");
        Puzzle { position, task }
    }

    /// Lets an agent choose; says what is wrong with its move.
    fn pose(&self, agent: &Agent, native: &Native, seed: u64) -> Option<String> {
        let mut table = Table::new(native);
        self.position.moves.iter().for_each(|m| table.play(m));
        // Repeated reasoning changes nothing but the time.
        let config = Config {
            reasoning_overhead: 1,
            seed,
            ..agent.search.tree_search().expect("MCTS").clone()
        };
        let mut search = Search::from_position(native.worker(), table.state, config).expect("runs");
        let thought = search.think(&Limits::simulations(SIMULATIONS)).expect("runs");
        let chosen = thought.chosen.expect("a move");
        let (kind, solution) = self.task.solution()?;
        if solution.contains(&chosen) {
            return None;
        }
        let known = search.moves();
        let seen = |steps: &[Step]| match known.iter().find(|m| m.steps == steps) {
            Some(m) => format!("{} visits, mean {:.3}", m.visits, m.mean),
            None => "untried".to_owned(),
        };
        let right: Vec<String> = solution.iter().map(|s| seen(s)).collect();
        let (game, who) = (&self.position.game, &agent.name);
        let counts = (self.task.moves.len(), self.task.replies);
        let (wrong, why) = (write_move(&chosen), seen(&chosen));
        Some(format!(
            "{game} {kind:?} {seed} (moves, replies: {counts:?}) {who}: {wrong} ({why}), right: {right:?}\n"
        ))
    }
}

/// What went wrong at the positions of one game.
fn check_game(game: &Game, positions: &[&Position], agents: &[Agent]) -> String {
    let native = compile(game, None);
    let puzzles: Vec<Puzzle<'_>> = positions.iter().map(|p| Puzzle::new(p, &native)).collect();
    let mut failures = String::new();
    let splits: BTreeSet<Option<Strategy>> = agents.iter().map(|a| a.split).collect();
    for split in splits {
        let native = compile(game, split);
        for agent in agents.iter().filter(|a| a.split == split) {
            for (seed, puzzle) in puzzles.iter().enumerate() {
                failures.extend(puzzle.pose(agent, &native, seed as u64));
            }
        }
    }
    failures
}

#[test]
fn wins_and_blocks_in_one_are_found() {
    let positions = positions();
    let mut games: BTreeMap<&str, Vec<&Position>> = BTreeMap::new();
    for position in &positions {
        games.entry(&position.game).or_default().push(position);
    }
    assert!(positions.len() >= 40 && games.len() >= 10, "{} {}", positions.len(), games.len());
    for kind in [Kind::Win, Kind::Block] {
        assert!(positions.iter().filter(|p| p.kind == kind).count() >= 15, "{kind:?}");
    }
    let names = COLLECTION.iter().chain(&OTHERS);
    let agents: Vec<Agent> = names.map(|name| agent(name)).collect();
    let mut failures = String::new();
    for (name, positions) in games {
        failures += &check_game(&game(name), &positions, &agents);
    }
    assert!(failures.is_empty(), "{failures}");
}
