//! The one export for operators: each is called by its number and a verb, with its arguments in the block.
//!
//! `scatter`, `gather` and `elementwise` are exports of their own: in these small calls numbers are faster as parameters.

use wasm_bindgen::prelude::*;

use crate::boundary::wire::{RESULTS, RUN, RUN_ARGMAX, TRACE, VJP};
use crate::boundary::{Arguments, Run, attempt, no_operator, operator, set_word};
use crate::plan::{Op, Page};

/// Calls operator number `op`: RUN computes it, RUN_ARGMAX also the argmax of a maximum or minimum, VJP its gradients, and TRACE its
/// steps. Returns the handle of the first result, and puts the number of results into the block; `next_result` returns the others. 0
/// after a failure.
#[wasm_bindgen]
pub fn call(op: u32, verb: u32) -> u32 {
    attempt(|| {
        let op = operator(op)?;
        let run = run_of(op, verb).ok_or_else(no_operator)?;
        set_word(RESULTS, 1);
        run(op, &mut Arguments::default())
    })
}

/// What a verb does for an operator; `None` if this build lacks it.
fn run_of(op: Op, verb: u32) -> Option<Run> {
    match verb {
        RUN => runs(op),
        #[cfg(feature = "groups")]
        RUN_ARGMAX if op == Op::SegmentReduce => Some(crate::groups::boundary::segment_winners),
        #[cfg(feature = "groups")]
        RUN_ARGMAX if op.page() == Page::ScatterReduce => Some(crate::groups::boundary::scatter_argmax),
        #[cfg(feature = "gradients")]
        VJP => crate::gradients::boundary::vjp_of(op),
        #[cfg(feature = "trace")]
        TRACE => crate::trace::boundary::trace_of(op),
        _ => None,
    }
}

fn runs(op: Op) -> Option<Run> {
    Some(match op {
        Op::TakeAlongDim => crate::gather::boundary::take_along_dim,
        Op::Bincount => crate::histograms::boundary::bincount,
        #[cfg(feature = "histograms")]
        Op::Histogram | Op::Histogramdd => crate::histograms::boundary::histogram,
        #[cfg(feature = "histograms")]
        Op::BinCodes => crate::histograms::boundary::bin_codes,
        #[cfg(feature = "histograms")]
        Op::BinnedStatistic => crate::histograms::boundary::binned_statistic,
        #[cfg(feature = "dims")]
        Op::Sum | Op::Prod | Op::Mean | Op::Amax | Op::Amin | Op::Argmax | Op::Argmin => {
            crate::dims::boundary::reduce_dims
        }
        #[cfg(feature = "masks")]
        Op::Flatnonzero | Op::FlatnonzeroSync => crate::masks::boundary::flatnonzero,
        #[cfg(feature = "masks")]
        Op::Compress | Op::CompressSync => crate::masks::boundary::compress,
        #[cfg(feature = "masks")]
        op if matches!(op.page(), Page::Masks | Page::Where) => crate::masks::boundary::run,
        #[cfg(feature = "segments")]
        Op::SegmentReduce => crate::segments::boundary::segment_reduce,
        #[cfg(feature = "sort")]
        Op::Argsort | Op::Sort | Op::Unique | Op::UniqueSync | Op::Searchsorted => crate::sort::boundary::run,
        #[cfg(feature = "groups")]
        Op::ScatterSoftmax | Op::ScatterLogsumexp => crate::groups::boundary::softmax,
        #[cfg(feature = "groups")]
        Op::Spmm => crate::groups::boundary::spmm,
        #[cfg(feature = "group_by")]
        Op::GroupBy => crate::group_by::boundary::group_by,
        #[cfg(feature = "group_by")]
        Op::GroupReduce | Op::GroupAgg => crate::group_by::boundary::reduce,
        #[cfg(feature = "group_by")]
        Op::GroupQuantile => crate::group_by::boundary::quantile,
        _ => return None,
    })
}
