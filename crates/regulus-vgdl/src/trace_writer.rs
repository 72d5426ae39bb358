//! Writing traces of our own, in the format that [`trace`](crate::trace) reads.

use std::fmt::Write;
use std::sync::Arc;

use crate::action::Action;
use crate::generator::Generator;
use crate::level::Level;
use crate::state::State;
use crate::trace::{line, sprite_lines};

/// Records a game with Java's generator. `next` chooses the actions; the recording ends where it has none, or with
/// the game. The heading names the game, the number of the level, the kind of the actions and the seed.
pub fn record(
    level: &Arc<Level>,
    (game, number): (&str, usize),
    kind: u32,
    seed: i64,
    mut next: impl FnMut(&State) -> Option<Action>,
) -> String {
    let mut state = State::new(level, Generator::java(seed));
    let ((width, height), block) = (level.size(), level.block_size());
    let letters: String = state.avatar_actions().iter().map(|action| action.letter()).collect();
    let mut text = format!(
        "TRACE {game} {number} {kind} {seed}\nLEVEL {width} {height} {block}\nACTIONS {letters}\nINIT {}\n",
        line(&state)
    );
    let mut sprites = sprite_lines(&state);
    for sprite in &sprites {
        text.push_str("= ");
        text.push_str(sprite);
        text.push('\n');
    }
    let mut ticks = 0;
    while !state.is_over() {
        let Some(action) = next(&state) else { break };
        state.advance(action);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "T {ticks} {} {}", action.letter(), line(&state));
        let now = sprite_lines(&state);
        write_changes(&mut text, &sprites, &now);
        sprites = now;
        ticks += 1;
    }
    let _ = writeln!(text, "END {ticks}");
    text
}

/// The difference of two sorted lists, in order.
fn write_changes(text: &mut String, before: &[String], after: &[String]) {
    let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
    loop {
        let (sign, sprite) = match (before.peek(), after.peek()) {
            (Some(old), Some(new)) if old == new => {
                before.next();
                after.next();
                continue;
            }
            (Some(old), Some(new)) if old > new => ('+', after.next()),
            (Some(_), _) => ('-', before.next()),
            (None, Some(_)) => ('+', after.next()),
            (None, None) => return,
        };
        if let Some(sprite) = sprite {
            let _ = writeln!(text, "{sign} {sprite}");
        }
    }
}
