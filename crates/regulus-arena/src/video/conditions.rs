//! What an agent may use, from what was asked for.

use std::time::Duration;

use regulus_player::video::Conditions;
use regulus_search::config::Limits;

/// The time before the first tick, where actions have a time.
const INITIALISATION: Duration = Duration::from_secs(1);

/// By how much an agent may be late.
pub const GRACE: Duration = Duration::from_millis(10);

/// The conditions of a limit for actions. If nothing is said about the time before the first tick it is one second
/// where actions have a time; iterations and ticks of the forward model are as many as for an action.
pub fn conditions(
    action: &Limits,
    initialisation: Option<&Limits>,
    buffer: Duration,
    grace: Duration,
) -> Conditions {
    let usual = || Limits { time: action.time.map(|_| INITIALISATION), ..action.clone() };
    let initialisation = initialisation.cloned().unwrap_or_else(usual);
    Conditions {
        action: Limits { buffer, ..action.clone() },
        initialisation: Limits { buffer, ..initialisation },
        grace,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_conditions_are_those_of_the_competition() {
        let buffer = Duration::from_millis(5);
        let action = Limits::time(Duration::from_millis(40));
        assert_eq!(conditions(&action, None, buffer, GRACE), Conditions::default());
        let iterations = Limits::simulations(20);
        let found = conditions(&iterations, None, buffer, GRACE);
        assert_eq!(found.initialisation.simulations, Some(20));
        assert_eq!(found.initialisation.time, None);
        let found = conditions(&iterations, Some(&Limits::simulations(500)), buffer, GRACE);
        assert_eq!(found.initialisation.simulations, Some(500));
    }
}
