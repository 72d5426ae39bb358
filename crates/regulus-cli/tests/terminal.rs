//! A game at a real terminal: colours, the line that shows the agent thinking, Ctrl-C; video games with the keyboard.

#![cfg(target_os = "linux")]

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};

/// A program at a terminal, and all that it has written.
struct Terminal {
    child: Child,
    side: File,
    seen: String,
}

impl Terminal {
    fn start(arguments: &[&str]) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&ours).expect("the terminal is ours");
        unlockpt(&ours).expect("the terminal can be opened");
        let name = ptsname(&ours, Vec::new()).expect("the terminal has a name");
        let name = name.to_str().expect("a plain name");
        let open = || OpenOptions::new().read(true).write(true).open(name).expect("the other side");
        let child = Command::new(env!("CARGO_BIN_EXE_regulus"))
            .args(arguments)
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .stdin(Stdio::from(open()))
            .stdout(Stdio::from(open()))
            .stderr(Stdio::from(open()))
            .spawn()
            .expect("regulus can be started");
        Terminal { child, side: File::from(ours), seen: String::new() }
    }

    /// Reads until a text appears after what was read so far; gives what came before it.
    fn wait_for(&mut self, text: &str) -> String {
        let mut buffer = [0; 4096];
        loop {
            if let Some(at) = self.seen.find(text) {
                let rest = self.seen.split_off(at + text.len());
                return std::mem::replace(&mut self.seen, rest);
            }
            match self.side.read(&mut buffer) {
                Ok(length) if length > 0 => {
                    self.seen.push_str(&String::from_utf8_lossy(&buffer[..length]));
                }
                ended => panic!("no `{text}` in {:?}: {ended:?}", self.seen),
            }
        }
    }

    fn enter(&mut self, line: &str) {
        writeln!(self.side, "{line}").expect("the program reads");
    }

    /// Presses keys.
    fn press(&mut self, keys: &str) {
        self.side.write_all(keys.as_bytes()).expect("the program reads");
    }

    /// Whether the terminal shows what is typed and gives it line by line, as terminals do.
    fn is_usual(&self) -> bool {
        let modes = tcgetattr(&self.side).expect("a terminal").local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    }

    fn interrupt(&self) {
        let process = Pid::from_child(&self.child);
        kill_process(process, Signal::INT).expect("the program runs");
    }

    fn end(mut self) -> ExitStatus {
        self.child.wait().expect("the program ends")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has ended already if all went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_board_has_colours_and_the_last_move_is_marked() {
    let mut terminal = Terminal::start(&["play", "breakthrough", "--limit", "sims=50"]);
    let first = terminal.wait_for("legal moves");
    assert!(first.contains("\u{1b}[1m"), "pieces are bold: {first:?}");
    assert!(!first.contains("\u{1b}[7m"), "nothing is marked yet: {first:?}");
    terminal.wait_for("> ");
    terminal.enter("1");
    let second = terminal.wait_for("to move");
    assert!(second.contains("\u{1b}[7m"), "the last move is marked: {second:?}");
    terminal.wait_for("> ");
    terminal.enter("quit");
    assert!(terminal.end().success());
}

#[test]
fn ctrl_c_hurries_the_agent_and_warns_before_it_leaves() {
    // An hour of thinking ends at once.
    let mut terminal =
        Terminal::start(&["play", "breakthrough", "--seat", "2", "--limit", "time=3600s"]);
    terminal.wait_for(" thinks: ");
    terminal.wait_for("so far ");
    terminal.interrupt();
    terminal.wait_for("white plays ");
    terminal.wait_for("> ");
    terminal.interrupt();
    terminal.wait_for("Ctrl-C again leaves");
    // An answer takes the warning back.
    terminal.enter("board");
    terminal.wait_for("y0");
    terminal.wait_for("> ");
    terminal.interrupt();
    terminal.wait_for("Ctrl-C again leaves");
    terminal.wait_for("> ");
    terminal.interrupt();
    assert_eq!(terminal.end().code(), Some(130));
}

const LANTERN: &str = "tests/cmd/video.in/lantern.txt";

/// Another screen without a cursor, and back.
const ENTER: &str = "\u{1b}[?1049h\u{1b}[?25l";
const LEAVE: &str = "\u{1b}[?25h\u{1b}[?1049l";

#[test]
fn a_video_game_is_played_key_by_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.json");
    let path = file.to_str().expect("a path in UTF-8");
    let level = format!("{LANTERN}:1");
    let mut terminal = Terminal::start(&["play", &level, "--step", "--save", path]);
    terminal.wait_for(ENTER);
    let first = terminal.wait_for("q leaves");
    assert!(first.contains("a tick per key") && first.contains("tick 0, score 0"), "{first:?}");
    assert!(first.contains("\u{1b}[48;5;"), "sprites have colours: {first:?}");
    assert!(!terminal.is_usual(), "keys are read as they are pressed");
    // Right, in three ways, and a tick of waiting.
    terminal.press("\u{1b}[C");
    terminal.wait_for("tick 1, score 1, oil 1");
    terminal.press("l");
    terminal.wait_for("tick 2, score 1");
    terminal.press("d");
    terminal.wait_for("tick 3, score 2, oil 2");
    terminal.press(".");
    terminal.wait_for("tick 4, score 2");
    terminal.press("\u{1b}OC");
    terminal.wait_for("tick 5, score 5, oil 1");
    terminal.press("s");
    terminal.wait_for("WON: won after 6 ticks, score 8.");
    let end = terminal.wait_for("q leaves");
    assert!(end.contains("Saved 6 ticks to "), "{end:?}");
    // Another game.
    terminal.press("r");
    terminal.wait_for("tick 0, score 0");
    terminal.wait_for("A new game, seed 2.");
    terminal.press("?");
    terminal.wait_for("lamp: ");
    terminal.press("q");
    terminal.wait_for(LEAVE);
    terminal.wait_for("lantern:1: not over after 0 ticks");
    assert!(terminal.is_usual(), "the terminal is as it was");
    assert!(terminal.end().success());
}

