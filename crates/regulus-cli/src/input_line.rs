//! Lines that a person or a script enters.

use std::io::{self, BufRead};

use regulus_player::bounded_file::read_line;

use crate::failure::Failure;

/// Nobody enters more in a line.
const MAX_LINE: u64 = 1 << 20;

/// Reads a line; nothing at the end of the input.
pub fn input_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    let length = read_line(input, &mut line, MAX_LINE)?;
    Ok((length > 0).then_some(line))
}

/// What is said if there is no line to be had.
pub fn no_input(error: io::Error) -> Failure {
    Failure::Failed(format!("cannot read the input: {error}"))
}
