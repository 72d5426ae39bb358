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

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::action::Action;
use crate::generator::Generator;
use crate::level::Level;
use crate::state::State;

pub use crate::trace_writer::record;

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

/// What the words of a state line mean.
const FIELDS: [&str; 13] = [
    "score",
    "ended",
    "winner",
    "avatar type",
    "avatar x",
    "avatar y",
    "orientation x",
    "orientation y",
    "alive",
    "health",
    "resources",
    "number of sprites",
    "hash of sprites",
];

impl Difference {
    /// What differs, on one line.
    pub fn reason(&self) -> String {
        let (expected, found) = (self.expected.split(' '), self.found.split(' '));
        let same_form =
            expected.clone().count() == FIELDS.len() && found.clone().count() == FIELDS.len();
        if !same_form {
            return format!("{} expected, {} found", self.expected, self.found);
        }
        let words = FIELDS.iter().zip(expected.zip(found));
        let differing = words.filter(|(_, (expected, found))| expected != found);
        let list: Vec<String> = differing
            .map(|(field, (expected, found))| {
                format!("{field}: {expected} expected, {found} found")
            })
            .collect();
        list.join("; ")
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
    // Only the first recording lists the sprites at the beginning; they are the same in all.
    let mut initial = Sprites::default();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let bad = || format!("line {number} is not of the trace format: {line}");
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "TRACE" => {
                finish(&mut report, run.take());
                let seed = rest.split(' ').nth(3).and_then(|seed| seed.parse::<i64>().ok());
                run = Some(Run {
                    state: State::new(level, Generator::java(seed.ok_or_else(bad)?)),
                    heading: rest.to_owned(),
                    sprites: initial.clone(),
                    difference: None,
                });
                report.sequences += 1;
            }
            "=" => {
                initial.add(rest);
                run.as_mut().ok_or_else(bad)?.sprites.add(rest);
            }
            "LEVEL" | "ACTIONS" | "INIT" | "T" | "END" | "-" | "+" | "EXC" => {
                let current = run.as_mut().ok_or_else(bad)?;
                if current.difference.as_ref().is_some_and(|known| !known.open) {
                    continue;
                }
                current.line(word, rest, number).ok_or_else(bad)?;
                if word == "T" && current.difference.is_none() {
                    report.ticks += 1;
                }
            }
            "" => {}
            _ => return Err(bad()),
        }
    }
    finish(&mut report, run);
    Ok(report)
}

fn finish(report: &mut Report, run: Option<Run>) {
    let difference = run.and_then(|mut run| {
        run.close();
        run.difference
    });
    report.differences.extend(difference.map(|known| known.difference));
}

/// The sprites of a recording, as far as its lines tell.
#[derive(Clone, Debug, Default)]
struct Sprites(BTreeMap<String, i32>);

impl Sprites {
    fn add(&mut self, sprite: &str) {
        *self.0.entry(sprite.to_owned()).or_default() += 1;
    }

    fn remove(&mut self, sprite: &str) {
        *self.0.entry(sprite.to_owned()).or_default() -= 1;
    }

    fn len(&self) -> usize {
        self.0.values().map(|&count| count.max(0) as usize).sum()
    }
}

struct Run {
    state: State,
    heading: String,
    sprites: Sprites,
    difference: Option<Known>,
}

/// A difference; `open` while lines about its sprites can follow.
struct Known {
    difference: Difference,
    open: bool,
    found: Vec<String>,
}

impl Run {
    /// Takes a line; nothing for a bad one.
    fn line(&mut self, word: &str, rest: &str, number: usize) -> Option<()> {
        match word {
            "+" => self.sprites.add(rest),
            "-" => self.sprites.remove(rest),
            _ => {}
        }
        if matches!(word, "+" | "-") {
            return Some(());
        }
        if self.difference.is_some() {
            self.close();
            return Some(());
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
            "INIT" => (rest.to_owned(), line(&self.state)),
            "T" => {
                let (number, rest) = rest.split_once(' ')?;
                let (letter, rest) = rest.split_once(' ')?;
                tick = Some(number.parse().ok()?);
                let action = Action::from_letter(letter.chars().next()?)?;
                self.state.advance(action);
                (rest.to_owned(), line(&self.state))
            }
            "END" => return Some(()),
            _ => (rest.to_owned(), "no exception".to_owned()),
        };
        if expected != found {
            let difference = Difference {
                line: number,
                sequence: self.heading.clone(),
                tick,
                expected,
                found,
                sprites: Vec::new(),
            };
            let found = sprite_lines(&self.state);
            self.difference = Some(Known { difference, open: true, found });
        }
        Some(())
    }

    /// After the lines about sprites: compares them, if the recording lists them completely.
    fn close(&mut self) {
        let Some(known) = self.difference.as_mut().filter(|known| known.open) else { return };
        known.open = false;
        let count = known.difference.expected.rsplit(' ').nth(1).and_then(|word| word.parse().ok());
        if count != Some(self.sprites.len()) {
            return;
        }
        for found in &known.found {
            *self.sprites.0.entry(found.clone()).or_default() -= 1;
        }
        for (sprite, &count) in &self.sprites.0 {
            let sign = if count > 0 { '-' } else { '+' };
            let lines =
                std::iter::repeat_n(format!("{sign} {sprite}"), count.unsigned_abs() as usize);
            known.difference.sprites.extend(lines);
        }
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
