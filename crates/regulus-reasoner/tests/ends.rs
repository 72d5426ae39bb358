//! What rules tell about the ends of games is true: random games end with scores that were said to be possible.

use regulus_game::{Engine as _, Random};
use regulus_rbg::ends::ends;
use regulus_rbg::{Source, load};
use regulus_reasoner::native::Native;

#[test]
fn games_end_with_scores_that_the_rules_tell() {
    let mut told = 0;
    for built_in in regulus_games::GAMES {
        let game = load(&Source::new(built_in.name, built_in.text)).game.expect("is right");
        let Some(possible) = ends(&game) else { continue };
        told += 1;
        let Ok(native) = Native::new(&game) else { continue };
        let mut worker = native.worker();
        assert_eq!(worker.terminal_scores().as_ref(), Some(&possible), "{}", built_in.name);
        let mut random = Random::new(1);
        for _ in 0..20 {
            let mut state = worker.initial();
            worker.playout(&mut state, false, &mut random).expect("runs");
            let scores: Vec<u32> =
                (1..=worker.players()).map(|player| worker.score(&state, player)).collect();
            assert!(possible.contains(&scores), "{}: {scores:?}", built_in.name);
        }
    }
    assert!(told > 20, "the rules of {told} games tell");
}
