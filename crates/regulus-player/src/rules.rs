//! Rules that can be run, by whatever runs them best.

use regulus_rbg::Game;
use regulus_reasoner::Interpreter;
use regulus_reasoner::native::{Native, Operation};

/// Rules that can be run. Each thread makes its own worker of them.
pub enum Rules {
    /// As machine code.
    Native(Box<Native>),
    /// By the interpreter, since no machine code could be made.
    Interpreted {
        /// The interpreter.
        rules: Box<Interpreter>,
        /// Why there is no machine code.
        why: String,
    },
}

impl Rules {
    /// Compiles a game for some operations, or prepares the interpreter where that is impossible.
    pub fn new(game: &Game, operations: &[Operation]) -> Self {
        let native = Native::new(game).and_then(|native| {
            operations.iter().try_for_each(|o| native.prepare(*o))?;
            Ok(native)
        });
        match native {
            Ok(native) => Rules::Native(Box::new(native)),
            Err(why) => Rules::Interpreted { rules: Box::new(Interpreter::new(game)), why: why.0 },
        }
    }

    /// Why the rules are interpreted; nothing if they are not.
    pub fn why_interpreted(&self) -> Option<&str> {
        match self {
            Rules::Native(_) => None,
            Rules::Interpreted { why, .. } => Some(why),
        }
    }
}
