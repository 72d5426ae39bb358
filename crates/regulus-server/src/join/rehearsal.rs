//! A game that an agent plays with itself before it says that it is ready.

use std::time::{Duration, Instant};

use regulus_arena::{Table, table};
use regulus_player::{Mind, Rules, Thinker, wire};
use regulus_search::config::Limits;

use super::JoinError;

/// The longest time for it.
const LONGEST: Duration = Duration::from_secs(2);

/// What is thought about a move.
const SIMULATIONS: u64 = 10;

/// Plays a game, or as much of it as fits into half of the preparation time that began at `begin`.
///
/// Machine code is made where it is first used. That would be in the first turns, when a clock is running.
/// What makes an agent impossible is found here, too, and not in the first game.
pub(super) fn rehearse(
    mind: &Mind,
    rules: &Rules,
    begin: Instant,
    given: Option<Duration>,
) -> Result<(), JoinError> {
    let time =
        given.map_or(LONGEST, |given| LONGEST.min((given / 2).saturating_sub(begin.elapsed())));
    let end = Instant::now() + time;
    let mut table = table(rules)?;
    let mut thinker = mind.thinker(0, std::iter::empty())?;
    let mut goes_on = play_move(table.as_mut(), thinker.as_mut(), time)?;
    while goes_on && Instant::now() < end {
        // What goes wrong here may never happen in a real game.
        goes_on = play_move(table.as_mut(), thinker.as_mut(), time).unwrap_or(false);
    }
    Ok(())
}

/// Makes a move; false if there is none.
fn play_move(
    table: &mut dyn Table,
    thinker: &mut dyn Thinker,
    time: Duration,
) -> Result<bool, JoinError> {
    let limits = Limits { time: Some(time), ..Limits::simulations(SIMULATIONS) };
    let Some(steps) = thinker.think(&limits)?.chosen else { return Ok(false) };
    if !table.is_legal(&steps)? {
        let text = wire::text(&steps);
        return Err(JoinError::Agent(format!(
            "the agent wants to play `{text}`, which is illegal"
        )));
    }
    table.play(&steps)?;
    thinker.advance(&steps)?;
    Ok(!table.is_over()?)
}
