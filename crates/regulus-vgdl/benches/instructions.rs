//! Instructions that reading, copying and playing video games takes, counted by valgrind's callgrind: the
//! same number on a busy machine as on an idle one.
//!
//! `cargo bench -p regulus-vgdl` needs `valgrind` and nothing else; `-- orchard` measures that game only. The
//! benchmark runs itself under valgrind once per game. Every measured call goes through [`measured`]:
//! callgrind sets its counters to zero before that function and writes them down behind it.

#[path = "../../../benches/callgrind.rs"]
mod callgrind;

use std::process::ExitCode;

use callgrind::{Benchmark, measured};
use regulus_game::Random;
use regulus_vgdl::{Game, Generator, Level, Profile, State};

/// A name, a game, a level of it and its rules.
type Example = (&'static str, &'static str, &'static str, Profile);

/// The games of the tests: between them they have most classes and effects.
const GAMES: [Example; 3] = [
    (
        "orchard",
        include_str!("../tests/data/orchard.txt"),
        include_str!("../tests/data/orchard_lvl0.txt"),
        Profile::Y2021,
    ),
    (
        "harbour",
        include_str!("../tests/data/harbour.txt"),
        include_str!("../tests/data/harbour_lvl0.txt"),
        Profile::Y2021,
    ),
    (
        "depot",
        include_str!("../tests/data/depot.txt"),
        include_str!("../tests/data/depot_lvl0.txt"),
        Profile::Y2015,
    ),
];

/// What is measured, in this order.
const MEASURED: [&str; 7] =
    ["load game", "load level", "new state", "copy", "100 playouts", "observations", "fingerprint"];

/// Random ticks of a playout, after a copy.
const DEPTH: usize = 10;

/// Does everything once, in the order of [`MEASURED`].
fn run(name: &str) {
    let (_, game, level, profile) =
        GAMES.into_iter().find(|one| one.0 == name).expect("a game of the list");
    let game = measured(&mut || Game::load(game, profile)).game.expect("the game is right");
    let level = measured(&mut || Level::load(&game, level)).level.expect("so is its level");
    let state = measured(&mut || State::new(&level, Generator::own(1)));
    let mut copy = state.clone();
    let mut random = Random::new(7);
    let mut playout = |copy: &mut State| {
        copy.clone_from(&state);
        copy.set_generator(Generator::own(random.bits()));
        for _ in 0..DEPTH {
            let actions = copy.actions();
            if actions.is_empty() {
                break;
            }
            copy.advance(actions[random.below(actions.len() as u64) as usize]);
        }
    };
    // Some before it counts: memory is there then.
    (0..100).for_each(|_| playout(&mut copy));
    measured(&mut || copy.clone_from(&state));
    measured(&mut || (0..100).for_each(|_| playout(&mut copy)));
    measured(&mut || copy.observation_grid());
    measured(&mut || copy.fingerprint());
}

fn main() -> ExitCode {
    Benchmark { examples: &GAMES.map(|one| one.0), calls: &MEASURED, run }.main()
}
