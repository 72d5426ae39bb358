//! How fast agents are: states and simulations per second, and the speed-up to the baseline.

use serde::Serialize;

use super::cell::{Cell, Work};
use crate::board::SpeedRecord;
use crate::experiment::ContestArchive;

/// The speed of an agent in a game with a limit.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Speed {
    /// The game.
    pub game: String,
    /// The agent.
    pub agent: String,
    /// The limit.
    pub limit: String,
    /// Turns that were measured.
    pub turns: u64,
    /// Time of a turn, in the mean.
    pub seconds_per_turn: f64,
    /// Nodal states per second.
    pub states_per_s: f64,
    /// Simulations per second.
    pub simulations_per_s: f64,
    /// Nodal states per second as a part of the baseline's: 2 is twice as fast.
    pub speed_up: Option<f64>,
    /// Memory of a search in the mean, in units of 2^20 bytes, where it was measured.
    pub memory_mib: Option<f64>,
    /// Nodal states of a simulation in the mean, where there is nothing but simulations.
    pub nodal_states_per_simulation: Option<f64>,
    /// All states of a simulation in the mean, those inside moves and dead ones included, where they were counted.
    pub states_per_simulation: Option<f64>,
    /// Moves or semimoves that are computed for every state, where they were counted.
    pub branching: Option<f64>,
}

/// The speeds of all agents, in the order in which cells mention them; the baseline comes first in its
/// game and limit.
pub fn speeds(cells: &[Cell], baseline: Option<&str>) -> Vec<Speed> {
    let mut found: Vec<(&Cell, &str, Work)> = Vec::new();
    for cell in cells.iter().filter(|cell| cell.players <= 2) {
        for (agent, work) in [(&cell.agent, &cell.work), (&cell.against, &cell.work_against)] {
            let same = |(c, a, _): &&mut (&Cell, &str, Work)| {
                c.game == cell.game && c.limit == cell.limit && a == agent
            };
            match found.iter_mut().find(same) {
                Some((_, _, sum)) => sum.add(work),
                None => found.push((cell, agent, *work)),
            }
        }
    }
    let mut speeds: Vec<Speed> = found
        .iter()
        .filter_map(|(cell, agent, work)| speed(&cell.game, agent, &cell.limit, work))
        .collect();
    compare(&mut speeds, baseline);
    let mut order: Vec<(String, String)> = Vec::new();
    for speed in &speeds {
        let key = (speed.game.clone(), speed.limit.clone());
        if !order.contains(&key) {
            order.push(key);
        }
    }
    let place = |s: &Speed| order.iter().position(|(g, l)| *g == s.game && *l == s.limit);
    speeds.sort_by_key(|s| (place(s), Some(s.agent.as_str()) != baseline));
    speeds
}

/// The speeds of agents that were measured by searches of the first turn, in the order of the plan; searches
/// that failed do not count.
pub fn of_searches(contests: &[ContestArchive], baseline: Option<&str>) -> Vec<Speed> {
    let mut speeds = Vec::new();
    for contest in contests {
        let (mut work, mut bytes, mut counted) = (Work::default(), 0.0, [0.0; 3]);
        let searches = contest.records::<SpeedRecord>();
        for search in searches.filter(|search| search.failure.is_none()) {
            work.add(&Work {
                turns: 1,
                simulations: search.iterations,
                nodal_states: search.nodal_states,
                seconds: search.seconds,
            });
            bytes += search.bytes as f64;
            if let Some(counts) = search.flat {
                counted[0] += counts.simulations as f64;
                counted[1] += counts.states as f64;
                counted[2] += counts.moves as f64;
            }
        }
        let planned = &contest.planned;
        let agent = planned.agents.first().map_or("", String::as_str);
        let memory_mib = (bytes > 0.0).then(|| bytes / work.turns as f64 / f64::from(1 << 20));
        let found = speed(&planned.game, agent, &planned.budget, &work);
        let [simulations, states, moves] = counted;
        let is_flat = simulations > 0.0;
        speeds.extend(found.map(|speed| Speed {
            memory_mib,
            nodal_states_per_simulation:
                is_flat.then(|| work.nodal_states as f64 / work.simulations.max(1) as f64),
            states_per_simulation: is_flat.then(|| states / simulations),
            branching: (states > 0.0).then(|| moves / states),
            ..speed
        }));
    }
    compare(&mut speeds, baseline);
    speeds
}

/// Fills in how much faster than the baseline everybody is in the same game with the same limit.
fn compare(speeds: &mut [Speed], baseline: Option<&str>) {
    let base: Vec<(String, String, f64)> = speeds
        .iter()
        .filter(|speed| Some(speed.agent.as_str()) == baseline && speed.states_per_s > 0.0)
        .map(|speed| (speed.game.clone(), speed.limit.clone(), speed.states_per_s))
        .collect();
    for speed in speeds {
        let same =
            base.iter().find(|(game, limit, _)| *game == speed.game && *limit == speed.limit);
        speed.speed_up = same.map(|(_, _, states)| speed.states_per_s / states);
    }
}

/// A speed; nothing if nothing was measured.
fn speed(game: &str, agent: &str, limit: &str, work: &Work) -> Option<Speed> {
    (work.turns > 0 && work.seconds > 0.0).then(|| Speed {
        game: game.to_owned(),
        agent: agent.to_owned(),
        limit: limit.to_owned(),
        turns: work.turns,
        seconds_per_turn: work.seconds / work.turns as f64,
        states_per_s: work.nodal_states as f64 / work.seconds,
        simulations_per_s: work.simulations as f64 / work.seconds,
        speed_up: None,
        memory_mib: None,
        nodal_states_per_simulation: None,
        states_per_simulation: None,
        branching: None,
    })
}
