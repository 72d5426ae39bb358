//! The reference of all keys of files and words of names, made from the declarations.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use regulus_search::config::Config;
use regulus_search::nested;
use regulus_search::parameter::{ComponentWord, MANY, Number, Setting, Value, Word};
use regulus_search::video::Mcts;

use crate::parameter::{ALGORITHMS, Games, Kind, MCTS, Parameter, Section};

/// All keys with ranges, defaults, published values and meanings, and all words of names, as a page of Markdown.
pub fn reference() -> String {
    let mut text = String::from(
        "# Keys of agents\n\n\
         Made from the declarations; `REGULUS_BLESS=1 cargo test -p regulus-agent --test reference` makes it anew.\n\
         What the parts are good for is in [agents.md](agents.md).\n",
    );
    for algorithm in ALGORITHMS {
        let (name, games) = (algorithm.name, algorithm.games.words());
        let _ = write!(text, "\n## `{name}`\n\nFor {games}: {}.\n", algorithm.help);
        for (section, path) in [
            (Section::General, "general"),
            (Section::Algorithm, "algorithm"),
            (Section::Parameters, "algorithm.parameters"),
        ] {
            let keys = algorithm.keys(section).into_iter().filter(|key| key.path != "name");
            table(&mut text, &format!("`{path}`"), &keys.collect::<Vec<_>>());
        }
    }
    text.push_str(
        "\n## Heuristics\n\nElements of `heuristics`: `name`, and in `parameters` what follows.\n",
    );
    for kind in MCTS.heuristics {
        let names: Vec<String> = kind.names().iter().map(|name| format!("`{name}`")).collect();
        let _ = write!(text, "\n### {}\n\nFor board games: {}.\n", names.join(", "), kind.help());
        table(&mut text, "`parameters`", &kind.keys());
    }
    parts(&mut text);
    words(&mut text);
    text
}

fn table(text: &mut String, title: &str, keys: &[Parameter]) {
    if keys.is_empty() {
        return;
    }
    let _ = write!(
        text,
        "\n| {title} | value | default | published | what it means |\n|---|---|---|---|---|\n"
    );
    for key in keys {
        row(text, "", key);
        if let Kind::Object(inside) = key.kind {
            inside().iter().for_each(|inner| row(text, key.key(), inner));
        }
    }
}

fn row(text: &mut String, object: &str, parameter: &Parameter) {
    let dot = if object.is_empty() { "" } else { "." };
    let Parameter { published, help, .. } = parameter;
    let (key, range) = (parameter.key(), range(parameter.kind));
    let default = match parameter.default {
        Value::Word("") | Value::Empty => String::new(),
        Value::Word(_) | Value::Component(_) => format!("`{}`", parameter.default),
        value => value.to_string(),
    };
    let _ = writeln!(text, "| `{object}{dot}{key}` | {range} | {default} | {published} | {help} |");
}

/// What a value can be.
fn range(kind: Kind) -> String {
    let words = || {
        let words = kind.words().into_iter().filter(|word| !word.is_empty());
        words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
    };
    match kind {
        Kind::Flag => "true or false".to_owned(),
        Kind::Count(low, MANY | u64::MAX) => format!("from {low}"),
        Kind::Count(low, high) => format!("{low} to {high}"),
        Kind::Number(low, high) => format!("{low} to {high}"),
        Kind::Choice(_) | Kind::Named(_) => words(),
        Kind::Component(_) => format!("a part: {}", words()),
        Kind::Object(_) => "an object".to_owned(),
    }
}

/// All parts that keys can ask for.
fn parts(text: &mut String) {
    text.push_str("\n## Parts\n\nA part is its name, or an object with `name` and its own keys.\n");
    let mut seen = BTreeSet::new();
    let keys = ALGORITHMS.iter().flat_map(|algorithm| algorithm.keys(Section::Parameters));
    for key in keys {
        let Kind::Component(parts) = key.kind else { continue };
        if !seen.insert(key.key()) {
            continue;
        }
        let _ = write!(text, "\n### `{}`\n\n| name | what it does |\n|---|---|\n", key.key());
        for part in parts() {
            let _ = writeln!(text, "| `{}` | {} |", part.name, part.help);
        }
        for part in parts() {
            table(text, &format!("of `{}`", part.name), part.keys);
        }
    }
}

/// All words of names.
fn words(text: &mut String) {
    text.push_str("\n## Words in names\n\nN stands for a number.\n");
    let heading = "word | means |\n|---|---|\n";
    let _ = write!(text, "\n| board games: {heading}");
    for kind in MCTS.heuristics {
        for (word, number) in kind.words() {
            let _ = writeln!(text, "| `{word}{number}` | `{}` |", kind.names()[0]);
        }
    }
    Config::settings().for_each(|setting| setting_words(text, Games::Board, setting));
    let _ = write!(text, "\n| nested searches: {heading}");
    nested::Config::SETTINGS.iter().for_each(|setting| setting_words(text, Games::Board, setting));
    let _ = write!(text, "\n| video games: {heading}");
    let video = Mcts::settings().chain(Mcts::NGRAMS);
    video.for_each(|setting| setting_words(text, Games::Video, setting));
}

fn setting_words<C>(text: &mut String, games: Games, setting: &Setting<C>) {
    for Word { word, number, .. } in setting.words {
        let _ = writeln!(text, "| `{word}{}` | `{}` |", behind(*number), setting.path);
    }
    let Kind::Component(parts) = setting.kind else { return };
    for part in parts() {
        for ComponentWord { word, values, number, .. } in
            part.words.iter().filter(|w| w.games == games)
        {
            let values: String =
                values.iter().map(|(key, value)| format!(", {key} = {value}")).collect();
            let number = number.map_or(String::new(), |key| format!("; a number is {key}"));
            let key = setting.path;
            let _ = writeln!(text, "| `{word}` | `{key}`: `{}`{values}{number} |", part.name);
        }
    }
}

/// What stands behind a word.
pub(crate) fn behind(number: Number) -> &'static str {
    match number {
        Number::No => "",
        Number::Whole(None) | Number::Any(None) => "N",
        Number::Whole(Some(_)) | Number::Any(Some(_)) => "[N]",
    }
}
