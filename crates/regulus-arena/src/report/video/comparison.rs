//! Figures from a publication about video games beside ours.

use serde::Serialize;

use crate::experiment::{Declaration, VideoDeclaration, VideoPublished};
use crate::report::published::deviation;
use crate::video::{Scope, VideoResult};

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VideoMeasure {
    /// Runs that were won, in percent.
    Wins,
    /// The mean score.
    Score,
    /// Iterations for an action.
    Iterations,
}

impl VideoMeasure {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            VideoMeasure::Wins => "wins, %",
            VideoMeasure::Score => "score",
            VideoMeasure::Iterations => "iterations per tick",
        }
    }
}

/// A published figure beside ours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VideoComparison {
    /// In which games.
    pub scope: Scope,
    /// The agent.
    pub agent: String,
    /// The limit.
    pub limit: String,
    /// What is compared.
    pub measure: VideoMeasure,
    /// The published figure.
    pub published: f64,
    /// Half the length of its 95 % interval, if that is published.
    pub published_error: Option<f64>,
    /// Our figure, if there is one.
    pub ours: Option<f64>,
    /// Half the length of its 95 % interval.
    pub our_error: Option<f64>,
    /// Over how many of how many games ours is.
    pub coverage: [usize; 2],
    /// Ours minus the published one.
    pub difference: Option<f64>,
    /// The same in standard errors of the difference; the published figure counts as exact if it has no
    /// error.
    pub deviation: Option<f64>,
}

/// All published figures beside ours.
pub fn compare(
    declaration: &Declaration,
    video: &VideoDeclaration,
    results: &[VideoResult],
) -> Vec<VideoComparison> {
    let mut comparisons = Vec::new();
    for figure in &video.published {
        let expected = match &figure.scope {
            Scope::All => declaration.games.len(),
            Scope::Set(name) => {
                video.sets.iter().find(|set| set.name == *name).map_or(0, |set| set.games.len())
            }
            Scope::Game(_) => 1,
        };
        // Where there is one game only, it is all games.
        let only = |scope: &Scope| figure.scope == Scope::All && matches!(scope, Scope::Game(_));
        let result = results.iter().find(|result| {
            (result.scope == figure.scope || (expected == 1 && only(&result.scope)))
                && result.agent == figure.agent
                && result.limit == figure.limit
        });
        comparisons.extend(measures(figure, result).into_iter().flatten().map(
            |(measure, theirs, ours)| {
                let [published, published_error] = theirs;
                let mut comparison = VideoComparison {
                    scope: figure.scope.clone(),
                    agent: figure.agent.clone(),
                    limit: figure.limit.clone(),
                    measure,
                    published: published.unwrap_or_default(),
                    published_error,
                    ours: ours[0],
                    our_error: ours[1],
                    coverage: [result.map_or(0, |result| result.games), expected],
                    difference: None,
                    deviation: None,
                };
                comparison.judge();
                comparison
            },
        ));
    }
    comparisons
}

/// A measure with the published figure and its error, and ours.
type Figures = (VideoMeasure, [Option<f64>; 2], [Option<f64>; 2]);

fn measures(figure: &VideoPublished, result: Option<&VideoResult>) -> [Option<Figures>; 3] {
    let ours = |value: fn(&VideoResult) -> [Option<f64>; 2]| result.map_or([None; 2], value);
    let all = [
        (
            VideoMeasure::Wins,
            [figure.wins, figure.error],
            ours(|r| {
                // The normal interval has no length if all runs ended alike.
                let wilson = (r.interval.high - r.interval.low) / 2.0;
                let error = if r.error > 0.0 { r.error } else { wilson };
                [Some(100.0 * r.rate), Some(100.0 * error)]
            }),
        ),
        (
            VideoMeasure::Score,
            [figure.score, figure.score_error],
            ours(|r| [Some(r.score), r.score_error]),
        ),
        (
            VideoMeasure::Iterations,
            [figure.iterations, figure.iterations_error],
            ours(|r| [Some(r.iterations), r.iterations_error]),
        ),
    ];
    all.map(|figures| figures.1[0].is_some().then_some(figures))
}

impl VideoComparison {
    /// Fills in the difference.
    fn judge(&mut self) {
        let Some(ours) = self.ours else { return };
        let difference = ours - self.published;
        self.difference = Some(difference);
        self.deviation = deviation(difference, [self.our_error, self.published_error]);
    }
}
