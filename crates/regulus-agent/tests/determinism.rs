//! With a limit in simulations or states, an agent does the same whenever it is asked, over several turns.

use regulus_agent::{Agent, COLLECTION, by_name};
use regulus_rbg::Source;
use regulus_reasoner::native::Native;
use regulus_search::config::Limits;
use regulus_search::{MoveReport, Search, SearchResult, Searcher};

/// Everything an agent says in three turns.
fn turns(agent: &Agent, native: &Native, limits: &Limits) -> Vec<(SearchResult, Vec<MoveReport>)> {
    let mut search =
        Search::new(native.worker(), agent.search.tree_search().expect("MCTS").clone())
            .expect("runs");
    let turn = |_| {
        let thought = search.think(limits).expect("runs");
        let moves = search.moves();
        search.advance(thought.chosen.as_ref().expect("a move")).expect("runs");
        (thought, moves)
    };
    (0..3).map(turn).collect()
}

#[test]
fn every_agent_of_the_collection_repeats_itself() {
    let text = regulus_games::find("knightthrough").expect("built in").text;
    let game = regulus_rbg::load(&Source::new("knightthrough", text)).game.expect("valid");
    for name in COLLECTION {
        let agent = by_name(name).unwrap_or_else(|e| panic!("{e}"));
        let native = Native::new(&agent.game(&game)).expect("supported");
        for limits in [Limits::simulations(300), Limits::states(9000)] {
            let first = turns(&agent, &native, &limits);
            // Compiled again: where code and data lie in memory decides nothing either.
            let again = Native::new(&agent.game(&game)).expect("supported");
            assert_eq!(first, turns(&agent, &again, &limits), "{name} {limits:?}");
        }
    }
}
