//! A section for every game: games that can be replayed on its board.

use serde_json::json;

use super::markup::{agent, escape};
use crate::report::board_layout::BoardLayout;
use crate::report::experiment_report::ExperimentReport;
use crate::report::replay::Replays;

/// One unit of a board in the units of its picture.
const SCALE: f64 = 40.0;

/// The sections of all games with something to replay.
pub fn sections(report: &ExperimentReport, replays: &[Replays]) -> String {
    let shown = replays.iter().filter(|replay| !replay.games.is_empty());
    shown.enumerate().map(|(i, replay)| section(report, replay, i)).collect()
}

fn section(report: &ExperimentReport, replays: &Replays, index: usize) -> String {
    let recorded: u64 =
        report.cells.iter().filter(|c| c.game == replays.game).map(|c| c.games + c.void).sum();
    let options: Vec<String> = replays
        .games
        .iter()
        .enumerate()
        .map(|(i, game)| {
            let text = format!("{}, {}: {}", game.limit, game.origin, game.outcome);
            format!("<option value=\"{i}\">{}</option>", escape(&text))
        })
        .collect();
    let open = if index == 0 { " open" } else { "" };
    let name = escape(&replays.game);
    format!(
        "<details class=\"game\" id=\"game-{name}\"{open}><summary>{name} \
         <small>the newest {shown} of {recorded} games</small></summary>\n\
         <div class=\"replay\" tabindex=\"0\" aria-label=\"Replay of {name}; arrow keys step\">\n\
         <div class=\"stage\">{board}</div>\n\
         <div class=\"side\">\n\
         <label>game <select class=\"choice\">{options}</select></label>\n\
         <div class=\"seats\"></div>\n\
         <div class=\"buttons\"><button data-go=\"first\" title=\"to the beginning (Home)\">|◀</button>\
         <button data-go=\"back\" title=\"back (←)\">◀</button>\
         <button data-go=\"play\" title=\"play (space)\">▶▶</button>\
         <button data-go=\"next\" title=\"next (→)\">▶</button>\
         <button data-go=\"last\" title=\"to the end (End)\">▶|</button></div>\n\
         <input class=\"slider\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"move\">\n\
         <p class=\"status\" aria-live=\"polite\"></p>\n\
         <ol class=\"moves\"></ol>\n{legend}</div>\n\
         <script type=\"application/json\">{data}</script>\n</div></details>\n",
        shown = replays.games.len(),
        board = board(&replays.layout, &replays.game),
        options = options.concat(),
        legend = legend(replays),
        data = data(replays),
    )
}

/// The empty board; the script puts pieces on it.
fn board(layout: &BoardLayout, game: &str) -> String {
    let (width, height) = (layout.width * SCALE, layout.height * SCALE);
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 {width:.1} {height:.1}\" role=\"img\" aria-label=\"board of {}\">",
        escape(game)
    );
    let at = |(x, y): &(f64, f64)| format!("{:.1} {:.1}", x * SCALE, y * SCALE);
    for (a, b) in &layout.lines {
        let (from, to) = (at(&layout.places[*a]), at(&layout.places[*b]));
        svg += &format!("<path class=\"edge\" d=\"M{from}L{to}\"/>");
    }
    for (outline, dark) in layout.outlines.iter().zip(&layout.dark) {
        if !outline.is_empty() {
            let class = if *dark { "field dark" } else { "field" };
            let corners: Vec<String> = outline.iter().map(at).collect();
            svg += &format!("<path class=\"{class}\" d=\"M{}z\"/>", corners.join("L"));
        }
    }
    if !layout.lines.is_empty() {
        for (x, y) in &layout.places {
            svg += &format!(
                "<circle class=\"field\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"13\"/>",
                x * SCALE,
                y * SCALE
            );
        }
    }
    for ((x, y), text) in &layout.captions {
        svg += &format!(
            "<text class=\"caption\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x * SCALE,
            y * SCALE + 4.0,
            escape(text)
        );
    }
    svg + "<g class=\"marks\"></g><g class=\"pieces\"></g></svg>"
}

/// The symbol of a piece as it is drawn. Small letters say whose a piece is, which its colour says here.
fn shown(symbol: char, owned: bool) -> String {
    if owned { symbol.to_uppercase().to_string() } else { symbol.to_string() }
}

/// What the pieces are called.
fn legend(replays: &Replays) -> String {
    let mut items = String::new();
    for look in replays.looks.iter() {
        let Some(symbol) = look.symbol else { continue };
        let shape = if look.round { "50%" } else { "3px" };
        items += &format!(
            "<li><span class=\"man\" style=\"background:{};color:{};border-radius:{shape}\">{}</span>{}</li>",
            look.fill,
            look.ink,
            escape(&shown(symbol, look.round)),
            escape(&look.name)
        );
    }
    format!("<ul class=\"men\">{items}</ul>\n")
}

/// What the script needs, as JSON that cannot end the element it is in.
fn data(replays: &Replays) -> String {
    let places: Vec<[f64; 2]> = replays
        .layout
        .places
        .iter()
        .map(|(x, y)| [(x * SCALE * 10.0).round() / 10.0, (y * SCALE * 10.0).round() / 10.0])
        .collect();
    let games: Vec<_> = replays
        .games
        .iter()
        .map(|game| {
            let plies: Vec<_> = game
                .plies
                .iter()
                .map(|ply| json!([ply.seat, ply.words, ply.marks, ply.changes]))
                .collect();
            let agents: Vec<String> = game.agents.iter().map(|name| agent(name)).collect();
            json!({
                "agents": agents,
                "outcome": game.outcome,
                "opening": game.opening,
                "plies": plies,
            })
        })
        .collect();
    let looks: Vec<_> = replays
        .looks
        .iter()
        .map(|look| {
            let symbol = look.symbol.map(|symbol| shown(symbol, look.round));
            json!([symbol, look.fill, look.ink, look.round, look.name])
        })
        .collect();
    let data = json!({
        "players": replays.players,
        "places": places,
        "looks": looks,
        "start": replays.start,
        "games": games,
    });
    data.to_string().replace('<', "\\u003c")
}
