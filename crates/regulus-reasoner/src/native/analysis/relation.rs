//! Shift-only parts of the rules as relations between vertices, computed when code is made
//! (pass P3).

use std::sync::OnceLock;

use regulus_rbg::declarations::Label;
use regulus_rbg::rule::{Rule, RuleKind};
use regulus_rbg::{Board, Vertex};

use super::bits::Bits;
use super::cycles::{ComponentId, Components, components};
use super::embedding::Embedding;
use crate::id::IdVec;

/// Positions that move by the same distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    /// How far.
    pub(crate) delta: i32,
    /// From where.
    pub(crate) sources: Bits,
    /// To where.
    pub(crate) targets: Bits,
    /// True if moving any vertex by the distance either is such a step or leaves the board.
    pub(crate) is_plain_shift: bool,
}

/// A relation between positions that does not depend on the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Relation {
    /// The image of every position.
    pub(crate) rows: Vec<Bits>,
    /// The same by distance: each group is injective.
    pub(crate) groups: Vec<Group>,
    /// The image that every vertex has, if it is the same for all.
    pub(crate) constant: Option<Bits>,
    /// The most vertices that one vertex leads to.
    pub(crate) widest: usize,
    /// The longest chain of steps, if the relation has at most one result everywhere and no circle.
    pub(crate) longest_chain: Option<usize>,
    tables: Tables,
}

/// Tables that code reads, made when they are first asked for. They live as long as the relation.
#[derive(Clone, Debug, Default)]
struct Tables {
    rows: OnceLock<Box<[u64]>>,
    rays: OnceLock<Box<[u64]>>,
}

/// Tables say nothing that the relation does not say.
impl PartialEq for Tables {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Tables {}

fn flat(rows: &[Bits]) -> Box<[u64]> {
    rows.iter().flat_map(|r| r.words().iter().copied()).collect()
}

/// True if the rule only follows edges, and tests only conditions that do.
pub(crate) fn is_static(rule: &Rule) -> bool {
    match &rule.kind {
        RuleKind::Shift(_) => true,
        RuleKind::Concatenation(parts) | RuleKind::Sum(parts) => parts.iter().all(is_static),
        RuleKind::Star(body) | RuleKind::Condition { body, .. } => is_static(body),
        RuleKind::On(pieces) => pieces.is_empty(),
        _ => false,
    }
}

impl Relation {
    /// The relation of static rules, one after the other; nothing if that takes too much work.
    pub(crate) fn of(rules: &[Rule], images: &mut Images<'_>) -> Option<Relation> {
        let embedding = images.embedding;
        let mut rows = vec![Bits::empty(embedding.words); embedding.len()];
        let mut pairs = 0;
        let path = images.path_of(rules);
        for v in images.board.vertices() {
            let at = embedding.position(v);
            rows[at] = images.image_of_one(&path, at);
            pairs += rows[at].len() as u64;
        }
        // Finding the groups takes a few steps for every pair.
        images.work = images.work.saturating_sub(4 * pairs);
        (images.work > 0).then(|| Relation::from_rows(rows, embedding))
    }

    /// The relation that leads nowhere.
    pub(crate) fn empty(embedding: &Embedding) -> Relation {
        Relation::from_rows(vec![Bits::empty(embedding.words); embedding.len()], embedding)
    }

    fn from_rows(rows: Vec<Bits>, embedding: &Embedding) -> Relation {
        let mut groups: Vec<Group> = Vec::new();
        let full: Vec<usize> = embedding.full().iter().collect();
        // Sources and targets by distance, from the lowest distance there can be.
        let lowest = 1 - rows.len() as i32;
        let mut by_delta: Vec<Option<(Bits, Bits)>> = vec![None; 2 * rows.len()];
        for (from, row) in rows.iter().enumerate() {
            for to in row.iter() {
                let empty = || (Bits::empty(embedding.words), Bits::empty(embedding.words));
                let delta = to as i32 - from as i32;
                let entry = by_delta[(delta - lowest) as usize].get_or_insert_with(empty);
                entry.0.insert(from);
                entry.1.insert(to);
            }
        }
        let by_delta = by_delta.into_iter().zip(lowest..);
        for (delta, (sources, targets)) in by_delta.filter_map(|(e, delta)| Some((delta, e?))) {
            let is_plain_shift = full.iter().all(|p| {
                let to = usize::try_from(*p as i32 + delta).ok();
                let on_board = to.is_some_and(|t| t < rows.len() && embedding.vertex(t).is_some());
                !on_board || sources.contains(*p)
            });
            groups.push(Group { delta, sources, targets, is_plain_shift });
        }
        let first = &rows[full[0]];
        let constant = full.iter().all(|p| rows[*p] == *first).then(|| first.clone());
        let widest = rows.iter().map(Bits::len).max().unwrap_or(0);
        let longest_chain = longest_chain(&rows, widest);
        Relation { rows, groups, constant, widest, longest_chain, tables: Tables::default() }
    }

    /// The positions that a set of positions leads to.
    pub(crate) fn image(&self, from: &Bits, words: usize) -> Bits {
        if let (Some(constant), false) = (&self.constant, from.is_empty()) {
            return constant.clone();
        }
        let mut to = Bits::empty(words);
        from.iter().for_each(|p| {
            to.unite(&self.rows[p]);
        });
        to
    }

