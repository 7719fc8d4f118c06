//! The passes: what each does, its main function, and its parameters.

#[cfg(any(test, debug_assertions))]
use std::any::TypeId;

#[cfg(any(test, debug_assertions))]
use crate::backend::gpu::params;
use crate::backend::gpu::params::WORKGROUP;
use crate::backend::gpu::{Act, QuadAccess};

/// A pass over index entries or elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Looks for bad index values.
    Validate,
    /// Looks for divisors that are zero.
    Divisors,
    /// Turns index values into positions, also those out of bounds.
    Resolve,
    /// Scatters, one thread per column.
    Columns,
    /// Scatters by atomic operations.
    Atomics,
    /// The same, four entries to a thread.
    AtomicsQuads,
    /// Finds the number of the last entry that names each row.
    Mark,
    /// Drops the entries that are not the last ones.
    Choose,
    /// Moves the rows of the chosen entries.
    Commit,
    /// Scatters few entries in one dispatch.
    Small,
    /// Counts the entries that name each row.
    Count,
    /// Applies a scalar as often as each row was counted.
    ApplyCounted,
    /// Divides each row by the number of its terms.
    DivideByCounts,
    /// Finds the row of each entry.
    Normalise,
    /// Counts the digits of each tile of rows.
    DigitCount,
    /// Turns counts into positions.
    DigitScan,
    /// Moves rows and entries to the position of their digit.
    DigitScatter,
    /// Applies sorted entries, a thread to each run.
    RunPerThread,
    /// Applies sorted entries, a workgroup to each row.
    RowPerGroup,
    /// Combines sorted entries with those before them.
    ScanRuns,
    /// Gathers, one thread per element or larger unit.
    Gather,
    /// Gathers elements that share words, one thread per word.
    GatherPacked,
    /// Gathers elements of one word, four to a thread.
    GatherQuads,
    /// Multiplies with broadcasting, then applies an activation.
    Multiply(Act, QuadAccess),
    /// Multiplies float32 with broadcasting: by the adapter where that is sure to be right, else in integers.
    MultiplyGuarded(QuadAccess),
    /// Finds the smallest and the largest sample of a column.
    Extent,
    /// Makes the edges of bins of equal width between them.
    Edges,
    /// Finds the bins of samples, and counts them.
    Bins,
    /// Divides counts by the widths of bins and by their sum.
    Density,
    /// Converts between any two dtypes.
    Convert,
    /// Tries the adapter's float32 arithmetic.
    Probe,
    /// Tries barriers, atomic operations and long loops.
    ProbeWorkgroup,
    /// Ends a batch.
    Seal,
}

impl Pass {
    /// Threads of a workgroup, as its shader declares it.
    pub(super) fn workgroup(self) -> u32 {
        match self {
            Self::Columns => 64,
            _ => WORKGROUP,
        }
    }

    /// The type of its parameters, which are the `Params` of its shader.
    #[cfg(any(test, debug_assertions))]
    pub(super) fn block(self) -> BlockType {
        match self {
            Self::Validate => BlockType::of::<params::Validate>(),
            Self::Divisors => BlockType::of::<params::Divisors>(),
            Self::Resolve => BlockType::of::<params::Resolve>(),
            Self::Columns => BlockType::of::<params::Columns>(),
            Self::Atomics | Self::AtomicsQuads => BlockType::of::<params::Atomics>(),
            Self::Mark | Self::Choose | Self::Count | Self::Normalise => BlockType::of::<params::Rows>(),
            Self::Commit => BlockType::of::<params::Commit>(),
            Self::Small => BlockType::of::<params::Small>(),
            Self::ApplyCounted => BlockType::of::<params::ApplyCounted>(),
            Self::DivideByCounts => BlockType::of::<params::DivideByCounts>(),
            Self::DigitCount | Self::DigitScatter => BlockType::of::<params::Digit>(),
            Self::DigitScan => BlockType::of::<params::DigitScan>(),
            Self::RunPerThread | Self::RowPerGroup => BlockType::of::<params::Runs>(),
            Self::ScanRuns => BlockType::of::<params::ScanRuns>(),
            Self::Gather | Self::GatherPacked | Self::GatherQuads => BlockType::of::<params::Gather>(),
            Self::Multiply(..) | Self::MultiplyGuarded(_) => BlockType::of::<params::Multiply>(),
            Self::Extent => BlockType::of::<params::Extent>(),
            Self::Edges => BlockType::of::<params::Edges>(),
            Self::Bins => BlockType::of::<params::Bins>(),
            Self::Density => BlockType::of::<params::Density>(),
            Self::Convert => BlockType::of::<params::Convert>(),
            Self::Probe => BlockType::of::<params::Probe>(),
            Self::ProbeWorkgroup => BlockType::of::<params::ProbeWorkgroup>(),
            Self::Seal => BlockType::of::<params::Seal>(),
        }
    }

