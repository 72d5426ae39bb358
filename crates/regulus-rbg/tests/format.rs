//! The formatter: its layout by examples, its guarantees on all known games and on token soups.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use regulus_rbg::diagnostic::Diagnostics;
use regulus_rbg::format::format;
use regulus_rbg::limits::MAX_FILE_BYTES;
use regulus_rbg::token::{RawToken, TokenKind, lex};
use regulus_rbg::{Code, Source, load};

fn formatted(text: &str) -> String {
    format(&Source::new("test", text)).expect("the text has no lexical errors")
}

fn tokens_of(source: &Source) -> Vec<RawToken> {
    lex(source, &mut Diagnostics::default())
}

/// Kinds and texts; comments without the white space at their ends.
fn signature(text: &str) -> Vec<(TokenKind, String)> {
    let source = Source::new("test", text);
    tokens_of(&source)
        .into_iter()
        .map(|token| (token.kind, source.slice(token.span).trim_end().to_owned()))
        .collect()
}

/// What holds of every output, whatever the input.
fn check_guarantees(text: &str) -> String {
    let once = formatted(text);
    assert_eq!(signature(text), signature(&once), "the tokens changed:\n{once}");
    assert_eq!(once, formatted(&once), "formatting twice differs from once");

    let source = Source::new("test", once.clone());
    let mut layout = once.clone();
    for token in tokens_of(&source).iter().rev() {
        // Inside comments and strings everything is the author's.
        if token.kind.is_comment() || token.kind == TokenKind::Text {
            layout.replace_range(token.span.range(), "x");
        }
    }
    assert!(layout.is_empty() || layout.ends_with('\n') && !layout.ends_with("\n\n"), "{once:?}");
    assert!(layout.bytes().all(|b| b == b'\n' || !b.is_ascii_control()), "{once:?}");
    assert!(!layout.contains(" \n"), "white space at the end of a line: {once:?}");
    assert!(!layout.starts_with('\n') && !layout.contains("\n\n\n"), "blank lines: {once:?}");
    once
}

#[track_caller]
fn check(input: &str, expected: &str) {
    let output = check_guarantees(input);
    assert_eq!(output, expected, "\n--- output ---\n{output}--- expected ---\n{expected}");
}

/// Checks bodies of one line.
#[track_caller]
fn check_bodies(cases: &[(&str, &str)]) {
    for (input, expected) in cases {
        check(&format!("#m={input}"), &format!("#m = {expected}\n"));
    }
}

#[test]
fn directives_start_in_column_0() {
    check(
        "  #players=white(100),black (100)#pieces= a,b\n\n\n\n   #variables=\n#f ( a;b )=a b",
        "#players = white(100), black(100)\n\
         #pieces = a, b\n\
         \n\
         #variables =\n\
         #f(a; b) = a b\n",
    );
}

#[test]
fn heads_are_joined_but_long_parameter_lists_stay_broken() {
    check("#\nf\n(a;\nb)\n=\n\n\nup", "#f(a;\n    b) =\n    up\n");
    check("# // why\nf = up", "# // why\n    f = up\n");
}

#[test]
fn neighbours_get_one_space() {
    check_bodies(&[
        ("up   down\tleft", "up down left"),
        ("{e}[x]->white->>up", "{e} [x] ->white ->> up"),
        ("-> white", "->white"),
        ("( up )( down )", "(up) (down)"),
        ("up.down . .", "up . down . ."),
        ("a+b +c", "a + b + c"),
        ("me ~ Stone ~ 2", "me~Stone~2"),
        ("up ^ 2 down", "up^2 down"),
        ("(up)*(down*+left *)*", "(up)* (down* + left*)*"),
        ("{ a ,b,c }[ a,b ]", "{a, b, c} [a, b]"),
        ("{? up}{?up}{!up }{ ! up", "{? up} {? up} {! up} { ! up"),
        ("{?}{!}{$}[$]{}[]()", "{?} {!} {$} [$] {} [] ()"),
        (",a:b", ", a: b"),
        ("*", "*"),
        ("v [ e ]{a:b,c :d}", "v [e] {a: b, c: d}"),
        ("\"a b\"\"c\" x", "\"a b\" \"c\" x"),
    ]);
}

