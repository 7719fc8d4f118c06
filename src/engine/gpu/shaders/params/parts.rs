//! The parts of blocks, and what a test knows of them.

use crate::dtype::DType;
use crate::plan::order::Order;
use crate::shape::MAX_OP_RANK;

/// A block, or a part of one. A test compares its members with WGSL's.
pub(crate) trait Described {
    /// Its members in order; empty for numbers.
    const MEMBERS: &'static [Member];
}

/// A member of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) offset: usize,
    pub(crate) size: usize,
    /// The inner members of a struct, or of an array of structs.
    pub(crate) members: &'static [Self],
}

impl Described for u32 {
    const MEMBERS: &'static [Member] = &[];
}

impl<T: Described, const N: usize> Described for [T; N] {
    const MEMBERS: &'static [Member] = T::MEMBERS;
}

/// Declares structs whose bytes go to the device unchanged.
macro_rules! described {
    ($($(#[$about:meta])* struct $name:ident { $($(#[$of:meta])* $member:ident: $type:ty,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Default, bytemuck::Zeroable, bytemuck::Pod)]
        #[repr(C)]
        pub(crate) struct $name { $($(#[$of])* pub(crate) $member: $type,)* }

        impl Described for $name {
            const MEMBERS: &'static [Member] = &[$(Member {
                name: stringify!($member),
                offset: std::mem::offset_of!($name, $member),
                size: size_of::<$type>(),
                members: <$type as Described>::MEMBERS,
            },)*];
        }
    )*};
}

// Parts of blocks. Each is a multiple of 16 bytes long: WGSL requires this of a struct in a uniform block.
described! {
    /// The start of every block. `Recorder::dispatch` sets the members about the grid.
    struct Head {
        threads: u32,
        grid_width: u32,
        slot: u32,
        zero: u32,
        first_row: u32,
        unused_0: u32,
        unused_1: u32,
        unused_2: u32,
    }

    /// How the values of an index become positions: `shaders/lib/index.wgsl`.
    struct IndexFormat {
        components: [[u32; 2]; MAX_OP_RANK],
        component_count: u32,
        words: u32,
        place_stride: u32,
        drops: u32,
    }

    /// One loop over index entries: the strides of a round.
    struct EntryLoop {
        len: u32,
        table_stride: u32,
        value_stride: u32,
        entry_stride: u32,
    }

    /// The loops over index entries that threads run in parallel, and the row that moves with each entry. `shaders/lib/entries.wgsl`
    /// says which passes count rows or larger units instead of elements.
    struct Entries {
        loops: [EntryLoop; MAX_OP_RANK],
        loop_count: u32,
        row: u32,
        row_value_stride: u32,
        unused: u32,
    }

    /// The source of a scatter: `shaders/lib/update.wgsl`.
    struct Update {
        scalar: [u32; 2],
        is_scalar: u32,
        unused: u32,
    }

    /// The bits that tell NaN from numbers: `shaders/lib/nan.wgsl`.
    struct FloatBits {
        sign: [u32; 2],
        infinity: [u32; 2],
    }

    /// The exact sums of a dispatch: `shaders/exact/exact_layout.wgsl`.
    struct Tile {
        first: u32,
        places: u32,
        record: u32,
        copies: u32,
    }

    /// One loop of an operation on two tensors.
    struct OperandLoop {
        len: u32,
        unused: u32,
        strides: [u32; 2],
    }

    /// The edges of one column of a histogram.
    struct Column {
        edges: u32,
        bins: u32,
        limits: u32,
        step: u32,
    }

    /// The index value that is ignored.
    struct Ignored {
        low: u32,
        high: u32,
        is_given: u32,
        unused: u32,
    }

    /// How elements become keys: `shaders/sort/key.wgsl`.
    struct KeyFormat {
        sign: [u32; 2],
        infinity: [u32; 2],
        element_bits: u32,
        is_float: u32,
        is_descending: u32,
        unused: u32,
    }

    /// The layout of a dtype's elements.
    struct Format {
        bits: u32,
        exponent_bits: u32,
        is_signed: u32,
        is_bool: u32,
    }
}

// All numbers below fit in 32 bits: a device buffer has fewer than 2³² elements.

impl FloatBits {
    /// The sign bit and the bits of infinity. Integers have no NaN: no sign bit, and no bits above those of infinity.
    pub(crate) fn of(dtype: DType) -> Self {
        let order = Order::of(dtype);
        let words = |bits: u64| [bits as u32, (bits >> 32) as u32];
        Self { sign: words(order.sign), infinity: words(order.infinity) }
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
