//! Conditions that look at a bounded surrounding of one vertex, as truth tables over bits around it
//! (pass P15): rows of stones along a line and back, rings, squares.
//!
//! A condition without modifiers is followed from a vertex that is known, step by step. Every way to walk
//! it is a *term*: what has to be at which distance. Where a numbering has fixed distances, code needs no
//! walk then: it takes the bits at these distances out of the sets of pieces and looks the answer up.
//!
//! A walk that runs along a line first and comes back, such as `(f {S})* (g {S})^4`, has a term for every
//! length of the run; terms that ask for more than another one are left out, so that only those remain
//! that matter: the rows which contain the vertex.

use std::collections::BTreeMap;
use std::rc::Rc;

use regulus_rbg::declarations::PieceSet;
use regulus_rbg::rule::{Rule, RuleKind};

use super::Analysis;
use super::bits::Bits;
use super::relation::is_static;

/// Most bits that one table is asked for.
pub(crate) const MAX_BITS: usize = 10;

/// Most terms of a condition, and of everything inside it.
const MAX_TERMS: usize = 64;

/// Most steps of walks that are followed to find the terms.
const MAX_WALKS: usize = 2_000;

/// Most distances that one step may have.
const MAX_GROUPS: usize = 8;

/// The farthest that a condition may look, in positions.
const MAX_REACH: i32 = 256;

/// What is at a distance: one of some pieces, or perhaps no vertex at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Content {
    pieces: PieceSet,
    may_be_off: bool,
}

impl Content {
    fn and(self, other: Content) -> Content {
        Content {
            pieces: self.pieces.intersection(other.pieces),
            may_be_off: self.may_be_off && other.may_be_off,
        }
    }

    fn is_impossible(self) -> bool {
        self.pieces.is_empty() && !self.may_be_off
    }

    fn is_within(self, other: Content) -> bool {
        self.and(other) == self
    }
}

/// What has to be at distances from the vertex.
type Term = BTreeMap<i32, Content>;

/// One way to walk a condition, as far as it was followed.
#[derive(Clone)]
struct Walk {
    /// How far it is from the vertex.
    at: i32,
    term: Term,
    /// From where its steps can be taken.
    starts: Rc<Bits>,
    /// The distances that it has come to, and from where.
    trail: Vec<(i32, Rc<Bits>)>,
    /// True if it asked for more, which distances cannot tell. That does no harm if it asks for all that
    /// another walk asks for.
    is_vague: bool,
}

/// A walk that has come to its end.
struct End {
    term: Term,
    starts: Rc<Bits>,
    trail: Vec<(i32, Rc<Bits>)>,
    is_vague: bool,
}

/// A bit that the answer depends on: whether one of these pieces is at a distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bit {
    pub(crate) class: PieceSet,
    pub(crate) offset: i32,
}

/// Terms over the same few bits; the condition holds if one of them does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Truth {
    pub(crate) bits: Vec<Bit>,
    /// The numbers of bits, and what each has to be.
    pub(crate) terms: Vec<Vec<(usize, bool)>>,
}

impl Truth {
    /// The bits that count, asked from a vertex.
    pub(crate) fn counting(&self, vertex: usize, pattern: &Pattern) -> u64 {
        let counts = |bit: &Bit| pattern.within[&bit.offset].contains(vertex);
        let bits = self.bits.iter().enumerate().filter(|(_, bit)| counts(bit));
        bits.fold(0, |bits, (number, _)| bits | 1 << number)
    }

    /// True if from some vertices a bit does not count, although a vertex is there in the sets.
    pub(crate) fn is_partial(&self, full: &Bits, pattern: &Pattern) -> bool {
        let there = |vertex: usize, bit: &Bit| {
            let position = usize::try_from(vertex as i32 + bit.offset).ok();
            position.is_some_and(|p| p < full.words().len() * 64 && full.contains(p))
        };
        self.bits.iter().any(|bit| {
            let within = &pattern.within[&bit.offset];
            full.iter().any(|vertex| there(vertex, bit) && !within.contains(vertex))
        })
    }

    /// Whether a term holds if the bits are those of a number.
    pub(crate) fn holds(&self, bits: usize) -> bool {
        let fits = |(bit, set): &(usize, bool)| (bits >> bit & 1 == 1) == *set;
        self.terms.iter().any(|term| term.iter().all(fits))
    }
}

