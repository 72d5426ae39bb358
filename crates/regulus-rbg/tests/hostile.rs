//! Input that wants to exhaust time, memory or the stack ends in a diagnostic.
//!
//! Nothing here asserts on time, but `cargo test --release --test hostile -- --nocapture` prints it:
//! each input is meant to take well under a second there.

mod invariants;

use std::fmt::Write as _;
use std::time::Instant;

use regulus_rbg::limits::{MAX_NESTING, MAX_RULE_NODES, MAX_VERTICES};
use regulus_rbg::{Code, Game};

/// Deep enough for what recurses without bound, not for more.
const STACK_BYTES: usize = 2 << 20;

const HEAD: &str = "#players = me(100)\n#pieces = e, x\n#variables = v(100)\n";
const BOARD: &str = "#board = rectangle(up, down, left, right, [e, e] [e, e])\n";

/// Checks bytes; returns the codes that are reported, each once, and the game.
fn outcome(what: &str, bytes: Vec<u8>) -> (Vec<Code>, Option<Game>) {
    let start = Instant::now();
    let checking = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || invariants::check(bytes))
        .expect("a thread can be started");
    let loaded = checking.join().expect("no panic");
    println!("{:7.3} s  {what}", start.elapsed().as_secs_f64());
    let mut codes: Vec<Code> = loaded.diagnostics.iter().map(|d| d.code).collect();
    codes.sort();
    codes.dedup();
    (codes, loaded.game)
}

/// The input is refused, and this is among the reasons.
#[track_caller]
fn refused(what: &str, input: impl Into<Vec<u8>>, code: Code) {
    let (codes, game) = outcome(what, input.into());
    assert!(codes.contains(&code), "{what}: {codes:?}");
    assert!(game.is_none(), "{what} is no game");
}

/// The input is a game.
#[track_caller]
fn accepted(what: &str, input: impl Into<Vec<u8>>) -> Game {
    let (codes, game) = outcome(what, input.into());
    game.unwrap_or_else(|| panic!("{what}: {codes:?}"))
}

fn with_rules(rules: &str) -> String {
    format!("{HEAD}{BOARD}#rules = {rules}\n")
}

fn list(n: usize, item: impl Fn(usize) -> String) -> String {
    (0..n).map(item).collect()
}

#[test]
fn bytes_that_are_no_text() {
    refused("invalid UTF-8", b"#players = \xff\xfe\x80(100)".to_vec(), Code::InvalidUtf8);
    refused("4 MB of 0xff", vec![0xff; 4 << 20], Code::FileTooLarge);
    refused("1 MB of 0xff", vec![0xff; 1 << 20], Code::InvalidUtf8);
    refused("half a character at the end", b"#\xc5".to_vec(), Code::InvalidUtf8);
    refused("a NUL", vec![0], Code::StrayCharacter);
    refused("1 MB of NUL", vec![0; 1 << 20], Code::StrayCharacter);
    refused("NUL between names", "a\0".repeat(500_000), Code::StrayCharacter);
    refused("a byte order mark", "\u{feff}#players = me(1)", Code::StrayCharacter);
    refused("quotes", "\"".repeat(1_000_001), Code::StrayCharacter);
    refused("an open string", format!("\"{}", "x".repeat(4_000_000)), Code::StrayCharacter);
    refused("wide characters", "\u{1f600} ".repeat(800_000), Code::StrayCharacter);
}

#[test]
fn nothing_at_all() {
    refused("an empty file", "", Code::NoDirective);
    refused("white space", " \t\r\n\u{b}\u{c}", Code::NoDirective);
    refused("only a comment", "// nothing", Code::NoDirective);
    refused("4 MB of comments", "// nothing\n".repeat(380_000), Code::NoDirective);
    refused("one comment of 4 MB", format!("/*{}*/", "x".repeat(4_000_000)), Code::NoDirective);
    refused(
        "an open comment of 4 MB",
        format!("/*{}", "\n".repeat(4_000_000)),
        Code::UnterminatedComment,
    );
    refused("only `#`", "#", Code::MalformedDirective);
    refused("4 MB of `#`", "#".repeat(4_000_000), Code::MalformedDirective);
    refused("4 MB of `#a=`", "#a=".repeat(1_300_000), Code::MacroRedefined);
}

