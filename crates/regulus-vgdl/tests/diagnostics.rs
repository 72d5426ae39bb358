//! What is said about bad files: code and place, and no game or level when it is an error.

#![allow(clippy::unwrap_used)]

use regulus_diagnostic::Source;
use regulus_vgdl::{Code, Diagnostic, Game, Level, Place, Profile, Severity};

const GOOD: &str = "BasicGame
  SpriteSet
    goal > Door
    box > Passive
  InteractionSet
    avatar wall > stepBack
    goal avatar > killSprite scoreChange=1
  LevelMapping
    g > goal
    b > box
  TerminationSet
    SpriteCounter stype=goal win=True
";

fn places(diagnostics: &[Diagnostic]) -> Vec<(Code, u32, u32, u32)> {
    let of = |one: &Diagnostic| (one.code, one.place.line, one.place.column, one.place.end);
    diagnostics.iter().map(of).collect()
}

fn check_with(text: &str, profile: Profile, expected: &[(Code, u32, u32, u32)]) {
    let loaded = Game::load(text, profile);
    assert_eq!(places(&loaded.diagnostics), expected, "{text}\n{:?}", loaded.diagnostics);
    let wrong = loaded.diagnostics.iter().any(|one| one.severity() == Severity::Error);
    assert_eq!(loaded.game.is_none(), wrong, "{text}");
}

/// Replaces a part of the good game and expects diagnostics.
fn check(part: &str, by: &str, expected: &[(Code, u32, u32, u32)]) {
    assert!(GOOD.contains(part));
    check_with(&GOOD.replace(part, by), Profile::Y2021, expected);
}

#[test]
fn a_good_game_has_nothing_to_say() {
    check("goal", "goal", &[]);
}

#[test]
fn names() {
    check("Door", "Dor", &[(Code::UnknownClass, 3, 12, 15)]);
    check("goal > Door", "goal >", &[(Code::MissingClass, 3, 5, 9)]);
    check("stepBack", "stepback", &[(Code::UnknownEffect, 6, 19, 27)]);
    check(
        "SpriteCounter",
        "SpriteCount",
        &[(Code::NoTermination, 1, 1, 10), (Code::UnknownTermination, 12, 5, 16)],
    );
    check("avatar wall", "avatar wal", &[(Code::UnknownType, 6, 12, 15)]);
    check("avatar wall", "avata wall", &[(Code::UnknownType, 6, 5, 10)]);
    check(
        "stype=goal",
        "stype=gaol",
        &[(Code::NoTermination, 1, 1, 10), (Code::UnknownType, 12, 19, 29)],
    );
    check("g > goal", "g > gaol", &[(Code::UnknownMappedType, 9, 9, 13)]);
    check(
        "TerminationSet",
        "Terminationset",
        &[(Code::NoTermination, 1, 1, 10), (Code::UnknownSection, 11, 3, 17)],
    );
}

#[test]
fn parameters() {
    check("Passive", "Passive speed=fast", &[(Code::WrongParameterType, 4, 19, 29)]);
    check("Passive", "Passive cooldown=0.5", &[(Code::IgnoredValue, 4, 19, 31)]);
    check("Passive", "Passive orientation=UPP", &[(Code::WrongParameterType, 4, 19, 34)]);
    check("Passive", "Passive cooldwn=2", &[(Code::UnknownParameter, 4, 19, 28)]);
    check("Passive", "Passive stype=goal", &[(Code::UnknownParameter, 4, 19, 29)]);
    check("Passive", "SpawnPoint stype=gaol", &[(Code::UnknownType, 4, 22, 32)]);
    check("Passive", "Passive speed=", &[(Code::BadLine, 4, 19, 25)]);
    check("stepBack", "stepBack stype=goal", &[(Code::UnknownParameter, 6, 28, 38)]);
    check("stepBack", "transformTo stype=gaol", &[(Code::UnknownType, 6, 31, 41)]);
    check("stepBack", "transformTo", &[(Code::BadLine, 6, 19, 30)]);
    check("scoreChange=1", "scoreChange=x", &[(Code::WrongParameterType, 7, 30, 43)]);
    check("win=True", "win=True stopp=3", &[(Code::UnknownParameter, 12, 39, 46)]);
    check("BasicGame", "BasicGame sqare_size=3", &[(Code::UnknownParameter, 1, 11, 23)]);
    check("BasicGame", "BasicGame no_players=2", &[(Code::Unsupported, 1, 1, 23)]);
    check("Passive", "Passive physicstype=CONT", &[(Code::Unsupported, 4, 19, 35)]);
}