/// A condition as truth tables: it holds if one of them says so.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pattern {
    pub(crate) truths: Vec<Truth>,
    /// From which vertices there is a vertex at a distance: from others, a step off the board may land on
    /// one that does not count.
    pub(crate) within: BTreeMap<i32, Bits>,
}

impl Pattern {
    /// The pattern of a condition that is asked from a vertex with one of these pieces, if it has one that is
    /// better than walking.
    pub(crate) fn of(body: &Rule, under: PieceSet, analysis: &Analysis) -> Option<Pattern> {
        let all = analysis.game.declarations.all_pieces();
        let within: BTreeMap<i32, Bits> = [(0, analysis.full.clone())].into();
        let mut finder = Finder { analysis, all, within, is_known: false, left: MAX_WALKS };
        let here = Content { pieces: under, may_be_off: false };
        let known: Term = [(0, here)].into();
        let full = Rc::new(analysis.full.clone());
        let start =
            Walk { at: 0, term: Term::new(), starts: full, trail: Vec::new(), is_vague: false };
        let rules = std::slice::from_ref(body);
        // The first time finds out what is on the board from where.
        let ends = finder.walk(rules, vec![start.clone()], &known)?;
        for (offset, starts) in finder.finished(ends, &known)?.iter().flat_map(|end| &end.trail) {
            let none = || Bits::empty(analysis.words());
            finder.within.entry(*offset).or_insert_with(none).unite(starts);
        }
        (finder.is_known, finder.left) = (true, MAX_WALKS);
        let ends = finder.walk(rules, vec![start], &known)?;
        let ends = finder.finished(ends, &known)?;
        if ends.iter().any(|end| finder.is_misled(end, &known, &analysis.full)) {
            return None;
        }
        let terms: Vec<Term> = ends.into_iter().map(|end| end.term).collect();
        let pattern = finder.tables(&terms)?;
        // What a single test decides is better asked of the sets of vertices.
        let is_row = |truth: &Truth| truth.terms.iter().any(|term| term.len() > 1);
        let bits: usize = pattern.truths.iter().map(|truth| truth.bits.len()).sum();
        let reach = terms
            .iter()
            .flat_map(Term::keys)
            .fold((0, 0), |(low, high), offset| (low.min(*offset), high.max(*offset)));
        let worth = bits > 2 && pattern.truths.iter().any(is_row);
        (worth && reach.1 - reach.0 <= MAX_REACH).then_some(pattern)
    }
}

struct Finder<'a> {
    analysis: &'a Analysis,
    all: PieceSet,
    /// From where walks come to a vertex at a distance.
    within: BTreeMap<i32, Bits>,
    /// True if that is known.
    is_known: bool,
    /// Steps that may still be followed.
    left: usize,
}

/// Both of two things; nothing if that cannot be.
fn both(a: &Term, b: &Term) -> Option<Term> {
    let mut term = a.clone();
    for (offset, content) in b {
        let entry = term.entry(*offset).or_insert(*content);
        *entry = entry.and(*content);
        if entry.is_impossible() {
            return None;
        }
    }
    Some(term)
}

/// True if a term asks for all that another one asks for.
fn asks_for_all_of(term: &Term, general: &Term) -> bool {
    let holds = |offset, content| term.get(offset).is_some_and(|c: &Content| c.is_within(content));
    general.iter().all(|(offset, content)| holds(offset, *content))
}

/// Leaves out what is a special case of something else.
fn without<T>(all: Vec<T>, is_special: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for one in all {
        if !kept.iter().any(|general| is_special(&one, general)) {
            kept.push(one);
        }
    }
    kept
}

