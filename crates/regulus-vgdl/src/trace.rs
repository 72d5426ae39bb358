//! Replaying recorded games of the reference frameworks and naming the first difference.
//!
//! A trace file holds several recordings of one level. The format, one record per line:
//!
//! ```text
//! TRACE <game> <level> <kind> <seed>
//! LEVEL <width> <height> <block size> ...
//! ACTIONS <letters>
//! INIT <state> <number of sprites> <hash>
//! = <type> <x> <y>                            sprites at the beginning
//! T <tick> <action> <state> <sprites> <hash>  after a tick
//! - <type> <x> <y>  or  + <type> <x> <y>      what changed
//! END <ticks>
//! ```
//!
//! A state is: score, ended, winner, the avatar's type, x, y, orientation x and y, alive, health and
//! resources. The hash is FNV-1a over the sorted sprite lines.

use std::fmt;
use std::sync::Arc;

use crate::action::Action;
use crate::generator::Generator;
use crate::level::Level;
use crate::state::State;

/// What replaying a file found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Recordings in the file.
    pub sequences: usize,
    /// Ticks that were compared and agreed.
    pub ticks: usize,
    /// For each recording that differs, the first difference.
    pub differences: Vec<Difference>,
}

/// The first difference of a recording.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The line of the trace file, counted from 1.
    pub line: usize,
    /// The heading of the recording.
    pub sequence: String,
    /// The tick, or none for the beginning.
    pub tick: Option<i64>,
    /// What the file says.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// Sprites that the file has and we do not (`-`), and the other way round (`+`), as far as the
    /// file lists them.
    pub sprites: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, {}, ", self.line, self.sequence)?;
        match self.tick {
            Some(tick) => writeln!(f, "tick {tick}:")?,
            None => writeln!(f, "beginning:")?,
        }
        writeln!(f, "  expected {}", self.expected)?;
        write!(f, "  found    {}", self.found)?;
        for sprite in self.sprites.iter().take(10) {
            write!(f, "\n  {sprite}")?;
        }
        Ok(())
    }
}

/// The name of the game and the level number in the first heading of a trace file.
pub fn heading(text: &str) -> Option<(&str, usize)> {
    let line = text.lines().find_map(|line| line.strip_prefix("TRACE "))?;
    let mut words = line.split(' ');
    Some((words.next()?, words.next()?.parse().ok()?))
}

/// Replays all recordings of a file on its level.
///
/// # Errors
/// A line that is not of the format.
pub fn replay(level: &Arc<Level>, text: &str) -> Result<Report, String> {
    let mut report = Report::default();
    let mut run: Option<Run> = None;
    let mut known: Option<Vec<String>> = None;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let bad = || format!("line {number} is not of the trace format: {line}");
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "TRACE" => {
                let seed = rest.split(' ').nth(3).and_then(|seed| seed.parse::<i64>().ok());
                let state = State::new(level, Generator::java(seed.ok_or_else(bad)?));
                run = Some(Run { state, heading: rest.to_owned(), differs: false });
                report.sequences += 1;
            }
            "LEVEL" | "ACTIONS" | "INIT" | "T" | "END" | "=" | "-" | "+" | "EXC" => {
                let current = run.as_mut().ok_or_else(bad)?;
                if let Some(differs) = current.line(word, rest, &mut known).ok_or_else(bad)? {
                    report.differences.push(Difference { line: number, ..differs });
                } else if word == "T" && !current.differs {
                    report.ticks += 1;
                }
            }
            "" => {}
            _ => return Err(bad()),
        }
    }
    Ok(report)
}

struct Run {
    state: State,
    heading: String,
    differs: bool,
}

impl Run {
    /// Compares a line. Nothing at all for a bad line; a difference if it is the first.
    fn line(
        &mut self,
        word: &str,
        rest: &str,
        known: &mut Option<Vec<String>>,
    ) -> Option<Option<Difference>> {
        if self.differs {
            return Some(None);
        }
        let mut tick = None;
        let (expected, found) = match word {
            "LEVEL" => {
                let level = self.state.level();
                let ((width, height), block) = (level.size(), level.block_size());
                let found = format!("{width} {height} {block}");
                let expected: Vec<&str> = rest.split(' ').take(3).collect();
                (expected.join(" "), found)
            }
            "ACTIONS" => {
                let letters = self.state.avatar_actions().iter().map(|action| action.letter());
                (rest.to_owned(), letters.collect())
            }
            "INIT" => {
                *known = None;
                (rest.to_owned(), line(&self.state))
            }
            "T" => {
                let (number, rest) = rest.split_once(' ')?;
                let (letter, rest) = rest.split_once(' ')?;
                tick = Some(number.parse().ok()?);
                let action = Action::from_letter(letter.chars().next()?)?;
                self.state.advance(action);
                (rest.to_owned(), line(&self.state))
            }
            "END" => return Some(None),
            "=" | "-" | "+" => return Some(None),
            _ => (rest.to_owned(), "no exception".to_owned()),
        };
        if expected == found {
            return Some(None);
        }
        self.differs = true;
        let sprites = sprite_lines(&self.state);
        Some(Some(Difference {
            line: 0,
            sequence: self.heading.clone(),
            tick,
            expected,
            found,
            sprites: known.take().unwrap_or(sprites),
        }))
    }
}

/// A state as a line of a trace: state, number of sprites, hash.
pub fn line(state: &State) -> String {
    let (score, ended) = (state.score(), i32::from(state.is_over()));
    let winner = state.winner().number();
    let types = state.level().game().types();
    let avatar = match state.avatar() {
        None => "null -1 -1 0 0 0 0 -".to_owned(),
        Some(avatar) => {
            let name = |id: u16| types[usize::from(id)].name.as_str();
            let mut held: Vec<(&str, i32)> =
                avatar.resources.iter().map(|&(id, amount)| (name(id), amount)).collect();
            held.sort_unstable();
            let held: Vec<String> =
                held.iter().map(|(name, amount)| format!("{name}:{amount}")).collect();
            let held = if held.is_empty() { "-".to_owned() } else { held.join(",") };
            format!(
                "{} {} {} {} {} {} {} {held}",
                name(avatar.stype),
                avatar.position.0,
                avatar.position.1,
                number(avatar.orientation.x),
                number(avatar.orientation.y),
                i32::from(avatar.alive),
                avatar.health
            )
        }
    };
    let sprites = sprite_lines(state);
    let hash = hash(&sprites);
    format!("{score} {ended} {winner} {avatar} {} {hash:016x}", sprites.len())
}

fn number(value: f64) -> String {
    if value == value.trunc() { format!("{}", value as i64) } else { format!("{value}") }
}

/// All sprites as `type x y`, sorted as text; dead avatars have `!` before the type.
pub fn sprite_lines(state: &State) -> Vec<String> {
    let types = state.level().game().types();
    let mut lines = Vec::with_capacity(state.sprite_count());
    for (id, kind) in types.iter().enumerate() {
        state.each_of_type(id as u16, &mut |sprite, disabled| {
            let mark = if disabled { "!" } else { "" };
            let (x, y) = sprite.position;
            lines.push(format!("{mark}{} {x} {y}", kind.name));
        });
    }
    lines.sort_unstable();
    lines
}

/// FNV-1a with 64 bits over lines joined by line feeds.
fn hash(lines: &[String]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |byte: u8| {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    };
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            add(b'\n');
        }
        line.bytes().for_each(&mut add);
    }
    hash
}
