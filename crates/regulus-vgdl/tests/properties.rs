//! Any text is read without panic, and whatever is read can be played.

#![allow(clippy::unwrap_used)]

mod invariants;

use proptest::prelude::*;
use regulus_game::Random;
use regulus_vgdl::{Game, Generator, Level, Profile, State};

const GAMES: [(&str, &str, Profile); 3] = [
    (include_str!("data/orchard.txt"), include_str!("data/orchard_lvl0.txt"), Profile::Y2021),
    (include_str!("data/harbour.txt"), include_str!("data/harbour_lvl0.txt"), Profile::Y2021),
    (include_str!("data/depot.txt"), include_str!("data/depot_lvl0.txt"), Profile::Y2015),
];

/// Reads, and plays for a while what could be read.
fn try_out(game: &str, level: &str, profile: Profile, seed: u64) {
    invariants::check(game, level, profile, Generator::own(seed));
}

/// Words of the language, so that random texts get far.
const WORDS: [&str; 40] = [
    "BasicGame",
    "SpriteSet",
    "InteractionSet",
    "LevelMapping",
    "TerminationSet",
    "avatar",
    "wall",
    "box",
    ">",
    "EOS",
    "TIME",
    "Passive",
    "Missile",
    "Chaser",
    "SpawnPoint",
    "ShootAvatar",
    "Flicker",
    "Spreader",
    "RandomNPC",
    "stepBack",
    "killSprite",
    "transformTo",
    "undoAll",
    "teleportToExit",
    "cloneSprite",
    "addTimer",
    "stype=box",
    "stype=avatar",
    "speed=0.5",
    "cooldown=2",
    "timer=3",
    "ftype=killAll",
    "singleton=True",
    "limit=1",
    "prob=0.5",
    "orientation=LEFT",
    "scoreChange=1",
    "SpriteCounter",
    "Timeout",
    "b",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(game in "\\PC{0,200}", level in "\\PC{0,60}") {
        try_out(&game, &level, Profile::Y2021, 1);
        try_out(&game, &level, Profile::Y2015, 1);
    }

    #[test]
    fn words_of_the_language(
        lines in prop::collection::vec((0usize..6, prop::collection::vec(0..WORDS.len(), 1..6)), 0..25),
        seed in 0u64..1000,
    ) {
        let mut text = "BasicGame\n".to_owned();
        for (indent, words) in &lines {
            text.push_str(&" ".repeat(*indent + 1));
            let words: Vec<&str> = words.iter().map(|&word| WORDS[word]).collect();
            text.push_str(&words.join(" "));
            text.push('\n');
        }
        try_out(&text, "wAb\nb w", Profile::Y2021, seed);
    }

    #[test]
    fn damaged_games(
        which in 0usize..3,
        cuts in prop::collection::vec((0usize..4000, 0usize..12, "[ a-z=>.0-9\t\n]{0,6}"), 1..6),
        seed in 0u64..1000,
    ) {
        let (game, level, profile) = GAMES[which];
        let mut text: Vec<char> = game.chars().collect();
        for (at, length, by) in &cuts {
            let at = at % text.len().max(1);
            let end = (at + length).min(text.len());
            text.splice(at..end, by.chars());
        }
        try_out(&text.iter().collect::<String>(), level, profile, seed);
    }

    #[test]
    fn damaged_levels(
        which in 0usize..3,
        cuts in prop::collection::vec((0usize..400, 0usize..9, "[ A-Za-z~.\n]{0,6}"), 1..6),
        seed in 0u64..1000,
    ) {
        let (game, level, profile) = GAMES[which];
        let mut text: Vec<char> = level.chars().collect();
        for (at, length, by) in &cuts {
            let at = at % text.len().max(1);
            let end = (at + length).min(text.len());
            text.splice(at..end, by.chars());
        }
        try_out(game, &text.iter().collect::<String>(), profile, seed);
    }

    #[test]
    fn copies_are_independent(which in 0usize..3, seed in 0u64..1000, ticks in 1usize..60) {
        let (game, level, profile) = GAMES[which];
        let game = Game::load(game, profile).game.unwrap();
        let level = Level::load(&game, level).level.unwrap();
        let mut random = Random::new(seed);
        let mut state = State::new(&level, Generator::own(seed));
        for _ in 0..ticks {
            let actions = state.actions();
            if actions.is_empty() {
                break;
            }
            state.advance(actions[random.below(actions.len() as u64) as usize]);
        }
        let before = state.fingerprint();
        let mut copy = State::new(&level, Generator::own(9));
        copy.clone_from(&state);
        let mut other = state.clone();
        for _ in 0..20 {
            let actions = copy.actions();
            if actions.is_empty() {
                break;
            }
            let action = actions[random.below(actions.len() as u64) as usize];
            copy.advance(action);
            other.advance(action);
            prop_assert_eq!(copy.fingerprint(), other.fingerprint());
        }
        prop_assert_eq!(state.fingerprint(), before);
    }
}