    /// The positions that lead anywhere.
    pub(crate) fn domain(&self, words: usize) -> Bits {
        let mut domain = Bits::empty(words);
        (0..self.rows.len()).filter(|p| !self.rows[*p].is_empty()).for_each(|p| domain.insert(p));
        domain
    }
}

impl Relation {
    /// For a relation of lines: everything that repeated steps lead to, for every position.
    pub(crate) fn rays(&self, words: usize) -> Vec<Bits> {
        let mut rays = Vec::with_capacity(self.rows.len());
        for start in 0..self.rows.len() {
            let mut ray = Bits::empty(words);
            let mut at = start;
            while let Some(next) = self.rows[at].iter().next() {
                ray.insert(next);
                at = next;
            }
            rays.push(ray);
        }
        rays
    }
}

impl Relation {
    /// The image of every position, as words.
    pub(crate) fn row_table(&self) -> &[u64] {
        self.tables.rows.get_or_init(|| flat(&self.rows))
    }

    /// For a relation of lines: what repeated steps lead to, as words.
    pub(crate) fn ray_table(&self, words: usize) -> &[u64] {
        self.tables.rays.get_or_init(|| flat(&self.rays(words)))
    }
}

/// The longest chain of steps, if there is at most one step from everywhere and no circle.
fn longest_chain(rows: &[Bits], widest: usize) -> Option<usize> {
    if widest > 1 {
        return None;
    }
    let next: Vec<Option<usize>> = rows.iter().map(|r| r.iter().next()).collect();
    let mut longest = 0;
    for start in 0..rows.len() {
        let (mut at, mut length) = (start, 0);
        while let Some(to) = next[at] {
            at = to;
            length += 1;
            if length > rows.len() {
                return None;
            }
        }
        longest = longest.max(length);
    }
    Some(longest)
}

/// A static rule made ready to be followed from many places.
pub(crate) enum Path {
    Edge(Label),
    All(Vec<Path>),
    Any(Vec<Path>),
    /// Where repeating something leads to: a set for every component of the board, and the component of
    /// every position.
    Repeated(IdVec<ComponentId, Bits>, IdVec<usize, ComponentId>),
    /// Goes on from these positions.
    Test(Bits),
}

/// Follows static rules on a board, as long as there is work left.
pub(crate) struct Images<'b> {
    pub(crate) board: &'b Board,
    pub(crate) embedding: &'b Embedding,
    /// Words of sets that may still be looked at. When none are left, everything leads nowhere.
    pub(crate) work: u64,
}

impl Images<'_> {
    /// The path of rules, one after the other.
    pub(crate) fn path_of(&mut self, rules: &[Rule]) -> Path {
        Path::All(rules.iter().map(|rule| self.path(rule)).collect())
    }

    /// The path of a rule.
    fn path(&mut self, rule: &Rule) -> Path {
        match &rule.kind {
            RuleKind::Shift(label) => Path::Edge(*label),
            RuleKind::Concatenation(parts) => self.path_of(parts),
            RuleKind::Sum(parts) => Path::Any(parts.iter().map(|part| self.path(part)).collect()),
            RuleKind::Star(body) => {
                let body = self.path(body);
                self.repeated(&body)
            }
            RuleKind::Condition { negated, body } => {
                let body = self.path(body);
                let mut kept = Bits::empty(self.embedding.words);
                for p in self.embedding.full().iter() {
                    if self.image_of_one(&body, p).is_empty() == *negated {
                        kept.insert(p);
                    }
                }
                Path::Test(kept)
            }
            _ => Path::Test(Bits::empty(self.embedding.words)),
        }
    }

    /// Where repeating a path leads to: positions on a circle lead to the same ones.
    fn repeated(&mut self, body: &Path) -> Path {
        let words = self.embedding.words;
        let mut steps: IdVec<usize, Vec<usize>> = IdVec::of(Vec::new(), self.embedding.len());
        for p in self.embedding.full().iter() {
            steps[p] = self.image_of_one(body, p).iter().collect();
        }
        let Components { of: component, members } = components(&steps);
        let mut reached: IdVec<ComponentId, Bits> = IdVec::default();
        // Steps lead to the same component or to one that is done.
        for members in members {
            let mut all = Bits::empty(words);
            self.spend(4 * words as u64);
            for p in members {
                all.insert(p);
                for to in &steps[p] {
                    let behind = reached.get(component[*to]);
                    if let Some(behind) = behind.filter(|_| !all.contains(*to)) {
                        self.spend(words as u64);
                        all.unite(behind);
                    }
                }
            }
            reached.push(if self.work == 0 { Bits::empty(0) } else { all });
        }
        Path::Repeated(reached, component)
    }

    fn image_of_one(&mut self, path: &Path, position: usize) -> Bits {
        let mut one = Bits::empty(self.embedding.words);
        one.insert(position);
        self.image(path, &one)
    }

    fn spend(&mut self, work: u64) {
        self.work = self.work.saturating_sub(work);
    }

    /// The positions that a path leads to.
    pub(crate) fn image(&mut self, path: &Path, from: &Bits) -> Bits {
        let words = self.embedding.words;
        self.spend(words as u64 + 1);
        let mut to = Bits::empty(words);
        if self.work == 0 {
            return to;
        }
        match path {
            Path::Edge(label) => {
                for p in from.iter() {
                    let next: Vertex = self.board.next(self.embedding.vertex(p), *label);
                    if next.is_some() {
                        to.insert(self.embedding.position(next));
                    }
                }
                self.spend(from.len() as u64);
                to
            }
            Path::All(parts) => parts.iter().fold(from.clone(), |at, part| self.image(part, &at)),
            Path::Any(parts) => {
                for part in parts {
                    to.unite(&self.image(part, from));
                }
                to
            }
            Path::Repeated(reached, component) => {
                for p in from.iter() {
                    if !to.contains(p) {
                        self.spend(words as u64);
                        to.unite(&reached[component[p]]);
                    }
                }
                to
            }
            Path::Test(kept) => from.clone().and(kept),
        }
    }
}
