//! Makes `positions.tsv` from random games: `REGULUS_BLESS=1 cargo test -p regulus-agent`.
//!
//! Nothing here asks an agent, but the conditions were set with an eye on what agents can do
//! (`record/2026-11-16-strength.md`). A position is taken if what is to be found is rare among the moves and can
//! be told apart by simulations at all: other moves are no certain wins, and the way out of a loss in one
//! does not lead into a loss in two. Where a split strategy makes the choice of a vertex a free walk over
//! the board, a move has as many names as there are ways to its vertex, and what is known about it is
//! divided among them: such positions are left out too. What is not looked at: a win whose first semimove
//! is bad otherwise (the king that takes the king) stays hidden from a tree of semimoves for very long. If
//! the search for positions brings one, another number of random games brings others.

use regulus_game::{Engine, Random, Step};
use regulus_games::GAMES;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::{Native, NativeState, NativeWorker};

use crate::arena::{Table, compile, game};
use crate::position::{Kind, Position, Task, opponent_wins};

/// Random games per game.
const GAMES_PLAYED: u64 = 80;
/// Positions of a kind per game.
const TAKEN: usize = 3;
/// Playouts that show how a move does.
const PLAYOUTS: usize = 40;
/// The longest a random game may last from a position, on average: the search is to be cheap.
const LENGTH: f64 = 40.0;
/// What can follow a move and its reply: every pair is to be seen often.
const PAIRS: usize = 700;

/// All positions, in order.
pub fn all() -> Vec<Position> {
    GAMES.iter().flat_map(|g| of_game(g.name)).collect()
}

fn of_game(name: &str) -> Vec<Position> {
    let game = game(name);
    let native = compile(&game, None);
    let splits = Strategy::ALL.map(|strategy| compile(&game, Some(strategy)));
    let mut found = Vec::new();
    for seed in 0..GAMES_PLAYED {
        let mut random = Random::new(seed);
        let mut table = Table::new(&native);
        let mut moves = Vec::new();
        let mut here = [None, None];
        loop {
            let legal = table.legal();
            if legal.is_empty() || moves.len() > 300 {
                break;
            }
            if let Some(kind) = suits(&mut table, &mut random)
                && splits.iter().all(|split| has_few_ways(split, &moves, legal.len()))
            {
                here[kind as usize] = Some((kind, moves.clone()));
            }
            let chosen = legal[random.below(legal.len() as u64) as usize].clone();
            table.play(&chosen);
            moves.push(chosen);
        }
        // At most one of a kind from each game.
        found.extend(here.into_iter().flatten());
    }
    let mut taken = Vec::new();
    for kind in [Kind::Win, Kind::Block] {
        let mut some: Vec<_> = found.iter().filter(|f| f.0 == kind).map(|f| &f.1).collect();
        some.sort_by_key(|moves| moves.len());
        some.dedup();
        // Early and late ones.
        let count = TAKEN.min(some.len());
        for i in 0..count {
            let moves = some[(2 * i + 1) * some.len() / (2 * count)].clone();
            taken.push(Position { game: name.to_owned(), kind, moves });
        }
    }
    taken
}

fn suits(table: &mut Table, random: &mut Random) -> Option<Kind> {
    let count = table.engine.count(&mut table.state).expect("runs") as usize;
    if !(3..=60).contains(&count) {
        return None;
    }
    let player = table.player();
    let task = Task::of(table);
    let (kind, solution) = task.solution()?;
    let rare = solution.len() * 3 <= count;
    if !rare || (kind == Kind::Block && count * task.replies > PAIRS) {
        return None;
    }
    let (mut length, mut best) = (0.0, [0.0f64; 2]);
    for m in &task.moves {
        let (moves, mean) = table.behind(m, |table| playouts(table, player, random));
        length += moves / count as f64;
        let which = usize::from(solution.contains(m));
        best[which] = best[which].max(mean);
    }
    let clear = match kind {
        Kind::Win => best[0] <= 0.75,
        Kind::Block => {
            best[1] >= 0.6 && task.safe.iter().any(|m| table.behind(m, |t| survives(t, player)))
        }
    };
    (clear && length <= LENGTH).then_some(kind)
}

/// True if a position has few sequences of semimoves for its moves: not many more than moves, nor many
/// that lead nowhere.
fn has_few_ways(native: &Native, played: &[Vec<Step>], moves: usize) -> bool {
    struct Budget {
        ways: usize,
        states: usize,
    }
    fn visit(engine: &mut NativeWorker, state: &NativeState, left: &mut Budget) -> bool {
        let mut semimoves = Vec::new();
        engine.semimoves(&mut state.clone(), &mut semimoves).expect("runs");
        semimoves.into_iter().all(|step| {
            let mut next = state.clone();
            let Some(undo) = engine.apply_step(&mut next, step) else { return true };
            engine.commit(undo);
            let part = match engine.is_nodal(&next) {
                true => &mut left.ways,
                false => &mut left.states,
            };
            if *part == 0 {
                return false;
            }
            *part -= 1;
            engine.is_nodal(&next) || visit(engine, &next, left)
        })
    }
    let mut table = Table::new(native);
    played.iter().for_each(|m| table.play(m));
    let mut left = Budget { ways: 4 * moves, states: 4000 };
    visit(&mut table.engine, &table.state, &mut left)
}

/// Mean length and score of random games.
fn playouts(table: &mut Table, player: usize, random: &mut Random) -> (f64, f64) {
    let (mut length, mut sum) = (0.0, 0.0);
    for _ in 0..PLAYOUTS {
        let mut state = table.state.clone();
        length += table.engine.playout(&mut state, false, random).expect("runs") as f64;
        let bound = f64::from(table.engine.score_bound(player));
        sum += f64::from(table.engine.score(&state, player)) / bound;
    }
    (length / PLAYOUTS as f64, sum / PLAYOUTS as f64)
}

/// True if after every reply there is a move after which the opponent cannot win in one again.
fn survives(table: &mut Table, player: usize) -> bool {
    if table.player() == player {
        return true;
    }
    let replies = table.legal();
    replies.iter().all(|reply| {
        table.behind(reply, |table| {
            let moves = table.legal();
            moves.is_empty()
                || moves.iter().any(|m| table.behind(m, |table| !opponent_wins(table, player)))
        })
    })
}
