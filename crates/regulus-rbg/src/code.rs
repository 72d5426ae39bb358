//! The registry of diagnostic codes: number, severity, title, and the paragraph that
//! `regulus explain` prints. A code is declared here once; everything else refers to it.

pub use regulus_diagnostic::Severity;

regulus_diagnostic::codes! { "RBG";
    InvalidUtf8 = 1, Error, "the file is not valid UTF-8",
        "A description is text. Names and symbols are plain ASCII; comments may hold any characters, \
         but the file must be encoded in UTF-8.",
        "// caf\\xe9 (Latin-1 bytes)" => "// café (UTF-8)";
    StrayCharacter = 2, Error, "a character that is not part of the language",
        "Only letters, digits, white space and the symbols of the language may occur outside \
         comments. In particular names have no underscore.",
        "#my_macro = up" => "#myMacro = up";
    UnterminatedComment = 3, Error, "a comment that never ends",
        "A comment opened by `/*` must be closed by `*/`. Such comments do not nest.",
        "/* the rules" => "/* the rules */";
    FileTooLarge = 4, Error, "the file is too large",
        "A description may have at most 4 MiB. The largest known ones have a few kilobytes; repeat \
         things with macros and `^` instead of copies.";
    NumberTooLarge = 5, Error, "a number that is too large",
        "Numbers must be below 4294967295 (2^32 - 1), so that every variable fits in 32 bits.",
        "#variables = turn(99999999999)" => "#variables = turn(99)";
    WordTooLong = 6, Error, "a name or number that is too long",
        "Names and numbers have at most 255 characters, also those that `~` makes in macros.";
    NoDirective = 10, Error, "expected a directive",
        "A description is a sequence of directives, each beginning with `#`: the sections `#players`, \
         `#pieces`, `#variables`, `#board` and `#rules`, and macro definitions. Nothing may stand \
         before the first one.",
        "players = white(100)" => "#players = white(100)";
    MalformedDirective = 11, Error, "a malformed directive",
        "After `#` comes the name of a section or of a macro, then `=`, then its content up to the \
         next `#`.",
        "#turn white" => "#turn = white";
    MissingSection = 12, Error, "a section is missing",
        "Every description has the five sections `#players`, `#pieces`, `#variables`, `#board` and \
         `#rules`. `#variables =` may be empty, but it must be there.",
        "#players = white(100) #pieces = e #board = ... #rules = ..." =>
        "#players = white(100) #pieces = e #variables = #board = ... #rules = ...";
    DuplicateSection = 13, Error, "a section is given twice",
        "Each of the five sections is given once. The original tools silently use the later one; \
         here it is an error, because one of the two is certainly not meant.",
        "#pieces = e, w #pieces = e, b" => "#pieces = e, w, b";
    EmptySection = 14, Error, "an empty section",
        "Only `#variables` may be empty: a game needs a player, a piece, a board and rules.",
        "#players =" => "#players = white(100)";
    MacroArity = 20, Error, "a macro used with the wrong number of arguments",
        "A macro with parameters is used with as many arguments, separated by `;`. An argument may \
         be empty: `m(;)` passes two empty arguments.",
        "#step(a;b) = a b #rules = step(up)" => "#step(a;b) = a b #rules = step(up; left)";
    MacroRedefined = 21, Error, "a macro is defined twice",
        "A macro cannot be redefined. The original tools announce that the later definition wins \
         but keep using the first; here it is an error. Macros of the same name with different \
         numbers of parameters are different macros and may coexist.",
        "#step = up #step = down" => "#stepUp = up #stepDown = down";
    MacroMixedArity = 22, Error, "a macro name with and without parameters",
        "A name that is a macro without parameters cannot also be a macro with parameters: in \
         `m (a)` it would be unclear whether `(a)` is an argument.",
        "#step = up #step(a) = a" => "#step = up #stepBy(a) = a";
    UnclosedArguments = 23, Error, "macro arguments that never end",
        "The arguments of a macro stand in round brackets, which must balance. Other brackets are \
         not counted while looking for the end.",
        "#go(me; you) = ->me #rules = go(white; black" => "#go(me; you) = ->me #rules = go(white; black)";
    MacroNotYetDefined = 24, Error, "a macro used before its definition",
        "A macro is visible only below its definition; so macros cannot be recursive, and every \
         expansion ends. Move the definition up.",
        "#rules = go #go = ->white up" => "#go = ->white up #rules = go";
    PasteOutsideMacro = 25, Error, "`~` outside a macro",
        "`a~b` glues two words into one, which makes sense only where one of them is a parameter: \
         inside the body of a macro.",
        "#rules = white~Pawn" => "#pawn(color) = color~Pawn";
    BadPaste = 26, Error, "pasting does not give a token",
        "`~` glues words (names, numbers) into a name, numbers into a number, or two parts of a \
         symbol such as `-` and `>`. The result must be one token.",
        "#m(a) = a~{" => "#m(a) = a {";
    DanglingTilde = 27, Error, "`~` without something to paste",
        "`~` stands between two things. An operand that expands to nothing is fine, but there must \
         be one on each side.",
        "#m(a) = a~" => "#m(a) = a~Pawn";
    ExpansionTooLarge = 28, Error, "macros expand to too much text",
        "Macro expansion stops after two million tokens. Macros that use each other several times \
         grow exponentially; a chain of macros that use each other once may be as long as it likes.";
    MalformedParameters = 30, Error, "malformed macro parameters",
        "The parameters of a macro are different names separated by `;` in round brackets.",
        "#turn(me, opp) = ->me" => "#turn(me; opp) = ->me";
    ExpectedName = 40, Error, "expected a name",
        "The sections `#players`, `#pieces` and `#variables` are lists of names separated by commas; \
         names of players and variables carry their bound in brackets.",
        "#pieces = e, 5" => "#pieces = e, p5";
    MissingComma = 41, Error, "a comma is missing",
        "Names in a list, and cells in a board line, are separated by commas. The original tools \
         silently drop the second of two cells without a comma between them.",
        "#pieces = e w" => "#pieces = e, w";
    BadBound = 42, Error, "a missing or wrong bound",
        "Players and variables are declared with their largest value, a positive number: a player's \
         variable is the score, from 0 to the bound.",
        "#players = white, black(0)" => "#players = white(100), black(100)";
    NameClash = 43, Error, "a name is declared twice",
        "Pieces, players, variables and edge labels share one name space, and two players need two \
         names: in the rules a name must mean one thing.",
        "#players = white(100), white(100)" => "#players = white(100), black(100)";
    ReservedWord = 44, Error, "a reserved word used as a name",
        "`players`, `pieces`, `variables`, `rules`, `board`, `hexagon`, `cuboid` and `rectangle` are \
         reserved. (`Board` with a capital letter is a name.)",
        "#pieces = empty, board" => "#pieces = empty, plank";
    TooManyNames = 45, Error, "too many names",
        "A game may have at most 255 pieces, 255 edge labels, 64 players and 1024 variables.";
    BoardSyntax = 50, Error, "a malformed board",
        "A board is `rectangle(up, down, left, right, lines)`, `hexagon(nw, ne, e, se, sw, w, lines)`, \
         `cuboid(up, down, left, right, front, back, [lines] [lines])`, or a list of vertices \
         `name [piece] {label: target, label: target}`.",
        "#board = rectangle(up, down, left, [e, e])" => "#board = rectangle(up, down, left, right, [e, e])";
    RaggedBoard = 51, Error, "board lines of wrong length",
        "All lines of a rectangle, and of all layers of a cuboid, have the same length; a cell with \
         nothing in it is a hole. In a hexagon each line is one longer than the one before up to the \
         widest, and from there one shorter.",
        "#board = rectangle(up,down,left,right, [e,e] [e])" => "#board = rectangle(up,down,left,right, [e,e] [e,])";
    UnknownPiece = 52, Error, "not a piece",
        "What stands on a board cell must be declared in `#pieces`.",
        "#pieces = e, w #board = rectangle(up,down,left,right, [e,x])" =>
        "#pieces = e, w, x #board = rectangle(up,down,left,right, [e,x])";
    DuplicateVertex = 54, Error, "a vertex is declared twice",
        "Every vertex of an explicit graph has its own name.",
        "a [e] {n: b} a [e] {n: b}" => "a [e] {n: b} b [e] {n: a}";
    UnknownVertex = 55, Error, "an unknown vertex",
        "The target of an edge must be declared as a vertex of the graph, above or below.",
        "a [e] {n: z}" => "a [e] {n: b} b [e] {n: a}";
    DuplicateEdge = 56, Error, "two edges with the same label",
        "A vertex has at most one edge of each label, so that following a label has one result; and \
         the labels given to a board generator are all different.",
        "a [e] {n: b, n: c}" => "a [e] {n: b, m: c}";
    TooManyVertices = 58, Error, "the board is too large",
        "A board may have at most 65535 vertices.";
    EmptyBoard = 59, Error, "a board without vertices",
        "A board needs at least one vertex: the pointer starts on the first.",
        "#board = rectangle(up,down,left,right, [,])" => "#board = rectangle(up,down,left,right, [e,])";
    UnexpectedToken = 60, Error, "something unexpected",
        "The rules are an expression: actions one after the other, alternatives separated by `+`, \
         repetition by `*` and `^n`, and brackets.",
        "#rules = up +> down" => "#rules = up + down";
    UnclosedBracket = 61, Error, "a bracket that does not match",
        "Every bracket is closed by its partner: `(` by `)`, `[` and `[$` by `]`, `{`, `{?`, `{!` and \
         `{$` by `}`.",
        "#rules = (up" => "#rules = (up)";
    UndeclaredName = 62, Error, "a name that is not declared",
        "A name in the rules is a piece, a player, a variable, an edge label of the board or a macro \
         defined above.",
        "#rules = forward" => "#forward = up #rules = forward";
    TypeMismatch = 63, Error, "something of the wrong kind",
        "Moves are combined with `+`, juxtaposition, `*` and `^`; numbers with `+ - * /` inside `{$ }` \
         and `[$ ]`. `{ }` and `[ ]` hold pieces, `{? }` and `{! }` hold moves, `{$ }` a comparison, \
         `[$ ]` assignments to variables.",
        "{$ turn}" => "{$ turn == 5}";
    BadSuffix = 64, Error, "`*` or `^` after something that is not a plain move",
        "A suffix may follow an edge label or a round bracket. Tests and modifiers take one only in \
         round brackets, so that it is clear that the whole is repeated.",
        "{e} up {e}*" => "{e} up ({e})*";
    DoubleSuffix = 65, Error, "two suffixes in a row",
        "Write brackets to say what is repeated: `(up^2)*`.",
        "up^2*" => "(up^2)*";
    PowerZero = 66, Error, "repeating zero times",
        "`x^0` would mean doing nothing. The original tools quietly take it for one copy; so it is an \
         error here. Leave `x` out.",
        "up^0 left" => "left";
    EmptyExpression = 67, Error, "an empty expression",
        "`()` and an empty alternative such as `(a + )` are not expressions. Only `{}` (never \
         succeeds) and `[]` may be empty. To do nothing in one alternative, repeat what is done \
         otherwise: `(a b + b)`.",
        "(up + ) left" => "(up left + left)";
    NotAPlayer = 68, Error, "a switch to something that is not a player",
        "`->name` hands the move over to a player declared in `#players`; `->>` to the keeper.",
        "->purple" => "->white";
    SwitchInCondition = 69, Error, "a switch inside a condition",
        "A condition `{? }` or `{! }` only looks whether a walk exists; handing the move over inside \
         one has no meaning.",
        "{? up ->white}" => "{? up} ->white";
    EndlessLoop = 70, Error, "a loop that can repeat with nothing changed",
        "A move is the list of modifiers on its way. If a loop without a switch can come back to the \
         same position with the same board and variables after passing a modifier, there are \
         infinitely many moves. Loops that the position bounds, such as capture chains, are fine.",
        "([x])*" => "({e} [x])*";
    NeverInBounds = 71, Error, "an assignment that can never succeed",
        "An assignment fails when the value is negative or above the bound of the variable. This one \
         always fails, so the moves through it never happen.",
        "#variables = x(100) ... [$ x = 300]" => "#variables = x(300) ... [$ x = 300]";
    DivisionByZero = 72, Error, "division by zero",
        "The divisor is always zero. (A division by a variable that happens to be zero makes the \
         action fail.)",
        "{$ turn / 0 == 1}" => "{$ turn / 2 == 1}";
    TooDeep = 73, Error, "brackets are nested too deeply",
        "Brackets may be nested 250 levels deep.";
    RulesTooLarge = 74, Error, "the rules are too large",
        "After macros and `^` the rules may have at most 250000 actions, operators and numbers.",
        "((up^1000)^1000)^1000" => "up*";
    NegativeNumber = 75, Error, "a negative number",
        "Variables are never negative, and numbers are written without a sign. A difference such as \
         `x - 1` is fine.",
        "[$ x = -1]" => "[$ x = x - 1]";
    NumbersOverflow = 76, Error, "numbers that can overflow",
        "Expressions are computed with 64-bit integers. With the declared bounds this one could leave \
         their range.";
    TrailingTokens = 77, Error, "something left over",
        "The section ends before this. The original tools ignore what follows with a warning; here it \
         is an error, because it would silently not be part of the game.",
        "#board = rectangle(up,down,left,right,[e]) e" => "#board = rectangle(up,down,left,right,[e])";
    UnusedMacro = 101, Warning, "a macro is never used",
        "The macro is used neither in a section nor in another macro.",
        "#old = up #rules = down" => "#rules = down";
    UnusedPiece = 102, Warning, "a piece is never used",
        "The piece is neither on the board nor in the rules.",
        "#pieces = e, ghost" => "#pieces = e";
    UnusedVariable = 103, Warning, "a variable is never read",
        "The variable is not read by any comparison or assignment. If it is assigned at all, only its \
         bound can have an effect; a counter written as `[$ t = t + 1]` reads itself and is not \
         reported.",
        "#variables = ghost(5)" => "#variables =";
    UnreachableAlternative = 104, Warning, "an alternative that can never succeed",
        "No position lets this alternative reach its end or a switch: the edges it follows do not \
         exist where it can start, or two tests on the same vertex contradict each other.",
        "({e} {w} [x] + [e])" => "({e,w} [x] + [e])";
    PlayerNeverMoves = 105, Warning, "a player never moves",
        "No reachable switch names the player.",
        "#players = white(100), black(100) #rules = (->white up)*" =>
        "#rules = (->white up ->black down)*";
    NeverEnds = 106, Warning, "nothing bounds the length of the game",
        "The rules have no stop such as `->> {}`, no counter whose bound ends the game, and no piece \
         that is used up or fills the board with every turn. Such a game may go on for ever, and \
         random playouts with it. Add a turn counter: `[$ turn = turn + 1]`.",
        "#rules = (->white up ->black down)*" =>
        "#variables = turn(99) #rules = (->white up ->black down [$ turn = turn + 1])*";
    SumUnderSuffix = 107, Warning, "a suffix binds only to the end of a macro",
        "Macros are text. A macro `#m = up + down` used as `m*` means `up + down*`. Parenthesise the \
         body: `#m = (up + down)`.",
        "#m = up + down #rules = m* ->>" => "#m = (up + down) #rules = m* ->>";
    DuplicatePiece = 108, Warning, "a piece is declared twice",
        "The second declaration has no effect.",
        "#pieces = e, w, e" => "#pieces = e, w";
    OverAtOnce = 109, Warning, "a game that is over before it begins",
        "No walk from the beginning of the rules reaches a switch: the game is over before it begins.",
        "#rules = {} ->white" => "#rules = ->white";
    EndlessKeeper = 110, Warning, "a keeper that can go on for ever",
        "The keeper moves until he hands over to a player. Here he can come back to the same place \
         in the rules with the same board, variables and vertex, by switches to himself only; if he \
         does, the game never goes on, and running it ends in an error. Let the loop end in a switch \
         to a player, or test something that every round changes.",
        "->> (up ->> down ->>)* ->black" => "->> up ->black";
    KeeperHasChoice = 111, Warning, "a keeper with more than one outcome",
        "The keeper decides nothing, so his part should have one result. Here two ways on are possible \
         in the same state, and they leave something different behind: a piece, a variable, or who moves \
         next. Regulus takes the way that comes first in the rules: of alternatives the first that \
         leads to a switch, and another round of a repetition before what follows it. A manager or \
         players of another implementation may take another one, and then they no longer play the \
         same game. (Nor is this a way to draw lots: the first way is taken every time.) Add tests, so \
         that only one way is possible.",
        "->> ([$ turn = 1] + [$ turn = 2]) ->black {$ turn == 1}" =>
        "->> ({e} [$ turn = 1] + {w, b, x} [$ turn = 2]) ->black {$ turn == 1}";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_unique_and_sorted() {
        assert!(Code::ALL.is_sorted_by(|a, b| a.number() < b.number()));
        for code in Code::ALL {
            assert_eq!(Code::parse(&code.id()), Some(*code));
            assert_eq!(code.severity() == Severity::Warning, code.number() > 100);
        }
        assert_eq!(Code::parse("rbg12"), Some(Code::MissingSection));
        assert_eq!(Code::parse("RBG9999"), None);
        assert_eq!(Code::parse("żółw"), None);
    }
}
