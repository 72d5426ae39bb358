//! The TerminationSet: when a game is over.

use crate::diagnostic::{Code, Diagnostics};
use crate::limits;
use crate::parameters::Parameters;
use crate::profile::Profile;
use crate::sprite_set::SpriteSet;
use crate::sprite_type::TypeId;
use crate::text::{Node, Tree};

/// When a termination fires.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// At most `limit` sprites.
    SpriteCounter { stype: TypeId },
    /// At least `limit` sprites.
    SpriteCounterMore { stype: TypeId },
    /// Exactly `limit` sprites of all types together, or more if `min`.
    MultiSpriteCounter { stypes: Vec<TypeId>, min: bool },
    /// Exactly `limit` sprites of exactly `subtypes` types.
    MultiSpriteCounterSubTypes { stype: TypeId, subtypes: i32 },
    /// Never fires; decides whether counters may.
    StopCounter { stypes: Vec<TypeId>, min: bool },
    /// From tick `limit` on.
    Timeout,
}

/// One line of the set.
#[derive(Clone, Debug)]
pub(crate) struct Termination {
    pub condition: Condition,
    pub limit: i32,
    pub win: bool,
    /// The player wins if the score is not 0, whatever `win` says.
    pub count_score: bool,
}

/// Every termination.
pub(crate) const NAMES: [&str; 6] = [
    "SpriteCounter",
    "SpriteCounterMore",
    "MultiSpriteCounter",
    "MultiSpriteCounterSubTypes",
    "StopCounter",
    "Timeout",
];

/// Reads the children of the TerminationSet nodes.
pub(crate) fn read(
    tree: &Tree<'_>,
    sections: &[usize],
    sprites: &SpriteSet,
    profile: Profile,
    diagnostics: &mut Diagnostics,
) -> Vec<Termination> {
    let mut found = Vec::new();
    for &section in sections {
        for &child in &tree.nodes[section].children {
            let line = &tree.nodes[child];
            found.extend(termination(line, sprites, profile, diagnostics));
            if found.len() > limits::MAX_TERMINATIONS {
                let message = format!("there are more than {} terminations", found.len() - 1);
                diagnostics.push(Code::TooLarge, line.place(), message);
                return found;
            }
            if let Some(&below) = line.children.first() {
                let message = "a termination has no lines under it".to_owned();
                diagnostics.push(Code::UnexpectedChild, tree.nodes[below].place(), message);
            }
        }
    }
    found
}

fn termination(
    line: &Node<'_>,
    sprites: &SpriteSet,
    profile: Profile,
    diagnostics: &mut Diagnostics,
) -> Option<Termination> {
    let head = line.tokens[0];
    let mut parameters = Parameters::default();
    for &token in &line.tokens[1..] {
        if !parameters.take(token, diagnostics) && token.text != ">" {
            let message = format!("`{}` should be `key=value`", token.text);
            diagnostics.push(Code::BadLine, token.place, message);
        }
    }
    let old = profile.is_old();
    let (keys, in_old): (&[&str], bool) = match head.text {
        "SpriteCounter" => (&["stype"], true),
        "SpriteCounterMore" => (&["stype"], false),
        "MultiSpriteCounter" if old => (&["stype1", "stype2"], true),
        "MultiSpriteCounter" => (&["stype1", "stype2", "stype3", "min"], true),
        "StopCounter" => (&["stype1", "stype2", "stype3", "min"], false),
        "MultiSpriteCounterSubTypes" => (&["stype1", "subTypesNum"], false),
        "Timeout" => (&["use_counter", "compare", "limits"], true),
        other => {
            let message = format!("no termination is called `{other}`");
            diagnostics.unknown(Code::UnknownTermination, head.place, message, other, NAMES);
            return None;
        }
    };
    if old && !in_old {
        let message = format!("profile 2015 has no termination `{}`", head.text);
        diagnostics.push(Code::NotInProfile, head.place, message);
        return None;
    }
    let known = [&["win", "limit", "count_score"], keys].concat();
    parameters.warn_unknown(&known, &format!("`{}`", head.text), diagnostics);
    let mut stypes = Vec::new();
    for &key in keys.iter().filter(|key| key.starts_with("stype")) {
        let Some(parameter) = parameters.get(key) else { continue };
        match sprites.types.iter().position(|one| one.name == parameter.text) {
            Some(index) => stypes.push(index as TypeId),
            None => {
                diagnostics.unknown_type(parameter.place, parameter.text);
                return None;
            }
        }
    }
    let mut reader = parameters.reader(diagnostics);
    let limit = reader.int("limit", 0);
    let min = !old && keys.contains(&"min") && reader.bool("min", false);
    let count_score = !old && reader.bool("count_score", false);
    if head.text == "Timeout" && reader.bool("use_counter", false) {
        let message = "counters are not implemented".to_owned();
        reader.diagnostics.push(Code::Unsupported, head.place, message);
    }
    let subtypes = reader.int("subTypesNum", -1);
    let win = reader.get("win").is_some_and(|parameter| {
        parameter.text.split(',').next().unwrap_or("").eq_ignore_ascii_case("true")
    });
    let single = stypes.first().copied();
    let condition = match (head.text, single) {
        ("Timeout", _) => Condition::Timeout,
        ("MultiSpriteCounter", _) => Condition::MultiSpriteCounter { stypes, min },
        ("StopCounter", _) => Condition::StopCounter { stypes, min },
        ("SpriteCounter", Some(stype)) => Condition::SpriteCounter { stype },
        ("SpriteCounterMore", Some(stype)) => Condition::SpriteCounterMore { stype },
        (_, Some(stype)) => Condition::MultiSpriteCounterSubTypes { stype, subtypes },
        (_, None) => {
            let message = format!("`{}` needs a sprite type", head.text);
            diagnostics.push(Code::BadLine, line.place(), message);
            return None;
        }
    };
    Some(Termination { condition, limit, win, count_score })
}
