//! The same game without shared layers, index and contacts: every sprite against every other, as the
//! reference frameworks do it. Slow and simple; tests compare it with the engine at every tick.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use regulus_game::Random;

use super::{Engine, Scratch};
use crate::sprite::Ref;
use crate::{Game, Generator, Level, Profile, State, trace};

impl Engine<'_> {
    fn family(&self, id: u16) -> Vec<Ref> {
        let mut list = Vec::new();
        for &member in &self.kind(id).family {
            self.members(member, &mut list);
        }
        list
    }

    /// All collisions, by looking at everything.
    pub(super) fn collide_simply(&mut self) {
        let game = self.game;
        for pair in &game.interactions.pairs {
            for &effect in &pair.effects {
                let name = game.interactions.effects[usize::from(effect)].name;
                if self.scratch.shields.contains(&(pair.first, pair.second, name)) {
                    continue;
                }
                let (firsts, seconds) = (self.family(pair.first), self.family(pair.second));
                if self.old {
                    self.effect_of_2015(effect, &firsts, &seconds);
                } else {
                    self.effect_of_2021(effect, &firsts, &seconds);
                }
            }
        }
    }

    fn effect_of_2021(&mut self, effect: u16, firsts: &[Ref], seconds: &[Ref]) {
        for &first in firsts {
            let meets = |second: &Ref| *second != first && self.overlap(first, *second);
            let hits: Vec<Ref> = seconds.iter().copied().filter(meets).collect();
            for second in hits {
                if !self.is_killed(first) && self.overlap(first, second) {
                    self.execute_meeting(effect, first, second);
                    self.record_event(first, second);
                }
            }
        }
    }

    fn effect_of_2015(&mut self, effect: u16, firsts: &[Ref], seconds: &[Ref]) {
        let block = self.level.block;
        let bucket = |engine: &Self, sprite: Ref| {
            let y = sprite.slot().map_or(0, |slot| engine.sprite(slot).row_y);
            (y / block, y % block == 0)
        };
        let buckets = |engine: &Self, sprites: &[Ref]| {
            let mut rows: std::collections::BTreeMap<i32, Vec<Ref>> = Default::default();
            for &sprite in sprites {
                rows.entry(bucket(engine, sprite).0).or_default().push(sprite);
            }
            rows
        };
        let (first_rows, second_rows) = (buckets(self, firsts), buckets(self, seconds));
        for first in first_rows.into_values().flatten() {
            let (row, sharp) = bucket(self, first);
            let rows = if sharp { [row - 1, row] } else { [row, row + 1] };
            for second in rows.iter().filter_map(|row| second_rows.get(row)).flatten() {
                if !self.is_killed(first) && *second != first && self.overlap(first, *second) {
                    self.execute_meeting(effect, first, *second);
                    self.record_event(first, *second);
                }
            }
        }
    }
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
}

fn compare(game: &Path, level: &Path, profile: Profile, seeds: std::ops::Range<u64>) {
    let name = level.display();
    let loaded = Game::load(&read(game), profile);
    let game = loaded.game.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
    let text = read(level);
    let loaded = Level::load(&game, &text);
    let shared = loaded.level.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
    let plain: Arc<Level> = Level::load_plain(&game, &text).expect("it was loaded above");
    for seed in seeds {
        let mut fast = State::new(&shared, Generator::java(seed as i64));
        let mut simple = State::new(&plain, Generator::java(seed as i64));
        let mut scratch = Scratch::default();
        scratch.simple = true;
        let mut random = Random::new(seed);
        let mut action = 0;
        for tick in 0..150 {
            assert_eq!(
                trace::line(&fast),
                trace::line(&simple),
                "{name}, seed {seed}, tick {tick}"
            );
            assert_eq!(fast.events(), simple.events(), "{name}, seed {seed}, tick {tick}");
            let actions = fast.actions();
            if actions.is_empty() {
                break;
            }
            // Keeping to an action gets further than changing it all the time.
            if random.below(2) == 0 {
                action = random.below(actions.len() as u64) as usize;
            }
            let chosen = actions[action % actions.len()];
            // A copy in between must not make a difference.
            let mut copy = fast.clone();
            copy.advance(chosen);
            fast.advance(chosen);
            assert_eq!(copy.fingerprint(), fast.fingerprint(), "{name}, seed {seed}, tick {tick}");
            Engine::new(&plain, &mut simple.data, &mut scratch).advance(chosen);
        }
    }
}

#[test]
fn the_engine_is_the_simple_engine() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for (name, profile) in [
        ("orchard", Profile::Y2021),
        ("harbour", Profile::Y2021),
        ("depot", Profile::Y2015),
        ("depot", Profile::Y2021),
    ] {
        let game = data.join(format!("{name}.txt"));
        // Only 2015 reads an unknown resource as one that nobody has.
        if name == "depot" && profile == Profile::Y2021 {
            assert!(Game::load(&read(&game), profile).game.is_none());
            continue;
        }
        compare(&game, &data.join(format!("{name}_lvl0.txt")), profile, 0..10);
    }
}

#[test]
fn the_engine_is_the_simple_engine_on_shared_games() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("REGULUS_SHARED").map_or_else(beside, PathBuf::from);
    for profile in [Profile::Y2015, Profile::Y2021] {
        let folder = shared.join("games/vgdl").join(profile.name());
        let Ok(entries) = std::fs::read_dir(&folder) else {
            println!("skipped: {} is not there", folder.display());
            continue;
        };
        for entry in entries {
            let level = entry.unwrap().path();
            let stem = level.file_stem().unwrap().to_string_lossy().into_owned();
            let Some((name, number)) = stem.split_once("_lvl") else { continue };
            let seed: u64 = number.parse().unwrap();
            compare(&folder.join(format!("{name}.txt")), &level, profile, seed..seed + 1);
        }
    }
}
