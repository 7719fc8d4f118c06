//! The plans of the last scatters. A plan depends only on the operator, the form and dimension of the index, and the shapes and
//! dtypes of the operands. Programs repeat calls with the same shapes, and the plan is half the time of a small call.

use std::cell::RefCell;
use std::rc::Rc;

use crate::plan::{Addressed, Addressing, Arguments};
use crate::{DType, Result};

thread_local! {
    /// The position that the next new plan takes, and the plans.
    static LAST: RefCell<(usize, [Option<Lowered>; 4])> = const { RefCell::new((0, [const { None }; 4])) };
}

/// A plan, and the arguments that the plan itself does not hold.
struct Lowered {
    plan: Rc<Addressing>,
    form: Addressed,
    table_dtype: DType,
    index_dtype: DType,
    /// `None` for a scalar.
    src_dtype: Option<DType>,
}

impl Lowered {
    #[cold]
    fn new(call: &Arguments<'_>) -> Result<Self> {
        let plan = Rc::new(Addressing::scatter(call)?);
        let (table_dtype, index_dtype) = (call.table.dtype, call.index.dtype);
        let src_dtype = call.src.map(|src| src.dtype);
        Ok(Self { plan, form: call.form, table_dtype, index_dtype, src_dtype })
    }

    /// Whether the plan fits the call. The plan itself has the operator and the shapes.
    #[inline(always)]
    fn is_of(&self, call: &Arguments<'_>) -> bool {
        self.plan.op() == call.op
            && self.form == call.form
            && self.table_dtype == call.table.dtype
            && self.index_dtype == call.index.dtype
            && call.table.shape.equals(self.plan.table_shape())
            && call.index.shape.equals(self.plan.index_shape())
            && match (call.src, self.plan.source_shape()) {
                (Some(src), Some(shape)) => Some(src.dtype) == self.src_dtype && src.shape.equals(shape),
                (one, other) => one.is_none() && other.is_none(),
            }
    }
}

/// The plan of a scatter whose index is not prepared: a kept plan or a new one. A new plan replaces the oldest. Errors are never
/// kept, so each call computes them again.
pub(crate) fn of(call: &Arguments<'_>) -> Result<Rc<Addressing>> {
    LAST.with_borrow_mut(|(next, last)| {
        for lowered in last.iter().flatten() {
            if lowered.is_of(call) {
                return Ok(lowered.plan.clone());
            }
        }
        let lowered = Lowered::new(call)?;
        let plan = lowered.plan.clone();
        if let Some(position) = last.get_mut(*next) {
            *position = Some(lowered);
        }
        *next = (*next + 1) % last.len();
        Ok(plan)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test says where it fails")]
mod tests {
    use crate::plan::Reduce;
    use crate::{DType, ErrorCode, Result, Tensor};

    /// Calls that differ in one thing from an earlier call.
    #[test]
    fn a_plan_serves_calls_of_its_own_geometry_only() {
        let table = Tensor::from_elements(&[2, 2], &[1i32, 2, 3, 4]).unwrap();
        let index = Tensor::from_elements(&[1, 2], &[1, 0]).unwrap();
        let src = Tensor::from_elements(&[1, 2], &[10, 20]).unwrap();
        let floats = |tensor: &Tensor| tensor.astype(DType::Float32).unwrap();
        let elements = |result: Result<Tensor>| result.unwrap().elements::<i32>().unwrap().to_vec();
        // In the second round each of the four plans is already kept.
        for _ in 0..2 {
            assert_eq!(elements(table.scatter(0, &index, &src, Reduce::Add)), [1, 22, 13, 4]);
            assert_eq!(elements(table.scatter(1, &index, &src, Reduce::Add)), [21, 12, 3, 4]);
            assert_eq!(elements(table.scatter(0, &index, 5, Reduce::Add)), [1, 7, 8, 4]);
            assert_eq!(
                elements(table.scatter_add_nd(&index, Tensor::from_elements(&[1], &[9]).unwrap())),
                [1, 2, 12, 4]
            );
            assert!(table.scatter(0, &index, floats(&src), Reduce::Add).is_err());
            assert!(floats(&table).scatter(0, &index, &src, Reduce::Add).is_err());
            let refused = table.scatter(0, &floats(&index), &src, Reduce::Add).err().unwrap();
            assert_eq!(refused.code(), ErrorCode::IndexDtype);
            assert!(table.scatter(2, &index, &src, Reduce::Add).is_err());
            assert!(table.scatter(0, &index, src.reshape(&[2]).unwrap(), Reduce::Add).is_err());
        }
        // After the loop, because its plan replaces one of the four.
        let wide = table.reshape(&[1, 4]).unwrap();
        assert!(wide.scatter(0, &index, &src, Reduce::Add).is_err(), "1 is out of range");
    }
}
