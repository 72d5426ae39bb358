//! What the size of an experiment can show and what it cannot, in words.

use super::notice::count;
use crate::experiment::{Declaration, Kind, Plan};
use crate::statistics::normal::Z95;

/// Half the length of the 95 % interval of a win rate of one half after a number of games, in percent. No win rate has a
/// longer one; draws, and pairs of games with the same opening, make it shorter.
pub fn half_width(games: u64) -> f64 {
    100.0 * Z95 * 0.5 / (games.max(1) as f64).sqrt()
}

/// What a reader must know about the size that was played: `declared` is the whole experiment, `played` what is left of it.
pub fn words(declared: &Declaration, played: &Declaration, plan: &Plan) -> Vec<String> {
    let mut words = Vec::new();
    words.extend(extent(declared, played, plan));
    words.extend(resolution(played, plan));
    if played.limits.iter().any(|limit| !declared.limits.contains(limit)) {
        let other = "published figures stand beside results with other limits: what they say about long searches need not \
                     hold for short ones";
        words.push(other.to_owned());
    }
    words.extend(played.notes.iter().cloned());
    words
}

/// What is played of the declaration; nothing if it is everything.
fn extent(declared: &Declaration, played: &Declaration, plan: &Plan) -> Option<String> {
    let mut parts = Vec::new();
    let mut part = |played: usize, all: usize, what: &str| {
        if played < all {
            parts.push(format!("{played} of {all} {what}"));
        }
    };
    part(played.games.len(), declared.games.len(), "games");
    part(played.agents.len(), declared.agents.len(), "agents");
    let levels = |d: &Declaration| d.video.as_ref().and_then(|v| v.level_count()).unwrap_or(0);
    part(levels(played), levels(declared), "levels");
    let of_each = match plan.kind {
        Kind::Matches => "games of every pair",
        Kind::Speed => "searches of every agent",
        Kind::Video => "runs of every level",
    };
    let scaled = (played.count() as f64 * plan.scale).round().max(1.0) as u64;
    if scaled != declared.count() {
        // Whole units are planned.
        let planned = match (plan.kind, plan.contests.first()) {
            (Kind::Matches, Some(contest)) => contest.games,
            _ => scaled,
        };
        parts.push(format!("{planned} instead of {} {of_each}", declared.count()));
    }
    let texts = |limits: &[crate::Budget]| {
        limits.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
    };
    if played.limits != declared.limits {
        parts.push(format!("{} instead of {}", texts(&played.limits), texts(&declared.limits)));
    }
    (!parts.is_empty()).then(|| format!("size {}: {}", plan.extent.size, parts.join(", ")))
}

/// How small a difference can be seen.
fn resolution(played: &Declaration, plan: &Plan) -> Option<String> {
    let cell = plan.contests.iter().map(|contest| contest.games).min()?;
    let games = played.games.len() as u64;
    if plan.kind == Kind::Speed {
        return Some(format!(
            "{} of each agent and game: a speed is worth what the machine was quiet, and only ratios far from 1 say something",
            if cell == 1 { "1 search".to_owned() } else { format!("{cell} searches") }
        ));
    }
    let (what, rate) = match plan.kind {
        Kind::Video => ("run", "percentage of wins"),
        Kind::Matches | Kind::Speed => ("game", "win rate"),
    };
    let average = match games {
        0 | 1 => String::new(),
        _ => {
            format!(", that of the average over {games} games to ± {:.1}", half_width(cell * games))
        }
    };
    Some(format!(
        "with {} a {rate} is known to ± {:.1} points (95 %, at one half){average}; smaller differences \
         between agents, or from published figures, may be chance",
        count(cell, what),
        half_width(cell)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1.96 times the square root of 1/4 divided by the number of games: 10 points need 96 games, and AAAI22's 5.7 points
    /// about 300.
    #[test]
    fn half_widths_are_those_of_the_normal_interval() {
        for (games, half) in
            [(1, 98.0), (4, 49.0), (96, 10.0), (240, 6.33), (300, 5.66), (1500, 2.53)]
        {
            assert!((half_width(games) - half).abs() < 0.01, "{games}: {}", half_width(games));
        }
    }
}
