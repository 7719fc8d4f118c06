//! Counts and sums at the bins of samples: scatters into zeros.

use std::rc::Rc;

use crate::convert::backend::ConvertBackend;
use crate::engine::Value;
use crate::engine::gpu::{DeviceBuffer, Gpu};
use crate::index::gpu::Index;
use crate::plan::{Addressed, Addressing, Arguments, Op, Operand, Reduce, Update};
use crate::scatter::backend::ScatterBackend;
use crate::{DType, Result, Shape};

impl Gpu {
    /// Counts positions in `flat_bins` bins, or adds their values, which have the dtype `out`. The counts are converted to `out`.
    pub(crate) fn add_at(
        self: &Rc<Self>,
        op: Op,
        flat_bins: usize,
        positions: Index,
        values: Option<(&DeviceBuffer, Update)>,
        out: DType,
    ) -> Result<DeviceBuffer> {
        let dtype = if values.is_some() { out } else { DType::Uint32 };
        let zeros = DeviceBuffer::new(self, op.name(), "the result", flat_bins * dtype.size())?;
        let (value, update) = match values {
            Some((values, update)) => (Value::Buffer(values), update),
            None => (Value::Scalar(1), Reduce::Add.into()),
        };
        let made = self.scatter_at(op, (1, flat_bins), dtype, zeros, &positions, value, update)?;
        if dtype == out { Ok(made) } else { self.convert(op.name(), dtype, out, &made) }
    }

    /// Applies each row of values to a row of the table, at the positions, which all rows share. `rows` and `flat_bins` are the shape of the
    /// table.
    #[allow(clippy::too_many_arguments, reason = "a scatter has so many")]
    pub(crate) fn scatter_at(
        self: &Rc<Self>,
        op: Op,
        (rows, flat_bins): (usize, usize),
        dtype: DType,
        table: DeviceBuffer,
        positions: &Index,
        value: Value<&DeviceBuffer>,
        update: Update,
    ) -> Result<DeviceBuffer> {
        let mut table = Rc::new(table);
        let entries = positions.buffer.len() / 4;
        let [of_table, of_index, of_source] = [&[rows, flat_bins][..], &[entries], &[rows, entries]];
        let shape = |dims: &[usize]| Shape::new(op.name(), dims);
        let (of_table, of_index, of_source) = (shape(of_table)?, shape(of_index)?, shape(of_source)?);
        let src = value.buffer().map(|_| Operand { shape: &of_source, dtype });
        let plan = Addressing::scatter(&Arguments {
            op,
            form: Addressed::Slices(1),
            table: Operand { shape: &of_table, dtype },
            index: Operand { shape: &of_index, dtype: DType::Int32 },
            src,
        })?;
        self.scatter(&plan, dtype, update, &mut table, positions, value)?;
        match Rc::try_unwrap(table) {
            Ok(table) => Ok(table),
            // The buffer has one owner, but its type does not say so.
            Err(shared) => shared.duplicate(op.name()),
        }
    }
}
