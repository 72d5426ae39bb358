//! stub
use crate::diagnostic::Diagnostics;
use crate::game::Game;
/// stub
pub fn check(_game: &Game, _diagnostics: &mut Diagnostics) {}
