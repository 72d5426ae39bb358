//! Recorded games as positions, so that a page can show them without knowing any rules.

use std::fmt::Write as _;

use regulus_player::LoadedGame;
use regulus_player::{Rules, RulesState, wire};
use regulus_rbg::Vertex;
use regulus_scene::{Hints, Look, Picture, Scene};
use serde::Serialize;

use crate::board::{self, BoardRecord, Outcome};

/// A move of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ply {
    /// Who moved, from 1.
    pub seat: usize,
    /// The vertices it went over, by name.
    pub words: String,
    /// What to look at after it, as vertices from 0.
    pub marks: Vec<usize>,
    /// What changed: vertex (from 0), piece, vertex, piece, ...
    pub changes: Vec<usize>,
}

/// A recorded game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReplayedGame {
    /// The agent on every seat.
    pub agents: Vec<String>,
    /// What they could use for a move.
    pub limit: String,
    /// How it ended, in words.
    pub outcome: String,
    /// Which game it is: unit and seating.
    pub origin: String,
    /// How many of the moves were random.
    pub opening: usize,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// Games by the same rules, with what is needed to show them.
#[derive(Clone, PartialEq, Debug)]
pub struct Replays {
    /// The name of the game.
    pub game: String,
    /// The players.
    pub players: Vec<String>,
    /// Where the vertices are.
    pub scene: Scene,
    /// What the pieces look like.
    pub looks: Vec<Look>,
    /// The piece on every vertex at the beginning.
    pub start: Vec<usize>,
    /// The games.
    pub games: Vec<ReplayedGame>,
}

impl Replays {
    /// The games of records as positions; those that the rules do not allow are told and left out.
    pub fn new(game: &LoadedGame, records: &[&BoardRecord]) -> (Self, Vec<String>) {
        let compiled = board::rules(game);
        let picture = Picture::new(game.rules(), &Hints::read(game.source().text()));
        let mut replays = Replays {
            game: game.name().to_owned(),
            players: game.players().to_vec(),
            scene: picture.scene,
            looks: picture.pieces,
            start: Vec::new(),
            games: Vec::new(),
        };
        let mut problems = Vec::new();
        for record in records {
            match replay(&compiled, record) {
                Ok((start, game)) => {
                    replays.start = start;
                    replays.games.push(game);
                }
                Err(why) => problems.push(format!("{}: {why}", name(record))),
            }
        }
        (replays, problems)
    }
}

/// What a record is called where something is wrong with it.
pub fn name(record: &BoardRecord) -> String {
    let agents: Vec<&str> = record.agents.iter().map(|agent| agent.name.as_str()).collect();
    let (game, agents) = (&record.game.name, agents.join(" : "));
    format!("{game}, {agents}, {}, unit {}, seating {}", record.budget, record.unit, record.seating)
}

/// The first position of a game, and the game.
fn replay(rules: &Rules, record: &BoardRecord) -> Result<(Vec<usize>, ReplayedGame), String> {
    let board = &rules.game().board;
    let mut state = rules.initial();
    let pieces = |state: &RulesState| -> Vec<usize> {
        rules.pieces(state).into_iter().map(|piece| usize::from(piece.0)).collect()
    };
    let mut alive = rules.run_keeper(&mut state).map_err(|e| e.to_string())?;
    let start = pieces(&state);
    let (mut before, mut plies) = (start.clone(), Vec::new());
    for (i, text) in record.moves.iter().enumerate() {
        let wrong = |why: String| format!("move {} (`{text}`): {why}", i + 1);
        let steps = wire::parse(text).map_err(wrong)?;
        let legal =
            alive && rules.is_legal(&mut state, &steps).map_err(|e| wrong(e.to_string()))?;
        if !legal {
            return Err(wrong("it is illegal".to_owned()));
        }
        let seat = rules.player(&state);
        rules.apply(&mut state, &steps);
        // A game that was given up may end where the rules cannot go on.
        alive = rules.run_keeper(&mut state).unwrap_or(false);
        let after = pieces(&state);
        let changed = (0..after.len()).filter(|v| after[*v] != before[*v]);
        let changes: Vec<usize> = changed.flat_map(|v| [v, after[v]]).collect();
        let mut path: Vec<usize> = steps.iter().map(|s| usize::from(s.vertex) - 1).collect();
        path.dedup();
        let names: Vec<&str> = path.iter().map(|v| board.name(Vertex(*v as u16 + 1))).collect();
        let words = names.join(" ");
        plies.push(Ply { seat, words, marks: marks(&path, &changes), changes });
        before = after;
    }
    let game = ReplayedGame {
        agents: record.seats.iter().map(|agent| record.agents[*agent].name.clone()).collect(),
        limit: record.budget.clone(),
        outcome: outcome(record, rules.game().declarations.players()),
        origin: format!("unit {}, seating {}", record.unit, record.seating),
        opening: record.opening,
        plies,
    };
    Ok((start, game))
}

/// What to look at after a move: the vertices on its way that changed; or all that changed, if the keeper
/// has moved what was put there, as a disc falls.
fn marks(path: &[usize], changes: &[usize]) -> Vec<usize> {
    let changed: Vec<usize> = changes.iter().step_by(2).copied().collect();
    let mut marks: Vec<usize> = path.iter().filter(|v| changed.contains(v)).copied().collect();
    marks.sort_unstable();
    marks.dedup();
    if marks.is_empty() { changed } else { marks }
}

/// How a game ended, in a few words.
fn outcome(record: &BoardRecord, players: &[String]) -> String {
    let name = |seat: usize| players.get(seat).map_or("?", String::as_str);
    match &record.outcome {
        Outcome::Void { message } => format!("void: {message}"),
        Outcome::Forfeit { seat, reason, .. } => {
            format!("{} loses by {}", name(seat.saturating_sub(1)), reason.word())
        }
        Outcome::Finished => {
            let best = record.scores.iter().max().copied().unwrap_or(0);
            let leaders: Vec<&str> = (0..record.scores.len())
                .filter(|seat| record.scores[*seat] == best)
                .map(name)
                .collect();
            let mut text = match leaders[..] {
                [_] if players.len() == 1 => String::from("score"),
                [one] => format!("{one} wins"),
                _ if leaders.len() == players.len() => "draw".to_owned(),
                _ => format!("{} share the first place", leaders.join(" and ")),
            };
            let scores: Vec<String> = record.scores.iter().map(u32::to_string).collect();
            let _ = write!(text, " {}", scores.join(":"));
            text
        }
    }
}
