//! The solver: its proofs are true, checked against an exhaustive search that shares nothing with it.

use std::collections::HashMap;

use regulus_game::{Engine, Moves, Random, Step};
use regulus_rbg::split::Strategy;
use regulus_rbg::{Game, Source};
use regulus_reasoner::native::Native;
use regulus_search::config::{
    Config, Decisive, FinalSelection, Limits, Mast, SimulationDesign, TreeDesign, TreePolicy,
    Variant,
};
use regulus_search::{Search, Searcher};

fn load(name: &str, change: impl Fn(String) -> String) -> Game {
    let text = change(regulus_games::find(name).expect("built in").text.to_owned());
    let loaded = regulus_rbg::load(&Source::new(name, &text));
    loaded.game.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics))
}

/// A game with another board.
fn with_board(text: &str, rows: &[&str]) -> String {
    let begin = text.find("#board").expect("a board");
    let end = begin + text[begin..].find("\n\n").expect("its end");
    let board = format!("#board = rectangle(up, down, left, right,\n{})", rows.join("\n"));
    format!("{}{board}{}", &text[..begin], &text[end..])
}

fn tic_tac_toe() -> Game {
    load("tic-tac-toe", |text| text)
}

fn row(piece: &str, width: usize) -> String {
    format!("[{}]", vec![piece; width].join(", "))
}

fn connect_four(width: usize, height: usize) -> Game {
    let row = row("empty", width);
    load("connect-four", |text| with_board(&text, &vec![row.as_str(); height]))
}

fn breakthrough(width: usize) -> Game {
    let pieces = ["blackPawn", "blackPawn", "empty", "whitePawn", "whitePawn"];
    let rows = pieces.map(|piece| row(piece, width));
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    load("breakthrough", |text| with_board(&text, &rows))
}

/// The scores of both players if both play as well as they can, by trying everything.
fn exhaustive<E: Engine>(
    engine: &mut E,
    state: &E::State,
    known: &mut HashMap<u64, [u32; 2]>,
) -> [u32; 2] {
    let mut state = state.clone();
    let goes_on = engine.run_keeper(&mut state).expect("runs");
    let here = [engine.score(&state, 1), engine.score(&state, 2)];
    if !goes_on {
        return here;
    }
    let hash = engine.hash(&state);
    if let Some(found) = known.get(&hash) {
        return *found;
    }
    let player = engine.player(&state) - 1;
    let mut moves = Moves::new();
    engine.list(&mut state, &mut moves).expect("runs");
    let mut best: Option<[u32; 2]> = None;
    for steps in moves.iter() {
        let mut next = state.clone();
        engine.apply(&mut next, steps);
        let scores = exhaustive(engine, &next, known);
        if best.is_none_or(|best| scores[player] > best[player]) {
            best = Some(scores);
        }
        if scores[player] == engine.score_bound(player + 1) {
            break;
        }
    }
    let scores = best.unwrap_or(here);
    known.insert(hash, scores);
    scores
}

fn split(game: &Game) -> Game {
    game.split(Strategy::Mod)
}

/// Designs of trees with a solver: name, configuration, whether moves are split.
fn designs() -> Vec<(&'static str, Config, bool)> {
    let tree_policy = TreePolicy { solver: true, ..TreePolicy::default() };
    let plain = Config { tree_policy, ..Config::default() };
    let semisplit = SimulationDesign::Semisplit;
    let rollup =
        TreeDesign::Rollup { nodal: true, min_simulations_factor: 1.0, min_score_diff: 0.0 };
    let tree = |tree| Config { tree, simulation: semisplit, ..plain.clone() };
    let visits = Config { final_selection: FinalSelection::MostVisited, ..plain.clone() };
    let mast = Mast { variant: Variant::Split, ..Mast::default() };
    vec![
        ("orthodox", plain.clone(), false),
        ("most visited", visits, false),
        ("raw", tree(TreeDesign::Semisplit { nodal: false }), true),
        ("nodal", tree(TreeDesign::Semisplit { nodal: true }), true),
        ("roll-up", tree(rollup), true),
        ("MAST", Config { mast: Some(mast), ..tree(TreeDesign::Semisplit { nodal: true }) }, true),
    ]
}

