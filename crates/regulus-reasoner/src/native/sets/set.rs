//! Sets of vertices in generated code: one 64-bit value per word, constants folded.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::FunctionBuilder;

use crate::native::analysis::bits::Bits;

/// One word of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    Const(u64),
    Value(Value),
}

/// A set of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Set(pub(crate) Vec<Word>);

impl Word {
    pub(crate) fn value(self, b: &mut FunctionBuilder<'_>) -> Value {
        match self {
            Word::Const(c) => b.ins().iconst(I64, c as i64),
            Word::Value(v) => v,
        }
    }

    pub(crate) fn and(self, other: Word, b: &mut FunctionBuilder<'_>) -> Word {
        match (self, other) {
            (Word::Const(x), Word::Const(y)) => Word::Const(x & y),
            (Word::Const(0), _) | (_, Word::Const(0)) => Word::Const(0),
            (Word::Const(u64::MAX), w) | (w, Word::Const(u64::MAX)) => w,
            (Word::Value(x), Word::Value(y)) if x == y => self,
            (x, y) => {
                let (x, y) = (x.value(b), y.value(b));
                Word::Value(b.ins().band(x, y))
            }
        }
    }

    pub(crate) fn or(self, other: Word, b: &mut FunctionBuilder<'_>) -> Word {
        match (self, other) {
            (Word::Const(x), Word::Const(y)) => Word::Const(x | y),
            (Word::Const(0), w) | (w, Word::Const(0)) => w,
            (Word::Value(x), Word::Value(y)) if x == y => self,
            (x, y) => {
                let (x, y) = (x.value(b), y.value(b));
                Word::Value(b.ins().bor(x, y))
            }
        }
    }

    pub(crate) fn and_not(self, other: Word, b: &mut FunctionBuilder<'_>) -> Word {
        match (self, other) {
            (_, Word::Const(y)) => self.and(Word::Const(!y), b),
            (Word::Const(0), _) => self,
            (x, y) => {
                let (x, y) = (x.value(b), y.value(b));
                Word::Value(b.ins().band_not(x, y))
            }
        }
    }

    fn shifted(self, by: u32, left: bool, b: &mut FunctionBuilder<'_>) -> Word {
        match (self, by) {
            (w, 0) => w,
            (_, 64..) => Word::Const(0),
            (Word::Const(c), by) => Word::Const(if left { c << by } else { c >> by }),
            (Word::Value(v), by) => Word::Value(if left {
                b.ins().ishl_imm_s(v, i64::from(by))
            } else {
                b.ins().ushr_imm_s(v, i64::from(by))
            }),
        }
    }
}

impl Set {
    pub(crate) fn empty(words: usize) -> Set {
        Set(vec![Word::Const(0); words])
    }

    pub(crate) fn constant(bits: &Bits) -> Set {
        Set(bits.words().iter().map(|w| Word::Const(*w)).collect())
    }

    pub(crate) fn is_empty_constant(&self) -> bool {
        self.0.iter().all(|w| *w == Word::Const(0))
    }

