//! Descriptions that ask for much of one thing: long runs of modifiers, loops of them, deep conditions,
//! large boards, many pieces, variables and players, big numbers; around the limits where there are any.

use super::choices::Choices;

/// A description as text. The front end may refuse some.
pub fn description(choices: &mut Choices<'_>) -> String {
    let mut generator = Generator { choices, labels: [""; 4], pieces: 0, players: 0, extra: 0 };
    generator.description()
}

struct Generator<'c, 'b> {
    choices: &'c mut Choices<'b>,
    /// Four labels of the board, the first leading somewhere from the first vertex.
    labels: [&'static str; 4],
    pieces: usize,
    players: usize,
    /// Variables besides `v`, `w` and `turn`.
    extra: usize,
}

impl Generator<'_, '_> {
    fn below(&mut self, n: usize) -> usize {
        self.choices.below(n)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.choices.one_in(n)
    }

    /// How long something is: short, or around a limit.
    fn length(&mut self) -> usize {
        match self.below(12) {
            0..=3 => 1 + self.below(20),
            4 => 50 + self.below(100),
            5 => 250 + self.below(11),
            6 | 7 => 990 + self.below(21),
            8 => 1020 + self.below(11),
            9 => 1500 + self.below(2) * 1000,
            10 => 4090 + self.below(11),
            _ => 6500,
        }
    }

    fn piece(&mut self) -> String {
        match self.below(self.pieces.min(6)) {
            0 => "e".to_owned(),
            1 => "x".to_owned(),
            _ => format!("p{}", 2 + self.below(self.pieces - 2)),
        }
    }

    fn label(&mut self) -> &'static str {
        self.choices.pick(&self.labels)
    }

    fn description(&mut self) -> String {
        self.pieces = match self.below(8) {
            0 => 60 + self.below(10),
            1 => 120 + self.below(136),
            2 => 20,
            _ => 2 + self.below(3),
        };
        self.players = match self.below(8) {
            0 | 1 => 1,
            2 => 3 + self.below(6),
            3 if self.one_in(3) => 64,
            _ => 2,
        };
        self.extra = match self.below(8) {
            0 => 60 + self.below(10),
            1 => 500 + self.below(400),
            _ => self.below(3),
        };
        let bounds = [1, 9, 1000, 1001, 5000, 100_000, u32::MAX - 1];
        let (v, w) = (self.choices.pick(&bounds), self.choices.pick(&bounds));
        let turns = 1 + self.below(3);
        let board = self.board();
        let rules = self.rules();
        let players: Vec<String> = (0..self.players).map(|i| format!("a{i}(100)")).collect();
        let pieces = (2..self.pieces).map(|i| format!("p{i}"));
        let pieces: Vec<String> =
            ["e".to_owned(), "x".to_owned()].into_iter().chain(pieces).collect();
        let extra: String = (0..self.extra).map(|i| format!(", q{i}({})", 1 + i % 7)).collect();
        format!(
            "#players = {}\n#pieces = {}\n#variables = v({v}), w({w}), turn({turns}){extra}\n\
             #board = {board}\n#rules = {rules}\n",
            players.join(", "),
            pieces.join(", ")
        )
    }

    fn board(&mut self) -> String {
        let cell = |g: &mut Self| if g.one_in(12) { g.piece() } else { "e".to_owned() };
        let line = |g: &mut Self, n: usize| {
            let cells: Vec<String> = (0..n).map(|_| cell(g)).collect();
            format!("[{}]", cells.join(","))
        };
        self.labels = ["right", "down", "left", "up"];
        let rectangle = |g: &mut Self, width, height| {
            let lines: Vec<String> = (0..height).map(|_| line(g, width)).collect();
            format!("rectangle(up, down, left, right, {})", lines.join(" "))
        };
        match self.below(10) {
            0 | 1 => {
                let length = self.length();
                rectangle(self, length, 1)
            }
            2 => {
                let (width, height) = (20 + self.below(50), 20 + self.below(40));
                rectangle(self, width, height)
            }
            3 => {
                self.labels = ["ea", "se", "sw", "we"];
                let (first, rows) = (1 + self.below(12), self.below(12));
                let widths = (first..=first + rows).chain((first..first + rows).rev());
                let lines: Vec<String> = widths.map(|w| line(self, w)).collect();
                format!("hexagon(nw, ne, ea, se, sw, we, {})", lines.join(" "))
            }
            4 => {
                // A ring in one direction, with short cuts; the other way there is nothing.
                self.labels = ["la", "lb", "lc", "la"];
                let n = 2 + self.length().min(1100);
                let mut text = String::new();
                for v in 0..n {
                    let (to, cut) = ((v + 1) % n, self.below(n));
                    let more = if self.one_in(4) {
                        format!(", lc: u{}", self.below(n))
                    } else {
                        String::new()
                    };
                    let piece = cell(self);
                    text += &format!("\n    u{v} [{piece}] {{la: u{to}, lb: u{cut}{more}}}");
                }
                text.replacen("{la", "{lc: u0, la", usize::from(!text.contains("lc:")))
            }
            _ => {
                let (width, height) = (1 + self.below(4), 1 + self.below(4));
                rectangle(self, width, height)
            }
        }
    }

