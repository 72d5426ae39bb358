//! What an accepted description means: numbering, precedence, flattening, macros, boards, and the
//! transformations of the rules. Facts are those of the language document, cited by section.

use std::collections::BTreeSet;

use regulus_rbg::arithmetic::Arithmetic;
use regulus_rbg::declarations::{Label, Meaning, Piece, Player, Variable};
use regulus_rbg::rule::{ModifierIndex, Rule, RuleKind};
use regulus_rbg::split::{Strategy, count_dots};
use regulus_rbg::{Code, Game, Source, Vertex, indecisive, load, print, render};

/// The game of a description that has no errors.
fn game(text: &str) -> Game {
    let source = Source::new("test", text);
    let loaded = load(&source);
    let messages: Vec<String> =
        loaded.diagnostics.iter().map(|d| render::render(&source, d, false)).collect();
    loaded.game.unwrap_or_else(|| panic!("{}", messages.join("\n")))
}

fn codes(text: &str) -> Vec<Code> {
    load(&Source::new("test", text)).diagnostics.iter().map(|d| d.code).collect()
}

const HEAD: &str = "
    #players = white(100), black(50)
    #pieces = e, x, a, b, c
    #variables = t(9), s(20)
    #board = rectangle(up, down, left, right, [e, e] [x, e])
";

/// A game with these rules, and possibly macros in front of `#rules`.
fn with_rules(rules: &str) -> Game {
    let rules =
        if rules.contains("#rules") { rules.to_owned() } else { format!("#rules = {rules}") };
    game(&format!("{HEAD}{rules}"))
}

/// The rules printed in one line.
fn printed(rules: &str) -> String {
    let game = with_rules(rules);
    print::rule(&game.rules, &game.declarations)
}

/// The numbers of all modifiers from left to right; 0 inside conditions.
fn numbers(rule: &Rule) -> Vec<u32> {
    let mut numbers = Vec::new();
    rule.visit(&mut |r| match &r.kind {
        RuleKind::Off(_, i) | RuleKind::Assignment(_, _, i) | RuleKind::Switch(_, i) => {
            numbers.push(i.0);
        }
        _ => {}
    });
    numbers
}

// Section 2: names and numbers.

#[test]
fn names_are_numbered() {
    let game = game(
        "#players = zed(10), amy(200)
         #pieces = stone, empty, knight
         #variables = turn(5), count(7)
         #board = rectangle(up, down, left, right, [stone, empty, knight])
         #rules = ->zed [$ turn = count] ->amy [$ count = turn] ->> {}",
    );
    let d = &game.declarations;
    assert_eq!(d.players(), ["zed", "amy"]);
    assert_eq!(d.pieces(), ["empty", "knight", "stone"]);
    assert_eq!(d.labels(), ["down", "left", "right", "up"]);
    let variables: Vec<(&str, u32)> =
        d.variables().iter().map(|v| (v.name.as_str(), v.bound)).collect();
    assert_eq!(variables, [("zed", 10), ("amy", 200), ("count", 7), ("turn", 5)]);
    assert_eq!(d.meaning("zed"), Some(Meaning::Player(Player(1))));
    assert_eq!(d.meaning("amy"), Some(Meaning::Player(Player(2))));
    assert_eq!(Player(2).score(), Some(Variable(1)));
    assert_eq!(Player::KEEPER.score(), None);
    assert_eq!(d.meaning("turn"), Some(Meaning::Variable(Variable(3))));
    assert_eq!(d.meaning("knight"), Some(Meaning::Piece(Piece(1))));
    assert_eq!(d.meaning("down"), Some(Meaning::Label(Label(0))));
    assert_eq!(d.meaning("nothing"), None);
    assert_eq!((d.player_name(Player(0)), d.player_name(Player(1))), ("keeper", "zed"));
}

#[test]
fn sections_stand_in_any_order_and_lists_tolerate_commas() {
    let usual = with_rules("->white up [x] ->> {}");
    let turned = game(
        "#rules = ->white up [x] ->> {}
         #board = rectangle(up, down, left, right, [e, e] [x, e])
         #variables = ,s(20),,t(9),
         #pieces = c, b, a,, x, e,
         #players = white(100), black(50),",
    );
    assert_eq!(usual, turned);
}

#[test]
fn names_are_case_sensitive_and_keywords_are_not_prefixes() {
    let game = game(
        "#players = Board(1) #pieces = boards, E, e #variables =
         #board = rectangle(up, down, left, right, [boards, E, e]) #rules = ->Board right [e] ->> {}",
    );
    assert_eq!(game.declarations.pieces(), ["E", "boards", "e"]);
}

