//! A process of its own for rules that nobody has checked: those that a visitor of the page has uploaded, and
//! those that a manager on the network has sent.
//!
//! Rules become machine code. Should that code ever do what it must not, it does so in a process that has nothing to
//! lose: no files, no network, no other processes, no environment, a limited amount of memory. Its parent talks
//! to it through pipes, and ends it when it takes too long.
//!
//! - The parent starts a [`Program`] with [`Limits`], reads what it says, and asks [`Ending`] how it has ended.
//! - The child calls [`confine`] before it reads anything.
//!
//! On Linux (x86-64 and AArch64) the child is left with the system calls of `filter.rs`. Elsewhere it is a process with
//! limits of memory, files and core dumps as far as the system has them; [`confine`] says what is missing.
//!
//! ```no_run
//! use regulus_sandbox::{Ending, Limits, Program};
//!
//! // This program again: with the argument `child` it calls `confine`.
//! let program = Program::this(&["child"])?;
//! let limits = Limits { memory: 1 << 30, niceness: 10 };
//! let output = program.command(&limits).spawn()?.wait_with_output()?;
//! let messages = String::from_utf8_lossy(&output.stderr);
//! println!("{}", Ending::new(output.status, &messages, limits.memory));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! What is **not** here: rules, games, what is said through the pipes, how long anything may take.
//!
//! # Where to look
//!
//! The parent starts a `Program` with `Limits`; the child calls `confine` before it reads anything; the parent asks `Ending` how it
//! has ended. `docs/web.md` tells what is given up. Used for uploaded rules (`regulus-web`) and for the rules of a manager
//! (`regulus-server`), both in the hidden command `run-rules`.
//!
//! | to change | look at |
//! |---|---|
//! | which system calls are left, or fail, or end the process | `filter.rs` |
//! | limits of resources, privileges, what is said where there is no filter | `confinement.rs` |
//! | words for how it has ended | `ending.rs` |
//! | how it is started | `program.rs` |
//!
//! # Tests
//!
//! | what | where |
//! |---|---|
//! | processes that try what they may not do: files, sockets, processes, memory, crashes | `tests/confined.rs` |

mod confinement;
mod ending;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod filter;
mod limits;
mod program;

pub use confinement::{Incomplete, confine, end_on_panic};
pub use ending::Ending;
pub use limits::Limits;
pub use program::Program;
