//! What somebody may have meant.

/// Words longer than this get no suggestions.
const LONGEST_SUGGESTED: usize = 128;

/// At most this many candidates of fitting length are compared.
const MAX_CANDIDATES: usize = 500;

/// The candidate nearest to a misspelt word, if one is near enough to be meant.
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let allowed = word.chars().count() / 3;
    if word.len() > LONGEST_SUGGESTED {
        return None;
    }
    let folded = word.to_ascii_lowercase();
    candidates
        .into_iter()
        .filter(|c| *c != word && c.len().abs_diff(word.len()) <= allowed)
        .take(MAX_CANDIDATES)
        .map(|c| (strsim::damerau_levenshtein(&folded, &c.to_ascii_lowercase()), c))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn suggestions_are_near() {
        assert_eq!(did_you_mean("whitePwan", ["whitePawn", "blackPawn"]), Some("whitePawn"));
        assert_eq!(did_you_mean("purple", ["white", "black"]), None);
        assert_eq!(did_you_mean("Up", ["up", "down"]), Some("up"));
        assert_eq!(did_you_mean("x", ["y"]), None);
    }
}
