//! What a board game consists of.

use std::io::Write;

use regulus_rbg::declarations::{Bounded, Piece};
use regulus_rbg::indecisive;
use regulus_rbg::print;
use regulus_rbg::rule::Rule;
use regulus_rbg::split::{Strategy, count_dots};
use regulus_rbg::{Game, Shape};
use regulus_reasoner::Program;
use regulus_reasoner::native::Native;
use serde::Serialize;

use super::super::performance::{self, performance};
use super::super::perft::with_split;
use super::super::print_json;
use super::{Ir, Show};
use crate::board_view::{self, BoardView};
use crate::failure::Failure;

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    bound: u32,
}

#[derive(Serialize)]
struct VertexReport<'a> {
    name: &'a str,
    piece: &'a str,
    edges: std::collections::BTreeMap<&'a str, &'a str>,
}

#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    players: Vec<Named<'a>>,
    pieces: &'a [String],
    variables: Vec<Named<'a>>,
    labels: &'a [String],
    board: String,
    vertices: Vec<VertexReport<'a>>,
    modifiers: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    split: Option<SplitReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expanded: Option<String>,
}

#[derive(Serialize)]
struct SplitReport {
    strategy: &'static str,
    dots: usize,
    removed_dots: usize,
    joined_modifiers: Vec<u32>,
    rules: String,
}

fn named(list: &[Bounded]) -> Vec<Named<'_>> {
    list.iter().map(|v| Named { name: &v.name, bound: v.bound }).collect()
}

impl Show {
    /// Shows a board game.
    pub(in crate::commands) fn show_board(&self, loaded: &regulus::Game) -> Result<(), Failure> {
        if let Some(ir) = self.ir {
            let game = with_split(loaded, self.split);
            let text = match ir {
                Ir::Automaton => Program::new(game.rules()).to_string(),
                Ir::Pass(pass) => match Native::new(game.rules()) {
                    Ok(native) => native.describe(pass),
                    Err(why) => {
                        let message = format!("there is no native code for this game: {}", why.0);
                        return Err(Failure::Failed(message));
                    }
                },
            };
            write!(anstream::stdout().lock(), "{text}")?;
            return Ok(());
        }
        if self.performance {
            let remarks = performance(loaded.source(), loaded.rules());
            let mut out = anstream::stdout().lock();
            remarks.iter().try_for_each(|remark| writeln!(out, "{}\n", remark.excerpt))?;
            writeln!(out, "{}: {}", loaded.name(), performance::summary(&remarks))?;
            return Ok(());
        }
        let split = self.split.map(|s| self.split_report(loaded.rules(), s));
        if self.json {
            return Ok(print_json(&report(loaded, split, self.expanded))?);
        }
        let mut out = anstream::stdout().lock();
        if self.expanded {
            write!(out, "{}", print::game(loaded.rules()))?;
        } else if let Some(split) = split {
            writeln!(
                out,
                "// {} with {}: {} split points besides modifiers{}",
                loaded.name(),
                split.strategy,
                split.dots,
                if split.removed_dots > 0 {
                    format!(" ({} that were never a choice are removed)", split.removed_dots)
                } else {
                    String::new()
                }
            )?;
            if !split.joined_modifiers.is_empty() {
                let list: Vec<String> = split.joined_modifiers.iter().map(u32::to_string).collect();
                writeln!(out, "// modifiers that never end a semimove: {}", list.join(" "))?;
            }
            writeln!(out, "#rules = {}", split.rules)?;
        } else {
            self.summary(loaded, &mut out)?;
        }
        Ok(())
    }

    fn split_report(&self, game: &Game, strategy: Strategy) -> SplitReport {
        let mut rules: Rule = strategy.apply(&game.rules);
        let (mut removed_dots, mut joined_modifiers) = (0, Vec::new());
        if self.decisive {
            let joined = indecisive::remove(game, &rules);
            removed_dots = joined.removed_dots;
            joined_modifiers = joined.modifiers.iter().map(|m| m.0).collect();
            rules = joined.rules;
        }
        SplitReport {
            strategy: strategy.name(),
            dots: count_dots(&rules),
            removed_dots,
            joined_modifiers,
            rules: print::rules(&rules, &game.declarations),
        }
    }

    fn summary(&self, loaded: &regulus::Game, out: &mut impl Write) -> Result<(), Failure> {
        let game = loaded.rules();
        let d = &game.declarations;
        match regulus_games::find(loaded.name()).filter(|g| g.text == loaded.source().text()) {
            Some(built_in) => writeln!(out, "{}\n", built_in.rules_in_words())?,
            None => writeln!(out, "{}\n", loaded.name())?,
        }
        let players = d.players().len();
        let with_bounds = |list: &[Bounded]| {
            let list: Vec<String> =
                list.iter().map(|v| format!("{} (0..{})", v.name, v.bound)).collect();
            if list.is_empty() { "none".to_owned() } else { list.join(", ") }
        };
        writeln!(out, "players    {}", with_bounds(&d.variables()[..players]))?;
        writeln!(out, "variables  {}", with_bounds(&d.variables()[players..]))?;
        writeln!(out, "pieces     {}", d.pieces().join(", "))?;
        // The summary of a graph is its number of vertices.
        let vertices = match game.board.shape() {
            Shape::Graph => String::new(),
            _ => format!(", {} vertices", game.board.len()),
        };
        writeln!(
            out,
            "board      {}{vertices}, {} edges ({})",
            game.board.summary(),
            game.board.edge_count(),
            d.labels().join(", ")
        )?;
        writeln!(
            out,
            "rules      {} actions, {} modifiers\n",
            game.rules.size(),
            game.modifier_count
        )?;
        let symbols = regulus_player::symbols(d);
        let pieces: Vec<Piece> = game.board.vertices().map(|v| game.board.piece(v)).collect();
        let view = BoardView {
            board: &game.board,
            declarations: d,
            symbols: &symbols,
            pieces: &pieces,
            marked: &[],
        };
        write!(out, "{}", view.draw())?;
        if *game.board.shape() != Shape::Graph {
            writeln!(out, "\n{}", board_view::legend(d, &symbols))?;
        }
        Ok(())
    }
}

fn report<'a>(loaded: &'a regulus::Game, split: Option<SplitReport>, expanded: bool) -> Report<'a> {
    let game = loaded.rules();
    let d = &game.declarations;
    let players = d.players().len();
    let vertices = game.board.vertices().map(|v| VertexReport {
        name: game.board.name(v),
        piece: d.piece_name(game.board.piece(v)),
        edges: (0..d.labels().len())
            .map(|l| regulus_rbg::declarations::Label(l as u8))
            .filter_map(|l| {
                let to = game.board.next(v, l);
                to.is_some().then(|| (d.label_name(l), game.board.name(to)))
            })
            .collect(),
    });
    Report {
        game: loaded.name(),
        players: named(&d.variables()[..players]),
        pieces: d.pieces(),
        variables: named(&d.variables()[players..]),
        labels: d.labels(),
        board: game.board.summary(),
        vertices: vertices.collect(),
        modifiers: game.modifier_count,
        split,
        expanded: expanded.then(|| print::game(game)),
    }
}
