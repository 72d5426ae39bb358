//! A board game that was read, with all that is made of its rules while it is played.

use std::fmt;
use std::sync::OnceLock;

use regulus_rbg::declarations::Piece;
use regulus_rbg::split::Strategy;
use regulus_rbg::{Game, Source};
use regulus_reasoner::Program;
use regulus_reasoner::native::{Native, Operation};

use crate::auto::auto_agent;
use crate::description_fault::DescriptionFault;
use crate::hash::sha256;
use crate::rules::Rules;

/// A board game whose rules were read and checked: its name, its text, its rules, and machine code for whoever plays
/// it. Code is made when it is first asked for, once for the rules and once for each way to split moves; positions,
/// referees and all agents share it.
pub struct LoadedGame {
    name: String,
    source: Source,
    file: Option<String>,
    rules: Game,
    /// True if the interpreter runs it whatever else could.
    interpreted: bool,
    /// Machine code for the rules as they are, or why there is none.
    native: OnceLock<Result<Native, String>>,
    /// The same for the rules with the split points of each strategy.
    split: [OnceLock<Result<Native, String>>; Strategy::ALL.len()],
    positions: OnceLock<Rules>,
    program: OnceLock<Program>,
    sha256: OnceLock<String>,
    auto: OnceLock<&'static str>,
}

impl LoadedGame {
    /// Reads a description. The name is for people.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(name: &str, source: Source) -> Result<Self, DescriptionFault> {
        let loaded = regulus_rbg::load(&source);
        match loaded.game {
            Some(rules) => Ok(LoadedGame::new(name, source, rules, false)),
            None => Err(DescriptionFault::board(&source, loaded.diagnostics)),
        }
    }

    fn new(name: &str, source: Source, rules: Game, interpreted: bool) -> Self {
        LoadedGame {
            name: name.to_owned(),
            source,
            file: None,
            rules,
            interpreted,
            native: OnceLock::new(),
            split: Default::default(),
            positions: OnceLock::new(),
            program: OnceLock::new(),
            sha256: OnceLock::new(),
            auto: OnceLock::new(),
        }
    }

    /// The same game, with the file it comes from as it is to be told to others.
    pub fn from_file(self, file: &str) -> Self {
        LoadedGame { file: Some(file.to_owned()), ..self }
    }

    /// The same game with the split points of a strategy: they are where its moves are divided into semimoves.
    pub fn with_split(&self, strategy: Strategy) -> Self {
        let rules = self.rules.split(strategy);
        LoadedGame::new(&self.name, self.source.clone(), rules, self.interpreted)
    }

    /// The same game, but the interpreter runs it even where there could be machine code.
    pub fn interpreted(&self) -> Self {
        LoadedGame::new(&self.name, self.source.clone(), self.rules.clone(), true)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text it was read from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The file it comes from; nothing if it is built in or nobody has said so.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The SHA-256 of its text.
    pub fn sha256(&self) -> &str {
        self.sha256.get_or_init(|| sha256(self.source.text()))
    }

    /// The rules: board, pieces, players, variables, and what players may do.
    pub fn rules(&self) -> &Game {
        &self.rules
    }

    /// The names of the players, in their order.
    pub fn players(&self) -> &[String] {
        self.rules.declarations.players()
    }

    /// The piece that stands for an empty vertex: the most frequent one at the beginning.
    pub fn ground(&self) -> Piece {
        let game = &self.rules;
        let mut counts = vec![0; game.declarations.pieces().len()];
        game.board.vertices().for_each(|v| counts[usize::from(game.board.piece(v).0)] += 1);
        let most = counts.iter().copied().max().unwrap_or(0);
        Piece(counts.iter().position(|count| *count == most).unwrap_or(0) as u8)
    }

    /// The automaton, which knows what steps mean.
    pub fn program(&self) -> &Program {
        self.program.get_or_init(|| Program::new(&self.rules))
    }

    /// The rules at work, for some operations and with the split points of a strategy: as machine code, or by the
    /// interpreter where no code can be made for one of the operations.
    pub fn runnable(&self, strategy: Option<Strategy>, operations: &[Operation]) -> Rules {
        let game = || match strategy {
            Some(strategy) => self.rules.split(strategy),
            None => self.rules.clone(),
        };
        if self.interpreted {
            return Rules::interpreted(&game(), "it was asked for".to_owned());
        }
        let place = match strategy {
            Some(strategy) => &self.split[strategy as usize],
            None => &self.native,
        };
        let native = place.get_or_init(|| Native::worthwhile(&game()).map_err(|why| why.0));
        let prepared = native.clone().and_then(|native| {
            let mut prepared = operations.iter().map(|operation| native.prepare(*operation));
            prepared.try_for_each(|done| done.map_err(|why| why.0)).map(|()| native)
        });
        match prepared {
            Ok(native) => Rules::Native(native),
            Err(why) => Rules::interpreted(&game(), why),
        }
    }

    /// The rules at work, for positions of the game. What knows its rules best runs them, as for agents: where a
    /// description leaves it open at which vertex a turn begins, both must find the same one.
    pub fn position_rules(&self) -> &Rules {
        let operations = [Operation::Keeper, Operation::List];
        self.positions.get_or_init(|| self.runnable(None, &operations))
    }

    /// The name of the agent that [`AUTO`](crate::AUTO) means in it.
    pub fn auto_agent(&self) -> &'static str {
        self.auto.get_or_init(|| auto_agent(&self.rules))
    }

    /// Why the interpreter runs it; nothing if machine code does.
    pub fn why_interpreted(&self) -> Option<&str> {
        self.position_rules().why_interpreted()
    }
}

impl fmt::Debug for LoadedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LoadedGame").field(&self.name).finish()
    }
}
