//! Positions with something to find: a win in one, or the only ways out of a loss in one.

use regulus_game::Step;

use crate::arena::Table;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Some moves end the game with the mover at his best score.
    Win,
    /// No such move, but every move except some lets the opponent win in one.
    Block,
}

/// A line of `positions.tsv`: game, kind, the moves that lead there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub game: String,
    pub kind: Kind,
    pub moves: Vec<Vec<Step>>,
}

impl Position {
    pub fn read(line: &str) -> Position {
        let cells: Vec<&str> = line.split('\t').collect();
        let [game, kind, moves] = cells[..] else { panic!("three cells: {line}") };
        let kind = match kind {
            "win" => Kind::Win,
            "block" => Kind::Block,
            _ => panic!("no kind: {line}"),
        };
        Position { game: game.to_owned(), kind, moves: moves.split(", ").map(read_move).collect() }
    }

    pub fn write(&self) -> String {
        let kind = if self.kind == Kind::Win { "win" } else { "block" };
        let moves: Vec<String> = self.moves.iter().map(|m| write_move(m)).collect();
        format!("{}\t{kind}\t{}", self.game, moves.join(", "))
    }
}

/// Pairs of vertex and modifier, as the game manager sends them.
pub fn write_move(steps: &[Step]) -> String {
    let pair = |s: &Step| format!("{} {}", s.vertex, s.action);
    steps.iter().map(pair).collect::<Vec<_>>().join(" ")
}

fn read_move(text: &str) -> Vec<Step> {
    let numbers: Vec<u16> = text.split(' ').map(|n| n.parse().expect("a number")).collect();
    let step = |pair: &[u16]| Step { vertex: pair[0], action: i32::from(pair[1]) };
    numbers.chunks(2).map(step).collect()
}

/// What a position asks for, by brute force.
#[derive(Clone, Debug, Default)]
pub struct Task {
    pub moves: Vec<Vec<Step>>,
    /// The moves that win in one.
    pub wins: Vec<Vec<Step>>,
    /// The moves after which the opponent has not won and cannot win in one.
    pub safe: Vec<Vec<Step>>,
    /// The largest number of moves that the opponent has after one of ours.
    pub replies: usize,
}

impl Task {
    pub fn of(table: &mut Table) -> Task {
        let mut task = Task { moves: table.legal(), ..Task::default() };
        let player = table.player();
        for m in &task.moves {
            let (won, lost, replies) = table.behind(m, |table| {
                let lost = opponent_wins(table, player);
                (is_won(table, player), lost, table.legal().len())
            });
            task.replies = task.replies.max(replies);
            if won {
                task.wins.push(m.clone());
            }
            if !lost {
                task.safe.push(m.clone());
            }
        }
        task
    }

    /// The moves to find, if there is something to find.
    pub fn solution(&self) -> Option<(Kind, &[Vec<Step>])> {
        if !self.wins.is_empty() {
            return (self.wins.len() < self.moves.len()).then_some((Kind::Win, &self.wins));
        }
        let forced = !self.safe.is_empty() && self.safe.len() < self.moves.len();
        forced.then_some((Kind::Block, &self.safe))
    }
}

/// True if the game is over and the player has his best score.
fn is_won(table: &mut Table, player: usize) -> bool {
    table.score(player) == 1.0 && table.is_over()
}

/// True if somebody else has won, or is to move and can win in one.
pub fn opponent_wins(table: &mut Table, player: usize) -> bool {
    let others: Vec<usize> = (1..=table.players()).filter(|p| *p != player).collect();
    if table.is_over() {
        return others.iter().any(|p| table.score(*p) == 1.0);
    }
    let mover = table.player();
    if mover == player {
        return false;
    }
    let replies = table.legal();
    replies.iter().any(|reply| table.behind(reply, |table| is_won(table, mover)))
}
