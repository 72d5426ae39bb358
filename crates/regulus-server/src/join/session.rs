//! One connection to a manager, from the rules to the last game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use regulus_arena::{Table, rules, table};
use regulus_game::{Random, Step};
use regulus_player::{Failure, Mind, Rules, Thinker, wire};
use regulus_rbg::{Game, Severity, Source, load, render};
use regulus_reasoner::RunError;

use super::clock::TurnClock;
use super::parts::think_in_parts;
use super::rehearsal::rehearse;
use super::reserve::Reserve;
use super::timekeeper::{Answer, Timekeeper};
use super::{Choose, JoinError, JoinNotice, JoinSettings};
use crate::protocol::{Connection, Lost, READY, Told, message_text, parse_seconds};

/// A connection to a manager.
pub(super) struct Session<'s> {
    pub(super) settings: &'s JoinSettings,
    pub(super) connection: Connection,
    pub(super) interrupted: &'s AtomicBool,
    pub(super) watch: &'s mut dyn FnMut(&JoinNotice<'_>),
    /// Games so far.
    pub(super) games: u64,
}

/// An agent that is prepared for a game.
struct Prepared {
    mind: Mind,
    rules: Rules,
    ponders: bool,
}

/// What an agent knows about time.
struct Timing {
    clock: TurnClock,
    reserve: Reserve,
}

/// How a game has ended.
enum End {
    /// The next one begins.
    Reset,
    /// It was the last one.
    Closed,
}

/// A game that is played.
struct Course<'p> {
    table: Box<dyn Table + 'p>,
    thinker: Box<dyn Thinker + 'p>,
    moves: usize,
    /// The seat of the agent in this game, when it has moved.
    seat: Option<usize>,
}

impl From<RunError> for JoinError {
    fn from(error: RunError) -> Self {
        JoinError::Agent(format!("the rules cannot go on: {error}"))
    }
}

impl From<Failure> for JoinError {
    fn from(failure: Failure) -> Self {
        JoinError::Agent(failure.to_string())
    }
}

impl Course<'_> {
    fn play(&mut self, steps: &[Step]) -> Result<(), JoinError> {
        self.table.play(steps)?;
        self.thinker.advance(steps)?;
        self.moves += 1;
        Ok(())
    }
}

