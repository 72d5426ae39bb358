//! Any legal move: what is played when a search has found none. It can end without one where the rules ask for too
//! much somewhere: a random game that does not end, more moves than can be listed. Whoever is to move has a legal
//! move all the same, and playing it is better than playing none.

use regulus_game::{Engine, Step};

/// What a turn has come to.
pub(crate) struct Choice {
    /// The move to play; `None` if the game is over.
    pub(crate) chosen: Option<Vec<Step>>,
    /// Why the search has ended before its limits, if it has.
    pub(crate) trouble: Option<String>,
}

/// The choice after a search that has ended somehow and has found something or nothing. `position` is the one that was
/// searched, after the keeper, if he is not stuck. It is an error only if the rules do not tell any legal move.
pub(crate) fn settle<E: Engine>(
    engine: &mut E,
    position: Option<&E::State>,
    searched: Result<(), E::Error>,
    found: Result<Option<Vec<Step>>, E::Error>,
) -> Result<Choice, E::Error> {
    let mut trouble = searched.err();
    let mut chosen = found.unwrap_or_else(|error| {
        trouble.get_or_insert(error);
        None
    });
    if chosen.is_none()
        && let Some(position) = position
    {
        let (mut state, mut steps) = (position.clone(), Vec::new());
        // The first one, since others may be too many to be counted.
        match engine.nth(&mut state, 0, &mut steps) {
            Ok(exists) => chosen = exists.then_some(steps),
            Err(error) => return Err(trouble.unwrap_or(error)),
        }
    }
    Ok(Choice { chosen, trouble: trouble.map(|error| error.to_string()) })
}