    fn zip(
        &self,
        other: &Set,
        b: &mut FunctionBuilder<'_>,
        f: impl Fn(Word, Word, &mut FunctionBuilder<'_>) -> Word,
    ) -> Set {
        Set(self.0.iter().zip(&other.0).map(|(x, y)| f(*x, *y, b)).collect())
    }

    pub(crate) fn and(&self, other: &Set, b: &mut FunctionBuilder<'_>) -> Set {
        self.zip(other, b, Word::and)
    }

    pub(crate) fn or(&self, other: &Set, b: &mut FunctionBuilder<'_>) -> Set {
        self.zip(other, b, Word::or)
    }

    pub(crate) fn and_not(&self, other: &Set, b: &mut FunctionBuilder<'_>) -> Set {
        self.zip(other, b, Word::and_not)
    }

    /// All positions moved by a distance; those that leave the words are lost.
    pub(crate) fn shift(&self, delta: i32, b: &mut FunctionBuilder<'_>) -> Set {
        let words = self.0.len() as i32;
        let (far, by) = (delta.unsigned_abs() / 64, delta.unsigned_abs() % 64);
        let at = |i: i32| {
            usize::try_from(i).ok().and_then(|i| self.0.get(i)).copied().unwrap_or(Word::Const(0))
        };
        let far = far as i32;
        Set((0..words)
            .map(|i| {
                if delta >= 0 {
                    let main = at(i - far).shifted(by, true, b);
                    let carry = if by == 0 {
                        Word::Const(0)
                    } else {
                        at(i - far - 1).shifted(64 - by, false, b)
                    };
                    main.or(carry, b)
                } else {
                    let main = at(i + far).shifted(by, false, b);
                    let carry = if by == 0 {
                        Word::Const(0)
                    } else {
                        at(i + far + 1).shifted(64 - by, true, b)
                    };
                    main.or(carry, b)
                }
            })
            .collect())
    }

    /// The whole set if the condition is true, otherwise nothing.
    pub(crate) fn when(&self, condition: Bool, b: &mut FunctionBuilder<'_>) -> Set {
        match condition {
            Bool::Const(true) => self.clone(),
            Bool::Const(false) => Set::empty(self.0.len()),
            Bool::Value(c) => {
                let zero = b.ins().iconst(I64, 0);
                Set(self
                    .0
                    .iter()
                    .map(|w| match w {
                        Word::Const(0) => *w,
                        w => {
                            let v = w.value(b);
                            Word::Value(b.ins().select(c, v, zero))
                        }
                    })
                    .collect())
            }
        }
    }

    /// All words or-ed together.
    fn folded(&self, b: &mut FunctionBuilder<'_>) -> Word {
        self.0.iter().copied().reduce(|x, y| x.or(y, b)).unwrap_or(Word::Const(0))
    }

    pub(crate) fn is_nonempty(&self, b: &mut FunctionBuilder<'_>) -> Bool {
        match self.folded(b) {
            Word::Const(c) => Bool::Const(c != 0),
            Word::Value(v) => Bool::Value(b.ins().icmp_imm_s(IntCC::NotEqual, v, 0)),
        }
    }

    /// How many positions are in it.
    pub(crate) fn count(&self, b: &mut FunctionBuilder<'_>) -> Value {
        let mut constant = 0i64;
        let mut sum: Option<Value> = None;
        for word in &self.0 {
            match word {
                Word::Const(c) => constant += i64::from(c.count_ones()),
                Word::Value(v) => {
                    let n = b.ins().popcnt(*v);
                    sum = Some(sum.map_or(n, |s| b.ins().iadd(s, n)));
                }
            }
        }
        match sum {
            None => b.ins().iconst(I64, constant),
            Some(s) if constant == 0 => s,
            Some(s) => b.ins().iadd_imm_s(s, constant),
        }
    }
}

/// A truth value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bool {
    Const(bool),
    Value(Value),
}

impl Bool {
    pub(crate) fn value(self, b: &mut FunctionBuilder<'_>) -> Value {
        match self {
            Bool::Const(c) => b.ins().iconst(cranelift_codegen::ir::types::I8, i64::from(c)),
            Bool::Value(v) => v,
        }
    }

    pub(crate) fn and(self, other: Bool, b: &mut FunctionBuilder<'_>) -> Bool {
        match (self, other) {
            (Bool::Const(false), _) | (_, Bool::Const(false)) => Bool::Const(false),
            (Bool::Const(true), x) | (x, Bool::Const(true)) => x,
            (Bool::Value(x), Bool::Value(y)) => Bool::Value(b.ins().band(x, y)),
        }
    }

    pub(crate) fn or(self, other: Bool, b: &mut FunctionBuilder<'_>) -> Bool {
        match (self, other) {
            (Bool::Const(true), _) | (_, Bool::Const(true)) => Bool::Const(true),
            (Bool::Const(false), x) | (x, Bool::Const(false)) => x,
            (Bool::Value(x), Bool::Value(y)) => Bool::Value(b.ins().bor(x, y)),
        }
    }

    pub(crate) fn not(self, b: &mut FunctionBuilder<'_>) -> Bool {
        match self {
            Bool::Const(c) => Bool::Const(!c),
            Bool::Value(v) => Bool::Value(b.ins().bxor_imm_s(v, 1)),
        }
    }
}