#[test]
fn ten_megabytes() {
    let size = 10_000_000;
    for what in ["(", "[", "{?", "name ", "name", "// comment\n", "\n", "#a = b\n"] {
        let text = what.repeat(size / what.len());
        refused(&format!("10 MB of {what:?}"), text, Code::FileTooLarge);
    }
}

#[test]
fn more_tokens_than_anybody_reads() {
    // Fewer than macro expansion refuses, so that they all get to the parser.
    let repeats = 300_000;
    let many = |what: &str| what.repeat(repeats.min(4_000_000 / what.len()));
    for (what, code) in [
        ("(", Code::TooDeep),
        (")", Code::UnclosedBracket),
        ("()", Code::EmptyExpression),
        ("name ", Code::UndeclaredName),
        ("up ", Code::RulesTooLarge),
        ("+", Code::EmptyExpression),
        ("->", Code::NotAPlayer),
        ("^", Code::DoubleSuffix),
        ("up*", Code::RulesTooLarge),
        ("~", Code::DanglingTilde),
        (",", Code::EmptyExpression),
        ("up~", Code::PasteOutsideMacro),
        ("99999999999 ", Code::NumberTooLarge),
        ("[$ ]", Code::TypeMismatch),
        ("board ", Code::UnexpectedToken),
        ("{e,", Code::TooDeep),
    ] {
        let text = with_rules(&format!("up {}", many(what)));
        refused(&format!("{what:?} in one line"), text, code);
        let text = with_rules(&format!("up {}", many(&format!("{what}\n"))));
        refused(&format!("{what:?} in lines"), text, code);
    }
    for section in ["players", "pieces", "variables", "board"] {
        for what in
            ["(", ")", "[", "]", "{", "a ", "a,", "a(", "1 ", "board ", ",", "[e,", "a[e]{", "b:"]
        {
            let text = format!("#{section} = {}", many(what));
            let (_, game) = outcome(&format!("{what:?} in #{section}"), text.into_bytes());
            assert!(game.is_none());
        }
    }
}

#[test]
fn deep_nesting() {
    let n = 100_000;
    for (open, close) in
        [("(", ")"), ("[", "]"), ("{", "}"), ("{?", "}"), ("{!", "}"), ("{$", "}"), ("[$", "]")]
    {
        let inner = with_rules(&format!("{}up{}", open.repeat(n), close.repeat(n)));
        refused(&format!("{n} of {open:?}"), inner, Code::TooDeep);
        let text = with_rules(&format!("up {}", open.repeat(10_000)));
        refused(&format!("10000 of {open:?}, never closed"), text, Code::TooDeep);
        let text = with_rules(&format!("up {}", close.repeat(10_000)));
        refused(&format!("10000 of {close:?}, never opened"), text, Code::UnclosedBracket);
    }
    let everything = "({?[{!{$[${".repeat(n / 7);
    refused("all brackets mixed", with_rules(&everything), Code::TooDeep);
    let levels = with_rules(&"(up , up = up < up + up - up * up / ".repeat(n));
    refused("all operators in all brackets", levels, Code::TooDeep);
    let sums = with_rules(&format!("{}v{} == 1}}", "{$ 1+2-3*4/(".repeat(n), ")".repeat(n)));
    refused("nested arithmetic", sums, Code::TooDeep);
    refused(
        "a board of brackets",
        format!("{HEAD}#board = rectangle(up, down, left, right, {}", "[".repeat(n)),
        Code::UnclosedBracket,
    );
}

