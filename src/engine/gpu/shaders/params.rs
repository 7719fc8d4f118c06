//! The uniform block of each pass: a struct here and a `struct Params` in its shader, both with the same head first. The shader
//! describes each member. A test compares the members of both by name, offset and size.

#[macro_use]
pub(crate) mod parts;

use crate::dtype::DType;
pub(crate) use crate::engine::gpu::shaders::params::parts::{
    Column, Described, Entries, FloatBits, Format, Head, Ignored, IndexFormat, KeyFormat, Member,
    OperandLoop, Tile, Update, sign_of,
};
use crate::plan::rules::MOST_ENTRIES;
use crate::shape::MAX_OP_RANK;

/// Most rounds of loops per thread in one dispatch. Correctness needs this limit: the system's watchdog kills a dispatch that runs for
/// seconds. Mesa's llvmpipe leaves all loops of a thread after some 32,000 rounds without an error, inner loops included (65,535 in its
/// source, where a round counts twice). Dispatches run in order, so longer work takes several.
pub(crate) const ROUNDS: usize = 1 << 14;

/// Alignment of blocks in bytes: the strictest that WebGPU allows an adapter to require.
pub(crate) const BLOCK_ALIGNMENT: usize = 256;
/// Bytes that are bound as a block: no block is longer.
pub(crate) const BLOCK_BYTES: usize = 512;
/// Most threads of a pass. Thread numbers have 32 bits. The grid rounds the threads up by fewer workgroups than a row has, and than a
/// column has. Of 2^24 workgroups that is at most the square root, 2^12, of 256 threads each: fewer than 2^21 threads.
pub(crate) const MOST_THREADS: u64 = (1 << 32) - (1 << 21);
const _: () = assert!(MOST_ENTRIES <= MOST_THREADS, "passes have a thread for each entry");
/// Most bytes, and so elements, that a pass can bind: index values are signed 32-bit numbers.
pub(crate) const MOST_BYTES: u64 = (1 << 31) - 16;
/// Threads per workgroup in almost all shaders: see `Pass::workgroup`.
pub(crate) const WORKGROUP: u32 = 256;
/// The status slot of passes without a fault to report or to check. For it, `failed` is false. Its second word is the count of finished
/// work.
pub(crate) const NEVER_FAILS: u32 = 0;

/// The parameters of a pass. In its block a [`Head`] comes first.
pub(crate) trait Block: Described + bytemuck::Pod {}

