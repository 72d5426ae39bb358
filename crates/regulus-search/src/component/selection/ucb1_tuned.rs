//! UCB1-Tuned: the variance of the values instead of a constant (Auer, Cesa-Bianchi and Fischer 2002).

use super::{Child, ComponentWord, Entry, Select};

pub(super) const ENTRY: Entry<dyn Select> = Entry {
    name: "ucb1_tuned",
    summary: "the variance of values instead of a constant C (equation 3.4)",
    parameters: &[],
    words: &[ComponentWord::board("tuned"), ComponentWord::video("ucb1t")],
    make: |_| Box::new(Ucb1Tuned),
};

struct Ucb1Tuned;

impl Select for Ucb1Tuned {
    fn value(&self, child: &Child) -> f64 {
        let n = child.visits;
        let logarithm = child.parent_logarithm;
        let spread = child.squares / n - child.mean * child.mean + (2.0 * logarithm / n).sqrt();
        child.mean + (logarithm / n * spread.clamp(0.0, 0.25)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CHILD, check};
    use super::*;

    #[test]
    fn by_hand() {
        // 1.5 / 4 - 0.25 + sqrt(2 * 1.945910 / 4) = 1.11: the bound 1/4 counts. 0.5 + sqrt(0.486478 / 4).
        check(&ENTRY, &[], 0.848_740);
        // Many visits: 0.0525 + sqrt(2 * 6.907755 / 1000) = 0.0525 + 0.117540 is less than 1/4.
        // 0.5 + sqrt(0.006907755 * 0.170040).
        let often = Child {
            visits: 1000.0,
            parent_visits: 1000.0,
            parent_logarithm: 6.907_755_278_982_137,
            squares: 302.5,
            ..CHILD
        };
        let value = Ucb1Tuned.value(&often);
        assert!((value - 0.534_272).abs() < 1e-6, "{value}");
    }
}
