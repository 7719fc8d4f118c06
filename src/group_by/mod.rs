//! Rows by key: a counting sort of codes, and the statistics of the groups.

pub(crate) mod backend;
#[cfg(target_arch = "wasm32")]
pub(crate) mod boundary;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
pub(crate) mod kernels;
pub(crate) mod plan;
pub(crate) mod sorted;
pub(crate) mod statistics;
pub(crate) mod values;

use std::cell::{OnceCell, RefCell};

use crate::elementwise::combined;
use crate::group_by::plan::{GroupsPlan, places};
use crate::index::Index;
use crate::masks::choose;
use crate::plan::{Addressed, Binary, IndexMode, Op, Reduce, ValueRanges};
use crate::{
    Allowed, DType, Device, Error, ErrorClass, ErrorCode, FactValue, Gather, Result, Scalar, Scatter, Shape,
    Storage, Target, Tensor, dispatch,
};

const OP: Op = GroupsPlan::OP;

/// Rows in groups. `docs/operators/group_by.md`.
pub struct Groups {
    plan: GroupsPlan,
    /// The group of each row, int32; −1 for rows that are left out.
    groups: Tensor,
    /// Whether rows may be left out.
    drops: bool,
    counts: Tensor,
    offsets: Tensor,
    order: OnceCell<Tensor>,
    /// The index of the last statistic, for tables with rows of so many elements.
    index: RefCell<Option<(usize, Index)>>,
}

/// Groups rows by their codes: row i is in group `codes[i]`, one of `0 … size − 1`. A row with the code `ignored`, or for which the mask is false,
/// is left out, and its code is not checked; for codes of uint64 it is given by its bits. `docs/operators/group_by.md`.
///
/// # Errors
/// `IndexError` for a code that is no group; the others of the page.
///
/// ```
/// use scatterwise::{GroupOptions, GroupStatistic, Tensor, group_by};
/// let codes = Tensor::from_elements(&[5], &[2, 0, 2, 2, 0])?;
/// let groups = group_by(&codes, 3, None, None)?;
/// assert_eq!(groups.counts().elements::<i32>(), Some(&[2, 0, 3][..]));
/// assert_eq!(groups.order()?.elements::<i32>(), Some(&[1, 4, 0, 2, 3][..]));
/// let values = Tensor::from_elements(&[5], &[1.0f32, 2.0, 3.0, 4.0, 6.0])?;
/// let sums = groups.reduce(&values, GroupStatistic::Sum, &GroupOptions::default())?;
/// assert_eq!(sums.elements::<f32>(), Some(&[8.0, 0.0, 8.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn group_by(codes: &Tensor, size: usize, ignored: Option<i64>, mask: Option<&Tensor>) -> Result<Groups> {
    let plan = GroupsPlan::new(codes.operand(), size, mask.map(Tensor::operand))?;
    let is_on_gpu = codes.device() != Device::Cpu;
    if let Some(mask) = mask.filter(|mask| !is_on_gpu && mask.device() != Device::Cpu) {
        dispatch::to_device_of(OP.name(), "mask", mask, codes)?;
    }
    let (codes, ignored) = with_sign(codes, ignored)?;
    let (codes, ignored) = match mask {
        Some(mask) if is_on_gpu => masked(&codes, ignored, mask)?,
        _ => (codes, ignored),
    };
    if ignored.is_none() {
        refuse_known(&plan, &codes)?;
    }
    let mask = mask.filter(|_| !is_on_gpu);
    let (groups, drops, counts) = backend::number(&plan, &codes, mask, ignored)?;
    let integers = |count: usize, storage: Storage| {
        Ok(Tensor::from_storage(Shape::new(OP.name(), &[count])?, DType::Int32, storage))
    };
    let groups = integers(plan.rows, groups)?;
    let index = index_of(&plan, &groups, drops, 1)?;
    let counts = match counts {
        Some(counts) => integers(size, counts)?,
        None => {
            let mut counts =
                dispatch::on_device_of(OP.name(), &groups, Tensor::zeros(&[size, 1], DType::Int32)?)?;
            let target = Target { form: Addressed::Slices(0), index: index.clone() };
            Scatter::new(OP, target, 1.into(), Reduce::Add).run(&mut counts)?;
            counts.reshape(&[size])?
        }
    };
    let offsets = integers(size + 1, backend::offsets(&plan, &counts)?)?;
    Ok(Groups {
        plan,
        groups,
        drops,
        counts,
        offsets,
        order: OnceCell::new(),
        index: RefCell::new(Some((1, index))),
    })
}

