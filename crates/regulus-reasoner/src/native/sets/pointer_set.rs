//! Places: where the pointer of a walk can be, and how relations move it (passes P1 and P3).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use regulus_rbg::declarations::{Piece, PieceSet};

use super::set::{Bool, Set, Word};
use crate::native::analysis::relation::{Group, Relation};
use crate::native::emit::Emitter;

/// Positions that are better looked at one by one than all at once.
const FEW: usize = 8;

/// Where the pointer of a walk can be.
#[derive(Clone)]
pub(crate) struct PointerSet {
    pub(crate) set: Set,
    /// The position, if there is at most one.
    pub(crate) at: Option<Value>,
    /// What can stand there.
    pub(crate) under: PieceSet,
    /// True if the set is surely not empty.
    pub(crate) certain: bool,
    /// True if the set may have bits that are no vertices.
    pub(crate) dirty: bool,
    /// True if there are a few positions at most.
    pub(crate) few: bool,
}

impl Emitter<'_, '_> {
    pub(crate) fn everything(&self) -> PieceSet {
        self.analysis.game.declarations.all_pieces()
    }

    pub(crate) fn nowhere(&self) -> PointerSet {
        PointerSet {
            set: Set::empty(self.words()),
            at: None,
            under: PieceSet::EMPTY,
            certain: false,
            dirty: false,
            few: true,
        }
    }

    /// The set of one position.
    pub(crate) fn one(&mut self, position: Value) -> Set {
        let one = self.b.ins().iconst(I64, 1);
        let bit = self.b.ins().ishl(one, position);
        if self.words() == 1 {
            return Set(vec![Word::Value(bit)]);
        }
        let word = self.b.ins().ushr_imm_s(position, 6);
        let zero = self.b.ins().iconst(I64, 0);
        let words = (0..self.words()).map(|w| {
            let here = self.b.ins().icmp_imm_s(IntCC::Equal, word, w as i64);
            Word::Value(self.b.ins().select(here, bit, zero))
        });
        Set(words.collect())
    }

    /// A walk at one position.
    pub(crate) fn at(&mut self, position: Value) -> PointerSet {
        let set = self.one(position);
        let under = self.everything();
        PointerSet { set, at: Some(position), under, certain: true, dirty: false, few: true }
    }

    /// A walk at any position of a set.
    pub(crate) fn many(&mut self, set: Set) -> PointerSet {
        let under = self.everything();
        PointerSet { set, at: None, under, certain: true, dirty: false, few: false }
    }

    /// Only vertices, no bits of holes.
    pub(crate) fn clean(&mut self, place: &PointerSet) -> Set {
        if place.dirty {
            place.set.and(&Set::constant(&self.analysis.full), &mut self.b)
        } else {
            place.set.clone()
        }
    }

    /// A walk where a piece lies that is not in the sets. Nothing but vertices is left: the sets could not tell.
    pub(crate) fn lying(&mut self, place: PointerSet, piece: Piece) -> PointerSet {
        let (set, under) = (self.clean(&place), [piece].into_iter().collect());
        PointerSet { set, under, dirty: false, ..place }
    }

    pub(crate) fn nonempty(&mut self, place: &PointerSet) -> Bool {
        if place.certain {
            return Bool::Const(true);
        }
        let set = self.clean(place);
        set.is_nonempty(&mut self.b)
    }

    pub(crate) fn table(&mut self, words: Vec<u64>) -> Value {
        let table: Box<[u64]> = words.into();
        let address = table.as_ptr() as i64;
        self.tables.push(table);
        self.constant(address)
    }

    /// Follows a relation.
    pub(crate) fn follow(&mut self, relation: &Relation, place: &PointerSet) -> PointerSet {
        let under = self.everything();
        if place.set.is_empty_constant() {
            return self.nowhere();
        }
        if let Some(constant) = &relation.constant {
            if constant.is_empty() {
                return self.nowhere();
            }
            let reached = self.nonempty(place);
            let set = Set::constant(constant).when(reached, &mut self.b);
            let certain = reached == Bool::Const(true);
            let only = constant.iter().next().filter(|_| constant.len() == 1);
            let at = only.map(|p| self.constant(p as i64));
            let few = constant.len() <= FEW;
            return PointerSet { set, at, under, certain, dirty: false, few };
        }
        if let [group] = relation.groups.as_slice() {
            return self.follow_group(group, place);
        }
        match place.at {
            Some(at) => {
                // An impossible place may have any position; read the first row instead.
                let reached = self.nonempty(place);
                let at = match reached {
                    Bool::Const(_) => at,
                    Bool::Value(c) => {
                        let first = self.constant(0);
                        self.b.ins().select(c, at, first)
                    }
                };
                let row = self.row(relation.row_table(), at);
                let set = row.when(reached, &mut self.b);
                let at = (relation.widest <= 1).then(|| self.target_of(relation, at));
                let few = relation.widest <= FEW;
                PointerSet { set, at, under, certain: false, dirty: false, few }
            }
            None => {
                let mut union = Set::empty(self.words());
                let mut any_dirty = false;
                for group in &relation.groups {
                    let (set, dirty) = self.moved(place, group);
                    any_dirty |= dirty;
                    union = union.or(&set, &mut self.b);
                }
                PointerSet {
                    set: union,
                    at: None,
                    under,
                    certain: false,
                    dirty: any_dirty,
                    few: false,
                }
            }
        }
    }

    /// Moves by the distance of a group.
    pub(crate) fn follow_group(&mut self, group: &Group, place: &PointerSet) -> PointerSet {
        let (set, dirty) = self.moved(place, group);
        let at = place.at.map(|at| self.b.ins().iadd_imm_s(at, i64::from(group.delta)));
        PointerSet { set, at, under: self.everything(), certain: false, dirty, few: place.few }
    }

    /// The one position that a relation leads to, from a table.
    pub(crate) fn target_of(&mut self, relation: &Relation, at: Value) -> Value {
        let targets: Vec<u64> =
            relation.rows.iter().map(|r| r.iter().next().unwrap_or(0) as u64).collect();
        let last = self.constant(targets.len() as i64 - 1);
        let table = self.table(targets);
        let safe = self.b.ins().umin(at, last);
        let offset = self.b.ins().ishl_imm_s(safe, 3);
        let address = self.b.ins().iadd(table, offset);
        self.load_word(address, 0)
    }

    /// Moves a set by the distance of a group; says whether bits of holes may be in the result.
    pub(crate) fn moved(&mut self, place: &PointerSet, group: &Group) -> (Set, bool) {
        let set = self.clean(place);
        let shifted = set.shift(group.delta, &mut self.b);
        if group.is_plain_shift {
            (shifted, true)
        } else {
            (shifted.and(&Set::constant(&group.targets), &mut self.b), false)
        }
    }
}
