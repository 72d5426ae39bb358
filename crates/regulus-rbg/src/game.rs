//! A checked game: names, board and rules; and how text becomes one.

use rustc_hash::FxHashMap;

use crate::board::Board;
use crate::code::Code;
use crate::cursor::Cursor;
use crate::declarations::{self, Bounds, Declarations, Lists};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean, list_of};
use crate::directive::{Directive, DirectiveKind, SectionKind, directives};
use crate::expansion::Expander;
use crate::limits::MAX_FILE_BYTES;
use crate::macros::Macros;
use crate::provenance::{Place, Provenance};
use crate::rule::Rule;
use crate::source::{Source, Span};
use crate::split::Strategy;
use crate::token::{Names, Token, TokenKind, lex, report_strings, significant};
use crate::{board, lint, syntax, typing};

/// A game as its rules say it. Equality ignores layout, comments and macros.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Players, pieces, variables, edge labels.
    pub declarations: Declarations,
    /// The board.
    pub board: Board,
    /// The rules, modifiers numbered.
    pub rules: Rule,
    /// How many modifiers have a number.
    pub modifier_count: u32,
}

impl Game {
    /// The same game with the split points of a strategy, where its moves are divided into semimoves.
    pub fn split(&self, strategy: Strategy) -> Game {
        Game { rules: strategy.apply(&self.rules), ..self.clone() }
    }
}

/// What came out of a text: a game if there is no error, and everything there is to say.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The game, unless there are errors.
    pub game: Option<Game>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// True if there is an error.
    pub fn has_errors(&self) -> bool {
        self.game.is_none()
    }
}

/// Reads a description: tokens, macros, sections, board, rules, checks. Never fails otherwise than
/// by diagnostics.
pub fn load(source: &Source) -> Loaded {
    let mut diagnostics = Diagnostics::default();
    let mut names = Names::default();
    let mut provenance = Provenance::default();
    let game = read(source, &mut names, &mut provenance, &mut diagnostics);
    let game = game.filter(|_| !diagnostics.has_errors());
    diagnostics.attach_uses(&provenance, &names);
    Loaded { game, diagnostics: diagnostics.into_sorted() }
}

/// A section with its macros expanded.
struct Section {
    tokens: Vec<Token>,
    keyword: Place,
}

impl Section {
    /// True if nothing but commas is there.
    fn is_empty(&self) -> bool {
        self.tokens.iter().all(|t| t.kind == TokenKind::Comma)
    }
}

