//! A game at a real terminal: colours, the line that shows the agent thinking, Ctrl-C.

#![cfg(target_os = "linux")]

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

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
