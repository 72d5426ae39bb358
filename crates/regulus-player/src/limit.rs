//! Limits as text: how long an agent thinks.

use std::time::Duration;

use regulus_diagnostic::did_you_mean;
use regulus_search::config::Limits;

/// Longest time that can be asked for.
const MAX_TIME: Duration = Duration::from_secs(86_400);

/// Reads `time=500ms`, `sims=1000`, `states=100000`, or several of them with commas between them:
/// whatever is reached first ends the search.
pub fn parse(text: &str) -> Result<Limits, String> {
    let mut limits = Limits::default();
    for part in text.split(',') {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let (key, value) = (key.trim(), value.trim());
        let before = match key {
            "time" => limits.time.replace(parse_duration(key, value)?).is_some(),
            "sims" => limits.simulations.replace(count(key, value)?).is_some(),
            "states" => limits.states.replace(count(key, value)?).is_some(),
            _ => {
                return Err(format!(
                    "`{key}` is no limit; {}give time=500ms, sims=1000 or states=100000",
                    did_you_mean(key, ["time", "sims", "states"])
                        .map_or(String::new(), |near| format!("did you mean `{near}`? "))
                ));
            }
        };
        if before {
            return Err(format!("`{key}` is given twice"));
        }
    }
    Ok(limits)
}

fn count(key: &str, value: &str) -> Result<u64, String> {
    match value.parse() {
        Ok(0) | Err(_) => Err(format!("`{key}={value}` must be a whole number from 1 on")),
        Ok(count) => Ok(count),
    }
}

/// Writes what [`parse`] reads. Nothing is written of memory, of the buffer and of stopping early.
pub fn text(limits: &Limits) -> String {
    let time = limits.time.map(|time| format!("time={}", duration_text(time)));
    let simulations = limits.simulations.map(|count| format!("sims={count}"));
    let states = limits.states.map(|count| format!("states={count}"));
    [time, simulations, states].into_iter().flatten().collect::<Vec<_>>().join(",")
}

/// Writes a time as `500ms` or `2.5s`.
pub fn duration_text(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1e3;
    if milliseconds < 1e3 {
        format!("{milliseconds}ms")
    } else {
        format!("{}s", time.as_secs_f64())
    }
}

/// Reads a time as `500ms` or `2.5s`, named in error messages by `key`.
pub fn parse_duration(key: &str, value: &str) -> Result<Duration, String> {
    let (number, unit) = match (value.strip_suffix("ms"), value.strip_suffix('s')) {
        (Some(number), _) => (number, 1e-3),
        (None, Some(number)) => (number, 1.0),
        (None, None) => return Err(format!("`{key}={value}` needs a unit, as in 500ms or 2.5s")),
    };
    let seconds = number.trim().parse::<f64>().ok().map(|n| n * unit);
    match seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()) {
        Some(time) if !time.is_zero() && time <= MAX_TIME => Ok(time),
        _ => Err(format!("`{key}={value}` must be above 0 and at most a day, as in 500ms or 2.5s")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let time = |text| parse(text).expect("a limit").time;
        assert_eq!(time("time=500ms"), Some(Duration::from_millis(500)));
        assert_eq!(time("time=2.5s"), Some(Duration::from_millis(2500)));
        let both = parse("sims=10, states=200").expect("limits");
        assert_eq!(both, Limits { states: Some(200), ..Limits::simulations(10) });
    }

    #[test]
    fn what_is_written_is_read() {
        for limits in ["time=500ms", "time=2.5s", "time=0.25ms,sims=7", "sims=10,states=200"] {
            assert_eq!(text(&parse(limits).expect("limits")), limits);
        }
    }

    #[test]
    fn wrong_limits_say_why() {
        let why = |text| parse(text).expect_err("wrong");
        assert!(why("time=500").contains("needs a unit"));
        assert!(why("time=-1s").contains("above 0"));
        assert!(why("time=nans").contains("above 0"));
        assert!(why("sims=0").contains("from 1 on"));
        assert!(why("sims=1,sims=2").contains("twice"));
        assert!(why("sim=5").contains("did you mean `sims`?"));
        assert!(why("").contains("is no limit"));
    }
}