#[test]
fn lines_and_indentation() {
    check("BasicGame", "BasicGme", &[(Code::BadRoot, 1, 1, 9)]);
    check("  LevelMapping", "LevelMapping", &[(Code::BadRoot, 8, 1, 13)]);
    check("avatar wall > stepBack", "avatar wall stepBack", &[(Code::BadLine, 6, 5, 25)]);
    check("avatar wall > stepBack", "avatar wall >", &[(Code::BadLine, 6, 5, 18)]);
    check(
        "box > Passive",
        "box Passive",
        &[(Code::BadLine, 4, 5, 16), (Code::UnknownMappedType, 10, 9, 12)],
    );
    check("    goal avatar", "      goal avatar", &[(Code::UnexpectedChild, 7, 7, 45)]);
    check("g > goal", "gg > goal", &[(Code::BadLine, 9, 5, 7)]);
    check(
        "    box",
        "\tbox",
        &[
            (Code::NoTermination, 1, 1, 10),
            (Code::MixedIndentation, 4, 1, 2),
            (Code::UnevenIndentation, 4, 2, 5),
            (Code::UnknownSection, 4, 2, 5),
        ],
    );
    check_with("", Profile::Y2021, &[(Code::EmptyFile, 1, 1, 1)]);
    check_with("# nothing\n", Profile::Y2021, &[(Code::EmptyFile, 1, 1, 1)]);
}

#[test]
fn types() {
    check("box > Passive", "goal > Passive\n    box > Passive", &[(Code::DuplicateType, 4, 5, 9)]);
    check("goal > Door", "goal > Door\n      goal > Door", &[(Code::CyclicType, 4, 7, 11)]);
    check(
        "Passive",
        "BirdAvatar",
        &[(Code::UnsupportedClass, 4, 11, 21), (Code::UnknownMappedType, 10, 9, 12)],
    );
    let spawned = GOOD
        .replace("Passive", "BirdAvatar\n    nest > SpawnPoint stype=box")
        .replace("    b > box\n", "");
    let expected = [(Code::UncreatableSprite, 4, 5, 8), (Code::UnsupportedClass, 4, 11, 21)];
    check_with(&spawned, Profile::Y2021, &expected);
}

/// Types that contain each other in different places.
#[test]
fn types_in_a_circle() {
    let direct = "goal > Door\n      part >\n        goal > Door";
    check("goal > Door", direct, &[(Code::CyclicType, 5, 9, 13)]);
    let crossed = "goal > Door\n      part > Door\n    part > Door\n      goal > Door";
    check("goal > Door", crossed, &[(Code::DuplicateType, 5, 5, 9), (Code::CyclicType, 6, 7, 11)]);
}

/// Warnings do not hide the error that is the reason why there is no game.
#[test]
fn a_flood_of_warnings() {
    let unknown: String = (0..300).map(|number| format!(" k{number}=1")).collect();
    let text = GOOD
        .replace("Passive", &format!("Passive{unknown}"))
        .replace("win=True", "win=True\n    SpriteCount");
    let loaded = Game::load(&text, Profile::Y2021);
    assert!(loaded.game.is_none());
    let is_error = |one: &&Diagnostic| one.severity() == Severity::Error;
    let errors: Vec<_> = loaded.diagnostics.iter().filter(is_error).cloned().collect();
    assert_eq!(places(&errors), [(Code::UnknownTermination, 13, 5, 16)]);
    assert_eq!(loaded.diagnostics.len(), 201);
}

