//! Counts samples into bins.
//!
//! Samples become float64, whose bits an integer comparison can order; a thread searches the edges for the bin of its sample. Counts are
//! atomic additions. A sum of weights depends on the order: the places are written down, and a scatter adds by them.

use std::rc::Rc;

use crate::backend::gpu::engine::Bindings;
use crate::backend::gpu::params::{Bins, Column, Head, NEVER_FAILS};
use crate::backend::gpu::pass::Pass;
use crate::backend::gpu::{DeviceBuffer, Gpu, ShaderKey};
use crate::backend::{Backend, Index, IndexState, Value};
use crate::dtype::DType;
use crate::error::Result;
use crate::host::reserved;
use crate::plan::{Addressing, HistogramPlan, Op, Operand, Reduce};
use crate::shape::Shape;

impl Gpu {
    /// Counts samples, or adds their weights in order. `edges` are those of each column.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn histogram(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        edges: &[&[f64]],
        x: &DeviceBuffer,
        weights: Option<&DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        let (op, places, out) = (plan.op(), plan.out_shape().size(), plan.out_dtype());
        if plan.samples() == 0 {
            return DeviceBuffer::new(self, op.name(), "the result", places * out.size());
        }
        let converted;
        let numbers = match plan.dtype() {
            DType::Float64 => x,
            dtype => {
                converted = self.convert(op.name(), dtype, DType::Float64, x)?;
                &converted
            }
        };
        let mut keys = reserved(op.name(), edges.iter().map(|edges| edges.len()).sum())?;
        let mut params = Bins {
            head: Head::new(plan.samples(), NEVER_FAILS),
            column_count: plan.columns() as u32,
            outside: places as u32,
            is_counting: weights.is_none().into(),
            ..Bins::default()
        };
        for (column, edges) in params.columns.iter_mut().zip(edges) {
            *column = Column { first: keys.len() as u32, bins: edges.len() as u32 - 1, ..Column::default() };
            keys.extend(edges.iter().map(|&edge| ordered(edge)));
        }
        let keys = self.upload(op.name(), bytemuck::cast_slice(&keys))?;
        let run = |found: &DeviceBuffer| {
            let bindings = Bindings { index: Some(&keys), dst: Some(found), src: Some(numbers) };
            self.dispatch(ShaderKey::words(Pass::Bins), params, &bindings);
        };
        let Some(weights) = weights else {
            let counts = DeviceBuffer::new(self, op.name(), "the counts", 4 * places)?;
            run(&counts);
            return self.convert(op.name(), DType::Uint32, out, &counts);
        };
        let positions = DeviceBuffer::unfilled(self, op.name(), "the places of samples", 4 * plan.samples())?;
        run(&positions);
        let index = Index { buffer: &positions, dtype: DType::Int32, state: IndexState::Positions };
        let mut sums = self.sums(op, (places + 1, out), plan.samples(), index, Value::Buffer(weights))?;
        sums.truncate(places * out.size());
        Ok(sums)
    }

    /// New places to which values are added in order: `sums[index[i]] += value[i]`.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn sums(
        self: &Rc<Self>,
        op: Op,
        (places, dtype): (usize, DType),
        entries: usize,
        index: Index<'_, DeviceBuffer>,
        value: Value<'_, DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        let mut sums = Rc::new(DeviceBuffer::new(self, op.name(), "the result", places * dtype.size())?);
        let (table, entries) = (Shape::new(op.name(), &[places])?, Shape::new(op.name(), &[entries])?);
        let operand = |shape, dtype| Operand { shape, dtype };
        let source = matches!(value, Value::Buffer(_)).then(|| operand(&entries, dtype));
        let plan =
            Addressing::scatter_axis(op, operand(&table, dtype), 0, operand(&entries, index.dtype), source)?;
        self.scatter(&plan, dtype, Reduce::Add.into(), &mut sums, index, value)?;
        match Rc::try_unwrap(sums) {
            Ok(sums) => Ok(sums),
            Err(shared) => shared.duplicate(op.name()),
        }
    }
}

/// A number as an integer that has its order: see `ordered` in `shaders/histogram/bins.wgsl`.
fn ordered(value: f64) -> u64 {
    // −0 becomes +0.
    let bits = (value + 0.0).to_bits();
    bits ^ ((bits as i64 >> 63) as u64 | 1 << 63)
}