/// Lets a search solve a game; its proof must be that of the exhaustive search, for every move.
fn solve(name: &str, game: &Game, config: &Config, splits: bool, iterations: u64) {
    let native = Native::new(&if splits { split(game) } else { game.clone() }).expect("supported");
    let whole = Native::new(game).expect("supported");
    let mut engine = whole.worker();
    let mut known = HashMap::new();
    let start = engine.initial();
    let truth = exhaustive(&mut engine, &start, &mut known);
    let mut search = Search::new(native.worker(), config.clone()).expect("runs");
    let thought = search.think(&Limits::simulations(iterations)).expect("runs");
    assert!(search.is_solved(), "{name}: not solved in {iterations} iterations");
    println!("{name}: {truth:?} after {} iterations", thought.totals.iterations);
    assert!(thought.totals.iterations < iterations);
    let chosen = thought.chosen.expect("a move");
    let mut scores = |steps: &[Step]| {
        let mut state = start.clone();
        engine.run_keeper(&mut state).expect("runs");
        engine.apply(&mut state, steps);
        exhaustive(&mut engine, &state, &mut known)
    };
    assert_eq!(scores(&chosen), truth, "{name}: another move is better");
    for report in search.moves() {
        let Some(bound) = report.proven else { continue };
        let score = scores(&report.steps)[0];
        assert!((bound.low..=bound.high).contains(&score), "{name}: {score} is not in {bound:?}");
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    for (name, config, splits) in designs() {
        solve(&format!("tic-tac-toe, {name}"), &tic_tac_toe(), &config, splits, 200_000);
    }
}

#[test]
fn connect_four_on_4x4_is_solved() {
    let (name, config, splits) = designs().swap_remove(0);
    let config = Config { transpositions: true, ..config };
    solve(&format!("connect four 4x4, {name}"), &connect_four(4, 4), &config, splits, 3_000_000);
}

#[test]
fn breakthrough_on_3x5_is_solved() {
    let shown = ["orthodox", "nodal"];
    for (name, config, splits) in designs().into_iter().filter(|it| shown.contains(&it.0)) {
        let config = Config { transpositions: true, ..config };
        let name = format!("breakthrough 3x5, {name}");
        solve(&name, &breakthrough(3), &config, splits, 3_000_000);
    }
}

/// Endgames that are tried out, and proof numbers.
fn provers() -> Vec<(&'static str, Config, bool)> {
    let shown = ["orthodox", "nodal"];
    let with = |endgame, proof_bias| {
        let designs = designs().into_iter().filter(|it| shown.contains(&it.0));
        designs.map(move |(name, config, splits)| {
            let tree_policy = TreePolicy { proof_bias, endgame, ..config.tree_policy };
            (name, Config { tree_policy, transpositions: true, ..config }, splits)
        })
    };
    with(200, 0.0).chain(with(0, 2.0)).chain(with(50, 1.0)).collect()
}

/// A proof search from the root, for all designs of trees.
fn proof_searches() -> Vec<(&'static str, Config, bool)> {
    let with = |(name, config, splits): (&'static str, Config, bool)| {
        let tree_policy = TreePolicy { proof_search: 1000, ..config.tree_policy };
        (name, Config { tree_policy, ..config }, splits)
    };
    designs().into_iter().map(with).collect()
}

#[test]
fn games_are_solved_by_proof_search() {
    for (name, config, splits) in proof_searches() {
        let name = format!("{name}, proof search");
        solve(&format!("tic-tac-toe, {name}"), &tic_tac_toe(), &config, splits, 2000);
        solve(&format!("breakthrough 3x5, {name}"), &breakthrough(3), &config, splits, 2000);
        solve(&format!("connect four 4x4, {name}"), &connect_four(4, 4), &config, splits, 5000);
    }
}

/// Tic-tac-toe with other scores for a row of crosses, one of noughts, and none; if `told` is false the rules do not say
/// so plainly.
fn other_scores(scores: [[u32; 2]; 3], told: bool) -> Game {
    let zero = if told { "" } else { " + zero" };
    let set = |[a, b]: [u32; 2]| format!("[$ crosses = {a}{zero}, noughts = {b}{zero}]");
    load("tic-tac-toe", |text| {
        text.replace("#variables =", "#variables = zero(1)")
            .replace("#turn(me; opponent; mark) =", "#turn(me; mark; won) =")
            .replace("[$ me = 100]", "won")
            .replace("[$ me = 50, opponent = 50]", &set(scores[2]))
            .replace("crosses; noughts; cross", &format!("crosses; cross; {}", set(scores[0])))
            .replace("noughts; crosses; nought", &format!("noughts; nought; {}", set(scores[1])))
    })
}

/// The scores of both players in all ways to play as well as one can: who can choose between equals may take any.
fn equilibria<E: Engine>(
    engine: &mut E,
    state: &E::State,
    known: &mut HashMap<u64, Vec<[u32; 2]>>,
) -> Vec<[u32; 2]> {
    let mut state = state.clone();
    let goes_on = engine.run_keeper(&mut state).expect("runs");
    let here = vec![[engine.score(&state, 1), engine.score(&state, 2)]];
    let hash = engine.hash(&state);
    if let Some(found) = known.get(&hash) {
        return found.clone();
    }
    let mut moves = Moves::new();
    if goes_on {
        engine.list(&mut state, &mut moves).expect("runs");
    }
    if moves.is_empty() {
        return here;
    }
    let player = engine.player(&state) - 1;
    let mut children = Vec::new();
    for steps in moves.iter() {
        let mut next = state.clone();
        engine.apply(&mut next, steps);
        children.push(equilibria(engine, &next, known));
    }
    // What every move but one gives at least, whatever is played behind it.
    let least = |i: usize| children[i].iter().map(|scores| scores[player]).min();
    let mut all = Vec::new();
    for (i, child) in children.iter().enumerate() {
        let others = (0..children.len()).filter(|j| *j != i).filter_map(least).max();
        all.extend(child.iter().filter(|scores| others.is_none_or(|o| scores[player] >= o)));
    }
    all.sort_unstable();
    all.dedup();
    known.insert(hash, all.clone());
    all
}

/// Both can win, or nobody; who helps the other may lose nothing. Bounds must leave all of that room.
#[test]
fn proofs_hold_in_games_that_are_not_for_one_winner() {
    let mut random = Random::new(1);
    let mut proven = [0, 0];
    for round in 0..40 {
        let mut score = || random.below(3) as u32 * 50;
        let scores = [[score(), score()], [score(), score()], [score(), score()]];
        let game = other_scores(scores, round % 2 == 0);
        let searches = proof_searches();
        let (name, config, splits) = &searches[round / 2 % searches.len()];
        let native = Native::new(&if *splits { split(&game) } else { game.clone() });
        let native = native.expect("supported");
        assert_eq!(native.worker().terminal_scores().is_some(), round % 2 == 0);
        let whole = Native::new(&game).expect("supported");
        let mut engine = whole.worker();
        let mut known = HashMap::new();
        let mut search = Search::new(native.worker(), config.clone()).expect("runs");
        let (mut state, mut steps) = (engine.initial(), Vec::new());
        engine.run_keeper(&mut state).expect("runs");
        for _ in 0..round % 4 {
            steps.clear();
            engine.nth(&mut state, round as u64 % 3, &mut steps).expect("runs");
            engine.apply(&mut state, &steps);
            engine.run_keeper(&mut state).expect("runs");
            search.advance(&steps).expect("legal");
        }
        let player = engine.player(&state) - 1;
        search.think(&Limits::simulations(300)).expect("runs");
        for report in search.moves() {
            let Some(bound) = report.proven else { continue };
            let mut next = state.clone();
            engine.apply(&mut next, &report.steps);
            for end in equilibria(&mut engine, &next, &mut known) {
                let score = end[player];
                let fits = (bound.low..=bound.high).contains(&score);
                assert!(fits, "{name}, {scores:?}: {score} is not in {bound:?}");
            }
            proven[round % 2] += usize::from(bound.low == bound.high);
        }
    }
    println!("{proven:?} moves are proven");
    assert!(proven[0] >= 20 && proven[1] > 0, "{proven:?}");
}

#[test]
fn small_games_are_solved_with_endgames_and_proof_numbers() {
    for (name, config, splits) in provers() {
        let policy = config.tree_policy;
        let name = format!("{name}, endgame {}, bias {}", policy.endgame, policy.proof_bias);
        solve(&format!("tic-tac-toe, {name}"), &tic_tac_toe(), &config, splits, 50_000);
        solve(&format!("breakthrough 3x5, {name}"), &breakthrough(3), &config, splits, 1_000_000);
    }
}

#[test]
fn connect_four_on_5x4_is_solved() {
    let (name, config, splits) = provers().swap_remove(0);
    let name = format!("connect four 5x4, {name}");
    solve(&name, &connect_four(5, 4), &config, splits, 1_000_000);
}

/// Breakthrough with five rows, solved without any engine: boards are sets of squares in two numbers, and are turned
/// around after every move, so that who is to move always goes up.
struct Pawns {
    width: u32,
    /// Position and answer in one number; a later one takes the place of an earlier one.
    known: Vec<u64>,
    positions: u64,
}

impl Pawns {
    fn new(width: u32, known: usize) -> Self {
        Pawns { width, known: vec![u64::MAX; known], positions: 0 }
    }

    /// Squares `step` further: left (-1), straight ahead (0) or right (1).
    fn ahead(&self, pawn: u64, step: i32) -> u64 {
        let column = pawn.trailing_zeros() % self.width;
        let off = (step < 0 && column == 0) || (step > 0 && column + 1 == self.width);
        let to = pawn << self.width;
        match step {
            _ if off => 0,
            -1 => to >> 1,
            0 => to,
            _ => to << 1,
        }
    }

    fn turned(&self, pawns: u64) -> u64 {
        pawns.reverse_bits() >> (64 - 5 * self.width)
    }

    fn mirrored(&self, pawns: u64) -> u64 {
        let row = |i: u32| {
            let row = pawns >> (i * self.width) & ((1 << self.width) - 1);
            row.reverse_bits() >> (64 - self.width) << (i * self.width)
        };
        (0..5).map(row).sum()
    }

    /// Boards after all moves, captures and pawns that are far ahead first; nothing if one wins at once.
    fn moves(&self, mine: u64, others: u64) -> Option<Vec<(u64, u64)>> {
        let goal = ((1u64 << self.width) - 1) << (4 * self.width);
        let (mut captures, mut quiet) = (Vec::new(), Vec::new());
        for square in (0..5 * self.width).rev() {
            let pawn = 1u64 << square;
            if mine & pawn == 0 {
                continue;
            }
            for step in [-1, 1, 0] {
                let to = self.ahead(pawn, step);
                if to == 0 || mine & to != 0 || (step == 0 && others & to != 0) {
                    continue;
                }
                if to & goal != 0 || others == to {
                    return None;
                }
                let kind = if others & to != 0 { &mut captures } else { &mut quiet };
                kind.push((mine ^ pawn | to, others & !to));
            }
        }
        captures.extend(quiet);
        Some(captures)
    }

    /// True if who is to move wins.
    fn wins(&mut self, mine: u64, others: u64) -> bool {
        self.positions += 1;
        let Some(moves) = self.moves(mine, others) else { return true };
        let here = mine << 25 | others;
        let key = here.min(self.mirrored(mine) << 25 | self.mirrored(others));
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % self.known.len();
        if self.known[place] >> 1 == key {
            return self.known[place] & 1 == 1;
        }
        let wins = moves.into_iter().any(|(mine, others)| {
            let (mine, others) = (self.turned(mine), self.turned(others));
            !self.wins(others, mine)
        });
        self.known[place] = key << 1 | u64::from(wins);
        wins
    }
}

/// Who wins Breakthrough, and that every move is proven to lose if it is the second player.
fn breakthrough_by_proof_search(width: usize, config: &Config, splits: bool) {
    let game = breakthrough(width);
    let native = Native::new(&if splits { split(&game) } else { game }).expect("supported");
    let mut search = Search::new(native.worker(), config.clone()).expect("runs");
    let thought = search.think(&Limits::simulations(5_000_000)).expect("runs");
    assert!(search.is_solved());
    let iterations = thought.totals.iterations;
    println!("breakthrough {width}x5: {iterations} iterations, {} states", thought.totals.states);
    let mut pawns = Pawns::new(width as u32, 1 << 24);
    let mine = (1 << (2 * width)) - 1;
    let wins = pawns.wins(mine, mine << (3 * width));
    println!("{wins}, {} positions without an engine", pawns.positions);
    let proven = search.moves().into_iter().filter_map(|report| report.proven);
    let scores: Vec<u32> = proven.filter(|bound| bound.low == bound.high).map(|b| b.low).collect();
    assert_eq!(scores.contains(&100), wins);
    let mut position = search.position().clone();
    let legal = search.engine().count(&mut position).expect("runs");
    assert!(wins || scores.len() as u64 == legal, "{} of {legal} moves are proven", scores.len());
}

#[test]
fn breakthrough_on_4x5_is_solved() {
    let shown = ["orthodox", "nodal"];
    for (_, config, splits) in proof_searches().into_iter().filter(|it| shown.contains(&it.0)) {
        breakthrough_by_proof_search(4, &config, splits);
    }
}

#[test]
fn breakthrough_on_5x5_is_solved() {
    let (_, config, _) = proof_searches().swap_remove(0);
    let tree_policy = TreePolicy { proof_search: 20_000, ..config.tree_policy };
    breakthrough_by_proof_search(5, &Config { tree_policy, ..config }, false);
}

/// Positions of Breakthrough on 5x5 after some random moves.
#[test]
fn breakthrough_on_5x5_is_solved_after_some_moves() {
    let game = breakthrough(5);
    let native = Native::new(&game).expect("supported");
    let mut pawns = Pawns::new(5, 1 << 22);
    let (_, config, _) = proof_searches().swap_remove(0);
    let mut answers = [0, 0];
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let mut engine = native.worker();
        let (mut state, mut steps) = (engine.initial(), Vec::new());
        let mut alive = engine.run_keeper(&mut state).expect("runs");
        for _ in 0..8 + seed % 2 {
            steps.clear();
            if !alive || !engine.sample(&mut state, &mut random, &mut steps).expect("runs") {
                break;
            }
            engine.apply(&mut state, &steps);
            alive = engine.run_keeper(&mut state).expect("runs");
        }
        if !alive {
            continue;
        }
        let mut contents = Vec::new();
        engine.pieces(&state, &mut contents);
        // White goes up, and the first vertex is the upper left one; pieces are numbered by their names.
        let of = |piece: u8| {
            let squares = (0..25).filter(|square: &usize| contents[square + 1] == piece);
            squares.map(|square| 1u64 << ((4 - square / 5) * 5 + square % 5)).sum::<u64>()
        };
        let (black, white) = (of(0), of(2));
        let player = engine.player(&state);
        let wins = match player {
            1 => pawns.wins(white, black),
            _ => pawns.wins(pawns.turned(black), pawns.turned(white)),
        };
        answers[usize::from(wins)] += 1;
        let mut search =
            Search::from_position(native.worker(), state, config.clone()).expect("runs");
        search.think(&Limits::simulations(200_000)).expect("runs");
        assert!(search.is_solved(), "seed {seed}");
        let proven = search.moves().into_iter().filter_map(|report| report.proven);
        assert_eq!(proven.map(|bound| bound.low).max() == Some(100), wins, "seed {seed}");
    }
    assert!(answers.iter().all(|count| *count > 0), "{answers:?}");
}