#[test]
fn nesting_at_the_limit() {
    let n = MAX_NESTING;
    let nested = |open: &str, inner: &str, close: &str| {
        with_rules(&format!("->me {}{inner}{} ->> {{}}", open.repeat(n), close.repeat(n)))
    };
    accepted("brackets at the limit", nested("(", "up", ")"));
    accepted("stars at the limit", nested("(", "up", ")*"));
    accepted("sums at the limit", nested("(up + down ", "up", ")"));
    accepted("stars and sums at the limit", nested("(up down* + left ", "up", ")*"));
    accepted("conditions at the limit", nested("{? up ", "up", "}"));
    let negations = "{! up {e} (left + ".repeat(n / 2) + "up" + &") }".repeat(n / 2);
    accepted("negations at the limit", with_rules(&format!("->me {negations} ->> {{}}")));
    let arithmetic = format!("{{$ {}v{} == 1}}", "(1 + 2 * ".repeat(n - 1), ")".repeat(n - 1));
    refused(
        "arithmetic at the limit",
        with_rules(&format!("->me {arithmetic} ->> {{}}")),
        Code::NumbersOverflow,
    );
    let arithmetic = format!("{{$ {}v{} == 1}}", "(1 + ".repeat(n - 1), ")".repeat(n - 1));
    accepted("sums of numbers at the limit", with_rules(&format!("->me {arithmetic} ->> {{}}")));
}

#[test]
fn macro_chains() {
    let n = 100_000;
    let chain = |link: &dyn Fn(usize) -> String| {
        format!("#a0 = up\n{}{}", list(n, link), with_rules(&format!("->me a{n} ->>")))
    };
    accepted("a chain of macros", chain(&|i| format!("#a{} = a{i}\n", i + 1)));
    accepted(
        "a chain of macros with arguments",
        format!("#b(p) = p\n{}", chain(&|i| format!("#a{} = b(a{i})\n", i + 1))),
    );
    let arguments = |open: &str, n: usize| {
        format!("#m(p) = p\n{}", with_rules(&format!("{}up{}", open.repeat(n), ")".repeat(n))))
    };
    accepted("arguments in arguments", arguments("m(", n));
    for n in [1000, 5000, 50_000] {
        let chain = |first: &str, link: &dyn Fn(usize) -> String, last: &str| {
            format!("{first}\n{}{}", list(n, link), with_rules(&format!("->me {last} ->> {{}}")))
        };
        let plain = |i: usize| format!("#a{} = a{i}\n", i + 1);
        let longer = |i: usize| format!("#a{} = a{i} {{e}}\n", i + 1);
        let passing = |i: usize| format!("#a{}(p) = a{i}(p)\n", i + 1);
        accepted(&format!("{n} macros"), chain("#a0 = down", &plain, &format!("a{n}")));
        accepted(&format!("{n} growing macros"), chain("#a0 = down", &longer, &format!("a{n}")));
        accepted(
            &format!("{n} macros with an argument"),
            chain("#a0(p) = p", &passing, &format!("a{n}(down)")),
        );
        refused(
            &format!("an error behind {n} macros"),
            chain("#a0 = [nothing]", &plain, &format!("a{n}")),
            Code::UndeclaredName,
        );
        refused(
            &format!("a wrong argument of {n} macros"),
            chain("#a0(p) = [p]", &passing, &format!("a{n}(down)")),
            Code::TypeMismatch,
        );
        refused(
            &format!("a wrong value behind {n} macros"),
            chain("#a0(p) = [$ p = 101]", &passing, &format!("a{n}(v)")),
            Code::NeverInBounds,
        );
        let deep = |i: usize| format!("#a{} = (a{i})*\n", i + 1);
        let code = Code::TooDeep;
        refused(&format!("{n} brackets"), chain("#a0 = down", &deep, &format!("a{n}")), code);
        let glued = |i: usize| format!("#a{}(p) = a{i}(p~1)\n", i + 1);
        refused(
            &format!("a name longer by {n}"),
            chain("#a0(p) = [p]", &glued, &format!("a{n}(w)")),
            Code::WordTooLong,
        );
    }
    refused(
        "arguments never closed",
        format!("#m(p) = p\n{}", with_rules(&"m(".repeat(n))),
        Code::UnclosedArguments,
    );
    refused("brackets in arguments", arguments("m((", n), Code::UnclosedArguments);
    let body = format!(
        "#m(p) = p\n#a = m( {}\n#b = {}\n{}",
        "up ".repeat(500_000),
        "a ".repeat(500_000),
        with_rules("b")
    );
    refused("unclosed arguments, repeated", body, Code::UnclosedArguments);
}

