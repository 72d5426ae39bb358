//! Conditions with modifiers whose answer is remembered (pass P6): what they read of a state is compared with what they read
//! when they were asked last.
//!
//! In international draughts a move must capture as many as any other could. The rules mark the pieces that a
//! move captures and ask whether more could be captured; that condition treats marked pieces as what they were, and so
//! its answer depends on how many are marked, but not on which. One answer holds for all moves that capture as many.
//!
//! What a condition reads: the vertices of every class of pieces that it tests, the numbers it computes with. Where
//! the walk stands must not matter. A modifier inside it puts a piece, of which it is known to which classes it belongs; so
//! equal classes and numbers stay equal, and the answer is the same. The number of a piece that is read after such a modifier
//! depends on where the piece was, and its vertices count as a class.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use regulus_rbg::arithmetic::Arithmetic;
use regulus_rbg::declarations::{Piece, PieceSet, Variable};
use regulus_rbg::rule::{Rule, RuleKind};
use rustc_hash::FxHashSet;

use super::environment::Env;
use crate::native::analysis::Analysis;
use crate::native::analysis::pointer::forgets;
use crate::native::analysis::segments::{NodeId, Transition};
use crate::native::draw::playout::PLAYOUT_MEMOS;
use crate::native::emit::Emitter;

/// Answers of one condition that are remembered, by the last bits of the first number it reads.
const ANSWERS: usize = 4;

/// Words of memory for answers at most.
const MAX_WORDS: usize = 2048;

/// What is known of an answer: the first of its words. The key follows.
const NO: i64 = 1;
const YES: i64 = 2;

/// A condition whose answer is remembered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Memo {
    start: NodeId,
    end: NodeId,
    classes: Vec<PieceSet>,
    counts: Vec<Piece>,
    variables: Vec<Variable>,
    /// Where its answers begin, in words.
    offset: usize,
}

/// The conditions of the rules whose answers are worth remembering.
pub(crate) fn memos(analysis: &Analysis) -> Vec<Memo> {
    let mut memos: Vec<Memo> = Vec::new();
    let mut offset = 0;
    for (node, transitions) in analysis.segments.nodes.enumerated() {
        for (transition, _) in transitions {
            let Transition::Check { start, end, .. } = transition else { continue };
            if let Some(mut memo) = memo_of(analysis, *start, *end)
                && is_repeated(analysis, node, &memo)
            {
                memo.offset = offset;
                offset += ANSWERS * memo.words(analysis);
                memos.push(memo);
            }
        }
    }
    if offset > MAX_WORDS { Vec::new() } else { memos }
}

/// Words that the answers of all conditions take.
pub(crate) fn memo_words(memos: &[Memo], analysis: &Analysis) -> usize {
    memos.last().map_or(0, |memo| memo.offset + ANSWERS * memo.words(analysis))
}

impl Memo {
    fn words(&self, analysis: &Analysis) -> usize {
        1 + self.classes.len() * analysis.words() + self.counts.len() + self.variables.len()
    }

    fn read(&mut self, expression: &Arithmetic, after_off: bool) {
        expression.visit(&mut |part| match part {
            Arithmetic::Count(piece) => {
                add(&mut self.counts, *piece);
                if after_off {
                    add(&mut self.classes, [*piece].into_iter().collect());
                }
            }
            Arithmetic::Variable(variable) => add(&mut self.variables, *variable),
            _ => {}
        });
    }

    fn test(&mut self, rule: &Rule, after_off: bool) {
        match &rule.kind {
            RuleKind::On(pieces) => add(&mut self.classes, *pieces),
            RuleKind::Comparison(_, sides) => {
                self.read(&sides.0, after_off);
                self.read(&sides.1, after_off);
            }
            RuleKind::Condition { body, .. } => self.test(body, after_off),
            _ => rule.children().iter().for_each(|child| self.test(child, after_off)),
        }
    }

    /// True if the condition never tells a piece from some other.
    fn confuses(&self, piece: Piece, pieces: PieceSet) -> bool {
        let alike = |other: Piece| {
            other != piece && self.classes.iter().all(|c| c.contains(piece) == c.contains(other))
        };
        pieces.iter().any(alike)
    }
}

fn add<T: PartialEq>(all: &mut Vec<T>, one: T) {
    if !all.contains(&one) {
        all.push(one);
    }
}

/// What a condition reads, if it does not matter from where it is asked.
fn memo_of(analysis: &Analysis, start: NodeId, end: NodeId) -> Option<Memo> {
    let segments = &analysis.segments;
    let mut first = segments.canonical(start);
    while let [(Transition::Assign(..) | Transition::Empty, to)] = &segments[first][..] {
        first = segments.canonical(*to);
    }
    if segments[first].is_empty() || !forgets(analysis, first) {
        return None;
    }
    let mut memo = Memo {
        start,
        end,
        classes: Vec::new(),
        counts: Vec::new(),
        variables: Vec::new(),
        offset: 0,
    };
    let mut seen = FxHashSet::default();
    let mut pending = vec![(start, false)];
    while let Some((node, after_off)) = pending.pop() {
        if !seen.insert((node, after_off)) {
            continue;
        }
        for (transition, to) in &segments[node] {
            let mut behind = after_off;
            match transition {
                Transition::Empty | Transition::Dot(_) => {}
                Transition::Pure(rules) => {
                    rules.iter().for_each(|rule| memo.test(rule, after_off));
                }
                Transition::Check { start, .. } => pending.push((*start, after_off)),
                Transition::Off(..) => behind = true,
                Transition::Assign(_, value, _) => memo.read(value, after_off),
                Transition::Switch(..) => return None,
            }
            pending.push((*to, behind));
        }
    }
    Some(memo)
}

