//! Loops of the keeper that take whole regions end as the interpreter ends them, on random boards: playouts of games in
//! which the players have no choice.

#![allow(clippy::unwrap_used)]

use regulus_game::{Engine, Random};
use regulus_rbg::declarations::{Player, Variable};
use regulus_rbg::{Game, Source, load};
use regulus_reasoner::native::Native;
use regulus_reasoner::{Interpreter, random_playout};

/// What the keepers have in common.
const RULES: &str = "
    #any = ((up* + down*) (left* + right*))
    #near = (up + left + down + right)
    #centre = down down right right right
    #touches(piece; other) = (near {piece})* near {other}
    #fill(old; new) = [new] (touches(new; old) [new])* {! touches(new; old)}
    #taken(it) = near {it} {! touches(it; e)}
    #next(me; it) = touches(e; me) taken(it)
    #take(me; it) = (
        {! taken(it)}
      + taken(it) fill(it; e) (next(me; it) fill(it; e))* {! next(me; it)})
    #land(me; it) = any {e} {? touches(e; me)} {! touches(e; it)}
    #own(me; it; mark) = (land(me; it) fill(e; mark))* {! land(me; it)}
    #loses = any {x} near {y}
";

/// What a keeper does, and the pieces that the board is made of.
const KEEPERS: [(&str, &[&str]); 9] = [
    // Stones are taken, then somebody passes where the pointer is.
    ("centre [x] take(x; y)", &["e", "x", "y", "y", "y", "x"]),
    ("centre [x] take(x; y) [$ v = e] any {e} [z]", &["x", "y"]),
    ("centre [x] take(x; y) own(x; y; z)", &["e", "x", "y", "x", "y"]),
    ("own(x; y; z) own(y; x; y)", &["e", "e", "x", "y"]),
    ("own(x; y; x) [$ v = 3]", &["e", "e", "e", "e", "x", "y"]),
    // One of several regions.
    ("centre near {y} fill(y; z)", &["e", "x", "y", "y"]),
    ("any {y} fill(y; z) touches(z; x) [$ v = 1]", &["e", "x", "y"]),
    ("any {y} near {x} fill(x; z) near {e} fill(e; y)", &["e", "x", "y"]),
    // All that can be taken.
    ("(loses [x] ->>)* {! loses} (loses [x])* {! loses}", &["e", "y", "y", "x"]),
];

fn game(keeper: &str, pieces: &[&str], random: &mut Random) -> Game {
    let rows = (0..5).map(|_| {
        let row = (0..6).map(|_| pieces[random.below(pieces.len() as u64) as usize]);
        format!("[{}]", row.collect::<Vec<_>>().join(", "))
    });
    let board: Vec<String> = rows.collect();
    let text = format!(
        "#players = a(99), b(99) #pieces = e, x, y, z #variables = v(99)
         #board = rectangle(up, down, left, right, {}) {RULES}
         #rules = ->a ->> {keeper} [$ a = x] [$ b = y] ->b [$ v = v + 1] ->> [$ a = z] {{}}",
        board.join(" ")
    );
    let loaded = load(&Source::new("floods", &text));
    loaded.game.unwrap_or_else(|| panic!("{keeper}: {:?}", loaded.diagnostics))
}

#[test]
fn regions_end_alike() {
    for (keeper, pieces) in KEEPERS {
        let mut random = Random::new(7);
        let mut changed = 0;
        for board in 0..12 {
            let game = game(keeper, pieces, &mut random);
            let (interpreter, native) = (Interpreter::new(&game), Native::new(&game).unwrap());
            let (mut state, mut other) = (interpreter.initial(), native.initial());
            let mut slow = interpreter.worker();
            let playout = random_playout(&mut slow, &mut state, &mut random).unwrap();
            let length = native.worker().playout(&mut other, false, &mut random).unwrap();
            let what = format!("{keeper}, board {board}");
            assert_eq!(playout.length as u64, length, "{what}: moves");
            for v in game.board.vertices() {
                let name = game.board.name(v);
                assert_eq!(state.piece(v), native.piece(&other, v), "{what}: {name}");
                changed += usize::from(game.board.piece(v) != state.piece(v));
            }
            for v in (0..game.declarations.variables().len()).map(|v| Variable(v as u16)) {
                assert_eq!(state.variable(v), native.variable(&other, v), "{what}: variables");
            }
            assert_eq!(u64::from(playout.scores[0]), u64::from(native.score(&other, Player(1))));
        }
        assert!(changed > 10, "{keeper}: only {changed} pieces were changed");
    }
}
