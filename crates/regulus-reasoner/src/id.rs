//! Numbers that say what they number, and vectors that are indexed by them.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};

/// The number of one of the things that `T` describes, from 0.
pub struct Id<T> {
    number: u32,
    of: PhantomData<fn(T)>,
}

impl<T> Id<T> {
    /// The first one.
    pub const FIRST: Id<T> = Id { number: 0, of: PhantomData };

    /// The next one.
    pub fn next(self) -> Id<T> {
        Id { number: self.number + 1, ..self }
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Id<T> {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Id<T>) -> bool {
        self.number == other.number
    }
}

impl<T> Eq for Id<T> {}

impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Id<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Id<T>) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)
    }
}

/// What an [`IdVec`] can be indexed by.
pub trait Key: Copy + Eq {
    /// The one at a place.
    fn new(index: usize) -> Self;

    /// Its place.
    fn index(self) -> usize;
}

impl<T> Key for Id<T> {
    fn new(index: usize) -> Id<T> {
        Id { number: index as u32, of: PhantomData }
    }

    fn index(self) -> usize {
        self.number as usize
    }
}

/// A plain number: for what is not mixed up with anything else.
impl Key for usize {
    fn new(index: usize) -> usize {
        index
    }

    fn index(self) -> usize {
        self
    }
}

/// A vector with something for each of the things that `I` numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn(I)>,
}

impl<I: Key, T> IdVec<I, T> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds one; says which it is.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::new(self.items.len() - 1)
    }

    /// Adds several; says which they are.
    pub fn extend(&mut self, items: impl IntoIterator<Item = T>) -> Range<I> {
        let first = I::new(self.items.len());
        self.items.extend(items);
        first..I::new(self.items.len())
    }

    /// The one with a number, if there is one.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// All of them, to change.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// All numbers.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// All of them with their numbers.
    pub fn enumerated(&self) -> impl Iterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(index, item)| (I::new(index), item))
    }

    /// As many others, all of them the same.
    pub fn filled<U: Clone>(&self, value: U) -> IdVec<I, U> {
        IdVec::of(value, self.len())
    }

    /// `count` values, all of them the same.
    pub fn of(value: T, count: usize) -> Self
    where
        T: Clone,
    {
        IdVec::from(vec![value; count])
    }
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> Self {
        IdVec::from(Vec::new())
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        IdVec { items, ids: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<S: IntoIterator<Item = T>>(items: S) -> Self {
        IdVec::from(Vec::from_iter(items))
    }
}

impl<I, T> IntoIterator for IdVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'v, I, T> IntoIterator for &'v IdVec<I, T> {
    type Item = &'v T;
    type IntoIter = std::slice::Iter<'v, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<'v, I, T> IntoIterator for &'v mut IdVec<I, T> {
    type Item = &'v mut T;
    type IntoIter = std::slice::IterMut<'v, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}

impl<I: Key, T> Index<I> for IdVec<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Key, T> IndexMut<I> for IdVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Key, T> Index<Range<I>> for IdVec<I, T> {
    type Output = [T];

    fn index(&self, ids: Range<I>) -> &[T] {
        &self.items[ids.start.index()..ids.end.index()]
    }
}
