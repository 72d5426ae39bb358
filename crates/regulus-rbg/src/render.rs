//! Diagnostics as text for people.

use regulus_diagnostic::{Excerpt, Source};

use crate::diagnostic::Diagnostic;

/// Renders one diagnostic, with terminal colours if wanted.
pub fn render(source: &Source, diagnostic: &Diagnostic, colours: bool) -> String {
    let excerpt = Excerpt {
        severity: diagnostic.severity(),
        id: &diagnostic.code.id(),
        message: &diagnostic.message,
        span: diagnostic.span,
        label: &diagnostic.label,
        related: &diagnostic.related,
        help: diagnostic.help.as_deref(),
    };
    excerpt.render(source, colours)
}