#[test]
fn arithmetic_operators_get_spaces() {
    check_bodies(&[
        ("[$a=b*2-c/d,e=-1]", "[$ a = b * 2 - c / d, e = -1]"),
        ("{$a*(b+c)>=+3}", "{$ a * (b + c) >= +3}"),
        ("{$f(a*b)==1}up*", "{$ f(a * b) == 1} up*"),
        ("{$a!=b}{$a<b}{$a<=b}{$a>b}", "{$ a != b} {$ a < b} {$ a <= b} {$ a > b}"),
        // In a macro for arithmetic only a number tells a product from a repetition.
        ("2*a", "2 * a"),
        ("a*2", "a * 2"),
        ("up^2*left", "up^2* left"),
        ("dir~1*left", "dir~1* left"),
        ("[$ x = {? up*down}]", "[$ x = {? up* down}]"),
    ]);
}

#[test]
fn macro_uses_stay_what_they_look_like() {
    check_bodies(&[
        ("jump(foe;up left)", "jump(foe; up left)"),
        ("jump (foe)", "jump (foe)"),
        ("up\t(left+right)", "up (left + right)"),
        ("up^2(left)", "up^2 (left)"),
        ("f~2(left)", "f~2(left)"),
        ("rectangle (a)", "rectangle(a)"),
        ("f(;;)f(a;;b)f(;,x)", "f(;;) f(a;; b) f(; , x)"),
        ("each(back {;})each(back [;])", "each(back {;}) each(back [;])"),
    ]);
}

#[test]
fn tokens_never_merge() {
    check_bodies(&[
        ("- > -> > + > -> >=", "- > -> > + > -> >="),
        ("{ ? { ! { $ [ $ { !=", "{ ? { ! { $ [ $ { !="),
        ("x = = = == < = > = ! = ! ==", "x = = = == < = > = ! = ! =="),
        ("/ / / * /", "/ / / * /"),
        ("/ // x", "/ // x"),
        ("/ /* x */ *", "/ /* x */*"),
        ("12ab 1 2 a 3", "12 ab 1 2 a 3"),
        ("->>>>= +>>", "->> > >= +> >"),
    ]);
}

#[test]
fn lines_are_kept_and_indented() {
    check(
        "#turn(me;foe)=\n->me anySquare {me~Man} [empty]\n(\nstep {empty}\n[me~Man]\n+jump(foe) (\n\
         [me~Man]\n+ [me~King]\n)\n->>\n)\nend",
        "#turn(me; foe) =\n\
         \x20   ->me anySquare {me~Man} [empty]\n\
         \x20   (\n\
         \x20       step {empty}\n\
         \x20       [me~Man]\n\
         \x20     + jump(foe) (\n\
         \x20           [me~Man]\n\
         \x20         + [me~King]\n\
         \x20       )\n\
         \x20       ->>\n\
         \x20   )\n\
         \x20   end\n",
    );
    check(
        "#a = (\nup\n+ down)*\n#b = up\n+ down\n#c = ((\nup\n))",
        "#a = (\n    up\n  + down)*\n#b = up\n  + down\n#c = ((\n    up\n))\n",
    );
}

#[test]
fn blank_lines_are_kept_one_at_a_time() {
    check(
        "\n\n#a =\n\n(\n\n\nup\n\n\n\ndown\n\n)\n\n\n",
        "#a =\n    (\n        up\n\n        down\n    )\n",
    );
    check(
        "#variables =\n\n// The board.\n#board = x",
        "#variables =\n\n// The board.\n#board = x\n",
    );
}

#[test]
fn comments_keep_their_place() {
    check(
        "  // about the game   \n\n\n/* and\n   more */ #a = up// up\n      // inside\n\
         \t(  // first\ndown /* b */ left\n// last\n)\n// about b\n// and more\n#b = up",
        "// about the game\n\
         \n\
         /* and\n   more */\n\
         #a = up // up\n\
         \x20   // inside\n\
         \x20   ( // first\n\
         \x20       down /* b */ left\n\
         \x20       // last\n\
         \x20   )\n\
         // about b\n\
         // and more\n\
         #b = up\n",
    );
}

#[test]
fn indented_comments_end_the_body_above() {
    check(
        "#a =\n    up\n  // no more\n// about b\n   // and more\n#b = up\n  // end",
        "#a =\n    up\n    // no more\n// about b\n// and more\n#b = up\n    // end\n",
    );
    // Deeper than the directive below is what counts, not the column.
    check("  #a = up\n  // about b\n  #b = up", "#a = up\n// about b\n#b = up\n");
    check("// only\n    // comments", "// only\n// comments\n");
}

#[test]
fn windows_line_ends_become_plain() {
    check("#a = up // x\r\n\r\n#b = (\r\nup\r\n)\r\n", "#a = up // x\n\n#b = (\n    up\n)\n");
}

