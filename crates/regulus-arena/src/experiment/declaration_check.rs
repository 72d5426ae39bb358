//! Names in a declaration: whether there are such games, agents and limits.

use regulus_diagnostic::did_you_mean;
use regulus_player::catalogue::{self, VIDEO_PREFIX};
use std::path::Path;

use super::declaration::DeclarationError;
use super::toml_section::Located;
use crate::budget::Budget;
use crate::video::source;

/// True if a name can only be meant as a file.
pub fn is_path(name: &str) -> bool {
    if is_built_in_video(name) {
        return false;
    }
    name.contains(['/', '\\']) || name.ends_with(".rbg") || name.ends_with(".json")
}

/// The name of a game or agent: that of a file is its own without the ending.
pub fn short_name(name: &str) -> String {
    if !is_path(name) {
        return name.to_owned();
    }
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or(name).to_owned()
}

/// The name of a built-in game for its aliases, the name itself for others.
pub fn canonical_game(name: &str) -> String {
    match regulus_games::find(name) {
        Some(game) if !is_path(name) => game.name.to_owned(),
        _ => name.to_owned(),
    }
}

/// True if a name can only be meant as that of a built-in video game.
fn is_built_in_video(name: &str) -> bool {
    name.strip_prefix(VIDEO_PREFIX).is_some_and(|rest| !rest.contains(['/', '\\', '.']))
}

/// The name of a built-in video game for other spellings, the name itself for others.
pub fn canonical_video_game(name: &str) -> String {
    let short = name.strip_prefix(VIDEO_PREFIX).and_then(regulus_games::find_video);
    short.map_or_else(|| name.to_owned(), source::full_name)
}

/// The name of a video game: built in with `vgdl/` before it, else that of a file.
pub fn video_game(given: Located<String>) -> Result<String, DeclarationError> {
    let name = &given.value;
    if is_built_in_video(name) {
        let known = catalogue::built_in_video(name).map(source::full_name);
        return known
            .map_err(|unknown| DeclarationError::new(given.line, source::no_built_in(&unknown)));
    }
    let good = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if !name.is_empty() && name.chars().all(good) {
        return Ok(given.value);
    }
    let message = format!(
        "`{name}` is no name of a video game: give vgdl/NAME for a built-in one, or NAME for a file NAME.txt"
    );
    Err(DeclarationError::new(given.line, message))
}

/// A built-in agent for video games or a path.
pub fn video_agent(given: Located<String>) -> Result<String, DeclarationError> {
    let problem = regulus_agent::video_by_name(&given.value).err();
    agent_or_path(given, problem)
}

/// A built-in agent or a path.
pub fn agent(given: Located<String>) -> Result<String, DeclarationError> {
    let problem = regulus_agent::by_name(&given.value).err();
    agent_or_path(given, problem)
}

/// A path, or an agent that there is no problem with.
fn agent_or_path(
    given: Located<String>,
    problem: Option<String>,
) -> Result<String, DeclarationError> {
    let why = match problem {
        Some(why) if !is_path(&given.value) => why,
        _ => return Ok(given.value),
    };
    let hint = "`regulus agents` lists the built-in ones, files end in .json";
    let unknown = catalogue::unknown_agent(why, &given.value).with_hint(hint);
    Err(DeclarationError::new(given.line, unknown))
}

/// A built-in game or a path.
pub fn game(given: Located<String>) -> Result<String, DeclarationError> {
    let name = &given.value;
    if is_path(name) {
        return Ok(canonical_game(name));
    }
    let unknown = match catalogue::built_in(name) {
        Ok(_) => return Ok(canonical_game(name)),
        Err(unknown) => unknown,
    };
    let hint = "`regulus games` lists the built-in games, files end in .rbg";
    Err(DeclarationError::new(given.line, unknown.with_hint(hint)))
}

/// A limit.
pub fn limit(given: &Located<String>) -> Result<Budget, DeclarationError> {
    given.value.parse().map_err(|why: String| DeclarationError::new(given.line, why))
}

/// Whether a name is one of a game or an agent; gives it as it is written everywhere.
pub type Check = fn(Located<String>) -> Result<String, DeclarationError>;

/// A list of names that are checked one by one; none may be there twice.
pub fn names(
    given: Vec<Located<String>>,
    what: &str,
    check: Check,
) -> Result<Vec<String>, DeclarationError> {
    let mut names: Vec<String> = Vec::new();
    for one in given {
        let line = one.line;
        let name = check(one)?;
        if names.iter().any(|other| short_name(other) == short_name(&name)) {
            return Err(DeclarationError::new(line, namesakes(what, &name)));
        }
        names.push(name);
    }
    Ok(names)
}

/// Names of which no two may be called the same.
pub fn distinct(names: Vec<String>, what: &str) -> Result<Vec<String>, DeclarationError> {
    for (i, name) in names.iter().enumerate() {
        if names[..i].iter().any(|other| short_name(other) == short_name(name)) {
            return Err(DeclarationError::new(1, namesakes(what, name)));
        }
    }
    Ok(names)
}

fn namesakes(what: &str, name: &str) -> String {
    format!("there are two {what}s with the name `{}`", short_name(name))
}

/// A name that must be one of some.
pub fn one_of(
    given: &Located<String>,
    known: Vec<String>,
    key: &str,
) -> Result<String, DeclarationError> {
    let name = short_name(&given.value);
    if known.contains(&name) {
        return Ok(name);
    }
    let hint = match did_you_mean(&name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there is {}", known.join(", ")),
    };
    let message = format!("{key} `{name}` is not part of this experiment; {hint}");
    Err(DeclarationError::new(given.line, message))
}
