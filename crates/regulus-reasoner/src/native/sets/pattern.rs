//! Conditions that look at a bounded surrounding of one vertex: bits around it, taken out of the sets of
//! pieces by a multiplication and looked up in a table (pass P15).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Value};
use regulus_rbg::declarations::PieceSet;
use regulus_rbg::rule::Rule;

use super::environment::Env;
use super::pointer_set::PointerSet;
use super::set::{Bool, Set, Word};
use crate::native::analysis::pattern::{Pattern, Truth};
use crate::native::emit::Emitter;

/// Bits of a table that fits into one word.
const WORD_BITS: usize = 6;

/// Tests of words that are cheaper than a table.
const FEW_TESTS: usize = 2;

/// The surrounding of a vertex in one class of pieces: words of bits that begin at fixed distances from it.
struct Windows {
    class: PieceSet,
    /// The distance of the first bit of each, with the word.
    words: Vec<(i32, Value)>,
}

/// Bits of one window that are taken out together: where they are, and which bits of the table they are.
struct Picked {
    word: Value,
    positions: Vec<u32>,
    numbers: Vec<usize>,
}

/// What brings bits of a word together at its top: one factor does for all of them, if their sum has no
/// carries.
fn factor(positions: &[u32]) -> Option<u64> {
    let n = positions.len() as u32;
    let factor = positions.iter().zip(64 - n..).fold(0u64, |f, (p, to)| f | 1 << (to - p));
    let gathered = |bits: u64| {
        let word = positions.iter().enumerate();
        word.fold(0, |word, (i, p)| word | (bits >> i & 1) << p)
    };
    let works = (0..1 << n).all(|bits| gathered(bits).wrapping_mul(factor) >> (64 - n) == bits);
    works.then_some(factor)
}

/// The distances at which windows begin, so that as few as possible cover all bits and as few rows as
/// possible are cut in two.
fn starts(pattern: &Pattern, class: PieceSet) -> Vec<i32> {
    let offsets = |truth: &Truth| -> Vec<i32> {
        truth.bits.iter().filter(|b| b.class == class).map(|b| b.offset).collect()
    };
    let rows: Vec<Vec<i32>> = pattern.truths.iter().map(offsets).collect();
    let lowest = rows.iter().flatten().min().copied().unwrap_or(0);
    let cut = |first: i32| {
        let windows = |offsets: &mut dyn Iterator<Item = &i32>| {
            let mut windows: Vec<i32> = offsets.map(|o| (o - first).div_euclid(64)).collect();
            windows.sort_unstable();
            windows.dedup();
            windows
        };
        let all = windows(&mut rows.iter().flatten());
        let parts: usize = rows.iter().map(|row| windows(&mut row.iter()).len()).sum();
        // Making a window costs about as much as two parts of rows.
        (all.len() * 2 + parts, all)
    };
    let first = (lowest - 63..=lowest).rev().min_by_key(|first| cut(*first).0).unwrap_or(lowest);
    cut(first).1.into_iter().map(|window| first + 64 * window).collect()
}

/// Where the bits of a table are.
fn picked(truth: &Truth, windows: &[Windows]) -> Vec<Picked> {
    let mut picked: Vec<Picked> = Vec::new();
    for window in windows {
        for (start, word) in &window.words {
            let inside = |offset: i32| u32::try_from(offset - start).ok().filter(|p| *p < 64);
            let mut bits: Vec<(u32, usize)> = Vec::new();
            for (number, bit) in truth.bits.iter().enumerate() {
                if let (true, Some(p)) = (bit.class == window.class, inside(bit.offset)) {
                    bits.push((p, number));
                }
            }
            bits.sort_unstable();
            if !bits.is_empty() {
                let (positions, numbers) = bits.into_iter().unzip();
                picked.push(Picked { word: *word, positions, numbers });
            }
        }
    }
    picked
}

impl Emitter<'_, '_> {
    /// Whether a condition holds at a place of one position, if it looks at a bounded surrounding only.
    pub(crate) fn ask_pattern(
        &mut self,
        body: &Rule,
        place: &PointerSet,
        env: &Env,
    ) -> Option<Bool> {
        let at = place.at?;
        let pattern = self.analysis.pattern(body, place.under)?;
        if pattern.truths.is_empty() || pattern.truths.iter().any(|t| t.bits.is_empty()) {
            return None;
        }
        // Where the pointer cannot be, the answer has no meaning, but the code must not fail.
        let last = self.constant(self.analysis.embedding.len() as i64 - 1);
        let at = self.b.ins().umin(at, last);
        let mut windows: Vec<Windows> = Vec::new();
        for bit in pattern.truths.iter().flat_map(|truth| &truth.bits) {
            if !windows.iter().any(|w| w.class == bit.class) {
                let set = self.class(env, bit.class);
                let words = self.windows(&set, at, &starts(&pattern, bit.class));
                windows.push(Windows { class: bit.class, words });
            }
        }
        let mut tables: Vec<(Vec<u64>, Value)> = Vec::new();
        let mut holds: Option<Value> = None;
        for truth in &pattern.truths {
            let picked = picked(truth, &windows);
            let one = if truth.is_partial(&self.analysis.full, &pattern) {
                let counting = self.counting(truth, &pattern, &picked, at);
                self.looked_up(truth, &picked, Some(counting), &mut tables)
            } else if let Some(one) = self.few_tests(truth, &picked) {
                one
            } else {
                self.looked_up(truth, &picked, None, &mut tables)
            };
            holds = Some(holds.map_or(one, |holds| self.b.ins().bor(holds, one)));
        }
        let low = self.b.ins().band_imm_s(holds?, 1);
        Some(Bool::Value(self.b.ins().icmp_imm_s(IntCC::NotEqual, low, 0)))
    }

