//! Tensors: a shape, a dtype, and shared storage that is copied when written to.

use std::rc::Rc;

use bytemuck::Pod;
use half::{bf16, f16};

use crate::backend::Backend;
use crate::backend::cpu::{self, Cpu};
use crate::context::Device;
use crate::dtype::{DType, Scalar, load, store};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::plan::Operand;
use crate::shape::Shape;
use crate::storage::{HostBuffer, Storage};

/// An n-dimensional array, row-major and contiguous, on the CPU or on a GPU.
///
/// Cloning is cheap: the clone shares the data until one of the two is written to. So an operand is
/// never changed by a call on another tensor, also where `src` or `index` is `self`.
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
    /// What is known of an index on the GPU, from when it was uploaded; gone once it is written to.
    #[cfg(feature = "webgpu")]
    pub(crate) ranges: Option<Rc<[crate::plan::IndexRange]>>,
}

/// A Rust type that is some dtype's element.
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
    /// `ValueError` when the number of elements is not the shape's; `RuntimeError` when memory is exhausted.
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
            let given = bytes.len() / dtype.size();
            return Err(element_count(OP, &shape, given));
        }
        let mut buffer = HostBuffer::copy_of(OP, bytes)?;
        if dtype == DType::Bool {
            truths(&mut buffer);
        }
        Ok(Self::from_buffer(shape, dtype, buffer))
    }

    /// A tensor on the CPU with the same value everywhere.
    ///
    /// # Errors
    /// `RuntimeError` when the value does not fit the dtype or memory is exhausted.
    pub fn full(dims: &[usize], value: impl Into<Scalar>, dtype: DType) -> Result<Self> {
        let shape = Shape::new(OP, dims)?;
        let bits = fit(OP, "value", value.into(), dtype)?;
        let mut buffer = HostBuffer::zeroed(OP, shape.size() * dtype.size())?;
        if let Some(first) = buffer.bytes_mut().get_mut(..dtype.size()).filter(|_| bits != 0) {
            store(first, bits);
            let (bytes, mut made) = (buffer.bytes_mut(), dtype.size());
            while made < bytes.len() {
                let len = made.min(bytes.len() - made);
                bytes.copy_within(..len, made);
                made += len;
            }
        }
        Ok(Self::from_buffer(shape, dtype, buffer))
    }

    /// A tensor on the CPU of zeros.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn zeros(dims: &[usize], dtype: DType) -> Result<Self> {
        Self::full(dims, false, dtype)
    }

    /// `start, start + step, …` below `stop` (above it for a negative step), on the CPU.
    ///
    /// # Errors
    /// `ValueError` for a step of 0; `RuntimeError` when a value does not fit the dtype or memory is exhausted.
    ///
    /// ```
    /// use scatterwise::{DType, Tensor};
    /// let t = Tensor::arange(1.0, 2.0, 0.5, DType::Float32)?;
    /// assert_eq!(t.elements::<f32>(), Some(&[1.0, 1.5][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn arange(start: f64, stop: f64, step: f64, dtype: DType) -> Result<Self> {
        const OP: &str = "Tensor.arange";
        if step == 0.0 {
            let text = "step is 0; the values would never reach stop";
            return Err(Error::new(ErrorClass::Value, ErrorCode::InvalidArgument, OP, text).argument("step"));
        }
        let count = ((stop - start) / step).ceil().max(0.0);
        let shape = Shape::new(OP, &[count as usize])?;
        let value = |k: usize| start + k as f64 * step;
        let is_fit = |k: usize| fit(OP, "a value", Scalar::Float(value(k)), dtype);
        // Where the ends fit, so does what is between.
        if [0, shape.size().saturating_sub(1)].into_iter().any(|k| is_fit(k).is_err()) {
            (0..shape.size()).try_for_each(|k| is_fit(k).map(drop))?;
        }
        let buffer = cpu::from_numbers(OP, shape.size(), dtype, &mut |at, run| {
            for (k, number) in run.iter_mut().enumerate() {
                *number = value(at + k);
            }
        })?;
        Ok(Self::from_buffer(shape, dtype, buffer))
    }

    pub(crate) fn from_buffer(shape: Shape, dtype: DType, buffer: HostBuffer) -> Self {
        Self::from_storage(shape, dtype, Storage::Host(Rc::new(buffer)))
    }

    pub(crate) fn from_storage(shape: Shape, dtype: DType, storage: Storage) -> Self {
        Self {
            shape,
            dtype,
            storage,
            #[cfg(feature = "webgpu")]
            ranges: None,
        }
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

    /// The device that the data is on.
    pub fn device(&self) -> Device {
        match self.storage {
            Storage::Host(_) => Device::Cpu,
            #[cfg(feature = "webgpu")]
            Storage::Device(_) => Device::WebGpu,
        }
    }

    /// The little-endian bytes of the elements, row-major; `None` on a GPU (see [`Tensor::to`]).
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.storage {
            Storage::Host(buffer) => Some(buffer.bytes()),
            #[cfg(feature = "webgpu")]
            Storage::Device(_) => None,
        }
    }

    /// The elements, row-major; `None` on a GPU and where `T` is not the dtype's type.
    pub fn elements<T: Item>(&self) -> Option<&[T]> {
        if self.dtype != T::DTYPE {
            return None;
        }
        match &self.storage {
            Storage::Host(buffer) => Some(buffer.elements()),
            #[cfg(feature = "webgpu")]
            Storage::Device(_) => None,
        }
    }

    /// The same elements in another shape; the data is shared.
    ///
    /// # Errors
    /// `ValueError` when the number of elements differs.
    pub fn reshape(&self, dims: &[usize]) -> Result<Self> {
        const OP: &str = "Tensor.reshape";
        let shape = Shape::new(OP, dims)?;
        if shape.size() != self.size() {
            let text = format!(
                "{} has {} elements and {shape} {}; they must be equal",
                self.shape,
                self.size(),
                shape.size()
            );
            return Err(Error::new(ErrorClass::Value, ErrorCode::ShapeMismatch, OP, text)
                .argument("shape")
                .shape("self", &self.shape)
                .shape("shape", &shape));
        }
        #[cfg(feature = "webgpu")]
        if shape.dims().last() != self.shape.dims().last() {
            // Ranges by column are of no use to other columns; the range of all values still is.
            let all = self.ranges.iter().flat_map(|ranges| ranges.iter().copied());
            let ranges = all.reduce(crate::plan::IndexRange::union).map(|range| Rc::from([range]));
            return Ok(Self { shape, ranges, ..self.clone() });
        }
        Ok(Self { shape, ..self.clone() })
    }

    /// The elements converted to another dtype. To an integer: integers wrap, fractions are cut, floats
    /// beyond the range become its nearest end, NaN becomes 0. To a float: rounded to nearest even.
    /// To bool: whether different from 0.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted or the GPU device is lost.
    pub fn astype(&self, dtype: DType) -> Result<Self> {
        self.convert("Tensor.astype", dtype)
    }

    /// [`Tensor::astype`] on behalf of `op`. Where no bit changes the data is shared.
    pub(crate) fn convert(&self, op: &'static str, dtype: DType) -> Result<Self> {
        if dtype == self.dtype {
            return Ok(self.clone());
        }
        let storage = match &self.storage {
            storage if self.dtype.has_bits_of(dtype) => storage.clone(),
            Storage::Host(buffer) => Storage::Host(Rc::new(Cpu.convert(op, self.dtype, dtype, buffer)?)),
            #[cfg(feature = "webgpu")]
            Storage::Device(buffer) => {
                let gpu = buffer.gpu();
                buffer.usable(op)?;
                Storage::Device(Rc::new(gpu.convert(op, self.dtype, dtype, buffer)?))
            }
        };
        Ok(Self::from_storage(self.shape.clone(), dtype, storage))
    }

    /// Whether shape, dtype and every element are the same, bit for bit: any NaN equals any NaN, −0
    /// differs from 0. `None` where one of the two is on a GPU.
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

    pub(crate) fn operand(&self) -> Operand<'_> {
        Operand { shape: &self.shape, dtype: self.dtype }
    }

    /// The tensor on that device; itself (shared) where it already is there.
    ///
    /// # Errors
    /// `RuntimeError` when the device is not available, lost, or out of memory. From a GPU also the
    /// first deferred `IndexError` that was not reported yet.
    pub async fn to(&self, device: Device) -> Result<Self> {
        match (&self.storage, device) {
            (Storage::Host(_), Device::Cpu) => Ok(self.clone()),
            #[cfg(feature = "webgpu")]
            (Storage::Device(_), Device::WebGpu) => Ok(self.clone()),
            (Storage::Host(_), Device::WebGpu) => self.upload(),
            #[cfg(feature = "webgpu")]
            (Storage::Device(buffer), Device::Cpu) => {
                let buffer = buffer.read("Tensor.to").await?;
                Ok(Self::from_buffer(self.shape.clone(), self.dtype, buffer))
            }
        }
    }

    /// A host tensor on the GPU, without waiting; a GPU tensor is itself.
    ///
    /// # Errors
    /// `RuntimeError` when there is no GPU device, or no memory on it.
    pub fn upload(&self) -> Result<Self> {
        match &self.storage {
            #[cfg(feature = "webgpu")]
            Storage::Host(buffer) => {
                let device = crate::context::gpu("Tensor.to")?.upload("Tensor.to", buffer.bytes())?;
                let mut copy =
                    Self::from_storage(self.shape.clone(), self.dtype, Storage::Device(Rc::new(device)));
                copy.ranges =
                    crate::backend::cpu::index_ranges(buffer, self.dtype, &self.shape).map(Rc::from);
                Ok(copy)
            }
            #[cfg(feature = "webgpu")]
            Storage::Device(_) => Ok(self.clone()),
            #[cfg(not(feature = "webgpu"))]
            Storage::Host(_) => Err(crate::context::no_gpu("Tensor.to")),
        }
    }
}

