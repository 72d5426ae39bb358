//! Equations 3.9 to 3.14: win or loss, with bonuses for short wins, long losses and good scores (Pepels et
//! al. 2014a, *Quality-based Rewards for Monte-Carlo Tree Search Simulations*).
//!
//! "Pepels et al. propose a method to compute a or choose an empirically determined value" (3.3.3). Their bonuses are
//! control variates: λ is added to the result s with the factor that makes the variance of the sum least, which is
//! Cov(s, λ) / Var(λ). As λ counts standard deviations, Var(λ) is 1, and the factor Cov(s, x) / σ(x) of the lengths or
//! scores x. Which way a bonus goes is said by sgn(s) and by the order of mean and value in 3.13 and 3.14, so that *a* is
//! the absolute value.

use super::win_loss::sign;
use super::{ComponentWord, Ending, Entry, Heuristic, Parameter, sigmoid};

const fn weight(path: &'static str, summary: &'static str) -> Parameter {
    Parameter::number(path, summary, (0.0, 100.0), 0.25)
}

pub(super) const ENTRY: Entry<dyn Heuristic> = Entry {
    name: "quality_based",
    summary: "win or loss, with bonuses for length and score (equations 3.9 to 3.14)",
    parameters: &[
        weight("score.relative", "a of the relative bonus, for length; 0 without it"),
        weight("score.qualitative", "a of the qualitative bonus, for score; 0 without it"),
        Parameter::number("score.k", "how steep the sigmoid is", (0.0, 1e6), 1.0),
        Parameter::flag(
            "score.separated",
            "won games are compared with won games only, others with others",
            false,
        ),
        Parameter::number(
            "score.delta",
            "the greatest variance with which a bonus counts; 1 is always",
            (0.0, 1.0),
            1.0,
        ),
        Parameter::flag(
            "score.estimated",
            "a of every bonus that there is comes from the play-outs of the tick, by covariance and deviation of results and \
             lengths or scores (Pepels et al. 2014a)",
            false,
        ),
    ],
    words: &[
        // The weights that GVGAI-THESIS found best.
        ComponentWord::video("qb").with(&[("relative", 0.9), ("qualitative", 0.6)]),
        ComponentWord::video("qbnone").with(&[("relative", 0.0), ("qualitative", 0.0)]),
        ComponentWord::video("qbrelative").with(&[("qualitative", 0.0)]).number("relative"),
        ComponentWord::video("qbquality").with(&[("relative", 0.0)]).number("qualitative"),
        ComponentWord::video("qbboth"),
        ComponentWord::video("qbseparated").with(&[("separated", 1.0)]),
        ComponentWord::video("qbestimated").with(&[("estimated", 1.0)]),
    ],
    make: |values| {
        Box::new(QualityBased {
            relative: values.number("relative"),
            qualitative: values.number("qualitative"),
            k: values.number("k"),
            separated: values.flag("separated"),
            delta: values.number("delta"),
            statistics: Default::default(),
            joint: values.flag("estimated").then(Default::default),
        })
    },
};

struct QualityBased {
    relative: f64,
    qualitative: f64,
    k: f64,
    separated: bool,
    delta: f64,
    /// With separated statistics the second is for won games.
    statistics: [Statistics; 2],
    /// Of all play-outs, if weights come from them.
    joint: Option<JointStatistics>,
}

#[derive(Clone, Copy, Default)]
struct Statistics {
    depth: Sample,
    score: Sample,
}

#[derive(Clone, Copy, Default)]
struct JointStatistics {
    depth: Joint,
    score: Joint,
}

/// Running sums of results (-1, 0 or 1) together with lengths or scores.
#[derive(Clone, Copy, Default)]
struct Joint {
    results: f64,
    products: f64,
    values: Sample,
}

impl Joint {
    fn add(&mut self, result: f64, value: f64) {
        self.results += result;
        self.products += result * value;
        self.values.add(value);
    }

    /// |Cov(s, x)| / σ(x); nothing while it cannot be told.
    fn weight(&self) -> Option<f64> {
        let variance = self.values.variance().filter(|variance| *variance > 0.0)?;
        let (count, sum) = (self.values.count, self.values.sum);
        let covariance = (self.products - self.results * sum / count) / (count - 1.0);
        Some(covariance.abs() / variance.sqrt())
    }
}

/// A running mean and the unbiased estimate of the variance (3.3.3).
#[derive(Clone, Copy, Default)]
struct Sample {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sample {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    /// Not known before the second value.
    fn variance(&self) -> Option<f64> {
        let squares = self.squares - self.sum * self.sum / self.count;
        (self.count >= 2.0).then(|| (squares / (self.count - 1.0)).max(0.0))
    }

