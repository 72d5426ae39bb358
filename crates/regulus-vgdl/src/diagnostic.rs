//! What can be wrong with a game or level file, with the place in the text.

use std::fmt;

/// How bad a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but something in it is probably a mistake.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

macro_rules! codes {
    ($( $variant:ident = $number:literal, $severity:ident, $title:literal, $explanation:literal; )*) => {
        /// A kind of diagnostic.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum Code {
            $( #[doc = $title] $variant, )*
        }

        impl Code {
            /// Every code, in order of number.
            pub const ALL: &'static [Code] = &[ $( Code::$variant, )* ];

            /// The number after `VGDL`.
            pub fn number(self) -> u16 {
                match self { $( Code::$variant => $number, )* }
            }

            /// Error or warning.
            pub fn severity(self) -> Severity {
                match self { $( Code::$variant => Severity::$severity, )* }
            }

            /// A short sentence without details.
            pub fn title(self) -> &'static str {
                match self { $( Code::$variant => $title, )* }
            }

            /// A paragraph for those who want to know more.
            pub fn explanation(self) -> &'static str {
                match self { $( Code::$variant => $explanation, )* }
            }
        }
    };
}

codes! {
    EmptyFile = 1, Error, "The file has no text.",
        "A game begins with a line `BasicGame`, a level with its first row.";
    BadRoot = 2, Error, "The first line is not a game.",
        "The first line that is not blank must be `BasicGame`, and every other line must be indented more than it.";
    UnknownSection = 3, Error, "This section does not exist.",
        "The sections are SpriteSet, InteractionSet, LevelMapping and TerminationSet, written exactly so.";
    MissingSection = 4, Error, "A section is missing.",
        "A game needs a SpriteSet, a LevelMapping or the predefined characters, and a TerminationSet.";
    BadLine = 5, Error, "This line is not complete.",
        "Sprites are `name > Class key=value ...`, interactions `first second > effect key=value ...`, mappings `c > type ...`.";
    MixedIndentation = 6, Warning, "Tabs and spaces are mixed.",
        "A tab counts as one column, as in the reference framework, however wide an editor shows it.";
    UnevenIndentation = 7, Warning, "Lines of the same parent have different indentations.",
        "A line belongs to the closest line above it that is indented less.";
    UnexpectedChild = 8, Error, "This line is indented under a line that cannot have children.",
        "The reference framework ignores such lines without a word; here they are an error.";
    UnknownClass = 9, Error, "This sprite class does not exist.",
        "The name of a class must be written exactly, capital letters included.";
    UnsupportedClass = 10, Warning, "This sprite class is not implemented.",
        "Classes with continuous physics exist in the reference framework and are not implemented here. A game may name them as long as no such sprite can be created.";
    MissingClass = 11, Error, "This sprite has no class.",
        "A sprite without children needs a class, its own or one of its parents.";
    UnknownEffect = 12, Error, "This effect does not exist.",
        "The name of an effect must be written exactly, capital letters included.";
    UnknownTermination = 13, Error, "This termination does not exist.",
        "The terminations are SpriteCounter, SpriteCounterMore, MultiSpriteCounter, MultiSpriteCounterSubTypes, StopCounter and Timeout.";
    UnknownParameter = 14, Warning, "This parameter does not exist here and is ignored.",
        "The reference framework ignores unknown parameters without a word.";
    WrongParameterType = 15, Error, "The value of this parameter has the wrong type.",
        "The reference framework skips a value of the wrong type without a word and keeps the default.";
    IgnoredValue = 16, Warning, "This number does not fit and the default is kept.",
        "A parameter that takes whole numbers keeps its default when a number with a decimal point is given, as in the reference framework.";
    UnknownType = 17, Error, "This sprite type does not exist.",
        "A sprite type must be declared in the SpriteSet before it is used.";
    CyclicType = 18, Error, "A sprite type is its own parent.",
        "A name may appear only once on the way from the SpriteSet to a sprite.";
    DuplicateType = 19, Warning, "This sprite type is declared twice.",
        "The later declaration replaces the earlier one.";
    UnknownMappedType = 20, Warning, "A level character stands for a sprite type that does not exist.",
        "Levels that use the character cannot be loaded.";
    NotInProfile = 21, Error, "The chosen rule profile does not have this.",
        "The profile 2015 has one target per interaction, no TIME and no EOS in first place.";
    MissingAvatar = 22, Error, "The level has no avatar.",
        "A level needs one sprite of an avatar class.";
    SeveralAvatars = 23, Warning, "The level has more than one avatar.",
        "Only the first one stays.";
    UnknownCharacter = 24, Warning, "This character is not in the level mapping.",
        "Nothing is put there.";
    TooManyUnknownCharacters = 25, Error, "The level has too many unknown characters.",
        "The reference framework of 2021 ends a game at once when more than 25 messages were logged.";
    RaggedLevel = 26, Warning, "The rows of the level have different lengths.",
        "The first row sets the width. Shorter rows are filled with blanks, longer ones are cut.";
    TooManySprites = 27, Error, "The level has too many sprites.",
        "A level may have at most 10,000 sprites.";
    UncreatableSprite = 28, Error, "A sprite is created whose class cannot be run.",
        "The class is missing or not implemented.";
    Unsupported = 29, Error, "This is not implemented.",
        "Games with several players or continuous physics are not implemented.";
    TooLarge = 30, Error, "The file is too large.",
        "There are limits on the size of files, the number of types and the number of interactions.";
    NoTermination = 31, Warning, "The game has no termination.",
        "It runs until the tick limit.";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VGDL{:03}", self.number())
    }
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

/// Something to say about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// One sentence with the details.
    pub message: String,
    /// Where.
    pub place: Place,
}

impl Diagnostic {
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

/// At most so many errors are kept and as many warnings; a broken file does not produce a flood. Warnings
/// do not take the place of errors, which say why there is no game.
const MAX_DIAGNOSTICS: usize = 200;

/// Diagnostics in the order they were found, without repetitions.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    pub(crate) fn push(&mut self, code: Code, place: Place, message: String) {
        let is_error = code.severity() == Severity::Error;
        let kept = if is_error { self.errors } else { self.list.len() - self.errors };
        let diagnostic = Diagnostic { code, message, place };
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
