//! Nested searches: against the papers' pseudocode, on games whose best result is known, within limits.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use regulus_game::{Engine, Moves, Random, Step};
use regulus_rbg::{Game, Source, load};
use regulus_reasoner::native::Native;
use regulus_reasoner::{Interpreter, Worker};
use regulus_search::action::{NODAL, submove_key};
use regulus_search::nested::{Algorithm, Config, Nested};
use regulus_search::numeric::unit;
use regulus_search::{Asking, Failure, Limits, Searcher, Turn};

/// Eight steps to the left or to the right; every step to the left is a point as long as there was none to
/// the right, and one to the right in the end is worth a point always. The best score is 8.
const LEFT_MOVES: &str = "
    #players = walker(8)
    #pieces = e
    #variables = steps(8), right(1)
    #board = rectangle(up, down, left, right2, [e])
    #rules = (
        ->walker {$ steps < 8}
        (
            {$ right == 0} [$ walker = walker + 1]
          + {$ right == 1} [$ steps = steps]
          + [$ right = 1]
        )
        ->> [$ steps = steps + 1])*";

fn left_moves() -> Game {
    load(&Source::new("left moves", LEFT_MOVES)).game.expect("the game is right")
}

fn built_in(name: &str) -> Game {
    let text = regulus_games::find(name).expect("built in").text;
    load(&Source::new(name, text)).game.expect("the game is right")
}

fn config(algorithm: Algorithm, level: u32, seed: u64) -> Config {
    Config { algorithm, level, seed, ..Config::default() }
}

const SMALL_NRPA: Algorithm = Algorithm::Nrpa { iterations: 6, alpha: 1.0 };

type Sequence = Vec<Vec<Step>>;

/// The papers' pseudocode, as literally as possible: states are made again from the beginning, policies are
/// maps and are handed over by value.
struct Paper {
    worker: Worker,
    random: Random,
    /// All playouts: score and moves.
    playouts: Vec<(u32, Sequence)>,
}

impl Paper {
    fn new(interpreter: &Interpreter, seed: u64) -> Self {
        Paper { worker: interpreter.worker(), random: Random::new(seed), playouts: Vec::new() }
    }

    /// The legal moves after others, and the score there.
    fn after(&mut self, moves: &[Vec<Step>]) -> (Sequence, u32) {
        let mut state = self.worker.initial();
        let mut alive = self.worker.run_keeper(&mut state).expect("it runs");
        for steps in moves {
            self.worker.apply(&mut state, steps);
            alive = self.worker.run_keeper(&mut state).expect("it runs");
        }
        let mut legal = Moves::new();
        if alive {
            self.worker.list(&mut state, &mut legal).expect("it runs");
        }
        (legal.iter().map(<[Step]>::to_vec).collect(), self.worker.score(&state, 1))
    }

    /// PPA, Algorithm 1.
    fn adapt(
        &mut self,
        policy: &HashMap<u64, f64>,
        sequence: &[Vec<Step>],
        alpha: f64,
    ) -> HashMap<u64, f64> {
        let weight = |code: u64| policy.get(&code).copied().unwrap_or(0.0);
        let mut polp = policy.clone();
        for (i, steps) in sequence.iter().enumerate() {
            *polp.entry(submove_key(NODAL, steps)).or_default() += alpha;
            let (possible, _) = self.after(&sequence[..i]);
            let codes: Vec<u64> = possible.iter().map(|m| submove_key(NODAL, m)).collect();
            let mut z = 0.0;
            for code in &codes {
                z += weight(*code).exp();
            }
            for code in &codes {
                *polp.entry(*code).or_default() -= alpha * weight(*code).exp() / z;
            }
        }
        polp
    }

