//! How an update is combined with the value that is already there.

use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::plan::Op;

macro_rules! reduces {
    ($($(#[$doc:meta])* $name:ident = $word:literal;)*) => {
        /// What a scatter does with each update. Updates are applied in row-major order of the index, one
        /// after the other, in the tensor's own dtype.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Reduce {
            /// The update takes the place of the value; of several, the last one stays.
            Replace,
            $($(#[$doc])* $name,)*
        }

        impl Reduce {
            /// Every mode. Those behind the first one are in the order of [`Reduce::NAMES`].
            pub const ALL: &'static [Self] = &[Self::Replace, $(Self::$name,)*];

            /// The words that the `reduce` option takes. Its absence means replace.
            pub const NAMES: &'static [&'static str] = &[$($word,)*];
        }
    };
}

reduces! {
    /// The update is added. Integers wrap; bool is OR.
    Add = "add";
    /// The value is multiplied by the update. Integers wrap; bool is AND.
    Multiply = "multiply";
}

impl Reduce {
    /// The mode of that name.
    ///
    /// # Errors
    /// `ValueError` (`unknown-reduce`) for any other word; case matters.
    ///
    /// ```
    /// use scatterwise::{Op, Reduce};
    /// assert_eq!(Reduce::from_name(Op::ScatterInPlace, "add"), Ok(Reduce::Add));
    /// assert!(Reduce::from_name(Op::ScatterInPlace, "sum").is_err());
    /// ```
    pub fn from_name(op: Op, name: &str) -> Result<Self> {
        let mut named = Self::ALL.iter().skip(1).zip(Self::NAMES);
        named.find(|&(_, &word)| word == name).map(|(&reduce, _)| reduce).ok_or_else(|| {
            let words: Vec<String> = Self::NAMES.iter().map(|word| format!("'{word}'")).collect();
            let text =
                format!("reduce is '{name}'; it must be {}, or left out to replace", words.join(" or "));
            Error::new(ErrorClass::Value, ErrorCode::UnknownReduce, op.name(), text).not_among(
                "reduce",
                name,
                Self::NAMES,
            )
        })
    }
}
