//! One character for every piece, wherever boards are shown.

use regulus_rbg::declarations::Declarations;

/// One letter for every piece. A dot stands for an empty vertex; pieces named after the first player
/// are upper case, those named after the second lower case. A kind of piece that is named after
/// another, as `whiteUnmovedKing` after `whiteKing`, looks like it.
pub fn symbols(declarations: &Declarations) -> Vec<char> {
    let pieces = declarations.pieces();
    let players = declarations.players();
    let mut symbols: Vec<Option<char>> = vec![None; pieces.len()];
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    // Plain names choose their letter first.
    order.sort_by_key(|i| pieces[*i].chars().filter(char::is_ascii_uppercase).count());
    for i in order {
        let name = &pieces[i];
        if matches!(name.as_str(), "e" | "empty" | "none") && !symbols.contains(&Some('.')) {
            symbols[i] = Some('.');
            continue;
        }
        let owner = players.iter().position(|p| belongs_to(name, p));
        let prefix =
            owner.map(|o| players[o].as_str()).filter(|p| name.starts_with(p)).unwrap_or("");
        let kind = if name.len() > prefix.len() { &name[prefix.len()..] } else { name };
        let word = last_word(kind);
        let plain = pieces.iter().position(|p| *p == format!("{prefix}{word}") && p != name);
        if let Some(symbol) = plain.and_then(|p| symbols[p]).filter(|_| !prefix.is_empty()) {
            symbols[i] = Some(symbol);
            continue;
        }
        let lower = owner == Some(1);
        let cased = |c: char| if lower { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        // `tile7` is best known by its number.
        let digit = name.chars().next_back().filter(char::is_ascii_digit);
        symbols[i] = digit
            .into_iter()
            .chain(word.chars())
            .chain(kind.chars())
            .map(cased)
            .chain(('A'..='Z').map(cased))
            .chain('a'..='z')
            .chain('A'..='Z')
            .chain('!'..='~')
            .find(|c| *c != '.' && !symbols.contains(&Some(*c)));
    }
    symbols.into_iter().map(|s| s.unwrap_or('?')).collect()
}

/// True if a piece is named after a player: `whitePawn` and `w` belong to `white`.
pub fn belongs_to(piece: &str, player: &str) -> bool {
    piece.starts_with(player) || (piece.len() == 1 && player.starts_with(piece))
}

/// `King` of `UnmovedKing`.
fn last_word(name: &str) -> &str {
    &name[name.rfind(|c: char| c.is_ascii_uppercase()).unwrap_or(0)..]
}
