//! What a player can do in a tick.

use crate::class::Class;
use crate::direction::Direction;

/// An action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Nothing.
    Nil,
    /// Up.
    Up,
    /// Left.
    Left,
    /// Down.
    Down,
    /// Right.
    Right,
    /// The special action: shoot, use.
    Use,
}

impl Action {
    /// Every action.
    pub const ALL: [Action; 6] =
        [Action::Nil, Action::Up, Action::Left, Action::Down, Action::Right, Action::Use];

    /// The letter in trace files.
    pub fn letter(self) -> char {
        match self {
            Action::Nil => 'N',
            Action::Up => 'U',
            Action::Left => 'L',
            Action::Down => 'D',
            Action::Right => 'R',
            Action::Use => 'S',
        }
    }

    /// The action of a letter.
    pub fn from_letter(letter: char) -> Option<Action> {
        Action::ALL.into_iter().find(|action| action.letter() == letter)
    }

    pub(crate) fn direction(self) -> Direction {
        match self {
            Action::Up => Direction::UP,
            Action::Left => Direction::LEFT,
            Action::Down => Direction::DOWN,
            Action::Right => Direction::RIGHT,
            Action::Nil | Action::Use => Direction::NONE,
        }
    }
}

/// The actions of an avatar class, in the order in which agents see them.
pub(crate) fn of_class(class: Class) -> &'static [Action] {
    use Action::*;
    match class {
        Class::HorizontalAvatar => &[Left, Right],
        Class::VerticalAvatar => &[Up, Down],
        Class::FlakAvatar => &[Use, Left, Right],
        Class::ShootAvatar | Class::OngoingShootAvatar => &[Use, Left, Right, Down, Up],
        Class::ShootOnlyAvatar => &[Left, Up, Right, Down, Use],
        Class::NullAvatar => &[Nil],
        _ => &[Left, Right, Down, Up],
    }
}
