//! Finding games by what somebody typed.

/// Letters and digits in lower case: `theMillGame`, `the-mill-game` and `The Mill Game` are one name.
pub(crate) fn folded(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The game whose name is most like a misspelt one, if one is like it at all.
pub(crate) fn nearest<G>(
    games: &'static [G],
    name_of: fn(&G) -> &'static str,
    misspelt: &str,
) -> Option<&'static G> {
    let wanted = folded(misspelt);
    games
        .iter()
        .map(|game| (strsim::damerau_levenshtein(&wanted, &folded(name_of(game))), game))
        .filter(|(distance, game)| *distance * 3 <= name_of(game).len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, game)| game)
}
