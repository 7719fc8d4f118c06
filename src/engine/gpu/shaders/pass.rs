//! The passes: the purpose of each, the file with its main function, and its parameters.

use crate::engine::gpu::shaders::arithmetic::Arithmetic;
use crate::engine::gpu::shaders::layout::{Layout, Samples};
use crate::engine::gpu::shaders::operands::Operands;
use crate::engine::gpu::shaders::params::parts::Member;
use crate::engine::gpu::shaders::params::{
    ApplyCounted, Atomics, Bins, Block, CheckEdges, Columns, Convert, ConvertQuads, Density, Digit,
    DigitScan, Dims, DivideByCounts, Divisors, Edges, Elementwise, ExactAdd, ExactEnd, ExactSlots, ExactTile,
    Extent, FindWinners, Gather, GroupEnds, GroupRanks, Limits, ProbeWorkgroup, Resolve, Rows, Runs,
    ScanRuns, Seal, Search, SegmentCheck, SegmentEnds, SegmentNumbers, SelectPlaces, SettleFactors,
    SettleKeys, SettleWinners, Small, SortKeys, SortPlaces, SparseEntries, SparseRows, Tally, TallyReport,
    Validate, WORKGROUP,
};
use crate::plan::activation::Activation;
use crate::plan::binary::{Binary, Rounding};

/// A pass over index entries or elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Looks for bad index values.
    Validate,
    /// Reads the first bad index value.
    Report,
    /// Looks for divisors that are zero.
    Divisors,
    /// Turns index values into positions, also values out of bounds.
    Resolve,
    /// Scatters, one thread per column.
    Columns,
    /// Scatters by atomic operations.
    Atomics(Apply),
    /// The same for rows of one element, four entries to a thread.
    AtomicsQuads(Apply),
    /// The same for rows of 16, 24, 32, … elements of one word, where entries are in one loop.
    AtomicsRows(Apply),
    /// The same three for terms of exact sums.
    ExactAdd,
    /// See [`Pass::AtomicsQuads`].
    ExactAddQuads,
    /// See [`Pass::AtomicsRows`].
    ExactAddRows,
    /// Adds the elements of a table to the exact sums of their places.
    ExactBegin,
    /// Adds exact sums to others.
    ExactMerge,
    /// Rounds exact sums, or their means.
    ExactEnd,
    /// Writes the counts of exact sums as int64.
    ExactCounts,
    /// Numbers the rows that few entries name.
    ExactSlots,
    /// Combines the table with the winners that keys stand for.
    SettleKeys,
    /// Multiplies the table by factors that were left over.
    SettleFactors,
    /// Finds the first update that has the bits of its place.
    FindWinners,
    /// Turns the winners into positions, where self did not win.
    SettleWinners,
    /// Finds the number of the last entry that names each row.
    Mark,
    /// The same, four entries to a thread.
    MarkQuads,
    /// Moves the rows of the last entries.
    Commit,
    /// The same for rows of one element, four entries to a thread.
    CommitQuads,
    /// Scatters few entries in one dispatch.
    Small,
    /// Counts the entries that name each row.
    Count,
    /// The same, four entries to a thread.
    CountQuads,
    /// Applies a scalar to each row as often as the row was counted.
    ApplyCounted,
    /// Divides each row by the number of its terms.
    DivideByCounts,
    /// Finds the row of each entry, `DROPPED` if the entry is left out.
    Normalise,
    /// Counts the digits of each tile of rows.
    DigitCount,
    /// Turns counts into positions.
    DigitScan,
    /// Moves rows and entries to the position of their digit.
    DigitScatter,
    /// Turns a word of the keys of elements, or the numbers of their rows, into rows for the sort.
    SortKeys,
    /// Turns sorted entries into positions along a dimension.
    SortPlaces,
    /// Numbers the groups of equal elements in a sorted row, within each tile.
    GroupRanks,
    /// Writes one of the results of `unique`.
    GroupEnds,
    /// Searches elements in sorted edges.
    Search,
    /// Looks for edges that are not sorted.
    SearchCheck,
    /// Applies sorted entries, a thread to each run.
    RunPerThread,
    /// Applies sorted entries, a workgroup to each row.
    RowPerGroup,
    /// For each sorted entry, combines the entries of its row before it, or those after it.
    ScanRuns,
    /// Puts the entries of a sparse matrix into the order of its rows.
    SparseEntries,
    /// Multiplies a sparse matrix and a dense one, a thread to each element of the result.
    SparseRows(Arithmetic),
    /// Gathers, one thread per element or larger unit.
    Gather,
    /// Gathers elements that share words, one thread per word.
    GatherPacked,
    /// Gathers elements of one word, four to a thread.
    GatherQuads,
    /// Combines two tensors with broadcasting, in integers, then applies an activation.
    Elementwise(Binary, Option<Activation>, Operands),
    /// Multiplies float32 with broadcasting, by the adapter, then applies an activation.
    MultiplyNative(Option<Activation>, Operands),
    /// Multiplies float32 with broadcasting: by the adapter if the result is certainly right, else in integers.
    MultiplyGuarded(Operands),
    /// Finds the smallest and the largest sample of a column.
    Extent(Samples),
    /// Computes edges of bins of equal width between these two.
    Edges,
    /// Turns edges into limits that samples are compared with.
    Limits(Samples),
    /// Finds the bins of samples: counts the samples per bin, or writes the place of each sample. The flag says that there is one column.
    Bins(Samples, bool),
    /// Counts integers themselves.
    Tally(Layout),
    /// Reads the first integer without a place.
    TallyReport(Layout),
    /// Applies a mask to places, and turns places in a group into places in all groups.
    SelectPlaces,
    /// Looks for given edges that are wrong.
    CheckEdges,
    /// Finds the ends of segments.
    SegmentEnds,
    /// Looks for offsets or lengths that are wrong.
    SegmentCheck,
    /// Finds the segment of each row.
    SegmentNumbers,
    /// Divides counts by the widths of bins and by their sum.
    Density,
    /// Combines parts of the terms of each element of a reduction along dimensions.
    ReduceDims,
    /// Finds the first term that equals the largest or smallest one.
    Find,
    /// Converts between any two dtypes.
    Convert,
    /// Converts between two layouts, four elements to a thread.
    ConvertQuads([Layout; 2]),
    /// Tries barriers, atomic operations and long loops.
    ProbeWorkgroup,
    /// Ends a batch.
    Seal,
}

