//! Finding games by what somebody typed.

/// Letters and digits in lower case: `theMillGame`, `the-mill-game` and `The Mill Game` are one name.
pub(crate) fn folded(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