/// Marks of one kind must not be side by side, and who cannot move loses (the game of Col), or puts down the fourth. A mark is put down before that is looked at, so that many semimoves are dead; and others end the game at once.
fn col() -> Game {
    let text = "#players = crosses(100), noughts(100)
        #pieces = cross, nought, empty
        #variables =
        #board = rectangle(up, down, left, right,
            [empty, empty, empty] [empty, empty, empty] [empty, empty, empty])
        #anySquare = ((up* + down*) (left* + right*))
        #turn(me; opponent; mark) =
            ->me anySquare {empty} [mark] {! (up + down + left + right) {mark}}
            [$ me = 100, opponent = 0] ->>
            ({$ empty > 5} + {$ empty == 5} [$ me = 0, opponent = 100] ->> {})
        #rules = (turn(crosses; noughts; cross) turn(noughts; crosses; nought))*";
    let loaded = regulus_rbg::load(&Source::new("col", text));
    loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

#[test]
fn games_with_dead_semimoves_are_solved() {
    for (name, config, splits) in designs().into_iter().chain(proof_searches()) {
        solve(&format!("col, {name}"), &col(), &config, splits, 200_000);
    }
}

/// All moves of the last turn lose at once, but for semimoves that turn out dead, also when those are tried last.
#[test]
fn a_root_is_solved_when_only_dead_semimoves_are_left() {
    let game = split(&col());
    let native = Native::new(&game).expect("supported");
    let mut engine = native.worker();
    for (name, config, _) in designs().into_iter().filter(|(.., splits)| *splits) {
        for seed in 0..20 {
            let mut search =
                Search::new(native.worker(), Config { seed, ..config.clone() }).expect("runs");
            for _ in 0..3 {
                let (mut position, mut steps) = (search.position().clone(), Vec::new());
                engine.nth(&mut position, 0, &mut steps).expect("runs");
                search.advance(&steps).expect("legal");
            }
            search.think(&Limits::simulations(200)).expect("runs");
            assert!(search.is_solved(), "{name}, seed {seed}");
        }
    }
}

