//! The least and the greatest value so far: what values are scaled to 0..1 by (GVGAI-THESIS 3.3.3).

/// The least and the greatest value so far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Bounds {
    least: f64,
    greatest: f64,
}

impl Bounds {
    /// Before the first value.
    pub const NONE: Bounds = Bounds { least: f64::INFINITY, greatest: f64::NEG_INFINITY };

    /// A value was seen.
    pub fn include(&mut self, value: f64) {
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
    }

    /// Both; nothing before the first value.
    pub fn get(self) -> Option<(f64, f64)> {
        (self.least <= self.greatest).then_some((self.least, self.greatest))
    }

    /// The greatest value; negative infinity before the first.
    pub fn greatest(self) -> f64 {
        self.greatest
    }

    /// How far they are apart.
    pub fn range(self) -> f64 {
        (self.greatest - self.least).max(0.0)
    }

    /// A value as a part of the range. As long as all values are equal they tell nothing: then it is a half.
    pub fn scale(self, value: f64) -> f64 {
        let range = self.range();
        if range > 0.0 { ((value - self.least) / range).clamp(0.0, 1.0) } else { 0.5 }
    }

    /// A difference of values as a part of the range.
    pub fn scale_difference(self, difference: f64) -> f64 {
        let range = self.range();
        if range > 0.0 { difference / range } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_parts_of_their_range() {
        let mut bounds = Bounds::NONE;
        assert_eq!((bounds.get(), bounds.range(), bounds.scale(3.0)), (None, 0.0, 0.5));
        bounds.include(-2.0);
        assert_eq!((bounds.get(), bounds.scale(-2.0)), (Some((-2.0, -2.0)), 0.5));
        bounds.include(6.0);
        assert_eq!((bounds.scale(0.0), bounds.scale_difference(2.0)), (0.25, 0.25));
        assert_eq!((bounds.scale(-3.0), bounds.scale(7.0)), (0.0, 1.0));
    }
}