// Section 4: boards.

/// The name of the vertex that a label leads to, or nothing.
fn neighbour<'g>(game: &'g Game, from: &str, label: &str) -> &'g str {
    let Some(Meaning::Label(label)) = game.declarations.meaning(label) else { panic!("{label}") };
    let from = game.board.vertex(from).expect("a vertex");
    let to = game.board.next(from, label);
    if to.is_some() { game.board.name(to) } else { "" }
}

fn neighbours<'g>(game: &'g Game, from: &str, labels: &[&str]) -> Vec<&'g str> {
    labels.iter().map(|l| neighbour(game, from, l)).collect()
}

fn on_board(board: &str, label: &str) -> Game {
    game(&format!(
        "#players = white(1) #pieces = e, w #variables = #board = {board}
         #rules = ->white {label} [w] ->> {{}}"
    ))
}

#[test]
fn rectangle_joins_orthogonal_neighbours() {
    let game = on_board("rectangle(up, down, left, right, [w, e, e] [e, e, e])", "down");
    let directions = ["up", "down", "left", "right"];
    assert_eq!(game.board.len(), 6);
    assert_eq!(game.board.name(Vertex(1)), "rx0y0");
    assert_eq!(game.board.name(Vertex(4)), "rx0y1");
    assert_eq!(neighbours(&game, "rx0y0", &directions), ["", "rx0y1", "", "rx1y0"]);
    assert_eq!(neighbours(&game, "rx1y1", &directions), ["rx1y0", "", "rx0y1", "rx2y1"]);
    assert_eq!(game.declarations.piece_name(game.board.piece(Vertex(1))), "w");
    assert_eq!(game.board.edge_count(), 14);
}

#[test]
fn holes_have_no_vertex_and_no_number() {
    let game = on_board("rectangle(up, down, left, right, [ , , e] [e, e, ] [e, , e])", "down");
    let names: Vec<&str> = game.board.vertices().map(|v| game.board.name(v)).collect();
    assert_eq!(names, ["rx2y0", "rx0y1", "rx1y1", "rx0y2", "rx2y2"]);
    let directions = ["up", "down", "left", "right"];
    assert_eq!(neighbours(&game, "rx2y0", &directions), ["", "", "", ""]);
    assert_eq!(neighbours(&game, "rx0y1", &directions), ["", "rx0y2", "", "rx1y1"]);
}

#[test]
fn hexagon_of_two_three_two() {
    let game = on_board("hexagon(nw, ne, east, se, sw, west, [e, e] [e, e, e] [e, e])", "se");
    let directions = ["nw", "ne", "east", "se", "sw", "west"];
    let of = |vertex| neighbours(&game, vertex, &directions);
    assert_eq!(of("hx0y0"), ["", "", "hx1y0", "hx1y1", "hx0y1", ""]);
    assert_eq!(of("hx1y0"), ["", "", "", "hx2y1", "hx1y1", "hx0y0"]);
    // The middle of the board: all six.
    assert_eq!(of("hx1y1"), ["hx0y0", "hx1y0", "hx2y1", "hx1y2", "hx0y2", "hx0y1"]);
    assert_eq!(of("hx0y1"), ["", "hx0y0", "hx1y1", "hx0y2", "", ""]);
    assert_eq!(of("hx2y1"), ["hx1y0", "", "", "", "hx1y2", "hx1y1"]);
    assert_eq!(of("hx0y2"), ["hx0y1", "hx1y1", "hx1y2", "", "", ""]);
    assert_eq!(of("hx1y2"), ["hx1y1", "hx2y1", "", "", "", "hx0y2"]);
}

#[test]
fn cuboid_goes_to_the_front() {
    let game = on_board(
        "cuboid(up, down, left, right, front, back, [[w, e] [e, e]] [[e, e] [e, w]])",
        "front",
    );
    let directions = ["up", "down", "left", "right", "front", "back"];
    assert_eq!(game.board.name(Vertex(5)), "cx0y0z1");
    assert_eq!(
        neighbours(&game, "cx0y0z0", &directions),
        ["", "cx0y1z0", "", "cx1y0z0", "cx0y0z1", ""]
    );
    assert_eq!(
        neighbours(&game, "cx1y1z1", &directions),
        ["cx1y0z1", "", "cx0y1z1", "", "", "cx1y1z0"]
    );
}

