//! What search sees of a game.

use crate::children::{children_one_by_one, differences, list_stage_one_by_one};
use crate::guide::{Guide, KeyHash, KeyKind, Played, move_hash, play_by_listing};
use crate::{
    BoardChanges, BoardView, Change, Children, GroupedMove, MoveGroups, Moves, Random, Stage, Step,
};

/// Runs one game for one thread: a game together with the memory that running it needs.
///
/// States belong to the engine that made them. A state is *nodal* if a complete move (or nothing) led
/// to it; between the semimoves of a move it is *intermediate*. Players are numbered from 1; 0 is the
/// keeper, who moves by himself: after [`Engine::apply`] call [`Engine::run_keeper`] before asking for
/// the next player's moves.
pub trait Engine: Sized {
    /// A state of the game.
    type State: Clone;
    /// Why a game cannot go on.
    type Error: std::error::Error + Send + Sync + 'static;
    /// What undoes a move or semimove.
    type Undo: Send;

    /// The state in which the game begins, before the keeper has done anything.
    fn initial(&self) -> Self::State;
    /// How many players there are, the keeper not counted.
    fn players(&self) -> usize;
    /// The highest score a player can have.
    fn score_bound(&self, player: usize) -> u32;
    /// All scores with which the game can end, those of the first player first, and maybe some more; nothing if the
    /// rules do not tell.
    fn terminal_scores(&self) -> Option<Vec<Vec<u32>>> {
        None
    }
    /// Who is to move.
    fn player(&self, state: &Self::State) -> usize;
    /// A player's score.
    fn score(&self, state: &Self::State, player: usize) -> u32;
    /// Everything a state says in numbers besides its board: the scores of the players first, then whatever else the
    /// rules count. Always as many, in the same order.
    fn values(&self, state: &Self::State, values: &mut Vec<u32>) {
        values.clear();
        values.extend((1..=self.players()).map(|player| self.score(state, player)));
    }
    /// How many of a piece are on the board.
    fn piece_count(&self, state: &Self::State, piece: u8) -> u32 {
        let mut contents = Vec::new();
        self.pieces(state, &mut contents);
        contents[1..].iter().filter(|there| **there == piece).count() as u32
    }
    /// A hash of the whole state; kept up to date while moves are applied.
    fn hash(&self, state: &Self::State) -> u64;
    /// A hash of what the rest of the game depends on: nodal states with the same key go on alike, though they may
    /// differ in something that does not matter any more.
    fn position_key(&self, state: &Self::State) -> u64 {
        self.hash(state)
    }
    /// Says that the hash of this state, its copies and what is made of them will not be asked for soon,
    /// so that it need not be kept up to date. [`Engine::hash`] works all the same.
    fn forget_hash(&self, state: &mut Self::State) {
        let _ = state;
    }
    /// How much was done so far to answer questions, in something that is the same on every machine; 0 where nobody
    /// counts.
    fn work(&self) -> u64 {
        0
    }
    /// True if no move has been begun.
    fn is_nodal(&self, state: &Self::State) -> bool;

    /// Lets the keeper move until a player is to move. False if he is stuck, which ends the game.
    fn run_keeper(&mut self, state: &mut Self::State) -> Result<bool, Self::Error>;

