//! Between which moves it does not matter where the pointer stands: positions that differ in nothing else go on
//! alike. A turn that begins with a walk to any square, as most do, leads to the same squares from everywhere.

use super::Analysis;
use super::relation::is_static;
use super::segments::{NodeId, Position, PositionId, Transition};
use crate::id::IdVec;

/// For every position of the walk, whether the pointer is free. Only what is certain counts.
pub(crate) fn free(
    analysis: &Analysis,
    positions: &IdVec<PositionId, Position>,
) -> IdVec<PositionId, bool> {
    let leaves_anywhere = |position: &Position| {
        position.hands_over && position.node.is_some_and(|node| forgets(analysis, node))
    };
    positions.iter().map(leaves_anywhere).collect()
}

/// True if every way on from a node comes to the same squares whatever the square.
pub(crate) fn forgets(analysis: &Analysis, node: NodeId) -> bool {
    let segments = &analysis.segments;
    let transitions = &segments[segments.canonical(node)];
    transitions.iter().all(|(transition, _)| {
        let Transition::Pure(rules) = transition else { return false };
        let run = rules.iter().take_while(|rule| is_static(rule)).count();
        // The longest prefix may depend on the square where a shorter one does not.
        (1..=run).any(|len| analysis.relation(&rules[..len]).constant.is_some())
    })
}

#[cfg(test)]
mod tests {
    use regulus_game::{Engine, Moves, Random};
    use regulus_rbg::Source;

    use crate::native::Native;

    /// Random games: wherever the pointer is free, the moves are the same with the pointer anywhere else.
    fn check(name: &str) -> usize {
        let text = regulus_games::find(name).expect("built in").text;
        let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
        let native = Native::new(&game).expect("supported");
        let pointer = native.plain.layout.pointer();
        let (mut engine, mut random) = (native.worker(), Random::new(3));
        let (mut moves, mut others, mut free) = (Moves::new(), Moves::new(), 0);
        for _ in 0..3 {
            let mut state = engine.initial();
            while engine.run_keeper(&mut state).expect("runs") {
                engine.list(&mut state, &mut moves).expect("runs");
                if moves.is_empty() {
                    break;
                }
                let mut moved = state.clone();
                let squares = game.board.len() as u64;
                moved.write(pointer, random.below(squares));
                if engine.position_key(&moved) == engine.position_key(&state) && moved != state {
                    free += 1;
                    engine.list(&mut moved, &mut others).expect("runs");
                    assert!(moves.iter().eq(others.iter()), "{name}");
                }
                let chosen = random.below(moves.len() as u64) as usize;
                engine.apply(&mut state, moves.get(chosen));
            }
        }
        free
    }

    #[test]
    fn moves_are_the_same_wherever_a_free_pointer_stands() {
        for game in ["breakthrough", "connect-four", "tic-tac-toe", "amazons", "hex"] {
            assert!(check(game) > 10, "{game}: the pointer is never free");
        }
        for game in ["chess", "checkers", "reversi"] {
            check(game);
        }
    }
}
