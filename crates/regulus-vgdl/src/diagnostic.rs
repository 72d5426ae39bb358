//! What can be wrong with a game or level file, with the place in the text.

use std::fmt;

use regulus_diagnostic::{Excerpt, Source, Span, did_you_mean};

use crate::text;

pub use regulus_diagnostic::Severity;

regulus_diagnostic::codes! { "VGDL";
    EmptyFile = 1, Error, "the file has no text",
        "A game begins with a line `BasicGame`, a level with its first row.";
    BadRoot = 2, Error, "the first line is not a game",
        "The first line that is not blank must be `BasicGame`, and every other line must be indented more than it.";
    UnknownSection = 3, Error, "this section does not exist",
        "The sections are SpriteSet, InteractionSet, LevelMapping and TerminationSet, written exactly so.";
    MissingSection = 4, Error, "a section is missing",
        "A game needs a SpriteSet, a LevelMapping or the predefined characters, and a TerminationSet.";
    BadLine = 5, Error, "this line is not complete",
        "Sprites are `name > Class key=value ...`, interactions `first second > effect key=value ...`, mappings `c > type ...`.",
        "avatar wall stepBack" => "avatar wall > stepBack";
    MixedIndentation = 6, Warning, "tabs and spaces are mixed",
        "A tab counts as one column, as in the reference framework, however wide an editor shows it.";
    UnevenIndentation = 7, Warning, "lines of the same parent have different indentations",
        "A line belongs to the closest line above it that is indented less.";
    UnexpectedChild = 8, Error, "this line is indented under a line that cannot have children",
        "The reference framework ignores such lines without a word; here they are an error.";
    UnknownClass = 9, Error, "this sprite class does not exist",
        "The name of a class must be written exactly, capital letters included.",
        "lamp > door" => "lamp > Door";
    UnsupportedClass = 10, Warning, "this sprite class is not implemented",
        "Classes with continuous physics exist in the reference framework and are not implemented here. A game may name them as long as no such sprite can be created.";
    MissingClass = 11, Error, "this sprite has no class",
        "A sprite without children needs a class, its own or one of its parents.",
        "lamp >" => "lamp > Door";
    UnknownEffect = 12, Error, "this effect does not exist",
        "The name of an effect must be written exactly, capital letters included.",
        "avatar wall > stepback" => "avatar wall > stepBack";
    UnknownTermination = 13, Error, "this termination does not exist",
        "The terminations are SpriteCounter, SpriteCounterMore, MultiSpriteCounter, MultiSpriteCounterSubTypes, StopCounter and Timeout.",
        "SpriteCount stype=goal win=True" => "SpriteCounter stype=goal win=True";
    UnknownParameter = 14, Warning, "this parameter does not exist here and is ignored",
        "The reference framework ignores unknown parameters without a word.",
        "lamp > Door colour=RED" => "lamp > Door color=RED";
    WrongParameterType = 15, Error, "the value of this parameter has the wrong type",
        "The reference framework skips a value of the wrong type without a word and keeps the default.",
        "moth > Missile speed=fast" => "moth > Missile speed=2";
    IgnoredValue = 16, Warning, "this number does not fit and the default is kept",
        "A parameter that takes whole numbers keeps its default when a number with a decimal point is given, as in the reference framework.",
        "moth > Missile cooldown=0.5" => "moth > Missile cooldown=2";
    UnknownType = 17, Error, "this sprite type does not exist",
        "A sprite type must be declared in the SpriteSet before it is used.",
        "avatar wal > stepBack" => "avatar wall > stepBack";
    CyclicType = 18, Error, "a sprite type is its own parent",
        "A name may appear only once on the way from the SpriteSet to a sprite.";
    DuplicateType = 19, Warning, "this sprite type is declared twice",
        "The later declaration replaces the earlier one.";
    UnknownMappedType = 20, Warning, "a level character stands for a sprite type that does not exist",
        "Levels that use the character cannot be loaded.",
        "g > gaol" => "g > goal";
    NotInProfile = 21, Error, "the chosen rule profile does not have this",
        "The profile 2015 has one target per interaction, no TIME and no EOS in first place.";
    MissingAvatar = 22, Error, "the level has no avatar",
        "A level needs one sprite of an avatar class.";
    SeveralAvatars = 23, Warning, "the level has more than one avatar",
        "Only the first one stays.";
    UnknownCharacter = 24, Warning, "this character is not in the level mapping",
        "Nothing is put there.";
    TooManyUnknownCharacters = 25, Error, "the level has too many unknown characters",
        "The reference framework of 2021 ends a game at once when more than 25 messages were logged.";
    RaggedLevel = 26, Warning, "the rows of the level have different lengths",
        "The first row sets the width. Shorter rows are filled with blanks, longer ones are cut.";
    TooManySprites = 27, Error, "the level has too many sprites",
        "A level may have at most 10,000 sprites.";
    UncreatableSprite = 28, Error, "a sprite is created whose class cannot be run",
        "The class is missing or not implemented.";
    Unsupported = 29, Error, "this is not implemented",
        "Games with several players or continuous physics are not implemented.";
    TooLarge = 30, Error, "the file is too large",
        "There are limits on the size of files, the number of types and the number of interactions.";
    NoTermination = 31, Warning, "the game has no termination",
        "It runs until the tick limit.";
    ReadingStops = 32, Warning, "the reference framework does not read on from here",
        "The framework of 2021 does not have this effect or termination. It stops reading at such a line, and plays with what stands before it: the rest of the InteractionSet and the sections behind it do not exist for it. The same is done here, so that its games play as they do there. With the profile 2015 it is an error, since the framework of 2015 breaks down; so is a name that is almost a known one.",
        "avatar floor > killIfScoreNegative" => "avatar floor > killSprite";
    UnusedClass = 33, Warning, "this sprite class does not exist and is not needed",
        "The reference framework looks for a class when the first sprite of the type is created. No effect, no spawner and no character of the LevelMapping creates one, so the game can be played without it. A name that is almost a known one is an error all the same.",
        "ghost > Poltergeist" => "ghost > RandomNPC";
}

