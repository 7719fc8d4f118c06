//! A tensor's content, apart from any backend.

use std::fmt;

use half::{bf16, f16};
use scatterwise::{DType, Item, Scalar, Tensor};

/// Elements in row-major order, as little-endian bytes.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Data {
    pub(crate) dtype: DType,
    pub(crate) dims: Vec<usize>,
    pub(crate) bytes: Vec<u8>,
}

impl Data {
    /// The first elements, in another shape.
    pub(crate) fn cut(&self, dims: &[usize]) -> Self {
        let len = dims.iter().product::<usize>() * self.dtype.size();
        Self { dtype: self.dtype, dims: dims.to_vec(), bytes: self.bytes[..len].to_vec() }
    }

    pub(crate) fn new<T: Item>(dims: &[usize], elements: &[T]) -> Self {
        Self { dtype: T::DTYPE, dims: dims.to_vec(), bytes: bytemuck::cast_slice(elements).to_vec() }
    }

    /// From the bits of each element, in row-major order. Of each the low bytes are taken, as many as the dtype has.
    pub(crate) fn from_bits(dtype: DType, dims: &[usize], bits: impl IntoIterator<Item = u64>) -> Self {
        let bytes =
            bits.into_iter().flat_map(|bits| bits.to_le_bytes().into_iter().take(dtype.size())).collect();
        Self { dtype, dims: dims.to_vec(), bytes }
    }

    /// What a tensor on the CPU holds.
    pub(crate) fn of(tensor: &Tensor) -> Self {
        let bytes = tensor.bytes().expect("a tensor on the CPU").to_vec();
        Self { dtype: tensor.dtype(), dims: tensor.shape().dims().to_vec(), bytes }
    }

    /// A tensor on the CPU with a copy of the elements.
    pub(crate) fn tensor(&self) -> Tensor {
        Tensor::from_bytes(self.dtype, &self.dims, &self.bytes).unwrap()
    }

    /// The number of elements.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / self.dtype.size()
    }

    /// The bits of the element at row-major position `k`; what is above the dtype's size is 0.
    pub(crate) fn bits(&self, k: usize) -> u64 {
        let size = self.dtype.size();
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(&self.bytes[k * size..][..size]);
        u64::from_le_bytes(bytes)
    }

    /// Replaces the element at row-major position `k` by the low bits of `bits`.
    pub(crate) fn set_bits(&mut self, k: usize, bits: u64) {
        let size = self.dtype.size();
        self.bytes[k * size..][..size].copy_from_slice(&bits.to_le_bytes()[..size]);
    }

    /// The value of the index entry at row-major position `k`. Only int32 and int64 are dtypes of an index.
    pub(crate) fn index(&self, k: usize) -> i64 {
        match self.dtype {
            DType::Int32 => i64::from(self.bits(k) as i32),
            DType::Int64 => self.bits(k) as i64,
            other => panic!("an index of {other}"),
        }
    }

    /// How `got` differs from `self`, which is expected; `None` if it does not. Any NaN equals any NaN.
    pub(crate) fn difference(&self, got: &Self) -> Option<String> {
        self.difference_by(got, |one, two| one == two || (is_nan(self.dtype, one) && is_nan(self.dtype, two)))
    }

    /// The same, where −0 equals 0 too.
    pub(crate) fn difference_of_values(&self, got: &Self) -> Option<String> {
        let sign = if self.dtype.is_float() { 1 << (8 * self.dtype.size() - 1) } else { 0 };
        self.difference_by(got, |one, two| {
            one == two || (one | two) == sign || (is_nan(self.dtype, one) && is_nan(self.dtype, two))
        })
    }

    /// How `got` differs from `self`, which is expected, in any bit, also in the payload of a NaN; `None` if it does not.
    pub(crate) fn difference_of_bits(&self, got: &Self) -> Option<String> {
        self.difference_by(got, |one, two| one == two)
    }

    /// The difference where elements are compared by `equal`, which has the expected bits first. Dtype and shape have to be
    /// the same.
    fn difference_by(&self, got: &Self, equal: impl Fn(u64, u64) -> bool) -> Option<String> {
        if (self.dtype, &self.dims, self.bytes.len()) != (got.dtype, &got.dims, got.bytes.len()) {
            return Some(format!("expected {self:?}, got {got:?}"));
        }
        let wrong: Vec<usize> = (0..self.len()).filter(|&k| !equal(self.bits(k), got.bits(k))).collect();
        let &first = wrong.first()?;
        Some(format!(
            "{} of {} elements differ, the first at row-major position {first}: expected {}, got {}",
            wrong.len(),
            self.len(),
            self.show(first),
            got.show(first)
        ))
    }

    /// The element at row-major position `k` as text; a float with its bits, since NaNs and near values look alike.
    fn show(&self, k: usize) -> String {
        let bits = self.bits(k);
        let float = match self.dtype {
            DType::Float16 => f16::from_bits(bits as u16).to_f64(),
            DType::Bfloat16 => bf16::from_bits(bits as u16).to_f64(),
            DType::Float32 => f32::from_bits(bits as u32).into(),
            DType::Float64 => f64::from_bits(bits),
            DType::Int8 => return (bits as i8).to_string(),
            DType::Int16 => return (bits as i16).to_string(),
            DType::Int32 => return (bits as i32).to_string(),
            DType::Int64 => return (bits as i64).to_string(),
            DType::Bool | DType::Uint8 | DType::Uint16 | DType::Uint32 | DType::Uint64 => {
                return bits.to_string();
            }
        };
        format!("{float:?} ({bits:#x})")
    }
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 32;
        let mut elements: Vec<String> = (0..self.len().min(SHOWN)).map(|k| self.show(k)).collect();
        if self.len() > SHOWN {
            elements.push("…".into());
        }
        write!(f, "{}{:?} [{}]", self.dtype, self.dims, elements.join(", "))
    }
}

fn is_nan(dtype: DType, bits: u64) -> bool {
    match dtype {
        DType::Float16 => f16::from_bits(bits as u16).is_nan(),
        DType::Bfloat16 => bf16::from_bits(bits as u16).is_nan(),
        DType::Float32 => f32::from_bits(bits as u32).is_nan(),
        DType::Float64 => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}

/// A tensor on the CPU from the bits of its elements, in row-major order: of each as many low bytes as the dtype has.
pub(crate) fn tensor(dtype: DType, dims: &[usize], bits: &[u64]) -> Tensor {
    Data::from_bits(dtype, dims, bits.iter().copied()).tensor()
}

/// Whether elements are floats; bool counts as an integer.
pub(crate) fn is_float(dtype: DType) -> bool {
    dtype.int_range().is_none()
}

/// The elements as float64, rounded where that is needed.
pub(crate) fn numbers(data: &Data) -> Vec<f64> {
    (0..data.len()).map(|k| Scalar::load(data.bits(k), data.dtype).as_f64()).collect()
}