#[test]
fn explicit_graph_is_directed_and_may_have_isolated_vertices() {
    let game = on_board("n1 [e] {go: n3, back: n2} n2 [w] {go: n1} n3 [e] {}", "go");
    assert_eq!(game.board.name(Vertex(2)), "n2");
    assert_eq!(neighbours(&game, "n1", &["go", "back"]), ["n3", "n2"]);
    assert_eq!(neighbours(&game, "n2", &["go", "back"]), ["n1", ""]);
    assert_eq!(neighbours(&game, "n3", &["go", "back"]), ["", ""]);
    assert_eq!(game.declarations.labels(), ["back", "go"]);
}

// Section 5: expressions.

/// The right side of the only assignment, with all brackets.
fn arithmetic(expression: &str) -> String {
    let game = with_rules(&format!("->white [$ white = {expression}] ->> {{}}"));
    let mut found = String::new();
    game.rules.visit(&mut |r| {
        if let RuleKind::Assignment(_, value, _) = &r.kind {
            found = print::arithmetic(value, &game.declarations);
        }
    });
    found
}

fn value(expression: &str) -> Option<i64> {
    let game = with_rules(&format!("->white [$ white = {expression}] ->> {{}}"));
    let mut found = None;
    game.rules.visit(&mut |r| {
        if let RuleKind::Assignment(_, value, _) = &r.kind {
            found = Arithmetic::evaluate(value, &|v| 10 * i64::from(v.0), &|p| i64::from(p.0));
        }
    });
    found
}

#[test]
fn every_operator_has_its_own_level() {
    assert_eq!(arithmetic("a*b/c"), "a * (b / c)");
    assert_eq!(arithmetic("a/b*c"), "(a / b) * c");
    assert_eq!(arithmetic("a-b+c"), "(a - b) + c");
    assert_eq!(arithmetic("a+b-c"), "a + (b - c)");
    assert_eq!(arithmetic("a-b-c"), "a - b - c");
    assert_eq!(arithmetic("a-b*c+t"), "(a - (b * c)) + t");
    assert_eq!(arithmetic("(a+b)*c"), "(a + b) * c");
    assert_eq!(arithmetic("a*(b)*+2"), "a * b * 2");
}

#[test]
fn operators_go_from_left_to_right() {
    // Variables are 0, 10, 20, 30 (white, black, s, t), counts 0 to 4 (a, b, c, e, x).
    assert_eq!(value("5 - 3"), Some(2));
    assert_eq!(value("t - s - 3"), Some(7));
    assert_eq!(value("t - s + 3"), Some(13));
    assert_eq!(value("7 / 2 * 2"), Some(6));
    assert_eq!(value("2 * 7 / 2"), Some(6));
    assert_eq!(value("black + x * c"), Some(18));
    assert_eq!(value("t / a"), None);
}

#[test]
fn star_is_a_suffix_behind_moves_and_a_product_behind_numbers() {
    assert_eq!(
        printed("->white (down* right* {$ t*2 == s} [x]) ->> {}"),
        "->white down* right* {$ t * 2 == s} [x] ->> {}"
    );
    assert_eq!(
        printed("->white (down)*(right + left)* ->> {}"),
        "->white down* (right + left)* ->> {}"
    );
}

#[test]
fn juxtaposition_binds_stronger_than_sums() {
    assert_eq!(
        printed("->white (down right + right down) ->> {}"),
        "->white (down right + right down) ->> {}"
    );
}

#[test]
fn nested_sums_and_concatenations_are_flat() {
    let game =
        with_rules("->white (((down)) + (right + (left + up))) ((right left) (left right)) ->> {}");
    assert_eq!(
        print::rule(&game.rules, &game.declarations),
        "->white (down + right + left + up) right left left right ->> {}"
    );
    let RuleKind::Concatenation(parts) = &game.rules.kind else { panic!("a concatenation") };
    assert_eq!(parts.len(), 8);
    assert!(matches!(&parts[1].kind, RuleKind::Sum(alternatives) if alternatives.len() == 4));
}

#[test]
fn power_makes_copies_with_their_own_numbers() {
    let game = with_rules("->white ({e} [x] right)^3 ->> {}");
    assert_eq!(
        print::rule(&game.rules, &game.declarations),
        "->white {e} [x] right {e} [x] right {e} [x] right ->> {}"
    );
    assert_eq!(numbers(&game.rules), [1, 2, 3, 4, 5]);
    assert_eq!(printed("->white right^1 ->> {}"), "->white right ->> {}");
}

