//! Plays a game of random moves: `cargo run --example random_game -- hex`.

use regulus_game::{Engine, Random};
use regulus_rbg::{Source, load};
use regulus_reasoner::native::Native;

fn main() {
    let name = std::env::args().nth(1).unwrap_or("tic-tac-toe".to_owned());
    let text = regulus_games::find(&name).expect("a built-in game").text;
    let game = load(&Source::new(name, text)).game.expect("built-in games are right");
    let native = Native::new(&game).expect("there is code for built-in games");
    let (mut engine, mut state) = (native.worker(), native.initial());
    let (mut random, mut steps) = (Random::new(2026), Vec::new());
    while engine.run_keeper(&mut state).expect("the keeper comes to an end")
        && engine.sample(&mut state, &mut random, &mut steps).expect("moves can be counted")
    {
        println!("{}: {steps:?}", game.declarations.player_name(native.player(&state)));
        engine.apply(&mut state, &steps);
    }
    for player in 1..=engine.players() {
        println!("player {player} scores {}", engine.score(&state, player));
    }
}
