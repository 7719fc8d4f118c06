//! The lowering that all operations on two tensors share.
//!
//! ```text
//! out(k) = act(x(Σ coordinate · x_stride) ∘ y(Σ coordinate · y_stride))
//! ```
//!
//! with the row-major coordinates of k in the loops. Stride 0 along a loop means that the operand is repeated there. x is the operand
//! with more elements: this leaves backends fewer cases. If that is the call's second operand, `takes_x_second` says whether ∘ must
//! take x second.
//!
//! There are two rules of alignment. In Paddle's, `axis` is the dimension of x at which the dimensions of y begin. In NumPy's, both
//! shapes are aligned at the right, and either operand may be repeated.

use crate::elementwise::plan::alignment::{
    check_operands, check_ranks, run_mismatch, shape_error, start_in_x,
};
use crate::plan::getters::getters;
use crate::plan::{Activation, Binary, Op, Operand, Rounding, value_error};
use crate::{Dims, Error, ErrorCode, FactValue, PerDim, Result, Shape, list};

/// One loop over elements of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BroadcastLoop {
    /// How often it runs.
    pub len: usize,
    /// Elements of x from one round to the next.
    pub x_stride: usize,
    /// Elements of y from one round to the next.
    pub y_stride: usize,
}

/// A checked operation on two tensors: geometry, without data. See the module's text.
#[derive(Debug, Clone)]
pub struct BroadcastPlan {
    op: Op,
    binary: Binary,
    /// Applied to each result.
    activation: Option<Activation>,
    out_shape: Shape,
    /// The shape of the call's second operand.
    second: Shape,
    /// The loops over elements of the result, outermost first. Without loops the result has one element, or none.
    loops: PerDim<BroadcastLoop>,
    is_swapped: bool,
    /// How many elements x has, and y. Every position in one is smaller.
    x_len: usize,
    y_len: usize,
}

impl BroadcastPlan {
    /// Paddle's rule. y's shape, without its trailing 1s, must be a contiguous run of x's shape that starts at dimension `axis`. −1
    /// means rank(x) − rank(y), and here y's trailing 1s count. The result has x's shape. Equal shapes fit for every `axis`, and a
    /// y of one element with only 1s fits every x.
    pub fn along_axis(
        op: Op,
        x: Operand<'_>,
        y: Operand<'_>,
        axis: i64,
        act: Option<Activation>,
    ) -> Result<Self> {
        let binary = match op.binary() {
            // Paddle truncates quotients of integers.
            Binary::Divide(_) if !x.dtype.is_float() => Binary::Divide(Some(Rounding::Trunc)),
            binary => binary,
        };
        check_operands(op, binary, x, y)?;
        if let Some(act) = act {
            act.check_dtype(op, x.dtype)?;
        }
        let mut y_dims = Dims::filled(1, x.shape.rank());
        if x.shape == y.shape {
            y_dims.put(0, x.shape.dims());
        } else {
            // The run is y's sizes without trailing 1s.
            let rank = y.shape.dims().iter().rposition(|&len| len != 1).map_or(0, |last| last + 1);
            let run = y.shape.dims().get(..rank).unwrap_or_default();
            let start = start_in_x(op, x, y, axis, run)?;
            for (d, &len) in run.iter().enumerate() {
                if x.shape.dims().get(start + d) != Some(&len) {
                    return Err(run_mismatch(op, x, y, run, start, d));
                }
            }
            y_dims.put(start, run);
        }
        Ok(Self::lower((op, binary, act), x.shape.clone(), y.shape, [x.shape.dims(), &y_dims]))
    }

    /// NumPy's rule. The shapes are aligned at the right. In each dimension the sizes are equal, or one of them is 1 or missing;
    /// that operand is then repeated. In place the result must have self's shape.
    ///
    /// `rounding` is that of a quotient; other operations ignore it.
    pub fn both_sides(op: Op, x: Operand<'_>, y: Operand<'_>, rounding: Option<Rounding>) -> Result<Self> {
        let binary = match op.binary() {
            Binary::Divide(_) => Binary::Divide(rounding),
            binary => binary,
        };
        Self::of(op, binary, x, y)
    }

    /// [`BroadcastPlan::both_sides`] for an operation that is a part of operator `op`.
    pub(crate) fn of(op: Op, binary: Binary, x: Operand<'_>, y: Operand<'_>) -> Result<Self> {
        check_operands(op, binary, x, y)?;
        Self::in_numpys_shape(op, binary, x, y)
    }

    /// The same with an activation of each result, which takes the dtype.
    pub(crate) fn with_activation(self, activation: Option<Activation>) -> Self {
        Self { activation, ..self }
    }

    /// [`BroadcastPlan::of`] for an operator on operands of any two dtypes, which does without the operation.
    pub(crate) fn of_any_dtypes(op: Op, x: Operand<'_>, y: Operand<'_>) -> Result<Self> {
        check_ranks(op, x, y)?;
        Self::in_numpys_shape(op, op.binary(), x, y)
    }

