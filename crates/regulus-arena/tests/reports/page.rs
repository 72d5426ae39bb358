//! The page: well-formed, complete, and in need of nothing but itself.

use serde_json::Value;

use crate::directory::{Directory, random_records};
use crate::{DECLARATION, by_hand};
use regulus_game::Engine;
use regulus_player::wire;
use regulus_reasoner::Interpreter;

/// Elements without an end.
const VOID: [&str; 5] = ["meta", "br", "wbr", "input", "link"];

/// Checks that elements are closed in the order in which they were opened, that ids are there once and that
/// links on the page lead somewhere; and that nothing is loaded from elsewhere.
pub fn check(page: &str) {
    for word in ["http:", "https:", "src=", "url(", "@import", "<link", "fetch(", "XMLHttpRequest"]
    {
        assert!(!page.contains(word), "`{word}` on the page");
    }
    assert!(page.starts_with("<!doctype html>\n<html lang=\"en\">"));
    let (mut open, mut ids, mut links): (Vec<&str>, Vec<&str>, Vec<&str>) = Default::default();
    let mut rest = &page["<!doctype html>".len()..];
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(!text.contains('>'), "a stray > in {text:?}");
        let end = start + rest[start..].find('>').expect("an open tag");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(
                open.pop(),
                Some(name),
                "</{name}> before {:?}",
                &rest[..rest.len().min(80)]
            );
            continue;
        }
        let name = tag.split([' ', '/']).next().expect("a name");
        let attribute = |key: &str| {
            let from = tag.find(&format!(" {key}=\""))? + key.len() + 3;
            Some(&tag[from..from + tag[from..].find('"')?])
        };
        ids.extend(attribute("id"));
        links.extend(attribute("href"));
        if tag.ends_with('/') || VOID.contains(&name) {
            continue;
        }
        open.push(name);
        if name == "script" || name == "style" {
            let close = format!("</{name}>");
            let end = rest.find(&close).expect("an end");
            rest = &rest[end..];
        }
    }
    assert!(open.is_empty(), "{open:?} not closed");
    for (i, id) in ids.iter().enumerate() {
        assert!(!ids[..i].contains(id), "the id {id} is there twice");
    }
    for link in links {
        assert!(link.strip_prefix('#').is_some_and(|id| ids.contains(&id)), "{link} leads nowhere");
    }
}

/// The data of all replays on a page.
fn replays(page: &str) -> Vec<Value> {
    const BEGIN: &str = "<script type=\"application/json\">";
    let parts = page.split(BEGIN).skip(1);
    parts
        .map(|part| {
            let end = part.find("</script>").expect("an end");
            serde_json::from_str(&part[..end]).expect("JSON")
        })
        .collect()
}

#[test]
fn the_page_has_everything() {
    let directory = by_hand();
    let (_, written) = directory.report();
    let page = std::fs::read_to_string(written.page).expect("a page");
    check(&page);
    assert!(page.contains("<title>Two &lt;games&gt; &amp; a baseline</title>"));
    for id in ["win-rates", "heat-map", "published", "elo", "speed", "results", "manifest"] {
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    // Bold because it is better, with the published figure below it.
    assert!(
        page.contains("<td class=\"better\" data-key=\"0.8125\"><b>81.2</b><small> ±20.3</small>")
    );
    assert!(page.contains("[60.0]</div>"));
    assert!(!page.contains("class=\"\""));
    assert!(page.contains("<div class=\"counts\">1:1:0</div>"));
    assert!(page.contains("[58.5 ±4.4, 1:0:1]</div>"));
    assert!(page.contains("Slide Rule 3000"));
    // One limit is no budget to draw a line over.
    assert!(!page.contains("id=\"budgets\""));
}

#[test]
fn lines_are_drawn_over_several_budgets() {
    let several = DECLARATION.replace("\"sims=10\"", "\"sims=10\", \"sims=40\", \"states=100\"");
    let limited = several.replace("agent = \"mctsM", "limit = \"sims=10\"\nagent = \"mctsM");
    let directory = Directory::new(&limited);
    directory.append("w", &random_records(&directory));
    let (_, written) = directory.report();
    let page = std::fs::read_to_string(written.page).expect("a page");
    check(&page);
    let charts = page.split("<section id=\"budgets\">").nth(1).expect("charts");
    let charts = &charts[..charts.find("</section>").expect("an end")];
    // The average and two games; the one limit of states has no line.
    assert_eq!(charts.matches("<figure>").count(), 3);
    assert_eq!(charts.matches("class=\"whisker").count(), 6);
    assert!(charts.contains("simulations per move") && !charts.contains("states per move"));
}

/// The positions on the page are those of the rules, and not more games than can be shown.
#[test]
fn replays_are_the_games() {
    let games = "[\"the-mill-game\", \"hex\"]";
    let declaration = DECLARATION
        .replace("[\"tic-tac-toe\", \"breakthrough\"]", games)
        .replace("games_per_pair = 8", "games_per_pair = 24")
        .replace("game = \"tic-tac-toe\"", "game = \"hex\"");
    let directory = Directory::new(&declaration);
    let records = random_records(&directory);
    directory.append("w", &records);
    let (report, written) = directory.report();
    assert!(!report.notices.iter().any(|n| n.text.contains("illegal")), "{:?}", report.notices);
    let page = std::fs::read_to_string(written.page).expect("a page");
    check(&page);
    let found = replays(&page);
    assert_eq!(found.len(), 2);
    for (data, rules) in found.iter().zip(directory.experiment.board_games()) {
        let games = data["games"].as_array().expect("games");
        assert_eq!(games.len(), 20);
        let of_game: Vec<_> = records.iter().filter(|r| r.game.name == rules.name()).collect();
        for game in games {
            let plies = game["plies"].as_array().expect("moves");
            let mut board: Vec<u64> = data["start"]
                .as_array()
                .expect("a board")
                .iter()
                .filter_map(Value::as_u64)
                .collect();
            for ply in plies {
                let changes: Vec<u64> =
                    ply[3].as_array().expect("changes").iter().filter_map(Value::as_u64).collect();
                changes.chunks(2).for_each(|c| board[c[0] as usize] = c[1]);
            }
            // It is one of the records: the same number of moves and the same last position.
            let last = |record: &&&regulus_arena::board::BoardRecord| {
                let interpreter = Interpreter::new(rules.rules());
                let (mut engine, mut state) = (interpreter.worker(), interpreter.initial());
                engine.run_keeper(&mut state).expect("rules");
                for text in &record.moves {
                    engine.apply(&mut state, &wire::parse(text).expect("a move"));
                    engine.run_keeper(&mut state).expect("rules");
                }
                let pieces = rules.rules().board.vertices().map(|v| u64::from(state.piece(v).0));
                pieces.collect::<Vec<_>>() == board
            };
            let same_length =
                |record: &&&regulus_arena::board::BoardRecord| record.moves.len() == plies.len();
            assert!(of_game.iter().filter(same_length).any(|record| last(&record)));
        }
    }
}

/// Names and messages from files cannot become part of the page.
#[test]
fn nothing_on_the_page_is_taken_for_markup() {
    let directory = by_hand();
    let evil = "</script><script>alert(1)</script><img src=x onerror='1'>";
    directory.manifest("w", |manifest| {
        manifest.machine.host = evil.to_owned();
        manifest.machine.processor = evil.to_owned();
        manifest.version = evil.to_owned();
        manifest.worker = evil.to_owned();
    });
    let (_, written) = directory.report();
    let page = std::fs::read_to_string(written.page).expect("a page");
    assert!(!page.contains("<script>alert") && !page.contains("<img"));
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
}