    /// Words of a set that begin at distances from a position; what is outside the set is 0. The distances
    /// differ by multiples of 64.
    fn windows(&mut self, set: &Set, at: Value, starts: &[i32]) -> Vec<(i32, Value)> {
        let word = match set.0.as_slice() {
            [word] if starts.iter().all(|s| (-64..64).contains(s)) => *word,
            _ => return self.windows_of_memory(set, at, starts),
        };
        let word = word.value(&mut self.b);
        let mut windows = Vec::new();
        for start in starts {
            let distance = i64::from(*start);
            let from = self.b.ins().iadd_imm_s(at, distance);
            let window = match *start {
                // The vertex may be at any bit.
                0..64 => {
                    let up = self.b.ins().ushr(word, at);
                    self.b.ins().ushr_imm_s(up, distance)
                }
                -64 => {
                    let up = self.b.ins().ineg(from);
                    let down = self.b.ins().iadd_imm_s(up, -1);
                    let shifted = self.b.ins().ishl(word, down);
                    self.b.ins().ishl_imm_s(shifted, 1)
                }
                -63 => {
                    let up = self.b.ins().ineg(from);
                    self.b.ins().ishl(word, up)
                }
                _ => {
                    let below = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, from, 0);
                    let up = self.b.ins().ineg(from);
                    let (left, right) =
                        (self.b.ins().ishl(word, up), self.b.ins().ushr(word, from));
                    self.b.ins().select(below, left, right)
                }
            };
            windows.push((*start, window));
        }
        windows
    }

    /// The same for sets of several words: they are written to memory with zeros around them, so that words
    /// can be read from any place.
    fn windows_of_memory(&mut self, set: &Set, at: Value, starts: &[i32]) -> Vec<(i32, Value)> {
        let words = set.0.len() as i32;
        let (first, last) = (starts[0], starts[starts.len() - 1]);
        let before = ((-first).max(0) + 63) / 64;
        // A window reads two words.
        let all = before + words + (last + 63).max(0) / 64 + 2;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, all as u32 * 8, 3);
        let slot = self.b.create_sized_stack_slot(slot);
        for i in 0..all {
            let word = usize::try_from(i - before).ok().and_then(|i| set.0.get(i));
            let word = word.copied().unwrap_or(Word::Const(0)).value(&mut self.b);
            self.b.ins().stack_store(I64, word, slot, i * 8);
        }
        let memory = self.b.ins().stack_addr(I64, slot, 0);
        let from = self.b.ins().iadd_imm_s(at, i64::from(first + 64 * before));
        let index = self.b.ins().ushr_imm_s(from, 6);
        let offset = self.b.ins().ishl_imm_s(index, 3);
        let address = self.b.ins().iadd(memory, offset);
        // Shifting by 64 less the shift, which may be 64, in two steps.
        let rest = self.b.ins().bxor_imm_s(from, 63);
        let mut windows = Vec::new();
        for start in starts {
            let byte = (start - first) / 8;
            let flags = MemFlagsData::trusted();
            let low = self.b.ins().load(I64, flags, address, byte);
            let high = self.b.ins().load(I64, flags, address, byte + 8);
            let low = self.b.ins().ushr(low, from);
            let high = self.b.ins().ishl_imm_s(high, 1);
            let high = self.b.ins().ishl(high, rest);
            windows.push((*start, self.b.ins().bor(low, high)));
        }
        windows
    }

    /// A truth of few terms: its words are compared with what they have to be.
    fn few_tests(&mut self, truth: &Truth, picked: &[Picked]) -> Option<Value> {
        if truth.terms.len() * picked.len() > FEW_TESTS {
            return None;
        }
        let mut any: Option<Value> = None;
        for term in &truth.terms {
            let mut all: Option<Value> = None;
            for part in picked {
                let (mut mask, mut wanted) = (0u64, 0u64);
                for (position, number) in part.positions.iter().zip(&part.numbers) {
                    if let Some((_, set)) = term.iter().find(|(n, _)| n == number) {
                        mask |= 1 << position;
                        wanted |= u64::from(*set) << position;
                    }
                }
                if mask == 0 {
                    continue;
                }
                let found = self.masked(part.word, mask);
                let wanted = self.constant(wanted as i64);
                let same = self.b.ins().icmp(IntCC::Equal, found, wanted);
                all = Some(all.map_or(same, |all| self.b.ins().band(all, same)));
            }
            let one = all?;
            any = Some(any.map_or(one, |any| self.b.ins().bor(any, one)));
        }
        any.map(|any| self.b.ins().uextend(I64, any))
    }

    /// The bits of a table that count from a position, from a table of all positions, in the order in which
    /// they are picked.
    fn counting(
        &mut self,
        truth: &Truth,
        pattern: &Pattern,
        picked: &[Picked],
        at: Value,
    ) -> Value {
        let order: Vec<usize> = picked.iter().flat_map(|part| &part.numbers).copied().collect();
        let row = |position: usize| {
            let bits = match self.analysis.full.contains(position) {
                true => truth.counting(position, pattern),
                false => 0,
            };
            let numbers = order.iter().enumerate();
            numbers.fold(0, |row, (i, number)| row | (bits >> number & 1) << i)
        };
        let rows: Vec<u64> = (0..self.analysis.embedding.len()).map(row).collect();
        let table = self.table(rows);
        let offset = self.b.ins().ishl_imm_s(at, 3);
        let address = self.b.ins().iadd(table, offset);
        self.load_word(address, 0)
    }

    fn masked(&mut self, word: Value, mask: u64) -> Value {
        let mask = self.constant(mask as i64);
        self.b.ins().band(word, mask)
    }

    /// Looks a truth up in a table; only the lowest bit of the answer counts.
    fn looked_up(
        &mut self,
        truth: &Truth,
        picked: &[Picked],
        counting: Option<Value>,
        tables: &mut Vec<(Vec<u64>, Value)>,
    ) -> Value {
        let mut index: Option<Value> = None;
        let mut order: Vec<usize> = Vec::new();
        for part in picked {
            let bits = self.gathered(part.word, &part.positions);
            index = Some(match index {
                None => bits,
                Some(index) => {
                    let bits = self.b.ins().ishl_imm_s(bits, order.len() as i64);
                    self.b.ins().bor(index, bits)
                }
            });
            order.extend(&part.numbers);
        }
        let mut index = index.expect("a truth has bits");
        if let Some(counting) = counting {
            index = self.b.ins().band(index, counting);
        }
        let holds = |index: usize| {
            let numbers = order.iter().enumerate();
            let bits = numbers.fold(0, |bits, (i, number)| bits | (index >> i & 1) << number);
            truth.holds(bits)
        };
        let n = order.len();
        if n <= WORD_BITS {
            let word = (0..1 << n).fold(0u64, |word, i| word | u64::from(holds(i)) << i);
            let word = self.constant(word as i64);
            return self.b.ins().ushr(word, index);
        }
        // A byte for every answer.
        let bytes: Vec<u8> = (0..1 << n).map(|i| u8::from(holds(i))).collect();
        let word = |bytes: &[u8]| {
            u64::from_ne_bytes(bytes.try_into().expect("the table has a multiple of eight bytes"))
        };
        let content: Vec<u64> = bytes.chunks_exact(8).map(word).collect();
        let table = match tables.iter().find(|(known, _)| *known == content) {
            Some((_, table)) => *table,
            None => {
                let table = self.table(content.clone());
                tables.push((content, table));
                table
            }
        };
        let address = self.b.ins().iadd(table, index);
        self.b.ins().uload8(I64, MemFlagsData::trusted(), address, 0)
    }

    /// The bits at some positions of a word, next to each other.
    fn gathered(&mut self, word: Value, positions: &[u32]) -> Value {
        let (first, n) = (positions[0], positions.len());
        if positions.iter().zip(first..).all(|(p, next)| *p == next) {
            let low = self.b.ins().ushr_imm_s(word, i64::from(first));
            return self.b.ins().band_imm_s(low, (1i64 << n) - 1);
        }
        let Some(factor) = factor(positions) else {
            let (low, high) = positions.split_at(n / 2);
            let (a, b) = (self.gathered(word, low), self.gathered(word, high));
            let b = self.b.ins().ishl_imm_s(b, low.len() as i64);
            return self.b.ins().bor(a, b);
        };
        let mask = positions.iter().fold(0u64, |mask, p| mask | 1 << p);
        let kept = self.masked(word, mask);
        let factor = self.constant(factor as i64);
        let moved = self.b.ins().imul(kept, factor);
        self.b.ins().ushr_imm_s(moved, 64 - n as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::factor;

    #[test]
    fn bits_of_a_line_come_together() {
        for stride in 7..10 {
            let line: Vec<u32> = (0..7).map(|i| i * stride).collect();
            assert!(factor(&line).is_some(), "seven bits with stride {stride}");
        }
        assert!(factor(&[0, 1, 2, 3, 4, 6, 8, 9, 10]).is_none(), "sums of these carry");
    }
}
