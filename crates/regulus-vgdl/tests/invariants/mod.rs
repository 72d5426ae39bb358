//! What must hold of every text of a game and of a level. The properties, the seeded mutations and the
//! endless fuzzing of `fuzz/` share it.

use std::sync::Arc;

use regulus_game::Random;
use regulus_vgdl::{Diagnostic, Game, Generator, Level, Profile, Severity, State};

/// Ticks that are played of what could be read.
const TICKS: u64 = 40;

/// A game that multiplies its sprites is stopped here: what every tick costs then is known.
const SPRITES: usize = 1000;

/// The line between a game and a level in one text.
pub const SEPARATOR: &str = "\n====\n";

/// Any bytes as a game and a level: the first byte chooses profile, generator and seed.
#[allow(dead_code)]
pub fn check_bytes(bytes: &[u8]) {
    let (choice, bytes) = bytes.split_first().map_or((0, bytes), |(first, rest)| (*first, rest));
    let profile = if choice & 1 == 0 { Profile::Y2021 } else { Profile::Y2015 };
    let seed = u64::from(choice >> 2);
    let random = if choice & 2 == 0 { Generator::own(seed) } else { Generator::java(seed as i64) };
    let text = String::from_utf8_lossy(bytes);
    let (game, level) = text.split_once(SEPARATOR).unwrap_or((&text, "wA"));
    check(game, level, profile, random);
}

/// Reads both. A text with an error gives nothing to play, one without is played for a while. Says whether
/// it was played.
pub fn check(game: &str, level: &str, profile: Profile, random: Generator) -> bool {
    let loaded = Game::load(game, profile);
    check_diagnostics(game, &loaded.diagnostics, loaded.game.is_none());
    let Some(game) = loaded.game else { return false };
    let loaded = Level::load(&game, level);
    check_diagnostics(level, &loaded.diagnostics, loaded.level.is_none());
    let Some(level) = loaded.level else { return false };
    play(&level, random);
    true
}

/// There is an error exactly if there is no result, and every place is in the text.
fn check_diagnostics(text: &str, diagnostics: &[Diagnostic], is_missing: bool) {
    let is_error = |one: &&Diagnostic| one.severity() == Severity::Error;
    let error = diagnostics.iter().find(is_error);
    assert_eq!(is_missing, error.is_some(), "{diagnostics:?}\n{text}");
    // A line ends as for a Java reader; after a last line end there is no line.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let lines: Vec<&str> = text.split(['\n', '\r']).collect();
    for diagnostic in diagnostics {
        let place = diagnostic.place;
        let line = (place.line as usize).checked_sub(1).and_then(|index| lines.get(index));
        let length = line.map(|line| line.chars().count() as u32);
        let inside = 1 <= place.column
            && place.column <= place.end
            && length.is_some_and(|length| place.end <= length + 1);
        assert!(inside, "{diagnostic} ends at {} of {length:?}\n{text}", place.end);
        assert!(!diagnostic.message.is_empty());
    }
}

fn play(level: &Arc<Level>, random: Generator) {
    let mut state = State::new(level, random.clone());
    let mut copy = State::new(level, random);
    let mut choices = Random::new(7);
    let (width, height) = level.size();
    assert!(width > 0 && height > 0 && level.block_size() > 0);
    for tick in 0..TICKS {
        let actions = state.actions();
        if actions.is_empty() || state.sprite_count() > SPRITES {
            break;
        }
        assert_eq!(state.tick() as u64, tick);
        let action = actions[choices.below(actions.len() as u64) as usize];
        state.advance(action);
        copy.advance(action);
        assert_eq!(state.fingerprint(), copy.fingerprint(), "the same game twice");
    }
    state.observation_grid();
    state.events();
    state.avatar();
}
