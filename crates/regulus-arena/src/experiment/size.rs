//! How much of an experiment is played: its published size takes a cluster, a smaller one a night or a coffee break.

use std::fmt;
use std::str::FromStr;

use regulus_search::config::Limits;
use serde::{Deserialize, Serialize};

use super::declaration::{Declaration, DeclarationError};
use super::declaration_check as check;
use super::kind::Kind;
use super::toml_section::{Entry, Located, Section};
use super::video_declaration;
use crate::budget::Budget;
use crate::video::Levels;

/// How large an experiment is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// At most ten minutes on two processors.
    Coffee,
    /// Eight to ten hours on two processors.
    Night,
    /// As declared: the published size where a publication is repeated.
    #[default]
    Cluster,
}

impl Size {
    /// All sizes, the smallest first.
    pub const ALL: [Size; 3] = [Size::Coffee, Size::Night, Size::Cluster];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Size::Coffee => "coffee",
            Size::Night => "night",
            Size::Cluster => "cluster",
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Size::ALL.into_iter().find(|size| size.name() == text);
        found.ok_or_else(|| format!("`{text}` is no size; give coffee, night or cluster"))
    }
}

/// How much of a declaration is played: its size, and what was asked for instead of what the size says. It is
/// a part of the plan, so that a directory remembers it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Extent {
    /// The size.
    pub size: Size,
    /// Limits that take the place of those of their sort, as text; those of other sorts are not played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
    /// Games of every pair, searches of every agent or runs of every level, if it is not as the size says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
}

impl Extent {
    /// True if everything is as declared.
    pub fn is_whole(&self) -> bool {
        *self == Extent::default()
    }
}

impl fmt::Display for Extent {
    /// As it is given to a command: `coffee --limit time=10ms --games 20`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.size.fmt(f)?;
        self.limits.iter().try_for_each(|limit| write!(f, " --limit {limit}"))?;
        self.games.map_or(Ok(()), |games| write!(f, " --games {games}"))
    }
}

/// What a declaration says about one of its sizes, `[size.coffee]`. Whatever it does not say is fitted to the time that
/// the size has (`fitting.rs`).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SizeDeclaration {
    /// The games that are played, by their names; all if there are none.
    pub games: Vec<String>,
    /// The agents that are played, by their names; all if there are none. Baselines play where they are needed.
    pub agents: Vec<String>,
    /// Limits as declared, and what is played instead; limits that are not here are not played.
    pub limits: Option<Vec<(Budget, Budget)>>,
    /// Games of every pair, searches of every agent or runs of every level.
    pub count: Option<u64>,
    /// The levels of video games.
    pub levels: Option<Levels>,
    /// What an agent may use before the first tick of a video game.
    pub initialisation: Option<Limits>,
}

/// The sizes that a declaration says something about.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SizeDeclarations {
    coffee: Option<SizeDeclaration>,
    night: Option<SizeDeclaration>,
}

/// The key of the number of games in a kind of experiment.
fn count_key(kind: Kind) -> &'static str {
    match kind {
        Kind::Matches => "games_per_pair",
        Kind::Speed => "searches",
        Kind::Video => "runs",
    }
}

impl SizeDeclarations {
    /// What a declaration says about a size; nothing if it has to be fitted.
    pub fn of(&self, size: Size) -> Option<&SizeDeclaration> {
        match size {
            Size::Coffee => self.coffee.as_ref(),
            Size::Night => self.night.as_ref(),
            Size::Cluster => None,
        }
    }

    /// Reads the sizes of a declaration, whose rest is read already.
    pub(super) fn read(
        top: &Section<'_>,
        declaration: &Declaration,
    ) -> Result<Self, DeclarationError> {
        let Some(sizes) = top.table("size", &["coffee", "night"])? else {
            return Ok(SizeDeclarations::default());
        };
        let mut keys = vec!["games", "agents", "limits", count_key(declaration.kind)];
        if declaration.kind == Kind::Video {
            keys.extend(["levels", "initialisation"]);
        }
        let one = |key: &str| {
            let section = sizes.table(key, &keys)?;
            section.map(|section| SizeDeclaration::read(&section, declaration)).transpose()
        };
        Ok(SizeDeclarations { coffee: one("coffee")?, night: one("night")? })
    }
}

impl SizeDeclaration {
    fn read(section: &Section<'_>, declaration: &Declaration) -> Result<Self, DeclarationError> {
        let names = |key: &str, what: &str, known: Vec<String>| {
            let canonical = |name: &str| match declaration.kind {
                _ if key == "agents" => name.to_owned(),
                Kind::Video => check::canonical_video_game(name),
                Kind::Matches | Kind::Speed => check::canonical_game(name),
            };
            let one = |given: Located<String>| {
                let given = Located { value: canonical(&given.value), ..given };
                check::one_of(&given, known.clone(), what)
            };
            section.texts(key)?.into_iter().map(one).collect::<Result<Vec<_>, _>>()
        };
        let games = declaration.games.iter().map(|game| check::short_name(game)).collect();
        let limits = section.table_of_texts("limits")?.map(|given| {
            let known: Vec<String> = declaration.limits.iter().map(Budget::to_string).collect();
            let pair = |(declared, instead): Entry| {
                let declared = Located { value: check::limit(&declared)?.to_string(), ..declared };
                check::one_of(&declared, known.clone(), "limit")?;
                Ok((check::limit(&declared)?, check::limit(&instead)?))
            };
            given.into_iter().map(pair).collect::<Result<Vec<_>, _>>()
        });
        let is_video = declaration.kind == Kind::Video;
        Ok(SizeDeclaration {
            games: names("games", "game", games)?,
            agents: names("agents", "agent", declaration.agent_names())?,
            limits: limits.transpose()?,
            count: section.count(count_key(declaration.kind), 1)?,
            levels: match is_video && section.has("levels") {
                true => Some(video_declaration::levels(section)?),
                false => None,
            },
            initialisation: match is_video {
                true => video_declaration::initialisation(section)?,
                false => None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_extents_are_written_as_they_are_given() {
        for size in Size::ALL {
            assert_eq!(size.to_string().parse(), Ok(size));
        }
        assert!("espresso".parse::<Size>().is_err());
        let extent =
            Extent { size: Size::Coffee, limits: vec!["time=10ms".to_owned()], games: Some(20) };
        assert_eq!(extent.to_string(), "coffee --limit time=10ms --games 20");
        assert!(!extent.is_whole() && Extent::default().is_whole());
    }
}
