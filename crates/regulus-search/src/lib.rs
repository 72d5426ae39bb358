//! Monte-Carlo tree search on moves and on semimoves (THESIS chapter 2, AAAI22).
//!
//! What is **not** here: any game language, configuration files, threads.

pub mod config;