/// What is known of an edge is all that is known of the edges behind it, also when some of those were dead and are gone.
#[test]
fn bounds_follow_from_the_edges_behind() {
    for (name, config, splits) in designs().into_iter().filter(|(name, ..)| *name != "roll-up") {
        let game = col();
        let native = Native::new(&if splits { split(&game) } else { game }).expect("supported");
        let mut search = Search::new(native.worker(), config).expect("runs");
        let mut narrowed = 0;
        for round in 1..=40 {
            search.think(&Limits::simulations(400)).expect("runs");
            let tree = search.tree();
            for edge in 0..tree.edges.len() as u32 {
                let child = tree.edges[edge as usize].child as usize;
                let Some(node) = tree.nodes.get(child).filter(|node| node.count > 0) else {
                    continue;
                };
                let player = usize::from(node.player) - 1;
                let below =
                    (node.first..node.first + node.count).map(|e| tree.bounds_of(e)[player]);
                let (low, high) = below
                    .fold((0, 0), |(low, high), bound| (bound.low.max(low), bound.high.max(high)));
                let known = tree.bounds_of(edge)[player];
                assert_eq!((known.low, known.high), (low, high), "{name}, round {round}");
                narrowed += usize::from(high < 100 || low > 0);
            }
        }
        assert!(narrowed > 0, "{name}: nothing is proven");
    }
}

