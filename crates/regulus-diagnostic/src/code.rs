//! Registries of diagnostic codes.

/// Declares the enum `Code` of a language: after the prefix of its codes, one line per code with its number,
/// severity, title, the paragraph that `regulus explain` prints, and optionally a wrong fragment and
/// the same put right.
///
/// ```
/// regulus_diagnostic::codes! { "TOY";
///     Unfinished = 1, Error, "a sentence without an end", "Sentences end with a full stop.", "It was" => "It was so.";
///     Long = 101, Warning, "a long sentence", "Short ones are read more often.";
/// }
/// assert_eq!(Code::parse("toy101"), Some(Code::Long));
/// assert_eq!(Code::Unfinished.to_string(), "TOY0001");
/// assert_eq!(Code::Unfinished.example(), Some(("It was", "It was so.")));
/// ```
#[macro_export]
macro_rules! codes {
    ($prefix:literal; $( $variant:ident = $number:literal, $severity:ident, $title:literal, $explanation:literal
        $(, $wrong:literal => $right:literal)?; )*) => {
        /// A kind of diagnostic.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum Code {
            $( #[doc = $title] $variant, )*
        }

        impl Code {
            /// Every code, in order of number.
            pub const ALL: &'static [Code] = &[ $( Code::$variant, )* ];

            /// What the codes of the language begin with.
            pub const PREFIX: &'static str = $prefix;

            /// The number after the prefix.
            pub fn number(self) -> u16 {
                match self { $( Code::$variant => $number, )* }
            }

            /// Error or warning.
            pub fn severity(self) -> $crate::Severity {
                match self { $( Code::$variant => $crate::Severity::$severity, )* }
            }

            /// A short sentence without details.
            pub fn title(self) -> &'static str {
                match self { $( Code::$variant => $title, )* }
            }

            /// A paragraph for `regulus explain`.
            pub fn explanation(self) -> &'static str {
                match self { $( Code::$variant => $explanation, )* }
            }

            /// A wrong fragment, and the same fragment put right.
            pub fn example(self) -> Option<(&'static str, &'static str)> {
                match self {
                    $( $( Code::$variant => Some(($wrong, $right)), )? )*
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }

            /// The code as written in messages: the prefix and four digits.
            pub fn id(self) -> String {
                format!("{}{:04}", Self::PREFIX, self.number())
            }

            /// Finds a code from what [`Code::id`] gives, in any case, with or without zeros and prefix.
            pub fn parse(text: &str) -> Option<Code> {
                let text = text.trim();
                let digits = match text.get(..Self::PREFIX.len()) {
                    Some(prefix) if prefix.eq_ignore_ascii_case(Self::PREFIX) => &text[prefix.len()..],
                    _ => text,
                };
                let number: u16 = digits.parse().ok()?;
                Code::ALL.iter().copied().find(|code| code.number() == number)
            }
        }

        impl ::std::fmt::Display for Code {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&self.id())
            }
        }
    };
}
