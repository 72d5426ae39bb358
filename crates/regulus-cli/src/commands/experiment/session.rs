//! Working on an experiment and telling about it.

use std::ffi::OsStr;
use std::io::{IsTerminal, Write};
use std::sync::atomic::AtomicBool;

use regulus_arena::experiment::{
    Damage, DamagedLine, Event, Experiment, ExperimentError, Layout, Work, work as play,
};
use regulus_arena::parallel::Threads;

use crate::failure::Failure;
use crate::progress::Progress;

/// Works on a share of an experiment. If it cannot finish, the command that goes on is printed.
pub fn work(
    layout: &Layout,
    experiment: &Experiment,
    work: Work,
    interrupted: &AtomicBool,
) -> Result<(), Failure> {
    let what = experiment.plan.kind.nouns();
    let root = layout.root().display();
    let mut progress = None;
    let mut watch = |event: Event<'_>| {
        let mut err = anstream::stderr();
        // Nobody is there to read it if this fails.
        let _ = match event {
            Event::Recorded(record) => {
                progress.as_mut().map_or(Ok(()), |progress: &mut Progress| {
                    progress.show(&record.headline());
                    Ok(())
                })
            }
            Event::Waiting(holder) => writeln!(
                err,
                "{root}: waiting for process {} on {}, which has this share",
                holder.process, holder.host
            ),
            Event::Damaged(damage) => tell_damage(&mut err, damage, layout),
            Event::Measuring { game, limit } => writeln!(err, "measuring {limit} on {game}"),
            Event::Interpreted { game, why } => {
                writeln!(err, "note: {game} is interpreted, because {why}")
            }
            Event::Begin { missing, recorded, threads, timed } => {
                progress = Some(Progress::new(missing, what, std::io::stderr().is_terminal()));
                let processors = Threads::all().count;
                let crowded = timed && threads > processors;
                writeln!(
                    err,
                    "{root}: {missing} {what} to play, {recorded} are there already; {threads} at a time"
                )
                .and_then(|()| match crowded {
                    true => writeln!(
                        err,
                        "note: {threads} searches by the clock share {processors} processors; --threads {processors} is fair"
                    ),
                    false => Ok(()),
                })
            }
        };
    };
    let result = play(layout, experiment, work, interrupted, &mut watch);
    if let Some(progress) = progress {
        progress.finish();
    }
    let go_on = || format!("continue with: {}", this_command());
    let worked = result.map_err(|error| match error {
        // When there is room again, say.
        ExperimentError::Io { .. } | ExperimentError::Record(_) => {
            Failure::Failed(format!("{error}\n{}", go_on()))
        }
        other => other.into(),
    })?;
    let there = worked.before + worked.played;
    if worked.interrupted {
        return Err(Failure::Failed(format!(
            "interrupted: {} {what} played, {there} of {} are recorded in {root}\n{}",
            worked.played,
            worked.total,
            go_on()
        )));
    }
    let mut out = anstream::stdout().lock();
    let share = match work.shard.count {
        1 => String::new(),
        _ => format!(" of share {}", work.shard),
    };
    writeln!(out, "{root}: all {there} {what}{share} are recorded, {} of them now", worked.played)?;
    if worked.faults > 0 {
        writeln!(
            out,
            "{} of these ended by a fault, see `regulus experiment report`",
            worked.faults
        )?;
    }
    Ok(())
}

/// Lines of this number are named; of more, how many there are.
const LINES_NAMED: usize = 10;

/// Says which lines are left out, and what can be done about them.
fn tell_damage(err: &mut impl Write, damage: &Damage, layout: &Layout) -> std::io::Result<()> {
    for DamagedLine { file, line, why } in damage.lines.iter().take(LINES_NAMED) {
        writeln!(err, "warning: {}, line {line} is left out: {why}", file.display())?;
    }
    let more = damage.count.saturating_sub(LINES_NAMED as u64);
    if more > 0 {
        let plural = if more == 1 { " is" } else { "s are" };
        writeln!(err, "warning: {more} more line{plural} left out")?;
    }
    writeln!(
        err,
        "note: their games are played again if they are missing; `regulus experiment repair {}` moves such lines out \
         of the way",
        quote(&layout.root().to_string_lossy())
    )
}

/// The command as it was given, so that a shell can read it.
fn this_command() -> String {
    let quoted = |word: &OsStr| quote(&word.to_string_lossy());
    std::env::args_os().map(|word| quoted(&word)).collect::<Vec<_>>().join(" ")
}

/// A word for a shell.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
