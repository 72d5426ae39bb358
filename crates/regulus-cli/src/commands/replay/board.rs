//! `regulus replay` for board games: records whose moves are checked by the rules.

use std::io::{self, IsTerminal, Write};

use regulus_arena::board::{BoardRecord, Verifier};

use super::{ReplayGame, Shown};
use crate::failure::Failure;
use crate::game_argument::load_board;
use crate::game_replay::Replay;

impl Shown for BoardRecord {
    type Rules = (regulus::Game, Verifier);

    fn has_rules_of(&self, other: &Self) -> bool {
        self.game == other.game
    }

    /// If they are not the rules that it was made with, that is noted: its moves are checked anyway.
    fn rules(&self, command: &ReplayGame) -> Result<Self::Rules, Failure> {
        let name = match (&command.rules, &self.game.file) {
            (Some(rules), _) => rules.clone(),
            (None, Some(file)) => command.beside_the_record(file),
            (None, None) => self.game.name.clone(),
        };
        let loaded = load_board(&name, "this command")?;
        let (found, recorded) = (loaded.loaded().sha256(), &self.game.sha256);
        if found != recorded {
            writeln!(
                anstream::stderr(),
                "note: the rules of {name} are not those of the record (SHA-256 {found}, recorded {recorded})",
            )?;
        }
        let verifier = Verifier::new(loaded.loaded());
        Ok((loaded, verifier))
    }

    fn verify(&self, (_, verifier): &Self::Rules) -> Result<(), String> {
        verifier.verify(self).map_err(|fault| fault.to_string())
    }

    fn show(
        &self,
        (game, _): &Self::Rules,
        command: &ReplayGame,
        count: usize,
    ) -> Result<(), Failure> {
        let mut replay = Replay::new(game.loaded(), self, (command.game, count))?;
        let mut out = anstream::stdout().lock();
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            replay.step(&mut io::stdin().lock(), &mut out)
        } else {
            replay.print(&mut out)
        }
    }
}
