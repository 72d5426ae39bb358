//! The formatter: one layout for every description, comments and line breaks kept.
//!
//! It works on tokens, so a description with mistakes can be formatted too. The author decides
//! where lines end, because a rule is broken where its thought is; everything else is decided here:
//!
//! * **Directives** start in column 0, as `#name = body` or `#name(a; b) = body`. One blank line
//!   stays one, more become one; there is none just inside brackets and none after the `=`.
//! * **Indentation** is 4 more than that of the line that opened the innermost bracket, and 4 in a
//!   body outside brackets. A line that begins with a closing bracket is indented like the line
//!   that opened it. A line that begins with `+` hangs out by 2, so that alternatives line up with
//!   each other and with their own further lines:
//!
//!   ```text
//!   #turn(me; foe) =
//!       ->me anySquare {me~Man} [empty]
//!       (
//!           step {empty}
//!           [me~Man]
//!         + jump(foe) [me~Man]
//!       )
//!   ```
//!
//! * **Spaces**: one between neighbours; none just inside brackets, but one after `{?`, `{!`, `{$`
//!   and `[$`; none around `~` and `^`, after `->`, before `,` `;` `:` and before the star that
//!   means repetition. A `*` is a product inside `{$ }` and `[$ ]` and next to a number. Whether a
//!   `(` behind a word touches it stays as written, `jump(foe)` or `up (left + right)`, except
//!   where it can only be one of them: bounds of players and variables, board generators, heads.
//! * **Comments** on a line of their own are indented like code there, those behind code follow
//!   after one space. Before a directive they belong to it, in column 0, unless they were indented
//!   deeper than it: then they end the body above.
//! * **Board lines**, that is lines `[a, b, c]` one below the other, get columns; holes are blank.
//!   In a `hexagon(...)` all cells get the same width and the lines are centred.
//!
//! Three passes: `Layout` walks over the tokens with a stack of open brackets and decides the
//! line breaks and spaces before each; `align_boards` widens those inside board lines; `write`
//! puts it all together. Time and memory are linear in the text, whatever its nesting.

use std::ops::Range;

use crate::board::generator::Generator;
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::game::load;
use crate::limits::{MAX_FILE_BYTES, MAX_NESTING};
use crate::provenance::Place;
use crate::source::{Source, Span};
use crate::token::{RawToken, TokenKind, lex};

/// Columns per level.
const INDENT: usize = 4;

/// How far a `+` at the beginning of a line hangs out: its own width and a space.
const HANG: usize = 2;

/// Board lines that would get wider than this are a list, not a picture, and get no columns. Also
/// keeps the padding linear in the text.
const MAX_BOARD_WIDTH: usize = 300;

/// The text in its canonical layout, with the same tokens and comments.
///
/// Formatting the result changes nothing. It ends in one newline (a text without tokens becomes
/// empty); outside comments it has no tabs and no white space at the end of a line.
///
/// # Errors
///
/// If the text is no sequence of tokens, or is or would become larger than a description may be.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    if source.text().len() > MAX_FILE_BYTES || source.invalid_utf8_at().is_some() {
        // Reading refuses such a file at once, in the same words.
        return Err(load(source).diagnostics);
    }
    let mut diagnostics = Diagnostics::default();
    let tokens = lex(source, &mut diagnostics);
    let diagnostics = diagnostics.into_sorted();
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let (mut gaps, lines) = Layout::new(source, &tokens).run();
    align_boards(&tokens, &lines, &mut gaps);
    write(source, &tokens, &gaps)
}

/// What stands before a token: line breaks, then spaces.
#[derive(Clone, Copy, Default)]
struct Gap {
    breaks: usize,
    spaces: usize,
}

/// The beginning of a line.
#[derive(Clone, Copy)]
struct Line {
    /// Index of its first token.
    first: usize,
    /// Is the innermost open bracket that of a board whose lines are centred?
    centred: bool,
}

/// An open bracket.
struct Frame {
    bracket: Bracket,
    /// Indentation of the line that opened it, not counting a hanging `+`.
    base: usize,
    /// Indentation of the lines inside.
    contents: usize,
    /// Inside `{$ }` or `[$ ]`.
    arithmetic: bool,
    /// Are the lines inside centred?
    centred: bool,
}

/// Shapes of brackets; whatever follows the opening one, as in `{?`, the closing one is the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Round,
    Square,
    Curly,
}