impl Pass {
    /// Threads of a workgroup, as its shader declares it.
    pub(crate) fn workgroup(self) -> u32 {
        match self {
            // Columns are often few. Smaller workgroups spread them over more cores.
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
            Self::Atomics(_) => File::of::<Atomics>("atomics"),
            Self::AtomicsQuads(_) => File::of::<Atomics>("atomics_quads"),
            Self::AtomicsRows(_) => File::of::<Atomics>("atomics_rows"),
            Self::ExactAdd => File::of::<ExactAdd>("atomics"),
            Self::ExactAddQuads => File::of::<ExactAdd>("atomics_quads"),
            Self::ExactAddRows => File::of::<ExactAdd>("atomics_rows"),
            Self::ExactBegin => File::of::<ExactTile>("exact_begin"),
            Self::ExactMerge => File::of::<ExactTile>("exact_merge"),
            Self::ExactEnd => File::of::<ExactEnd>("exact_end"),
            Self::ExactCounts => File::of::<ExactTile>("exact_counts"),
            Self::ExactSlots => File::of::<ExactSlots>("exact_slots"),
            Self::SettleKeys => File::of::<SettleKeys>("settle_keys"),
            Self::SettleFactors => File::of::<SettleFactors>("settle_factors"),
            Self::FindWinners => File::of::<FindWinners>("find_winners"),
            Self::SettleWinners => File::of::<SettleWinners>("settle_winners"),
            Self::Mark => File::of::<Rows>("mark"),
            Self::MarkQuads => File::of::<Rows>("mark_quads"),
            Self::Commit => File::of::<Rows>("commit"),
            Self::CommitQuads => File::of::<Rows>("commit_quads"),
            Self::Small => File::of::<Small>("small"),
            Self::Count => File::of::<Rows>("mark"),
            Self::CountQuads => File::of::<Rows>("mark_quads"),
            Self::ApplyCounted => File::of::<ApplyCounted>("apply_counted"),
            Self::DivideByCounts => File::of::<DivideByCounts>("divide_by_counts"),
            Self::Normalise => File::of::<Rows>("normalise"),
            Self::DigitCount => File::of::<Digit>("digit_count"),
            Self::DigitScan => File::of::<DigitScan>("digit_scan"),
            Self::DigitScatter => File::of::<Digit>("digit_scatter"),
            Self::SortKeys => File::of::<SortKeys>("sort_keys"),
            Self::SortPlaces => File::of::<SortPlaces>("sort_places"),
            Self::GroupRanks => File::of::<GroupRanks>("group_ranks"),
            Self::GroupEnds => File::of::<GroupEnds>("group_ends"),
            Self::Search => File::of::<Search>("search"),
            Self::SearchCheck => File::of::<Search>("search_check"),
            Self::RunPerThread => File::of::<Runs>("run_per_thread"),
            Self::RowPerGroup => File::of::<Runs>("row_per_group"),
            Self::ScanRuns => File::of::<ScanRuns>("scan_runs"),
            Self::SparseEntries => File::of::<SparseEntries>("sparse_entries"),
            Self::SparseRows(_) => File::of::<SparseRows>("sparse_rows"),
            Self::Gather => File::of::<Gather>("gather"),
            Self::GatherPacked => File::of::<Gather>("gather_packed"),
            Self::GatherQuads => File::of::<Gather>("gather_quads"),
            Self::Elementwise(..) | Self::MultiplyNative(..) => File::of::<Elementwise>("elementwise"),
            Self::MultiplyGuarded(_) => File::of::<Elementwise>("guarded"),
            Self::Extent(_) => File::of::<Extent>("extent"),
            Self::Edges => File::of::<Edges>("edges"),
            Self::Limits(_) => File::of::<Limits>("limits"),
            Self::Bins(..) => File::of::<Bins>("bins"),
            Self::Tally(_) => File::of::<Tally>("tally"),
            Self::TallyReport(_) => File::of::<TallyReport>("tally_report"),
            Self::SelectPlaces => File::of::<SelectPlaces>("select_places"),
            Self::CheckEdges => File::of::<CheckEdges>("check_edges"),
            Self::SegmentEnds => File::of::<SegmentEnds>("segment_ends"),
            Self::SegmentCheck => File::of::<SegmentCheck>("segment_check"),
            Self::SegmentNumbers => File::of::<SegmentNumbers>("segment_numbers"),
            Self::Density => File::of::<Density>("density"),
            Self::ReduceDims => File::of::<Dims>("reduce"),
            Self::Find => File::of::<Dims>("find"),
            Self::Convert => File::of::<Convert>("convert"),
            Self::ConvertQuads(_) => File::of::<ConvertQuads>("convert_quads"),
            Self::ProbeWorkgroup => File::of::<ProbeWorkgroup>("workgroup"),
            Self::Seal => File::of::<Seal>("seal"),
        }
    }