#[test]
fn board_lines_get_columns() {
    check(
        "#board = rectangle(up,down,left,right,\n[,peg,empty] // top\n[peg,e,]\n[peg,x,peg])",
        "#board = rectangle(up, down, left, right,\n\
         \x20   [   , peg, empty] // top\n\
         \x20   [peg, e,        ]\n\
         \x20   [peg, x,   peg])\n",
    );
    // A line broken in two, or of another length, has its own columns.
    check(
        "#board = rectangle(u,d,l,r,\n[longName,a,\nb]\n[c,d,e]\n[xx,y,z]\n[x,y])",
        "#board = rectangle(u, d, l, r,\n\
         \x20   [longName, a,\n\
         \x20       b]\n\
         \x20   [c,  d, e]\n\
         \x20   [xx, y, z]\n\
         \x20   [x, y])\n",
    );
    check("#row(x) = [,x~Man,,]", "#row(x) = [, x~Man, , ]\n");
    check("#a =\n[a ~ b c,d]\n[e,f]", "#a =\n    [a~b c, d]\n    [e,     f]\n");
}

#[test]
fn layers_of_cuboids_get_columns_each() {
    check(
        "#board = cuboid(u,d,l,r,f,b,\n[\n[a,b]\n[ccc,d]\n]\n[\n[a,b]\n[c,d]\n])",
        "#board = cuboid(u, d, l, r, f, b,\n\
         \x20   [\n\
         \x20       [a,   b]\n\
         \x20       [ccc, d]\n\
         \x20   ]\n\
         \x20   [\n\
         \x20       [a, b]\n\
         \x20       [c, d]\n\
         \x20   ])\n",
    );
}

#[test]
fn hexagons_are_centred() {
    check(
        "#board = hexagon(nw,ne,e,se,sw,w,\n[e,e]\n[e,,e]\n[e,x])",
        "#board = hexagon(nw, ne, e, se, sw, w,\n\
         \x20     [e,  e]\n\
         \x20   [e,    , e]\n\
         \x20     [e,  x])\n",
    );
    check(
        "#board = hexagon(nw,ne,e,se,sw,w,\n[red]\n[empty,empty]\n[red])",
        "#board = hexagon(nw, ne, e, se, sw, w,\n\
         \x20      [red]\n\
         \x20   [empty, empty]\n\
         \x20      [red])\n",
    );
}

#[test]
fn boards_too_wide_for_a_picture_get_no_columns() {
    // Two cells, because a single name cannot be that long.
    let name = "a".repeat(200);
    check(
        &format!("#board = rectangle(u,d,l,r,\n[{name},{name}]\n[c,d])"),
        &format!("#board = rectangle(u, d, l, r,\n    [{name}, {name}]\n    [c, d])\n"),
    );
}

#[test]
fn wrong_descriptions_are_formatted_too() {
    check("up  down\n(left\n+ right", "up down\n(left\n  + right\n");
    check("#a =) ] }up\n)down#b = ([{\nup", "#a = )]} up\n    ) down\n#b = ([{\n    up\n");
    // A closing bracket also closes what was left open inside its pair.
    check("#a = (\n[{up\n)\ndown", "#a = (\n    [{up\n)\n    down\n");
    check("# = up##5", "#= up\n#\n#5\n");
    check("", "");
    check(" \n\t\n", "");
}

#[test]
fn lexical_errors_are_refused() {
    let codes = |source: Source| -> Vec<Code> {
        format(&source).expect_err("refused").iter().map(|d| d.code).collect()
    };
    assert_eq!(codes(Source::new("t", "#a = my_name @")), [Code::StrayCharacter; 2]);
    assert_eq!(codes(Source::new("t", "#a = up /* no end")), [Code::UnterminatedComment]);
    assert_eq!(codes(Source::from_bytes("t", b"#a = up // \xff".to_vec())), [Code::InvalidUtf8]);
    let too_large = " ".repeat(MAX_FILE_BYTES + 1);
    assert_eq!(codes(Source::new("t", too_large)), [Code::FileTooLarge]);
    // Small enough, but not with its indentation.
    let grows = format!("#a = {}{}", "(\n".repeat(200), "up\n".repeat(100_000));
    assert_eq!(codes(Source::new("t", grows)), [Code::FileTooLarge]);
}

