//! The built-in video games: they load without a word, every level can be won, and random play is
//! no way to do it.
//!
//! `playthroughs/NAME_lvlK.txt` has recorded games of a level. A recording begins with a line
//! `win|loss PROFILE SEED`; then come lines of actions, each followed by the state after it as a
//! line of a trace. `REGULUS_BLESS=1` rewrites the states and keeps the actions; how a recording ends
//! is never rewritten.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use regulus_game::Random;
use regulus_games::{VIDEO_GAMES, VideoGame};
use regulus_vgdl::{
    Action, Game, Generator, Level, MAX_TICKS, Profile, SpriteType, State, Winner, trace,
};

/// The profiles that a game promises in its opening comment.
fn profiles(game: &VideoGame) -> Vec<Profile> {
    let words = game.rules_in_words();
    let promise = words.lines().find_map(|line| line.strip_prefix("Profiles: ")).unwrap();
    match promise.split(['.', ';']).next() {
        Some("2015 and 2021") => vec![Profile::Y2015, Profile::Y2021],
        Some("2021 only") => vec![Profile::Y2021],
        _ => panic!("{}: which profiles are meant by `{promise}`?", game.name),
    }
}

fn load(game: &VideoGame, level: usize, profile: Profile) -> Arc<Level> {
    let name = game.name;
    let loaded = Game::load(game.text, profile);
    assert_eq!(loaded.diagnostics, [], "{name} {profile}");
    let loaded = Level::load(&loaded.game.unwrap(), game.levels[level]);
    assert_eq!(loaded.diagnostics, [], "{name} {level} {profile}");
    loaded.level.unwrap()
}

/// Every game, level and promised profile.
fn each_level(mut action: impl FnMut(&VideoGame, usize, Arc<Level>)) {
    for game in VIDEO_GAMES {
        for profile in profiles(game) {
            for level in 0..game.levels.len() {
                action(game, level, load(game, level, profile));
            }
        }
    }
}

fn random_action(state: &State, random: &mut Random) -> Action {
    let actions = state.actions();
    actions[random.below(actions.len() as u64) as usize]
}

#[test]
fn all_load_without_diagnostics_under_the_promised_profiles() {
    let mut levels = 0;
    each_level(|game, number, level| {
        levels += 1;
        let (width, height) = level.size();
        let fits = (10..=30).contains(&width) && (8..=15).contains(&height);
        assert!(fits, "{} {number} has {width}x{height} cells", game.name);
    });
    // Two games need what only 2021 has; if that changes, their comments should say so.
    assert_eq!(levels, 12 * 3 + 10 * 3);
    for game in VIDEO_GAMES.iter().filter(|game| profiles(game).len() == 1) {
        assert!(Game::load(game.text, Profile::Y2015).game.is_none(), "{}", game.name);
    }
}

/// Together they are examples of most of the language.
#[test]
fn they_show_many_classes() {
    let mut classes = std::collections::BTreeSet::new();
    for game in VIDEO_GAMES {
        let loaded = Game::load(game.text, Profile::Y2021).game.unwrap();
        let leaves = loaded.types().iter().filter(|kind| kind.leaf);
        classes.extend(leaves.filter_map(|kind| kind.class).map(|class| class.name()));
    }
    assert!(classes.len() >= 20, "only {classes:?}");
}

/// Games are for people, too: they see colours.
#[test]
fn every_sprite_that_can_exist_has_a_colour() {
    for game in VIDEO_GAMES {
        let loaded = Game::load(game.text, Profile::Y2021).game.unwrap();
        let visible = |kind: &&SpriteType| kind.leaf && !kind.hidden && kind.name != "wall";
        for kind in loaded.types().iter().filter(visible) {
            assert!(kind.colour.is_some(), "{}: {} has no colour", game.name, kind.name);
        }
    }
}

/// A recorded game.
struct Recording {
    outcome: String,
    profile: Profile,
    seed: u64,
    actions: String,
}

const TICKS_PER_LINE: usize = 20;

impl Recording {
    fn read_all(text: &str) -> Vec<Recording> {
        let mut found: Vec<Recording> = Vec::new();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                [outcome @ ("win" | "loss"), profile, seed] => found.push(Recording {
                    outcome: outcome.to_owned(),
                    profile: profile.parse().unwrap(),
                    seed: seed.parse().unwrap(),
                    actions: String::new(),
                }),
                [actions] => found.last_mut().unwrap().actions.push_str(actions),
                ["=", ..] => {}
                _ => panic!("not a line of a playthrough: {line}"),
            }
        }
        found
    }

    /// Plays it; gives the text of the recording with the states as they are now.
    fn replay(&self, name: &str, level: &Arc<Level>) -> String {
        let Recording { outcome, profile, seed, actions } = self;
        let mut text = format!("{outcome} {profile} {seed}\n");
        let mut state = State::new(level, Generator::own(*seed));
        let letters: Vec<char> = actions.chars().collect();
        for line in letters.chunks(TICKS_PER_LINE) {
            for &letter in line {
                assert!(!state.is_over(), "{name}: over at tick {}", state.tick());
                state.advance(Action::from_letter(letter).unwrap());
            }
            writeln!(text, "{}\n= {}", line.iter().collect::<String>(), trace::line(&state))
                .unwrap();
        }
        let winner = if outcome == "win" { Winner::Won } else { Winner::Lost };
        let end = (state.is_over(), state.winner());
        assert_eq!(end, (true, winner), "{name}: {outcome} {profile} {seed}");
        assert!(state.tick() < MAX_TICKS, "{name}: only the clock ended it");
        text
    }
}

