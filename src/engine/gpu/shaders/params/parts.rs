//! The structs that go to the device: what their macros declare, and the parts of parameters.

use crate::plan::Order;
use crate::{DType, MAX_OP_RANK};

/// A struct whose bytes go to the device unchanged: the parameters of a pass, or a part of them.
pub(crate) trait Block: bytemuck::Pod {
    /// Its declaration in WGSL.
    const WGSL: &'static str;
}

/// The WGSL of the type of a member.
macro_rules! wgsl {
    ([u32; $count:literal]) => {
        concat!("vec", $count, "<u32>")
    };
    ([[u32; 2]; MAX_OP_RANK]) => {
        "array<vec4<u32>,4>"
    };
    ([$part:ident; MAX_OP_RANK]) => {
        concat!("array<", stringify!($part), ",8>")
    };
    ($part:ident) => {
        stringify!($part)
    };
}
pub(crate) use wgsl;
const _: () = assert!(MAX_OP_RANK == 8);

/// Whether WGSL has a member of that size at that offset too: it aligns vectors to their size, and a uniform block's structs to 16 bytes.
pub(crate) const fn is_aligned(offset: usize, size: usize) -> bool {
    offset.is_multiple_of(if size > 8 { 16 } else { size })
}

/// Declares a struct in Rust and in WGSL, where it begins with `$start`.
macro_rules! described {
    ($(#[$about:meta])* $name:ident from $start:expr; $($member:ident: $type:tt),* $(,)?) => {
        $(#[$about])*
        #[derive(Clone, Copy, Default, bytemuck::Zeroable, bytemuck::Pod)]
        #[repr(C)]
        pub(crate) struct $name { $(pub(crate) $member: $type,)* }

        impl Block for $name {
            const WGSL: &'static str =
                concat!($start, $(stringify!($member), ":", wgsl!($type), ",\n",)* "}\n");
        }

        $(const _: () = assert!(is_aligned(std::mem::offset_of!($name, $member), size_of::<$type>()));)*
    };
}
pub(crate) use described;

/// Declares parts of parameters, and their list by name. A shader imports a part as if it were a file.
macro_rules! parts {
    ($($(#[$about:meta])* struct $name:ident { $($body:tt)* })*) => {
        $(
            described! { $(#[$about])* $name from concat!("struct ", stringify!($name), "{\n"); $($body)* }

            const _: () = assert!(size_of::<$name>().is_multiple_of(16));
        )*

        pub(crate) const PARTS: &[(&str, &str)] = &[$((stringify!($name), $name::WGSL)),*];
    };
}

parts! {
    /// The start of every block. `Recorder::dispatch` sets the members about the grid.
    struct Head {
        threads: u32,    // threads with work; the other threads of the last workgroups are idle
        grid_width: u32, // workgroups in one row of the dispatch
        slot: u32,       // the number of this operation's status slot, of four words; slot 0 never fails
        zero: u32,       // always 0, but no compiler knows it: see native_float.wgsl and scaled.wgsl
        first_row: u32,  // the rows of the grid that this pass's earlier dispatches ran
        is_report: u32,  // 1 for the second dispatch of a check: `shaders/lib/first_wrong.wgsl`
        unused_0: u32,
        unused_1: u32,
    }

    /// How the values of an index become positions: `shaders/lib/index.wgsl`.
    struct IndexFormat {
        // Bound and stride of each component, two components per vector. Values are from -bound to bound - 1. An index of positions has one
        // component of bound 0 and stride 1.
        components: [[u32; 2]; MAX_OP_RANK],
        component_count: u32, // values of an entry
        words: u32,           // of a value: 1 for int32, 2 for int64
        slot_stride: u32,    // elements of the table from one position to the next, or the pass's rows or units
        drops: u32,           // 1 if entries may be skipped: such an entry has the position SKIPPED
    }

    /// One loop over index entries: the strides of a round.
    struct EntryLoop {
        len: u32,          // rounds
        table_stride: u32, // elements of the table from one round to the next
        value_stride: u32, // elements of the values
        entry_stride: u32, // entries of the index
    }

    /// The loops over index entries that threads run in parallel, and the row that moves with each entry. `shaders/lib/entries.wgsl`
    /// says which passes count rows or larger units instead of elements.
    struct Entries {
        loops: [EntryLoop; MAX_OP_RANK], // outermost first
        loop_count: u32,                 // 0 to 8; the other slots are zero
        row: u32,                        // elements of one entry's row
        row_value_stride: u32,           // elements of the values from one element of a row to the next; 0 if all share one value
        unused: u32,
    }

    /// The source of a scatter: `shaders/lib/update.wgsl`.
    struct Update {
        scalar: [u32; 2], // the scalar's bits, low word first; 0 without a scalar
        is_scalar: u32,   // 1 if every update is the scalar
        unused: u32,
    }

    /// The exact sums of a dispatch (`shaders/exact/exact_layout.wgsl`): those of some neighbouring places. Memory is bounded, so a table
    /// may need several tiles.
    struct Tile {
        first: u32,  // the number of the first place
        places: u32, // how many places
        record: u32, // words of one sum with its flags and its count
        copies: u32, // copies of the tile, a power of two: threads add to different copies, which are merged at the end
    }

    /// One loop of an operation on two tensors.
    struct OperandLoop {
        len: u32,          // rounds
        unused: u32,
        strides: [u32; 2], // elements of x (.x) and of y (.y) from one round to the next; 0 for an operand that is repeated
    }

    /// The edges of one column of a histogram.
    struct Column {
        edges: u32,  // the number of its first edge among those of all columns
        bins: u32,   // the number of its bins, one fewer than its edges
        limits: u32, // the number of its first limit among those of all columns
        step: u32,   // the largest power of two that is not above the number of its edges; it has 2 * step - 1 limits
    }

    /// The index value that is ignored.
    struct Ignored {
        low: u32,      // the value, in two words
        high: u32,
        is_given: u32, // 1 if a value is ignored
        unused: u32,
    }

    /// The order of elements: `shaders/sort/key.wgsl`, `shaders/lib/nan.wgsl`. Bits have the low word first.
    struct ElementOrder {
        sign: [u32; 2],     // the sign bit of floats; 0 for integers
        infinity: [u32; 2], // the bits of infinity; all bits for integers
        flip: [u32; 2],     // the top bit of floats and signed integers, else 0
        element_bits: u32,  // 8, 16, 32 or 64
        is_descending: u32, // 1 if the largest come first; NaN is last all the same
    }

    /// The layout of a dtype's elements: `shaders/convert/number.wgsl`. A parameter, so that one shader serves every pair.
    struct Format {
        bits: u32,          // of an element: 8, 16, 32 or 64
        exponent_bits: u32, // 0 for an integer
        is_signed: u32,     // 1 if numbers may be negative, as for all floats
        is_bool: u32,       // 1 for truth values, bytes of 0 or 1
    }
}

// All numbers below fit in 32 bits: a device buffer has fewer than 2³² elements.

impl ElementOrder {
    pub(crate) fn of(dtype: DType, is_descending: bool) -> Self {
        let order = Order::of(dtype);
        // The key of 0 is the top bit if there are negative numbers.
        let [sign, infinity, flip] =
            [order.sign, order.infinity, order.key(0)].map(|bits| [bits as u32, (bits >> 32) as u32]);
        let element_bits = 8 * dtype.size() as u32;
        Self { sign, infinity, flip, element_bits, is_descending: is_descending.into() }
    }
}

/// The numbers of exponent and fraction bits of a float. Integers are computed in float64, so they have float64's.
pub(crate) fn float_bits(dtype: DType) -> [u32; 2] {
    let Format { bits, exponent_bits, .. } =
        Format::of(if dtype.is_float() { dtype } else { DType::Float64 });
    [exponent_bits, bits - 1 - exponent_bits]
}

/// The top bit of an element of 8 or 16 bits that is signed, else 0: `sign` of `shaders/convert/load_quads.wgsl`.
pub(crate) fn sign_of(dtype: DType) -> u32 {
    if dtype.is_signed_integer() && dtype.size() < 4 { 1 << (8 * dtype.size() - 1) } else { 0 }
}

impl Format {
    /// The layout of a dtype. A float is signed, a bool is not.
    pub(crate) fn of(dtype: DType) -> Self {
        let exponent_bits = match dtype {
            DType::Float16 => 5,
            DType::Bfloat16 | DType::Float32 => 8,
            DType::Float64 => 11,
            DType::Bool | DType::Int8 | DType::Uint8 | DType::Int16 | DType::Uint16 => 0,
            DType::Int32 | DType::Uint32 | DType::Int64 | DType::Uint64 => 0,
        };
        let is_signed = dtype.int_range().is_none_or(|(min, _)| min < 0);
        Self {
            bits: 8 * dtype.size() as u32,
            exponent_bits,
            is_signed: is_signed.into(),
            is_bool: (dtype == DType::Bool).into(),
        }
    }
}
