//! A bounded, repeatable run of fuzzing: seeded mutations of real descriptions. The endless kind is
//! the target in `fuzz/`, which checks the same [`invariants`].

mod invariants;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Cases in one run. A debug build takes half a minute for them.
const CASES: u64 = 20_000;

/// Threads that share the cases.
const THREADS: u64 = 2;

/// What mutations insert.
const DICTIONARY: &[&str] = &[
    "#players = ",
    "#pieces = ",
    "#variables = ",
    "#board = ",
    "#rules = ",
    "#m = ",
    "#m(a; b) = ",
    "rectangle(up, down, left, right, [e, e])",
    "hexagon(a, b, c, d, f, g, [e] [e, e] [e])",
    "cuboid(up, down, left, right, f, b, [[e]] [[e]])",
    "v1 [e] {up: v2}",
    "board",
    "rules",
    "m(x; y)",
    "m",
    "a~b",
    "~",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "{?",
    "{!",
    "{$",
    "[$",
    ",",
    ";",
    ":",
    "+",
    "-",
    "*",
    "/",
    "^",
    "^2",
    "^0",
    "^3",
    ".",
    "->",
    "->>",
    "+>",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "!",
    "?",
    "$",
    "#",
    "0",
    "1",
    "100",
    "4294967294",
    "4294967295",
    "\"",
    "//",
    "/*",
    "*/",
    "up",
    "e",
    "white",
    "black",
    "->white",
    "[]",
    "{}",
    "()",
    "[e]",
    "{e}",
    "(up + down)*",
    "{? up}",
    "{! {e}}",
    "[$ turn = turn + 1]",
    "{$ turn == 5}",
    "\n",
    "\t",
    "\u{b}",
    "\0",
    "_",
    "\u{17c}",
    "\u{1f600}",
    "\u{fffd}",
    "\u{feff}",
];

/// Small descriptions with the parts of the language that few games use.
const SMALL: &[&str] = &[
    "#players = me(100) #pieces = e, x #variables = #board = rectangle(up, down, left, right, [e, e])\n\
     #rules = [$ me = 100] (->me (left* + right*) {e} [x] ->>)*",
    "#players = a(1), b(2)\n#pieces = e, w\n#variables = t(9), z(4294967294)\n#board =\n v1 [e] {n: v2}\n\
     v2 [w] {n: v1, s: v2}\n v3 [e] {}\n#rules = (->a n (. [w,e] + {? n s} [$ a = t * 2 / (z + 1) - e])\n\
     {$ t < 9 - w} [$ t = t + 1, z = 0] ->b {! s [w]} ->>)* ->> {}",
    "#players = a(1)\n#pieces = e\n#variables =\n#pair(x;y) = (x~p + y~own)\n#l = [e,,e]\n\
     #board = rectangle(up, down, left, right, l l [,e,])\n#rules = ->a pair(u;d)^2 (pair(u;d) left)* [e] ->> {}",
    "#players = a(1)\n#pieces = e, o\n#variables =\n#board = hexagon(nw, ne, ea, se, sw, we, [e] [e, o] [e,,e] [e, o])\n\
     #rules = (->a (nw + ne . ea* + (se sw)^3)* {e} [o] ->>)*",
    "#players = a(1)\n#pieces = e, o\n#variables =\n/* two layers */\n#board = cuboid(up, down, left, right, front, back,\n\
     [[e, e] [e, o]] [[o,] [e, e]])\n#rules = ->a (front + back) ([e] + [] + {o}) ->> {} // end",
];

/// The generator SplitMix64: small, and every seed is as good as another.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// Cuts a text into words, numbers, white space and single other bytes: near enough to tokens.
fn pieces(text: &[u8]) -> Vec<&[u8]> {
    let class = |b: u8| match b {
        b if b.is_ascii_alphanumeric() => 1,
        b if b.is_ascii_whitespace() => 2,
        _ => 0,
    };
    text.chunk_by(|a, b| class(*a) == class(*b) && class(*a) != 0).collect()
}

