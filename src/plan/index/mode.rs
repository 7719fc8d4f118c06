//! How an index value addresses a dimension of size s, what a value outside −s … s − 1 does, and which value is ignored.

use crate::words::words;

/// One number of an index tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Component {
    /// The size of the addressed dimension; values are in −bound … bound − 1.
    pub bound: usize,
    /// Positions from one value to the next.
    pub stride: usize,
}

words! {
    /// How the call handles an index value that is out of range.
    #[derive(Default)]
    OutOfRange
    /// `IndexError`, and the call writes nothing.
    #[default]
    Raise = "raise";
    /// The value is taken modulo s: NumPy's `mode='wrap'`.
    Wrap = "wrap";
    /// The value becomes the nearest end. Every negative value, −1 too, becomes 0: NumPy's `mode='clip'`.
    Clip = "clip";
    /// Negative values down to −s count from the end. A write to a slot still outside is skipped, and a read of it gives the fill
    /// value: JAX's `mode='drop'`.
    Drop = "drop";
    /// Every value outside 0 … s − 1 is skipped as by [`OutOfRange::Drop`], also negative ones: none counts from the end.
    Inside = "inside";
}

impl OutOfRange {
    /// Whether an entry with a value that is out of range is skipped.
    pub(crate) const fn skips(self) -> bool {
        matches!(self, Self::Drop | Self::Inside)
    }

    /// The offset that an index value adds to the position of its tuple: the value, brought into range by the mode, times the
    /// component's stride. `None` if it is out of range and the mode does not bring it back.
    pub(crate) fn position(self, value: i64, component: Component) -> Option<u32> {
        let size = component.bound as i64;
        let value = match self {
            Self::Wrap => value.checked_rem_euclid(size)?, // `None` for a size of 0, which has no slot
            Self::Clip if size > 0 => value.max(0).min(size - 1), // `clamp` could panic
            Self::Raise | Self::Clip | Self::Drop if value < 0 => value.checked_add(size)?,
            Self::Raise | Self::Clip | Self::Drop | Self::Inside => value,
        };
        // The rules keep all positions within 32 bits.
        (0..size).contains(&value).then(|| (value as u32).wrapping_mul(component.stride as u32))
    }
}

/// How a call reads the values of its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct IndexMode {
    /// What a value does that is out of range.
    pub out_of_range: OutOfRange,
    /// An entry with this value is skipped, as [`OutOfRange::Drop`] skips entries: PyTorch's `ignore_index`. The raw value
    /// counts, before negative values count from the end, and it may be out of range in every mode. A tuple is skipped if any of
    /// its numbers is this one.
    pub ignored: Option<i64>,
}

impl From<OutOfRange> for IndexMode {
    fn from(out_of_range: OutOfRange) -> Self {
        Self { out_of_range, ignored: None }
    }
}

impl IndexMode {
    /// Whether every value must be in range, so that each entry has a slot.
    #[inline(always)]
    pub(crate) fn is_plain(self) -> bool {
        self.out_of_range == OutOfRange::Raise && self.ignored.is_none()
    }

    /// Whether a call in this mode does what a call in a plain mode does, if all values are within these ends and in range for it.
    pub(crate) fn changes_none(self, (min, max): (i64, i64)) -> bool {
        let moves = matches!(self.out_of_range, OutOfRange::Clip | OutOfRange::Inside) && min < 0;
        !moves && self.ignored.is_none_or(|ignored| ignored < min || ignored > max)
    }

    /// Whether a call may skip entries.
    pub(crate) fn drops(self) -> bool {
        self.out_of_range.skips() || self.ignored.is_some()
    }
}
