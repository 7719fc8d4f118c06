//! What atomic operations do.

/// What an atomic operation does with an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Apply {
    /// Combines it with the element. An extreme of float32 takes only updates of the sign that wins.
    Update,
    /// Combines an extreme of float32 with an update of the other sign, after all updates of the sign that wins.
    LosingSign,
    /// Raises the high word of the element's key, of two words.
    HighKey,
    /// Raises the element's key, or its low word if the high word is right already.
    Key,
}

impl Apply {
    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Update => &["ATOMIC"],
            Self::LosingSign => &["ATOMIC", "LOSING_SIGN"],
            Self::HighKey => &["KEYS", "HIGH"],
            Self::Key => &["KEYS"],
        }
    }
}
