//! The specification as nested loops over coordinates. It shares nothing with the library but the names of dtypes and
//! reductions, scalars, and the ranges of the integer dtypes, and is as slow as it is obvious.

use half::{bf16, f16};
use scatterwise::{DType, Reduce, Reduction, Scalar};

use crate::common::data::Data;

/// Which places of the table an index names.
#[derive(Clone, Copy)]
pub(crate) enum Places {
    /// Entry i… names `table[…, index[i…], …]`, with the entry's coordinates everywhere but along that dimension.
    Along(i64),
    /// The last dimension of index holds tuples; the tuple at t… names `table[tuple…, :]`.
    Tuples,
    /// Entry i… names `table[index[i…], :]`.
    Rows,
}

/// What a scatter applies.
pub(crate) enum Updates {
    Tensor(Data),
    Scalar(Scalar),
}

/// The table after a scatter: `out = table; out[place] = combine(out[place], update)`, for every index entry in row-major order. The
/// index values have to be in range.
pub(crate) fn scatter(table: &Data, places: Places, index: &Data, updates: &Updates, reduce: Reduce) -> Data {
    let mut out = table.clone();
    for_each_place(table, places, index, |in_table, in_src| {
        let place = flat(&table.dims, in_table);
        let update = match updates {
            Updates::Tensor(src) => src.bits(flat(&src.dims, in_src)),
            Updates::Scalar(scalar) => convert(*scalar, table.dtype),
        };
        out.set_bits(place, combine(reduce, table.dtype, out.bits(place), update));
    });
    out
}

/// The result of a gather: `out[entry] = table[place]`, for every index entry. The index values have to be in range.
pub(crate) fn gather(table: &Data, places: Places, index: &Data) -> Data {
    let dims = match places {
        Places::Along(_) => index.dims.clone(),
        Places::Rows => [&index.dims[..], &table.dims[1..]].concat(),
        Places::Tuples => {
            let (depth, outer) = index.dims.split_last().unwrap();
            [outer, &table.dims[*depth..]].concat()
        }
    };
    let mut out = Data::from_bits(table.dtype, &dims, (0..dims.iter().product()).map(|_: usize| 0));
    for_each_place(table, places, index, |in_table, in_out| {
        out.set_bits(flat(&dims, in_out), table.bits(flat(&table.dims, in_table)));
    });
    out
}

/// Whether two index entries name the same elements of the table.
pub(crate) fn collides(table: &Data, places: Places, index: &Data) -> bool {
    let mut seen = vec![false; table.len()];
    let mut collides = false;
    for_each_place(table, places, index, |in_table, _| {
        collides |= std::mem::replace(&mut seen[flat(&table.dims, in_table)], true);
    });
    collides
}

/// Calls `visit(coordinates in table, coordinates in src or out)` for every element that an index entry names, in row-major order
/// of index.
fn for_each_place(table: &Data, places: Places, index: &Data, mut visit: impl FnMut(&[usize], &[usize])) {
    // Where the index entry with these coordinates leads along dimension `dim` of the table.
    let position = |dim: usize, entry: &[usize]| {
        let (value, size) = (index.index(flat(&index.dims, entry)), table.dims[dim] as i64);
        assert!((-size..size).contains(&value), "the oracle has no opinion on bad index values");
        (if value < 0 { value + size } else { value }) as usize
    };
    match places {
        Places::Along(dim) => {
            let dim = if dim < 0 { dim + table.dims.len() as i64 } else { dim } as usize;
            for_each_coordinates(&index.dims, |entry| {
                let mut place = entry.to_vec();
                place[dim] = position(dim, entry);
                visit(&place, entry);
            });
        }
        Places::Rows => for_each_coordinates(&index.dims, |entry| {
            let row = position(0, entry);
            for_each_coordinates(&table.dims[1..], |inner| {
                visit(&[&[row], inner].concat(), &[entry, inner].concat())
            });
        }),
        Places::Tuples => {
            let (&depth, outer) = index.dims.split_last().unwrap();
            for_each_coordinates(outer, |at| {
                let tuple: Vec<usize> = (0..depth).map(|dim| position(dim, &[at, &[dim]].concat())).collect();
                for_each_coordinates(&table.dims[depth..], |inner| {
                    visit(&[&tuple, inner].concat(), &[at, inner].concat());
                });
            });
        }
    }
}

/// Calls `visit` with the coordinates of every element, in row-major order. Without dimensions there is one element.
fn for_each_coordinates(dims: &[usize], mut visit: impl FnMut(&[usize])) {
    if dims.contains(&0) {
        return;
    }
    let mut coordinates = vec![0; dims.len()];
    loop {
        visit(&coordinates);
        // The last dimension that can go on does, and those behind it begin again.
        let Some(d) = (0..dims.len()).rev().find(|&d| coordinates[d] + 1 < dims[d]) else { return };
        coordinates[d] += 1;
        coordinates[d + 1..].fill(0);
    }
}

/// The row-major position of coordinates.
fn flat(dims: &[usize], coordinates: &[usize]) -> usize {
    dims.iter().zip(coordinates).fold(0, |position, (&len, &coordinate)| position * len + coordinate)
}