/// A piece of one line: 1-based line, 1-based columns, `end` just behind the last character.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default, PartialOrd, Ord)]
pub struct Place {
    /// The line, counted from 1.
    pub line: u32,
    /// The first column, counted from 1 in characters.
    pub column: u32,
    /// The column after the last character.
    pub end: u32,
}

impl Place {
    /// The place as bytes of the text it was found in.
    pub fn span(self, text: &str) -> Span {
        let line = text::lines(text).nth((self.line as usize).saturating_sub(1));
        // Lines are parts of the text: behind the last one there is its end.
        let start = line.map_or(text.len(), |line| line.as_ptr() as usize - text.as_ptr() as usize);
        let line = line.unwrap_or("");
        let offset = |column: u32| {
            let mut columns = line.char_indices().map(|(offset, _)| offset);
            let at = columns.nth((column as usize).saturating_sub(1)).unwrap_or(line.len());
            (start + at) as u32
        };
        Span::new(offset(self.column), offset(self.end))
    }
}

/// Something to say about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// One sentence with the details.
    pub message: String,
    /// Where.
    pub place: Place,
    /// What the reader can do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// The diagnostic with an excerpt of the text it was found in, with terminal colours if wanted.
    pub fn render(&self, source: &Source, colours: bool) -> String {
        let excerpt = Excerpt {
            severity: self.severity(),
            id: &self.code.id(),
            message: &self.message,
            span: self.place.span(source.text()),
            label: "",
            related: &[],
            help: self.help.as_deref(),
        };
        excerpt.render(source, colours)
    }

    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column, .. } = self.place;
        write!(f, "{line}:{column}: {}[{}]: {}", self.severity().word(), self.code, self.message)
    }
}

/// At most this many errors are kept and as many warnings; a broken file does not produce a flood. Warnings
/// do not take the place of errors, which say why there is no game.
const MAX_DIAGNOSTICS: usize = 200;

/// Diagnostics in the order they were found, without repetitions.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    /// The names of sprite types that are known so far, for suggestions.
    types: Vec<String>,
}

impl Diagnostics {
    pub(crate) fn push(&mut self, code: Code, place: Place, message: String) {
        self.add(Diagnostic { code, message, place, help: None });
    }

    /// Adds one about a name that does not exist, with the name that was probably meant.
    pub(crate) fn unknown<'a>(
        &mut self,
        code: Code,
        place: Place,
        message: String,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        let help = did_you_mean(name, known).map(|near| format!("did you mean `{near}`?"));
        self.add(Diagnostic { code, message, place, help });
    }

    /// Remembers which sprite types there are.
    pub(crate) fn know_types<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        self.types = names.into_iter().map(str::to_owned).collect();
    }

    /// Adds one about a sprite type that does not exist.
    pub(crate) fn unknown_type(&mut self, place: Place, name: &str) {
        let message = format!("no sprite type is called `{name}`");
        self.unknown_type_as(Code::UnknownType, place, message, name);
    }

    /// The same with another code and message.
    pub(crate) fn unknown_type_as(
        &mut self,
        code: Code,
        place: Place,
        message: String,
        name: &str,
    ) {
        let types = std::mem::take(&mut self.types);
        self.unknown(code, place, message, name, types.iter().map(String::as_str));
        self.types = types;
    }

    fn add(&mut self, diagnostic: Diagnostic) {
        let is_error = diagnostic.severity() == Severity::Error;
        let kept = if is_error { self.errors } else { self.list.len() - self.errors };
        if kept < MAX_DIAGNOSTICS && !self.list.contains(&diagnostic) {
            self.list.push(diagnostic);
            self.errors += usize::from(is_error);
        }
    }

    /// True if there is an error: then there is no game.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// All of them, by line.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|diagnostic| diagnostic.place);
        self.list
    }
}
