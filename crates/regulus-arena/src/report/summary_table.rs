//! One row per game, pair and limit: the results as a table for other programs.

use super::cell::Cell;
use super::published::{Comparison, win_rate};
use super::speed::Speed;
use super::table::Table;

/// The results as a table; rates are in percent, as in the papers.
pub fn table(cells: &[Cell], published: &[Comparison]) -> Table {
    let mut table = Table::default();
    let all = || cells.iter();
    let text = |value: &str| Some(value.to_owned());
    let whole = |value: u64| i64::try_from(value).ok();
    let percent = |value: Option<f64>| value.map(|v| (v * 1e6).round() / 1e4);
    let rounded = |value: Option<f64>| value.map(|v| (v * 1e4).round() / 1e4);
    table.text("game", all().map(|c| text(&c.game)));
    table.text("agent", all().map(|c| text(&c.agent)));
    table.text("against", all().map(|c| text(&c.against)));
    table.text("limit", all().map(|c| text(&c.limit)));
    table.integer("games", all().map(|c| whole(c.games)));
    table.integer("wins", all().map(|c| c.results.and_then(|r| whole(r.wins))));
    table.integer("draws", all().map(|c| c.results.and_then(|r| whole(r.draws))));
    table.integer("losses", all().map(|c| c.results.and_then(|r| whole(r.losses))));
    table.real("win_rate", all().map(|c| percent(c.rate)));
    table.real("error", all().map(|c| percent(c.error)));
    table.real("low", all().map(|c| percent(c.interval.map(|i| i.low))));
    table.real("high", all().map(|c| percent(c.interval.map(|i| i.high))));
    table.text("standing", all().map(|c| c.standing.and_then(|s| text(s.word()))));
    table.real("elo", all().map(|c| rounded(c.elo.map(|e| e.difference))));
    table.real("elo_error", all().map(|c| rounded(c.elo.map(|e| e.error))));
    table.real("los", all().map(|c| percent(c.los)));
    let figure = |c: &Cell| win_rate(published, Some(&c.game), &c.agent, &c.against, &c.limit);
    table.real("published", all().map(|c| figure(c).map(|f| f.published)));
    table.real("published_error", all().map(|c| figure(c).and_then(|f| f.published_error)));
    table.real("deviation", all().map(|c| rounded(figure(c).and_then(|f| f.deviation))));
    table.real("length", all().map(|c| rounded(Some(c.length))));
    table.integer("distinct_games", all().map(|c| Some(c.distinct_games as i64)));
    table.integer("timeouts", all().map(|c| whole(c.faults.timeouts)));
    table.integer("failures", all().map(|c| whole(c.faults.failures)));
    table.integer("timeouts_against", all().map(|c| whole(c.faults_against.timeouts)));
    table.integer("failures_against", all().map(|c| whole(c.faults_against.failures)));
    table.integer("void", all().map(|c| whole(c.void)));
    table
}

/// Speeds as a table.
pub fn speeds(speeds: &[Speed]) -> Table {
    let mut table = Table::default();
    let all = || speeds.iter();
    table.text("game", all().map(|s| Some(s.game.clone())));
    table.text("agent", all().map(|s| Some(s.agent.clone())));
    table.text("limit", all().map(|s| Some(s.limit.clone())));
    table.integer("turns", all().map(|s| i64::try_from(s.turns).ok()));
    table.real("seconds_per_turn", all().map(|s| Some(s.seconds_per_turn)));
    table.real("states_per_s", all().map(|s| Some(s.states_per_s)));
    table.real("simulations_per_s", all().map(|s| Some(s.simulations_per_s)));
    table.real("speed_up", all().map(|s| s.speed_up));
    table.real("memory_mib", all().map(|s| s.memory_mib));
    table.real("nodal_states_per_simulation", all().map(|s| s.nodal_states_per_simulation));
    table.real("states_per_simulation", all().map(|s| s.states_per_simulation));
    table.real("branching", all().map(|s| s.branching));
    table
}
