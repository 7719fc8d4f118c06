//! Tensors from a value or a range.

#[cfg(target_arch = "wasm32")]
pub(crate) mod array;

use crate::convert::cpu::{from_integers, from_numbers};
use crate::{DType, Error, ErrorClass, ErrorCode, HostBuffer, Result, Scalar, Shape, Tensor, fit, store};

impl Tensor {
    /// A tensor on the CPU with the same value everywhere.
    ///
    /// # Errors
    /// Those of [`Shape::new`]; `RuntimeError` when the value does not fit the dtype or memory is exhausted.
    pub fn full(dims: &[usize], value: impl Into<Scalar>, dtype: DType) -> Result<Self> {
        const OP: &str = "Tensor.full";
        Self::filled(OP, "value", Shape::new(OP, dims)?, value.into(), dtype)
    }

    /// [`Tensor::full`] on behalf of operator `op`. Errors call the value `argument`.
    pub(crate) fn filled(
        op: &'static str,
        argument: &'static str,
        shape: Shape,
        value: Scalar,
        dtype: DType,
    ) -> Result<Self> {
        let bits = fit(op, argument, value, dtype)?;
        let mut buffer = HostBuffer::zeroed(op, shape.size() * dtype.size())?;
        // The buffer already holds zeros, and an empty buffer has no first element.
        if let Some(first) = buffer.bytes_mut().get_mut(..dtype.size()).filter(|_| bits != 0) {
            store(first, bits);
            // The filled part is copied to the bytes after it, so it doubles each time. This is faster than a store for each
            // element.
            let (bytes, mut filled) = (buffer.bytes_mut(), dtype.size());
            while filled < bytes.len() {
                let len = filled.min(bytes.len() - filled);
                bytes.copy_within(..len, filled);
                filled += len;
            }
        }
        Ok(Self::from_buffer(shape, dtype, buffer))
    }

    /// A tensor on the CPU of zeros.
    ///
    /// # Errors
    /// Those of [`Shape::new`]; `RuntimeError` when memory is exhausted.
    pub fn zeros(dims: &[usize], dtype: DType) -> Result<Self> {
        const OP: &str = "Tensor.zeros";
        Self::filled(OP, "value", Shape::new(OP, dims)?, Scalar::Bool(false), dtype)
    }

    /// `start, start + step, …` below `stop` (above it for a negative step), on the CPU. Value k is `start + k · step`. It is
    /// computed in float64 for a float dtype, and if `start` or `step` has a fraction; otherwise exactly, as an integer.
    ///
    /// # Errors
    /// `ValueError` for a step of 0 and for too many values; `RuntimeError` when a value does not fit the dtype or memory is exhausted.
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
        // `max` turns NaN into 0. The cast turns a count that is too large into the largest usize, which is refused as a shape.
        let count = ((stop - start) / step).ceil().max(0.0);
        let shape = Shape::of_result(OP, &[count as usize])?;
        let number = |k: usize| start + k as f64 * step;
        // float64 would round integers beyond 2^53.
        let (whole_start, whole_step) = (whole(start), whole(step));
        let are_whole = !dtype.is_float() && whole_start.is_some() && whole_step.is_some();
        let integer = |k: usize| whole_start.unwrap_or_default() + k as i128 * whole_step.unwrap_or_default();
        let value = |k| if are_whole { Scalar::Int(integer(k)) } else { Scalar::Float(number(k)) };
        // The bits of value k, if it fits. The error names the argument at fault.
        let fitted = |k: usize| match k {
            0 => fit(OP, "start", value(k), dtype),
            _ => fit(OP, "a value before stop", value(k), dtype).map_err(|error| error.argument("stop")),
        };
        // If both ends fit, every value between fits. Otherwise the first value that does not fit gives the error.
        if [0, shape.size().saturating_sub(1)].into_iter().any(|k| fitted(k).is_err()) {
            (0..shape.size()).try_for_each(|k| fitted(k).map(drop))?;
        }
        let buffer = if are_whole {
            // The low 64 bits of the integers need no 128-bit arithmetic.
            let [first, by] = [whole_start, whole_step].map(|integer| integer.unwrap_or_default() as u64);
            from_integers(OP, shape.size(), dtype, &mut |at, run| {
                for (k, slot) in run.iter_mut().enumerate() {
                    *slot = first.wrapping_add(((at + k) as u64).wrapping_mul(by));
                }
            })
        } else {
            from_numbers(OP, shape.size(), dtype, &mut |at, run| {
                run.iter_mut().enumerate().for_each(|(k, slot)| *slot = number(at + k));
            })
        }?;
        Ok(Self::from_buffer(shape, dtype, buffer))
    }
}

/// A number as an integer; `None` if it has a fraction, or fits neither int64 nor uint64.
fn whole(number: f64) -> Option<i128> {
    const LEAST: f64 = i64::MIN as f64;
    const LIMIT: f64 = (1_u128 << 64) as f64;
    let is_held = number.trunc() == number && (LEAST..LIMIT).contains(&number);
    // A conversion to 64 bits is one instruction. A conversion to 128 bits would add a function to every download.
    let integer = if number < 0.0 { i128::from(number as i64) } else { i128::from(number as u64) };
    is_held.then_some(integer)
}
