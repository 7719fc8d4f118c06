//! `group_by` and the statistics of its groups, by their arguments.

use std::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::boundary::table::groups;
use crate::boundary::wire::{DEVICE, RESULTS, UPDATES};
use crate::boundary::{Arguments, attempt, keep_all, set_span, set_word, table};
use crate::group_by::Groups;
use crate::group_by::plan::GroupStatistic;
use crate::group_by::statistics::GroupOptions;
use crate::plan::Op;
use crate::{Result, Tensor};

/// The groups of codes. Returns their handle, and puts the number of their rows and their device into the block.
pub(crate) fn group_by(_op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (codes, size) = (arguments.tensor()?, arguments.number() as usize);
    let (ignored, mask) = (arguments.mode().ignored, arguments.optional_tensor()?);
    // Groups outlive the call, and a GPUBuffer of the caller's belongs to one tensor only.
    let codes = Tensor { storage: codes.storage.owned("group_by")?, ..codes };
    let made = crate::group_by::group_by(&codes, size, ignored, mask.as_ref())?;
    set_word(UPDATES, made.rows() as u32);
    set_word(DEVICE, made.device() as u32);
    groups::keep_groups(made)
}

/// A call of `Groups.reduce` or `Groups.agg`: the groups, the values, the statistics and the options.
pub(crate) type StatisticsCall = (Rc<Groups>, Tensor, Vec<GroupStatistic>, GroupOptions);

pub(crate) fn read_statistics(arguments: &mut Arguments) -> Result<StatisticsCall> {
    let groups = groups::groups(arguments.word())?;
    let values = arguments.tensor()?;
    let mut statistics = Vec::new();
    for _ in 0..arguments.word().min(GroupStatistic::ALL.len() as u32) {
        statistics.extend(GroupStatistic::ALL.get(arguments.word() as usize).copied());
    }
    let skip_nan = arguments.flag();
    let (empty, dtype, ddof) = (arguments.scalar(), arguments.dtype(), Some(arguments.integer()));
    Ok((groups, values, statistics, GroupOptions { skip_nan, empty, dtype, ddof }))
}

/// One statistic, or several of `Groups.agg`.
pub(crate) fn reduce(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (groups, values, statistics, options) = read_statistics(arguments)?;
    let mut made = groups.statistics(op, &values, &statistics, &options)?;
    if made.is_empty() {
        set_word(RESULTS, 0);
        return Ok(0);
    }
    let rest = made.split_off(1);
    made.pop().map_or(Ok(0), |first| keep_all(first, rest))
}

/// Quantiles: of one q without a dimension of its own.
pub(crate) fn quantile(_op: Op, arguments: &mut Arguments) -> Result<u32> {
    let groups = groups::groups(arguments.word())?;
    let (values, skip_nan, is_one) = (arguments.tensor()?, arguments.flag(), arguments.flag());
    let q = arguments.tensor()?;
    let made = groups.quantile(&values, q.elements().unwrap_or_default(), skip_nan)?;
    let dims = made.shape().dims();
    table::keep(if is_one { made.reshape(dims.get(1..).unwrap_or_default())? } else { made })
}

/// A part of groups: 0 the counts, 1 the offsets, 2 the order, 3 the number of each row within its group.
#[wasm_bindgen]
pub fn groups_part(handle: u32, part: u32) -> u32 {
    attempt(|| {
        let groups = groups::groups(handle)?;
        table::keep(match part {
            0 => groups.counts().clone(),
            1 => groups.offsets().clone(),
            2 => groups.order()?.clone(),
            _ => groups.cumcount()?,
        })
    })
}

/// Puts the address of the rows of a group into the block. They stay there until the next call. Returns whether it succeeded.
#[wasm_bindgen]
pub fn groups_members(handle: u32, group: f64) -> bool {
    attempt(|| {
        set_span(groups::groups(handle)?.members(group as i64)?);
        Ok(true)
    })
}