#[test]
fn macro_bombs() {
    let bomb = |first: &str, link: &dyn Fn(usize) -> String| {
        format!("{first}\n{}{}", list(100, link), with_rules("->me a100 ->>"))
    };
    let double = |i: usize| format!("#a{} = a{i} a{i}\n", i + 1);
    refused("doubling", bomb("#a0 = up", &double), Code::ExpansionTooLarge);
    refused("doubling of nothing", bomb("#a0 =", &double), Code::ExpansionTooLarge);
    refused("doubling of an error", bomb("#a0 = nothing", &double), Code::ExpansionTooLarge);
    refused("doubling of a bracket", bomb("#a0 = )", &double), Code::ExpansionTooLarge);
    refused(
        "doubling under a star",
        bomb("#a0 = up", &|i| format!("#a{} = a{i}* a{i}*\n", i + 1)),
        Code::ExpansionTooLarge,
    );
    refused(
        "doubling by pasting",
        bomb("#a0 = up", &|i| format!("#a{} = a{i}~a{i}\n", i + 1)),
        Code::WordTooLong,
    );
    refused(
        "doubling of nothing by pasting",
        bomb("#a0 =", &|i| format!("#a{} = a{i}~a{i}\n", i + 1)),
        Code::ExpansionTooLarge,
    );
    refused("bad pastes", bomb("#a0 = (~(", &double), Code::BadPaste);
    let twice = "#d(p) = p p\n";
    let arguments =
        format!("{twice}{}", with_rules(&format!("{}up{}", "d(".repeat(150), ")".repeat(150))));
    refused("doubling of arguments", arguments, Code::ExpansionTooLarge);
    let arguments =
        format!("{twice}{}", with_rules(&format!("{}{}", "d(".repeat(150), ")".repeat(150))));
    refused("doubling of empty arguments", arguments, Code::EmptySection);
    let wide = format!(
        "#w({}) = {}\n{}",
        list(255, |i| format!("{}p{i}", if i > 0 { ";" } else { "" })),
        list(255, |i| format!("p{i} ")).repeat(1000),
        with_rules(&format!("w({})", ";".repeat(254)).repeat(1000))
    );
    refused("many parameters", wide, Code::ExpansionTooLarge);
    let parameters =
        format!("#w({}) = up\n{}", list(400_000, |i| format!("p{i};")), with_rules("up"));
    refused("400000 parameters", parameters, Code::MalformedParameters);
    let overloads =
        list(400, |i| format!("#o({}p) = up\n", list(i.min(250), |j| format!("p{j};"))));
    refused(
        "overloads",
        format!("{overloads}{}", with_rules(&"o(;;) ".repeat(200_000))),
        Code::MacroRedefined,
    );
    let wrong = format!("#w(p) = p\n#a0 = w(;)\n{}", &bomb("", &double)[1..]);
    refused("doubling of a wrong use", wrong, Code::MacroArity);
}

#[test]
fn long_words() {
    let name = "n".repeat(1_000_000);
    refused("a name of 1 MB", with_rules(&name), Code::WordTooLong);
    refused("a macro of 1 MB", format!("#{name} = up\n{}", with_rules(&name)), Code::WordTooLong);
    refused(
        "a piece of 1 MB",
        with_rules("up").replace("e, x", &format!("e, {name}")),
        Code::WordTooLong,
    );
    refused(
        "a number of 1 MB",
        with_rules(&format!("up^{}", "9".repeat(1_000_000))),
        Code::WordTooLong,
    );
    let wide = with_rules(&format!("a{}", "\u{17c}".repeat(500_000)));
    refused("a name of wide characters", wide, Code::WordTooLong);
    refused(
        "a piece of wide characters",
        format!("{HEAD}#pieces = b{}", "\u{1f600}a".repeat(70)),
        Code::StrayCharacter,
    );
    let near = |c: char| format!("{c}{}", "n".repeat(254));
    let repeated = format!(
        "#m = {} {}\n#k = {}\n{}",
        near('a'),
        near('b'),
        "m ".repeat(100_000),
        with_rules("k")
    );
    refused("long names, repeated", repeated, Code::UndeclaredName);
    let pieces: Vec<String> = (0..250).map(|i| format!("{}{i:03}", "n".repeat(29))).collect();
    let text = with_rules(&list(500, |i| format!("{}a{i:02} ", "n".repeat(29))));
    refused(
        "names to be compared",
        text.replace("e, x", &format!("e, {}", pieces.join(", "))),
        Code::UndeclaredName,
    );
}