    /// The part with the main function.
    pub(super) fn main_part(self) -> &'static str {
        match self {
            Self::Validate => shader!("index/validate.wgsl"),
            Self::Divisors => shader!("index/divisors.wgsl"),
            Self::Resolve => shader!("index/resolve.wgsl"),
            Self::Columns => shader!("index/columns.wgsl"),
            Self::Atomics => shader!("index/atomics.wgsl"),
            Self::AtomicsQuads => shader!("index/atomics_quads.wgsl"),
            Self::Mark => shader!("index/mark.wgsl"),
            Self::Choose => shader!("index/choose.wgsl"),
            Self::Commit => shader!("index/commit.wgsl"),
            Self::Small => shader!("index/small.wgsl"),
            Self::Count => shader!("index/count.wgsl"),
            Self::ApplyCounted => shader!("index/apply_counted.wgsl"),
            Self::DivideByCounts => shader!("index/divide_by_counts.wgsl"),
            Self::Normalise => shader!("index/normalise.wgsl"),
            Self::DigitCount => shader!("sort/digit_count.wgsl"),
            Self::DigitScan => shader!("sort/digit_scan.wgsl"),
            Self::DigitScatter => shader!("sort/digit_scatter.wgsl"),
            Self::RunPerThread => shader!("index/run_per_thread.wgsl"),
            Self::RowPerGroup => shader!("index/row_per_group.wgsl"),
            Self::ScanRuns => shader!("index/scan_runs.wgsl"),
            Self::Gather => shader!("index/gather.wgsl"),
            Self::GatherPacked => shader!("index/gather_packed.wgsl"),
            Self::GatherQuads => shader!("index/gather_quads.wgsl"),
            Self::Multiply(..) => shader!("broadcast/multiply.wgsl"),
            Self::MultiplyGuarded(_) => shader!("broadcast/guarded.wgsl"),
            Self::Extent => shader!("histogram/extent.wgsl"),
            Self::Edges => shader!("histogram/edges.wgsl"),
            Self::Bins => shader!("histogram/bins.wgsl"),
            Self::Density => shader!("histogram/density.wgsl"),
            Self::Convert => shader!("convert/convert.wgsl"),
            Self::Probe => shader!("probe/probe.wgsl"),
            Self::ProbeWorkgroup => shader!("probe/workgroup.wgsl"),
            Self::Seal => shader!("lib/seal.wgsl"),
        }
    }

    /// The parts that go with members which several passes have in their parameters.
    pub(super) fn shared_parts(self) -> &'static [&'static str] {
        const ENTRIES: &str = shader!("lib/entries.wgsl");
        const INDEX: &str = shader!("lib/index.wgsl");
        const UPDATE: &str = shader!("lib/update.wgsl");
        const QUADS: &str = shader!("lib/quads.wgsl");
        const RUNS: &str = shader!("lib/runs.wgsl");
        match self {
            Self::Validate | Self::Resolve => &[INDEX],
            Self::Mark | Self::Choose | Self::Count | Self::Normalise => &[INDEX, ENTRIES],
            Self::Gather | Self::GatherPacked => &[INDEX, ENTRIES],
            Self::GatherQuads => &[INDEX, ENTRIES, QUADS],
            Self::AtomicsQuads => &[INDEX, ENTRIES, UPDATE, QUADS],
            Self::Columns | Self::Atomics | Self::Small => &[INDEX, ENTRIES, UPDATE],
            Self::RunPerThread => &[ENTRIES, UPDATE, RUNS],
            Self::RowPerGroup => &[ENTRIES, UPDATE],
            Self::ScanRuns => &[ENTRIES, RUNS],
            Self::Commit => &[ENTRIES],
            Self::ApplyCounted => &[UPDATE],
            Self::DigitCount | Self::DigitScan | Self::DigitScatter => &[],
            Self::Divisors | Self::DivideByCounts => &[],
            Self::Multiply(..) | Self::MultiplyGuarded(_) => &[],
            Self::Extent | Self::Edges | Self::Bins | Self::Density | Self::Convert => &[],
            Self::Probe | Self::ProbeWorkgroup | Self::Seal => &[],
        }
    }
}

/// The type of a block.
#[cfg(any(test, debug_assertions))]
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockType {
    id: TypeId,
    #[cfg(all(test, not(target_arch = "wasm32")))]
    pub(super) members: &'static [params::Member],
}

#[cfg(any(test, debug_assertions))]
impl BlockType {
    pub(super) fn of<B: params::Block>() -> Self {
        Self {
            id: TypeId::of::<B>(),
            #[cfg(all(test, not(target_arch = "wasm32")))]
            members: B::MEMBERS,
        }
    }
}

#[cfg(any(test, debug_assertions))]
impl PartialEq for BlockType {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}
