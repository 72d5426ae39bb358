//! Budgets. SHOT must know its budget of playouts from the beginning.
//!
//! A limit of simulations is one. Under limits of states or time the budget is doubled until the limit is near: a
//! position that is visited again with more budget goes on as if it had had all of it at once, so that nothing is done in
//! vain (SLIDES: "revisiting already tested node with an increased budget"). What is left in the end, by the playouts
//! that the limit has allowed so far, is one budget more. That needs no measuring before the search, as an estimate of
//! playouts per second does, and notices if playouts become slower or faster.

use regulus_game::{Engine, Step};

use super::{Shot, validate_limits};
use crate::any_move::{Choice, settle};
use crate::failure::Failure;
use crate::report::{MoveReport, SearchResult, Snapshot};
use crate::searcher::Searcher;
use crate::stopper::Progress;
use crate::turn::Turn;

/// How many budgets, each twice the last, may pass without any playout until it is clear that there is nothing to play
/// out: all moves that are left end the game.
const IDLE: u32 = 16;

/// The budgets of a turn, one after the other.
struct Plan {
    /// Playouts that may be made in all.
    most: u64,
    /// There is no other limit.
    at_once: bool,
    done: u64,
    last: u64,
    idle: u32,
}

impl Plan {
    /// The first budget has a playout for every move.
    fn new(most: u64, at_once: bool, moves: u64) -> Self {
        Plan {
            most,
            at_once,
            done: 0,
            last: if at_once { most } else { moves.max(2).min(most) },
            idle: 0,
        }
    }

    /// The budget after one of which `used` playouts were made; nothing if the turn is over.
    fn next(&mut self, used: u64, share: f64) -> Option<u64> {
        self.done += used;
        self.idle = if used == 0 { self.idle + 1 } else { 0 };
        if self.at_once || self.done >= self.most || self.idle >= IDLE {
            return None;
        }
        let mut budget = if used == 0 { self.last.saturating_mul(2) } else { self.done };
        if share > 0.0 && used > 0 {
            let rest = (self.done as f64 * (1.0 - share) / share).round() as u64;
            if rest < 2 * self.done {
                budget = rest.max(1);
            }
        }
        self.last = budget.min(self.most - self.done);
        Some(self.last)
    }
}

impl<E> Searcher<E::Error> for Shot<E>
where
    E: Engine + Send,
    E::State: Send,
{
    /// A limit of simulations is never exceeded; moves that end the game need none.
    fn take_turn(&mut self, turn: &mut Turn<'_>) -> Result<SearchResult, Failure<E::Error>> {
        turn.validate(validate_limits)?;
        turn.begin(&mut self.sim.totals);
        self.spent = 0.0;
        if self.full || self.table.is_half_full() {
            self.table.clear();
            self.full = false;
        }
        let searched = self.search_budgets(turn);
        // What cannot be said about moves is an error of the search, too.
        self.report = self.reports().unwrap_or_default();
        let chooses = !turn.is_pondering();
        let found = if chooses { self.final_move() } else { Ok(None) };
        let totals = self.sim.totals.since(turn.before);
        let (nodes, bytes) = (self.table.len() as u64, self.bytes());
        let sim = &mut self.sim;
        let position = (chooses && sim.alive).then_some(&sim.position);
        let settled = settle(&mut sim.engine, position, searched, found);
        let Choice { chosen, trouble } = settled.map_err(Failure::Game)?;
        Ok(SearchResult { chosen, totals, nodes, bytes, trouble })
    }

    /// What the last turn has found out about the moves of the position, most playouts first. With split moves these
    /// are the moves of which every semimove was visited.
    fn moves(&self) -> Vec<MoveReport> {
        self.report.clone()
    }

    /// Entries are kept as long as they take less than half of the memory.
    fn advance(&mut self, steps: &[Step]) -> Result<(), Failure<E::Error>> {
        self.report.clear();
        self.sim.advance(steps).map_err(Failure::Game)
    }
}

impl<E: Engine> Shot<E> {
    fn search_budgets(&mut self, turn: &mut Turn<'_>) -> Result<(), E::Error> {
        self.prepare_root();
        let moves = self.count_moves()?;
        let most = turn.limits().simulations.unwrap_or(u64::MAX).max(1);
        let mut plan = Plan::new(most, turn.is_counted(), moves);
        let mut budget = (moves > 0).then_some(plan.last);
        while let Some(now) = budget {
            self.prepare_root();
            let visit = self.visit(0, now, turn)?;
            if visit.used == 0 {
                // Nothing has asked yet.
                self.look(turn);
            }
            budget = if turn.is_over() { None } else { plan.next(visit.used, self.spent) };
        }
        Ok(())
    }

    /// How many moves or first semimoves the position has.
    fn count_moves(&mut self) -> Result<u64, E::Error> {
        if !self.frames[0].alive {
            return Ok(0);
        }
        self.list(0).map(|count| count as u64)
    }

    /// Asks whether the turn is over, and shows what was found if somebody wants to see it.
    pub(super) fn look(&mut self, turn: &mut Turn<'_>) {
        let totals = self.sim.totals.since(turn.before);
        let progress = Progress {
            iterations: totals.iterations,
            states: totals.nodal_states,
            full: self.full,
            leaders: (0, 0),
        };
        turn.look(&progress, || {
            let (nodes, bytes) = (self.table.len() as u64, self.bytes());
            // What cannot be said about moves now will be an error of the search soon.
            let moves = self.reports().unwrap_or_default();
            let variation = self.variation().unwrap_or_default();
            Snapshot { totals, nodes, bytes, moves, variation }
        });
        self.spent = turn.share(&progress);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_simulations_is_one_budget() {
        let mut plan = Plan::new(1000, true, 20);
        assert_eq!((plan.last, plan.next(990, 0.0)), (1000, None));
    }

    /// 20 moves, and a limit that allows 1000 playouts: 20, and as many again as there were, until the rest is less
    /// than twice what was done.
    #[test]
    fn budgets_double_until_the_limit_is_near() {
        let mut plan = Plan::new(u64::MAX, false, 20);
        let mut budgets = vec![plan.last];
        let mut done = 0;
        while done < 1000 {
            let budget = plan.last;
            done += budget;
            budgets.extend(plan.next(budget, done as f64 / 1000.0));
        }
        assert_eq!(budgets[..6], [20, 20, 40, 80, 160, 320]);
        assert_eq!(budgets[6], 360);
        assert_eq!(done, 1000);
    }

    #[test]
    fn nothing_to_play_out_ends_the_turn() {
        let mut plan = Plan::new(u64::MAX, false, 2);
        let idle = (0..100).take_while(|_| plan.next(0, 0.0).is_some()).count();
        assert_eq!(idle, IDLE as usize - 1);
        let mut plan = Plan::new(50, false, 20);
        assert_eq!(plan.next(20, 0.0), Some(20));
        assert_eq!(plan.next(20, 0.0), Some(10), "no more than there may be");
        assert_eq!(plan.next(10, 0.0), None);
    }
}
