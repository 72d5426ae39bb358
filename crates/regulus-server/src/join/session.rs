//! One connection to a manager, from the rules to the last game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use regulus_agent::{Agent, by_name};
use regulus_arena::board::{Table, rules, table};
use regulus_game::{Random, Step};
use regulus_player::{LoadedGame, PreparedAgent, Rules, wire};
use regulus_rbg::Source;
use regulus_reasoner::RunError;
use regulus_search::Searcher;

use super::clock::TurnClock;
use super::link::Link;
use super::notice::{JoinNotice, MoveStatistics};
use super::parts::think_in_parts;
use super::rehearsal::rehearse;
use super::reserve::{Reserve, is_counted};
use super::timekeeper::{Answer, Timekeeper};
use super::words::{Failure, Setup, Word};
use crate::protocol::{Lost, READY, Told, message_text, parse_seconds};

/// A connection to a manager.
pub(super) struct Session {
    pub(super) setup: Setup,
    pub(super) link: Link,
    /// Games so far.
    pub(super) games: u64,
}

/// An agent that is prepared for a game.
struct Prepared {
    prepared_agent: PreparedAgent,
    rules: Rules,
    ponders: bool,
}

/// What an agent knows about time.
struct Timing {
    clock: TurnClock,
    reserve: Reserve,
    /// That deadlines are ignored was said.
    warned: bool,
}

/// How a game has ended.
enum End {
    /// The next one begins.
    Reset,
    /// It was the last one.
    Closed,
}

/// A game that is played.
struct CurrentGame<'p> {
    table: Box<dyn Table + 'p>,
    searcher: Box<dyn Searcher<RunError>>,
    moves: usize,
    /// The seat of the agent in this game, when it has moved.
    seat: Option<usize>,
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Failure::Agent(format!("the rules cannot go on: {error}"))
    }
}

impl From<regulus_player::Failure> for Failure {
    fn from(failure: regulus_player::Failure) -> Self {
        Failure::Agent(failure.to_string())
    }
}

impl CurrentGame<'_> {
    fn play(&mut self, steps: &[Step]) -> Result<(), Failure> {
        self.table.play(steps)?;
        self.searcher.advance(steps)?;
        self.moves += 1;
        Ok(())
    }
}

impl Session {
    /// Plays until the manager closes the connection after a game.
    pub(super) fn run(&mut self) -> Result<(), Failure> {
        let (prepared, mut timing) = self.prepare()?;
        let keeper = Timekeeper::new(self.link.speaker().clone());
        thread::scope(|scope| {
            scope.spawn(|| keeper.run());
            let _shift = keeper.shift();
            self.play_games(&prepared, &mut timing, &keeper)
        })
    }

    fn play_games(
        &mut self,
        prepared: &Prepared,
        timing: &mut Timing,
        keeper: &Timekeeper,
    ) -> Result<(), Failure> {
        loop {
            let seed = Random::new(self.setup.seed).fork(self.games).bits();
            let mut current = CurrentGame {
                table: table(&prepared.rules)?,
                searcher: prepared.prepared_agent.searcher(seed, std::iter::empty())?,
                moves: 0,
                seat: None,
            };
            timing.clock.reset();
            let end = self.play(&mut current, prepared.ponders, timing, keeper)?;
            // The manager may close the connection instead of beginning a game.
            if current.moves > 0 || matches!(end, End::Reset) {
                self.games += 1;
                let notice = JoinNotice::GameResult {
                    number: self.games,
                    moves: current.moves,
                    scores: current.table.scores(),
                    seat: current.seat,
                    over: current.table.is_over()?,
                };
                self.tell(notice);
            }
            if let End::Closed = end {
                return Ok(());
            }
        }
    }