    /// PPA, Algorithm 2; level 0 is a playout as in Algorithm 3 with k = 1.
    fn nrpa(
        &mut self,
        level: u32,
        iterations: u32,
        alpha: f64,
        mut policy: HashMap<u64, f64>,
    ) -> (u32, Sequence) {
        if level == 0 {
            let mut moves = Vec::new();
            loop {
                let (possible, score) = self.after(&moves);
                if possible.is_empty() {
                    self.playouts.push((score, moves.clone()));
                    return (score, moves);
                }
                let weight = |steps: &Vec<Step>| {
                    policy.get(&submove_key(NODAL, steps)).copied().unwrap_or(0.0).exp()
                };
                let z: f64 = possible.iter().map(weight).sum();
                let mut rest = unit(&mut self.random) * z;
                let drawn = possible.iter().position(|steps| {
                    rest -= weight(steps);
                    rest < 0.0
                });
                moves.push(possible[drawn.unwrap_or(possible.len() - 1)].clone());
            }
        }
        let (mut best_score, mut seq) = (-1i64, Vec::new());
        for _ in 0..iterations {
            let (result, new) = self.nrpa(level - 1, iterations, alpha, policy.clone());
            if i64::from(result) >= best_score {
                best_score = i64::from(result);
                seq = new;
            }
            policy = self.adapt(&policy, &seq, alpha);
        }
        (best_score as u32, seq)
    }

    /// Nested Monte-Carlo Search, from the position after some moves; gives whole sequences.
    fn nmcs(&mut self, level: u32, played: &[Vec<Step>]) -> (u32, Sequence) {
        let mut moves = played.to_vec();
        if level == 0 {
            loop {
                let (possible, score) = self.after(&moves);
                if possible.is_empty() {
                    self.playouts.push((score, moves.clone()));
                    return (score, moves);
                }
                let drawn = self.random.below(possible.len() as u64);
                moves.push(possible[drawn as usize].clone());
            }
        }
        let (mut best_score, mut best) = (-1i64, Vec::new());
        loop {
            let (possible, score) = self.after(&moves);
            if possible.is_empty() {
                if best_score < 0 {
                    self.playouts.push((score, moves.clone()));
                }
                return (score, moves);
            }
            for steps in possible {
                let tried: Sequence = moves.iter().cloned().chain([steps]).collect();
                let (result, sequence) = self.nmcs(level - 1, &tried);
                if i64::from(result) > best_score {
                    best_score = i64::from(result);
                    best = sequence;
                }
            }
            moves.push(best[moves.len()].clone());
        }
    }

    fn search(&mut self, config: &Config) -> (u32, Sequence) {
        match config.algorithm {
            Algorithm::Nmcs => self.nmcs(config.level, &[]),
            Algorithm::Nrpa { iterations, alpha } => {
                self.nrpa(config.level, iterations, alpha, HashMap::new())
            }
        }
    }
}

/// The same playouts in the same order: their number, lengths and first moves, and the best of them.
fn compare(game: &Game, config: Config, searches: usize) {
    let interpreter = Interpreter::new(game);
    let mut paper = Paper::new(&interpreter, config.seed);
    let mut results = Vec::new();
    for _ in 0..searches {
        results.push(paper.search(&config).0);
    }
    let playouts = &paper.playouts;
    let mut search = Nested::new(interpreter.worker(), config).expect("one player");
    let thought = search.think(&Limits::simulations(playouts.len() as u64)).expect("it runs");
    let best_score = playouts.iter().map(|(score, _)| *score).max().expect("there are some");
    let first = playouts.iter().find(|(score, _)| *score == best_score).expect("the best");
    let best = search.best_line().expect("there is one");
    // A search ends when nothing better exists; then the playouts up to there are the same.
    let bound = search_bound(game);
    let made = match playouts.iter().position(|(score, _)| *score == bound) {
        Some(perfect) => perfect + 1,
        None => playouts.len(),
    };
    assert_eq!(thought.totals.iterations, made as u64);
    let lengths: usize = playouts[..made].iter().map(|(_, moves)| moves.len()).sum();
    assert_eq!(thought.totals.depth_sum, lengths as u64);
    assert_eq!((best.score, best.iter().map(<[Step]>::to_vec).collect()), *first);
    assert_eq!(
        results.iter().max(),
        Some(&best_score),
        "a search returns the best of its playouts"
    );
    assert_eq!(thought.chosen.as_ref(), first.1.first());
    for report in search.moves() {
        let begun = playouts[..made].iter().filter(|(_, moves)| moves[0] == report.steps).count();
        assert_eq!(report.visits as usize, begun);
    }
}

