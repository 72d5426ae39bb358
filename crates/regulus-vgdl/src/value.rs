//! Values of parameters: the type of a value is decided by its text alone.

use crate::direction::Direction;

/// What a value is, in the order in which the reference framework tries.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Direction(Direction),
    /// A named colour; used for drawing only.
    Colour,
    Int(i32),
    Double(f64),
    Bool(bool),
    Text,
}

/// The colour names of the reference framework.
pub(crate) const COLOURS: [&str; 25] = [
    "GREEN",
    "BLUE",
    "RED",
    "GRAY",
    "WHITE",
    "BROWN",
    "BLACK",
    "ORANGE",
    "YELLOW",
    "PINK",
    "GOLD",
    "LIGHTRED",
    "LIGHTORANGE",
    "LIGHTBLUE",
    "LIGHTGREEN",
    "LIGHTYELLOW",
    "LIGHTGRAY",
    "DARKGRAY",
    "DARKBLUE",
    "PURPLE",
    "LIGHTBROWN",
    "LIGHTPURPLE",
    "DARKGREEN",
    "DARKRED",
    "CYAN",
];

impl Value {
    /// Reads a value.
    pub fn parse(key: &str, text: &str) -> Value {
        match text {
            "UP" => return Value::Direction(Direction::UP),
            "DOWN" => return Value::Direction(Direction::DOWN),
            "LEFT" => return Value::Direction(Direction::LEFT),
            "RIGHT" => return Value::Direction(Direction::RIGHT),
            "NONE" => return Value::Direction(Direction::NONE),
            "NIL" => return Value::Direction(Direction::NIL),
            "GRID" => return Value::Int(0),
            "CONT" => return Value::Int(1),
            _ if COLOURS.contains(&text) => return Value::Colour,
            _ => {}
        }
        let key_is = |name: &str| key.eq_ignore_ascii_case(name);
        if key_is("scoreChange") || key_is("scoreChangeIfKilled") {
            return Value::Text;
        }
        if let Ok(number) = text.parse::<i32>() {
            return Value::Int(number);
        }
        if let Some(number) = double(text) {
            return Value::Double(number);
        }
        let stays_text = key_is("win") || key_is("hidden") || key_is("invisible");
        if !stays_text && text.eq_ignore_ascii_case("true") {
            return Value::Bool(true);
        }
        if !stays_text && text.eq_ignore_ascii_case("false") {
            return Value::Bool(false);
        }
        Value::Text
    }

    /// What it is, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Direction(_) => "a direction",
            Value::Colour => "a colour",
            Value::Int(_) => "a whole number",
            Value::Double(_) => "a number",
            Value::Bool(_) => "true or false",
            Value::Text => "a name",
        }
    }
}

/// A number as Java's `Double.parseDouble` reads it: Rust's, plus a suffix `d` or `f`, minus the words
/// that only Rust reads as infinity.
fn double(text: &str) -> Option<f64> {
    let digits = text.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(text);
    if !digits.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    digits.parse::<f64>().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_decides_the_type() {
        assert_eq!(Value::parse("limit", "3"), Value::Int(3));
        assert_eq!(Value::parse("limit", "3.0"), Value::Double(3.0));
        assert_eq!(Value::parse("limit", "-0.5"), Value::Double(-0.5));
        assert_eq!(Value::parse("killSecond", "tRue"), Value::Bool(true));
        assert_eq!(Value::parse("win", "True"), Value::Text);
        assert_eq!(Value::parse("orientation", "UP"), Value::Direction(Direction::UP));
        assert_eq!(Value::parse("stype", "infinity"), Value::Text);
        assert_eq!(Value::parse("scoreChange", "2"), Value::Text);
    }
}