/// Changes a text in one way.
fn mutate(text: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let tokens = pieces(text);
    let (i, j) = (random.below(tokens.len()), random.below(tokens.len()));
    let (low, high) = (i.min(j), i.max(j));
    match random.below(8) {
        0 => {
            let mut bytes = text.to_vec();
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len());
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            bytes
        }
        // Delete a few tokens, or duplicate them, or move them elsewhere.
        1 => {
            let end = (i + 1 + random.below(8)).min(tokens.len());
            [&tokens[..i], &tokens[end.max(i)..]].concat().concat()
        }
        2 => {
            let end = (i + 1 + random.below(40)).min(tokens.len());
            let copies = 1 + random.below(3);
            let copied = vec![tokens[i.min(end)..end].concat(); copies].concat();
            [tokens[..end].concat(), copied, tokens[end..].concat()].concat()
        }
        3 if high < tokens.len() => {
            let mut swapped = tokens.clone();
            swapped.swap(low, high);
            swapped.concat()
        }
        4 | 5 => {
            let word = random.pick(DICTIONARY).as_bytes();
            [&tokens[..i], &[b" ", word, b" "], &tokens[i..]].concat().concat()
        }
        // Replace a token by another one of the same text.
        6 if high < tokens.len() => {
            let mut replaced = tokens.clone();
            replaced[low] = tokens[high];
            replaced.concat()
        }
        // Splice two texts, at the beginning of a directive or anywhere.
        _ => {
            let cut = |text: &[u8], random: &mut Random| {
                let hashes: Vec<usize> = (0..text.len()).filter(|i| text[*i] == b'#').collect();
                let at = random.below(2 * hashes.len() + 1);
                hashes.get(at).copied().unwrap_or_else(|| random.below(text.len()))
            };
            let (a, b) = (cut(text, random), cut(other, random));
            [&text[..a], &other[b..]].concat()
        }
    }
}

/// The input of one case: mostly a game with one mistake.
fn case(number: u64, games: &[&[u8]], fixtures: &[&[u8]]) -> Vec<u8> {
    let mut random = Random(number);
    let other = random.pick(games);
    let originals = if random.below(8) == 0 { fixtures } else { games };
    let mut text = random.pick(originals).to_vec();
    for _ in 0..=random.below(2) * random.below(3) {
        text = mutate(&text, other, &mut random);
    }
    text
}

fn fixtures() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnostics");
    let entries = std::fs::read_dir(folder).expect("the folder of fixtures is there");
    let mut paths: Vec<_> = entries.map(|e| e.expect("the folder can be read").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "rbg"));
    paths.sort();
    paths.iter().map(|p| std::fs::read(p).expect("the fixture can be read")).collect()
}

#[test]
fn mutated_descriptions() {
    let fixtures = fixtures();
    let fixtures: Vec<&[u8]> = fixtures.iter().map(Vec::as_slice).collect();
    let games = regulus_games::GAMES.iter().map(|g| g.text.as_bytes());
    let games: Vec<&[u8]> = games.chain(SMALL.iter().map(|s| s.as_bytes())).collect();
    let run = |thread: u64| {
        let mut readable = 0;
        for number in (thread..CASES).step_by(THREADS as usize) {
            let input = case(number, &games, &fixtures);
            let checked = catch_unwind(AssertUnwindSafe(|| invariants::check(input.clone())));
            match checked {
                Ok(loaded) => readable += usize::from(loaded.game.is_some()),
                Err(_) => panic!("case {number}:\n{}", String::from_utf8_lossy(&input)),
            }
        }
        readable
    };
    let run = &run;
    let readable: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|t| scope.spawn(move || run(t))).collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).sum()
    });
    // Mutations that leave nothing readable would test little.
    assert!(readable > CASES as usize / 10, "only {readable} games among the mutations");
}

#[test]
fn originals_are_sound() {
    for small in SMALL {
        let loaded = invariants::check(small.as_bytes().to_vec());
        assert!(loaded.game.is_some(), "{small}: {:?}", loaded.diagnostics);
    }
}