#[test]
fn every_level_can_be_won_and_every_game_lost() {
    let bless = std::env::var_os("REGULUS_BLESS").is_some();
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/playthroughs"));
    for game in VIDEO_GAMES {
        let mut lost = false;
        for level in 0..game.levels.len() {
            let name = format!("{}_lvl{level}", game.name);
            let path = folder.join(format!("{name}.txt"));
            let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
            let recordings = Recording::read_all(&text);
            let mut now = String::new();
            for recording in &recordings {
                now += &recording.replay(&name, &load(game, level, recording.profile));
            }
            for profile in profiles(game) {
                let is_win = |one: &Recording| one.outcome == "win" && one.profile == profile;
                assert!(recordings.iter().any(is_win), "{name} is never won under {profile}");
            }
            lost |= recordings.iter().any(|one| one.outcome == "loss");
            if bless {
                std::fs::write(&path, now).unwrap();
            } else {
                assert_eq!(text, now, "{name}: REGULUS_BLESS=1 accepts the new states");
            }
        }
        assert!(lost, "{} has no recording of a loss", game.name);
    }
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, 3 * VIDEO_GAMES.len(), "files that belong to no level");
}

/// The most sprites that a level should ever have; levels begin with at most about 400.
const MANY_SPRITES: usize = 500;

#[test]
fn random_play_stays_within_limits() {
    each_level(|game, number, level| {
        let mut random = Random::new(number as u64);
        let mut seed = 0;
        let mut state = State::new(&level, Generator::own(seed));
        for _ in 0..MAX_TICKS {
            if state.is_over() {
                seed += 1;
                state = State::new(&level, Generator::own(seed));
            }
            state.advance(random_action(&state, &mut random));
            let sprites = state.sprite_count();
            assert!(sprites <= MANY_SPRITES, "{} {number}: {sprites} sprites", game.name);
        }
    });
}

/// Wins of random play, and how many different scores it ends with.
fn random_games(level: &Arc<Level>, games: u64) -> (u64, usize) {
    let mut won = 0;
    let mut scores = std::collections::BTreeSet::new();
    for seed in 0..games {
        let mut random = Random::new(seed).fork(1);
        let mut state = State::new(level, Generator::own(seed));
        while !state.is_over() {
            state.advance(random_action(&state, &mut random));
        }
        won += u64::from(state.winner() == Winner::Won);
        scores.insert(state.score());
    }
    (won, scores.len())
}

/// Measured over 500 games and more: 4 % of the hardest level of `sheepdog`, less than 1 % of every
/// other.
#[test]
fn random_play_rarely_wins_the_hardest_level_and_sees_scores() {
    let mut with_signal = 0;
    for game in VIDEO_GAMES {
        let (won, scores) = random_games(&load(game, 2, Profile::Y2021), 40);
        assert!(won <= 10, "{}: random play won {won} of 40", game.name);
        with_signal += usize::from(scores >= 3);
    }
    // Pure puzzles need not reward chance.
    assert!(with_signal >= 8, "random play sees scores in {with_signal} games only");
}

#[test]
fn copies_equal_originals() {
    each_level(|game, number, level| {
        let mut random = Random::new(7);
        let mut state = State::new(&level, Generator::own(7));
        let mut reused = State::new(&level, Generator::own(8));
        for tick in 0..60 {
            if state.is_over() {
                break;
            }
            if tick % 6 == 0 {
                let mut copy = state.clone();
                reused.clone_from(&state);
                let before = state.fingerprint();
                let mut ahead = random.fork(tick);
                for _ in 0..6 {
                    if copy.is_over() {
                        break;
                    }
                    let action = random_action(&copy, &mut ahead);
                    copy.advance(action);
                    reused.advance(action);
                    assert_eq!(copy.fingerprint(), reused.fingerprint(), "{} {number}", game.name);
                    assert_eq!(trace::line(&copy), trace::line(&reused), "{} {number}", game.name);
                }
                assert_eq!(state.fingerprint(), before, "{} {number}", game.name);
            }
            state.advance(random_action(&state, &mut random));
        }
    });
}