impl Finder<'_> {
    fn is_within(&self, vertex: usize, offset: i32) -> bool {
        self.within.get(&offset).is_some_and(|within| within.contains(vertex))
    }

    /// True if all that has to be on the board is there, from a vertex.
    fn is_on_board(&self, vertex: usize, term: &Term, known: &Term) -> bool {
        let mut needed = term.iter().chain(known).filter(|(_, content)| !content.may_be_off);
        needed.all(|(offset, _)| self.is_within(vertex, *offset))
    }

    /// Follows rules from the ends of walks.
    fn walk(&mut self, rules: &[Rule], mut walks: Vec<Walk>, known: &Term) -> Option<Vec<Walk>> {
        let mut i = 0;
        while i < rules.len() && !walks.is_empty() {
            let run = rules[i..].iter().take_while(|r| is_static(r)).count();
            self.left = self.left.checked_sub(walks.len())?;
            if run > 0 {
                walks = self.step(&rules[i..i + run], &walks)?;
                i += run;
                continue;
            }
            walks = match &rules[i].kind {
                RuleKind::On(pieces) => {
                    let content = Content { pieces: *pieces, may_be_off: false };
                    let test = |walk: Walk| {
                        let test: Term = [(walk.at, content)].into();
                        let term = both(&walk.term, &test)?;
                        both(&term, known).map(|_| Walk { term, ..walk })
                    };
                    walks.into_iter().filter_map(test).collect()
                }
                RuleKind::Concatenation(parts) => self.walk(parts, walks, known)?,
                RuleKind::Sum(alternatives) => {
                    let mut all = Vec::new();
                    for alternative in alternatives {
                        let one = std::slice::from_ref(alternative);
                        all.extend(self.walk(one, walks.clone(), known)?);
                    }
                    all
                }
                RuleKind::Star(body) => self.repeated(body, walks, known)?,
                RuleKind::Condition { negated, body } => {
                    let mut all = Vec::new();
                    for walk in &walks {
                        all.extend(self.condition(*negated, body, walk, known)?);
                    }
                    all
                }
                _ => return None,
            };
            i += 1;
        }
        Some(walks)
    }

    /// Steps by every distance of static rules.
    fn step(&self, rules: &[Rule], walks: &[Walk]) -> Option<Vec<Walk>> {
        let relation = self.analysis.relation(rules);
        if relation.constant.is_some() || relation.groups.len() > MAX_GROUPS {
            return None;
        }
        let mut stepped = Vec::new();
        for walk in walks {
            for group in &relation.groups {
                let mut starts = Bits::empty(self.analysis.words());
                for vertex in walk.starts.iter() {
                    let from = usize::try_from(vertex as i32 + walk.at).ok();
                    if from.is_some_and(|from| group.sources.contains(from)) {
                        starts.insert(vertex);
                    }
                }
                if starts.is_empty() {
                    continue;
                }
                // The walk has to be on the board there.
                let at = walk.at + group.delta;
                let starts = Rc::new(starts);
                let mut term = walk.term.clone();
                let content = Content { pieces: self.all, may_be_off: false };
                let entry = term.entry(at).or_insert(content);
                *entry = entry.and(content);
                if !entry.is_impossible() {
                    let mut trail = walk.trail.clone();
                    trail.push((at, starts.clone()));
                    stepped.push(Walk { at, term, starts, trail, ..*walk });
                }
            }
        }
        Some(stepped)
    }

    fn repeated(&mut self, body: &Rule, walks: Vec<Walk>, known: &Term) -> Option<Vec<Walk>> {
        let mut all = walks.clone();
        let mut front = walks;
        while !front.is_empty() {
            let next = self.walk(std::slice::from_ref(body), front, known)?;
            let is_new = |walk: &Walk| !all.iter().any(|w| w.at == walk.at && w.term == walk.term);
            front = next.into_iter().filter(is_new).collect();
            all.extend(front.iter().cloned());
            if all.len() > MAX_WALKS {
                return None;
            }
        }
        Some(all)
    }

    /// The walks that go on behind a condition.
    fn condition(
        &mut self,
        negated: bool,
        body: &Rule,
        walk: &Walk,
        known: &Term,
    ) -> Option<Vec<Walk>> {
        let Some(known) = both(known, &walk.term) else { return Some(Vec::new()) };
        let start = Walk { term: Term::new(), trail: Vec::new(), is_vague: false, ..walk.clone() };
        let ends = self.walk(std::slice::from_ref(body), vec![start], &known)?;
        let inner = self.finished(ends, &known)?;
        if self.is_known && inner.iter().any(|end| self.is_misled(end, &known, &walk.starts)) {
            return Some(vec![Walk { is_vague: true, ..walk.clone() }]);
        }
        let terms = match negated {
            false => inner.iter().filter_map(|end| both(&walk.term, &end.term)).collect(),
            true => self.none_of(&inner, &walk.term)?,
        };
        let mut trail = walk.trail.clone();
        trail.extend(inner.into_iter().flat_map(|end| end.trail));
        let on = |term| Walk { term, trail: trail.clone(), ..walk.clone() };
        Some(terms.into_iter().map(on).collect())
    }

    /// A term and that none of others holds.
    fn none_of(&self, others: &[End], term: &Term) -> Option<Vec<Term>> {
        let all = self.all;
        let not = |content: &Content| Content {
            pieces: all.iter().filter(|p| !content.pieces.contains(*p)).collect(),
            may_be_off: !content.may_be_off,
        };
        let mut terms = vec![term.clone()];
        for other in others {
            let mut next = Vec::new();
            for (offset, content) in &other.term {
                let fails: Term = [(*offset, not(content))].into();
                next.extend(terms.iter().filter_map(|term| both(term, &fails)));
            }
            next.sort_by_key(Term::len);
            terms = without(next, asks_for_all_of);
            if terms.len() > MAX_TERMS {
                return None;
            }
        }
        Some(terms)
    }

    /// Walks that have come to their end, without those that ask for more than another one.
    fn finished(&self, walks: Vec<Walk>, known: &Term) -> Option<Vec<End>> {
        let end = |walk: Walk| {
            let Walk { term, starts, trail, is_vague, .. } = walk;
            End { term: self.essential(term, known), starts, trail, is_vague }
        };
        let mut ends: Vec<End> = walks.into_iter().map(end).collect();
        ends.sort_by_key(|end| end.term.len());
        let is_there = |end: &End, general: &End| {
            let mut starts = end.starts.iter();
            starts.all(|vertex| self.is_on_board(vertex, &general.term, known))
        };
        let ends = without(ends, |end, general| {
            let follows = asks_for_all_of(&end.term, &general.term);
            follows && (!self.is_known || is_there(end, general))
        });
        (ends.len() <= MAX_TERMS).then_some(ends)
    }

    /// True if from some of these vertices all that a walk asks for may be there, and its steps cannot be
    /// taken.
    fn is_misled(&self, end: &End, known: &Term, from: &Bits) -> bool {
        let mut others = from.iter().filter(|vertex| !end.starts.contains(*vertex));
        end.is_vague || others.any(|vertex| self.is_on_board(vertex, &end.term, known))
    }

    /// A term without what is known, and without vertices that are on the board if others are.
    fn essential(&self, mut term: Term, known: &Term) -> Term {
        let content_known = |offset: &i32, content: &Content| {
            known.get(offset).is_some_and(|known| known.is_within(*content))
        };
        term.retain(|offset, content| !content_known(offset, content));
        let only_there = |content: &Content| content.pieces == self.all && !content.may_be_off;
        let passed: Vec<i32> =
            term.iter().filter(|(_, content)| only_there(content)).map(|(o, _)| *o).collect();
        for offset in passed {
            let content = term.remove(&offset).expect("it was there");
            let follows = self.analysis.full.iter().all(|vertex| {
                !self.is_on_board(vertex, &term, known) || self.is_within(vertex, offset)
            });
            if !(self.is_known && follows) {
                term.insert(offset, content);
            }
        }
        term
    }

    /// Terms as tables over a few bits each.
    fn tables(&self, terms: &[Term]) -> Option<Pattern> {
        let mut truths: Vec<Truth> = Vec::new();
        for term in terms {
            let mut tests = Vec::new();
            for (offset, content) in term {
                let set = !content.may_be_off;
                let pieces = self.all.iter().filter(|p| content.pieces.contains(*p) == set);
                let class: PieceSet = pieces.collect();
                if class == self.all || class.is_empty() || !self.within.contains_key(offset) {
                    return None;
                }
                tests.push((Bit { class, offset: *offset }, set));
            }
            if tests.len() > MAX_BITS {
                return None;
            }
            let fits = |truth: &Truth| {
                let new = tests.iter().filter(|(bit, _)| !truth.bits.contains(bit)).count();
                new < tests.len() && truth.bits.len() + new <= MAX_BITS
            };
            let place = match truths.iter().position(fits) {
                Some(place) => place,
                None => {
                    truths.push(Truth::default());
                    truths.len() - 1
                }
            };
            let truth = &mut truths[place];
            let mut numbered = Vec::new();
            for (bit, set) in tests {
                let number =
                    truth.bits.iter().position(|known| *known == bit).unwrap_or_else(|| {
                        truth.bits.push(bit);
                        truth.bits.len() - 1
                    });
                numbered.push((number, set));
            }
            truth.terms.push(numbered);
        }
        let looked_at = |offset: &i32| {
            truths.iter().flat_map(|truth| &truth.bits).any(|bit| bit.offset == *offset)
        };
        let within = self.within.iter().filter(|(offset, _)| looked_at(offset));
        let within = within.map(|(offset, within)| (*offset, within.clone())).collect();
        Some(Pattern { truths, within })
    }
}