    fn rules(&mut self) -> String {
        let mut text = String::new();
        if self.one_in(4) {
            text += &self.part(true);
        }
        let turns = match self.below(4) {
            0 => 1,
            1 => 3,
            _ => 2,
        };
        for turn in 0..turns {
            let player =
                if self.players > 4 { self.below(self.players) } else { turn % self.players };
            text += &format!(" ->a{player} {}", self.part(false));
            if self.one_in(2) {
                text += &format!(" ->> {}", self.part(true));
            }
        }
        // Once, or round and round until the counter has reached its bound.
        match self.below(3) {
            0 => format!("(->> [$ turn = turn + 1] {text})*"),
            _ => format!("{text} ->> {{}}"),
        }
    }

    /// What one mover does.
    fn part(&mut self, keeper: bool) -> String {
        let features: Vec<String> = (0..1 + self.below(3)).map(|_| self.feature(keeper)).collect();
        features.join(" ")
    }

    fn feature(&mut self, keeper: bool) -> String {
        match self.below(14) {
            0..=2 => self.run(),
            3 | 4 => self.counted_loop(),
            5 => self.walking_loop(),
            6 | 7 => self.condition(),
            8 => self.tests_only(),
            9 => self.alternatives(),
            10 => self.dead_ends(),
            11 if keeper => self.keeper_loop(),
            11 if !keeper => {
                let [a, b, c, d] = self.labels;
                format!("({a}* + {c}*) ({b}* + {d}*)")
            }
            12 => self.many_names(),
            _ => self.arithmetic(),
        }
    }

    /// Modifiers one after the other.
    fn run(&mut self) -> String {
        let n = self.length();
        let (a, b, l) = (self.piece(), self.piece(), self.label());
        let half = n.div_ceil(2);
        match self.below(10) {
            0 | 1 => format!("([{a}])^{n}"),
            2 => format!("([{a}] [{b}])^{half}"),
            3 => format!("([$ v = 1 - v] [{a}])^{half}"),
            4 => format!("([$ v = v + 1])^{n}"),
            5 => format!("([{a}] .)^{n}"),
            6 => format!("(({l} + {}) [{a}])^{}", self.label(), n.min(12)),
            7 => format!("([{a}] {{? {l}}} [{b}])^{half}"),
            // A choice at the beginning, in the middle or at the end of a long run.
            8 => format!("([{a}])^{half} ([{a}] + [{b}] {l}) ([{b}])^{half}"),
            _ => format!("({l} [{a}])^{}", n.min(300)),
        }
    }

    /// A loop that a counter bounds; with a test behind it there is one way through, else one for every
    /// number of rounds.
    fn counted_loop(&mut self) -> String {
        let n = self.length();
        let a = self.piece();
        match self.below(6) {
            0 | 1 => format!("({{$ v < {n}}} [$ v = v + 1])* {{$ v == {n}}}"),
            2 => format!("({{$ v < {n}}} [$ v = v + 1] [{a}])* {{$ v == {n}}} [$ v = 0]"),
            3 => format!("([$ v = v + 1])* {{$ v == {n}}}"),
            4 => {
                let inner = 1 + self.below(40);
                format!(
                    "({{$ v < {}}} [$ v = v + 1] ({{$ w < {inner}}} [$ w = w + 1])* {{$ w == {inner}}} [$ w = 0])*",
                    n.min(60)
                )
            }
            _ => format!("({{$ v < {}}} [$ v = v + 1])*", n.min(400)),
        }
    }

    /// A loop that the board bounds.
    fn walking_loop(&mut self) -> String {
        let (l, other, a) = (self.label(), self.label(), self.piece());
        match self.below(5) {
            0 => format!("({l} {{e}} [x])*"),
            1 => format!("({l} {{e}} [x])* {{! {l}}}"),
            2 => format!("(({l} + {other}) {{e}} [x])* {{? {{x}}}}"),
            3 => format!("({l} {{e}} [x] ({other} {{e}} [x])* )*"),
            _ => format!("({l} [{a}])*"),
        }
    }

