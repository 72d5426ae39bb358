//! A game in real time on a terminal.

use std::io::Write;
use std::time::{Duration, Instant};

use regulus_vgdl::{Action, Winner};
use signal_hook::consts::SIGINT;

use super::key::{self, Key};
use super::screen::{Input, Screen};
use super::{Session, action_word};
use crate::failure::Failure;

/// The status of a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 128 + SIGINT;

/// What a key changes the speed by, and what it can be.
const SPEED_STEP: f64 = 1.5;
const SPEEDS: std::ops::RangeInclusive<f64> = 0.2..=1000.0;

/// What becomes of the game after a key.
enum Next {
    /// It goes on.
    On,
    /// The end.
    Leave,
    /// The end, by Ctrl-C.
    Interrupted,
}

/// The game and how it is shown.
struct Table<'s, 'a> {
    session: &'s mut Session<'a>,
    /// Ticks only come with keys.
    paused: bool,
    speed: f64,
    /// What to do in the next tick.
    chosen: Action,
    /// Whether a tick was asked for.
    steps: bool,
    help: bool,
    message: String,
    /// Whether the end of the game was noticed.
    ended: bool,
}

/// Plays until somebody leaves.
pub fn run(session: &mut Session<'_>) -> Result<(), Failure> {
    let (paused, speed) = (session.settings.step, session.settings.speed);
    let mut table = Table {
        session,
        paused,
        speed: speed.clamp(*SPEEDS.start(), *SPEEDS.end()),
        chosen: Action::Nil,
        steps: false,
        help: false,
        message: String::new(),
        ended: false,
    };
    let mut screen = Screen::enter()?;
    let next = table.play(&mut screen);
    drop(screen);
    let (next, mut out) = (next?, anstream::stdout().lock());
    let session = &table.session;
    writeln!(out, "{}: {}", session.level.name, session.result())?;
    if let Some(path) = &session.settings.save {
        writeln!(out, "{}", session.save(path))?;
    } else if !table.message.is_empty() {
        writeln!(out, "{}", table.message)?;
    }
    if let Next::Interrupted = next {
        out.flush()?;
        std::process::exit(INTERRUPTED);
    }
    Ok(())
}

impl Table<'_, '_> {
    fn play(&mut self, screen: &mut Screen) -> Result<Next, Failure> {
        let mut due = Instant::now() + self.period();
        loop {
            screen.draw(&self.lines(screen.size()))?;
            let waits = self.paused || self.session.is_over();
            match screen.wait((!waits).then_some(due))? {
                Input::Leave => return Ok(Next::Interrupted),
                Input::Keys(keys) => {
                    for key in keys {
                        match self.press(key)? {
                            Next::On => {}
                            leave => return Ok(leave),
                        }
                    }
                }
            }
            let now = Instant::now();
            if self.session.is_over() {
                continue;
            }
            if self.steps || (!self.paused && now >= due) {
                self.steps = false;
                let action = std::mem::replace(&mut self.chosen, Action::Nil);
                self.session.tick(action);
                // Whoever was late does not hurry afterwards.
                due = (due + self.period()).max(Instant::now());
                self.notice_end();
            } else if waits {
                due = now + self.period();
            }
        }
    }

    fn period(&self) -> Duration {
        Duration::from_secs_f64(1.0 / self.speed)
    }

    fn notice_end(&mut self) {
        if !self.ended && self.session.is_over() {
            self.ended = true;
            self.message.clear();
            if let Some(path) = &self.session.settings.save {
                self.message = self.session.save(path);
            }
        }
    }

    fn press(&mut self, key: Key) -> Result<Next, Failure> {
        let over = self.session.is_over();
        match key {
            Key::Interrupt => return Ok(Next::Interrupted),
            Key::Char('q') => return Ok(Next::Leave),
            Key::Char('r') => {
                self.session.restart()?;
                (self.ended, self.chosen, self.steps) = (false, Action::Nil, false);
                self.message = format!("A new game, seed {}.", self.session.seed);
            }
            Key::Char('v') => self.message = self.session.save(&self.session.free_file()),
            // Nobody goes down after the end.
            Key::Char('s') if over => {
                self.message = self.session.save(&self.session.free_file());
            }
            Key::Char('p') if !self.session.settings.step => self.paused = !self.paused,
            Key::Char('.') => (self.paused, self.steps) = (true, true),
            Key::Char('+' | '=') => self.speed = (self.speed * SPEED_STEP).min(*SPEEDS.end()),
            Key::Char('-') => self.speed = (self.speed / SPEED_STEP).max(*SPEEDS.start()),
            Key::Char('?') => self.help = !self.help,
            key => {
                if let Some(action) = key::action(key).filter(|_| self.session.pilot.is_none()) {
                    self.chosen = action;
                    self.steps = self.paused;
                    self.message.clear();
                }
            }
        }
        Ok(Next::On)
    }

    /// Everything that is shown.
    fn lines(&self, (columns, rows): (usize, usize)) -> Vec<String> {
        let session = &self.session;
        let mode = match (session.is_over(), self.paused) {
            (true, _) => "over".to_owned(),
            (false, true) if session.settings.step => "a tick per key".to_owned(),
            (false, true) => "paused".to_owned(),
            (false, false) => format!("{} ticks/s", (self.speed * 10.0).round() / 10.0),
        };
        let who = match &session.pilot {
            None => String::new(),
            Some(_) => format!(", {} plays", session.settings.player.name()),
        };
        let heading =
            format!("{} (profile {}){who}: {mode}", session.level.name, session.level.profile());
        let mut below = Vec::new();
        if session.state().is_over() {
            let won = session.state().winner() == Winner::Won;
            let word = if won { "WON" } else { "LOST" };
            below.push(format!("{word}: {}.", session.result()));
        } else if session.is_over() {
            below.push(format!("The replay ends here: {}.", session.result()));
        }
        if let Some(decision) = &session.decision {
            let thoughts = session.thoughts().map_or(String::new(), |text| format!("   {text}"));
            below.push(format!("{}{thoughts}", action_word(decision.action)));
        }
        if !self.message.is_empty() {
            below.push(self.message.clone());
        }
        below.push(self.keys());
        if self.help {
            below.extend(session.legend());
        }
        let cut = |line: String| {
            if line.contains('\x1b') { line } else { line.chars().take(columns).collect() }
        };
        let room = rows.saturating_sub(2 + below.len());
        let mut lines = vec![cut(heading), cut(session.status())];
        lines.extend(session.view.window(session.state(), columns, room));
        lines.extend(below.into_iter().map(cut));
        lines
    }

    fn keys(&self) -> String {
        let session = &self.session;
        if session.is_over() {
            return "r plays again, s saves the replay, q leaves".to_owned();
        }
        let actions = if session.pilot.is_some() {
            String::new()
        } else if session.state().actions().contains(&Action::Use) {
            "arrows move, space uses, ".to_owned()
        } else {
            "arrows move, ".to_owned()
        };
        let pause = if session.settings.step { "" } else { "p pauses, +/- speed, " };
        format!("{actions}. waits a tick, {pause}r restarts, v saves, ? legend, q leaves")
    }
}
