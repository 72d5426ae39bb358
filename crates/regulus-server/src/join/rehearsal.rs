//! A game that an agent plays with itself before it says that it is ready.

use std::time::{Duration, Instant};

use regulus_arena::board::{Table, table};
use regulus_player::{PreparedAgent, Rules, wire};
use regulus_reasoner::RunError;
use regulus_search::Searcher;
use regulus_search::config::Limits;

use super::reserve::Reserve;
use super::words::Failure;

/// The longest time for it.
const LONGEST: Duration = Duration::from_secs(1);

/// What is thought about a move.
const MOVE_TIME: Duration = Duration::from_millis(10);

/// Plays a game, or as much of it as fits into half of the preparation time that began at `begin`.
///
/// Machine code is made where it is first used. That would be in the first turns, when a clock is running. How
/// late searches stop on this machine is found out, too, and so is what makes an agent impossible.
pub(super) fn rehearse(
    prepared_agent: &PreparedAgent,
    rules: &Rules,
    reserve: &mut Reserve,
    begin: Instant,
    given: Option<Duration>,
) -> Result<(), Failure> {
    let half = given.map(|given| (given / 2).saturating_sub(begin.elapsed()));
    let end = Instant::now() + half.map_or(LONGEST, |half| half.min(LONGEST));
    let mut table = table(rules)?;
    let mut searcher = prepared_agent.searcher(0, std::iter::empty())?;
    // Here it takes long because of everything that is done for the first time.
    let mut goes_on = play_move(table.as_mut(), searcher.as_mut())?.is_some();
    while goes_on && Instant::now() < end {
        // What goes wrong here may never happen in a real game.
        let delay = play_move(table.as_mut(), searcher.as_mut()).ok().flatten();
        delay.inspect(|delay| reserve.observe(*delay));
        goes_on = delay.is_some();
    }
    Ok(())
}

/// Makes a move; tells how late the search has stopped, and nothing if that was the last move.
fn play_move(
    table: &mut dyn Table,
    searcher: &mut dyn Searcher<RunError>,
) -> Result<Option<Duration>, Failure> {
    let start = Instant::now();
    let Some(steps) = searcher.think(&Limits::time(MOVE_TIME))?.chosen else { return Ok(None) };
    let delay = start.elapsed().saturating_sub(MOVE_TIME);
    if !table.is_legal(&steps)? {
        let text = wire::text(&steps);
        return Err(Failure::Agent(format!("the agent wants to play `{text}`, which is illegal")));
    }
    table.play(&steps)?;
    searcher.advance(&steps)?;
    Ok((!table.is_over()?).then_some(delay))
}