    /// Receives the rules and prepares for them.
    fn prepare(&mut self) -> Result<(Prepared, Timing), Failure> {
        let given = self.text("before the preparation time")?;
        // The time began when this was sent.
        let begin = Instant::now();
        let given = parse_seconds(&given).map_err(Failure::Protocol)?;
        let description = self.receive("before the rules")?;
        let seat = self.text("before the seat")?;
        let source = Source::from_bytes("the game of the manager", description);
        let game = LoadedGame::read("game", source)
            .map_err(|fault| Failure::Rules(fault.render(false).join("\n\n")))?;
        let players = game.players();
        let number = seat.trim().parse::<usize>().ok();
        let Some(seat) = number.filter(|seat| (1..=players.len()).contains(seat)) else {
            let seat = message_text(seat.as_bytes());
            return Err(Failure::Protocol(format!("there is no seat `{seat}`")));
        };
        let agent = self.agent(&game)?;
        let (players, name) = (players.to_vec(), agent.name.clone());
        self.tell(JoinNotice::Joined { players, seat, agent: name });
        let prepared_agent = PreparedAgent::new(&agent, &game);
        if let Some(why) = prepared_agent.why_interpreted() {
            self.tell(JoinNotice::Interpreted(why.to_owned()));
        }
        let rules = rules(&game);
        let mut reserve = Reserve::new(self.setup.buffer.unwrap_or(agent.buffer));
        rehearse(&prepared_agent, &rules, &mut reserve, begin, given)?;
        let sent = self.link.send(READY);
        sent.map_err(|lost| lost_at(lost, "when ready", false))?;
        let clock = TurnClock::new(Instant::now());
        self.tell(JoinNotice::Ready { after: begin.elapsed(), given });
        let prepared = Prepared { prepared_agent, rules, ponders: agent.thinks_on_others_time };
        Ok((prepared, Timing { clock, reserve, warned: false }))
    }

    fn play(
        &mut self,
        current: &mut CurrentGame<'_>,
        ponders: bool,
        timing: &mut Timing,
        keeper: &Timekeeper,
    ) -> Result<End, Failure> {
        loop {
            let heard = self.listen(current.searcher.as_mut(), ponders, &mut timing.clock)?;
            let message = match heard {
                Ok(message) => message,
                Err(Lost::Closed) if self.may_end(current)? => return Ok(End::Closed),
                Err(lost) => return Err(self.lost(lost, current)),
            };
            match Told::read(&message).map_err(Failure::Protocol)? {
                Told::Reset => return Ok(End::Reset),
                Told::Moved(steps) => {
                    if !current.table.is_legal(&steps)? {
                        let text = wire::text(&steps);
                        let message = format!("it tells of the move `{text}`, which is illegal");
                        return Err(Failure::Protocol(message));
                    }
                    timing.clock.others_moved();
                    current.play(&steps)?;
                }
                Told::Deadline(deadline) => self.turn(current, deadline, timing, keeper)?,
            }
        }
    }

    /// Makes a move.
    fn turn(
        &mut self,
        current: &mut CurrentGame<'_>,
        deadline: Option<Duration>,
        timing: &mut Timing,
        keeper: &Timekeeper,
    ) -> Result<(), Failure> {
        let Timing { clock, reserve, warned } = timing;
        let began = clock.began();
        let ignored = is_counted(&self.setup.limits());
        match deadline {
            Some(given) if ignored && !*warned => {
                self.tell(JoinNotice::DeadlineIgnored { given });
                *warned = true;
            }
            Some(deadline) if !ignored => keeper.begin(began + reserve.answer_time(deadline)),
            _ => {}
        }
        let limits = reserve.turn_limits(&self.setup.limits(), deadline, began);
        let start = Instant::now();
        let planned = limits.time.map(|time| Instant::now() + time);
        let note = &mut |steps: &[Step]| keeper.note(steps);
        let thought = think_in_parts(current.searcher.as_mut(), &limits, note);
        let answered = keeper.end();
        let thought = thought?;
        let (iterations, nodal_states) = (thought.iterations, thought.nodal_states);
        let Some(steps) = thought.chosen else {
            return Err(if current.table.is_over()? {
                Failure::Protocol("it asks for a move, but there is none".to_owned())
            } else {
                Failure::Agent("the agent finds no move, though there are legal ones".to_owned())
            });
        };
        current.seat = Some(current.table.seat());
        let answered = answered.unwrap_or_else(|| {
            let sent = self.link.send(&wire::text(&steps));
            sent.map(|()| Answer { steps, at: Instant::now() })
        });
        let Answer { steps, at } = answered.map_err(|lost| self.lost(lost, current))?;
        let after = at.saturating_duration_since(clock.surely_began());
        clock.sent(at);
        planned.inspect(|planned| reserve.observe(at.saturating_duration_since(*planned)));
        if self.setup.show_moves {
            let took = at.saturating_duration_since(start);
            let moves = statistics(current, &steps)?;
            let number = current.moves + 1;
            self.tell(JoinNotice::Turn { number, iterations, nodal_states, took, moves });
        }
        current.play(&steps)?;
        if let Some(given) = deadline.filter(|given| after > *given) {
            self.tell(JoinNotice::Late { after, given });
        }
        Ok(())
    }