    /// How many deviations above the mean a value is: equation 3.14, and 3.13 with the other sign. Nothing
    /// while it cannot be told, or while the variance of values divided by `range` is above δ.
    ///
    /// The quotient is the same for values and for values normalised to 0..1, so that only the threshold
    /// needs the range.
    fn deviations(&self, value: f64, range: f64, delta: f64) -> Option<f64> {
        let variance = self.variance().filter(|variance| *variance > 0.0)?;
        (variance <= delta * range * range).then(|| (value - self.mean()) / variance.sqrt())
    }
}

impl QualityBased {
    fn slot(&self, ending: &Ending) -> usize {
        usize::from(self.separated && ending.won == Some(true))
    }

    /// a of both bonuses; 0 without a bonus.
    fn weights(&self) -> [f64; 2] {
        let Some(joint) = &self.joint else { return [self.relative, self.qualitative] };
        let of = |wanted: f64, joint: &Joint| {
            if wanted > 0.0 { joint.weight().unwrap_or(0.0) } else { 0.0 }
        };
        [of(self.relative, &joint.depth), of(self.qualitative, &joint.score)]
    }
}

impl Heuristic for QualityBased {
    fn worth(&self, ending: &Ending) -> f64 {
        let statistics = &self.statistics[self.slot(ending)];
        let [relative, qualitative] = self.weights();
        let s = sign(ending.won);
        let mut worth = s;
        if relative > 0.0 && ending.won.is_some() {
            let (depth, horizon) = (f64::from(ending.depth), f64::from(ending.horizon));
            let longer = statistics.depth.deviations(depth, horizon, self.delta);
            // 3.10 and 3.13: sgn(s) * a * sigmoid((mean - d) / sigma).
            worth += longer.map_or(0.0, |longer| s * relative * sigmoid(self.k, -longer));
        }
        if qualitative > 0.0 {
            // The printed 3.11 has the factor sgn(s), which is 0 for unfinished play-outs; but 3.9 gives them
            // 0 + b_q, which means something only if the factor is 1 there.
            let factor = if ending.won.is_some() { s } else { 1.0 };
            let better = statistics.score.deviations(ending.score, ending.score_range, self.delta);
            // 3.11 and 3.14.
            worth += better.map_or(0.0, |better| factor * qualitative * sigmoid(self.k, better));
        }
        worth
    }

    fn record(&mut self, ending: &Ending) {
        let statistics = &mut self.statistics[self.slot(ending)];
        statistics.depth.add(f64::from(ending.depth));
        statistics.score.add(ending.score);
        if let Some(joint) = &mut self.joint {
            let result = sign(ending.won);
            joint.depth.add(result, f64::from(ending.depth));
            joint.score.add(result, ending.score);
        }
    }

    /// As Pepels et al. propose: what is usual is usual for one action of the game.
    fn forget(&mut self) {
        self.statistics = Default::default();
        self.joint = self.joint.map(|_| Default::default());
    }
}

#[cfg(test)]
mod tests {
    use super::super::ending;
    use super::*;

    /// Depths 4, 6 and 8 (mean 6, variance 4), scores 1, 2 and 3 (mean 2, variance 1).
    fn seen(relative: f64, qualitative: f64, separated: bool, delta: f64) -> QualityBased {
        let (statistics, joint) = (Default::default(), None);
        let score =
            QualityBased { relative, qualitative, k: 1.0, separated, delta, statistics, joint };
        record(score)
    }

    fn record(mut score: QualityBased) -> QualityBased {
        score.record(&ending(Some(false), 1.0, 4));
        score.record(&ending(None, 2.0, 6));
        score.record(&ending(None, 3.0, 8));
        score
    }

    /// sigmoid(1) with k = 1.
    const ONE: f64 = 0.462_117_157_26;

    fn check(score: &QualityBased, won: Option<bool>, points: f64, depth: u32, expected: f64) {
        let worth = score.worth(&ending(won, points, depth));
        assert!((worth - expected).abs() < 1e-9, "{worth} is not {expected}");
    }

    #[test]
    fn the_estimate_of_the_variance_by_hand() {
        let mut sample = Sample::default();
        sample.add(4.0);
        assert_eq!(sample.variance(), None);
        sample.add(6.0);
        sample.add(8.0);
        // (16 + 36 + 64 - 18^2 / 3) / 2 = (116 - 108) / 2.
        assert_eq!((sample.mean(), sample.variance()), (6.0, Some(4.0)));
        // (10 - 6) / 2.
        assert_eq!(sample.deviations(10.0, 10.0, 1.0), Some(2.0));
        // 4 / 10^2 = 0.04 is above 0.03.
        assert_eq!(sample.deviations(10.0, 10.0, 0.03), None);
        assert_eq!(sample.deviations(10.0, 10.0, 0.04), Some(2.0));
    }