#[test]
fn absurd_numbers() {
    let cases = [
        ("up^4294967294", Code::RulesTooLarge),
        ("up^4294967295", Code::NumberTooLarge),
        ("up^99999999999999999999999999", Code::NumberTooLarge),
        ("((up^1000)^1000)^1000", Code::RulesTooLarge),
        ("up^0", Code::PowerZero),
        ("{$ v * 4294967294 * 4294967294 == 1}", Code::NumbersOverflow),
        ("[$ v = 4294967294]", Code::NeverInBounds),
        ("{$ v / 0 == 1}", Code::DivisionByZero),
        ("[$ v = -1]", Code::NegativeNumber),
    ];
    for (rules, code) in cases {
        refused(rules, with_rules(rules), code);
    }
    let nested = with_rules(&format!("{}up{}", "(".repeat(249), "^2)".repeat(249)));
    refused("squares of squares", nested, Code::RulesTooLarge);
    let ones = with_rules(&format!("->me {}up{} ->>", "(".repeat(200), "^1)".repeat(200)));
    accepted("`^1` of `^1`", ones);
    let bulky = with_rules(&format!("({{$ {} v == 1}})^10000 ->>", "v +".repeat(1000)));
    refused("a power of a long comparison", bulky, Code::RulesTooLarge);
    refused(
        "a bound out of range",
        format!("#players = me(4294967295)\n{BOARD}"),
        Code::NumberTooLarge,
    );
}

#[test]
fn large_boards() {
    let board =
        |generator: &str| format!("{HEAD}#board = {generator}\n#rules = ->me up ->> {{}}\n");
    let row = "#c = e,e,e,e,e,e,e,e,e,e\n#r = c,c,c,c,c,c,c,c,c,c\n#s = r,r,r,r,r,r,r,r,r,r\n\
               #l = [s]\n#k = l l l l l l l l l l\n#t = k k k k k k k k k k\n";
    let text = format!("{row}{}", board("rectangle(up, down, left, right, t t t t t t t t t t)"));
    refused("a rectangle of a million vertices", text, Code::ExpansionTooLarge);
    let text = format!("{row}{}", board("rectangle(up, down, left, right, t t)"));
    refused("a rectangle of 200000 vertices", text, Code::TooManyVertices);
    let holes = format!("[{}]", ",".repeat(1_500_000));
    let text = board(&format!("rectangle(up, down, left, right, {holes})"));
    refused("a million holes and a half", text, Code::TooManyVertices);
    let text = board(&list(200_000, |i| format!("v{i} [e] {{up: v0}}\n")));
    refused("a graph of 200000 vertices", text, Code::TooManyVertices);
    let macros = "#v(n) = v~n [e] {up: v0}\n#w(n) = v(n~0) v(n~1) v(n~2) v(n~3) v(n~4) v(n~5) v(n~6) v(n~7) v(n~8) v(n~9)\n";
    let levels = list(4, |i| {
        let inner = if i == 0 { "w".to_owned() } else { format!("x{}", i - 1) };
        format!("#x{i}(n) = {}\n", list(10, |d| format!("{inner}(n~{d}) ")))
    });
    let text = format!("{macros}{levels}{}", board("x3(1) v(0)"));
    refused("a graph of 100000 vertices by macros", text, Code::TooManyVertices);
    let unknown = board(&list(60_000, |i| format!("v{i} [e] {{up: w{i}}}\n")));
    refused("unknown vertices", unknown, Code::UnknownVertex);
    let same =
        format!("#u = nowhere\n{}", board(&list(60_000, |i| format!("v{i} [e] {{up: u}}\n"))));
    refused("one unknown vertex, repeated", same, Code::UnknownVertex);
    let edges = board(&format!("v [e] {{{} up: v}}", list(200_000, |i| format!("l{i}: v, "))));
    refused("200000 labels", edges, Code::TooManyNames);
    let edges =
        board(&format!("v [e] {{{} up: v}}", list(400_000, |i| format!("l{}: v, ", i % 250))));
    refused("400000 edges of a vertex", edges, Code::DuplicateEdge);
    let lines = |n: usize| list(n, |i| format!("[e{}]", ",e".repeat(i)));
    let text = board(&format!("hexagon(a, b, up, d, f, g, {})", lines(1000)));
    refused("a hexagon of 1000 lines", text, Code::TooManyVertices);
    let text = board(&format!("hexagon(a, b, up, d, f, g, {})", "[e]".repeat(400_000)));
    refused("a hexagon of equal lines", text, Code::TooManyVertices);
    let text = board(&format!("hexagon(a, b, up, d, f, g, {})", "[e]".repeat(200_000)));
    refused("a hexagon of fewer equal lines", text, Code::RaggedBoard);
    let text = board(&format!("rectangle(up, down, left, right, [e] {})", "[e,e]".repeat(100_000)));
    refused("ragged lines", text, Code::RaggedBoard);
    let text = board(&format!("rectangle(up, down, left, right, [{}])", "y,".repeat(65_000)));
    refused("unknown pieces", text, Code::UnknownPiece);
    let text = format!(
        "#y = ghost\n{}",
        board(&format!("rectangle(up, down, left, right, [{}])", "y,".repeat(65_000)))
    );
    refused("one unknown piece, repeated", text, Code::UnknownPiece);
    let text = board(&format!("cuboid(up, down, left, right, f, b, {})", "[[e]]".repeat(300_000)));
    refused("a cuboid of 300000 layers", text, Code::TooManyVertices);
}

