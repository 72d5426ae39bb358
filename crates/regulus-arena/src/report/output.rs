//! The files of a report.

use std::path::PathBuf;
use std::sync::Arc;

use regulus_player::LoadedGame;
use rustc_hash::FxHashMap;

use super::experiment_report::ExperimentReport;
use super::html;
use super::notice::Notice;
use super::replay::{Replays, name};
use super::{rows, summary_table, video};
use crate::board::BoardRecord;
use crate::experiment::{Archive, ExperimentError, Kind, Layout, write_whole};

/// At most this number of games of each game can be replayed on the page: the newest ones.
const REPLAYS: usize = 20;

/// Longer games are not put on the page.
const LONGEST: usize = 1000;

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The page.
    pub page: PathBuf,
    /// One row per result.
    pub table: PathBuf,
    /// One row per game, as CSV.
    pub csv: PathBuf,
    /// One row per game, as Parquet.
    pub parquet: PathBuf,
    /// A heat map for every limit.
    pub maps: Vec<PathBuf>,
}

/// Makes the report of an experiment and writes its files. `games` are the rules of the games of its plan.
pub fn write(
    layout: &Layout,
    archive: &Archive,
    games: &[Arc<LoadedGame>],
) -> Result<(ExperimentReport, Written), ExperimentError> {
    let (mut report, sound) = ExperimentReport::new(archive);
    let mut replays = Vec::new();
    for game in games {
        let newest = newest(&sound.games, game, &mut report.notices);
        if !newest.is_empty() {
            let (shown, problems) = Replays::new(game, &newest);
            replays.push(shown);
            report.notices.extend(problems.into_iter().map(Notice::warning));
        }
    }
    report.notices.sort_by_key(|notice| notice.severity);
    let folder = layout.report();
    std::fs::create_dir_all(&folder).map_err(ExperimentError::io(&folder, "make"))?;
    let maps = html::heat_maps(&report);
    let map_file = |(limit, _): &(String, String)| folder.join(format!("heat-map-{limit}.svg"));
    let written = Written {
        maps: maps.iter().map(map_file).collect(),
        page: folder.join("report.html"),
        table: folder.join("table.csv"),
        csv: folder.join("results.csv"),
        parquet: folder.join("results.parquet"),
    };
    let (table, rows) = match (&report.video, report.kind) {
        (Some(found), _) => (video::results(found), video::runs(&sound.runs)),
        (None, Kind::Speed) => {
            (summary_table::speeds(&report.speeds), rows::searches(&archive.contests))
        }
        (None, _) => {
            let table = summary_table::table(&report.cells, &report.published);
            (table, rows::table(&sound.games))
        }
    };
    write_whole(&written.table, table.csv().as_bytes())?;
    write_whole(&written.csv, rows.csv().as_bytes())?;
    write_whole(&written.parquet, &rows.parquet())?;
    for (path, (_, map)) in written.maps.iter().zip(&maps) {
        write_whole(path, map.as_bytes())?;
    }
    write_whole(&written.page, html::page(&report, archive, &replays).as_bytes())?;
    Ok((report, written))
}

/// The newest games of a game, taken in turn from all its contests so that all are there.
fn newest<'r>(
    records: &[&'r BoardRecord],
    game: &LoadedGame,
    notices: &mut Vec<Notice>,
) -> Vec<&'r BoardRecord> {
    let mut contests: Vec<Vec<&BoardRecord>> = Vec::new();
    let mut places: FxHashMap<(Vec<&str>, &str), usize> = FxHashMap::default();
    let (mut other_rules, mut example) = (0, None);
    for record in records.iter().filter(|r| r.game.name == game.name()) {
        if record.game.sha256 != game.sha256() {
            other_rules += 1;
            example.get_or_insert_with(|| name(record));
            continue;
        }
        if record.moves.len() > LONGEST {
            continue;
        }
        let agents = record.agents.iter().map(|agent| agent.name.as_str()).collect();
        let place = *places.entry((agents, record.budget.as_str())).or_insert_with(|| {
            contests.push(Vec::new());
            contests.len() - 1
        });
        contests[place].push(record);
    }
    if let Some(example) = example {
        notices.push(Notice::warning(format!(
            "{other_rules} records were played by other rules, the first is {example}"
        )));
    }
    for contest in &mut contests {
        contest.sort_by(|a, b| b.started.total_cmp(&a.started).then(b.unit.cmp(&a.unit)));
    }
    let longest = contests.iter().map(Vec::len).max().unwrap_or(0);
    let in_turn = (0..longest).flat_map(|i| contests.iter().filter_map(move |c| c.get(i)));
    let mut chosen: Vec<&BoardRecord> = in_turn.take(REPLAYS).copied().collect();
    chosen.sort_by(|a, b| a.budget.cmp(&b.budget).then(b.started.total_cmp(&a.started)));
    chosen
}