fn read(
    source: &Source,
    names: &mut Names,
    provenance: &mut Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<Game> {
    if source.text().len() > MAX_FILE_BYTES {
        diagnostics.push(
            Diagnostic::new(Code::FileTooLarge, Place::written(Span::new(0, 0)))
                .message(format!("the file has {} bytes", source.text().len()))
                .label(format!("at most {MAX_FILE_BYTES} are allowed")),
        );
        return None;
    }
    if let Some(at) = source.invalid_utf8_at() {
        let end = at + '\u{fffd}'.len_utf8() as u32;
        diagnostics.push(
            Diagnostic::new(Code::InvalidUtf8, Place::written(Span::new(at, end)))
                .label("the first byte that is not part of a character")
                .help("save the file with the encoding UTF-8"),
        );
        return None;
    }
    let raw = lex(source, diagnostics);
    report_strings(&raw, diagnostics);
    let tokens: Vec<Token> = significant(&raw, source, names).collect();
    let directives = directives(&tokens, names, diagnostics);
    let macros = Macros::collect(&directives, &tokens, names, diagnostics);
    let sections = expand_sections(&directives, &tokens, &macros, names, provenance, diagnostics)?;
    // A comment that never ends has swallowed the sections below it.
    if !directives.is_empty() && !diagnostics.has(Code::UnterminatedComment) {
        let end = tokens.last().map_or(0, |t| t.place.span.end);
        report_missing(&sections, &directives, Span::new(end, end), source, diagnostics);
    }

    let (names, provenance) = (&*names, &*provenance);
    let definitions = macros.definitions(source);
    let cursor = |kind: SectionKind| {
        sections.get(&kind).map(|s| Cursor::new(&s.tokens, names, provenance, s.keyword))
    };
    let mut list = |kind: SectionKind, bounds: Bounds| match cursor(kind) {
        Some(mut cursor) => {
            declarations::parse_list(&mut cursor, bounds, &definitions, diagnostics)
        }
        None => Vec::new(),
    };
    let mut lists = Lists {
        players: list(SectionKind::Players, Bounds::Required),
        pieces: list(SectionKind::Pieces, Bounds::None),
        variables: list(SectionKind::Variables, Bounds::Required),
        labels: Vec::new(),
    };
    for (kind, is_empty) in [
        (SectionKind::Players, lists.players.is_empty()),
        (SectionKind::Pieces, lists.pieces.is_empty()),
        (
            SectionKind::Board,
            sections.get(&SectionKind::Board).is_some_and(|s| s.tokens.is_empty()),
        ),
        (
            SectionKind::Rules,
            sections.get(&SectionKind::Rules).is_some_and(|s| s.tokens.is_empty()),
        ),
    ] {
        if let Some(section) = sections.get(&kind).filter(|s| is_empty && s.is_empty()) {
            diagnostics.push(
                Diagnostic::new(Code::EmptySection, section.keyword)
                    .message(format!("the section `#{}` is empty", kind.word()))
                    .label("nothing follows"),
            );
        }
    }
    let lists_are_whole = !diagnostics.has(Code::MacroNotYetDefined);
    // What is missing from a section is reported there; uses of the names it lacks are not.
    let is_whole = |kind: SectionKind| {
        sections.get(&kind).is_some_and(|s| {
            (kind == SectionKind::Variables || !s.is_empty())
                && s.tokens.iter().all(|t| t.kind != TokenKind::Unexpanded)
        })
    };
    let draft = cursor(SectionKind::Board)
        .filter(|_| is_whole(SectionKind::Board))
        .and_then(|mut cursor| board::parser::parse(&mut cursor, &definitions, diagnostics));
    lists.labels = draft.as_ref().map_or(Vec::new(), |d| d.labels());
    let labels_known = draft.is_some();
    let declarations = declarations::declare(lists, diagnostics);
    let pieces_known = lists_are_whole && is_whole(SectionKind::Pieces);
    let board = draft.and_then(|d| d.finish(&declarations, pieces_known, diagnostics));

    let mut cursor = cursor(SectionKind::Rules).filter(|c| c.peek().is_some())?;
    let all_known = labels_known
        && lists_are_whole
        && SectionKind::ALL.iter().all(|k| *k == SectionKind::Rules || is_whole(*k));
    let syntax = syntax::parse(&mut cursor, &declarations, &definitions, diagnostics);
    if !all_known {
        return None;
    }
    let vertices = board.as_ref().map_or(0, Board::len);
    let rules = typing::rules(&syntax, &declarations, vertices, &definitions, diagnostics);
    let (board, mut rules) = (board?, rules?);
    let modifier_count = rules.number_modifiers(0);
    let game = Game { declarations, board, rules, modifier_count };
    if !diagnostics.has_errors() {
        macros.report_unused(&directives, &tokens, source, diagnostics);
        lint::check(&game, diagnostics);
    }
    Some(game)
}

/// The sections with their macros expanded; `None` if that is too much.
fn expand_sections(
    directives: &[Directive],
    tokens: &[Token],
    macros: &Macros,
    names: &mut Names,
    provenance: &mut Provenance,
    diagnostics: &mut Diagnostics,
) -> Option<FxHashMap<SectionKind, Section>> {
    let mut sections: FxHashMap<SectionKind, Section> = FxHashMap::default();
    let mut expander = Expander::new(directives, tokens, macros, names, provenance, diagnostics);
    for (order, directive) in directives.iter().enumerate() {
        let DirectiveKind::Section(kind) = directive.kind else { continue };
        let keyword = Place::written(directive.name_span);
        if let Some(first) = sections.get_mut(&kind) {
            expander.diagnostics.push(
                Diagnostic::new(Code::DuplicateSection, keyword)
                    .message(format!("the section `#{}` is given twice", kind.word()))
                    .label("given again here")
                    .related(first.keyword.span, "first given here")
                    .help("join the two, or leave one out"),
            );
            // Which of the two is meant is not known, so neither is complete.
            first.tokens.push(expander.unexpanded(keyword));
            continue;
        }
        let expanded = expander.section(directive.body.clone(), order);
        sections.insert(kind, Section { tokens: expanded, keyword });
    }
    (!expander.has_given_up()).then_some(sections)
}

/// Macros among which a misspelt section is looked for.
const MAX_SUGGESTED: usize = 10_000;

/// Reports missing sections: one by one if a macro looks like a misspelt one, the others together.
fn report_missing(
    sections: &FxHashMap<SectionKind, Section>,
    directives: &[Directive],
    end: Span,
    source: &Source,
    diagnostics: &mut Diagnostics,
) {
    let mut missing = Vec::new();
    for kind in SectionKind::ALL.into_iter().filter(|k| !sections.contains_key(k)) {
        let word = kind.word();
        let misspelt = directives
            .iter()
            .filter(|d| matches!(d.kind, DirectiveKind::Macro { .. }))
            .take(MAX_SUGGESTED)
            .find(|d| did_you_mean(source.slice(d.name_span), [word]).is_some());
        match misspelt {
            Some(directive) => diagnostics.push(
                Diagnostic::new(Code::MissingSection, Place::written(directive.name_span))
                    .message(format!("the section `#{word}` is missing"))
                    .label("this defines a macro")
                    .help(format!("did you mean `#{word}`?")),
            ),
            None => missing.push(format!("#{word}")),
        }
    }
    if missing.is_empty() {
        return;
    }
    let (noun, verb) = if missing.len() == 1 { ("section", "is") } else { ("sections", "are") };
    let only_variables = missing == ["#variables"];
    diagnostics.push(
        Diagnostic::new(Code::MissingSection, Place::written(end))
            .message(format!("the {noun} {} {verb} missing", list_of(&missing)))
            .label("the file ends here")
            .maybe_help(
                only_variables
                    .then(|| "a game without variables says so: `#variables =`".to_owned()),
            ),
    );
}