/// The bracket that a token opens.
fn opened(kind: TokenKind) -> Option<Bracket> {
    use TokenKind::*;
    match kind {
        LeftRound => Some(Bracket::Round),
        LeftSquare | LeftSquareDollar => Some(Bracket::Square),
        LeftCurly | LeftCurlyQuestion | LeftCurlyExclamation | LeftCurlyDollar => {
            Some(Bracket::Curly)
        }
        _ => None,
    }
}

/// The bracket that a token closes.
fn closed(kind: TokenKind) -> Option<Bracket> {
    match kind {
        TokenKind::RightRound => Some(Bracket::Round),
        TokenKind::RightSquare => Some(Bracket::Square),
        TokenKind::RightCurly => Some(Bracket::Curly),
        _ => None,
    }
}

/// How much of `#name(a; b) =` has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    Hash,
    Name,
    Parameters,
    BeforeEqual,
    Equal,
    /// Past the head, or it is malformed.
    Body,
}

impl Head {
    /// The state behind a token.
    fn after(self, kind: TokenKind) -> Head {
        match (self, kind) {
            (state, kind) if kind.is_comment() => state,
            (_, TokenKind::Hash) => Head::Hash,
            (Head::Hash, kind) if kind.is_wordlike() => Head::Name,
            (Head::Name, TokenKind::LeftRound) => Head::Parameters,
            (Head::Parameters, TokenKind::Identifier | TokenKind::Semicolon) => Head::Parameters,
            (Head::Parameters, TokenKind::RightRound) => Head::BeforeEqual,
            (Head::Name | Head::BeforeEqual, TokenKind::Equal) => Head::Equal,
            _ => Head::Body,
        }
    }

    /// Is there nothing between this state and the next but a place where nobody breaks a line?
    fn joins(self, next: Head) -> bool {
        matches!(
            (self, next),
            (Head::Hash, Head::Name)
                | (Head::Name, Head::Parameters)
                | (Head::Name | Head::BeforeEqual, Head::Equal)
        )
    }
}

/// Comments with no code between them and the next directive or the end of the file.
#[derive(Default)]
struct Interlude {
    /// Index of the token behind the comments; valid for comments before it.
    end: usize,
    /// Is that token a `#` or the end?
    before_directive: bool,
    /// Column in which the line with that token begins.
    column: usize,
    /// Did one of the comments so far belong to what follows? Then so do the others.
    outside: bool,
}

/// The walk over the tokens that decides what stands before each.
struct Layout<'a> {
    source: &'a Source,
    tokens: &'a [RawToken],
    gaps: Vec<Gap>,
    lines: Vec<Line>,
    frames: Vec<Frame>,
    /// How many brackets of each shape are open.
    open: [usize; 3],
    /// False before the first `#`.
    in_directive: bool,
    head: Head,
    /// Is this `#players` or `#variables`, where every `(` is a bound's or a macro use's?
    has_bounds: bool,
    /// Indentation of the current line, not counting a hanging `+`.
    base: usize,
    interlude: Interlude,
}

impl<'a> Layout<'a> {
    fn new(source: &'a Source, tokens: &'a [RawToken]) -> Self {
        Layout {
            source,
            tokens,
            gaps: Vec::with_capacity(tokens.len()),
            lines: Vec::new(),
            frames: Vec::new(),
            open: [0; 3],
            in_directive: false,
            head: Head::Body,
            has_bounds: false,
            base: 0,
            interlude: Interlude::default(),
        }
    }

    fn run(mut self) -> (Vec<Gap>, Vec<Line>) {
        for at in 0..self.tokens.len() {
            let kind = self.tokens[at].kind;
            let head = self.head.after(kind);
            let breaks = self.breaks(at, head);
            if kind == TokenKind::Hash {
                self.frames.clear();
                self.open = [0; 3];
                self.in_directive = true;
            }
            let closed = closed(kind).and_then(|bracket| self.close(bracket));
            let spaces = if at == 0 || breaks > 0 {
                self.start_line(at, closed)
            } else {
                usize::from(self.is_separated(at, head))
            };
            self.gaps.push(Gap { breaks, spaces });
            if let Some(bracket) = opened(kind) {
                self.push(at, bracket);
            }
            if (self.head, head) == (Head::Hash, Head::Name) {
                self.has_bounds = matches!(kind, TokenKind::Players | TokenKind::Variables);
            }
            self.head = head;
        }
        (self.gaps, self.lines)
    }

