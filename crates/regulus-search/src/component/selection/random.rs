//! Any child, when all were tried once.

use super::{Child, ComponentWord, Entry, Select};

pub(super) const ENTRY: Entry<dyn Select> = Entry {
    name: "random",
    summary: "any child, when all were tried once",
    parameters: &[],
    words: &[ComponentWord::video("uniform")],
    make: |_| Box::new(Any),
};

struct Any;

impl Select for Any {
    fn value(&self, _: &Child) -> f64 {
        0.0
    }

    fn goes_by_mean(&self) -> bool {
        false
    }

    fn any(&self, _: u64) -> f64 {
        1.0
    }
}
