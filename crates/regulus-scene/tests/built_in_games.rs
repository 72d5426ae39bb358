//! Pictures of all built-in games: nothing covers anything else, everything is inside, and pieces can be told
//! apart.

use regulus_rbg::{Game, Source, load};
use regulus_scene::{CellShape, FIGURES, Hints, Kind, Picture};

fn game(name: &str, text: &str) -> Game {
    load(&Source::new(name, text)).game.unwrap_or_else(|| panic!("{name} is a game"))
}

fn drawn(name: &str, text: &str) -> Picture {
    Picture::new(&game(name, text), &Hints::read(text))
}

fn picture(name: &str) -> Picture {
    let text = regulus_games::find(name).expect("a built-in game").text;
    drawn(name, text)
}

fn check(name: &str, picture: &Picture) {
    let scene = &picture.scene;
    assert_eq!(scene.cells.len(), picture.board.len(), "{name}: a cell for every vertex");
    for (i, cell) in scene.cells.iter().enumerate() {
        assert_eq!(usize::from(cell.vertex), i + 1, "{name}: cells are in order");
        assert!(!cell.name.is_empty());
        let half = cell.size / 2.0;
        assert!(cell.x >= half && cell.x <= scene.width - half, "{name}: {cell:?} is outside");
        assert!(cell.y >= half && cell.y <= scene.height - half, "{name}: {cell:?} is outside");
        for other in &scene.cells[..i] {
            let (dx, dy) = ((cell.x - other.x).abs(), (cell.y - other.y).abs());
            let apart = match cell.shape {
                CellShape::Square => dx.max(dy) > 0.999,
                // The inner circles of neighbours touch.
                CellShape::Hexagon => dx.hypot(dy) > 0.999,
                CellShape::Circle | CellShape::Point => dx.hypot(dy) > 0.95,
            };
            assert!(apart, "{name}: {cell:?} covers {other:?}");
        }
    }
    for label in &scene.labels {
        let inside =
            (0.0..scene.width).contains(&label.x) && (0.0..scene.height).contains(&label.y);
        assert!(inside, "{name}: {label:?} is outside");
        let free =
            scene.cells.iter().all(|c| (c.x - label.x).abs().max((c.y - label.y).abs()) > 0.55);
        assert!(free, "{name}: {label:?} is on a cell");
    }
    for (i, look) in picture.pieces.iter().enumerate() {
        assert_eq!(look.kind == Kind::Figure, look.figure.is_some());
        assert!(look.figure.iter().all(|figure| FIGURES.contains(&figure.as_str())));
        for other in &picture.pieces[..i] {
            let letter = |l: &regulus_scene::Look| match l.kind {
                Kind::Lettered | Kind::Tile => l.letter.clone(),
                _ => None,
            };
            let seen = |l: &regulus_scene::Look| {
                (l.kind, l.figure.clone(), l.fill.clone(), letter(l), l.badge)
            };
            assert_ne!(seen(look), seen(other), "{name}: {} and {}", look.name, other.name);
        }
    }
}

#[test]
fn nothing_overlaps_and_pieces_differ() {
    for built_in in regulus_games::GAMES {
        check(built_in.name, &picture(built_in.name));
    }
}

/// The same for the reference's games, which nobody here has written.
#[test]
fn other_peoples_games() {
    let directory =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games/rbg");
    let Ok(files) = std::fs::read_dir(&directory) else {
        eprintln!("skipped: {} is not there", directory.display());
        return;
    };
    let mut count = 0;
    for file in files {
        let path = file.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "rbg") {
            let text = std::fs::read_to_string(&path).expect("text");
            let name = path.display().to_string();
            check(&name, &drawn(&name, &text));
            count += 1;
        }
    }
    assert!(count > 50, "{count} games");
}

/// The mill board is three squares in a grid of seven by seven.
#[test]
fn the_mill_board_looks_like_one() {
    let mill = picture("the-mill-game").scene;
    assert_eq!((mill.cells.len(), mill.lines.len()), (24, 32));
    let corner = &mill.cells[0];
    for cell in &mill.cells {
        // A point is named by its column and its row from the bottom.
        let name = cell.name.as_bytes();
        let expected = (f64::from(name[0] - b'a'), f64::from(b'7' - name[1]));
        let place = ((cell.x - corner.x).round(), (cell.y - corner.y).round());
        assert_eq!(place, expected, "{}", cell.name);
    }
}