/// What would take too much memory or time is refused.
#[test]
fn limits() {
    let add = |lines: &[String]| {
        let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        GOOD.replace("  InteractionSet\n", &format!("  InteractionSet\n{lines}"))
    };
    let first = |text: &str| {
        let loaded = Game::load(text, Profile::Y2021);
        assert!(loaded.game.is_none());
        let is_error = |one: &&Diagnostic| one.severity() == Severity::Error;
        let error = loaded.diagnostics.iter().find(is_error).unwrap();
        (error.code, error.place.line, error.place.column)
    };
    // Each of n lines at the edge runs the effects of all n.
    let edges = vec!["box EOS > killSprite".to_owned(); 300];
    assert_eq!(first(&add(&edges)), (Code::TooLarge, 205, 5));
    let lines = vec!["box wall > killSprite repeat=7000".to_owned(); 3];
    assert_eq!(first(&add(&lines)), (Code::TooLarge, 8, 5));
    // 60 types inside each other: every one meets every other in every pair.
    let names: Vec<String> = (0..60).map(|number| format!("t{number}")).collect();
    let chain: String = names
        .iter()
        .enumerate()
        .map(|(depth, name)| format!("{}{name} > Passive\n", " ".repeat(depth + 4)))
        .collect();
    let pairs: Vec<String> = names
        .iter()
        .flat_map(|a| names.iter().take(6).map(move |b| format!("{a} {b} > killSprite")))
        .collect();
    let text = add(&pairs).replace("    box", &format!("{chain}    box"));
    assert_eq!(first(&text), (Code::TooLarge, 1, 1));
    let types: String = (0..1000).map(|number| format!("    t{number} > Passive\n")).collect();
    let text = GOOD.replace("    box", &format!("{types}    box"));
    assert_eq!(first(&text), (Code::TooLarge, 1001, 5));
    assert_eq!(first(&" ".repeat((4 << 20) + 1)), (Code::TooLarge, 1, 1));
    let ends = format!("{GOOD}{}", "    Timeout limit=9\n".repeat(1000));
    assert_eq!(first(&ends), (Code::TooLarge, 1012, 5));
}

#[test]
fn profiles() {
    let check_old = |part: &str, by: &str, expected: &[(Code, u32, u32, u32)]| {
        check_with(&GOOD.replace(part, by), Profile::Y2015, expected);
    };
    check_old("goal", "goal", &[]);
    check_old("Passive", "PathChaser", &[(Code::NotInProfile, 4, 11, 21)]);
    check_old("stepBack", "killBoth", &[(Code::NotInProfile, 6, 19, 27)]);
    check_old("avatar wall", "avatar wall goal", &[(Code::NotInProfile, 6, 17, 21)]);
    check_old("avatar wall", "EOS avatar", &[(Code::NotInProfile, 6, 5, 8)]);
}

fn check_level(text: &str, profile: Profile, expected: &[(Code, u32, u32, u32)]) {
    let game = Game::load(GOOD, profile).game.unwrap();
    let loaded = Level::load(&game, text);
    assert_eq!(places(&loaded.diagnostics), expected, "{text}");
    let wrong = loaded.diagnostics.iter().any(|one| one.severity() == Severity::Error);
    assert_eq!(loaded.level.is_none(), wrong, "{text}");
}

