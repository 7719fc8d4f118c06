//! Shapes: the size of each dimension, and the coordinates of positions in row-major order.

use std::fmt::{self, Write};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use crate::{Error, ErrorClass, ErrorCode, Result};

/// The most dimensions an operator takes.
pub const MAX_OP_RANK: usize = 8;
/// The most dimensions a tensor may have, for holding and reshaping data.
pub const MAX_RANK: usize = 32;

/// One value per dimension of an operator, outermost first. It keeps at most [`MAX_OP_RANK`] values, without an allocation, and
/// drops more: the rules refuse operands of more dimensions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PerDim<T> {
    values: [T; MAX_OP_RANK],
    len: usize,
}

/// Sizes of up to eight dimensions.
pub(crate) type Dims = PerDim<usize>;

impl<T: Copy + Default> PerDim<T> {
    pub(crate) fn new() -> Self {
        Self::filled(T::default(), 0)
    }

    /// The same value for each of `rank` dimensions, eight at most.
    pub(crate) fn filled(value: T, rank: usize) -> Self {
        Self { values: [value; MAX_OP_RANK], len: rank.min(MAX_OP_RANK) }
    }

    /// Appends a value; a ninth is dropped.
    pub(crate) fn push(&mut self, value: T) {
        if let Some(slot) = self.values.get_mut(self.len) {
            *slot = value;
            self.len += 1;
        }
    }

    /// Overwrites the values from `start` on. The length stays, and values beyond it are dropped.
    pub(crate) fn put(&mut self, start: usize, values: &[T]) {
        for (slot, &value) in self.iter_mut().skip(start).zip(values) {
            *slot = value;
        }
    }
}

impl<T: Copy + Default> From<&[T]> for PerDim<T> {
    fn from(values: &[T]) -> Self {
        let mut all = Self::filled(T::default(), values.len());
        all.put(0, values);
        all
    }
}

impl<T> Deref for PerDim<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.values.get(..self.len).unwrap_or_default()
    }
}

impl<T> DerefMut for PerDim<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.values.get_mut(..self.len).unwrap_or_default()
    }
}

/// The sizes of a tensor's dimensions. A scalar, the default, has no dimensions. A size of zero means no elements.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Shared, because most shapes are copies of an operand's shape.
    dims: Arc<[usize]>,
    size: usize,
}

impl Default for Shape {
    fn default() -> Self {
        Self::scalar()
    }
}

impl Shape {
    /// A shape from its sizes. `op` is the operator that an error names.
    ///
    /// # Errors
    /// `RuntimeError` (`rank-limit`) above 32 dimensions, `ValueError` (`invalid-shape`) when the
    /// elements could not be addressed.
    ///
    /// ```
    /// use scatterwise::Shape;
    /// let shape = Shape::new("Tensor", &[3, 5])?;
    /// assert_eq!((shape.rank(), shape.size()), (2, 15));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn new(op: &'static str, dims: &[usize]) -> Result<Self> {
        Self::of_result(op, dims).map_err(|error| match error.code() {
            ErrorCode::InvalidShape => error.argument("shape"),
            _ => error,
        })
    }

    /// [`Shape::new`] for the shape of a result, which no argument gives.
    pub(crate) fn of_result(op: &'static str, dims: &[usize]) -> Result<Self> {
        if dims.len() > MAX_RANK {
            let text = format!("a tensor has at most {MAX_RANK} dimensions, not {}", dims.len());
            return Err(Error::new(ErrorClass::Runtime, ErrorCode::RankLimit, op, text));
        }
        // Counted in elements: the widest dtype has eight bytes, and all bytes must be addressable.
        let limit = isize::MAX as usize / 8;
        // The first product skips sizes of zero: strides are products of the other sizes, and have the same limit.
        let mut size: usize = 1;
        for &dim in dims.iter().filter(|&&dim| dim > 0) {
            // Every kernel keeps positions along a dimension as u32. A larger size is replaced by one that exceeds the limit.
            let dim = u32::try_from(dim).map_or(usize::MAX, |dim| dim as usize);
            size = size.checked_mul(dim).filter(|&size| size <= limit).ok_or_else(|| {
                let zeros = if dims.contains(&0) { " (sizes of 0 do not count)" } else { "" };
                let text = format!(
                    "shape {} has more elements than can be addressed: at most {limit}{zeros}",
                    list(dims)
                );
                Error::new(ErrorClass::Value, ErrorCode::InvalidShape, op, text)
            })?;
        }
        if dims.contains(&0) {
            size = 0;
        }
        Ok(Self { dims: dims.into(), size })
    }

    /// A shape of one dimension, unchecked: `size` must be within the limits that [`Shape::new`] checks.
    pub(crate) fn of_size(size: usize) -> Self {
        Self { dims: [size].into(), size }
    }

    /// The shape of a scalar: no dimensions, one element.
    pub fn scalar() -> Self {
        Self { dims: Arc::default(), size: 1 }
    }

    /// The sizes.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The number of elements.
    pub fn size(&self) -> usize {
        self.size
    }

    /// `==`, but faster for shapes of few dimensions and for copies, which share their sizes.
    #[inline(always)]
    pub(crate) fn equals(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.dims, &other.dims) || self.has_sizes_of(other)
    }

    fn has_sizes_of(&self, other: &Self) -> bool {
        // `==` of slices would call a function that compares bytes.
        self.rank() == other.rank() && self.dims.iter().zip(&*other.dims).all(|(one, two)| one == two)
    }

    /// The coordinates of the element at row-major position `flat`.
    pub fn unravel(&self, flat: usize) -> Vec<usize> {
        let mut place = Vec::with_capacity(self.rank());
        self.unravel_into(flat, &mut place);
        place
    }

    /// The row-major position of the element with these coordinates: one for each dimension, each below its size.
    pub(crate) fn ravel(&self, place: &[usize]) -> usize {
        self.dims().iter().zip(place).fold(0, |at, (&len, &coordinate)| at * len + coordinate)
    }

    /// Appends the coordinates of [`Shape::unravel`] to the empty list `place`. A `flat` past the last element starts again at the
    /// first.
    pub(crate) fn unravel_into(&self, flat: usize, place: &mut Vec<usize>) {
        // Each size is replaced by the coordinate along it. A size of zero has no coordinates, and a division by it would trap.
        place.extend_from_slice(&self.dims);
        let mut rest = flat;
        for slot in place.iter_mut().rev() {
            let size = (*slot).max(1);
            (*slot, rest) = (rest % size, rest / size);
        }
    }

    /// `dim` counted from the front; a negative `dim` counts from the back. `None` outside −r … r − 1.
    pub fn wrap_dim(&self, dim: i64) -> Option<usize> {
        let rank = self.rank() as i64;
        let wrapped = if dim < 0 { dim.checked_add(rank)? } else { dim };
        (0..rank).contains(&wrapped).then_some(wrapped as usize)
    }
}

/// Sizes or coordinates as users write them: `[3, 5]`.
pub(crate) fn list(dims: &[usize]) -> String {
    // `Debug` would bring its other formats into the download.
    let mut text = String::from("[");
    for (at, dim) in dims.iter().enumerate() {
        let between = if at > 0 { ", " } else { "" };
        _ = write!(text, "{between}{dim}"); // writing to a String never fails
    }
    text + "]"
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&list(&self.dims))
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_cannot_be_addressed() {
        assert!(Shape::new("test", &[usize::MAX, 2]).is_err());
        assert!(Shape::new("test", &[1; 33]).is_err());
        assert_eq!(Shape::new("test", &[0, 1 << 31, 1 << 20]).map(|s| s.size()), Ok(0));
    }
}