/// Draughts are described on the dark squares turned by 45 degrees, and drawn as everybody knows them.
#[test]
fn draughts_are_turned_back() {
    let picture = picture("english-draughts");
    let scene = &picture.scene;
    assert_eq!((scene.cells.len(), scene.blanks.len()), (32, 32));
    assert_eq!((scene.width, scene.height), (8.3, 8.3));
    let row = |y: f64| {
        let cells = scene.cells.iter().filter(|c| (c.y - y).abs() < 0.01);
        cells
            .map(|c| {
                picture.pieces[usize::from(picture.board[usize::from(c.vertex) - 1])].name.as_str()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(row(0.65), ["blackMan"; 4]);
    assert_eq!(row(7.65), ["whiteMan"; 4]);
    let kings: Vec<_> = picture.pieces.iter().filter(|l| l.name.ends_with("King")).collect();
    assert!(kings.iter().all(|look| look.figure.as_deref() == Some("crowned")));
}

/// Pieces with names that everybody knows look as everybody expects, in the colour of their owner.
#[test]
fn known_names_have_their_natural_look() {
    let look = |game: &str, piece: &str| {
        let looks = picture(game).pieces;
        let look = looks.into_iter().find(|l| l.name == piece).expect("the piece");
        (look.figure.unwrap_or_default(), look.fill, look.badge)
    };
    let (white, black) = ("#f7f5ef".to_owned(), "#26272b".to_owned());
    assert_eq!(look("chess", "whitePawn"), ("pawn".into(), white.clone(), 0));
    assert_eq!(look("chess", "blackUnmovedKing"), ("king".into(), black.clone(), 1));
    assert_eq!(look("go", "blackStone"), ("stone".into(), black, 0));
    assert_eq!(look("amazons", "whiteAmazon"), ("queen".into(), white, 0));
    assert_eq!(look("fox-and-hounds", "redFox").0, "fox");
    assert_eq!(look("the-mill-game", "whiteMan").0, "man");
    assert_eq!(look("domineering", "verticalDomino").0, "vertical");
    assert_ne!(look("tic-tac-toe", "cross"), look("tic-tac-toe", "nought"));
}

/// Single letters belong to the players they begin.
#[test]
fn single_letters() {
    let text = "#players = white(1), black(1)\n#pieces = w, b, e\n#variables =\n\
                #board = rectangle(up, down, left, right, [w, e, b])\n#rules = ->white {w} ->> {}";
    let looks = drawn("letters", text).pieces;
    let seen = |name: &str| {
        let look = looks.iter().find(|l| l.name == name).expect("the piece");
        (look.kind, look.fill.as_str())
    };
    assert_eq!(seen("w"), (Kind::Disc, "#f7f5ef"));
    assert_eq!(seen("b"), (Kind::Disc, "#26272b"));
    assert_eq!(seen("e").0, Kind::None);
}

/// A cuboid is its layers, side by side, or in rows where that would be too wide.
#[test]
fn cuboids_are_layers() {
    let layer = "[[e, e, e] [e, e, e] [e, e, e]]";
    for (layers, in_row) in [(3, 3), (9, 3)] {
        let text = format!(
            "#players = w(1), b(1)\n#pieces = e, x\n#variables =\n#board = cuboid(up, down, left, right, \
             front, back, {})\n#rules = ->w {{e}} [x] ->> {{}}",
            layer.repeat(layers)
        );
        let picture = drawn("cuboid", &text);
        check("cuboid", &picture);
        let mut tops: Vec<f64> = picture.scene.cells.iter().map(|c| c.y).collect();
        tops.dedup();
        tops.sort_by(f64::total_cmp);
        tops.dedup();
        assert_eq!(tops.len(), 3 * layers / in_row, "{layers} layers");
    }
}

/// Hints in comments change looks and places, and nothing else.
#[test]
fn hints_are_obeyed() {
    let text = "// @piece x figure=king colour=red\n// @piece y letter=Q\n// @place a 0 0\n// @place b 2 1\n\
                #players = p(1), q(1)\n#pieces = x, y, e\n#variables =\n\
                #board = a [x] {go: b} b [e] {go: a}\n#rules = ->p go {e} [y] ->> {}";
    let picture = drawn("hints", text);
    check("hints", &picture);
    let look = |name: &str| picture.pieces.iter().find(|l| l.name == name).expect("the piece");
    assert_eq!(look("x").figure.as_deref(), Some("king"));
    assert_eq!(look("x").fill, "#c8372d");
    assert_eq!(look("y").letter.as_deref(), Some("Q"));
    let [a, b] = &picture.scene.cells[..] else { panic!("two cells") };
    assert_eq!(((b.x - a.x).round(), (b.y - a.y).round()), (2.0, 1.0));
}
