//! The games that come with Regulus, as text.
//!
//! Every description is our own, written from the rules of the game. Each file opens with a comment:
//! its first line is the name and the goal, then the rules in a few lines, the variant, the turn
//! limit and what scores mean.
//!
//! [`GAMES`] are board games in RBG, [`VIDEO_GAMES`] are video games in VGDL with three levels each.
//!
//! ```
//! let hex = regulus_games::find("Hex").expect("it is built in");
//! assert_eq!((hex.name, hex.title_and_goal().0), ("hex", "Hex"));
//! assert_eq!(regulus_games::find_video("caravan").map(|game| game.levels.len()), Some(3));
//! ```
//!
//! What is **not** here: anything that reads or plays a game.

mod introduction;
mod names;
mod video;

pub use video::{VIDEO_GAMES, VideoGame, find_video};

/// A built-in board game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuiltIn {
    /// The name on the command line, in kebab case.
    pub name: &'static str,
    /// Other names it is known by.
    pub aliases: &'static [&'static str],
    /// Its description.
    pub text: &'static str,
}

macro_rules! games {
    ($( $name:literal $( ($($alias:literal),*) )? ),* $(,)?) => {
        /// All built-in board games, sorted by name.
        pub const GAMES: &[BuiltIn] = &[ $( BuiltIn {
            name: $name,
            aliases: &[ $( $($alias),* )? ],
            text: include_str!(concat!("../rbg/", $name, ".rbg")),
        } ),* ];
    };
}

games! {
    "amazons",
    "atarigo",
    "breakthrough",
    "breakthru",
    "chess",
    "chess-king-capture" ("chess-no-check", "chess-without-check"),
    "connect-four" ("connect4"),
    "domineering",
    "eight-puzzle" ("8-puzzle"),
    "english-draughts" ("checkers", "draughts"),
    "fox-and-hounds",
    "go",
    "gomoku" ("gomoku-standard"),
    "hare-and-hounds",
    "hex",
    "hexxagon",
    "knightthrough",
    "misere-breakthrough",
    "misere-domineering",
    "misere-knightthrough",
    "morpion-solitaire" ("morpion", "join-five"),
    "nogo",
    "peg-solitaire",
    "pentago",
    "reversi" ("othello"),
    "rolit",
    "skirmish",
    "the-mill-game" ("nine-mens-morris", "mill"),
    "tic-tac-toe",
    "yavalath",
}

/// How comments begin.
const MARK: &str = "//";

impl BuiltIn {
    /// The name and the goal from the first line of the description: `("Hex", "Join your two
    /// sides.")`.
    pub fn title_and_goal(&self) -> (&'static str, &'static str) {
        introduction::title_and_goal(self.text, MARK)
    }

    /// The opening comment without its slashes.
    pub fn rules_in_words(&self) -> String {
        introduction::rules_in_words(self.text, MARK)
    }
}

/// Finds a game by its name or an alias, whatever the case and the separators.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    let wanted = names::folded(name);
    let is_wanted = |known: &&str| names::folded(known) == wanted;
    GAMES.iter().find(|g| std::iter::once(&g.name).chain(g.aliases).any(is_wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/rbg");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap().replace(".rbg", ""))
            .collect();
        files.sort();
        assert_eq!(files, GAMES.iter().map(|g| g.name).collect::<Vec<_>>());
    }

    #[test]
    fn every_game_introduces_itself() {
        for game in GAMES {
            let (title, goal) = game.title_and_goal();
            assert!(!title.is_empty() && goal.ends_with('.'), "{}: {title} / {goal}", game.name);
            let words = game.rules_in_words();
            for line in ["Variant:", "Turn limit:", "Scores:"] {
                assert!(words.contains(line), "{} has no line `{line}`", game.name);
            }
        }
    }

    #[test]
    fn names_are_found_in_any_spelling() {
        for name in ["theMillGame", "The Mill Game", "the_mill_game", "mill"] {
            assert_eq!(find(name).map(|g| g.name), Some("the-mill-game"), "{name}");
        }
        assert_eq!(find("breakthruogh"), None);
    }
}
