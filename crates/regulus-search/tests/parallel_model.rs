//! What threads change at the same time, in all orders that memory allows: `cells.rs` of the search, compiled with
//! the atomics of loom, which tries them out one after the other.

#[path = "../src/parallel/cells.rs"]
#[allow(dead_code, reason = "the search uses all of it")]
mod cells;

/// Where the cells have their atomics from.
mod atomic {
    pub(super) use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
}

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;

use cells::{Behind, Claim, Counter, Counts, Extent, Link, Tally};

/// What was seen in some order of things. A model that never comes to what it is about says nothing.
struct Seen([std::sync::atomic::AtomicBool; 3]);

impl Seen {
    const fn new() -> Self {
        Seen([const { std::sync::atomic::AtomicBool::new(false) }; 3])
    }

    fn note(&self, what: u32) {
        self.0[what as usize].store(true, Ordering::Relaxed);
    }

    fn assert_all(&self, count: usize) {
        let seen = self.0[..count].iter().map(|seen| seen.load(Ordering::Relaxed));
        assert_eq!(seen.collect::<Vec<_>>(), vec![true; count]);
    }
}

/// Nothing is lost.
#[test]
fn no_iteration_is_lost() {
    loom::model(|| {
        let counter = Arc::new(Counter::new(3));
        let sum = Arc::new(AtomicU64::new(10));
        let workers: Vec<_> = (1..=2)
            .map(|points| {
                let (counter, sum) = (counter.clone(), sum.clone());
                thread::spawn(move || {
                    let before = counter.begin();
                    assert!(before.unobserved <= 1 && before.all() >= 3);
                    sum.fetch_add(points, Ordering::Relaxed);
                    counter.end();
                })
            })
            .collect();
        workers.into_iter().for_each(|worker| worker.join().expect("ends"));
        assert_eq!(counter.counts(), Counts { visits: 5, unobserved: 0 });
        assert_eq!(sum.load(Ordering::Relaxed), 13);
    });
}

/// Two threads count at one edge in views of their own and exchange them; or one does, and the other counts in the
/// tree. Nothing is lost, and what a view shows is never less than what was done in it, nor more than what all have
/// done.
#[test]
fn exchanges_lose_nothing() {
    fn view(tally: &Tally, visits: u32, points: u64) -> (u64, u32) {
        let first = tally.exchange(points, visits);
        // Nothing is new: a look.
        let second = tally.exchange(0, 0);
        assert!(first.0 >= points && first.1 >= visits);
        assert!(second.0 >= first.0 && second.1 >= first.1);
        assert!(second.0 <= 5 + 7 && second.1 <= 2 + 1);
        second
    }
    for in_tree in [false, true] {
        let seen: &'static Seen = Box::leak(Box::new(Seen::new()));
        loom::model(move || {
            let tally = Arc::new(Tally::new());
            let theirs = tally.clone();
            let other = thread::spawn(move || {
                if in_tree {
                    theirs.counter.begin();
                    theirs.end(7);
                } else {
                    view(&theirs, 1, 7);
                }
            });
            let (sum, visits) = view(&tally, 2, 5);
            seen.note(visits - 2);
            seen.note(if sum > 5 { 2 } else { 0 });
            other.join().expect("ends");
            let all = Counts { visits: 3, unobserved: 0 };
            assert_eq!(tally.known(), (5 + 7, all));
        });
        seen.assert_all(3);
    }
}

/// An exchange leaves alone what is under way.
#[test]
fn exchanges_do_not_touch_iterations_under_way() {
    loom::model(|| {
        let counter = Arc::new(Counter::new(3));
        let theirs = counter.clone();
        let other = thread::spawn(move || theirs.begin());
        let seen = counter.exchange(4);
        assert!(seen.visits == 7 && seen.unobserved <= 1);
        let before = other.join().expect("ends");
        assert!(before.unobserved == 0 && [3, 7].contains(&before.visits));
        assert_eq!(counter.counts(), Counts { visits: 7, unobserved: 1 });
    });
}

/// N + O never shrinks for somebody who looks: the end of an iteration is one change.
#[test]
fn nobody_sees_half_of_an_end() {
    static SEEN: Seen = Seen::new();
    loom::model(|| {
        let counter = Arc::new(Counter::new(3));
        let theirs = counter.clone();
        let worker = thread::spawn(move || {
            theirs.begin();
            theirs.end();
        });
        let looks = thread::spawn(move || {
            let first = counter.counts();
            let second = counter.counts();
            assert!(3 <= first.all() && first.all() <= second.all() && second.all() <= 4);
            SEEN.note(first.unobserved + 2 * (first.visits - 3));
        });
        worker.join().expect("ends");
        looks.join().expect("ends");
    });
    SEEN.assert_all(3);
}