#[test]
fn list_of_offs_is_a_sum() {
    let game = with_rules("->white right [x, a] ([b, c] + left) ->> {}");
    assert_eq!(
        print::rule(&game.rules, &game.declarations),
        "->white right ([x] + [a]) ([b] + [c] + left) ->> {}"
    );
    assert_eq!(numbers(&game.rules), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn list_of_assignments_is_a_concatenation() {
    let game = with_rules("->white [$ t=1, s=t+1] ->> {}");
    assert_eq!(
        print::rule(&game.rules, &game.declarations),
        "->white [$ t = 1] [$ s = t + 1] ->> {}"
    );
    assert_eq!(numbers(&game.rules), [1, 2, 3, 4]);
}

#[test]
fn empty_tests_and_offs_never_succeed() {
    let game = with_rules("->white ([] + right) ->> {}");
    assert_eq!(print::rule(&game.rules, &game.declarations), "->white ([] + right) ->> {}");
    assert_eq!(numbers(&game.rules), [1, 2]);
}

// Section 6: modifiers.

#[test]
fn modifiers_in_conditions_have_no_number() {
    let game = with_rules("->white right {? [x] left {! [$ t = 1]}} [a] {$ t == 0} . ->> {}");
    assert_eq!(numbers(&game.rules), [1, 0, 0, 2, 3]);
    assert_eq!(game.modifier_count, 3);
    assert_eq!(ModifierIndex::NONE, ModifierIndex(0));
}

#[test]
fn equal_actions_have_different_numbers() {
    let game = with_rules("->white right ([x] + [x]) ->> {}");
    assert_eq!(numbers(&game.rules), [1, 2, 3, 4]);
}

// Section 3: macros.

#[test]
fn macros_are_overloaded_on_arity() {
    let rules = "#go(p) = p #go(p; q) = (p + q) #rules = ->white go(right) go(left; right) ->> {}";
    assert_eq!(printed(rules), "->white right (left + right) ->> {}");
}

#[test]
fn arguments_may_be_empty_and_hold_commas_and_nested_brackets() {
    let rules = "#m(p; q; r) = p [q] r #rules = ->white m(right; a, b;) m(; c; (left; )) ->> {}";
    // The last argument is `(left; )`, whose semicolon is its own.
    assert!(codes(&format!("{HEAD}{rules}")).contains(&Code::UnexpectedToken));
    let rules =
        "#m(p; q; r) = p [q] r #rules = ->white m(right; a, b;) m(; c; (left + (up))) ->> {}";
    assert_eq!(printed(rules), "->white right ([a] + [b]) [c] (left + up) ->> {}");
}

#[test]
fn arguments_are_expanded_where_they_are_written_and_parameters_shadow() {
    let rules = "#p = right #twice(p) = p p #rules = ->white twice(p left) p ->> {}";
    assert_eq!(printed(rules), "->white right left right left right ->> {}");
    let rules = "#inner(p) = p #outer(p) = inner(p right) p #rules = ->white outer(left) ->> {}";
    assert_eq!(printed(rules), "->white left right left ->> {}");
}

#[test]
fn a_macro_sees_only_what_is_above() {
    let rules = "#one = right #two = one one #rules = ->white two ->> {}";
    assert_eq!(printed(rules), "->white right right ->> {}");
    let below = "#two = one one #one = right #rules = ->white two ->> {}";
    assert_eq!(codes(&format!("{HEAD}{below}")), [Code::MacroNotYetDefined; 2]);
}

#[test]
fn substitution_is_textual() {
    let rules = "#either = right + left #rules = ->white (up either) ->> {}";
    assert_eq!(printed(rules), "->white (up right + left) ->> {}");
}

#[test]
fn pasting_makes_names_numbers_symbols_and_keywords() {
    let text = "
        #glue(p; q) = p~q
        #triple(p; q; r) = p~q~r
        #arrow = -~>
        #keeper = ->~>
        #players = white(glue(1; 00))
        #pieces = glue(wh; Pawn), triple(b; Pawn; 2), glue(e;), glue(; f), glue(x; board)
        #variables = t(glue(0; 9))
        #board = glue(rect; angle)(up, down, left, right, [e, f, whPawn, bPawn2, xboard])
        #rules = arrow white right [glue(wh; Pawn)] glue({; ?) left} glue({; $) t glue(<; =) 3} keeper {}";
    let game = game(text);
    let d = &game.declarations;
    assert_eq!(d.pieces(), ["bPawn2", "e", "f", "whPawn", "xboard"]);
    assert_eq!((d.bound(Variable(0)), d.bound(Variable(1))), (100, 9));
    assert_eq!(print::rule(&game.rules, d), "->white right [whPawn] {? left} {$ t <= 3} ->> {}");
}

#[test]
fn macros_may_be_lists_lines_and_edges() {
    let text = "
        #colours(p) = p~w, p~b
        #line = [e, pw, pb]
        #players = me(1) #variables =
        #pieces = colours(p), e
        #board = rectangle(up, down, left, right, line line)
        #rules = ->me down {colours(p)} [e] ->> {}";
    let game = game(text);
    assert_eq!(game.board.len(), 6);
    assert_eq!(print::rule(&game.rules, &game.declarations), "->me down {pb, pw} [e] ->> {}");
}

// Section 9.1: split strategies.

const WORKED: &str = "
    #players = a(1), b(1) #pieces = e, x #variables =
    #board = rectangle(up, down, left, right, [e, e, e] [e, x, e] [e, e, e])
    #rules = (up+down)* (left+right) up (up+down) (left+right) {e}
             ([x] + up [x] + {e}(up+left) + {?(up+[x])}) (left + {e} + ->b) [x,e] ->>";

fn split(strategy: Strategy) -> (String, usize) {
    let game = game(WORKED);
    let rules = strategy.apply(&game.rules);
    assert_eq!(numbers(&rules), numbers(&game.rules), "modifier numbers stay");
    (print::rule(&rules, &game.declarations), count_dots(&rules))
}

#[test]
fn worked_example_of_split_strategies() {
    let (plain, dots) = split(Strategy::Mod);
    assert_eq!(
        (plain.as_str(), dots),
        (
            "(up + down)* (left + right) up (up + down) (left + right) {e} \
             ([x] + up [x] + {e} (up + left) + {? up + [x]}) (left + {e} + ->b) ([x] + [e]) ->>",
            0
        )
    );
    let (plus, dots) = split(Strategy::ModPlus);
    assert_eq!(
        (plus.as_str(), dots),
        (
            "(up + down)* (left + right) up (up + down) (left + right) {e} \
             ([x] + . up [x] + . {e} (up + left) + . {? up + [x]}) (. left + . {e} + ->b) \
             ([x] + [e]) ->>",
            5
        )
    );
    let (shift, dots) = split(Strategy::ModShift);
    assert_eq!(
        (shift.as_str(), dots),
        (
            "((up + down) .)* (left + right) . up (up + down) . (left + right) {e} \
             ([x] + up [x] + {e} (up + left) + {? up + [x]}) (left + {e} + ->b) ([x] + [e]) ->>",
            3
        )
    );
    let (both, dots) = split(Strategy::ModPlusShift);
    assert_eq!(
        (both.as_str(), dots),
        (
            "((up + down) .)* (left + right) . up (up + down) . (left + right) {e} \
             ([x] + . up [x] + . {e} (up + left) + . {? up + [x]}) (. left + . {e} + ->b) \
             ([x] + [e]) ->>",
            8
        )
    );
}

#[test]
fn indecisive_splits_are_joined() {
    // From the left end of a line of three: `right*` is a choice of vertex, so `[x]` is decisive.
    // What follows it, a dot and `[a]`, is each the only way to go on. Switches always split.
    let text = "
        #players = white(1) #pieces = e, x, a #variables =
        #board = rectangle(up, down, left, right, [e, x, a])
        #rules = ->white right* {e} [x] . [a] ->> {}";
    let first = game(text);
    let joined = indecisive::remove(&first, &first.rules);
    assert_eq!(
        print::rule(&joined.rules, &first.declarations),
        "->white right* {e} [x] [a] ->> {}"
    );
    assert_eq!(joined.removed_dots, 1);
    assert_eq!(joined.modifiers, BTreeSet::from([ModifierIndex(3)]));

    // `left` leads nowhere from there, so that `[x]` has one vertex; then there is a real choice.
    let text = text.replace("right* {e} [x] . [a]", "(left + right) [x] . ([a] + [e])");
    let second = game(&text);
    let joined = indecisive::remove(&second, &second.rules);
    assert_eq!(
        print::rule(&joined.rules, &second.declarations),
        "->white (left + right) [x] ([a] + [e]) ->> {}"
    );
    assert_eq!(joined.removed_dots, 1);
    assert_eq!(joined.modifiers, BTreeSet::from([ModifierIndex(2)]));
}