    #[test]
    fn the_relative_bonus_likes_short_wins_and_long_losses() {
        let score = seen(0.5, 0.0, false, 1.0);
        // lambda = (6 - 4) / 2 = 1 for 4 ticks, and -1 for 8.
        check(&score, Some(true), 2.0, 4, 1.0 + 0.5 * ONE);
        check(&score, Some(true), 2.0, 8, 1.0 - 0.5 * ONE);
        check(&score, Some(false), 2.0, 4, -1.0 - 0.5 * ONE);
        check(&score, Some(false), 2.0, 8, -1.0 + 0.5 * ONE);
        // Unfinished play-outs have no relative bonus (3.9).
        check(&score, None, 2.0, 4, 0.0);
    }

    #[test]
    fn the_qualitative_bonus_compares_scores() {
        let score = seen(0.0, 0.25, false, 1.0);
        check(&score, Some(true), 3.0, 6, 1.0 + 0.25 * ONE);
        check(&score, Some(false), 3.0, 6, -1.0 - 0.25 * ONE);
        check(&score, None, 3.0, 6, 0.25 * ONE);
        check(&score, None, 1.0, 6, -0.25 * ONE);
        check(&score, None, 2.0, 6, 0.0);
    }

    #[test]
    fn bonuses_wait_for_a_small_variance() {
        // As parts of 10: lengths have the variance 0.04, scores 0.01.
        let score = seen(0.5, 0.25, false, 0.02);
        check(&score, Some(true), 3.0, 4, 1.0 + 0.25 * ONE);
        let never = seen(0.5, 0.25, false, 0.0);
        check(&never, Some(true), 3.0, 4, 1.0);
    }

    #[test]
    fn separated_statistics_compare_wins_with_wins() {
        let mut score = seen(0.5, 0.0, true, 1.0);
        check(&score, Some(true), 2.0, 4, 1.0);
        score.record(&ending(Some(true), 2.0, 2));
        score.record(&ending(Some(true), 2.0, 4));
        // Mean 3, variance 2.
        let expected = 1.0 - 0.5 * sigmoid(1.0, 1.0 / 2f64.sqrt());
        check(&score, Some(true), 2.0, 4, expected);
        check(&score, Some(false), 2.0, 4, -1.0 - 0.5 * ONE);
    }

    #[test]
    fn weights_from_the_play_outs_by_hand() {
        let score = seen(0.9, 0.6, false, 1.0);
        let mut score = record(QualityBased {
            statistics: Default::default(),
            joint: Some(Default::default()),
            ..score
        });
        // Results -1, 0, 0 (mean -1/3). With lengths 4, 6, 8: the sum of products is -4, and Cov is
        // (-4 + 18 / 3) / 2 = 1; the deviation is 2. With scores 1, 2, 3: (-1 + 6 / 3) / 2 = 1/2, and 1.
        assert_eq!(score.weights(), [0.5, 0.5]);
        check(&score, Some(true), 2.0, 4, 1.0 + 0.5 * ONE);
        check(&score, None, 3.0, 6, 0.5 * ONE);
        // Losses are as long as wins: lengths tell nothing about results. Those with 4 are lost and with 8 won, too.
        for (won, depth) in [(true, 4), (true, 4), (false, 8)] {
            score.record(&ending(Some(won), 2.0, depth));
        }
        // Results -1, 0, 0, 1, 1, -1 and lengths 4, 6, 8, 4, 4, 8: -4 + 4 + 4 - 8 = -4, and 0 results together:
        // Cov = -4 / 5. Squares 16 + 36 + 64 + 16 + 16 + 64 = 212, the sum 34: (212 - 34^2 / 6) / 5 = 58 / 15.
        let expected = 0.8 / (58.0f64 / 15.0).sqrt();
        assert!((score.weights()[0] - expected).abs() < 1e-12, "{:?}", score.weights());
        // A bonus that is switched off stays so; nothing is known after an action of the game.
        score.relative = 0.0;
        assert_eq!(score.weights()[0], 0.0);
        score.forget();
        assert_eq!(score.weights(), [0.0, 0.0]);
        check(&score, Some(true), 3.0, 4, 1.0);
    }

    #[test]
    fn an_action_of_the_game_resets_the_statistics() {
        let mut score = seen(0.5, 0.25, false, 1.0);
        score.forget();
        check(&score, Some(true), 3.0, 4, 1.0);
    }
}
