//! Agents that fail in every way they can: each loses its game with the reason, and nothing else happens.

use std::iter::empty;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use regulus_arena::board::{Conditions, GameResult, Outcome, Player, Referee, Table, play};
use regulus_arena::{Reason, Stop};
use regulus_game::Step;
use regulus_player::catalogue::Catalogue;
use regulus_player::{Failure, LoadedGame, PreparedAgent};
use regulus_reasoner::{Interpreter, RunError};
use regulus_search::config::Limits;
use regulus_search::{MoveReport, SearchResult, Searcher, Totals, Turn};

fn game(name: &str) -> Arc<LoadedGame> {
    Catalogue::default().game(name).expect("a built-in game")
}

/// What an agent does in its second turn.
#[derive(Clone, Copy)]
enum Vice {
    Fails,
    Crashes,
    PlaysTwice,
    Invents,
    GivesNothing,
    IsLate,
    StopsAll(&'static AtomicBool),
    None,
}

/// Plays with a proper agent up to its second turn.
struct Vicious<'m> {
    inner: Box<dyn Searcher<RunError> + 'm>,
    vice: Vice,
    turns: usize,
    last: Vec<Step>,
}

impl Searcher<RunError> for Vicious<'_> {
    fn take_turn(&mut self, turn: &mut Turn<'_>) -> Result<SearchResult, Failure> {
        let limits = turn.limits();
        self.turns += 1;
        let totals = Totals::default();
        let thought = |chosen| SearchResult { chosen, totals, nodes: 0, bytes: 0, trouble: None };
        if self.turns == 2 {
            match self.vice {
                Vice::Fails => return Err(Failure::Game(RunError::TooManyMoves)),
                Vice::Crashes => panic!("no idea what to do"),
                Vice::PlaysTwice => return Ok(thought(Some(self.last.clone()))),
                Vice::Invents => {
                    return Ok(thought(Some(vec![Step { action: 999, vertex: 60_000 }])));
                }
                Vice::GivesNothing => return Ok(thought(None)),
                Vice::IsLate => {
                    let allowed = limits.time.expect("a game by the clock");
                    let begin = Instant::now();
                    while begin.elapsed() <= allowed {
                        std::thread::yield_now();
                    }
                }
                Vice::StopsAll(flag) => flag.store(true, std::sync::atomic::Ordering::Relaxed),
                Vice::None => {}
            }
        }
        let limits = Limits { time: None, simulations: Some(20), ..limits };
        let thought = self.inner.think(&limits)?;
        self.last = thought.chosen.clone().unwrap_or_default();
        Ok(thought)
    }

    fn moves(&self) -> Vec<MoveReport> {
        self.inner.moves()
    }

    fn advance(&mut self, steps: &[Step]) -> Result<(), Failure> {
        self.inner.advance(steps)
    }
}

/// A game of tic-tac-toe between a proper agent and one with a vice on the second seat.
fn against(vice: Vice, limits: &Limits, max_plies: usize, stop: &AtomicBool) -> Option<GameResult> {
    let game = game("tic-tac-toe");
    let agent = regulus_agent::by_name("mcts_orthodox_orthodox").expect("an agent");
    let prepared_agent = PreparedAgent::new(&agent, &game);
    let rules = Interpreter::new(game.rules());
    let mut table = Referee::new(rules.worker()).expect("a game begins");
    let vices = [Vice::None, vice];
    let start = |vice| {
        let inner = prepared_agent.searcher(3, empty())?;
        Ok(Box::new(Vicious { inner, vice, turns: 0, last: Vec::new() })
            as Box<dyn Searcher<RunError>>)
    };
    let mut players = vices.map(|vice| Player::new(move || start(vice)));
    let conditions = Conditions { limits, tolerance: Duration::ZERO, max_plies };
    play(&mut table, Vec::new(), &mut players, &conditions, Stop::when(stop))
}

