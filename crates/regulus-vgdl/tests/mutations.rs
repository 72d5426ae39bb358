//! A bounded, repeatable run of fuzzing: seeded mutations of games and levels. The endless kind is the
//! target `vgdl` in `fuzz/`, which checks the same [`invariants`].

mod invariants;

use std::panic::{AssertUnwindSafe, catch_unwind};

use regulus_game::Random;
use regulus_vgdl::{Generator, Profile};

/// Cases in one run; a debug build takes some seconds for them.
const CASES: u64 = 6000;

const GAMES: [(&str, &str); 3] = [
    (include_str!("data/orchard.txt"), include_str!("data/orchard_lvl0.txt")),
    (include_str!("data/harbour.txt"), include_str!("data/harbour_lvl0.txt")),
    (include_str!("data/depot.txt"), include_str!("data/depot_lvl0.txt")),
];

/// What mutations insert.
const WORDS: [&str; 64] = [
    "BasicGame",
    "SpriteSet",
    "InteractionSet",
    "LevelMapping",
    "TerminationSet",
    ">",
    "EOS",
    "TIME",
    "avatar",
    "wall",
    "null",
    "#",
    "\t",
    "    ",
    "=",
    "k=",
    "Immovable",
    "Passive",
    "Missile",
    "RandomMissile",
    "Chaser",
    "PathChaser",
    "RandomPathAltChaser",
    "SpawnPoint",
    "SpawnPointMultiSprite",
    "Bomber",
    "RandomBomber",
    "Flicker",
    "Spreader",
    "Portal",
    "Door",
    "Resource",
    "ShootAvatar",
    "OngoingTurningAvatar",
    "FlakAvatar",
    "BirdAvatar",
    "stepBack",
    "stepBack pixelPerfect=True",
    "undoAll",
    "killSprite",
    "killBoth",
    "cloneSprite",
    "bounceForward",
    "pullWithIt",
    "wrapAround offset=7",
    "teleportToExit",
    "wallBounce",
    "turnAround",
    "flipDirection",
    "addTimer timer=2 ftype=killAll stype=avatar repeating=True",
    "shieldFrom stype=wall ftype=stepBack",
    "changeResource resource=wall value=-3",
    "speed=-1",
    "speed=1e300",
    "speed=NaN",
    "cooldown=2147483647",
    "limit=-2147483648",
    "prob=0.5",
    "square_size=1",
    "square_size=999",
    "orientation=NIL",
    "singleton=True",
    "repeat=3",
    "scoreChange=2147483647",
];

fn pick<'a>(random: &mut Random, list: &[&'a str]) -> &'a str {
    list[random.below(list.len() as u64) as usize]
}

/// Changes lines of a game.
fn mutate_game(random: &mut Random, text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.below(4) {
        if lines.is_empty() {
            break;
        }
        let at = random.below(lines.len() as u64) as usize;
        let other = random.below(lines.len() as u64) as usize;
        match random.below(8) {
            0 => {
                lines.remove(at);
            }
            1 => {
                let line = lines[other].clone();
                lines.insert(at, line);
            }
            2 => lines.swap(at, other),
            3 => {
                let margin = " ".repeat(random.below(12) as usize);
                lines[at] = format!("{margin}{}", lines[at].trim_start());
            }
            4 => lines[at] = lines[at].replacen(' ', "\t", 1 + random.below(3) as usize),
            5 => {
                // A line that some other line could have had, with one word of this one.
                let mut words: Vec<&str> = lines[at].split(' ').collect();
                let old: Vec<&str> = lines[other].split_whitespace().collect();
                let place = random.below(words.len() as u64) as usize;
                if !old.is_empty() {
                    words[place] = pick(random, &old);
                }
                lines[at] = words.join(" ");
            }
            6 => {
                let mut words: Vec<&str> = lines[at].split(' ').collect();
                let place = random.below(words.len() as u64) as usize;
                words[place] = pick(random, &WORDS);
                lines[at] = words.join(" ");
            }
            _ => {
                let word = pick(random, &WORDS);
                lines[at] = format!("{} {word}", lines[at]);
            }
        }
    }
    lines.join("\n")
}

/// Changes characters of a level.
fn mutate_level(random: &mut Random, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..random.below(5) {
        let at = random.below(characters.len() as u64 + 1) as usize;
        let others: Vec<char> = "A.w \n\tÄ#%".chars().chain(characters.iter().copied()).collect();
        let new = others[random.below(others.len() as u64) as usize];
        match random.below(3) {
            0 => characters.insert(at, new),
            1 if at < characters.len() => {
                characters.remove(at);
            }
            _ if at < characters.len() => characters[at] = new,
            _ => {}
        }
    }
    characters.into_iter().collect()
}

#[test]
fn seeded_mutations() {
    let mut played = 0;
    for case in 0..CASES {
        let mut random = Random::new(case);
        let (game, level) = GAMES[random.below(GAMES.len() as u64) as usize];
        let profile = if random.below(3) == 0 { Profile::Y2015 } else { Profile::Y2021 };
        let generator =
            if random.below(2) == 0 { Generator::own(case) } else { Generator::java(case as i64) };
        let (game, level) = (mutate_game(&mut random, game), mutate_level(&mut random, level));
        let run = || invariants::check(&game, &level, profile, generator);
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(was_played) => played += u64::from(was_played),
            Err(_) => {
                panic!("case {case}, profile {profile}:\n{game}{}{level}", invariants::SEPARATOR)
            }
        }
    }
    // Most mutations break something, but not all: else nothing but the reader was tried.
    assert!(played > CASES / 20 && played < CASES, "{played} of {CASES} were played");
}
