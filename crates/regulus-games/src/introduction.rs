//! The comment that opens every description: its first line is the name and the goal, then come the
//! rules in words.

/// The name and the goal from the first line of a description whose comments begin with `mark`.
pub(crate) fn title_and_goal(text: &'static str, mark: &str) -> (&'static str, &'static str) {
    let first = text.lines().next().unwrap_or("");
    let first = first.strip_prefix(mark).unwrap_or(first).trim();
    first.split_once(": ").unwrap_or((first, ""))
}

/// The opening comment without its marks.
pub(crate) fn rules_in_words(text: &str, mark: &str) -> String {
    let comment = text.lines().map_while(|line| line.strip_prefix(mark));
    comment.map(str::trim).collect::<Vec<_>>().join("\n")
}
