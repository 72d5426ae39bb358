//! Moves as text for other programs, in the encoding of the RBG game manager.

use regulus_game::Step;

/// `vertex index vertex index ...`, both counted from 1.
pub fn text(steps: &[Step]) -> String {
    let pair = |s: &Step| format!("{} {}", s.vertex, s.action);
    steps.iter().map(pair).collect::<Vec<_>>().join(" ")
}

/// Reads [`text`]; says what is wrong with a text that cannot be a move.
pub fn parse(words: &str) -> Result<Vec<Step>, String> {
    let numbers = words
        .split_whitespace()
        .map(|word| {
            let number = word.parse::<u16>().ok().filter(|n| *n > 0);
            number.ok_or_else(|| format!("`{word}` is no number from 1 to {}", u16::MAX))
        })
        .collect::<Result<Vec<u16>, String>>()?;
    if numbers.is_empty() || numbers.len() % 2 == 1 {
        return Err("a move is pairs of a vertex and a modifier, as `56 2 48 3`".to_owned());
    }
    let step = |pair: &[u16]| Step { vertex: pair[0], action: i32::from(pair[1]) };
    Ok(numbers.chunks(2).map(step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_encoding_is_read_and_written() {
        let steps = parse("56 2 48 3").expect("a move");
        assert_eq!(steps[0], Step { vertex: 56, action: 2 });
        assert_eq!(text(&steps), "56 2 48 3");
        assert!(parse("56 2 48").is_err());
        assert!(parse("").is_err());
        assert!(parse("0 1").is_err());
        assert!(parse("a 1").expect_err("wrong").contains("`a`"));
    }
}