/// Codes as int32 or int64, with the same values, and the one that is ignored; those of uint64 beyond int64 become its largest, which is no
/// group either, and an ignored one its least.
fn with_sign(codes: &Tensor, ignored: Option<i64>) -> Result<(Tensor, Option<i64>)> {
    let signed = match codes.dtype {
        DType::Int32 | DType::Int64 => codes.clone(),
        DType::Uint64 => {
            let most = number(OP, i64::MAX, DType::Uint64)?;
            combined(OP, Binary::Minimum, codes, &most)?.convert(OP.name(), DType::Int64)?
        }
        DType::Uint32 => codes.convert(OP.name(), DType::Int64)?,
        _ => codes.convert(OP.name(), DType::Int32)?,
    };
    let large = ignored.filter(|&bits| codes.dtype == DType::Uint64 && bits < 0);
    let Some(bits) = large else { return Ok((signed, ignored)) };
    let large = Scalar::Int((bits as u64).into());
    let large = Tensor::filled(OP.name(), "codes", Shape::scalar(), large, DType::Uint64)?;
    let least = number(OP, i64::MIN, DType::Int64)?;
    Ok((choose(&codes.eq(&large)?, &least, &signed)?, Some(i64::MIN)))
}

/// Codes on a GPU with one that is ignored wherever the mask is false, and that code.
fn masked(codes: &Tensor, ignored: Option<i64>, mask: &Tensor) -> Result<(Tensor, Option<i64>)> {
    let mut codes = codes.convert(OP.name(), DType::Int64)?;
    let ignored = match ignored {
        Some(ignored) => ignored,
        None => {
            // The least number is then the code of no row.
            codes = combined(OP, Binary::Maximum, &codes, &number(OP, i64::MIN + 1, DType::Int64)?)?;
            i64::MIN
        }
    };
    Ok((choose(mask, &codes, &number(OP, ignored, DType::Int64)?)?, Some(ignored)))
}

/// A number as a tensor without dimensions.
fn number(op: Op, value: i64, dtype: DType) -> Result<Tensor> {
    Tensor::filled(op.name(), "values", Shape::scalar(), Scalar::Int(value.into()), dtype)
}

/// A float64 as a tensor without dimensions.
fn float(op: Op, value: f64) -> Result<Tensor> {
    Tensor::filled(op.name(), "values", Shape::scalar(), Scalar::Float(value), DType::Float64)
}

/// Refuses codes on a GPU at once, if the range that an upload has noted has one that is no group.
fn refuse_known(plan: &GroupsPlan, codes: &Tensor) -> Result<()> {
    let Storage::Device(data) = &codes.storage else { return Ok(()) };
    let ends = data.facts().and_then(ValueRanges::ends);
    let size = plan.size as i64;
    let wrong = ends.into_iter().flatten().find(|(code, _)| !(0..size).contains(code));
    wrong.map_or(Ok(()), |(code, row)| Err(plan.places.index_error(row, code)))
}

/// The index of the groups, for tables of groups with rows of `row` elements.
fn index_of(plan: &GroupsPlan, groups: &Tensor, drops: bool, row: usize) -> Result<Index> {
    let places = places(Op::GroupReduce, [plan.size, row], plan.rows)?;
    // SAFETY: `backend::number` has written the number of a group below the size for each row, or −1 if `drops`. On a GPU, in a call that it
    // refuses, a code that is no group became one or −1.
    Ok(unsafe { Index::of_positions(places, &groups.storage, drops) })
}