#[test]
fn levels() {
    let new = Profile::Y2021;
    check_level("wwww\nwAgw\nwwww", new, &[]);
    check_level("wwww\nwAxw\nwwww\n", new, &[(Code::UnknownCharacter, 2, 3, 4)]);
    check_level(
        "wwww\nwAg\nwwwwww",
        new,
        &[(Code::RaggedLevel, 2, 4, 4), (Code::RaggedLevel, 3, 5, 7)],
    );
    check_level("wwww\nw gw", new, &[(Code::MissingAvatar, 1, 1, 1)]);
    check_level("AA", new, &[(Code::SeveralAvatars, 1, 1, 1)]);
    check_level("", new, &[(Code::EmptyFile, 1, 1, 1)]);
    check_level("\nA", new, &[(Code::EmptyFile, 1, 1, 1)]);
    let unknown = format!("A{}", ".".repeat(26));
    let mut expected = vec![(Code::TooManyUnknownCharacters, 1, 1, 28)];
    expected.extend((2..28).map(|column| (Code::UnknownCharacter, 1, column, column + 1)));
    check_level(&unknown, new, &expected);
    check_level(&unknown, Profile::Y2015, &expected[1..]);
    let row = "b".repeat(200);
    let many = std::iter::repeat_n(row, 51).collect::<Vec<_>>().join("\n");
    check_level(&format!("A{}", &many[1..]), new, &[(Code::TooManySprites, 51, 1, 2)]);
    check_level(&"A".repeat(1001), new, &[(Code::TooLarge, 1, 1, 1)]);
}

#[test]
fn a_level_must_not_use_what_cannot_be_created() {
    let game = Game::load(&GOOD.replace("g > goal", "g > gaol"), Profile::Y2021).game.unwrap();
    let loaded = Level::load(&game, "Ag");
    assert_eq!(places(&loaded.diagnostics), [(Code::UncreatableSprite, 1, 2, 3)]);
    assert!(loaded.level.is_none());
    assert!(Level::load(&game, "A ").level.is_some());
}

#[test]
fn codes_are_numbered_in_order() {
    for (index, code) in Code::ALL.iter().enumerate() {
        assert_eq!(usize::from(code.number()), index + 1);
        assert!(!code.title().is_empty() && !code.explanation().is_empty());
    }
    let loaded = Game::load(&GOOD.replace("Door", "Dor"), Profile::Y2021);
    let shown = loaded.diagnostics[0].to_string();
    assert_eq!(shown, "3:12: error[VGDL0009]: no sprite class is called `Dor`");
}

#[test]
fn misspelt_names_have_suggestions() {
    let helps = [
        ("Door", "Dor", "Door"),
        ("stepBack", "stepback", "stepBack"),
        ("stype=goal", "stype=gaol", "goal"),
        ("InteractionSet", "InteractonSet", "InteractionSet"),
        ("SpriteCounter", "SpriteCuonter", "SpriteCounter"),
        ("scoreChange", "scoreChnage", "scoreChange"),
        ("Passive", "Passive cooldwn=2", "cooldown"),
    ];
    for (part, by, meant) in helps {
        let loaded = Game::load(&GOOD.replace(part, by), Profile::Y2021);
        let help = format!("did you mean `{meant}`?");
        let found = loaded.diagnostics.iter().any(|one| one.help.as_ref() == Some(&help));
        assert!(found, "{by}: {:?}", loaded.diagnostics);
    }
}

#[test]
fn places_are_places_in_the_text() {
    let text = format!("\u{feff}# äöü\r\n{}", GOOD.replace("goal > Door", "goal > Dör"));
    let source = Source::new("game.txt", text.as_str());
    let loaded = Game::load(&text, Profile::Y2021);
    let place = loaded.diagnostics[0].place;
    assert_eq!((place.line, source.slice(place.span(&text))), (4, "Dör"));
    let shown = loaded.diagnostics[0].render(&source, false);
    assert!(shown.contains("error[VGDL0009]: no sprite class is called `Dör`"), "{shown}");
    assert!(shown.contains("--> game.txt:4:12"), "{shown}");
    // A place behind the text is its end.
    let behind = Place { line: 99, column: 3, end: 9 }.span(&text);
    assert_eq!(behind.range(), text.len()..text.len());
}

