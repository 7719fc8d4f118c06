//! Enums whose variants have words, and lists of both in the same order: `ALL` and `NAMES`.

macro_rules! words {
    ($(#[$about:meta])* $enum:ident $($(#[$doc:meta])* $name:ident = $word:literal;)*) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $enum { $($(#[$doc])* #[doc = concat!("`", $word, "`.")] $name,)* }

        impl $enum {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Their words, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($word,)*];

            /// The word.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }
        }
    };
    // The same with a column, which a method returns.
    ($(#[$about:meta])* $enum:ident, $(#[$what:meta])* $visible:vis $method:ident: $kind:ty;
     $($(#[$doc:meta])* $name:ident = $word:literal => $column:expr;)*) => {
        words! { $(#[$about])* $enum $($(#[$doc])* $name = $word;)* }

        impl $enum {
            $(#[$what])*
            $visible const fn $method(self) -> $kind {
                match self { $(Self::$name => $column,)* }
            }
        }
    };
}
pub(crate) use words;