/// The error for data whose number of elements is not the shape's.
#[cold]
#[inline(never)]
pub(crate) fn element_count(op: &'static str, shape: &Shape, given: usize) -> Error {
    let text = format!("shape {shape} needs {} elements, but the data has {given}", shape.size());
    Error::new(ErrorClass::Value, ErrorCode::ShapeMismatch, op, text).argument("shape").shape("shape", shape)
}

/// The bits of a scalar in a dtype.
///
/// # Errors
/// `RuntimeError` (`value-overflow`) where it does not fit.
pub(crate) fn fit(op: &'static str, argument: &'static str, value: Scalar, dtype: DType) -> Result<u64> {
    use crate::error::{Allowed, FactValue};
    value.fit(dtype).ok_or_else(|| {
        let fact = match value {
            Scalar::Int(value) => {
                i64::try_from(value).map_or(FactValue::Text(Scalar::Int(value).to_string()), FactValue::Int)
            }
            other => FactValue::Float(other.as_f64()),
        };
        let text = format!("{argument} is {value}, which does not fit {dtype}");
        let error = Error::new(ErrorClass::Runtime, ErrorCode::ValueOverflow, op, text)
            .argument(argument)
            .value(fact);
        match dtype.int_range() {
            Some((min, max)) => match (i64::try_from(min), i64::try_from(max)) {
                (Ok(min), Ok(max)) => error.allowed(Allowed::Range(min, max)),
                _ => error,
            },
            None => error,
        }
    })
}

/// Any byte as a truth value, 0 or 1.
pub(crate) fn truths(buffer: &mut HostBuffer) {
    for byte in buffer.bytes_mut() {
        *byte = u8::from(*byte != 0);
    }
}
