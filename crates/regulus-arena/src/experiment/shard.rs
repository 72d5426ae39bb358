//! A share of an experiment: every n-th unit of its plan.

use std::fmt;
use std::str::FromStr;

/// Every `count`-th unit of a plan, from the `index`-th on (from 0). All shards with the same count are
/// the whole plan, each unit once. Neighbouring units are of the same contest, so that all shards take
/// about as long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which one.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// Everything.
    pub const ALL: Shard = Shard { index: 0, count: 1 };

    /// A shard; the index must be below the count.
    pub fn new(index: u64, count: u64) -> Result<Self, String> {
        if index < count {
            return Ok(Shard { index, count });
        }
        match count {
            0 => Err("there must be at least one shard".to_owned()),
            _ => Err(format!("there is no shard {index} of {count}: they are 0 to {}", count - 1)),
        }
    }

    /// True if a unit of the plan belongs to it.
    pub fn contains(self, unit: u64) -> bool {
        unit % self.count == self.index
    }

    /// True if some number belongs to both.
    pub fn overlaps(self, other: Shard) -> bool {
        let common = greatest_common_divisor(self.count, other.count);
        self.index % common == other.index % common
    }

    /// The shard that the environment of an array job names; nothing if there is none. Where it does not
    /// say how many there are, `count` does; then indices are from 0.
    pub fn from_environment(
        variable: impl Fn(&str) -> Option<String>,
        count: Option<u64>,
    ) -> Result<Option<Self>, String> {
        let number = |name: &str| -> Result<Option<u64>, String> {
            let Some(text) = variable(name).filter(|text| !text.is_empty()) else {
                return Ok(None);
            };
            let wrong = || format!("{name}={text} is no whole number");
            text.parse().map(Some).map_err(|_| wrong())
        };
        for (name, scheduler) in INDICES {
            let Some(index) = number(name)? else { continue };
            if let Some(count) = count {
                return Shard::new(index, count).map(Some).map_err(|why| format!("{name}: {why}"));
            }
            let Some(all) = number("SLURM_ARRAY_TASK_COUNT")?.filter(|_| *scheduler == SLURM)
            else {
                return Err(format!(
                    "{scheduler} does not say how many shards there are: --shards N"
                ));
            };
            let first = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
            let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
            let index = index.checked_sub(first).filter(|offset| offset % step == 0);
            let shard = index.and_then(|offset| Shard::new(offset / step, all).ok());
            return shard.map(Some).ok_or_else(|| {
                "the indices of the Slurm array have gaps: give the number of shards with --shards N"
                    .to_owned()
            });
        }
        Ok(None)
    }
}

const SLURM: &str = "Slurm";

/// Variables that have the index of a job in an array, and who sets them.
const INDICES: &[(&str, &str)] = &[
    ("SLURM_ARRAY_TASK_ID", SLURM),
    ("HQ_TASK_ID", "HyperQueue"),
    ("PBS_ARRAY_INDEX", "PBS"),
    ("PBS_ARRAYID", "Torque"),
    ("JOB_COMPLETION_INDEX", "Kubernetes"),
];

fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

impl FromStr for Shard {
    type Err = String;

    /// Reads `i/n`.
    fn from_str(text: &str) -> Result<Self, String> {
        let both = text.split_once('/').and_then(|(index, count)| {
            Some((index.trim().parse().ok()?, count.trim().parse().ok()?))
        });
        let (index, count) = both.ok_or_else(|| format!("`{text}` is no shard, as 0/8 is"))?;
        Shard::new(index, count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_overlap_if_they_share_a_unit() {
        for (one, other) in [(1, 1), (2, 4), (3, 5), (4, 6), (6, 4), (8, 8)] {
            for (i, j) in (0..one).flat_map(|i| (0..other).map(move |j| (i, j))) {
                let (a, b) = (Shard { index: i, count: one }, Shard { index: j, count: other });
                let shared = (0..200).any(|unit| a.contains(unit) && b.contains(unit));
                assert_eq!(a.overlaps(b), shared, "{a} and {b}");
            }
        }
    }

    #[test]
    fn shards_are_read() {
        assert_eq!("3/8".parse(), Ok(Shard { index: 3, count: 8 }));
        assert_eq!("3/8".parse::<Shard>().expect("a shard").to_string(), "3/8");
        for wrong in ["8/8", "0/0", "3", "-1/8", "a/b", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn schedulers_are_understood() {
        let shard = |environment: &[(&str, &str)], count| {
            let find = |name: &str| {
                environment.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
            };
            Shard::from_environment(find, count)
        };
        let good = |index, count| Ok(Some(Shard { index, count }));
        let array = [
            ("SLURM_ARRAY_TASK_ID", "13"),
            ("SLURM_ARRAY_TASK_MIN", "5"),
            ("SLURM_ARRAY_TASK_COUNT", "8"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
        ];
        assert_eq!(shard(&array, None), good(4, 8));
        assert_eq!(shard(&array[..3], None).map_err(|why| why.contains("gaps")), Err(true));
        // One shard is submitted again: the array has one job, the experiment has eight shards.
        let again = [("SLURM_ARRAY_TASK_ID", "3"), ("SLURM_ARRAY_TASK_COUNT", "1")];
        assert_eq!(shard(&again, Some(8)), good(3, 8));
        for name in ["HQ_TASK_ID", "PBS_ARRAY_INDEX", "PBS_ARRAYID", "JOB_COMPLETION_INDEX"] {
            assert_eq!(shard(&[(name, "2")], Some(4)), good(2, 4), "{name}");
            assert!(shard(&[(name, "2")], None).is_err(), "{name}");
            assert!(shard(&[(name, "4")], Some(4)).is_err(), "{name}");
            assert!(shard(&[(name, "two")], Some(4)).is_err(), "{name}");
        }
        assert_eq!(shard(&[], Some(4)), Ok(None));
    }
}
