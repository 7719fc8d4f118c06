//! How an index value addresses a dimension of size s, and what a value outside −s … s − 1 does.

/// One number of an index tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Component {
    /// The size of the addressed dimension; values are in −bound … bound − 1.
    pub bound: usize,
    /// Positions from one value to the next.
    pub stride: usize,
}

/// How the call handles an index value that is out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OutOfRange {
    /// `IndexError`, and the call writes nothing.
    #[default]
    Raise,
    /// The value is taken modulo s: NumPy's `mode='wrap'`.
    Wrap,
    /// The value becomes the nearest end. Every negative value, −1 too, becomes 0: NumPy's `mode='clip'`.
    Clip,
    /// Negative values down to −s count from the end. A write to a place still outside is skipped, and a read of it gives the fill
    /// value: JAX's `mode='drop'`.
    Drop,
}

impl OutOfRange {
    /// All modes.
    pub const ALL: &'static [Self] = &[Self::Raise, Self::Wrap, Self::Clip, Self::Drop];

    /// Their names, in the same order.
    pub const NAMES: &'static [&'static str] = &["raise", "wrap", "clip", "drop"];

    /// The offset that an index value adds to the position of its tuple: the value, brought into range by the mode, times the
    /// component's stride. `None` if it is out of range and the mode does not bring it back.
    pub(crate) fn position(self, value: i64, component: Component) -> Option<u32> {
        let size = component.bound as i64;
        let value = match self {
            Self::Wrap => value.checked_rem_euclid(size)?, // `None` for a size of 0, which has no place
            Self::Clip if size > 0 => value.max(0).min(size - 1), // `clamp` could panic
            Self::Raise | Self::Clip | Self::Drop if value < 0 => value.checked_add(size)?,
            Self::Raise | Self::Clip | Self::Drop => value,
        };
        // The rules keep all positions within 32 bits.
        (0..size).contains(&value).then(|| (value as u32).wrapping_mul(component.stride as u32))
    }
}