/// Plays whole games with few simulations: a proven loss is never chosen when another move exists.
#[test]
fn a_proven_loss_is_not_played_if_there_is_another_move() {
    let searches = || designs().into_iter().chain(proof_searches());
    for game in [breakthrough(3), tic_tac_toe()] {
        for (name, config, splits) in searches() {
            plays_no_proven_loss(name, &game, &config, splits);
        }
    }
}

fn plays_no_proven_loss(name: &str, game: &Game, config: &Config, splits: bool) {
    let native = Native::new(&if splits { split(game) } else { game.clone() }).expect("supported");
    for seed in 0..10 {
        let config = Config { seed, ..config.clone() };
        let mut search = Search::new(native.worker(), config).expect("runs");
        loop {
            let thought = search.think(&Limits::simulations(60)).expect("runs");
            let Some(chosen) = thought.chosen else { break };
            let reports = search.moves();
            let position = search.position().clone();
            let legal = search.engine().count(&mut position.clone()).expect("runs");
            let lost = |steps: &[Step]| {
                let found = reports.iter().find(|report| report.steps == steps);
                found.is_some_and(|report| report.proven.is_some_and(|bound| bound.high == 0))
            };
            let all_lost = reports.iter().filter(|report| lost(&report.steps)).count() as u64;
            assert!(!lost(&chosen) || all_lost == legal, "{name}, seed {seed}");
            search.advance(&chosen).expect("runs");
        }
    }
}

