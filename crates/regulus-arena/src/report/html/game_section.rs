//! A section for every game: games that can be replayed on its board.

use regulus_scene::{CellShape, Kind, Look, Scene};
use serde_json::json;

use super::markup::{agent, escape};
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
        board = board(&replays.scene, &replays.game),
        options = options.concat(),
        legend = legend(replays),
        data = data(replays),
    )
}

/// The empty board; the script puts pieces on it.
fn board(scene: &Scene, game: &str) -> String {
    let (width, height) = (scene.width * SCALE, scene.height * SCALE);
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 {width:.1} {height:.1}\" role=\"img\" aria-label=\"board of {}\">",
        escape(game)
    );
    let at = |x: f64, y: f64| format!("{:.1} {:.1}", x * SCALE, y * SCALE);
    for blank in &scene.blanks {
        let path = closed(&square(blank.x, blank.y, blank.size), at);
        svg += &format!("<path class=\"field\" d=\"{path}\"/>");
    }
    for line in &scene.lines {
        let (from, to) = (at(line.x1, line.y1), at(line.x2, line.y2));
        svg += &format!("<path class=\"edge\" d=\"M{from}L{to}\"/>");
    }
    for cell in &scene.cells {
        let class = if cell.shade == 1 { "field dark" } else { "field" };
        let corners = match cell.shape {
            CellShape::Square => square(cell.x, cell.y, cell.size),
            CellShape::Hexagon => hexagon(cell.x, cell.y, cell.size),
            CellShape::Circle => {
                let (x, y, r) = (cell.x * SCALE, cell.y * SCALE, cell.size * SCALE / 2.0);
                svg += &format!(
                    "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\"/>"
                );
                continue;
            }
            CellShape::Point => continue,
        };
        svg += &format!("<path class=\"{class}\" d=\"{}\"/>", closed(&corners, at));
    }
    for label in &scene.labels {
        svg += &format!(
            "<text class=\"caption\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            label.x * SCALE,
            label.y * SCALE + 4.0,
            escape(&label.text)
        );
    }
    svg + "<g class=\"marks\"></g><g class=\"pieces\"></g></svg>"
}

fn closed(corners: &[(f64, f64)], at: impl Fn(f64, f64) -> String) -> String {
    let corners: Vec<String> = corners.iter().map(|(x, y)| at(*x, *y)).collect();
    format!("M{}z", corners.join("L"))
}

fn square(x: f64, y: f64, size: f64) -> Vec<(f64, f64)> {
    let h = size / 2.0;
    vec![(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)]
}

/// With a corner above.
fn hexagon(x: f64, y: f64, width: f64) -> Vec<(f64, f64)> {
    let (half, radius) = (width / 2.0, width / 3f64.sqrt());
    let [long, short] = [radius, radius / 2.0];
    vec![
        (x, y - long),
        (x + half, y - short),
        (x + half, y + short),
        (x, y + long),
        (x - half, y + short),
        (x - half, y - short),
    ]
}

/// Pieces that are nobody's are square.
fn round(look: &Look) -> bool {
    look.kind != Kind::Tile
}

/// What the pieces are called.
fn legend(replays: &Replays) -> String {
    let mut items = String::new();
    for look in replays.looks.iter() {
        let Some(letter) = &look.letter else { continue };
        let shape = if round(look) { "50%" } else { "3px" };
        items += &format!(
            "<li><span class=\"man\" style=\"background:{};color:{};border-radius:{shape}\">{}</span>{}</li>",
            look.fill,
            look.ink,
            escape(letter),
            escape(&look.name)
        );
    }
    format!("<ul class=\"men\">{items}</ul>\n")
}

/// What the script needs, as JSON that cannot end the element it is in.
fn data(replays: &Replays) -> String {
    let places: Vec<[f64; 2]> = replays
        .scene
        .cells
        .iter()
        .map(|cell| [cell.x, cell.y].map(|at| (at * SCALE * 10.0).round() / 10.0))
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
        .map(|look| json!([look.letter, look.fill, look.ink, round(look), look.name]))
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
