//! Directions: vectors that are almost always units along an axis.

/// A direction. Displacements of a tick can be oblique, so it is not an enumeration.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Direction {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Direction {
    /// No direction.
    pub const NONE: Direction = Direction { x: 0.0, y: 0.0 };
    /// Up, against the y axis.
    pub const UP: Direction = Direction { x: 0.0, y: -1.0 };
    /// Down.
    pub const DOWN: Direction = Direction { x: 0.0, y: 1.0 };
    /// Left.
    pub const LEFT: Direction = Direction { x: -1.0, y: 0.0 };
    /// Right.
    pub const RIGHT: Direction = Direction { x: 1.0, y: 0.0 };
    /// "Not chosen yet", the initial direction of a RandomMissile.
    pub const NIL: Direction = Direction { x: -1.0, y: -1.0 };
    /// The four directions in the order in which the framework draws from them.
    pub const BASE: [Direction; 4] =
        [Direction::UP, Direction::LEFT, Direction::DOWN, Direction::RIGHT];

    /// The unit vector of a displacement in pixels; none for no displacement.
    pub(crate) fn of_displacement(x: i32, y: i32) -> Direction {
        match (x, y) {
            (0, 0) => Direction::NONE,
            (x, 0) => Direction { x: f64::from(x.signum()), y: 0.0 },
            (0, y) => Direction { x: 0.0, y: f64::from(y.signum()) },
            (x, y) => Direction { x: f64::from(x), y: f64::from(y) }.normalised(),
        }
    }

    pub(crate) fn length(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    pub(crate) fn normalised(self) -> Direction {
        let length = self.length();
        if length == 0.0 {
            Direction::NONE
        } else {
            Direction { x: self.x / length, y: self.y / length }
        }
    }

    pub(crate) fn is_none(self) -> bool {
        self == Direction::NONE
    }

    pub(crate) fn reversed(self) -> Direction {
        // `0.0 - x` and not `-x`: minus zero would be printed and compared differently.
        Direction { x: 0.0 - self.x, y: 0.0 - self.y }
    }
}