/// The framework of 2021 plays with what it could read; that of 2015 breaks down.
#[test]
fn reading_stops_at_effects_and_terminations_of_nobody() {
    let effect = "goal avatar > explode";
    check(
        "avatar wall > stepBack",
        effect,
        &[(Code::NoTermination, 1, 1, 10), (Code::ReadingStops, 6, 19, 26)],
    );
    let text = GOOD.replace("avatar wall > stepBack", effect);
    check_with(&text, Profile::Y2015, &[(Code::UnknownEffect, 6, 19, 26)]);
    let loaded = Game::load(&text, Profile::Y2021);
    let message = &loaded.diagnostics[1].message;
    assert!(message.ends_with("this line and the 6 behind it do not count"), "{message}");
    // Nothing of the LevelMapping was read: `g` is nothing there.
    let game = loaded.game.unwrap();
    assert!(game.mapped('g').is_empty());
    check_with(
        &GOOD.replace("SpriteCounter", "Apocalypse"),
        Profile::Y2021,
        &[(Code::NoTermination, 1, 1, 10), (Code::ReadingStops, 12, 5, 15)],
    );
    check_with(
        &GOOD.replace("SpriteCounter", "Apocalypse"),
        Profile::Y2015,
        &[(Code::NoTermination, 1, 1, 10), (Code::UnknownTermination, 12, 5, 15)],
    );
    // What stands before it counts, and nothing behind it is looked at, however wrong it is.
    let both = "SpriteCounter stype=goal win=True";
    let text = GOOD.replace(both, &format!("{both}\n    Apocalypse\n    SpriteCount stype=gaol"));
    check_with(&text, Profile::Y2021, &[(Code::ReadingStops, 13, 5, 15)]);
}

/// A class that nobody has is an error where it is needed.
#[test]
fn classes_of_nobody() {
    let unused = [(Code::UnusedClass, 5, 13, 24)];
    for profile in [Profile::Y2021, Profile::Y2015] {
        let text = GOOD.replace("box > Passive", "box > Passive\n    ghost > Poltergeist");
        check_with(&text, profile, &unused);
        let needed = [(Code::UnknownClass, 5, 13, 24)];
        check_with(&text.replace("g > goal", "g > goal ghost"), profile, &needed);
        let spawned = text.replace("Passive", "SpawnPoint stype=ghost");
        let loaded = Game::load(&spawned, profile);
        assert!(loaded.diagnostics.iter().any(|one| one.code == Code::UnknownClass));
        assert!(loaded.game.is_none());
        let misspelt = text.replace("Poltergeist", "Pasive");
        check_with(&misspelt, profile, &[(Code::UnknownClass, 5, 13, 19)]);
    }
    let text = GOOD.replace("box > Passive", "box > Passive\n    ghost > PathChaser");
    check_with(&text, Profile::Y2015, &[(Code::UnusedClass, 5, 13, 23)]);
    check_with(&text, Profile::Y2021, &[]);
}

/// Each example is wrong, in the section it belongs to, in the way its code says, and then put right.
#[test]
fn examples_are_truthful() {
    let mut examples = 0;
    for code in Code::ALL {
        let Some((wrong, right)) = code.example() else { continue };
        examples += 1;
        let found = |line: &str, section: &str| {
            let text = GOOD.replacen(section, &format!("{section}\n    {line}"), 1);
            let loaded = Game::load(&text, Profile::Y2021);
            loaded.diagnostics.iter().any(|one| one.code == *code)
        };
        let sections = ["SpriteSet", "InteractionSet", "LevelMapping", "TerminationSet"];
        let fits = |section: &&str| found(wrong, section) && !found(right, section);
        assert!(sections.iter().any(fits), "{code}: {wrong} => {right}");
    }
    assert!(examples >= 10);
}
