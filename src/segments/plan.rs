//! The segments of a reduction of neighbouring rows. They are checked, like an index, before anything is written.

use crate::plan::checks;
use crate::plan::getters::getters;
use crate::plan::{Factor, Op, Operand, Update, value_error};
use crate::{DType, Error, ErrorClass, ErrorCode, FactValue, MAX_RANK, Result, reserved};

/// Segments of a tensor's rows: each begins where the one before it ends, and together they have all rows.
pub(crate) struct CheckedSegments {
    /// The row at which each segment ends (exclusive). The ends do not decrease, and the last one is the number of rows; with no segments
    /// there are no rows.
    ends: Vec<u32>,
    row: usize,
}

/// The segments of a checked call. The values of lengths or offsets are still unchecked, and may be on a GPU.
#[cfg_attr(not(feature = "webgpu"), allow(dead_code, reason = "nothing is on a GPU then"))]
#[derive(Debug, Clone, Copy)]
pub(crate) struct GivenSegments {
    pub(crate) form: SegmentForm,
    pub(crate) segments: usize,
    /// The number of rows, and the elements of each.
    pub(crate) sizes: [usize; 2],
    pub(crate) dtype: DType,
}

impl GivenSegments {
    pub(crate) fn new(
        data: Operand<'_>,
        update: &Update,
        form: SegmentForm,
        values: Operand<'_>,
    ) -> Result<Self> {
        let (op, name, shape) = (Op::SegmentReduce, form.name(), data.shape);
        checks::rank(op, "data", shape, 1..=MAX_RANK)?;
        update.check(op, Factor::One, data.dtype)?;
        checks::index_dtype(op, name, values.dtype)?;
        let &[count] = values.shape.dims() else {
            let text = format!("{name} has rank {}; it must have one dimension", values.shape.rank());
            return Err(value_error(op, ErrorCode::RankMismatch, name, text));
        };
        // Even without segments there is one offset.
        let segments = count.checked_sub(usize::from(form == SegmentForm::Offsets));
        let segments = segments.ok_or_else(|| {
            invalid(form, "offsets is empty; it has one entry more than there are segments")
        })?;
        let (rows, row) =
            shape.dims().split_first().map_or((0, 1), |(&rows, row)| (rows, row.iter().product()));
        Ok(Self { form, segments, sizes: [rows, row], dtype: values.dtype })
    }

    /// The error for lengths or offsets on a GPU, in a call on the CPU.
    pub(crate) fn on_gpu(&self) -> Error {
        let name = self.form.name();
        let text = format!("{name} lives on webgpu, and its values are needed here: await {name}.to('cpu')");
        Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, OP, text).argument(name)
    }

    #[cfg(feature = "webgpu")]
    pub(crate) fn values(&self) -> usize {
        self.segments + usize::from(self.form == SegmentForm::Offsets)
    }

    /// The error of [`CheckedSegments::new`] for value number `position`, whose segment begins at row `begin`. After the last value, `position`
    /// says that the segments end at row `begin`, too early.
    #[cfg(feature = "webgpu")]
    pub(crate) fn fault(&self, position: usize, value: i64, begin: i64) -> Error {
        let (form, [rows, _]) = (self.form, self.sizes);
        if position >= self.values() {
            return wrong_total(form, begin, rows);
        }
        match (form, position.checked_sub(1)) {
            (SegmentForm::Offsets, None) => wrong_first(value),
            (SegmentForm::Offsets, Some(segment)) => {
                wrong_end(form, segment, value, [begin, value, rows as i64])
            }
            (SegmentForm::Lengths, _) => {
                wrong_end(form, position, value, [begin, value.saturating_add(begin), rows as i64])
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SegmentForm {
    /// Where each segment begins, and where the last one ends.
    Offsets,
    /// How many rows each segment has.
    Lengths,
}

impl SegmentForm {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Offsets => "offsets",
            Self::Lengths => "lengths",
        }
    }
}

const OP: &str = Op::SegmentReduce.name();

impl CheckedSegments {
    /// Segments of `rows` rows of `row` elements each, from their offsets or lengths. `rows` is the size of a dimension, so it fits 32
    /// bits.
    pub(crate) fn new<T: Copy + Into<i64>>(
        form: SegmentForm,
        values: &[T],
        [rows, row]: [usize; 2],
    ) -> Result<Self> {
        // The numbers that say where the segments end, one for each segment.
        let rest = match (form, values) {
            (SegmentForm::Offsets, [first, rest @ ..]) => match (*first).into() {
                0 => rest,
                first => return Err(wrong_first(first)),
            },
            _ => values,
        };
        let mut ends: Vec<u32> = reserved(OP, rest.len())?;
        let mut begin = 0;
        for &value in rest {
            let value: i64 = value.into();
            let end = match form {
                SegmentForm::Offsets => value,
                // If the sum is too large for 64 bits, it is refused below, like any other sum above `rows`.
                SegmentForm::Lengths => value.saturating_add(begin),
            };
            if end < begin || end > rows as i64 {
                return Err(wrong_end(form, ends.len(), value, [begin, end, rows as i64]));
            }
            ends.push(end as u32);
            begin = end;
        }
        if begin != rows as i64 {
            return Err(wrong_total(form, begin, rows));
        }
        Ok(Self { ends, row })
    }

    getters! { pub(crate) row: usize; ends: &[u32] }

    pub(crate) fn lengths(&self) -> impl Iterator<Item = u32> {
        let begins = [0].into_iter().chain(self.ends.iter().copied());
        self.ends.iter().zip(begins).map(|(end, begin)| end - begin)
    }

    #[cfg(feature = "webgpu")]
    pub(crate) fn rows(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }
}

/// The error for a first offset other than 0.
fn wrong_first(first: i64) -> Error {
    let text = format!("offsets[0] is {first}: the first segment begins at 0");
    invalid_at(SegmentForm::Offsets, 0, first, &text)
}

/// The error for segments that end at row `end`, before the last of `rows`.
fn wrong_total(form: SegmentForm, end: i64, rows: usize) -> Error {
    let name = form.name();
    invalid(form, &format!("{name} ends with row {end}, and data has {rows}: every row belongs to a segment"))
}

/// The error for a segment that ends before it begins, or after the last row. `value` is the wrong number, an offset or a length as
/// `form` says. The segment would end at row `end`.
fn wrong_end(form: SegmentForm, segment: usize, value: i64, [begin, end, rows]: [i64; 3]) -> Error {
    // The first offset says where segment 0 begins, so the end of segment i is offset i + 1.
    let (name, position) = (form.name(), segment + usize::from(form == SegmentForm::Offsets));
    let rule = match form {
        SegmentForm::Lengths if value < 0 => "a length is not negative".to_owned(),
        SegmentForm::Lengths | SegmentForm::Offsets => {
            format!("segments end between {begin} and {rows}, the number of rows, and this one at {end}")
        }
    };
    invalid_at(form, position, value, &format!("{name}[{position}] is {value}: {rule}"))
}

fn invalid_at(form: SegmentForm, position: usize, value: i64, text: &str) -> Error {
    invalid(form, text).position(vec![position]).value(FactValue::Int(value))
}

fn invalid(form: SegmentForm, text: &str) -> Error {
    Error::new(ErrorClass::Value, ErrorCode::InvalidSegments, OP, text).argument(form.name())
}
