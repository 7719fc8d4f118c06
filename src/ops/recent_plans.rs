//! The plans that scatters made last. A plan follows from the operator, the form and dimension of the index, and the shapes and dtypes of
//! the operands alone; programs repeat calls with operands of the same shapes, and making the plan is half of a small call.

use std::cell::RefCell;
use std::rc::Rc;

use crate::dtype::DType;
use crate::error::Result;
use crate::plan::{Addressed, Addressing, Op, Operand};
use crate::shape::Shape;

thread_local! {
    /// The next plan takes the place with that number.
    static LAST: RefCell<(usize, [Option<Lowered>; 4])> = const { RefCell::new((0, [const { None }; 4])) };
}

/// All that a plan is made of, unless the index was prepared.
#[derive(Clone, Copy)]
pub(super) struct Geometry<'a> {
    pub(super) op: Op,
    pub(super) form: Addressed,
    pub(super) table: Operand<'a>,
    pub(super) index: Operand<'a>,
    pub(super) src: Option<Operand<'a>>,
}

/// A plan, and what it was made of that it does not say itself.
struct Lowered {
    plan: Rc<Addressing>,
    form: Addressed,
    table: DType,
    index: DType,
    src: Option<(Shape, DType)>,
}

impl Geometry<'_> {
    #[inline(always)]
    fn is_of(&self, Lowered { plan, form, table, index, src }: &Lowered) -> bool {
        self.op == plan.op()
            && self.form == *form
            && self.table.dtype == *table
            && self.index.dtype == *index
            && self.table.shape.equals(plan.table_shape())
            && self.index.shape.equals(plan.index_shape())
            && match (self.src, src) {
                (Some(src), Some((shape, dtype))) => src.dtype == *dtype && src.shape.equals(shape),
                (one, other) => one.is_none() && other.is_none(),
            }
    }

    #[cold]
    fn lower(&self) -> Result<Lowered> {
        let Self { op, form, table, index, src } = *self;
        let plan = Addressing::scatter(op, form, table, index, src)?;
        let src = src.map(|src| (src.shape.clone(), src.dtype));
        Ok(Lowered { plan: Rc::new(plan), form, table: table.dtype, index: index.dtype, src })
    }
}

/// The plan for a geometry: one that is kept, or a new one. Errors are never kept, so they are found anew.
///
/// # Errors
/// Those of the operator about shapes, ranks, dtypes and the dimension.
pub(super) fn of(geometry: &Geometry<'_>) -> Result<Rc<Addressing>> {
    LAST.with_borrow_mut(|(next, last)| {
        for lowered in last.iter().flatten() {
            if geometry.is_of(lowered) {
                return Ok(lowered.plan.clone());
            }
        }
        let lowered = geometry.lower()?;
        let plan = lowered.plan.clone();
        if let Some(place) = last.get_mut(*next) {
            *place = Some(lowered);
        }
        *next = (*next + 1) % last.len();
        Ok(plan)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test says where it fails")]
mod tests {
    use crate::dtype::DType;
    use crate::error::Result;
    use crate::plan::Reduce;
    use crate::tensor::Tensor;

    /// Calls that differ in one thing from one that was made before.
    #[test]
    fn a_plan_serves_calls_of_its_own_geometry_only() {
        let table = Tensor::from_elements(&[2, 2], &[1i32, 2, 3, 4]).unwrap();
        let index = Tensor::from_elements(&[1, 2], &[1, 0]).unwrap();
        let src = Tensor::from_elements(&[1, 2], &[10, 20]).unwrap();
        let elements = |result: Result<Tensor>| result.unwrap().elements::<i32>().unwrap().to_vec();
        for _ in 0..2 {
            assert_eq!(elements(table.scatter(0, &index, &src, Reduce::Add)), [1, 22, 13, 4]);
            assert_eq!(elements(table.scatter(1, &index, &src, Reduce::Add)), [21, 12, 3, 4]);
            assert_eq!(elements(table.scatter(0, &index, 5, Reduce::Add)), [1, 7, 8, 4]);
            assert_eq!(
                elements(table.scatter_add_nd(&index, Tensor::from_elements(&[1], &[9]).unwrap())),
                [1, 2, 12, 4]
            );
            let floats = src.astype(DType::Float32).unwrap();
            assert!(table.scatter(0, &index, &floats, Reduce::Add).is_err());
            assert!(table.scatter(0, &index.astype(DType::Float32).unwrap(), &src, Reduce::Add).is_err());
            assert!(table.scatter(2, &index, &src, Reduce::Add).is_err());
            assert!(table.scatter(0, &index, src.reshape(&[2]).unwrap(), Reduce::Add).is_err());
            let wide = table.reshape(&[1, 4]).unwrap();
            assert!(wide.scatter(0, &index, &src, Reduce::Add).is_err(), "1 is out of range");
        }
    }
}