#[test]
fn decisive_moves_are_the_only_ones() {
    let game = tic_tac_toe();
    let native = Native::new(&game).expect("supported");
    for decisive in [Decisive::Wins, Decisive::WinsAndBlocks] {
        let tree_policy = TreePolicy { decisive, ..TreePolicy::default() };
        let config = Config { tree_policy, ..Config::default() };
        for seed in 0..20 {
            let mut search =
                Search::new(native.worker(), Config { seed, ..config.clone() }).expect("runs");
            // Whoever can win at once does, with a single simulation; with blocks nobody loses at once.
            while let Some(chosen) = search.think(&Limits::simulations(1)).expect("runs").chosen {
                let mut engine = native.worker();
                let wins = |engine: &mut regulus_reasoner::native::NativeWorker,
                            state: &<regulus_reasoner::native::NativeWorker as Engine>::State| {
                    let player = engine.player(state);
                    let mut moves = Moves::new();
                    engine.list(&mut state.clone(), &mut moves).expect("runs");
                    let ends = |steps: &&[Step]| {
                        let mut next = state.clone();
                        engine.apply(&mut next, steps);
                        !engine.run_keeper(&mut next).expect("runs") && engine.score(&next, player) == 100
                    };
                    moves.iter().filter(ends).map(<[Step]>::to_vec).collect::<Vec<_>>()
                };
                let position = search.position().clone();
                let winning = wins(&mut engine, &position);
                assert!(winning.is_empty() || winning.contains(&chosen));
                search.advance(&chosen).expect("runs");
            }
        }
    }
}