impl Groups {
    /// How many groups there are.
    pub fn size(&self) -> usize {
        self.plan.size
    }

    /// How many rows there are, with those that are left out.
    pub fn rows(&self) -> usize {
        self.plan.rows
    }

    /// The group of each row, int32; −1 for rows that are left out.
    #[cfg_attr(not(feature = "gradients"), allow(dead_code, reason = "only gradients ask"))]
    pub(crate) fn numbers(&self) -> &Tensor {
        &self.groups
    }

    /// The device of the groups.
    pub fn device(&self) -> Device {
        self.groups.device()
    }

    /// The rows of each group that are not left out, int32.
    pub fn counts(&self) -> &Tensor {
        &self.counts
    }

    /// Where each group begins in [`Groups::order`], and at last where the last one ends, int32.
    pub fn offsets(&self) -> &Tensor {
        &self.offsets
    }

    /// The rows of group 0, then of 1, and so on, each in ascending order, then those that are left out: int32. Made at the first call.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn order(&self) -> Result<&Tensor> {
        if let Some(order) = self.order.get() {
            return Ok(order);
        }
        let made = backend::order(&self.plan, &self.groups, &self.offsets)?;
        let made = Tensor::from_storage(self.groups.shape.clone(), DType::Int32, made);
        Ok(self.order.get_or_init(|| made))
    }

    /// The rows of one group, in ascending order.
    ///
    /// # Errors
    /// `IndexError` for a group that does not exist; `RuntimeError` for groups on a GPU, and when memory is exhausted.
    pub fn members(&self, group: i64) -> Result<&[i32]> {
        const MEMBERS: &str = "Groups.members_sync";
        let (Some(offsets), Some(order)) = (self.offsets.elements::<i32>(), self.order()?.elements::<i32>())
        else {
            let text = "these groups live on webgpu, and rows there can only be read with a wait: await groups.order.data()";
            return Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, MEMBERS, text));
        };
        let size = self.size() as i64;
        if !(0..size).contains(&group) {
            let text = format!("group is {group}; there are {size} groups, from 0 on");
            return Err(Error::new(ErrorClass::Index, ErrorCode::IndexOutOfRange, MEMBERS, text)
                .argument("group")
                .value(FactValue::Int(group))
                .allowed(Allowed::Range(0, size - 1)));
        }
        let at = |place: usize| offsets.get(place).map_or(0, |&offset| offset as usize);
        Ok(order.get(at(group as usize)..at(group as usize + 1)).unwrap_or_default())
    }

    /// For each row how many rows of its group come before it, int32; −1 for rows that are left out.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn cumcount(&self) -> Result<Tensor> {
        if let Some(numbers) = backend::number_within(&self.plan, &self.groups)? {
            return Ok(Tensor::from_storage(self.groups.shape.clone(), DType::Int32, numbers));
        }
        let (op, rows) = (OP.name(), self.rows());
        let on_device = |made: Tensor| dispatch::on_device_of(op, &self.groups, made);
        // The place of each row in the order, less the place of the first row of its group.
        let mut places = on_device(Tensor::zeros(&[rows], DType::Int32)?)?;
        let all = on_device(Tensor::arange(0.0, rows as f64, 1.0, DType::Int32)?)?;
        Scatter::new(Op::IndexCopy, Target::slices(0, self.order()?), (&all).into(), Reduce::Replace)
            .run(&mut places)?;
        let mode = IndexMode { ignored: Some(-1), ..IndexMode::default() };
        let begin = Gather::new(Op::IndexSelect, Target::slices(0, &self.groups));
        let begin = Gather { mode, fill_value: Scalar::Int(i32::MAX.into()), ..begin }.run(&self.offsets)?;
        let numbers = combined(OP, Binary::Subtract, &places, &begin)?;
        combined(OP, Binary::Maximum, &numbers, &number(OP, -1, DType::Int32)?)
    }
}