impl Session<'_> {
    /// Plays until the manager closes the connection after a game.
    pub(super) fn run(&mut self, choose: &mut Choose<'_>) -> Result<(), JoinError> {
        let (prepared, mut timing) = self.prepare(choose)?;
        let sender = self.connection.sender();
        let keeper = Timekeeper::new(sender.map_err(|error| JoinError::Lost {
            lost: error.into(),
            when: "when ready".to_owned(),
        })?);
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
    ) -> Result<(), JoinError> {
        loop {
            let seed = Random::new(self.settings.seed).fork(self.games).bits();
            let mut course = Course {
                table: table(&prepared.rules)?,
                thinker: prepared.mind.thinker(seed, std::iter::empty())?,
                moves: 0,
                seat: None,
            };
            timing.clock.reset();
            let end = self.play(&mut course, prepared.ponders, timing, keeper)?;
            // The manager may close the connection instead of beginning a game.
            if course.moves > 0 || matches!(end, End::Reset) {
                self.games += 1;
                let notice = JoinNotice::Played {
                    number: self.games,
                    moves: course.moves,
                    scores: &course.table.scores(),
                    seat: course.seat,
                    over: course.table.is_over()?,
                };
                (self.watch)(&notice);
            }
            if let End::Closed = end {
                return Ok(());
            }
        }
    }

    /// Receives the rules and prepares for them.
    fn prepare(&mut self, choose: &mut Choose<'_>) -> Result<(Prepared, Timing), JoinError> {
        let given = self.text("before the preparation time")?;
        // The time began when this was sent.
        let begin = Instant::now();
        let given = parse_seconds(&given).map_err(JoinError::Protocol)?;
        let description = self.receive("before the rules")?;
        let seat = self.text("before the seat")?;
        let source = Source::from_bytes("the game of the manager", description);
        let game = read_game(&source)?;
        let players = game.declarations.players();
        let number = seat.trim().parse::<usize>().ok();
        let Some(seat) = number.filter(|seat| (1..=players.len()).contains(seat)) else {
            let seat = message_text(seat.as_bytes());
            return Err(JoinError::Protocol(format!("there is no seat `{seat}`")));
        };
        let agent = choose(&game).map_err(JoinError::Agent)?;
        (self.watch)(&JoinNotice::Joined { players, seat, agent: &agent });
        let mind = Mind::new(&agent, &game);
        if let Some(why) = mind.why_interpreted() {
            (self.watch)(&JoinNotice::Interpreted(why));
        }
        let rules = rules(&game);
        let mut reserve = Reserve::new(self.settings.buffer.unwrap_or(agent.buffer));
        rehearse(&mind, &rules, &mut reserve, begin, given)?;
        self.send(READY.as_bytes(), "when ready")?;
        let clock = TurnClock::new(Instant::now());
        (self.watch)(&JoinNotice::Ready { after: begin.elapsed(), given });
        let prepared = Prepared { mind, rules, ponders: agent.thinks_on_others_time };
        Ok((prepared, Timing { clock, reserve }))
    }

    fn play(
        &mut self,
        course: &mut Course<'_>,
        ponders: bool,
        timing: &mut Timing,
        keeper: &Timekeeper,
    ) -> Result<End, JoinError> {
        loop {
            let heard = self.listen(course.thinker.as_mut(), ponders, &mut timing.clock)?;
            let message = match heard {
                Ok(message) => message,
                Err(Lost::Closed) if self.may_end(course)? => return Ok(End::Closed),
                Err(lost) => return Err(self.lost(lost, course)),
            };
            match Told::read(&message).map_err(JoinError::Protocol)? {
                Told::Reset => return Ok(End::Reset),
                Told::Moved(steps) => {
                    if !course.table.is_legal(&steps)? {
                        let text = wire::text(&steps);
                        let message = format!("it tells of the move `{text}`, which is illegal");
                        return Err(JoinError::Protocol(message));
                    }
                    timing.clock.others_moved();
                    course.play(&steps)?;
                }
                Told::Deadline(deadline) => self.turn(course, deadline, timing, keeper)?,
            }
        }
    }

    /// Makes a move.
    fn turn(
        &mut self,
        course: &mut Course<'_>,
        deadline: Option<Duration>,
        timing: &mut Timing,
        keeper: &Timekeeper,
    ) -> Result<(), JoinError> {
        let Timing { clock, reserve } = timing;
        let began = clock.began();
        if let Some(deadline) = deadline {
            keeper.begin(began + reserve.answer_time(deadline));
        }
        let limits = reserve.turn_limits(&self.settings.limits, deadline, began);
        let planned = limits.time.map(|time| Instant::now() + time);
        let note = &mut |steps: &[Step]| keeper.note(steps);
        let chosen = think_in_parts(course.thinker.as_mut(), &limits, note);
        let answered = keeper.end();
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(JoinError::Interrupted);
        }
        let Some(steps) = chosen? else {
            return Err(JoinError::Protocol("it asks for a move, but there is none".to_owned()));
        };
        course.seat = Some(course.table.seat());
        let answered = answered.unwrap_or_else(|| {
            let sent = self.connection.send(wire::text(&steps).as_bytes());
            sent.map(|()| Answer { steps, at: Instant::now() })
        });
        let Answer { steps, at } = answered.map_err(|lost| self.lost(lost, course))?;
        let after = at.saturating_duration_since(clock.surely_began());
        clock.sent(at);
        planned.inspect(|planned| reserve.observe(at.saturating_duration_since(*planned)));
        course.play(&steps)?;
        if let Some(given) = deadline.filter(|given| after > *given) {
            (self.watch)(&JoinNotice::Late { after, given });
        }
        Ok(())
    }

    /// The next message; while it is waited for the agent may go on searching.
    fn listen(
        &mut self,
        thinker: &mut dyn Thinker,
        ponders: bool,
        clock: &mut TurnClock,
    ) -> Result<Result<Vec<u8>, Lost>, JoinError> {
        let (wait, interrupted) = (self.settings.silence_timeout, self.interrupted);
        let waited = self.connection.has_more();
        if !ponders || waited {
            let heard = self.connection.receive(wait, interrupted);
            clock.heard(Instant::now(), waited);
            return Ok(heard);
        }
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let pondering = scope.spawn(|| thinker.ponder(&stop));
            let heard = self.connection.receive(wait, interrupted);
            clock.heard(Instant::now(), false);
            stop.store(true, Ordering::Relaxed);
            match pondering.join() {
                Ok(pondered) => pondered?,
                Err(_) => return Err(JoinError::Agent("the search has crashed".to_owned())),
            }
            Ok(heard)
        })
    }

    /// True if the manager may close the connection here: after a game, or before the next one.
    fn may_end(&self, course: &mut Course<'_>) -> Result<bool, JoinError> {
        Ok(if course.moves == 0 { self.games > 0 } else { course.table.is_over()? })
    }

    fn lost(&self, lost: Lost, course: &Course<'_>) -> JoinError {
        let when = format!("in game {}, after {} moves", self.games + 1, course.moves);
        JoinError::Lost { lost, when }
    }

    fn receive(&mut self, when: &str) -> Result<Vec<u8>, JoinError> {
        let heard = self.connection.receive(self.settings.silence_timeout, self.interrupted);
        heard.map_err(|lost| JoinError::Lost { lost, when: when.to_owned() })
    }

    fn text(&mut self, when: &str) -> Result<String, JoinError> {
        let message = self.receive(when)?;
        String::from_utf8(message).map_err(|error| {
            let shown = message_text(error.as_bytes());
            JoinError::Protocol(format!("a message that is no text: `{shown}`"))
        })
    }

    fn send(&mut self, message: &[u8], when: &str) -> Result<(), JoinError> {
        let sent = self.connection.send(message);
        sent.map_err(|lost| JoinError::Lost { lost, when: when.to_owned() })
    }
}

/// Reads the rules; errors are rendered.
fn read_game(source: &Source) -> Result<Game, JoinError> {
    let loaded = load(source);
    loaded.game.ok_or_else(|| {
        let errors = loaded.diagnostics.iter().filter(|d| d.severity() == Severity::Error);
        let errors: Vec<String> = errors.map(|d| render::render(source, d, false)).collect();
        JoinError::Rules(errors.join("\n\n"))
    })
}
