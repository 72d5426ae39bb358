//! The built-in video games, written in VGDL.
//!
//! Beside what every description says, the opening comment has the lines `Kind:`, `Ends:`, `Scores:`
//! and `Profiles:`, the rule profiles of the engine under which the game can be played.

use crate::{introduction, names};

/// A built-in video game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VideoGame {
    /// The name on the command line, in kebab case.
    pub name: &'static str,
    /// Its description.
    pub text: &'static str,
    /// Its levels, the easiest first.
    pub levels: [&'static str; 3],
}

macro_rules! video_games {
    ($( $name:literal ),* $(,)?) => {
        /// All built-in video games, sorted by name.
        pub const VIDEO_GAMES: &[VideoGame] = &[ $( VideoGame {
            name: $name,
            text: include_str!(concat!("../vgdl/", $name, ".txt")),
            levels: [
                include_str!(concat!("../vgdl/", $name, "_lvl0.txt")),
                include_str!(concat!("../vgdl/", $name, "_lvl1.txt")),
                include_str!(concat!("../vgdl/", $name, "_lvl2.txt")),
            ],
        } ),* ];
    };
}

video_games! {
    "bubble-reef",
    "candle-night",
    "caravan",
    "cheese-cellar",
    "curling",
    "firefly",
    "henhouse",
    "potting-shed",
    "sheepdog",
    "sluices",
    "tidal-caves",
    "wormhole-post",
}

/// How comments begin.
const MARK: &str = "#";

impl VideoGame {
    /// The name and the goal from the first line of the description.
    pub fn title_and_goal(&self) -> (&'static str, &'static str) {
        introduction::title_and_goal(self.text, MARK)
    }

    /// The opening comment without its marks.
    pub fn rules_in_words(&self) -> String {
        introduction::rules_in_words(self.text, MARK)
    }
}

/// Finds a video game by its name, whatever the case and the separators.
pub fn find_video(name: &str) -> Option<&'static VideoGame> {
    let wanted = names::folded(name);
    VIDEO_GAMES.iter().find(|game| names::folded(game.name) == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/vgdl");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut expected = Vec::new();
        for game in VIDEO_GAMES {
            expected.push(format!("{}.txt", game.name));
            expected.extend((0..3).map(|level| format!("{}_lvl{level}.txt", game.name)));
        }
        expected.sort();
        assert_eq!(files, expected);
        assert!(VIDEO_GAMES.is_sorted_by_key(|game| game.name));
    }

    #[test]
    fn every_game_introduces_itself() {
        for game in VIDEO_GAMES {
            let (title, goal) = game.title_and_goal();
            assert!(!title.is_empty() && goal.ends_with('.'), "{}: {title} / {goal}", game.name);
            assert_eq!(find_video(title), Some(game));
            let words = game.rules_in_words();
            for line in ["\nKind: ", "\nEnds: ", "\nScores: ", "\nProfiles: "] {
                assert!(words.contains(line), "{} has no line `{}`", game.name, line.trim());
            }
        }
    }

    #[test]
    fn the_main_kinds_are_there() {
        let kind = |game: &VideoGame| {
            let words = game.rules_in_words();
            let line = words.lines().find_map(|line| line.strip_prefix("Kind: "));
            line.unwrap().trim_end_matches('.').to_owned()
        };
        let kinds: Vec<String> = VIDEO_GAMES.iter().map(kind).collect();
        for wanted in [
            "shooter", "chaser", "puzzle", "maze", "dodge", "collect", "resource", "portal",
            "spawner", "timer",
        ] {
            assert!(kinds.iter().any(|kind| kind == wanted), "no {wanted} among {kinds:?}");
        }
    }

    #[test]
    fn names_are_found_in_any_spelling() {
        for name in ["bubbleReef", "Bubble Reef", "bubble_reef"] {
            assert_eq!(find_video(name).map(|game| game.name), Some("bubble-reef"), "{name}");
        }
        assert_eq!(find_video("bubbel-reef"), None);
        // Video games are asked for by other names than board games.
        assert!(VIDEO_GAMES.iter().all(|game| crate::find(game.name).is_none()));
    }
}
