//! Plays a game of random moves: `cargo run --example random_game -- hex`.

use regulus_game::Random;
use regulus_rbg::{Source, declarations::Player, load};
use regulus_reasoner::Interpreter;

fn main() {
    let name = std::env::args().nth(1).unwrap_or("tic-tac-toe".to_owned());
    let text = regulus_games::find(&name).expect("a built-in game").text;
    let game = load(&Source::new(name, text)).game.expect("built-in games are right");
    let interpreter = Interpreter::new(&game);
    let (mut worker, mut state) = (interpreter.worker(), interpreter.initial());
    let mut random = Random::new(2026);
    while worker.keeper(&mut state).expect("the keeper comes to an end") {
        let Some(steps) = worker.sample(&mut state, &mut random).expect("moves") else { break };
        println!("{}: {steps:?}", game.declarations.player_name(state.player()));
        worker.apply(&mut state, &steps);
    }
    for player in (1..=game.declarations.players().len()).map(|p| Player(p as u8)) {
        println!("{} scores {}", game.declarations.player_name(player), state.score(player));
    }
}