/// How a reduction combines one more value. That of a mean is a sum, which the caller has to divide.
pub(crate) fn operation(reduction: Reduction) -> Reduce {
    match reduction {
        Reduction::Sum | Reduction::Mean => Reduce::Add,
        Reduction::Prod => Reduce::Multiply,
        Reduction::Amax => Reduce::Maximum,
        Reduction::Amin => Reduce::Minimum,
    }
}

/// The default value that the elements of a segment of `length` rows start from. It changes no other value, except that a sum of
/// −0 becomes 0. It is also the result of a segment without rows; the mean of no floats is NaN.
pub(crate) fn start_of_segment(dtype: DType, reduction: Reduction, length: i32) -> Scalar {
    // Only integers have a range.
    let least = dtype.int_range().map_or(Scalar::Float(f64::NEG_INFINITY), |(least, _)| Scalar::Int(least));
    let most = dtype.int_range().map_or(Scalar::Float(f64::INFINITY), |(_, most)| Scalar::Int(most));
    match reduction {
        Reduction::Mean if length == 0 && dtype.is_float() => Scalar::Float(f64::NAN),
        Reduction::Sum | Reduction::Mean => Scalar::Int(0),
        Reduction::Prod => Scalar::Int(1),
        Reduction::Amax => least,
        Reduction::Amin => most,
    }
}

/// The bits of an element whose bits were `old` after an update whose bits are `new`. Panics if there is no quotient: for bool,
/// and for an integer divided by 0.
pub(crate) fn combine(reduce: Reduce, dtype: DType, old: u64, new: u64) -> u64 {
    macro_rules! wrapping {
        ($ty:ty) => {
            match reduce {
                Reduce::Replace => new,
                Reduce::Add => (old as $ty).wrapping_add(new as $ty) as u64,
                Reduce::Multiply => (old as $ty).wrapping_mul(new as $ty) as u64,
                Reduce::Divide => (old as $ty).wrapping_div(new as $ty) as u64,
                Reduce::Maximum => (old as $ty).max(new as $ty) as u64,
                Reduce::Minimum => (old as $ty).min(new as $ty) as u64,
            }
        };
    }
    // f16 and bf16 are computed in binary32, which holds more than twice their digits, and rounded at once.
    macro_rules! rounding {
        ($ty:ty, $bits:ty, $load:expr, $store:expr) => {{
            let (a, b) = ($load(<$ty>::from_bits(old as $bits)), $load(<$ty>::from_bits(new as $bits)));
            match reduce {
                Reduce::Replace => new,
                Reduce::Add => u64::from($store(a + b).to_bits()),
                Reduce::Multiply => u64::from($store(a * b).to_bits()),
                Reduce::Divide => u64::from($store(a / b).to_bits()),
                // JavaScript's Math.max and Math.min: NaN wins, and of two zeros the positive or the negative one.
                Reduce::Maximum if a > b || a.is_nan() || a == b && b.is_sign_negative() => old,
                Reduce::Minimum if a < b || a.is_nan() || a == b && b.is_sign_positive() => old,
                Reduce::Maximum | Reduce::Minimum => new,
            }
        }};
    }
    match dtype {
        DType::Bool => match reduce {
            Reduce::Replace => new,
            Reduce::Add => u64::from(old != 0 || new != 0),
            Reduce::Multiply => u64::from(old != 0 && new != 0),
            Reduce::Divide => unreachable!("bool has no division"),
            Reduce::Maximum => old | new,
            Reduce::Minimum => old & new,
        },
        DType::Int8 => wrapping!(i8),
        DType::Uint8 => wrapping!(u8),
        DType::Int16 => wrapping!(i16),
        DType::Uint16 => wrapping!(u16),
        DType::Int32 => wrapping!(i32),
        DType::Uint32 => wrapping!(u32),
        DType::Int64 => wrapping!(i64),
        DType::Uint64 => wrapping!(u64),
        DType::Float16 => rounding!(f16, u16, f32::from, f16::from_f32),
        DType::Bfloat16 => rounding!(bf16, u16, f32::from, bf16::from_f32),
        DType::Float32 => rounding!(f32, u32, f32::from, f32::from),
        DType::Float64 => rounding!(f64, u64, f64::from, f64::from),
    }
}

/// The bits of a number in a dtype that it fits. Integers cut fractions off, and for bool anything but zero is true.
fn convert(value: Scalar, dtype: DType) -> u64 {
    let (float, int) = match value {
        Scalar::Bool(value) => (f64::from(u8::from(value)), i128::from(value)),
        Scalar::Int(value) => (value as f64, value),
        Scalar::Float(value) => (value, value as i128),
    };
    match dtype {
        DType::Bool => u64::from(float != 0.0),
        DType::Float16 => f16::from_f32(float as f32).to_bits().into(),
        DType::Bfloat16 => bf16::from_f32(float as f32).to_bits().into(),
        DType::Float32 => (float as f32).to_bits().into(),
        DType::Float64 => float.to_bits(),
        _ => int as u64,
    }
}