fn search_bound(game: &Game) -> u32 {
    Interpreter::new(game).worker().score_bound(1)
}

#[test]
fn nrpa_is_the_pseudocode() {
    for seed in 0..4 {
        for level in 1..=3 {
            compare(&left_moves(), config(SMALL_NRPA, level, seed), 3);
        }
        let sharp = Algorithm::Nrpa { iterations: 7, alpha: 0.5 };
        compare(&built_in("peg-solitaire"), config(sharp, 2, seed), 2);
    }
}

#[test]
fn nmcs_is_the_pseudocode() {
    for seed in 0..4 {
        for level in 1..=3 {
            compare(&left_moves(), config(Algorithm::Nmcs, level, seed), 1);
        }
    }
    compare(&built_in("peg-solitaire"), config(Algorithm::Nmcs, 1, 7), 2);
}

/// Eight steps to the left are best, and both find them; then they stop, whatever the limit.
#[test]
fn the_best_walk_is_found() {
    let interpreter = Interpreter::new(&left_moves());
    for (algorithm, level) in [(Algorithm::Nmcs, 2), (Algorithm::Nmcs, 3), (SMALL_NRPA, 3)] {
        for seed in 0..5 {
            let config = config(algorithm, level, seed);
            let mut search = Nested::new(interpreter.worker(), config).expect("one player");
            let thought = search.think(&Limits::simulations(1 << 40)).expect("it runs");
            assert_eq!(search.best_line().map(|best| (best.score, best.len())), Some((8, 8)));
            assert!(thought.totals.iterations < 10_000);
        }
    }
}

#[test]
fn several_players_are_refused() {
    for (name, players) in [("tic-tac-toe", 2), ("rolit", 3)] {
        let interpreter = Interpreter::new(&built_in(name));
        let refused = Nested::new(interpreter.worker(), Config::default());
        let Err(Failure::Refused(refusal)) = refused else { panic!("{name} is not refused") };
        let expected = format!("algorithm = NRPA: the game has {players} players: ");
        assert!(refusal.to_string().starts_with(&expected), "{refusal}");
    }
}

/// The moves of a whole game with these numbers of simulations, turn by turn, and its score; the best sequence is
/// never left for a worse one.
fn play<E>(engine: E, config: Config, simulations: &[u64]) -> (Sequence, u32)
where
    E: Engine + Send,
    E::State: Send,
{
    let mut search = Nested::new(engine, config).unwrap_or_else(|e| panic!("{e}"));
    let mut moves = Vec::new();
    let mut promised = 0;
    loop {
        let limit = simulations[moves.len().min(simulations.len() - 1)];
        let thought = search.think(&Limits::simulations(limit)).unwrap_or_else(|e| panic!("{e}"));
        assert!(thought.totals.iterations <= limit);
        let Some(chosen) = thought.chosen else { break };
        let score = search.best_line().expect("something was chosen").score;
        assert!(score >= promised, "{score} after {promised}");
        promised = score;
        search.advance(&chosen).unwrap_or_else(|e| panic!("{e}"));
        moves.push(chosen);
    }
    let position = search.position().clone();
    let score = search.engine().score(&position, 1);
    assert_eq!(score, promised);
    (moves, score)
}

#[test]
fn games_are_repeatable_and_keep_what_was_found() {
    let game = built_in("peg-solitaire");
    let native = Native::new(&game).expect("native code");
    for (algorithm, level) in [(Algorithm::Nmcs, 1), (Algorithm::NRPA, 2)] {
        // Much thought for the first move, none worth the name for the others.
        let once = play(native.worker(), config(algorithm, level, 3), &[3000, 1]);
        assert_eq!(once, play(native.worker(), config(algorithm, level, 3), &[3000, 1]));
        assert_ne!(once.0, play(native.worker(), config(algorithm, level, 4), &[3000, 1]).0);
        let more = play(native.worker(), config(algorithm, level, 3), &[300]);
        assert_eq!(more, play(native.worker(), config(algorithm, level, 3), &[300]));
    }
}