/// Declares the parameters of passes.
macro_rules! blocks {
    ($($(#[$about:meta])* struct $name:ident { $($body:tt)* })*) => {$(
        described! { $(#[$about])* struct $name { $($body)* } }

        impl Block for $name {}

        const _: () = assert!(size_of::<Head>() + size_of::<$name>() <= BLOCK_BYTES);
    )*};
}

blocks! {
    /// `workgroup.wgsl`.
    struct ProbeWorkgroup {
        rounds: u32,
    }

    /// `seal.wgsl`.
    struct Seal {}

    /// `validate.wgsl`.
    struct Validate {
        index: IndexFormat,
        ignored: Ignored,
        counts_from_end: u32,
    }

    /// `divisors.wgsl`.
    struct Divisors {}

    /// `resolve.wgsl`.
    struct Resolve {
        index: IndexFormat,
        ignored: Ignored,
        mode: u32,
    }

    /// `divide_by_counts.wgsl`.
    struct DivideByCounts {
        row: u32,
        other_terms: u32,
    }

    /// `mark.wgsl`, `mark_quads.wgsl`, `commit.wgsl`, `commit_quads.wgsl`, `normalise.wgsl`: the table is counted in rows.
    struct Rows {
        index: IndexFormat,
        entries: Entries,
        entry_count: u32,
    }

    /// `columns.wgsl`.
    struct Columns {
        index: IndexFormat,
        entries: Entries,
        update: Update,
        begin: u32,
        end: u32,
        value_stride: u32,
        entry_stride: u32,
    }

    /// `atomics.wgsl`, `atomics_quads.wgsl`, `atomics_rows.wgsl`.
    struct Atomics {
        index: IndexFormat,
        entries: Entries,
        update: Update,
        entry_count: u32,
        span: u32,
    }

    /// The same passes for exact sums.
    struct ExactAdd {
        index: IndexFormat,
        entries: Entries,
        update: Update,
        entry_count: u32,
        span: u32,
        unused_0: u32,
        unused_1: u32,
        tile: Tile,
    }

    /// `exact_begin.wgsl`, `exact_merge.wgsl`, `exact_counts.wgsl`.
    struct ExactTile {
        tile: Tile,
    }

    /// `exact_end.wgsl`.
    struct ExactEnd {
        tile: Tile,
        is_mean: u32,
        counts: u32,
        row: u32,
        other_terms: u32,
    }

    /// `exact_slots.wgsl`.
    struct ExactSlots {
        entry_count: u32,
    }

    /// `settle_keys.wgsl`.
    struct SettleKeys {}

    /// `settle_factors.wgsl`.
    struct SettleFactors {
        len: u32,
    }

    /// `small.wgsl`.
    struct Small {
        index: IndexFormat,
        entries: Entries,
        update: Update,
        entry_count: u32,
    }

    /// `run_per_thread.wgsl`, `row_per_group.wgsl`: passes that apply sorted entries.
    struct Runs {
        entries: Entries,
        update: Update,
        begin: u32,
        most: u32,
        entry_count: u32,
    }

    /// `sparse_entries.wgsl`.
    struct SparseEntries {
        index: IndexFormat,
        rows: u32,
        entry_count: u32,
        has_values: u32,
    }

    /// `sparse_rows.wgsl`.
    struct SparseRows {
        neutral: [u32; 2],
        is_neutral: u32,
        row: u32,
        rows: u32,
        entry_count: u32,
        has_values: u32,
        begin: u32,
        most: u32,
        elements: u32,
        each: u32,
    }

    /// `scan_runs.wgsl`.
    struct ScanRuns {
        entries: Entries,
        neutral: [u32; 2],
        begin: u32,
        most: u32,
        entry_count: u32,
        is_backward: u32,
    }

    /// `apply_counted.wgsl`.
    struct ApplyCounted {
        update: Update,
        row: u32,
        begin: u32,
        most: u32,
    }

    /// `digit_count.wgsl`, `digit_scatter.wgsl`.
    struct Digit {
        bit: u32,
        entry_count: u32,
        is_first: u32,
    }

    /// `digit_scan.wgsl`.
    struct DigitScan {
        count: u32,
    }

    /// `sort_keys.wgsl`.
    struct SortKeys {
        format: KeyFormat,
        entry_count: u32,
        word: u32,
        is_first: u32,
        len: u32,
        after: u32,
    }

    /// `sort_places.wgsl`.
    struct SortPlaces {
        len: u32,
        after: u32,
    }

    /// `group_ranks.wgsl`.
    struct GroupRanks {
        format: KeyFormat,
        entry_count: u32,
    }

    /// `group_ends.wgsl`.
    struct GroupEnds {
        entry_count: u32,
        result: u32,
    }

    /// `search.wgsl`, `search_check.wgsl`.
    struct Search {
        edge: Format,
        element: Format,
        edge_count: u32,
        step: u32,
        is_right: u32,
        is_report: u32,
    }

    /// `gather.wgsl`, `gather_packed.wgsl`, `gather_quads.wgsl`.
    struct Gather {
        index: IndexFormat,
        entries: Entries,
        fill: [u32; 2],
        len: u32,
    }

    /// `elementwise.wgsl`, `guarded.wgsl`.
    struct Elementwise {
        loops: [OperandLoop; MAX_OP_RANK],
        outermost: u32,
        len: u32,
        x_is_whole: u32,
        quads: u32,
        step: [u32; 3],
        unused: u32,
    }

    /// `extent.wgsl`.
    struct Extent {
        count: u32,
        first: u32,
        stride: u32,
        is_first: u32,
        element_bits: u32,
        flip: u32,
        has_mask: u32,
        one: u32,
    }

    /// `edges.wgsl`.
    struct Edges {
        bins: u32,
        exponent_bits: u32,
        fraction_bits: u32,
        must_rise: u32,
        column: u32,
    }

    /// `density.wgsl`.
    struct Density {
        exponent_bits: u32,
        fraction_bits: u32,
        bins: u32,
    }

    /// `bins.wgsl`.
    struct Bins {
        columns: [Column; MAX_OP_RANK],
        column_count: u32,
        outside: u32,
        is_counting: u32,
        flip: u32,
    }

    /// `limits.wgsl`.
    struct Limits {
        columns: [Column; MAX_OP_RANK],
        sample: Format,
        double: Format,
        column_count: u32,
        flip: u32,
    }

    /// `tally.wgsl`.
    struct Tally {
        sign: u32,
        places: u32,
        len: u32,
        is_counting: u32,
        writes: u32,
        top: u32,
        has_mask: u32,
    }

    /// `select_places.wgsl`.
    struct SelectPlaces {
        outside: u32,
        has_mask: u32,
        len: u32,
        stride: u32,
    }

    /// `tally_report.wgsl`.
    struct TallyReport {
        sign: u32,
    }

    /// `check_edges.wgsl`.
    struct CheckEdges {
        limits_whole: u32,
        is_report: u32,
    }

    /// `segment_ends.wgsl`.
    struct SegmentEnds {
        words: u32,
        rows: u32,
        is_first: u32,
        skip: u32,
        terms: u32,
        distance: u32,
    }

    /// `segment_check.wgsl`.
    struct SegmentCheck {
        words: u32,
        rows: u32,
        segments: u32,
        is_offsets: u32,
        is_report: u32,
    }

    /// `segment_numbers.wgsl`.
    struct SegmentNumbers {
        segments: u32,
        step: u32,
    }

    /// `find_winners.wgsl`.
    struct FindWinners {
        index: IndexFormat,
        entries: Entries,
        update: Update,
        bits: FloatBits,
        inside: u32,
        rounds: u32,
        unused_0: u32,
        unused_1: u32,
    }

    /// `settle_winners.wgsl`.
    struct SettleWinners {
        bits: FloatBits,
        include_self: u32,
        unused_0: u32,
        unused_1: u32,
        unused_2: u32,
    }

    /// `reduce.wgsl`, `find.wgsl`.
    struct Dims {
        kept: [[u32; 2]; MAX_OP_RANK],
        reduced: [[u32; 2]; MAX_OP_RANK],
        bits: FloatBits,
        kept_count: u32,
        reduced_count: u32,
        columns: u32,
        terms: u32,
        parts: u32,
        by_columns: u32,
    }

    /// `convert.wgsl`.
    struct Convert {
        from_format: Format,
        to_format: Format,
        len: u32,
    }

    /// `convert_quads.wgsl`.
    struct ConvertQuads {
        sign: u32,
        is_signed: u32,
        most: u32,
        least: u32,
        quads: u32,
        len: u32,
    }
}

// All numbers below fit in 32 bits: a device buffer has fewer than 2³² elements.

impl ConvertQuads {
    /// For the conversion of `len` elements.
    pub(crate) fn new(from: DType, to: DType, len: usize) -> Self {
        let (least, most) = to.int_range().unwrap_or_default();
        Self {
            sign: sign_of(from),
            is_signed: from.is_signed_integer().into(),
            most: most as u32,
            least: least.unsigned_abs() as u32,
            quads: len.div_ceil(4) as u32,
            len: len as u32,
        }
    }
}
