//! What a value of an index addresses, and what one outside −s … s − 1 does, where s is the size of the dimension that it addresses.

/// One number of an index tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Component {
    /// The size of the dimension that it addresses; values are in −bound … bound − 1.
    pub bound: usize,
    /// Positions from one value to the next.
    pub stride: usize,
}

/// What an index value that is out of range does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OutOfRange {
    /// `IndexError`, and nothing is written.
    #[default]
    Raise,
    /// It is taken modulo s: NumPy's `mode='wrap'`.
    Wrap,
    /// It becomes the nearest end; every negative value, −1 too, becomes 0: NumPy's `mode='clip'`.
    Clip,
    /// Negative values down to −s count from the end. What is still outside is not written, and a read of it gives a fill value:
    /// JAX's `mode='drop'`.
    Drop,
}

impl OutOfRange {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Raise, Self::Wrap, Self::Clip, Self::Drop];

    /// Their names, in the same order.
    pub const NAMES: &'static [&'static str] = &["raise", "wrap", "clip", "drop"];

    /// What an index value adds to the position of its tuple: the value, brought into range by the mode, times the component's stride.
    /// `None` where it is out of range and the mode does not bring it back.
    pub(crate) fn position(self, value: i64, component: Component) -> Option<u32> {
        let size = component.bound as i64;
        let value = match self {
            Self::Wrap => value.checked_rem_euclid(size)?, // `None` for a size of 0, which has no place
            Self::Clip if size > 0 => value.max(0).min(size - 1), // `clamp` could panic
            Self::Raise | Self::Clip | Self::Drop if value < 0 => value.checked_add(size)?,
            Self::Raise | Self::Clip | Self::Drop => value,
        };
        // All positions fit 32 bits: the rules see to that.
        (0..size).contains(&value).then(|| (value as u32).wrapping_mul(component.stride as u32))
    }
}
