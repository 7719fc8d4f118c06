//! What atomic operations do.

/// What an atomic operation does with an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Apply {
    /// Combines it with the element.
    Update,
    /// Raises the high word of the element's key, of two words.
    HighKey,
    /// Raises the element's key, or its low word if the high word is right already.
    Key,
}

impl Apply {
    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Update => &["ATOMIC"],
            Self::HighKey => &["KEYS", "HIGH"],
            Self::Key => &["KEYS"],
        }
    }
}
