//! How fast agents are.

use super::markup::{agent, cell, escape, number, rate, sortable, whole};
use crate::report::experiment_report::ExperimentReport;

/// The table; empty if nothing was measured.
pub fn table(report: &ExperimentReport) -> String {
    if report.speeds.is_empty() {
        return String::new();
    }
    let has_memory = report.speeds.iter().any(|speed| speed.memory_mib.is_some());
    let is_flat = report.speeds.iter().any(|speed| speed.states_per_simulation.is_some());
    let rows: Vec<String> = report
        .speeds
        .iter()
        .map(|speed| {
            let speed_up = match speed.speed_up {
                Some(times) => format!("{}×", number(Some(times), 2, false)),
                None => "–".to_owned(),
            };
            let milliseconds = 1e3 * speed.seconds_per_turn;
            let mut cells = vec![
                cell("", None, &escape(&speed.game)),
                cell("", None, &agent(&speed.agent)),
                cell("", None, &escape(&speed.limit)),
                cell("n", Some(speed.states_per_s), &rate(speed.states_per_s)),
                cell("n", Some(speed.simulations_per_s), &rate(speed.simulations_per_s)),
                cell("n", speed.speed_up, &speed_up),
                cell(
                    "n",
                    Some(milliseconds),
                    &number(Some(milliseconds), if milliseconds < 1.0 { 3 } else { 1 }, false),
                ),
                cell("n", Some(speed.turns as f64), &whole(speed.turns)),
            ];
            if has_memory {
                cells.push(cell("n", speed.memory_mib, &number(speed.memory_mib, 1, false)));
            }
            if is_flat {
                let [nodal, all] = [speed.nodal_states_per_simulation, speed.states_per_simulation];
                cells.push(cell("n", nodal, &number(nodal, 1, false)));
                cells.push(cell("n", all, &number(all, 1, false)));
                cells.push(cell("n", speed.branching, &number(speed.branching, 2, false)));
            }
            format!("<tr>{}</tr>", cells.concat())
        })
        .collect();
    let mut columns = vec![
        "game",
        "agent",
        "limit",
        "#states/s",
        "#simulations/s",
        "#speed-up",
        "#ms per turn",
        "#turns",
    ];
    if has_memory {
        columns.push("#memory, MiB");
    }
    if is_flat {
        columns.extend(["#nodal states/simulation", "#all states/simulation", "#branching"]);
    }
    sortable(&columns, &rows)
        + "<p class=\"caption\">Nodal states and simulations per second of search, over all turns; speed-up in \
           nodal states per second to the baseline in the same game with the same limit.</p>\n"
}