/// A node that is published is complete; it is made once; who comes too early goes on without it.
#[test]
fn a_node_is_made_once_and_seen_complete() {
    for halfway in [false, true] {
        loom::model(move || {
            let link = Arc::new(Link::new());
            if halfway {
                link.lead_halfway();
            }
            // Loom finds out if anybody reads it while it is being written, or before.
            let node = Arc::new(UnsafeCell::new(0));
            let made = Arc::new(AtomicU64::new(0));
            let workers: Vec<_> = (0..2)
                .map(|_| {
                    let (link, node, made) = (link.clone(), node.clone(), made.clone());
                    thread::spawn(move || match link.behind() {
                        Behind::Nothing { halfway: found } => {
                            assert_eq!(found, halfway);
                            if link.begin(found) {
                                made.fetch_add(1, Ordering::Relaxed);
                                node.with_mut(|node| write(node, 42));
                                link.publish(7);
                            }
                        }
                        Behind::Begun { halfway: found } => assert_eq!(found, halfway),
                        Behind::Node(number) => {
                            assert_eq!((number, node.with(read)), (7, 42));
                        }
                    })
                })
                .collect();
            workers.into_iter().for_each(|worker| worker.join().expect("ends"));
            assert_eq!(made.load(Ordering::Relaxed), 1);
            assert_eq!(link.behind(), Behind::Node(7));
        });
    }
}

/// What one gives up another may make.
#[test]
fn what_is_given_up_can_be_begun_again() {
    loom::model(|| {
        let link = Arc::new(Link::new());
        let other = link.clone();
        let gives_up = thread::spawn(move || {
            if other.begin(false) {
                other.give_up(false);
            }
        });
        let made = link.begin(false);
        if made {
            link.publish(3);
        }
        gives_up.join().expect("ends");
        let expected = if made { Behind::Node(3) } else { Behind::Nothing { halfway: false } };
        assert_eq!(link.behind(), expected);
    });
}

/// Threads expand a node with two edges while others look: labels change places under the claim, and whoever
/// sees that an edge was tried sees its label and the iteration that is under way.
#[test]
fn edges_are_tried_once_and_seen_with_their_labels() {
    struct Node {
        claim: Claim,
        extent: Extent,
        labels: [AtomicU64; 2],
        counters: [Counter; 2],
    }
    fn expand(node: &Node) {
        if !node.claim.take() {
            return;
        }
        let (tried, count) = node.extent.get();
        if tried < count {
            // The last of the untried ones, so that labels move.
            let place = tried as usize;
            let (a, b) = (&node.labels[place], &node.labels[1]);
            let (first, second) = (a.load(Ordering::Relaxed), b.load(Ordering::Relaxed));
            a.store(second, Ordering::Relaxed);
            if place != 1 {
                b.store(first, Ordering::Relaxed);
            }
            node.counters[place].begin();
            node.extent.grow();
        }
        node.claim.release();
    }
    fn node() -> Arc<Node> {
        Arc::new(Node {
            claim: Claim::new(),
            extent: Extent::new(2),
            labels: [AtomicU64::new(10), AtomicU64::new(11)],
            counters: [Counter::new(0), Counter::new(0)],
        })
    }
    static SEEN: Seen = Seen::new();
    loom::model(|| {
        let node = node();
        let theirs = node.clone();
        let expands = thread::spawn(move || {
            expand(&theirs);
            expand(&theirs);
        });
        let looks = thread::spawn(move || {
            let (tried, _) = node.extent.get();
            for i in 0..tried as usize {
                assert_eq!(node.labels[i].load(Ordering::Relaxed), [11, 10][i]);
                assert_eq!(node.counters[i].counts().unobserved, 1);
            }
            SEEN.note(tried);
        });
        expands.join().expect("ends");
        looks.join().expect("ends");
    });
    SEEN.assert_all(3);
    static TRIED: Seen = Seen::new();
    loom::model(|| {
        let node = node();
        let workers: Vec<_> = (0..2)
            .map(|_| {
                let node = node.clone();
                thread::spawn(move || expand(&node))
            })
            .collect();
        workers.into_iter().for_each(|worker| worker.join().expect("ends"));
        let (tried, count) = node.extent.get();
        assert!((1..=2).contains(&tried) && count == 2);
        TRIED.note(tried - 1);
        expand(&node);
        let labels = node.labels.iter().map(|label| label.load(Ordering::Relaxed));
        assert_eq!(labels.collect::<Vec<_>>(), [11, 10]);
        let under_way = node.counters.iter().map(|counter| counter.counts().unobserved);
        assert_eq!(
            (under_way.collect::<Vec<_>>(), node.extent.get()),
            (vec![1, 1], (2, 2)),
            "{tried}"
        );
    });
    TRIED.assert_all(2);
}

/// Dead semimoves are removed one by one.
#[test]
fn dead_edges_are_removed_once() {
    loom::model(|| {
        let (claim, extent) = (Arc::new(Claim::new()), Arc::new(Extent::new(3)));
        let remove = |claim: &Claim, extent: &Extent| {
            let taken = claim.take();
            if taken {
                extent.shrink();
                claim.release();
            }
            u32::from(taken)
        };
        let (their_claim, their_extent) = (claim.clone(), extent.clone());
        let other = thread::spawn(move || remove(&their_claim, &their_extent));
        let removed = remove(&claim, &extent) + other.join().expect("ends");
        assert_eq!(extent.get(), (0, 3 - removed));
        assert!(removed > 0);
    });
}

#[allow(unsafe_code, reason = "loom checks every use of the pointer")]
fn write(node: *mut u32, value: u32) {
    unsafe { *node = value }
}

#[allow(unsafe_code, reason = "loom checks every use of the pointer")]
fn read(node: *const u32) -> u32 {
    unsafe { *node }
}