    /// All legal moves.
    fn list(&mut self, state: &mut Self::State, moves: &mut Moves) -> Result<(), Self::Error>;
    /// How many legal moves there are.
    fn count(&mut self, state: &mut Self::State) -> Result<u64, Self::Error>;
    /// True if there is a legal move. It stops at the first one, so that it may also answer where there are too many
    /// moves to count.
    fn has_move(&mut self, state: &mut Self::State) -> Result<bool, Self::Error> {
        Ok(self.count(state)? > 0)
    }
    /// The legal moves of one stage, in the order of [`Engine::list`]. It may also answer where there are too many
    /// moves to list.
    fn list_stage(
        &mut self,
        state: &mut Self::State,
        stage: Stage,
        moves: &mut Moves,
    ) -> Result<(), Self::Error> {
        list_stage_one_by_one(self, state, stage, moves)
    }
    /// The `index`-th move of [`Engine::list`]; false if there are fewer.
    fn nth(
        &mut self,
        state: &mut Self::State,
        index: u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Self::Error>;
    /// A legal move, each with the same probability; false if there is none.
    fn sample(
        &mut self,
        state: &mut Self::State,
        random: &mut Random,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Self::Error> {
        match self.count(state)? {
            0 => Ok(false),
            count => self.nth(state, random.below(count), steps),
        }
    }
    /// All legal moves in groups, in some order; some more may be among them that [`Engine::apply_grouped`] finds
    /// to be illegal. Made for choosing one move.
    fn groups(
        &mut self,
        state: &mut Self::State,
        groups: &mut MoveGroups,
    ) -> Result<(), Self::Error> {
        let mut moves = Moves::new();
        self.list(state, &mut moves)?;
        groups.fill(&moves);
        Ok(())
    }
    /// Applies a move of [`Engine::groups`] and appends its steps; false, with nothing changed, if it is
    /// illegal.
    fn apply_grouped(
        &mut self,
        state: &mut Self::State,
        groups: &MoveGroups,
        it: GroupedMove,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Self::Error> {
        let from = steps.len();
        groups.push_steps(it, steps);
        self.apply(state, &steps[from..]);
        Ok(true)
    }
    /// True if the move is legal.
    fn is_legal(&mut self, state: &mut Self::State, steps: &[Step]) -> Result<bool, Self::Error>;

    /// The semimoves from here: each the next modifier or split point, with its vertex. Some may lead
    /// to dead ends.
    fn semimoves(
        &mut self,
        state: &mut Self::State,
        semimoves: &mut Vec<Step>,
    ) -> Result<(), Self::Error>;

    /// Applies a semimove of [`Engine::semimoves`], or a step of a legal move; `None` if that is
    /// impossible. Whatever was applied is undone in the reverse order, or kept.
    fn apply_step(&mut self, state: &mut Self::State, step: Step) -> Option<Self::Undo>;
    /// Applies a legal move.
    fn apply_with_undo(&mut self, state: &mut Self::State, steps: &[Step]) -> Self::Undo;
    /// Takes back what was applied last.
    fn undo(&mut self, state: &mut Self::State, undo: Self::Undo);
    /// Forgets how to undo what was applied since then.
    fn commit(&mut self, undo: Self::Undo);
    /// Applies a legal move and forgets how to undo it.
    fn apply(&mut self, state: &mut Self::State, steps: &[Step]) {
        let undo = self.apply_with_undo(state, steps);
        self.commit(undo);
    }

    /// Applies a legal move, or the rest of one, and lets the keeper run. Gives what stands elsewhere then, every
    /// vertex once, in any order; false if the keeper is stuck, which ends the game. The way back is a copy of the
    /// state.
    fn advance(
        &mut self,
        state: &mut Self::State,
        steps: &[Step],
        changes: &mut Vec<Change>,
    ) -> Result<bool, Self::Error> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        self.pieces(state, &mut before);
        self.apply(state, steps);
        let goes_on = self.run_keeper(state)?;
        self.pieces(state, &mut after);
        differences(&before, &after, changes);
        Ok(goes_on)
    }
    /// All legal moves and what they lead to: what [`Engine::list`] and [`Engine::advance`] would tell.
    fn children(
        &mut self,
        state: &mut Self::State,
        children: &mut Children,
    ) -> Result<(), Self::Error> {
        children_one_by_one(self, state, children)
    }

    /// How many vertices the board has; they are numbered from 1.
    fn vertices(&self) -> usize;
    /// How many labels the edges of the board have.
    fn labels(&self) -> usize;
    /// Where the edge with a label (from 0) leads from a vertex; 0 if there is none.
    fn next(&self, vertex: u16, label: usize) -> u16;
    /// The number of the piece on every vertex; entry 0 is not used.
    fn pieces(&self, state: &Self::State, contents: &mut Vec<u8>);
    /// Brings what was seen of a board up to date.
    fn look(&self, state: &Self::State, view: &mut BoardView) {
        let mut contents = Vec::new();
        self.pieces(state, &mut contents);
        view.contents.resize(contents.len(), 0);
        view.changed.clear();
        for (vertex, (old, new)) in view.contents.iter_mut().zip(&contents).enumerate().skip(1) {
            if old != new {
                view.changed.push((vertex as u16, std::mem::replace(old, *new)));
            }
        }
    }
    /// What the rules tell of the cells that moves change.
    fn board_changes(&self) -> BoardChanges;
    /// The cells that differ once some steps have been made, and, if they complete a move, the keeper has run: all a
    /// move changes, from the lowest. Where the keeper fails, what was changed until then.
    fn changed_cells(&mut self, state: &Self::State, steps: &[Step], cells: &mut Vec<u16>) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        self.pieces(state, &mut before);
        let mut next = state.clone();
        self.apply(&mut next, steps);
        if self.is_nodal(&next) {
            drop(self.run_keeper(&mut next));
        }
        self.pieces(&next, &mut after);
        cells.clear();
        let differs = |vertex: &usize| before[*vertex] != after[*vertex];
        cells.extend((1..before.len()).filter(differs).map(|vertex| vertex as u16));
    }

    /// Refuses a move that has more modifiers than a move may have: whoever draws one semimove by semimove would
    /// else go round in it for ever.
    fn check_length(&self, modifiers: usize) -> Result<(), Self::Error> {
        let _ = modifiers;
        Ok(())
    }

    /// The error of a game that does not come to an end within [`MAX_GAME_MOVES`](crate::MAX_GAME_MOVES).
    fn endless(&self) -> Self::Error;

    /// Plays random moves to the end of the game; gives how many moves players made. Moves are drawn
    /// uniformly, or with `split` semimove by semimove (THESIS, Algorithm 1).
    fn playout(
        &mut self,
        state: &mut Self::State,
        split: bool,
        random: &mut Random,
    ) -> Result<u64, Self::Error>;

    /// Plays several games as [`Engine::playout`] does each, with a random generator for each: the same games, maybe
    /// sooner. Gives how many moves players made in each.
    fn playouts(
        &mut self,
        states: &mut [Self::State],
        split: bool,
        randoms: &mut [Random],
        lengths: &mut Vec<u64>,
    ) -> Result<(), Self::Error> {
        playouts_one_by_one(self, states, split, randoms, lengths)
    }

    /// What the key of a legal move is made of, for guides with keys of this kind. The state is as before afterwards.
    fn move_hash(&mut self, state: &mut Self::State, steps: &[Step], kind: KeyKind) -> KeyHash {
        move_hash(self, state, steps, kind)
    }

    /// Plays at most `most` random moves, drawn uniformly, or by the weights of a guide, which then has their keys. It
    /// ends where a player is to move, or with the game: so one move draws a move of a position, makes it and lets the
    /// keeper answer, and `u64::MAX` plays to the end. A game that is over cannot be played on. Where code can be made
    /// for it, nothing is listed.
    fn play(
        &mut self,
        state: &mut Self::State,
        most: u64,
        guide: Option<&mut Guide>,
        random: &mut Random,
    ) -> Result<Played, Self::Error> {
        play_by_listing(self, state, most, guide, random)
    }
}

/// Plays several games one after the other: what [`Engine::playouts`] does without code for it.
pub fn playouts_one_by_one<E: Engine>(
    engine: &mut E,
    states: &mut [E::State],
    split: bool,
    randoms: &mut [Random],
    lengths: &mut Vec<u64>,
) -> Result<(), E::Error> {
    lengths.clear();
    for (state, random) in states.iter_mut().zip(randoms) {
        lengths.push(engine.playout(state, split, random)?);
    }
    Ok(())
}
