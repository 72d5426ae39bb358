//! Directories of experiments with records that were made up: games drawn at random, or results without
//! games, from a seed.

use std::any::Any;
use std::path::PathBuf;

use regulus_arena::board::{BoardContest, BoardRecord, CompiledBoardContest, Outcome, Turns};
use regulus_arena::experiment::{Archive, Experiment, Layout, Machine, Manifest, Options};
use regulus_arena::report::{ExperimentReport, Written, write};
use regulus_arena::{Calibrations, Contest, GameRecord, RecordFile};
use regulus_game::{Engine, Moves, Random};
use regulus_player::wire;
use regulus_reasoner::Interpreter;
use tempfile::TempDir;

/// A directory that goes away with it.
pub struct Directory {
    _folder: TempDir,
    pub layout: Layout,
    pub experiment: Experiment,
}

impl Directory {
    /// Declares an experiment called `sample`.
    pub fn new(declaration: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("sample.toml");
        std::fs::write(&file, declaration).expect("written");
        let options = Options::default();
        let (experiment, text) = Experiment::declare(&file, options).expect("a declaration");
        let layout = Layout::new(folder.path().join("run"));
        experiment.settle(&layout, &text).expect("a directory");
        Directory { _folder: folder, layout, experiment }
    }

    /// A contest of the plan.
    pub fn contest<C: Contest>(&self, index: usize) -> C {
        let contest = self.experiment.contest(index, &Calibrations::default());
        let contest: Box<dyn Any> = contest.expect("a contest");
        *contest.downcast().expect("a contest of this kind of games")
    }

    pub fn records(&self, worker: &str) -> PathBuf {
        self.layout.records(worker)
    }

    /// Appends records to the file of a worker.
    pub fn append(&self, worker: &str, records: &[BoardRecord]) {
        let mut file = RecordFile::open(&self.records(worker)).expect("a file");
        records.iter().for_each(|record| file.append(record).expect("written"));
    }

    /// Writes the manifest of a worker.
    pub fn manifest(&self, worker: &str, change: impl FnOnce(&mut Manifest)) {
        let mut manifest = Manifest {
            worker: worker.to_owned(),
            experiment: "sample".to_owned(),
            version: "0.1.0".to_owned(),
            commit: None,
            machine: Machine {
                host: "abacus".to_owned(),
                processor: "Slide Rule 3000".to_owned(),
                processors: 4,
                system: "linux".to_owned(),
            },
            process: 1,
            shard: [0, 1],
            threads: 2,
            pinned: true,
            seed: 1,
            games: self.experiment.plan.games.clone(),
            agents: self.experiment.plan.agents.clone(),
            started: 1_700_000_000.0,
            ended: Some(1_700_003_600.0),
            played: 8,
            interrupted: false,
            load_before: Some(0.1),
            load_highest: Some(2.1),
            load_after: Some(2.0),
        };
        change(&mut manifest);
        let text = serde_json::to_string(&manifest).expect("JSON");
        std::fs::write(self.layout.manifest(worker), text).expect("written");
    }

    /// Reads everything back and reports it.
    pub fn report(&self) -> (ExperimentReport, Written) {
        let archive = Archive::read(&self.layout).expect("an archive");
        write(&self.layout, &archive, self.experiment.board_games()).expect("a report")
    }
}

/// A record of a game of a contest without moves, in which seats have these scores. Every seat has one turn:
/// 10 simulations and 100 states in half a second.
pub fn made_up(contest: &BoardContest, unit: u64, seating: usize, scores: &[u32]) -> BoardRecord {
    let seats = contest.seatings()[seating].clone();
    let players = seats.len();
    BoardRecord {
        experiment: contest.experiment.clone(),
        contest: contest.id(),
        unit,
        seating,
        game: GameRecord::of(&contest.game),
        agents: contest.agent_records(),
        seats,
        seed: contest.seed,
        budget: contest.budget.to_string(),
        limits: contest.budget.to_string(),
        opening: 0,
        moves: Vec::new(),
        scores: scores.to_vec(),
        score_bounds: vec![100; players],
        outcome: Outcome::Finished,
        turns: Turns {
            seat: (1..=players).collect(),
            iterations: vec![10; players],
            nodal_states: vec![100; players],
            states: vec![120; players],
            seconds: vec![0.5; players],
        },
        started: 1_700_000_000.0 + unit as f64,
        seconds: 1.0,
        version: "0.1.0".to_owned(),
    }
}

/// The two records of a pair, of one move each, in which the first agent gets these results: 0, 1/2 or 1.
pub fn pair(contest: &BoardContest, unit: u64, results: [f64; 2]) -> [BoardRecord; 2] {
    let points = |result: f64| (100.0 * result) as u32;
    let [first, second] = results.map(points);
    let mut records = [
        made_up(contest, unit, 0, &[first, 100 - first]),
        made_up(contest, unit, 1, &[100 - second, second]),
    ];
    // All games differ, as long as there are enough legal moves.
    let rules = Interpreter::new(contest.game.rules());
    let (mut engine, mut state, mut legal) = (rules.worker(), rules.initial(), Moves::new());
    engine.run_keeper(&mut state).expect("rules");
    engine.list(&mut state, &mut legal).expect("moves");
    for record in &mut records {
        let number = 2 * unit as usize + record.seating;
        record.moves = vec![wire::text(legal.get(number % legal.len()))];
    }
    records
}

/// A record of a random game by the rules.
pub fn random_game(compiled: &CompiledBoardContest<'_>, unit: u64, seating: usize) -> BoardRecord {
    let contest = compiled.contest();
    let mut random = Random::new(contest.seed).fork(unit).fork(seating as u64);
    let mut table = compiled.table().expect("a table");
    let mut record = made_up(contest, unit, seating, &[]);
    record.turns = Turns::default();
    while let Some(steps) = table.sample(&mut random).expect("rules that go on") {
        record.turns.seat.push(table.seat());
        record.turns.iterations.push(10 + unit % 3);
        record.turns.nodal_states.push(100 + unit % 7);
        record.turns.states.push(120);
        record.turns.seconds.push(0.001);
        record.moves.push(wire::text(&steps));
        table.play(&steps).expect("a legal move");
    }
    record.scores = table.scores();
    record.score_bounds = table.score_bounds();
    record
}

/// Random games of all units of all contests of a plan.
pub fn random_records(directory: &Directory) -> Vec<BoardRecord> {
    let mut records = Vec::new();
    for (index, planned) in directory.experiment.plan.contests.iter().enumerate() {
        let contest = directory.contest(index);
        let compiled = CompiledBoardContest::new(&contest);
        for unit in 0..planned.units {
            for seating in 0..contest.games_per_unit() {
                records.push(random_game(&compiled, unit, seating));
            }
        }
    }
    records
}