#[test]
fn limits_are_obeyed_at_every_level() {
    let game = built_in("morpion-solitaire");
    let native = Native::new(&game).expect("native code");
    for (algorithm, level) in [(Algorithm::Nmcs, 5), (Algorithm::NRPA, 10)] {
        let mut search = Nested::new(native.worker(), config(algorithm, level, 1)).expect("fine");
        let thought = search.think(&Limits::simulations(123)).expect("it runs");
        assert_eq!(thought.totals.iterations, 123);
        let states = search.think(&Limits::states(5000)).expect("it runs").totals.nodal_states;
        // States are looked at when a game ends, or 64 moves have passed.
        assert!((5000..5000 + 64 + 121).contains(&states), "{states}");
        let thought = search.think(&Limits::time(Duration::ZERO)).expect("it runs");
        assert!(thought.chosen.is_some());
        let refused = search.think(&Limits::default());
        assert!(matches!(refused, Err(Failure::Refused(_))));
    }
}

#[test]
fn without_time_there_is_still_a_move() {
    let native = Native::new(&built_in("eight-puzzle")).expect("native code");
    for algorithm in [Algorithm::Nmcs, Algorithm::NRPA] {
        let mut search = Nested::new(native.worker(), config(algorithm, 2, 1)).expect("fine");
        let thought = search.think(&Limits::time(Duration::ZERO)).expect("it runs");
        search.advance(&thought.chosen.expect("a move")).expect("it is legal");
    }
}

#[test]
fn others_can_look_and_stop() {
    let native = Native::new(&built_in("peg-solitaire")).expect("native code");
    let mut search = Nested::new(native.worker(), config(SMALL_NRPA, 3, 1)).expect("fine");
    let mut seen = Vec::new();
    let limits = Limits::simulations(1 << 40);
    let thought = search
        .watch(&limits, Duration::ZERO, &mut |snapshot| {
            seen.push(snapshot);
            seen.len() < 5
        })
        .expect("it runs");
    let last = seen.last().expect("it was shown");
    assert_eq!(last.totals, thought.totals);
    assert_eq!(last.variation.first(), thought.chosen.as_ref());
    assert!(last.nodes > 0 && last.bytes > 0);
    let mut asked = 0;
    let never = AtomicBool::new(false);
    let mut turn = Turn::pondering(&never).ended_by(Asking(|| {
        asked += 1;
        asked == 10
    }));
    assert_eq!(search.take_turn(&mut turn).expect("it runs").totals.iterations, 10);
}

/// What no memory is left for is not learned, and nothing breaks.
#[test]
fn memory_is_bounded() {
    let native = Native::new(&built_in("morpion-solitaire")).expect("native code");
    let memory = 1 << 20;
    let config = Config { memory, ..config(Algorithm::NRPA, 10, 1) };
    let mut search = Nested::new(native.worker(), config).expect("fine");
    let thought = search.think(&Limits::simulations(3000)).expect("it runs");
    // The table of codes doubles when it is half full.
    assert!(thought.bytes < 2 * memory, "{}", thought.bytes);
}

/// The longest game of Morpion Solitaire that a search of ours has found: all its moves are legal, and then
/// there is none left. How it was found is told in `record/2026-11-16-morpion.md`.
#[test]
fn the_record_of_morpion_solitaire_is_a_game() {
    let native = Native::new(&built_in("morpion-solitaire")).expect("native code");
    let mut worker = native.worker();
    let mut state = native.initial();
    let mut moves = 0;
    for line in include_str!("data/morpion-solitaire.txt").lines() {
        assert!(worker.run_keeper(&mut state).expect("it runs"));
        let numbers: Vec<i32> = line.split(' ').map(|n| n.parse().expect("a number")).collect();
        let step = |pair: &[i32]| Step { vertex: pair[0] as u16, action: pair[1] };
        let steps: Vec<Step> = numbers.chunks_exact(2).map(step).collect();
        assert!(worker.is_legal(&mut state, &steps).expect("it runs"), "{line}");
        worker.apply(&mut state, &steps);
        moves += 1;
    }
    worker.run_keeper(&mut state).expect("it runs");
    assert_eq!(worker.count(&mut state).expect("it runs"), 0);
    assert_eq!(worker.score(&state, 1), moves);
    assert_eq!(moves, 82);
}