    /// The flags for its files, and the variant of an operation on two tensors.
    pub(crate) fn variant(self) -> (&'static [&'static str], Option<(Option<Activation>, Operands)>) {
        match self {
            Self::Atomics(apply) | Self::AtomicsQuads(apply) | Self::AtomicsRows(apply) => {
                (apply.flags(), None)
            }
            Self::ExactAdd | Self::ExactAddQuads | Self::ExactAddRows => (&["EXACT"], None),
            Self::Count | Self::CountQuads => (&["COUNT"], None),
            Self::Elementwise(Binary::Divide(Some(Rounding::Floor)), act, operands) => {
                (&["FLOOR"], Some((act, operands)))
            }
            Self::Elementwise(_, act, operands) => (&[], Some((act, operands))),
            Self::MultiplyNative(act, operands) => (&["NATIVE"], Some((act, operands))),
            Self::MultiplyGuarded(operands) => (&[], Some((None, operands))),
            Self::Bins(_, true) => (&["ONE_COLUMN"], None),
            Self::SparseRows(float32) => (float32.flags(), None),
            _ => (&[], None),
        }
    }
}

/// What an atomic operation does with an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Apply {
    /// Combines it with the element.
    Update,
    /// Multiplies the element by it, or leaves it over.
    Factor,
    /// Raises the high word of the element's key, of two words.
    HighKey,
    /// Raises the element's key, or its low word if the high word is right already.
    Key,
}

impl Apply {
    /// The flags for its files.
    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Update => &["ATOMIC"],
            Self::Factor => &["ATOMIC", "FACTORS"],
            Self::HighKey => &["KEYS", "HIGH"],
            Self::Key => &["KEYS"],
        }
    }
}

/// A file of `shaders/` with a main function.
pub(crate) struct File {
    /// Its name, without the folder and the ending.
    pub(crate) name: &'static str,
    /// The members of its `Params`. A release omits them.
    pub(crate) params: &'static [Member],
}

impl File {
    /// A file with parameters of type `B`.
    fn of<B: Block>(name: &'static str) -> Self {
        Self { name, params: if cfg!(any(test, debug_assertions)) { B::MEMBERS } else { &[] } }
    }
}
