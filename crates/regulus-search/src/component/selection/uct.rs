//! Upper confidence bounds for trees.

use super::{Child, ComponentWord, Entry, Select, exploration};

pub(super) const ENTRY: Entry<dyn Select> = Entry {
    name: "uct",
    summary: "upper confidence bounds for trees (equation 3.1)",
    parameters: &[exploration()],
    words: &[ComponentWord::video("uct").with(&[("c", 0.6)]).number("c")],
    make: |values| Box::new(Uct { c: values.number("c") }),
};

struct Uct {
    c: f64,
}

/// sqrt(ln(n_p) / n_i).
pub(super) fn confidence(child: &Child) -> f64 {
    (child.parent_logarithm / child.visits).sqrt()
}

impl Select for Uct {
    fn value(&self, child: &Child) -> f64 {
        child.mean + self.c * confidence(child)
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn by_hand() {
        // sqrt(1.945910 / 4) = 0.697480; 0.5 + 0.6 * 0.697480.
        check(&ENTRY, &[("c", 0.6)], 0.918_488);
        check(&ENTRY, &[("c", 0.0)], 0.5);
    }
}