#[test]
fn many_names_and_errors() {
    let n = 100_000;
    let names = |what: &str| list(n, |i| format!("{what}{i}, "));
    let bounded = |what: &str| list(n, |i| format!("{what}{i}(1), "));
    let rest = format!("{BOARD}#rules = ->me up ->> {{}}\n");
    let text = format!("#players = {}\n#pieces = e\n#variables =\n{rest}", bounded("p"));
    refused("100000 players", text, Code::TooManyNames);
    let text = format!("#players = me(1)\n#pieces = {}\n#variables =\n{rest}", names("p"));
    refused("100000 pieces", text, Code::TooManyNames);
    let text = format!("#players = me(1)\n#pieces = e\n#variables = {}\n{rest}", bounded("v"));
    refused("100000 variables", text, Code::TooManyNames);
    let text = format!("#players = {}\n#pieces = e\n#variables =\n{rest}", "me(1),".repeat(n));
    refused("a player declared 100000 times", text, Code::TooManyNames);
    let text = format!("#players = me(1)\n#pieces = {}\n#variables =\n{rest}", "e ".repeat(n));
    refused("no commas", text, Code::MissingComma);
    refused(
        "100000 unknown names",
        with_rules(&list(n, |i| format!("n{i} "))),
        Code::UndeclaredName,
    );
    refused(
        "100000 unknown players",
        with_rules(&list(n, |i| format!("->n{i} "))),
        Code::NotAPlayer,
    );
    let macros = list(n, |i| format!("#macro{i} = up\n"));
    refused(
        "100000 macros to suggest",
        format!("{macros}{}", with_rules(&list(n, |i| format!("makro{i} ")))),
        Code::UndeclaredName,
    );
    refused(
        "100000 macros and no sections",
        list(n, |i| format!("#player{i} =\n")),
        Code::MissingSection,
    );
    let macros = list(300_000, |i| format!("#m{i}=\n"));
    accepted("300000 unused macros", format!("{macros}{}", with_rules("->me up ->> {}")));
    refused(
        "names that are macros further down",
        format!("{}{}", with_rules(&"late(up) ".repeat(n)), "#late(a) = a"),
        Code::MacroNotYetDefined,
    );
}

