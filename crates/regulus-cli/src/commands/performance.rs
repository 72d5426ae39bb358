//! What of a game has no machine code of its own, for `check --performance` and `show --performance`.

use regulus_diagnostic::{Excerpt, PlaceReport, Severity};
use regulus_rbg::Game;
use regulus_rbg::source::Source;
use regulus_reasoner::native::{Remark, remarks};
use serde::Serialize;

/// What one remark says, for programs.
#[derive(Serialize)]
pub struct RemarkReport {
    message: String,
    /// Nothing where it is about all of the rules.
    #[serde(flatten)]
    place: Option<PlaceReport>,
    /// The same for people.
    #[serde(skip)]
    pub excerpt: String,
}

/// All remarks about a game; making the code takes a moment.
pub fn performance(source: &Source, game: &Game) -> Vec<RemarkReport> {
    remarks(game).into_iter().map(|remark| report(source, remark)).collect()
}

/// What the remarks say together.
pub fn summary(remarks: &[RemarkReport]) -> &'static str {
    match remarks {
        [] => "all of it has machine code",
        _ => "the rest has machine code",
    }
}

fn report(source: &Source, Remark { message, place }: Remark) -> RemarkReport {
    let excerpt = match place {
        None => format!("warning[performance]: {message}"),
        Some(span) => {
            let id = "performance";
            let (severity, label) = (Severity::Warning, "here");
            let (related, help) = (&[][..], None);
            Excerpt { severity, id, message: &message, span, label, related, help }
                .render(source, true)
        }
    };
    let place = place.map(|span| PlaceReport::new(source, span));
    RemarkReport { message, place, excerpt }
}
