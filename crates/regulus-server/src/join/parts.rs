//! A search in parts, after each of which it is known what it would choose.

use std::time::Instant;

use regulus_game::Step;
use regulus_player::Failure;
use regulus_reasoner::RunError;
use regulus_search::Searcher;
use regulus_search::config::Limits;

/// How much of the time is over after each part. The first part is a single iteration.
const PARTS: [f64; 5] = [0.0, 0.5, 0.75, 0.9, 1.0];

/// What a search in parts has come to.
#[derive(Debug, Default)]
pub(super) struct Thought {
    /// The move to play; nothing if there is none.
    pub(super) chosen: Option<Vec<Step>>,
    /// Iterations of all parts.
    pub(super) iterations: u64,
    /// Nodal states of all parts.
    pub(super) nodal_states: u64,
}

/// Searches the position; gives the choice, and before that tells what it would be after each part. Without a
/// limit of time there is only one part.
pub(super) fn think_in_parts(
    searcher: &mut dyn Searcher<RunError>,
    limits: &Limits,
    note: &mut dyn FnMut(&[Step]),
) -> Result<Thought, Failure> {
    let mut all = Thought::default();
    let mut add = |all: &mut Thought, limits: &Limits| {
        let part = searcher.think(limits)?;
        all.iterations += part.totals.iterations;
        all.nodal_states += part.totals.nodal_states;
        all.chosen = part.chosen;
        Ok::<_, Failure>(part.totals)
    };
    let Some(time) = limits.time else {
        add(&mut all, limits)?;
        return Ok(all);
    };
    let start = Instant::now();
    let mut limits = limits.clone();
    for part in PARTS {
        limits.time = Some(time.mul_f64(part).saturating_sub(start.elapsed()));
        let totals = add(&mut all, &limits)?;
        match &all.chosen {
            Some(steps) => note(steps),
            None => break,
        }
        let spend = |limit: &mut Option<u64>, spent: u64| {
            *limit = limit.map(|limit| limit.saturating_sub(spent));
            *limit == Some(0)
        };
        let counted = spend(&mut limits.simulations, totals.iterations);
        if spend(&mut limits.states, totals.nodal_states) || counted || start.elapsed() >= time {
            break;
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use regulus_player::wire;
    use regulus_search::{MoveReport, SearchResult, Totals, Turn};
    use std::time::Duration;

    /// Spends what it is given, but never more than 40 iterations; chooses another move every time.
    #[derive(Default)]
    struct Counting {
        given: Vec<Limits>,
        iterations: u64,
    }

    impl Searcher<RunError> for Counting {
        fn take_turn(&mut self, turn: &mut Turn<'_>) -> Result<SearchResult, Failure> {
            let limits = turn.limits();
            self.given.push(limits.clone());
            let first = self.given.len() == 1 && limits.time.is_some();
            let most = if first { 1 } else { 40 };
            let iterations = limits.simulations.unwrap_or(most).min(most);
            self.iterations += iterations;
            let chosen = wire::parse(&format!("{} 1", self.given.len())).ok();
            let totals = Totals { iterations, nodal_states: 10 * iterations, ..Totals::default() };
            Ok(SearchResult { chosen, totals, nodes: 0, bytes: 0, trouble: None })
        }

        fn moves(&self) -> Vec<MoveReport> {
            Vec::new()
        }

        fn advance(&mut self, _: &[Step]) -> Result<(), Failure> {
            Ok(())
        }
    }

    /// The searcher, the choice, and everything that was noted.
    fn think(limits: &Limits) -> (Counting, String, Vec<String>) {
        let (mut searcher, mut noted) = (Counting::default(), Vec::new());
        let chosen = think_in_parts(&mut searcher, limits, &mut |steps| {
            noted.push(wire::text(steps));
        });
        let chosen = chosen.expect("fine").chosen.expect("a move");
        (searcher, wire::text(&chosen), noted)
    }

    #[test]
    fn every_part_is_noted() {
        let hour = Duration::from_secs(3600);
        let (searcher, chosen, noted) = think(&Limits::time(hour));
        assert_eq!((chosen.as_str(), noted.len()), ("5 1", 5));
        assert_eq!(noted.last(), Some(&chosen));
        let times: Vec<Duration> = searcher.given.iter().filter_map(|limits| limits.time).collect();
        assert_eq!(times[0], Duration::ZERO);
        assert!(times[1] <= hour / 2 && times[4] > hour.mul_f64(0.9));
    }

    #[test]
    fn counts_are_kept_over_all_parts() {
        let limits = Limits { time: Some(Duration::from_secs(3600)), ..Limits::simulations(100) };
        let (searcher, chosen, _) = think(&limits);
        assert_eq!((searcher.iterations, chosen.as_str()), (100, "4 1"));
        let limits = Limits { time: limits.time, ..Limits::states(405) };
        assert_eq!(think(&limits).0.iterations, 41);
        // Without a time nobody waits, and the search is as it would be.
        let (searcher, _, noted) = think(&Limits::simulations(30));
        assert_eq!((searcher.given.len(), searcher.iterations, noted.len()), (1, 30, 0));
    }

    #[test]
    fn no_time_is_one_iteration() {
        let (searcher, chosen, _) = think(&Limits::time(Duration::ZERO));
        assert_eq!((searcher.iterations, chosen.as_str()), (1, "1 1"));
    }
}
