//! Tensors: a shape, a dtype, and shared storage that is copied when written to.

use bytemuck::Pod;
use half::{bf16, f16};

use crate::plan::{Op, Operand, Rule, fact};
use crate::{
    Allowed, DType, Device, Error, ErrorClass, ErrorCode, FactValue, HostBuffer, Result, Scalar, Shape,
    Storage, list, load,
};

/// An n-dimensional array, row-major and contiguous, on the CPU or on a GPU.
///
/// Cloning is cheap: the clone shares the data until one of the two is written to. So a call never changes its other operands, even
/// if `src` or `index` shares data with `self`.
///
/// ```
/// use scatterwise::{Reduce, Tensor};
/// let mut tensor = Tensor::from_elements(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
/// let index = Tensor::from_elements(&[2, 2], &[1i64, 0, 1, 0])?;
/// let src = Tensor::from_elements(&[2, 2], &[4.0f32, 3.0, 2.0, 1.0])?;
/// tensor.scatter_(1, &index, &src, Reduce::Replace)?;
/// assert_eq!(tensor.elements::<f32>(), Some(&[3.0, 4.0, 1.0, 2.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
#[derive(Clone)]
pub struct Tensor {
    pub(crate) shape: Shape,
    pub(crate) dtype: DType,
    pub(crate) storage: Storage,
}

/// A Rust type that is the element of a dtype. Bool has none (see [`Tensor::bytes`]).
pub trait Item: Pod {
    /// That dtype.
    const DTYPE: DType;
}

macro_rules! items {
    ($($ty:ty = $dtype:ident)*) => { $(impl Item for $ty { const DTYPE: DType = DType::$dtype; })* };
}
items!(i8 = Int8 u8 = Uint8 i16 = Int16 u16 = Uint16 i32 = Int32 u32 = Uint32 i64 = Int64 u64 = Uint64
       f16 = Float16 bf16 = Bfloat16 f32 = Float32 f64 = Float64);

const OP: &str = "Tensor";

impl Tensor {
    /// A tensor on the CPU from its elements in row-major order.
    ///
    /// # Errors
    /// Those of [`Shape::new`]; `ValueError` when the number of elements is not the shape's; `RuntimeError` when memory is exhausted.
    pub fn from_elements<T: Item>(dims: &[usize], elements: &[T]) -> Result<Self> {
        Self::from_bytes(T::DTYPE, dims, bytemuck::cast_slice(elements))
    }

    /// A tensor on the CPU from the little-endian bytes of its elements. Bytes of a bool other than 0 are true.
    ///
    /// # Errors
    /// As for [`Tensor::from_elements`].
    pub fn from_bytes(dtype: DType, dims: &[usize], bytes: &[u8]) -> Result<Self> {
        let shape = Shape::new(OP, dims)?;
        if bytes.len() != shape.size() * dtype.size() {
            let (size, given) = (shape.size(), bytes.len() / dtype.size());
            let text = format!("shape {shape} needs {size} elements, but the data has {given}");
            return Err(Error::new(ErrorClass::Value, ErrorCode::ShapeMismatch, OP, text)
                .argument("shape")
                .shape("shape", shape.dims()));
        }
        let mut buffer = HostBuffer::copy_of(OP, bytes)?;
        if dtype == DType::Bool {
            truths(&mut buffer);
        }
        Ok(Self::from_buffer(shape, dtype, buffer))
    }

    /// A tensor on the CPU. The buffer holds as many elements of the dtype as the shape has.
    pub(crate) fn from_buffer(shape: Shape, dtype: DType, buffer: HostBuffer) -> Self {
        debug_assert_eq!(shape.size() * dtype.size(), buffer.bytes().len());
        Self::from_storage(shape, dtype, buffer.into())
    }

    /// [`Tensor::from_buffer`] for data on any device.
    pub(crate) fn from_storage(shape: Shape, dtype: DType, storage: Storage) -> Self {
        Self { shape, dtype, storage }
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The dtype.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The number of elements.
    pub fn size(&self) -> usize {
        self.shape.size()
    }

    /// The device that holds the data.
    pub fn device(&self) -> Device {
        match self.storage.as_host() {
            Some(_) => Device::Cpu,
            None => Device::WebGpu,
        }
    }

    /// The little-endian bytes of the elements, row-major; `None` on a GPU (see [`Tensor::to`]).
    pub fn bytes(&self) -> Option<&[u8]> {
        self.storage.as_host().map(HostBuffer::bytes)
    }

    /// The elements, row-major; `None` on a GPU, and if `T` is not the dtype's type.
    pub fn elements<T: Item>(&self) -> Option<&[T]> {
        self.storage.as_host().filter(|_| self.dtype == T::DTYPE).map(HostBuffer::elements)
    }

    /// The elements for writing, row-major; `None` on a GPU, and if `T` is not the dtype's type. If another tensor shares the data,
    /// this one gets a copy first.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let mut tensor = Tensor::from_elements(&[3], &[1.0f32, 2.0, 3.0])?;
    /// let before = tensor.clone();
    /// for element in tensor.elements_mut::<f32>()?.into_iter().flatten() {
    ///     *element *= 2.0;
    /// }
    /// assert_eq!(tensor.elements::<f32>(), Some(&[2.0, 4.0, 6.0][..]));
    /// assert_eq!(before.elements::<f32>(), Some(&[1.0, 2.0, 3.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn elements_mut<T: Item>(&mut self) -> Result<Option<&mut [T]>> {
        if self.dtype != T::DTYPE {
            return Ok(None);
        }
        Ok(self.storage.as_host_mut("Tensor.elements_mut")?.map(HostBuffer::elements_mut))
    }