#[test]
fn large_rules() {
    let n = 100_000;
    let sum = list(n, |i| format!("{} + ", ["up", "down", "left", "right"][i % 4]));
    accepted("a sum of 100000 shifts", with_rules(&format!("->me ({sum} up) ->> {{}}")));
    let sum = list(60_000, |i| format!("{}[x] + ", ["up", "down", "left", "right"][i % 4]));
    accepted("a sum of 60000 modifiers", with_rules(&format!("(->me ({sum} up {{e}} [x]) ->>)*")));
    let dead = "{e}{x} + ".repeat(60_000);
    accepted("60000 dead alternatives", with_rules(&format!("->me ({dead} up) ->> {{}}")));
    let loops = "({e}[x] up)*".repeat(25_000);
    accepted("25000 loops with modifiers", with_rules(&format!("(->me {loops} ->>)* ")));
    let one = format!("({})*", "{e} [x] up + ".repeat(25_000) + "down");
    accepted("one loop with 25000 modifiers", with_rules(&format!("(->me {one} ->>)*")));
    let counting = format!("({})*", "{$ v < 5} [$ v = v + 1] + ".repeat(15_000) + "down");
    accepted("one loop with 15000 assignments", with_rules(&format!("(->me {counting} ->>)*")));
    let terms = "v + ".repeat(200_000);
    accepted(
        "a comparison of 200000 terms",
        with_rules(&format!("->me ({{$ {terms} 1 > 3}} up)* ->> {{}}")),
    );
    let terms = "v + ".repeat(100_000);
    accepted(
        "an assignment of 100000 terms in a loop",
        with_rules(&format!("->me ([$ v = {terms} 1] up)* ->> {{}}")),
    );
    refused(
        "a list of 900000 pieces",
        with_rules(&format!("[{}e]", "e,".repeat(900_000))),
        Code::RulesTooLarge,
    );
    accepted(
        "a test for 900000 pieces",
        with_rules(&format!("->me {{{}e}} ->> {{}}", "e,".repeat(900_000))),
    );
    let condition = format!("{{? {} {{e}}}}", "(up + down + left) ".repeat(35_000));
    accepted(
        "a condition of 105000 shifts",
        with_rules(&format!("->me ({condition} up)* ->> {{}}")),
    );
    let conditions = "{? up left*} {! (up down)* {e}} ".repeat(10_000);
    accepted("20000 conditions", with_rules(&format!("->me ({conditions} up)* ->> {{}}")));
    let deep = format!(
        "{}{}{}",
        "(".repeat(240),
        "up [x] ".repeat(MAX_RULE_NODES / 4 - 500),
        " down + left)".repeat(240)
    );
    accepted("long rules in deep brackets", with_rules(&format!("->me {deep} ->> {{}}")));
    let deep = format!(
        "{}{}{}",
        "(up ".repeat(240),
        "up ".repeat(MAX_RULE_NODES - 1500),
        ")*".repeat(240)
    );
    accepted("long shifts in deep stars", with_rules(&format!("->me {deep} ->> {{}}")));
    let switches = "->me up ->> down ".repeat(50_000);
    accepted("100000 switches", with_rules(&format!("({switches})*")));
    let macros = "#m = (up (down + left)* + right)\n";
    accepted(
        "15000 macro uses",
        format!("{macros}{}", with_rules(&format!("->me {} ->> {{}}", "m ".repeat(15_000)))),
    );
}

/// Nothing recurses once per modifier, however many follow each other.
#[test]
fn long_runs() {
    let run = |what: &str, times: usize| {
        let run = format!("({what})^{times}");
        accepted(&format!("a move of {run}"), with_rules(&format!("->me {run} {{e, x}} ->> {{}}")));
        accepted(
            &format!("a keeper's {run}"),
            with_rules(&format!("(->me down ->> {run} {{e, x}})*")),
        );
        accepted(
            &format!("a condition on {run}"),
            with_rules(&format!("->me {{? {run}}} {{e}} [x] ->> {{}}")),
        );
    };
    for what in [
        "[x]",
        "[$ v = 3]",
        "[$ v = v + 1]",
        "right",
        "{e, x}",
        "[x] + [e]",
        "{e} [x] + {x} [e]",
        "[x] .",
        "({e} [x])*",
        "{? right [x]}",
        "{! {$ v > 3} [x] {e}}",
        "{$ v > 3} + {$ v < 5} [$ v = 3]",
    ] {
        run(what, 6_500);
    }
    let most = MAX_RULE_NODES - 1000;
    run("[x]", most);
    accepted("switches of the keeper", with_rules(&format!("(->me down (->>)^{most})*")));
}

