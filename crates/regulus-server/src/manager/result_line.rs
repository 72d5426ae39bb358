//! The result of a game as the original logs it.

use std::fmt;

/// `<seconds> <moves> <sum of numbers of legal moves> <score> ... [timeouts=n,n[(lateready)][,manager]]`. After a
/// game that somebody has lost by a fault, which the original does not log at all, `forfeit=<seat>`
/// follows.
#[derive(Clone, PartialEq, Debug)]
pub struct ResultLine {
    /// How long the game took.
    pub seconds: f64,
    /// How many moves were made.
    pub plies: usize,
    /// How many moves were legal, over all positions.
    pub legal_moves: u64,
    /// The score of every seat.
    pub scores: Vec<u32>,
    /// How many moves of every seat came late.
    pub late: Vec<u32>,
    /// Whether the player on every seat was ready too late.
    pub late_ready: Vec<bool>,
    /// Whether the manager itself took longer than a player may.
    pub manager_late: bool,
    /// The seat that has lost by a fault, from 1.
    pub forfeit: Option<usize>,
}

impl fmt::Display for ResultLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", significant(self.seconds), self.plies, self.legal_moves)?;
        for score in &self.scores {
            write!(f, " {score}")?;
        }
        let late = self.late.iter().any(|count| *count > 0) || self.late_ready.contains(&true);
        if late || self.manager_late {
            let seat = |(count, late_ready): (&u32, &bool)| {
                format!("{count}{}", if *late_ready { "(lateready)" } else { "" })
            };
            let seats: Vec<String> = self.late.iter().zip(&self.late_ready).map(seat).collect();
            write!(f, " timeouts={}", seats.join(","))?;
            if self.manager_late {
                f.write_str(",manager")?;
            }
        }
        self.forfeit.map_or(Ok(()), |seat| write!(f, " forfeit={seat}"))
    }
}

/// A number with six significant digits, as streams of C++ write it.
fn significant(number: f64) -> String {
    let scientific = format!("{number:.5e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if (-4..6).contains(&exponent) {
        trimmed(&format!("{number:.*}", (5 - exponent) as usize))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `%g` prints.
    #[test]
    fn numbers_are_written_as_by_streams() {
        let cases = [
            (25.93961, "25.9396"),
            (14.5239, "14.5239"),
            (0.0, "0"),
            (1.5, "1.5"),
            (100.0, "100"),
            (0.000_123_456_7, "0.000123457"),
            (0.000_05, "5e-05"),
            (999_999.4, "999999"),
            (999_999.7, "1e+06"),
            (1_234_567.0, "1.23457e+06"),
        ];
        for (number, text) in cases {
            assert_eq!(significant(number), text);
        }
    }

    /// The lines of a real match of the original.
    #[test]
    fn lines_are_those_of_the_original() {
        let mut line = ResultLine {
            seconds: 25.93961,
            plies: 79,
            legal_moves: 1791,
            scores: vec![100, 0],
            late: vec![4, 1],
            late_ready: vec![false, false],
            manager_late: false,
            forfeit: None,
        };
        assert_eq!(line.to_string(), "25.9396 79 1791 100 0 timeouts=4,1");
        line.late = vec![0, 0];
        assert_eq!(line.to_string(), "25.9396 79 1791 100 0");
        line.late_ready[1] = true;
        assert_eq!(line.to_string(), "25.9396 79 1791 100 0 timeouts=0,0(lateready)");
        line.manager_late = true;
        line.forfeit = Some(2);
        assert_eq!(
            line.to_string(),
            "25.9396 79 1791 100 0 timeouts=0,0(lateready),manager forfeit=2"
        );
    }
}
