//! Errors about the values of an index and about divisors, in the words of the operator's page.

use crate::plan::{Addressing, IndexMode, Op, OutOfRange, value_error};
use crate::{Allowed, Error, ErrorClass, ErrorCode, FactValue, Result, list};

impl Addressing {
    /// The error for a zero divisor: the element at row-major position `at` of the source, or the scalar.
    pub(crate) fn divisor_error(&self, at: usize) -> Error {
        let name = self.names.source;
        let position = self.source_shape.as_ref().map(|shape| shape.unravel(at));
        let at = position.as_deref().map_or(String::new(), list);
        let text = format!("{name}{at} is 0, by which an integer cannot be divided. Nothing was written");
        value_error(self.op, ErrorCode::ZeroDivisor, name, text).value(FactValue::Int(0)).position(position)
    }

    /// Refuses an index with entries if an addressed dimension has size 0, in a mode that would bring its values into range. `value` reads
    /// an index value by its row-major position, for the text of the error; `None` if the CPU does not know the values. With an
    /// ignored value, the backend checks each entry instead.
    pub(crate) fn check_places(
        &self,
        mode: IndexMode,
        value: impl FnOnce(usize) -> Option<i64>,
    ) -> Result<()> {
        let brings = match mode.out_of_range {
            OutOfRange::Wrap | OutOfRange::Clip => mode.ignored.is_none(),
            OutOfRange::Raise | OutOfRange::Drop | OutOfRange::Inside => false,
        };
        let empty = self.components.iter().position(|component| component.bound == 0);
        let Some(component) = empty.filter(|_| self.index_entries > 0 && brings) else { return Ok(()) };
        // The first tuple is at the beginning, so component number c has its first value at position c.
        if let Some(value) = value(component) {
            return Err(self.index_error(component, value));
        }
        let (index, table, dim) = (self.names.index, self.names.table, self.first_dim + component);
        let text =
            format!("{index} names places along dim {dim} of {table}, which has size 0: no index is allowed");
        Err(Error::new(ErrorClass::Index, ErrorCode::IndexOutOfRange, self.op.name(), text)
            .argument(index)
            .dim(dim as i64)
            .position(self.index_shape.unravel(component))
            .shape(table, self.table_shape.dims())
            .shape(index, self.index_shape.dims()))
    }

    /// The error for an index value that is out of range. `at` is its row-major position in the index; each number of a tuple
    /// counts as one.
    pub fn index_error(&self, at: usize, value: i64) -> Error {
        let component = at % self.components.len().max(1);
        let bound = self.components.get(component).map_or(0, |component| component.bound) as i64;
        let least = if self.op.counts_from_end() { -bound } else { 0 };
        let position = self.index_shape.unravel(at);
        let allowed = match bound {
            0 => "no index is allowed".to_owned(),
            _ => format!("allowed are {least} to {}", bound - 1),
        };
        let (index, table, dim) = (self.names.index, self.names.table, self.first_dim + component);
        let place = list(&position);
        let is_group = (cfg!(feature = "groups")
            && matches!(self.op, Op::ScatterSoftmax | Op::ScatterLogsumexp))
            || (cfg!(feature = "group_by") && self.op == Op::GroupBy);
        let text = if is_group {
            // As the CPU says it, which checks groups before there is a table of them.
            format!("{index}{place} is {value}: {allowed}")
        } else {
            let written = if self.op.writes_by_index() { ". Nothing was written" } else { "" };
            format!(
                "{index}{place} is {value}, out of range for dim {dim} of {table}, which has size {bound}: \
                 {allowed}{written}"
            )
        };
        Error::new(ErrorClass::Index, ErrorCode::IndexOutOfRange, self.op.name(), text)
            .argument(index)
            .dim(dim as i64)
            .position(position)
            .value(FactValue::Int(value))
            .allowed(Allowed::Range(least, bound - 1))
            .shape(table, self.table_shape.dims())
            .shape(index, self.index_shape.dims())
    }
}
