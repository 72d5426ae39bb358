//! What holds of every input whatsoever. The tests on hostile input, the bounded fuzzing and the
//! fuzz target in `fuzz/` all check exactly this.

use regulus_rbg::declarations::Variable;
use regulus_rbg::diagnostic::MAX_DIAGNOSTICS;
use regulus_rbg::ends::ends;
use regulus_rbg::format::format;
use regulus_rbg::indecisive;
use regulus_rbg::print;
use regulus_rbg::split::{Strategy, count_dots};
use regulus_rbg::{Code, Diagnostic, Game, Loaded, Severity, Source, Span, load, render};

/// Renderings stay readable, however long the lines of the input.
const LONGEST_RENDERING: usize = 100_000;

/// Reads bytes as a description and does with the result whatever can be done with one.
pub fn check(bytes: Vec<u8>) -> Loaded {
    let source = Source::from_bytes("input.rbg", bytes);
    let loaded = load(&source);
    check_diagnostics(&source, &loaded.diagnostics);
    let errors = loaded.diagnostics.iter().any(|d| d.severity() == Severity::Error);
    assert_eq!(loaded.game.is_none(), errors, "a game exactly if there are no errors");
    if let Some(game) = &loaded.game {
        check_game(game);
    }
    check_format(&source, &loaded);
    loaded
}

fn check_diagnostics(source: &Source, diagnostics: &[Diagnostic]) {
    assert!(diagnostics.len() <= 2 * MAX_DIAGNOSTICS, "the list is bounded");
    for diagnostic in diagnostics {
        assert!(!diagnostic.message.is_empty());
        check_span(source, diagnostic.span);
        diagnostic.related.iter().for_each(|r| check_span(source, r.span));
        let text = render::render(source, diagnostic, false);
        assert!(text.contains(&diagnostic.code.id()));
        assert!(text.len() <= LONGEST_RENDERING, "a rendering of {} bytes", text.len());
    }
}

fn check_span(source: &Source, span: Span) {
    assert!(span.start <= span.end, "{span:?} is backwards");
    assert!(source.text().get(span.range()).is_some(), "{span:?} is not a part of the text");
}

fn check_game(game: &Game) {
    check_printed(game);
    check_ends(game);
    for strategy in Strategy::ALL {
        let rules = strategy.apply(&game.rules);
        assert!(count_dots(&rules) >= count_dots(&game.rules));
        let joined = indecisive::remove(game, &rules);
        assert_eq!(count_dots(&rules), count_dots(&joined.rules) + joined.removed_dots);
        let numbered = |m: u32| (1..=game.modifier_count).contains(&m);
        assert!(joined.modifiers.iter().all(|m| numbered(m.0)));
    }
}

/// The scores at ends are within their bounds.
fn check_ends(game: &Game) {
    let players = game.declarations.players().len();
    for scores in ends(game).unwrap_or_default() {
        assert_eq!(scores.len(), players);
        for (i, score) in scores.into_iter().enumerate() {
            assert!(score <= game.declarations.bound(Variable(i as u16)));
        }
    }
}

/// Reading what is printed gives the game, unless the text has become too large.
fn check_printed(game: &Game) {
    let again = load(&Source::new("printed.rbg", print::game(game)));
    let too_large = |d: &Diagnostic| {
        matches!(d.code, Code::FileTooLarge | Code::TooDeep | Code::ExpansionTooLarge)
    };
    if !again.diagnostics.iter().any(too_large) {
        let errors = &again.diagnostics;
        assert!(again.game.as_ref() == Some(game), "printing changes the game: {errors:?}");
    }
}

/// Formatting changes neither the game nor what is formatted already.
fn check_format(source: &Source, loaded: &Loaded) {
    let formatted = match format(source) {
        Ok(formatted) => Source::new("formatted.rbg", formatted),
        Err(diagnostics) => return check_diagnostics(source, &diagnostics),
    };
    assert_eq!(format(&formatted).as_deref(), Ok(formatted.text()), "formatting twice");
    assert!(load(&formatted).game == loaded.game, "formatting changes the game");
}
