//! Who played, where and with what: the manifests, the games and agents, the measured limits.

use super::markup::{agent, cell, escape, number, sortable, whole};
use crate::experiment::{Archive, Manifest};
use crate::video::LevelRecord;

/// The section.
pub fn section(archive: &Archive) -> String {
    let plan = &archive.plan;
    let how = match &plan.video {
        None => format!("{} random opening moves", plan.opening_plies),
        Some(video) => format!("rules of {}, {} runs of every level", video.profile, video.runs),
    };
    let mut text = format!(
        "<p>Experiment <code>{}</code>, size {}, seed {}, scale {}, {how}.</p>\n",
        escape(&plan.experiment),
        escape(&plan.extent.to_string()),
        plan.seed,
        plan.scale,
    );
    if !archive.manifests.is_empty() {
        let rows: Vec<String> = archive.manifests.iter().map(worker).collect();
        let columns = [
            "worker",
            "version",
            "machine",
            "processor",
            "shard",
            "#threads",
            "#played",
            "began",
            "#hours",
            "#load before",
            "#highest",
            "#after",
        ];
        text += "<h3>Workers</h3>\n";
        text += &sortable(&columns, &rows);
    }
    if !archive.calibrations.all.is_empty() {
        let rows: Vec<String> = archive
            .calibrations
            .all
            .iter()
            .map(|c| {
                let cells = [
                    cell("", None, &escape(&c.game.name)),
                    cell("", None, &agent(&c.agent)),
                    cell("n", Some(c.milliseconds), &format!("{}", c.milliseconds)),
                    cell("n", Some(c.simulations), &number(Some(c.simulations), 0, false)),
                    cell("n", Some(c.nodal_states), &number(Some(c.nodal_states), 0, false)),
                    cell("", None, &escape(&c.processor)),
                ];
                format!("<tr>{}</tr>", cells.concat())
            })
            .collect();
        text += "<h3>Calibrated limits</h3>\n";
        text += &sortable(
            &["game", "baseline", "#ms", "#simulations", "#nodal states", "processor"],
            &rows,
        );
    }
    let row = |name: &str, sha256: &str| {
        let sum = format!("<code class=\"hash\">{}</code>", escape(sha256));
        format!("<tr>{}{}</tr>", cell("", None, &escape(name)), cell("", None, &sum))
    };
    let mut rows: Vec<String> =
        plan.games.iter().map(|game| row(&game.name, &game.sha256)).collect();
    for game in plan.video.iter().flat_map(|video| &video.games) {
        let level = |level: &LevelRecord| {
            row(&format!("{}, level {}", game.name, level.name), &level.sha256)
        };
        rows.extend(game.levels.iter().map(level));
    }
    text += "<h3>Rules</h3>\n";
    text += &sortable(&["game", "SHA-256 of the rules"], &rows);
    text += "<h3>Agents</h3>\n";
    for agent in &plan.agents {
        let parameters = serde_json::to_string_pretty(&agent.parameters).unwrap_or_default();
        text += &format!(
            "<details><summary><code>{}</code></summary><pre>{}</pre></details>\n",
            escape(&agent.name),
            escape(&parameters)
        );
    }
    text
}

fn worker(m: &Manifest) -> String {
    let version = match &m.commit {
        Some(commit) => format!("{} <code>{}</code>", escape(&m.version), escape(commit)),
        None => escape(&m.version),
    };
    let hours = m.ended.map(|ended| (ended - m.started) / 3600.0);
    let crowded =
        |load: Option<f64>| load.is_some_and(|load| load > m.machine.processors as f64 + 0.5);
    let load = |load: Option<f64>| {
        cell(if crowded(load) { "n far" } else { "n" }, load, &number(load, 1, false))
    };
    let processor = format!("{} × {}", m.machine.processors, escape(&m.machine.processor));
    let threads = format!("{}{}", m.threads, if m.pinned { ", pinned" } else { "" });
    let cells = [
        cell("", None, &format!("<code>{}</code>", escape(&m.worker))),
        cell("", None, &version),
        cell(
            "",
            None,
            &format!("{}<br><small>{}</small>", escape(&m.machine.host), escape(&m.machine.system)),
        ),
        cell("", None, &processor),
        cell("", Some(m.shard[0] as f64), &format!("{}/{}", m.shard[0], m.shard[1])),
        cell("n", Some(m.threads as f64), &threads),
        cell("n", Some(m.played as f64), &whole(m.played)),
        cell("", Some(m.started), &date(m.started)),
        cell("n", hours, &hours.map_or("not ended".to_owned(), |h| number(Some(h), 2, false))),
        load(m.load_before),
        load(m.load_highest),
        load(m.load_after),
    ];
    format!("<tr>{}</tr>", cells.concat())
}

/// A time as `2026-11-16 05:04` (UTC), by the civil calendar of H. Hinnant's *chrono-compatible low-level
/// date algorithms*.
fn date(seconds: f64) -> String {
    let seconds = seconds.max(0.0) as i64;
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", rest / 3600, rest % 3600 / 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known moments: the epoch, a leap day, the end of a century.
    #[test]
    fn times_are_dates() {
        assert_eq!(date(0.0), "1970-01-01 00:00");
        assert_eq!(date(951_782_400.0), "2000-02-29 00:00");
        assert_eq!(date(4_102_444_799.0), "2099-12-31 23:59");
        assert_eq!(date(1_700_000_000.5), "2023-11-14 22:13");
    }
}