/// True if moves may come to a condition with what it has read before: each piece that is put on the way looks to it like
/// some other.
fn is_repeated(analysis: &Analysis, node: NodeId, memo: &Memo) -> bool {
    let segments = &analysis.segments;
    let mut before = segments.nodes.filled(Vec::new());
    for (from, transitions) in segments.nodes.enumerated() {
        for (transition, to) in transitions {
            if !matches!(transition, Transition::Switch(..)) {
                before[*to].push(from);
            }
        }
    }
    let mut leads = segments.nodes.filled(false);
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut leads[node], true) {
            pending.extend(&before[node]);
        }
    }
    let all = analysis.game.declarations.all_pieces();
    let mut puts = false;
    for (from, transitions) in segments.nodes.enumerated() {
        for (transition, to) in transitions {
            if let Transition::Off(piece, _) = transition
                && leads[from]
                && leads[*to]
            {
                puts = true;
                if !memo.confuses(*piece, all) {
                    return false;
                }
            }
        }
    }
    puts
}

/// Where an answer is remembered, and what it depends on.
pub(crate) struct Remembered {
    place: Value,
    key: Vec<Value>,
}

impl Emitter<'_, '_> {
    /// Leaves for one of two blocks if the answer to a condition is remembered; if not, goes on and says where to
    /// write it. `None` if this condition's answers are not remembered.
    pub(crate) fn recall(
        &mut self,
        (start, end): (NodeId, NodeId),
        env: &Env,
        (yes, no): (Block, Block),
    ) -> Option<Remembered> {
        let mut memos = self.conditions.memos.iter();
        let memo = memos.find(|memo| memo.start == start && memo.end == end)?.clone();
        let mut key = Vec::new();
        for piece in &memo.counts {
            key.push(self.number(&Arithmetic::Count(*piece), env).0);
        }
        for variable in &memo.variables {
            key.push(self.variable(env, *variable));
        }
        let number = key.first().copied();
        for pieces in &memo.classes {
            let class = self.class(env, *pieces);
            for word in &class.0 {
                key.push(word.value(&mut self.b));
            }
        }
        let memory = self.load_word(self.context, PLAYOUT_MEMOS);
        let mut place = self.b.ins().iadd_imm_s(memory, 8 * memo.offset as i64);
        if let Some(number) = number {
            let index = self.b.ins().band_imm_u(number, ANSWERS as i64 - 1);
            let bytes = 8 * memo.words(self.analysis) as i64;
            let offset = self.b.ins().imul_imm_s(index, bytes);
            place = self.b.ins().iadd(place, offset);
        }
        let mut differences = self.constant(0);
        for (i, value) in key.iter().enumerate() {
            let old = self.load_word(place, i + 1);
            let different = self.b.ins().bxor(old, *value);
            differences = self.b.ins().bor(differences, different);
        }
        let answer = self.load_word(place, 0);
        let zero = self.constant(0);
        let same = self.b.ins().icmp(IntCC::Equal, differences, zero);
        let answer = self.b.ins().select(same, answer, zero);
        let (known, unknown) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(answer, known, &[], unknown, &[]);
        self.b.switch_to_block(known);
        let is_yes = self.b.ins().icmp_imm_s(IntCC::Equal, answer, YES);
        self.b.ins().brif(is_yes, yes, &[], no, &[]);
        self.b.switch_to_block(unknown);
        Some(Remembered { place, key })
    }

    /// True if the answers to a condition are remembered.
    pub(crate) fn is_remembered(&self, start: NodeId, end: NodeId) -> bool {
        self.conditions.memos.iter().any(|memo| memo.start == start && memo.end == end)
    }

    /// Writes an answer down.
    pub(crate) fn remember(&mut self, remembered: &Remembered, answer: bool) {
        let value = self.constant(if answer { YES } else { NO });
        self.store_word(remembered.place, 0, value);
        for (i, value) in remembered.key.iter().enumerate() {
            self.store_word(remembered.place, i + 1, *value);
        }
    }
}

#[cfg(test)]
mod tests {
    use regulus_rbg::Source;

    use super::*;

    /// How many conditions of a game's rules are remembered.
    fn remembered(rules: &str) -> usize {
        let text = format!(
            "#players = a(1), b(1) #pieces = e, x, y, marked, seen #variables = n(9) \
             #board = rectangle(up, down, left, right, [x, y, e][e, e, x]) \
             #any = ((up* + down*)(left* + right*)) #rules = {rules} ->> {{}}"
        );
        let game = regulus_rbg::load(&Source::new("test", &text)).game.expect("valid");
        memos(&Analysis::new(&game)).len()
    }

    #[test]
    fn what_is_remembered() {
        // Marked pieces look like others.
        assert_eq!(remembered("->a any {x} [marked] {! any {x, marked} [e] up {e}}"), 1);
        // Marked pieces are told apart.
        assert_eq!(remembered("->a any {x} [marked] {! any {x} [e] {? any {marked}}}"), 0);
        // It matters from where it is asked.
        assert_eq!(remembered("->a any {x} [marked] {! up {x, marked} [e] up {e}}"), 0);
        // It is asked once.
        assert_eq!(remembered("->a any {! any {x, marked} [e] up {e}} {x} [marked]"), 0);
    }

    #[test]
    fn numbers() {
        // How many are marked is asked before anything changes: which they are does not matter.
        let before = "[$ n = marked] any {x, marked} [seen] {$ seen > n}";
        assert_eq!(remembered(&format!("->a any {{x}} [marked] {{! {before}}}")), 1);
        // Here it does.
        let after = "any {x, marked} [seen] {$ seen > marked}";
        assert_eq!(remembered(&format!("->a any {{x}} [marked] {{! {after}}}")), 0);
    }
}
