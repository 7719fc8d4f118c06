//! The statistics of groups that need the order of their values: quantiles, the most frequent value, the number of distinct ones.

use crate::elementwise::combined;
use crate::group_by::plan::{GroupsPlan, places};
use crate::group_by::values::{Values, first_replaces};
use crate::group_by::{backend, float, number};
use crate::masks::choose;
use crate::plan::{Addressed, Binary, IndexMode, Op, Reduce};
use crate::sort::unique;
use crate::{DType, Gather, Result, Scalar, Scatter, Shape, Target, Tensor};

/// The elements that positions of one dimension name; `fill` where the position is −1.
fn at(op: Op, table: &Tensor, positions: &Tensor, fill: Scalar) -> Result<Tensor> {
    let mode = IndexMode { ignored: Some(-1), ..IndexMode::default() };
    let gather = Gather::new(op, Target::slices(0, positions));
    Gather { mode, fill_value: fill, ..gather }.run(table)
}

/// The values of each slot in ascending order, without NaN.
pub(crate) struct SortedValues {
    op: Op,
    /// As float64, one slot after the other.
    values: Tensor,
    /// The first place of each slot, and the number of its values, int32.
    begins: Tensor,
    counts: Tensor,
    /// Whether a slot has no NaN, which makes its quantiles NaN; left out if none does.
    is_whole: Option<Tensor>,
}

impl SortedValues {
    /// The values of a call, each an entry of its own, without NaN. `all` has the number of values with NaN, if those make quantiles NaN.
    pub(crate) fn new(given: &Values<'_>, all: Option<&Tensor>) -> Result<Self> {
        let (op, entries) = (given.op, given.values.size());
        let values = given.values.reshape(&[entries])?;
        let counts = given.count()?.reshape(&[given.slots])?;
        let plan =
            GroupsPlan { places: places(op, [given.slots, 1], entries)?, size: given.slots, rows: entries };
        let offsets = backend::offsets(&plan, &counts)?;
        let begins = Tensor::from_storage(counts.shape.clone(), DType::Int32, offsets.clone());
        let offsets = Tensor::from_storage(Shape::of_size(given.slots + 1), DType::Int32, offsets);
        let slots = given.slots_of_entries();
        // A counting sort keeps the order of the entries in each slot.
        let order = |slots: &Tensor| {
            let order = backend::order(&plan, slots, &offsets)?;
            Ok(Tensor::from_storage(slots.shape.clone(), DType::Int32, order))
        };
        let in_order = |order: &Tensor| {
            let values = at(op, &values, order, Scalar::Int(0))?;
            values.convert(op.name(), DType::Float64)
        };
        let mut short = None;
        if backend::are_short(&counts) {
            let mut sorted = in_order(&order(slots)?)?;
            short = backend::sort_each(op, &mut sorted, &offsets)?.then_some(sorted);
        }
        let sorted = match short {
            Some(sorted) => sorted,
            None => {
                let by_value = values.argsort(0, false)?;
                let by_slot = order(&at(op, slots, &by_value, Scalar::Int(0))?)?;
                in_order(&at(op, &by_value, &by_slot, Scalar::Int(0))?)?
            }
        };
        let is_whole = all.map(|all| all.reshape(&[given.slots])?.eq(&counts)).transpose()?;
        Ok(Self { op, values: sorted, begins, counts, is_whole })
    }

    /// Quantile q of each slot, float64.
    pub(crate) fn quantile(&self, q: f64) -> Result<Tensor> {
        let op = self.op;
        let counts = self.counts.convert(op.name(), DType::Float64)?;
        let last = combined(op, Binary::Subtract, &counts, &float(op, 1.0)?)?;
        let last = combined(op, Binary::Maximum, &last, &float(op, 0.0)?)?;
        let place = combined(op, Binary::Multiply, &last, &float(op, q)?)?;
        // Places are not negative, so that a cut is a floor.
        let lower = place.convert(op.name(), DType::Int32)?;
        let fraction = combined(op, Binary::Subtract, &place, &lower.convert(op.name(), DType::Float64)?)?;
        let is_between = fraction.convert(op.name(), DType::Bool)?;
        let has_values = self.counts.convert(op.name(), DType::Bool)?;
        let first = combined(op, Binary::Add, &self.begins, &lower)?;
        let first = choose(&has_values, &first, &number(op, -1, DType::Int32)?)?;
        let second = combined(op, Binary::Add, &first, &is_between.convert(op.name(), DType::Int32)?)?;
        let none = Scalar::Float(f64::NAN);
        let (a, b) = (at(op, &self.values, &first, none)?, at(op, &self.values, &second, none)?);
        let step = combined(op, Binary::Multiply, &combined(op, Binary::Subtract, &b, &a)?, &fraction)?;
        let found = choose(&is_between, &combined(op, Binary::Add, &a, &step)?, &a)?;
        match &self.is_whole {
            Some(is_whole) => choose(is_whole, &found, &float(op, f64::NAN)?),
            None => Ok(found),
        }
    }
}

/// The pairs of a slot and a value that occur, in the order of slots, then of values.
pub(crate) struct Distinct {
    op: Op,
    slots: usize,
    /// The slot of each pair, −1 for what is left out.
    of_slots: Tensor,
    /// How often each occurs, int64: 0 behind the last pair.
    counts: Tensor,
    /// An element that has the value of the pair: its first one.
    index: Tensor,
}

impl Distinct {
    pub(crate) fn new(given: &Values<'_>) -> Result<Self> {
        let (op, entries) = (given.op, given.values.size());
        let ranks = unique(&given.values.reshape(&[entries])?)?.inverse;
        let slots = given.slots_of_entries();
        let begins = combined(
            op,
            Binary::Multiply,
            &slots.convert(op.name(), DType::Int64)?,
            &number(op, entries as i64, DType::Int64)?,
        )?;
        let pairs = unique(&combined(op, Binary::Add, &begins, &ranks)?)?;
        let of_slots = at(op, slots, &pairs.index, Scalar::Int(0))?;
        Ok(Self { op, slots: given.slots, of_slots, counts: pairs.counts, index: pairs.index })
    }

    fn target(&self) -> Target {
        Target { form: Addressed::Slices(0), ..Target::slices(0, &self.of_slots) }
    }

    fn mode() -> IndexMode {
        IndexMode { ignored: Some(-1), ..IndexMode::default() }
    }

    fn scatter(&self, source: &Tensor, update: crate::plan::Update) -> Scatter {
        Scatter { mode: Self::mode(), ..Scatter::new(self.op, self.target(), source.into(), update) }
    }

    /// How many values each slot has.
    pub(crate) fn count(&self, zeros: Tensor) -> Result<Tensor> {
        let op = self.op;
        let one = combined(op, Binary::Minimum, &self.counts, &number(op, 1, DType::Int64)?)?;
        let mut out = zeros.reshape(&[self.slots])?;
        self.scatter(&one.convert(op.name(), DType::Int32)?, Reduce::Add.into()).run(&mut out)?;
        Ok(out)
    }

    /// The most frequent value of each slot, the least of several.
    pub(crate) fn most_frequent(&self, zeros: Tensor, values: &Tensor, empty: Scalar) -> Result<Tensor> {
        let mut most = zeros.reshape(&[self.slots])?;
        let winners =
            self.scatter(&self.counts, first_replaces(Reduce::Maximum)).run_for_winners(&mut most)?;
        let elements = at(self.op, &self.index, &winners, Scalar::Int(-1))?;
        at(self.op, &values.reshape(&[values.size()])?, &elements, empty)
    }
}