    fn in_numpys_shape(op: Op, binary: Binary, x: Operand<'_>, y: Operand<'_>) -> Result<Self> {
        let rank = x.shape.rank().max(y.shape.rank());
        let (x_dims, y_dims) = (padded(x.shape, rank), padded(y.shape, rank));
        let mut dims = Dims::new();
        for (d, (&one, &two)) in x_dims.iter().zip(y_dims.iter()).enumerate() {
            if one != two && one != 1 && two != 1 {
                let from_right = rank - d;
                let text = format!(
                    "shapes {} and {} do not broadcast: {from_right} from the right the sizes are {one} and {two}; \
                     they must be equal, or one of them 1",
                    x.shape, y.shape
                );
                return Err(shape_error(op, ErrorCode::ShapeMismatch, text, x, y).dim(-(from_right as i64)));
            }
            dims.push(if one == 1 { two } else { one });
        }
        // A result with x's shape, as in every call in place, shares that shape without an allocation.
        let out =
            if *dims == *x.shape.dims() { x.shape.clone() } else { Shape::of_result(op.name(), &dims)? };
        if op.overwrites_first() && out != *x.shape {
            let text = format!(
                "self has shape {} and the result with {} {out}: in place it must stay the same; use self.{}(other)",
                x.shape,
                y.shape,
                binary.method()
            );
            return Err(shape_error(op, ErrorCode::ShapeMismatch, text, x, y));
        }
        Ok(Self::lower((op, binary, None), out, y.shape, [&x_dims, &y_dims]))
    }

    /// Turns checked shapes of the same rank into loops. Dimensions of size 1 vanish. Neighbours become one loop if the same
    /// operands vary along both, so that kernels see few and long loops. `second` is the shape of the call's second operand.
    fn lower(
        (op, binary, activation): (Op, Binary, Option<Activation>),
        out_shape: Shape,
        second: &Shape,
        [x_dims, y_dims]: [&[usize]; 2],
    ) -> Self {
        let count = |dims: &[usize]| dims.iter().product::<usize>();
        // The operand that is written to has the shape of the result. So it can only be the smaller operand if it is empty.
        let is_swapped = out_shape.size() > 0 && count(x_dims) < count(y_dims);
        let (x_dims, y_dims) = if is_swapped { (y_dims, x_dims) } else { (x_dims, y_dims) };
        let mut loops: PerDim<BroadcastLoop> = PerDim::new();
        // From the innermost dimension on. The lengths of x and y so far are the strides of the next dimension.
        let (mut x_len, mut y_len) = (1, 1);
        for (&x_dim, &y_dim) in x_dims.iter().zip(y_dims).rev() {
            let stride = |dim, len| if dim == 1 { 0 } else { len };
            let len = if x_dim == 1 { y_dim } else { x_dim };
            let next = BroadcastLoop { len, x_stride: stride(x_dim, x_len), y_stride: stride(y_dim, y_len) };
            match loops.last_mut() {
                _ if len == 1 => {}
                Some(inner) if continues(next, *inner) => inner.len *= len,
                _ => loops.push(next),
            }
            x_len *= x_dim;
            y_len *= y_dim;
        }
        loops.reverse();
        if out_shape.size() == 0 {
            loops = PerDim::new();
        }
        Self { op, binary, activation, out_shape, second: second.clone(), loops, is_swapped, x_len, y_len }
    }

    getters! {
        pub op: Op, binary: Binary, activation: Option<Activation>, x_len: usize, y_len: usize, is_swapped: bool;
        out_shape: &Shape, loops: &[BroadcastLoop]
    }

    /// The activation of `activate`, whose result is that of the product with 1. The product need not be computed, because it is x.
    pub(crate) fn activation_alone(&self) -> Option<Activation> {
        if self.op == Op::Activate { self.activation } else { None }
    }

    /// How many elements the result has.
    pub fn len(&self) -> usize {
        self.out_shape.size()
    }

    /// Whether the result has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether x of the loops is the call's second operand, so that the operation must take x second. Never if the order of the
    /// operands does not count.
    pub fn takes_x_second(&self) -> bool {
        self.is_swapped && !self.binary.commutes()
    }

    /// The call's operands as x and y of the loops: exchanged if the second has more elements. A call in place never exchanges
    /// them.
    pub fn operands<T>(&self, first: T, second: T) -> (T, T) {
        if self.is_swapped { (second, first) } else { (first, second) }
    }

    /// The error for a zero among integer divisors, at row-major position `at` of the call's second operand.
    pub(crate) fn divisor_error(&self, at: usize) -> Error {
        let [_, name] = self.op.operand_names();
        let position = self.second.unravel(at);
        let place = if position.is_empty() { String::new() } else { list(&position) };
        let end = if self.op.overwrites_first() { ". Nothing was written" } else { "" };
        let text = format!("{name}{place} is 0, by which an integer cannot be divided{end}");
        value_error(self.op, ErrorCode::ZeroDivisor, name, text).value(FactValue::Int(0)).position(position)
    }
}

