//! With a limit in iterations or ticks, an agent for video games does the same whenever it is asked.

use regulus_agent::{VIDEO_COLLECTION, VideoAgent, video_by_name};
use regulus_game::Random;
use regulus_games::find_video;
use regulus_search::config::Limits;
use regulus_search::video::{Algorithm, Decision, Player};
use regulus_vgdl::{Action, Game, Generator, Level, Profile, State};

fn beginning(game: &str) -> State {
    let built_in = find_video(game).expect("built in");
    let game = Game::load(built_in.text, Profile::Y2021).game.expect("no errors");
    let level = Level::load(&game, built_in.levels[0]).level.expect("no errors");
    State::new(&level, Generator::Own(Random::new(5)))
}

/// Everything an agent says in ten ticks.
fn ticks(agent: &VideoAgent, mut state: State, limits: &Limits) -> Vec<Decision<Action>> {
    let mut player = Player::new(&agent.config).unwrap_or_else(|e| panic!("{}: {e}", agent.name));
    player.begin(&state, limits);
    let mut decisions = Vec::new();
    while decisions.len() < 10 && !state.is_over() {
        let decision = player.act(&state, limits);
        state.advance(decision.action);
        decisions.push(decision);
    }
    decisions
}

#[test]
fn every_agent_of_the_collection_repeats_itself() {
    for game in ["candle-night", "tidal-caves"] {
        let state = beginning(game);
        for name in VIDEO_COLLECTION {
            let agent = video_by_name(name).unwrap_or_else(|e| panic!("{e}"));
            for limits in [Limits::simulations(25), Limits::states(250)] {
                let first = ticks(&agent, state.clone(), &limits);
                assert_eq!(
                    first,
                    ticks(&agent, state.clone(), &limits),
                    "{name} {game} {limits:?}"
                );
                let searches = agent.config.algorithm != Algorithm::Random;
                assert!(first.iter().all(|d| d.iterations > 0) == searches, "{name} {game}");
            }
        }
    }
}

/// The seed of a configuration is where its random numbers come from.
#[test]
fn other_seeds_do_something_else() {
    let state = beginning("tidal-caves");
    for name in ["vg-random", "vg-ol-mcts", "vg-rhea"] {
        let mut agent = video_by_name(name).expect("built in");
        let limits = Limits::simulations(25);
        let first = ticks(&agent, state.clone(), &limits);
        agent.config.seed = 1;
        assert_ne!(first, ticks(&agent, state.clone(), &limits), "{name}");
    }
}