    /// The same elements in another shape; the data is shared.
    ///
    /// # Errors
    /// Those of [`Shape::new`]; `ValueError` when the number of elements differs.
    pub fn reshape(&self, dims: &[usize]) -> Result<Self> {
        const OP: &str = "Tensor.reshape";
        self.with_shape(OP, Shape::new(OP, dims)?)
    }

    /// [`Tensor::reshape`] on behalf of operator `op`.
    pub(crate) fn with_shape(&self, op: &'static str, shape: Shape) -> Result<Self> {
        if shape.size() != self.size() {
            let text = format!(
                "{} has {} elements and {shape} {}; they must be equal",
                self.shape,
                self.size(),
                shape.size()
            );
            return Err(Error::new(ErrorClass::Value, ErrorCode::ShapeMismatch, op, text)
                .argument("shape")
                .shape("self", self.shape.dims())
                .shape("shape", shape.dims()));
        }
        Ok(Self { shape, ..self.clone() })
    }

    /// Whether shape, dtype and every element are the same, bit for bit: any NaN equals any NaN, −0 differs from 0. Shape and dtype
    /// are compared first. `None` if the answer then needs the elements of a tensor on a GPU.
    pub fn bits_equal(&self, other: &Self) -> Option<bool> {
        if self.shape != other.shape || self.dtype != other.dtype {
            return Some(false);
        }
        let (one, two) = (self.bytes()?, other.bytes()?);
        let size = self.dtype.size();
        let is_nan =
            |bytes| matches!(Scalar::load(load(bytes), self.dtype), Scalar::Float(value) if value.is_nan());
        let mut pairs = one.chunks_exact(size).zip(two.chunks_exact(size));
        Some(one == two || pairs.all(|(one, two)| one == two || (is_nan(one) && is_nan(two))))
    }

    /// Shape and dtype, without the data, for the constructors of plans.
    pub(crate) fn operand(&self) -> Operand<'_> {
        Operand { shape: &self.shape, dtype: self.dtype }
    }
}

/// The bits of a scalar in a dtype. `op` is the operator and `argument` the scalar's name, for the error.
pub(crate) fn fit(op: &'static str, argument: &'static str, value: Scalar, dtype: DType) -> Result<u64> {
    value.fit(dtype).ok_or_else(|| overflow(op, argument, None, value, dtype))
}

/// A fraction is never cut without an error where it is a term, a factor or a divisor. `position` has the coordinates of the value if
/// the argument is an array.
pub(crate) fn check_whole(
    op: Op,
    argument: &'static str,
    position: impl FnOnce() -> Option<Vec<usize>>,
    value: Scalar,
    dtype: DType,
) -> Result<()> {
    if dtype.is_float() || value.is_whole() {
        return Ok(());
    }
    Err(fraction_error(op, argument, position(), value, dtype))
}

/// The error of [`check_whole`]. It is apart because each caller compiles its own `check_whole`.
#[cold]
#[inline(never)]
fn fraction_error(
    op: Op,
    argument: &'static str,
    position: Option<Vec<usize>>,
    value: Scalar,
    dtype: DType,
) -> Error {
    let table = op.table_name();
    let place = position.as_deref().filter(|place| !place.is_empty()).map(list).unwrap_or_default();
    let text = format!(
        "{argument}{place} is {value}, and {dtype} holds only whole numbers (convert first: {table}.astype('float32'))"
    );
    op.error(Rule::SrcDtype, ErrorCode::InvalidArgument, argument, text)
        .value(FactValue::Float(value.as_f64()))
        .position(position)
}

/// The error for a value that does not fit a dtype. `position` has its coordinates if the argument is an array.
pub(crate) fn overflow(
    op: &'static str,
    argument: &'static str,
    position: Option<Vec<usize>>,
    value: Scalar,
    dtype: DType,
) -> Error {
    let place = position.as_deref().filter(|place| !place.is_empty()).map(list).unwrap_or_default();
    let text = format!("{argument}{place} is {value}, which does not fit {dtype}");
    let error = Error::new(ErrorClass::Runtime, ErrorCode::ValueOverflow, op, text)
        .argument(argument)
        .value(fact(value))
        .position(position);
    // Floats have no range of integers, and the range of uint64 does not fit the facts of an error.
    match dtype.int_range().map(|(min, max)| (i64::try_from(min), i64::try_from(max))) {
        Some((Ok(min), Ok(max))) => error.allowed(Allowed::Range(min, max)),
        Some(_) | None => error,
    }
}

/// Makes every byte of a buffer of bools 0 or 1. Any byte but 0 stands for true.
pub(crate) fn truths(buffer: &mut HostBuffer) {
    for byte in buffer.bytes_mut() {
        *byte = u8::from(*byte != 0);
    }
}