#[test]
fn depth_and_length_cost_nothing() {
    let deep = 100_000;
    let on_one_line = format!("#a = {}up{}", "(".repeat(deep), ")".repeat(deep));
    assert_eq!(check_guarantees(&on_one_line), format!("{on_one_line}\n"));
    check_guarantees(&format!("#a = {}up{}", "(\n".repeat(deep), "\n)".repeat(deep)));
    check_guarantees(&format!("#a = {}", "{? [ (".repeat(deep)));
    check_guarantees(&format!("#a = {}", ") ] }".repeat(deep)));
    check_guarantees(&"// a\n    // b\n".repeat(deep));
    check_guarantees(&format!("#a = (\n[{}]\n[{}])", ",x".repeat(deep), ",".repeat(deep)));
    let lines = format!("#a = hexagon(\n[{}]\n{})", ",".repeat(deep), "[]\n".repeat(deep));
    check_guarantees(&lines);
}

/// The descriptions in a folder and its subfolders.
fn descriptions(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            found.extend(descriptions(&path));
        } else if path.extension().is_some_and(|extension| extension == "rbg") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn built_in_games() -> Vec<PathBuf> {
    let games = descriptions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../regulus-games/rbg"));
    assert!(!games.is_empty());
    games
}

fn check_file(path: &Path) {
    let source = Source::from_bytes("test", fs::read(path).expect("the file can be read"));
    println!("{}", path.display());
    let output = check_guarantees(source.text());
    if let Some(game) = load(&source).game {
        let again = load(&Source::new("test", output)).game;
        assert!(again == Some(game), "{} became another game", path.display());
    }
}

#[test]
fn built_in_games_stay_the_same_games() {
    for path in built_in_games() {
        check_file(&path);
    }
}

#[test]
fn shared_games_stay_the_same_games() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games/rbg");
    if !folder.is_dir() {
        eprintln!("skipped: there is no folder {}", folder.display());
        return;
    }
    for path in descriptions(&folder) {
        check_file(&path);
    }
}

/// A text with the white space inside its lines replaced, where there was any and where brackets
/// and commas allow any.
fn respaced(source: &Source, mut space: impl FnMut() -> &'static str) -> String {
    let tokens = tokens_of(source);
    let mut text = String::new();
    let mut end = 0;
    for (i, token) in tokens.iter().enumerate() {
        let gap = &source.text()[end..token.span.start as usize];
        let is_free = |kind| matches!(kind, TokenKind::Comma | TokenKind::Tilde);
        let may_vary = !gap.contains('\n')
            && (!gap.is_empty() || is_free(token.kind) || i > 0 && is_free(tokens[i - 1].kind));
        text.push_str(match space() {
            // What was separated stays so.
            "" if !gap.is_empty() => gap,
            other if may_vary => other,
            _ => gap,
        });
        text.push_str(source.slice(token.span));
        end = token.span.range().end;
    }
    text
}

fn words_and_symbols() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "a", "up", "me", "x1", "rules", "board", "players", "hexagon", "rectangle", "0", "12",
        ]),
        4 => prop::sample::select(vec![
            "(", ")", "[", "]", "{", "}", "{?", "{!", "{$", "[$", ",", ";", "[a,,b]", "[x,y]\n",
        ]),
        3 => prop::sample::select(vec![
            "~", "-", "+", "^", "/", "*", ".", ":", "$", "=", "+>", "->", "->>", "!", "?", "!=",
            "==", "<", "<=", ">", ">=",
        ]),
        1 => prop::sample::select(vec!["#", "#m =", "#f(a;b) =", "#board = hexagon(\n"]),
        1 => prop::sample::select(vec![
            "// c \t\n", "//\n", "/* c */", "/*\n\n  c */", "/**/", "\"s\t\"",
        ]),
    ]
}

fn white_space() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "",
        "",
        " ",
        " ",
        "\t",
        "   ",
        "\n",
        "\n    ",
        "\r\n",
        "\n\n",
        "\n \n\n  ",
    ])
}

proptest! {
    #[test]
    fn soups_keep_their_tokens(soup in prop::collection::vec((words_and_symbols(), white_space()), 0..60)) {
        let text: String = soup.iter().flat_map(|(token, gap)| [*token, *gap]).collect();
        // Tokens that touch may begin a comment or a string that never ends.
        prop_assume!(format(&Source::new("test", text.clone())).is_ok());
        check_guarantees(&text);
    }

    #[test]
    fn spaces_inside_lines_do_not_matter(
        game in any::<prop::sample::Index>(),
        spaces in prop::collection::vec(prop::sample::select(vec!["", " ", "  ", "\t"]), 1..50),
    ) {
        let path = game.get(&built_in_games()).clone();
        let source = Source::from_bytes("test", fs::read(path).expect("the file can be read"));
        let mut next = spaces.iter().copied().cycle();
        let text = respaced(&source, || next.next().expect("a cycle never ends"));
        prop_assert_eq!(formatted(source.text()), formatted(&text));
    }
}