    /// The kind of the token before another.
    fn kind_before(&self, at: usize) -> Option<TokenKind> {
        at.checked_sub(1).map(|before| self.tokens[before].kind)
    }

    /// Are the lines inside this bracket written centred, since a generator such as `hexagon` stands before it?
    fn is_centred(&self, at: usize) -> bool {
        let word = at.checked_sub(1).map(|before| self.source.slice(self.tokens[before].span));
        word.and_then(Generator::by_word).is_some_and(|generator| generator.is_centred)
    }

    /// The white space before a token.
    fn white_space(&self, at: usize) -> &'a str {
        let start = at.checked_sub(1).map_or(0, |before| self.tokens[before].span.end);
        self.source.slice(Span::new(start, self.tokens[at].span.start))
    }

    fn breaks(&self, at: usize, head: Head) -> usize {
        let Some(before) = self.kind_before(at) else {
            return 0;
        };
        let kind = self.tokens[at].kind;
        let written = self.white_space(at).bytes().filter(|b| *b == b'\n').take(2).count();
        let begins_body =
            self.head == Head::Equal && before == TokenKind::Equal && !kind.is_comment();
        if kind == TokenKind::Hash {
            written.max(1)
        } else if self.head.joins(head) && !kind.is_comment() && !before.is_comment() {
            0
        } else if opened(before).is_some() || closed(kind).is_some() || begins_body {
            written.min(1)
        } else {
            written
        }
    }

    /// Pops the frame of a closing bracket and those never closed inside it, if there is one.
    fn close(&mut self, bracket: Bracket) -> Option<Frame> {
        if self.open[bracket as usize] == 0 {
            return None;
        }
        loop {
            let frame = self.frames.pop()?;
            self.open[frame.bracket as usize] -= 1;
            if frame.bracket == bracket {
                return Some(frame);
            }
        }
    }

    fn push(&mut self, at: usize, bracket: Bracket) {
        use TokenKind::*;
        let kind = self.tokens[at].kind;
        let arithmetic = match kind {
            LeftCurlyDollar | LeftSquareDollar => true,
            LeftCurlyQuestion | LeftCurlyExclamation => false,
            _ => self.in_arithmetic(),
        };
        // No game nests deeper, and the indentation of all lines must stay linear in their number.
        let is_too_deep = self.frames.len() >= MAX_NESTING;
        self.open[bracket as usize] += 1;
        self.frames.push(Frame {
            bracket,
            base: if is_too_deep { 0 } else { self.base },
            contents: if is_too_deep { INDENT } else { self.base + INDENT },
            arithmetic,
            centred: kind == LeftRound && self.is_centred(at),
        });
    }

    fn in_arithmetic(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.arithmetic)
    }

    /// Indentation of the line that a token begins; `closed` is the frame that it closes.
    fn start_line(&mut self, at: usize, closed: Option<Frame>) -> usize {
        let kind = self.tokens[at].kind;
        let belongs_to_next = kind.is_comment() && self.belongs_to_next(at);
        let inner = self.frames.last();
        self.lines.push(Line { first: at, centred: inner.is_some_and(|frame| frame.centred) });
        self.base = match (closed, inner) {
            _ if kind == TokenKind::Hash || belongs_to_next => 0,
            (Some(frame), _) => frame.base,
            (None, Some(frame)) => frame.contents,
            (None, None) => {
                if self.in_directive {
                    INDENT
                } else {
                    0
                }
            }
        };
        if kind == TokenKind::Plus { self.base.saturating_sub(HANG) } else { self.base }
    }

    /// Does a comment that begins a line belong to the next directive (or the end of the file)?
    fn belongs_to_next(&mut self, at: usize) -> bool {
        if at >= self.interlude.end {
            let code = self.tokens[at..].iter().position(|token| !token.kind.is_comment());
            let end = code.map_or(self.tokens.len(), |distance| at + distance);
            let next = self.tokens.get(end);
            self.interlude = Interlude {
                end,
                before_directive: next.is_none_or(|token| token.kind == TokenKind::Hash),
                column: next.map_or(0, |token| self.indentation_of_line(token.span.start)),
                outside: false,
            };
        }
        let column = self.white_space(at).bytes().rev().take_while(|b| *b != b'\n').count();
        let Interlude { before_directive, column: limit, ref mut outside, .. } = self.interlude;
        *outside |= column <= limit;
        before_directive && *outside
    }

    /// How many characters of white space begin the line with an offset.
    fn indentation_of_line(&self, offset: u32) -> usize {
        let before = &self.source.text()[..offset as usize];
        let line = before.rfind('\n').map_or(before, |newline| &before[newline + 1..]);
        line.bytes().take_while(u8::is_ascii_whitespace).count()
    }

    /// Is there a space between a token and the one before it on the same line?
    fn is_separated(&self, at: usize, head: Head) -> bool {
        let (left, right) = (self.tokens[at - 1], self.tokens[at]);
        let first = self.source.text().as_bytes()[right.span.start as usize];
        self.is_set_apart(at, left, right, head) || would_merge(left.kind, first)
    }

    fn is_set_apart(&self, at: usize, left: RawToken, right: RawToken, head: Head) -> bool {
        use TokenKind::*;
        match (left.kind, right.kind) {
            (_, LineComment | BlockComment) => true,
            (Equal, _) if self.head == Head::Equal => true,
            // Holes of board lines, and arguments that begin with a comma.
            (Comma, RightSquare | Comma) | (Semicolon, Comma) => true,
            (_, RightRound | RightSquare | RightCurly) => false,
            (_, Comma | Semicolon | Colon | Tilde | Caret) => false,
            (LeftRound | LeftSquare | LeftCurly | Hash | Tilde | Caret | Arrow, _) => false,
            (_, Star) => self.is_product(at),
            (left_kind, LeftRound) if left_kind.is_wordlike() => {
                !(head == Head::Parameters || self.is_use(at, left, right))
            }
            (Plus | Minus, Number) => !self.is_sign(at - 1),
            _ => true,
        }
    }

    /// Does a `(` belong to the word before it, as a macro use, a bound or a board generator?
    fn is_use(&self, at: usize, word: RawToken, bracket: RawToken) -> bool {
        use TokenKind::*;
        let is_pasted = at >= 2 && self.tokens[at - 2].kind == Tilde;
        self.has_bounds
            || word.kind == Generator
            || word.span.end == bracket.span.start && (word.kind != Number || is_pasted)
    }

    /// Is a `*` a product? Inside arithmetic, and in a macro for arithmetic if a number tells so.
    fn is_product(&self, at: usize) -> bool {
        use TokenKind::*;
        let before = |distance: usize| Some(self.tokens[at.checked_sub(distance)?].kind);
        self.in_arithmetic()
            || self.tokens.get(at + 1).is_some_and(|token| token.kind == Number)
            || before(1) == Some(Number) && !matches!(before(2), Some(Caret | Tilde))
    }

    /// Is a `+` or `-` the sign of the number behind it?
    fn is_sign(&self, at: usize) -> bool {
        use TokenKind::*;
        match self.kind_before(at) {
            None | Some(Plus | Minus | Slash | Comma | Semicolon | Caret | Equal) => true,
            Some(DoubleEqual | NotEqual | Less | LessEqual | Greater | GreaterEqual) => true,
            Some(Star) => self.is_product(at - 1),
            Some(other) => opened(other).is_some(),
        }
    }
}