    fn condition(&mut self) -> String {
        let mark = self.choices.pick(&['?', '!']);
        let (a, l, back) = (self.piece(), self.label(), self.label());
        match self.below(6) {
            0 => format!("{{{mark} {}}}", self.run()),
            1 => format!("{{{mark} {}}}", self.counted_loop()),
            2 => format!("{{{mark} {} {{}}}}", self.walking_loop()),
            3 => format!("{{{mark} {} {{e}}}}", self.walking_loop()),
            n => {
                // Conditions in conditions.
                let depth = [3, 20, 60, 110][self.below(4)];
                let before = match n {
                    4 => format!("[{a}]"),
                    _ => format!("{l} [{a}] {back}"),
                };
                let run = 1 + self.below(20);
                let open = format!("{{{mark} ({before})^{run} ").repeat(depth);
                format!("{open}{{e, x}}{}", "}".repeat(depth))
            }
        }
    }

    /// Loops whose bodies can do nothing, beside alternatives that do something.
    fn tests_only(&mut self) -> String {
        let (a, l) = (self.piece(), self.label());
        match self.below(6) {
            0 => format!("({{e}} + {l} {{e}} [x])*"),
            1 => "({$ v == 0})*".to_owned(),
            2 => format!("({{? {l}}} + {{{a}}} + {l})*"),
            3 => format!("({{$ v == 0}} + {{? {l}}} [$ v = 1] ->> {{}})*"),
            4 => format!("(({{e}})* {l} ({{e, x}})*)*"),
            _ => format!("({{e}} + {{! {l} {{x}}}} + {{e}} [x])*"),
        }
    }

    /// Alternatives that overlap: for players several moves, for the keeper an order.
    fn alternatives(&mut self) -> String {
        let (a, b, l, other) = (self.piece(), self.piece(), self.label(), self.label());
        let long = self.run();
        match self.below(6) {
            0 => format!("([{a}] + [{b}])"),
            1 => format!("({l} [{a}] + {other} [{b}] + [$ v = 1])"),
            2 => format!("({{e}} [{a}] + {{e, x}} [{b}] + {{x}})"),
            3 => format!("({long} + [{b}] {l})"),
            4 => format!("({l}* {{e}} [{a}] + {other}* [{b}])"),
            _ => format!("(({l} + {other})* + {l}) [{a}]"),
        }
    }

    fn dead_ends(&mut self) -> String {
        let (a, b, l) = (self.piece(), self.piece(), self.label());
        let n = 1 + self.below(7);
        match self.below(5) {
            0 => format!("([{a}] {l} [{b}] {{}} + [{b}])"),
            1 => format!("(([{a}] + [{b}])^{n} {{}} + [{a}])"),
            2 => format!("([$ v = 1] + [$ v = 0]) ([{a}])^{n} {{$ v == 0}}"),
            3 => format!("([{a}] + [{b}])^{n} {{{a}}}"),
            _ => format!("({} {{}} + [{b}])", self.run()),
        }
    }

    fn keeper_loop(&mut self) -> String {
        let (a, l, n) = (self.piece(), self.label(), self.length());
        match self.below(6) {
            0 => format!("({l} ->>)* {{! {l}}}"),
            1 => format!("({{$ v < {n}}} [$ v = v + 1] ->>)* {{$ v == {n}}}"),
            2 => format!("({l} {{e}} [x])* {{! {l} {{e}}}}"),
            3 => format!("({{e}} [{a}] ->> + {{x}} {l} ->>)*"),
            4 => format!("({l} {{e}} [x] + {l} {{x}})* {{! {l}}}"),
            _ => "([$ v = 1 - v] ->>)*".to_owned(),
        }
    }

    fn many_names(&mut self) -> String {
        let n = 1 + self.below(self.pieces);
        match self.below(4) {
            0 => {
                let pieces: Vec<String> = (0..n.min(40)).map(|_| self.piece()).collect();
                format!("[{}]", pieces.join(", "))
            }
            1 => {
                let pieces: Vec<String> = (0..n).map(|_| self.piece()).collect();
                format!("{} {{{}, e}} [x]", self.label(), pieces.join(", "))
            }
            _ if self.extra > 0 => {
                let n = 1 + self.below(self.extra);
                let assigned: Vec<String> = (0..n).map(|i| format!("q{i} = {}", i % 2)).collect();
                format!("[$ {}]", assigned.join(", "))
            }
            _ => format!("[$ turn = turn + 1 - 1] {{$ {} >= 0}}", self.piece()),
        }
    }

    fn arithmetic(&mut self) -> String {
        let a = self.piece();
        match self.below(7) {
            0 => format!("[$ v = (w * 3 + {a}) / (v + 1)]"),
            1 => format!("{{$ v - w <= {a} * 2}}"),
            2 => format!("[$ w = {}]", self.choices.pick(&[1, 255, 256, 4_294_967_294u32])),
            3 => format!("{{$ (v + {a}) / (w - 1) != 0 - 3}}"),
            4 => "[$ w = v - 1]".to_owned(),
            5 => format!("[$ v = v + {a}, w = v / 2]"),
            _ => "({$ v > w} + {$ v <= w} [$ w = w])".to_owned(),
        }
    }
}