    /// The next message; while it is waited for the agent may go on searching.
    fn listen(
        &mut self,
        searcher: &mut dyn Searcher<RunError>,
        ponders: bool,
        clock: &mut TurnClock,
    ) -> Result<Result<Vec<u8>, Lost>, Failure> {
        let (wait, link) = (self.setup.silence_timeout, &self.link);
        let waited = link.has_more();
        if !ponders || waited {
            let heard = link.receive(wait);
            clock.heard(Instant::now(), waited);
            return Ok(heard);
        }
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let pondering = scope.spawn(|| searcher.ponder(&stop));
            let heard = link.receive(wait);
            clock.heard(Instant::now(), false);
            stop.store(true, Ordering::Relaxed);
            match pondering.join() {
                Ok(()) => Ok(heard),
                Err(_) => Err(Failure::Agent("the search has crashed".to_owned())),
            }
        })
    }

    /// True if the manager may close the connection here: after a game, or before the next one.
    fn may_end(&self, current: &mut CurrentGame<'_>) -> Result<bool, Failure> {
        Ok(if current.moves == 0 { self.games > 0 } else { current.table.is_over()? })
    }

    fn lost(&self, lost: Lost, current: &CurrentGame<'_>) -> Failure {
        let when = format!("in game {}, after {} moves", self.games + 1, current.moves);
        let waiting = self.games == self.setup.games && current.moves == 0;
        let unseated = waiting && matches!(lost, Lost::Closed);
        lost_at(lost, &when, unseated)
    }

    fn receive(&mut self, when: &str) -> Result<Vec<u8>, Failure> {
        let heard = self.link.receive(self.setup.silence_timeout);
        heard.map_err(|lost| lost_at(lost, when, false))
    }

    fn text(&mut self, when: &str) -> Result<String, Failure> {
        let message = self.receive(when)?;
        String::from_utf8(message).map_err(|error| {
            let shown = message_text(error.as_bytes());
            Failure::Protocol(format!("a message that is no text: `{shown}`"))
        })
    }

    /// The agent that plays a game.
    fn agent(&self, game: &LoadedGame) -> Result<Agent, Failure> {
        let mut agent = match self.setup.agent().map_err(Failure::Agent)? {
            Some(agent) => agent,
            None => {
                by_name(game.auto_agent()).map_err(|problem| Failure::Agent(problem.to_string()))?
            }
        };
        agent.search.set_memory(agent.search.memory().min(self.setup.search_memory));
        Ok(agent)
    }

    fn tell(&self, notice: JoinNotice) {
        // If nobody listens any more, that is seen by whoever listens next.
        let _ = self.link.speaker().say(&Word::Notice(notice));
    }
}

/// All legal moves of the position with what the search knows about them, the most visited first.
fn statistics(
    current: &mut CurrentGame<'_>,
    chosen: &[Step],
) -> Result<Vec<MoveStatistics>, Failure> {
    let known = current.searcher.moves();
    let legal = current.table.legal()?;
    let one = |steps: &Vec<Step>| {
        let found = known.iter().find(|report| report.steps == *steps);
        let found = found.filter(|report| report.visits > 0);
        MoveStatistics {
            steps: wire::text(steps),
            visits: found.map_or(0, |report| report.visits),
            mean: found.map(|report| report.mean),
            chosen: steps == chosen,
        }
    };
    let mut moves: Vec<MoveStatistics> = legal.iter().map(one).collect();
    moves.sort_by_key(|row| std::cmp::Reverse(row.visits));
    Ok(moves)
}

fn lost_at(lost: Lost, when: &str, unseated: bool) -> Failure {
    Failure::Lost { lost, when: when.to_owned(), unseated }
}
