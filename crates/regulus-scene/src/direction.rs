//! What the name of an edge says about where it leads.

/// Right (1) or left (-1), down (1) or up (-1), as far as a name such as `downLeft` or `NE` tells it.
pub fn direction(name: &str) -> Option<(i32, i32)> {
    const WORDS: [(&str, (i32, i32)); 12] = [
        ("north", (0, -1)),
        ("south", (0, 1)),
        ("right", (1, 0)),
        ("down", (0, 1)),
        ("left", (-1, 0)),
        ("east", (1, 0)),
        ("west", (-1, 0)),
        ("up", (0, -1)),
        ("n", (0, -1)),
        ("s", (0, 1)),
        ("e", (1, 0)),
        ("w", (-1, 0)),
    ];
    let (mut rest, mut sum) = (name.to_ascii_lowercase(), (0, 0));
    while !rest.is_empty() {
        let (word, (x, y)) = WORDS.into_iter().find(|(word, _)| rest.starts_with(word))?;
        sum = (sum.0 + x, sum.1 + y);
        rest.drain(..word.len());
        rest = rest.trim_start_matches('_').to_owned();
    }
    (sum != (0, 0)).then_some((sum.0.signum(), sum.1.signum()))
}

#[cfg(test)]
mod tests {
    use super::direction;

    #[test]
    fn names_say_where() {
        assert_eq!(direction("up"), Some((0, -1)));
        assert_eq!(direction("downLeft"), Some((-1, 1)));
        assert_eq!(direction("southeast"), Some((1, 1)));
        assert_eq!(direction("NW"), Some((-1, -1)));
        assert_eq!(direction("next"), None);
        assert_eq!(direction("leftright"), None);
    }
}
