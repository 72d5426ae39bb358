//! A game line by line: for scripts, pipes and terminals without a screen.

use std::io::{BufRead, Write};
use std::path::Path;

use regulus_vgdl::Action;

use super::{Session, action_word};
use crate::failure::Failure;
use crate::input_line::{input_line, no_input};

const HELP: &str = "\
Enter actions as letters, a tick each: U up, D down, L left, R right, S use, N nothing.
  legend      what the characters mean
  restart     another game, with the next seed
  save FILE   write the game to a file
  quit        leave (so does the end of the input)";

/// A person plays, a line of actions at a time.
pub fn play(
    session: &mut Session<'_>,
    echo: bool,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<(), Failure> {
    writeln!(out, "{}: `help` tells what can be entered.\n", session.level.name)?;
    draw(session, out)?;
    loop {
        write!(out, "> ")?;
        out.flush()?;
        let Some(line) = input_line(input).map_err(no_input)? else {
            writeln!(out)?;
            break;
        };
        let line = line.trim();
        if echo {
            writeln!(out, "{line}")?;
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => {}
            ("help" | "?", "") => writeln!(out, "{HELP}")?,
            ("quit" | "exit", "") => break,
            ("legend", "") => {
                session.legend().iter().try_for_each(|line| writeln!(out, "{line}"))?
            }
            ("restart", "") => {
                session.restart()?;
                draw(session, out)?;
            }
            ("save", "") => writeln!(out, "Save to which file? Enter `save FILE`.")?,
            ("save", file) => writeln!(out, "{}", session.save(Path::new(file)))?,
            _ => act(session, line, out)?,
        }
    }
    save(session, out)
}

/// Plays the actions of a line.
fn act(session: &mut Session<'_>, line: &str, out: &mut impl Write) -> Result<(), Failure> {
    let letters = line.chars().filter(|letter| !letter.is_whitespace());
    let mut actions = Vec::new();
    for letter in letters {
        let Some(action) = Action::from_letter(letter.to_ascii_uppercase()) else {
            writeln!(out, "`{letter}` is no action; `help` tells what can be entered.")?;
            return Ok(());
        };
        actions.push(action);
    }
    if session.is_over() {
        writeln!(out, "The game is over: `restart`, `save FILE` and `quit` are left.")?;
        return Ok(());
    }
    for action in actions {
        session.tick(action);
        if session.is_over() {
            break;
        }
    }
    Ok(draw(session, out)?)
}

/// An agent or a replay plays to the end; ticks that change the score are told.
pub fn watch(session: &mut Session<'_>, out: &mut impl Write) -> Result<(), Failure> {
    let (level, player) = (&session.level.name, &session.settings.player);
    writeln!(out, "{level}: {} plays, seed {}\n", player.name(), session.seed)?;
    draw(session, out)?;
    while !session.is_over() {
        let before = session.state().score();
        session.tick(Action::Nil);
        if session.state().score() != before {
            let action = session.recorder.actions().last().map_or("", |last| action_word(*last));
            writeln!(out, "{} ({action})", session.status())?;
        }
    }
    writeln!(out)?;
    draw(session, out)?;
    save(session, out)
}

fn draw(session: &Session<'_>, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{}", session.status())?;
    for row in session.view.rows(session.state(), 1) {
        writeln!(out, "{row}")?;
    }
    if session.is_over() {
        writeln!(out, "The game is over: {}.", session.result())?;
    }
    Ok(())
}

/// Saves the game where it was asked for.
fn save(session: &Session<'_>, out: &mut impl Write) -> Result<(), Failure> {
    if let Some(path) = &session.settings.save {
        writeln!(out, "{}", session.save(path))?;
    }
    Ok(())
}