fn fault(vice: Vice) -> (Reason, String) {
    let stop = AtomicBool::new(false);
    let played = against(vice, &Limits::simulations(20), 100, &stop).expect("nobody stops it");
    match played.outcome {
        Outcome::Forfeit { seat: 2, reason, message } => {
            assert_eq!(played.moves.len(), 3, "the game ends in the fourth move");
            assert!(played.turns.len() <= 4 && played.turns.is_even());
            (reason, message)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn whoever_fails_loses_with_the_reason() {
    let (reason, message) = fault(Vice::Fails);
    assert_eq!(reason, Reason::Failed);
    assert!(message.contains("the position has too many moves"), "{message}");
    assert_eq!(fault(Vice::Crashes), (Reason::Crashed, "no idea what to do".to_owned()));
    let (reason, message) = fault(Vice::PlaysTwice);
    assert!(reason == Reason::Illegal && message.ends_with("is illegal"), "{message}");
    let (reason, message) = fault(Vice::Invents);
    assert_eq!((reason, message.as_str()), (Reason::Illegal, "`60000 999` is illegal"));
    assert_eq!(fault(Vice::GivesNothing).0, Reason::Illegal);
}

#[test]
fn whoever_is_late_loses() {
    let stop = AtomicBool::new(false);
    let limits = Limits::time(Duration::from_millis(10));
    let played = against(Vice::IsLate, &limits, 100, &stop).expect("nobody stops it");
    let Outcome::Forfeit { reason, message, .. } = played.outcome else { panic!("no fault") };
    assert_eq!(reason, Reason::Timeout);
    assert!(message.ends_with("s for a move, 10ms allowed"), "{message}");
}

#[test]
fn whoever_cannot_begin_loses() {
    let game = game("tic-tac-toe");
    let rules = Interpreter::new(game.rules());
    let mut table = Referee::new(rules.worker()).expect("a game begins");
    let mut players = [0, 1].map(|_| Player::new(|| Err(Failure::Game(RunError::NoNativeCode))));
    let limits = Limits::simulations(1);
    let conditions = Conditions { limits: &limits, tolerance: Duration::ZERO, max_plies: 9 };
    let played = play(&mut table, Vec::new(), &mut players, &conditions, Stop::default());
    let outcome = played.expect("nobody stops it").outcome;
    assert!(matches!(outcome, Outcome::Forfeit { seat: 1, reason: Reason::Failed, .. }));
}

#[test]
fn a_game_that_is_too_long_is_void() {
    let stop = AtomicBool::new(false);
    let played = against(Vice::None, &Limits::simulations(20), 4, &stop).expect("not stopped");
    assert_eq!(played.moves.len(), 4);
    assert_eq!(played.outcome, Outcome::Void { message: "not over after 4 moves".to_owned() });
}

#[test]
fn a_game_that_is_stopped_is_nothing() {
    static STOP: AtomicBool = AtomicBool::new(false);
    assert_eq!(against(Vice::StopsAll(&STOP), &Limits::simulations(20), 100, &STOP), None);
}

/// A referee that breaks is nobody's fault.
struct Broken<T>(T);

impl<T: Table> Table for Broken<T> {
    fn seat(&self) -> usize {
        self.0.seat()
    }
    fn is_over(&mut self) -> Result<bool, RunError> {
        self.0.is_over()
    }
    fn count(&mut self) -> Result<u64, RunError> {
        self.0.count()
    }
    fn legal(&mut self) -> Result<Vec<Vec<Step>>, RunError> {
        self.0.legal()
    }

    fn is_legal(&mut self, _: &[Step]) -> Result<bool, RunError> {
        Err(RunError::EndlessKeeper)
    }
    fn play(&mut self, steps: &[Step]) -> Result<(), RunError> {
        self.0.play(steps)
    }
    fn sample(&mut self, random: &mut regulus_game::Random) -> Result<Option<Vec<Step>>, RunError> {
        self.0.sample(random)
    }
    fn scores(&self) -> Vec<u32> {
        self.0.scores()
    }
    fn score_bounds(&self) -> Vec<u32> {
        self.0.score_bounds()
    }
}

#[test]
fn rules_that_cannot_go_on_make_a_game_void() {
    let game = game("tic-tac-toe");
    let agent = regulus_agent::by_name("mcts_orthodox_orthodox").expect("an agent");
    let prepared_agent = PreparedAgent::new(&agent, &game);
    let rules = Interpreter::new(game.rules());
    let mut table = Broken(Referee::new(rules.worker()).expect("a game begins"));
    let mut players = [0, 1].map(|_| Player::new(|| prepared_agent.searcher(1, empty())));
    let limits = Limits::simulations(5);
    let conditions = Conditions { limits: &limits, tolerance: Duration::ZERO, max_plies: 9 };
    let played = play(&mut table, Vec::new(), &mut players, &conditions, Stop::default());
    let Outcome::Void { message } = played.expect("not stopped").outcome else {
        panic!("not void")
    };
    assert!(message.starts_with("the rules cannot go on: the keeper"), "{message}");
}