/// Would a token and text behind it that begins with `first` be read as something else if they
/// touched?
fn would_merge(left: TokenKind, first: u8) -> bool {
    use TokenKind::*;
    match left {
        Plus | Minus | Arrow => first == b'>',
        LeftCurly => matches!(first, b'?' | b'!' | b'$'),
        LeftSquare => first == b'$',
        Exclamation | Equal | Less | Greater => first == b'=',
        Slash => matches!(first, b'/' | b'*'),
        word => word.is_wordlike() && first.is_ascii_alphanumeric(),
    }
}

/// A line that consists of a board line, perhaps with closing brackets and comments behind it.
struct BoardLine {
    line: Line,
    /// The tokens of each cell; none is a hole.
    cells: Vec<Range<usize>>,
    /// Do brackets close behind it?
    is_last: bool,
}

impl BoardLine {
    fn read(tokens: &[RawToken], line: Line, end: usize) -> Option<BoardLine> {
        let kind = |at: usize| tokens[at].kind;
        if kind(line.first) != TokenKind::LeftSquare {
            return None;
        }
        let mut cells = Vec::new();
        let mut start = line.first + 1;
        for at in line.first + 1..end {
            match kind(at) {
                TokenKind::Comma => {
                    cells.push(start..at);
                    start = at + 1;
                }
                TokenKind::RightSquare => {
                    cells.push(start..at);
                    let rest = &tokens[at + 1..end];
                    let is_all =
                        rest.iter().all(|t| t.kind.is_comment() || closed(t.kind).is_some());
                    let is_last = rest.iter().any(|t| closed(t.kind).is_some());
                    return is_all.then_some(BoardLine { line, cells, is_last });
                }
                kind if kind.is_wordlike() || kind == TokenKind::Tilde => {}
                _ => return None,
            }
        }
        None
    }

