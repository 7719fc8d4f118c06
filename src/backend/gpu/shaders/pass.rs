//! The passes: what each does, the file with its main function, and its parameters.

use crate::backend::gpu::shaders::operands::Operands;
use crate::backend::gpu::shaders::params::{
    ApplyCounted, Atomics, Bins, Block, Columns, Commit, Convert, Density, Digit, DigitScan, DivideByCounts,
    Divisors, Edges, Extent, Gather, Member, Multiply, ProbeWorkgroup, Resolve, Rows, Runs, ScanRuns, Seal,
    Small, Validate, WORKGROUP,
};
use crate::plan::Activation;

/// A pass over index entries or elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Looks for bad index values.
    Validate,
    /// Reads the first bad index value that was found.
    Report,
    /// Looks for divisors that are zero.
    Divisors,
    /// Turns index values into positions, also those out of bounds.
    Resolve,
    /// Scatters, one thread per column.
    Columns,
    /// Scatters by atomic operations.
    Atomics,
    /// The same for rows of one element, four entries to a thread.
    AtomicsQuads,
    /// The same for rows of 16, 24, 32, … elements, where entries are in one loop.
    AtomicsRows,
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
    /// Combines, for each of the sorted entries, those before it that name its row, or those behind it.
    ScanRuns,
    /// Gathers, one thread per element or larger unit.
    Gather,
    /// Gathers elements that share words, one thread per word.
    GatherPacked,
    /// Gathers elements of one word, four to a thread.
    GatherQuads,
    /// Multiplies with broadcasting, in integers, then applies an activation.
    Multiply(Option<Activation>, Operands),
    /// The same for float32, by the adapter.
    MultiplyNative(Option<Activation>, Operands),
    /// Multiplies float32 with broadcasting: by the adapter where that is sure to be right, else in integers.
    MultiplyGuarded(Operands),
    /// Finds the smallest and the largest sample of a column.
    Extent,
    /// Makes the edges of bins of equal width between them.
    Edges,
    /// Finds the bins of samples: counts the samples in each, or writes down the place of each sample.
    Bins,
    /// Divides counts by the widths of bins and by their sum.
    Density,
    /// Converts between any two dtypes.
    Convert,
    /// Tries barriers, atomic operations and long loops.
    ProbeWorkgroup,
    /// Ends a batch.
    Seal,
}

impl Pass {
    /// Threads of a workgroup, as its shader declares it.
    pub(crate) fn workgroup(self) -> u32 {
        match self {
            // There are often few columns, which smaller workgroups spread over more cores.
            Self::Columns => 64,
            _ => WORKGROUP,
        }
    }

    /// The file of `shaders/` with its main function.
    pub(crate) fn file(self) -> File {
        match self {
            Self::Validate => File::of::<Validate>("validate"),
            Self::Report => File::of::<Validate>("report"),
            Self::Divisors => File::of::<Divisors>("divisors"),
            Self::Resolve => File::of::<Resolve>("resolve"),
            Self::Columns => File::of::<Columns>("columns"),
            Self::Atomics => File::of::<Atomics>("atomics"),
            Self::AtomicsQuads => File::of::<Atomics>("atomics_quads"),
            Self::AtomicsRows => File::of::<Atomics>("atomics_rows"),
            Self::Mark => File::of::<Rows>("mark"),
            Self::Choose => File::of::<Rows>("choose"),
            Self::Commit => File::of::<Commit>("commit"),
            Self::Small => File::of::<Small>("small"),
            Self::Count => File::of::<Rows>("count"),
            Self::ApplyCounted => File::of::<ApplyCounted>("apply_counted"),
            Self::DivideByCounts => File::of::<DivideByCounts>("divide_by_counts"),
            Self::Normalise => File::of::<Rows>("normalise"),
            Self::DigitCount => File::of::<Digit>("digit_count"),
            Self::DigitScan => File::of::<DigitScan>("digit_scan"),
            Self::DigitScatter => File::of::<Digit>("digit_scatter"),
            Self::RunPerThread => File::of::<Runs>("run_per_thread"),
            Self::RowPerGroup => File::of::<Runs>("row_per_group"),
            Self::ScanRuns => File::of::<ScanRuns>("scan_runs"),
            Self::Gather => File::of::<Gather>("gather"),
            Self::GatherPacked => File::of::<Gather>("gather_packed"),
            Self::GatherQuads => File::of::<Gather>("gather_quads"),
            Self::Multiply(..) | Self::MultiplyNative(..) => File::of::<Multiply>("elementwise"),
            Self::MultiplyGuarded(_) => File::of::<Multiply>("guarded"),
            Self::Extent => File::of::<Extent>("extent"),
            Self::Edges => File::of::<Edges>("edges"),
            Self::Bins => File::of::<Bins>("bins"),
            Self::Density => File::of::<Density>("density"),
            Self::Convert => File::of::<Convert>("convert"),
            Self::ProbeWorkgroup => File::of::<ProbeWorkgroup>("workgroup"),
            Self::Seal => File::of::<Seal>("seal"),
        }
    }

    /// A flag that its files ask for, and the variant of a multiply.
    pub(super) fn variant(self) -> (&'static str, Option<(Option<Activation>, Operands)>) {
        match self {
            Self::Atomics | Self::AtomicsQuads | Self::AtomicsRows => ("ATOMIC", None),
            Self::Multiply(act, operands) => ("", Some((act, operands))),
            Self::MultiplyNative(act, operands) => ("NATIVE", Some((act, operands))),
            Self::MultiplyGuarded(operands) => ("", Some((None, operands))),
            _ => ("", None),
        }
    }
}

/// A file of `shaders/` with a main function.
pub(crate) struct File {
    /// Its name, without the folder and the ending.
    pub(super) name: &'static str,
    /// The members of its `Params`. A release does without.
    pub(crate) params: &'static [Member],
}

impl File {
    /// A file whose parameters are `B`.
    fn of<B: Block>(name: &'static str) -> Self {
        Self { name, params: if cfg!(any(test, debug_assertions)) { B::MEMBERS } else { &[] } }
    }
}