/// The sizes with 1s in front, up to `rank`, which is at least the shape's rank.
fn padded(shape: &Shape, rank: usize) -> Dims {
    let mut dims = Dims::filled(1, rank);
    dims.put(rank - shape.rank(), shape.dims());
    dims
}

/// Whether the end of `inner` is the start of the next round of `outer`, in x and in y.
fn continues(outer: BroadcastLoop, inner: BroadcastLoop) -> bool {
    outer.x_stride == inner.x_stride.wrapping_mul(inner.len)
        && outer.y_stride == inner.y_stride.wrapping_mul(inner.len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, ErrorClass};

    fn shape(dims: &[usize]) -> Shape {
        Shape::new("test", dims).unwrap()
    }

    fn f32(shape: &Shape) -> Operand<'_> {
        Operand { shape, dtype: DType::Float32 }
    }

    fn paddle(x: &[usize], y: &[usize], axis: i64) -> Result<BroadcastPlan> {
        let (x, y) = (shape(x), shape(y));
        BroadcastPlan::along_axis(Op::ElementwiseMul, f32(&x), f32(&y), axis, None)
    }

    fn numpy(op: Op, x: &[usize], y: &[usize]) -> Result<BroadcastPlan> {
        let (x, y) = (shape(x), shape(y));
        BroadcastPlan::both_sides(op, f32(&x), f32(&y), None)
    }

    fn loops(plan: &BroadcastPlan) -> Vec<(usize, usize, usize)> {
        plan.loops().iter().map(|l| (l.len, l.x_stride, l.y_stride)).collect()
    }

    #[test]
    fn collapsed_forms() {
        let plan = |y: &[usize], axis| loops(&paddle(&[2, 3, 4, 5], y, axis).unwrap());
        assert_eq!(plan(&[2, 3, 4, 5], 9), [(120, 1, 1)], "same");
        assert_eq!(plan(&[], -1), [(120, 1, 0)], "one y");
        assert_eq!(plan(&[4, 5], -1), [(6, 20, 0), (20, 1, 1)], "row");
        assert_eq!(plan(&[3, 4], 1), [(2, 60, 0), (12, 5, 1), (5, 1, 0)], "mid");
        assert_eq!(plan(&[2, 1, 1], 0), [(2, 60, 1), (60, 1, 0)], "trailing 1s");
        let both = numpy(Op::Mul, &[4, 1, 3], &[5, 1]).unwrap();
        assert_eq!(
            (loops(&both), both.out_shape()),
            (vec![(4, 3, 0), (5, 0, 1), (3, 1, 0)], &shape(&[4, 5, 3]))
        );
        let (one, other) = (numpy(Op::Mul, &[3], &[2, 3]).unwrap(), numpy(Op::Mul, &[2, 3], &[3]).unwrap());
        assert_eq!((one.operands('s', 'l'), one.x_len()), (('l', 's'), 6), "the larger one is x");
        assert_eq!((other.operands('l', 's'), loops(&one)), (('l', 's'), loops(&other)));
        assert_eq!(loops(&numpy(Op::Mul, &[0, 3], &[3]).unwrap()), []);
        let empty = numpy(Op::MulInPlace, &[0, 3], &[3]).unwrap();
        assert_eq!(empty.operands(0, 3), (0, 3), "in place nothing is exchanged");
        assert_eq!(numpy(Op::Mul, &[0, 1], &[1, 5]).unwrap().out_shape(), &shape(&[0, 5]));
    }

    #[test]
    fn refusals_offer_a_way_out() {
        for (x, y, axis, way_out) in [
            (&[2, 3, 4, 5][..], &[3, 4][..], -1, "It is from axis 1 on"),
            (&[2, 3, 4, 5], &[3, 1, 5], -1, "x.mul(y) broadcasts"),
            (&[2, 3, 4, 5], &[1, 4], 1, "x.mul(y.reshape([1, 4, 1])) broadcasts"),
            (&[3], &[2, 3], -1, "x.mul(y) broadcasts"),
            (&[2, 3], &[2, 3, 1], -1, "give axis, the dimension of x"),
            (&[2, 3], &[3], 2, "allowed are -1 to 1"),
            (&[2, 3], &[3], -2, "allowed are -1 to 1"),
        ] {
            let error = paddle(x, y, axis).unwrap_err();
            assert!(error.to_string().contains(way_out), "{error}");
            assert_eq!(error.class(), ErrorClass::Value);
        }
        assert!(paddle(&[2, 3], &[2, 3, 1], 0).is_ok());
        assert!(numpy(Op::MulInPlace, &[3], &[2, 3]).is_err());
        assert!(numpy(Op::MulInPlace, &[2, 3], &[3]).is_ok());
        assert!(numpy(Op::Mul, &[2, 3], &[2]).is_err());
        assert!(numpy(Op::Mul, &[1; 9], &[1]).is_err());
    }
}