    /// Can `next`, the line below, stand in the same columns?
    fn continues_in(&self, next: &BoardLine, gaps: &[Gap]) -> bool {
        let (above, below) = (gaps[self.line.first], gaps[next.line.first]);
        !self.is_last
            && below.breaks == 1
            && above.spaces == below.spaces
            && self.line.centred == next.line.centred
            && (self.line.centred || self.cells.len() == next.cells.len())
    }
}

/// Puts the cells of board lines that stand one below the other in columns.
fn align_boards(tokens: &[RawToken], lines: &[Line], gaps: &mut [Gap]) {
    let mut board: Vec<BoardLine> = Vec::new();
    let ends = lines.iter().skip(1).map(|line| line.first).chain([tokens.len()]);
    for (line, end) in lines.iter().zip(ends) {
        let read = BoardLine::read(tokens, *line, end);
        let continues = match (board.last(), &read) {
            (Some(above), Some(below)) => above.continues_in(below, gaps),
            _ => false,
        };
        if !continues {
            align(&board, tokens, gaps);
            board.clear();
        }
        board.extend(read);
    }
    align(&board, tokens, gaps);
}

fn align(board: &[BoardLine], tokens: &[RawToken], gaps: &mut [Gap]) {
    let Some(first) = board.first().filter(|_| board.len() > 1) else {
        return;
    };
    let width = |cell: &Range<usize>, gaps: &[Gap]| -> usize {
        let texts: usize = tokens[cell.clone()].iter().map(|token| token.span.range().len()).sum();
        texts + gaps[cell.clone()].iter().skip(1).map(|gap| gap.spaces).sum::<usize>()
    };
    let mut columns: Vec<usize> = Vec::new();
    for line in board {
        columns.resize(columns.len().max(line.cells.len()), 0);
        for (column, cell) in columns.iter_mut().zip(&line.cells) {
            *column = (*column).max(width(cell, gaps));
        }
    }
    if first.line.centred {
        // Lines are shifted by half a cell; below a width of 2 the halves would be too uneven.
        let widest = columns.iter().copied().max().unwrap_or(0).max(2);
        columns.fill(widest);
    }
    let total: usize = columns.iter().map(|column| column + 2).sum();
    if gaps[first.line.first].spaces + total > MAX_BOARD_WIDTH {
        return;
    }
    for line in board {
        // Only lines of a hexagon can be shorter than the longest.
        let missing: usize = columns[line.cells.len()..].iter().map(|column| column + 2).sum();
        gaps[line.line.first].spaces += missing / 2;
        // Spaces that belong before the next token, be it of a cell, a comma or the bracket.
        let mut pending = 0;
        for (cell, column) in line.cells.iter().zip(&columns) {
            if cell.is_empty() {
                gaps[cell.end].spaces = pending + column;
                pending = 1;
            } else {
                gaps[cell.start].spaces = pending;
                pending = 1 + column - width(cell, gaps);
            }
        }
    }
}

fn write(source: &Source, tokens: &[RawToken], gaps: &[Gap]) -> Result<String, Vec<Diagnostic>> {
    let mut text = String::with_capacity(source.text().len());
    for (token, gap) in tokens.iter().zip(gaps) {
        text.extend(std::iter::repeat_n('\n', gap.breaks));
        text.extend(std::iter::repeat_n(' ', gap.spaces));
        text.push_str(match token.kind {
            TokenKind::LineComment => source.slice(token.span).trim_end(),
            _ => source.slice(token.span),
        });
        if text.len() >= MAX_FILE_BYTES {
            return Err(vec![
                Diagnostic::new(Code::FileTooLarge, Place::written(Span::new(0, 0)))
                    .message("the file would become too large by formatting")
                    .label(format!("at most {MAX_FILE_BYTES} bytes are allowed")),
            ]);
        }
    }
    if !tokens.is_empty() {
        text.push('\n');
    }
    Ok(text)
}
