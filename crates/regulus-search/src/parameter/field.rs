//! How a field of a structure is read and written as a value.

use super::Value;
use crate::component::Chosen;

/// What a parameter is kept in.
pub trait Field {
    /// Its value; nothing if it has none.
    fn load(&self) -> Option<Value>;

    /// Changes it; a value of another kind changes nothing.
    fn store(&mut self, value: Value);
}

impl Field for bool {
    fn load(&self) -> Option<Value> {
        Some(Value::Flag(*self))
    }

    fn store(&mut self, value: Value) {
        *self = value.flag();
    }
}

impl Field for f64 {
    fn load(&self) -> Option<Value> {
        Some(Value::Number(*self))
    }

    fn store(&mut self, value: Value) {
        *self = value.number();
    }
}

impl Field for Chosen {
    fn load(&self) -> Option<Value> {
        Some(Value::Component(*self))
    }

    fn store(&mut self, value: Value) {
        if let Value::Component(part) = value {
            *self = part;
        }
    }
}

macro_rules! counts {
    ($($type:ty),+) => { $(
        impl Field for $type {
            fn load(&self) -> Option<Value> {
                Some(Value::Count(*self as u64))
            }

            fn store(&mut self, value: Value) {
                *self = value.count() as $type;
            }
        }
    )+ };
}

counts!(u32, u64, usize);

/// A parameter that is a field of a structure: `field!(tree_policy.solver)`; or of a variant of one: `field!(playout,
/// Playout::Mast { epsilon })`; `field!(= Playout::Mast { epsilon })` if the structure itself has variants.
macro_rules! field {
    ($($name:ident).+) => {
        $crate::parameter::Access {
            get: |of| $crate::parameter::Field::load(&of.$($name).+),
            set: |of, value| $crate::parameter::Field::store(&mut of.$($name).+, value),
        }
    };
    ($place:ident, $($variant:path)|+ { $name:ident }) => {
        $crate::parameter::Access {
            get: |of| match &of.$place {
                $($variant { $name, .. })|+ => $crate::parameter::Field::load($name),
                #[allow(unreachable_patterns)]
                _ => None,
            },
            set: |of, value| match &mut of.$place {
                $($variant { $name, .. })|+ => $crate::parameter::Field::store($name, value),
                #[allow(unreachable_patterns)]
                _ => {}
            },
        }
    };
    (= $($variant:path)|+ { $name:ident }) => {
        $crate::parameter::Access {
            get: |of| match of {
                $($variant { $name, .. })|+ => $crate::parameter::Field::load($name),
                #[allow(unreachable_patterns)]
                _ => None,
            },
            set: |of, value| match of {
                $($variant { $name, .. })|+ => $crate::parameter::Field::store($name, value),
                #[allow(unreachable_patterns)]
                _ => {}
            },
        }
    };
}

/// The words of an enumeration: `words!(Decisive { Off = "off", Wins = "wins" })`.
macro_rules! words {
    ($type:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $type {
            /// The words of files.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Its name in files.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $word),+
                }
            }
        }

        impl $crate::parameter::Field for $type {
            fn load(&self) -> Option<$crate::parameter::Value> {
                Some($crate::parameter::Value::Word(self.name()))
            }

            fn store(&mut self, value: $crate::parameter::Value) {
                match value.word() {
                    $($word => *self = $type::$variant,)+
                    _ => {}
                }
            }
        }
    };
}

pub(crate) use {field, words};