#[test]
fn a_video_game_runs_in_real_time_until_it_is_paused() {
    let level = format!("{LANTERN}:1");
    let mut terminal = Terminal::start(&["play", &level, "--speed", "100"]);
    terminal.wait_for("100 ticks/s");
    // Nobody does anything: after 61 ticks the time is over.
    terminal.wait_for("LOST: lost after 61 ticks, score 0.");
    terminal.press("q");
    terminal.wait_for(LEAVE);
    assert!(terminal.end().success());

    // So slow that it cannot be over before it is paused.
    let mut terminal = Terminal::start(&["play", &level, "--speed", "0.3"]);
    terminal.wait_for("0.3 ticks/s");
    terminal.press("p");
    terminal.wait_for("paused");
    terminal.press("-p");
    terminal.wait_for("0.2 ticks/s");
    terminal.press("r");
    terminal.wait_for("tick 0,");
    terminal.press("q");
    terminal.wait_for(LEAVE);
    assert!(terminal.end().success());
}

#[test]
fn the_terminal_is_given_back_after_ctrl_c_and_signals() {
    let level = format!("{LANTERN}:0");
    let mut terminal = Terminal::start(&["play", &level, "--step"]);
    terminal.wait_for("q leaves");
    assert!(!terminal.is_usual());
    terminal.press("\u{3}");
    terminal.wait_for(LEAVE);
    terminal.wait_for("not over");
    assert!(terminal.is_usual());
    assert_eq!(terminal.end().code(), Some(130));

    let mut terminal = Terminal::start(&["play", &level, "--agent", "vg-random", "--speed", "5"]);
    terminal.wait_for("vg-random plays");
    terminal.interrupt();
    terminal.wait_for(LEAVE);
    terminal.wait_for("lantern:0: ");
    assert!(terminal.is_usual());
    assert_eq!(terminal.end().code(), Some(130));
}
