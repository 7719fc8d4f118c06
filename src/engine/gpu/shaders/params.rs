//! The uniform block of a pass: a head, then the pass's parameters. And what declares passes.

pub(crate) mod parts;

use crate::plan::rules::MOST_ENTRIES;

/// Most rounds of loops per thread in one dispatch, on every adapter. Correctness needs this limit: Mesa's llvmpipe leaves all loops of a
/// thread after some 32,000 rounds without an error, inner loops included (65,535 in its source, where a round counts twice). Dispatches run
/// in order, so longer work takes several.
pub(crate) const ROUNDS: usize = 1 << 14;
/// The same on an adapter whose probe ran twice as many rounds. A dispatch costs a GPU 5 to 100 µs, and a dispatch that continues long
/// runs mostly finds none. More rounds could take seconds, after which a system's watchdog kills the dispatch: a round that waits for
/// memory takes about 400 ns on an NVIDIA H200.
pub(crate) const LONG_ROUNDS: usize = 1 << 17;

/// Alignment of blocks in bytes: the strictest that WebGPU allows an adapter to require.
pub(crate) const BLOCK_ALIGNMENT: usize = 256;
/// Bytes that are bound as a block: no block is longer.
pub(crate) const BLOCK_BYTES: usize = 512;
/// Most threads of a pass. Thread numbers have 32 bits. The grid rounds the threads up by fewer workgroups than a row has, and than a
/// column has. Of 2^24 workgroups that is at most the square root, 2^12, of 256 threads each: fewer than 2^21 threads. Smaller workgroups
/// are more, but round up by fewer threads.
pub(crate) const MOST_THREADS: u64 = (1 << 32) - (1 << 21);
const _: () = assert!(MOST_ENTRIES <= MOST_THREADS, "passes have a thread for each entry");
/// Most bytes, and so elements, that a pass can bind: index values are signed 32-bit numbers.
pub(crate) const MOST_BYTES: u64 = (1 << 31) - 16;
/// Threads per workgroup in almost all shaders (`Pass::workgroup`), where the device allows as many.
pub const WORKGROUP: u32 = 256;
/// The same elsewhere: WebGPU's compatibility mode promises no more.
pub(crate) const SMALL_WORKGROUP: u32 = 128;
/// The status slot of passes without a fault to report or to check. For it, `failed` is false. Its second word is the count of finished
/// work.
pub(crate) const NEVER_FAILS: u32 = 0;

/// The elements that a pass has keys for.
#[derive(Clone, Copy)]
pub(crate) enum Keys {
    /// Words.
    Words,
    /// float64.
    Doubles,
    /// Those of every dtype, which are not combined.
    Elements,
    /// Those of every float dtype, as exact sums.
    Exact,
    /// The same without float64.
    ShortExact,
}

/// A file of `shaders/` with a main function.
pub(crate) struct File {
    /// Its name, without the folder and the ending.
    pub(crate) name: &'static str,
    /// The `Params` that it imports.
    pub(crate) params: &'static str,
}

/// Declares passes. Those before a struct in brackets have it as their parameters; a shader has it as `Params`, after the head. Where the
/// keys of a pass depend on more than `for` says, `ShaderKey::all` has them.
macro_rules! passes {
    ($(
        $($(#[$about:meta])* $pass:ident $(($($of:ty),*))? = $file:literal $(for $keys:ident)?;)*
        [$params:ident] { $($body:tt)* }
    )*) => {
        /// A pass over index entries or elements.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Pass { $($($(#[$about])* $pass $(($($of),*))?,)*)* }

        impl Pass {
            /// The passes whose keys depend on elements alone.
            pub(crate) const KEYS: &[(Self, Keys)] = &[$($($((Self::$pass, Keys::$keys),)?)*)*];

            /// The file of `shaders/` with its main function.
            pub(crate) fn file(self) -> File {
                match self {
                    $($(Self::$pass { .. } => File { name: $file, params: $params::WGSL },)*)*
                }
            }
        }

        $(
            described! {
                $params from "struct Params{\nhead:Head,\n"; $($body)*
            }

            const _: () = assert!(size_of::<Head>() + size_of::<$params>() <= BLOCK_BYTES);
        )*
    };
}
pub(crate) use passes;