/// Brackets as deep as they may be, with modifiers and tests on every level.
#[test]
fn deep_rules() {
    let n = MAX_NESTING - 2;
    for (open, close) in [
        ("([x] ", ")"),
        ("([x] ", " [e])"),
        ("({e} [x] + ", ")"),
        ("([$ v = 1] + [$ v = 2] ", ")"),
        ("({e} [x] right ", ")*"),
        ("((up + down) {x} + ", ")*"),
        ("{? [x] ", "}"),
        ("{! {e} [x] + ", "}"),
        ("{? (up + {! right", "})*}"),
        ("((", ")^1)"),
        ("(. [x] . + ", " .)"),
        ("({$ v > 1} [$ v = v - 1] + ", ")"),
    ] {
        let levels = open.matches(['(', '{']).count() - open.matches(['}', ')']).count();
        let n = n / levels.max(1);
        let nested = format!("{}{{e}} [x]{}", open.repeat(n), close.repeat(n));
        for rules in
            [format!("->me {nested} ->> {{}}"), format!("(->me down ->> {nested} {{e, x}})*")]
        {
            accepted(&format!("{n} times {open:?}"), with_rules(&rules));
        }
    }
}

/// Files that broke the engines once, where they are at hand.
#[test]
fn rules_that_broke_the_engines() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/hostile-rules");
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("skipped: {folder} is not there");
        return;
    };
    let is_rules = |path: &std::path::Path| path.extension().is_some_and(|e| e == "rbg");
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        if is_rules(&path) {
            let bytes = std::fs::read(&path).expect("the file can be read");
            accepted(&path.display().to_string(), bytes);
        }
    }
}

#[test]
fn long_walks() {
    let line = |n: usize| {
        format!("#board = rectangle(up, down, left, right, [e{}])\n", ",e".repeat(n - 1))
    };
    let on = |board: &str, rules: &str| format!("{HEAD}{board}#rules = {rules}\n");
    let longest = line(MAX_VERTICES);
    accepted("a star on the longest line", on(&longest, "->me right* {e} [x] ->> {}"));
    accepted(
        "stars of stars on the longest line",
        on(&longest, "->me ((right* left)* right*)* {e} [x] ->> {}"),
    );
    accepted(
        "a condition on the longest line",
        on(&longest, "->me {? right* left right*} [x] ->> {}"),
    );
    accepted(
        "nested conditions",
        on(&longest, "(->me ({? (right right left*)* } right)* {e} [x] ->>)*"),
    );
    accepted("a capture chain", on(&longest, "(->me right* ({e} [x] right right)* ->>)*"));
    let stars = "(right* + left*) {e} [x] ".repeat(1000);
    accepted("1000 choices on the longest line", on(&longest, &format!("(->me {stars} ->>)*")));
    let short = line(2000);
    accepted("1000 choices on a line", on(&short, &format!("(->me {stars} ->>)*")));
    let square = format!(
        "#board = rectangle(up, down, left, right, {})\n",
        format!("[e{}]", ",e".repeat(254)).repeat(256)
    );
    let any = "(up* + down*) (left* + right*) ";
    accepted("any square of 65280", on(&square, &format!("(->me {any} {{e}} [x] ->>)*")));
    let long = format!("{any}{{e}} [x] ").repeat(5000);
    accepted("5000 times any square of 65280", on(&square, &format!("(->me {long} ->>)*")));
    let graph = list(MAX_VERTICES, |i| {
        format!(
            "v{i} [e] {{up: v{}, down: v{}}}\n",
            (i * 7 + 1) % MAX_VERTICES,
            (i * 31 + 5) % MAX_VERTICES
        )
    });
    accepted(
        "a tangled graph",
        on(
            &format!("#board = {graph}"),
            "(->me (up + down)* {e} [x] ({? down up*} down [e] + up [x]) ->>)*",
        ),
    );
}

#[test]
fn regressions() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/regressions");
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        outcome(&path.display().to_string(), std::fs::read(&path).expect("the file can be read"));
    }
}

#[test]
fn messages_stay_short() {
    let mut text = String::new();
    let _ = write!(text, "{HEAD}#board = rectangle(up, down, left, right, [e])\n#rules = ");
    for i in 0..100_000 {
        let _ = write!(text, "(unknown{i} + {{$ x{i}}} ");
    }
    refused("errors inside errors in one line", text, Code::TooDeep);
}
