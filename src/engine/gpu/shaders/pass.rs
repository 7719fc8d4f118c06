//! The passes: the purpose of each, the file with its main function, its keys and its parameters.

use crate::MAX_OP_RANK;
use crate::engine::gpu::shaders::params::parts::{described, wgsl};
use crate::engine::gpu::{
    Apply, Arithmetic, BLOCK_BYTES, Block, Column, ElementOrder, Entries, File, Format, Head, Ignored,
    IndexFormat, Keys, Layout, OperandLoop, Operands, Samples, Tile, Update, is_aligned, passes,
};
use crate::plan::{Activation, Binary};

passes! {
    /// Looks for bad index values.
    Validate = "validate" for Words;
    /// Reads the first bad index value.
    Report = "report" for Words; [Validate] {
        index: IndexFormat,
        ignored: Ignored,
        counts_from_end: u32, // 1 if a negative value counts from the end, 0 if it is out of range
   }

    /// Looks for divisors that are zero.
    Divisors = "divisors" for Elements; [Divisors] {}

    /// Turns index values into positions, also values out of bounds.
    Resolve = "resolve" for Words; [Resolve] {
        index: IndexFormat,
        ignored: Ignored,
        // The meaning of a value out of bounds: 0 is its remainder by the bound (wrap), 1 the first or the last place (clip), 2 an entry
        // that is dropped (drop).
        mode: u32,
        has_other: u32, // 1 if src has the positions of an index, whose skipped entries are skipped here too
   }

    /// Scatters, one thread per column.
    Columns = "columns"; [Columns] {
        index: IndexFormat,
        entries: Entries,
        update: Update,
        begin: u32,        // the first entry of each column in this dispatch
        end: u32,          // the end: one more than the last entry
        value_stride: u32, // elements of src from one entry of a column to the next
        entry_stride: u32, // entries of the index from one entry of a column to the next
   }

    /// Scatters by atomic operations.
    Atomics(Apply) = "atomics";
    /// The same for rows of one element, four entries to a thread.
    AtomicsQuads(Apply) = "atomics";
    /// The same for rows of 16, 24, 32, … elements of one word, where entries are in one loop.
    AtomicsRows(Apply) = "atomics"; [Atomics] {
        index: IndexFormat,
        entries: Entries,
        update: Update,
        entry_count: u32, // index entries
        // The threads that share the row of one entry. Each has up to four of its elements, or eight for `AtomicsRows`.
        // `AtomicsQuads` ignores it: there a thread has four entries.
        span: u32,
   }

    /// The same three for terms of exact sums.
    ExactAdd = "atomics" for Exact;
    /// See [`Pass::AtomicsQuads`].
    ExactAddQuads = "atomics" for Exact;
    /// See [`Pass::AtomicsRows`].
    ExactAddRows = "atomics"; [ExactAdd] {
        index: IndexFormat,
        entries: Entries,
        update: Update,
        tile: Tile,
        entry_count: u32,
        span: u32,
   }

    /// Adds the elements of a table to the exact sums of their places.
    ExactLoad = "exact_load" for Exact;
    /// Adds exact sums to others.
    ExactMerge = "exact_merge" for Exact;
    /// Writes the counts of exact sums as int64.
    ExactCounts = "exact_counts" for Words; [ExactTile] { tile: Tile }

    /// Rounds exact sums, or their means.
    ExactRound = "exact_round" for Exact; [ExactRound] {
        tile: Tile,
        is_mean: u32, // 1 for means
        // 0: every place is written; a mean is divided by `other_terms`. 1: `index` has how many terms were added to each row, and a place
        // without terms keeps its bits. 2: the sums have counts. A place without terms gets +0, or NaN for a mean.
        counts: u32,
        row: u32,         // elements of a row, for the counts in `index`
        other_terms: u32, // uncounted terms of each mean
   }

    /// Writes exact sums, or means, of rows of neighbouring terms.
    ExactRows = "exact_rows" for ShortExact; [ExactRows] {
        rows: u32,
        terms: u32,   // of a row, at most 8192
        divisor: u32, // of each sum
   }

    /// Numbers the rows that few entries name.
    ExactSlots = "exact_slots" for Words; [ExactSlots] {
        entry_count: u32, // index entries
   }

    /// Combines the table with the elements that keys stand for.
    ApplyKeys = "apply_keys"; [ApplyKeys] {}

    /// Finds the first update that has the bits of its place.
    FindArgmax = "find_argmax" for Elements; [FindArgmax] {
        index: IndexFormat,
        entries: Entries,
        update: Update,
        order: ElementOrder,
        inside: u32, // entries in one round of the loop whose coordinate is the position
        rounds: u32, // rounds of this loop
   }

    /// Turns that into positions, where self did not win.
    FinalizeArgmax = "finalize_argmax" for Elements; [FinalizeArgmax] {
        order: ElementOrder,
        include_self: u32, // 1 if self is a competitor
   }

    /// Finds the number of the last entry that names each row.
    Mark = "mark" for Words;
    /// The same, four entries to a thread.
    MarkQuads = "mark" for Words;
    /// Moves the rows of the last entries.
    Commit = "commit" for Elements;
    /// The same for rows of one element, four entries to a thread.
    CommitQuads = "commit" for Elements;
    /// Counts the entries that name each row.
    Count = "mark" for Words;
    /// The same, four entries to a thread.
    CountQuads = "mark" for Words;
    /// Finds the row of each entry, `SKIPPED` if the entry is skipped.
    Normalise = "normalise" for Words;
    /// Links the entries that name one row to a list.
    Link = "link" for Words; [Rows] {
        index: IndexFormat, // the table is counted in rows, so `place` and its strides are rows
        entries: Entries,
        entry_count: u32,   // index entries
   }

    /// Scatters few entries in one dispatch.
    Small = "small"; [Small] {
        index: IndexFormat,
        entries: Entries,
        update: Update,
        entry_count: u32, // index entries
   }

    /// Applies a scalar to each row as often as the row was counted.
    ApplyCounted = "apply_counted"; [ApplyCounted] {
        update: Update,
        row: u32, // elements of a row
   }

    /// Divides each row by the number of its terms.
    DivideByCounts = "divide_by_counts"; [DivideByCounts] {
        row: u32,         // elements of a row
        other_terms: u32, // uncounted terms of each sum: 1 if the old value is a term, else 0
   }

    /// Counts the digits of each tile of rows.
    DigitCount = "digit_count" for Words;
    /// Moves rows and entries to the position of their digit.
    DigitScatter = "digit_scatter" for Words; [Digit] {
        bit: u32,         // the lowest bit of the digit
        entry_count: u32, // rows, as many as there are entries
        is_first: u32,    // of digit_scatter.wgsl: 1 if src has no entry numbers yet; they are 0, 1, 2, …
   }

    /// Turns counts into positions.
    DigitScan = "digit_scan" for Words; [DigitScan] {
        count: u32, // the number of counts
   }

    /// Turns a word of the keys of elements, or the numbers of their rows, into rows for the sort.
    SortKeys = "sort_keys" for Words; [SortKeys] {
        order: ElementOrder,
        entry_count: u32,
        word: u32,     // 0 for the low word of the keys, 1 for the high one, ROW for the numbers of rows
        is_first: u32, // 1 if the entries are in the order of the elements; index is not used then
        len: u32,      // elements of a row
        after: u32,    // elements of src from one element of a row to the next
   }

    /// Turns sorted entries into positions along a dimension.
    SortPlaces = "sort_places" for Words; [SortPlaces] {
        len: u32,   // elements of a row
        after: u32, // elements from one element of a row to the next
   }

    /// Numbers the groups of equal elements in a sorted row, within each tile.
    GroupRanks = "group_ranks" for Words; [GroupRanks] { order: ElementOrder, entry_count: u32 }

    /// Writes one of the results of `unique`.
    GroupEnds = "group_ends" for Words; [GroupEnds] { entry_count: u32, result: u32 }

    /// Searches elements in sorted edges.
    Search = "search" for Words;
    /// Looks for edges that are not sorted.
    SearchCheck = "search_check" for Words; [Search] {
        edge: Format,    // of the edges
        element: Format, // of the elements
        edge_count: u32,
        step: u32,       // the largest power of two that is not above the number of edges; 0 without edges
        is_right: u32,   // 1 if an element goes after equal edges
   }

    /// Makes keys of edges.
    SearchKeys = "search_keys" for Words;
    /// Searches elements in the keys of sorted edges.
    SearchByKeys = "search_by_keys" for Words; [SearchKeys] {
        order: ElementOrder,
        edge_count: u32,
        step: u32, // the largest power of two that is not above the number of edges; 0 without edges
        flip: u32, // all bits if an element goes after equal edges, else 0
   }

    /// Compares the elements of two tensors.
    Compare = "compare" for Words; [Compare] {
        left: Format,  // of src
        right: Format, // of `index`
        loops: [OperandLoop; MAX_OP_RANK], // innermost first
        loop_count: u32,
        len: u32,        // elements of dst
        test: u32,       // 0: less, 1: less or equal, 2: equal
        is_negated: u32, // 1 if pairs that do not pass are true
   }

    /// Writes the elements of one of two tensors, where a mask chooses it.
    Choose = "choose" for Words; [Choose] {
        loops: [OperandLoop; MAX_OP_RANK], // innermost first; of the mask and of src
        loop_count: u32,
        len: u32,      // elements of dst
        bits: u32,     // of an element
        wanted: u32,   // the truth value for which an element is written
        is_first: u32, // 1 if dst has nothing yet
   }

    /// Counts the elements that are not 0, or writes their positions.
    Positions = "positions" for Words; [Positions] {
        len: u32,         // elements of src
        bits: u32,        // of an element
        significant: u32, // the bits of an element, or of its high word, that are 0 if it is 0
        is_counting: u32, // 0 to write positions
        size: u32,        // positions
        words: u32,       // of a position
        fill: [u32; 2],   // stands behind the last position
   }

    /// Applies sorted entries, a thread to each run.
    RunPerThread = "run_per_thread";
    /// Applies sorted entries, a workgroup to each row.
    RowPerGroup = "row_per_group"; [Runs] {
        // `index` has the rows of all entries, sorted, then the numbers of the entries; entries of one row stay in order. A run is the entries
        // that name one row.
        entries: Entries,
        update: Update,
        begin: u32,       // the entries of each run that earlier dispatches applied
        most: u32,        // the most entries of each run in this dispatch
        entry_count: u32, // index entries
   }

    /// Applies lists of entries, a thread to each element of the table.
    ShortLists = "short_lists";
    /// Applies longer lists, a workgroup to some elements.
    MediumLists = "medium_lists";
    /// Applies those that are longer still, a workgroup to some elements.
    LongLists = "long_lists"; [Lists] {
        index: IndexFormat, // the table is counted in rows, as in `Rows`
        entries: Entries,
        update: Update,
        entry_count: u32, // index entries
        each: u32,        // elements of a workgroup, for `MediumLists` and `LongLists`
        begin: u32,       // the first entry of this dispatch, for `LongLists`
        end: u32,         // the end: one more than the last entry
   }

    /// For each sorted entry, combines the entries of its row before it, or those after it.
    ScanRuns = "scan_runs"; [ScanRuns] {
        entries: Entries,
        neutral: [u32; 2], // the neutral element's bits, low word first
        begin: u32,        // the entries of each run that earlier dispatches visited
        most: u32,         // the most entries of each run in this dispatch
        entry_count: u32,  // index entries
        is_backward: u32,  // 1 to visit the entries from the last to the first
   }

    /// Puts the entries of a sparse matrix into the order of its rows.
    SparseEntries = "sparse_entries" for Elements; [SparseEntries] {
        index: IndexFormat, // an entry's position is where its row of the dense matrix begins
        rows: u32,          // of the matrix
        entry_count: u32,
        has_values: u32,
   }

    /// Multiplies a sparse matrix and a dense one, a thread to each element of the result.
    SparseRows(Arithmetic) = "sparse_rows"; [SparseRows] {
        neutral: [u32; 2], // what a row with entries begins with, as bits, low word first, if it does not begin with dst
        is_neutral: u32,   // 1 if it begins so
        row: u32,          // elements of a row of dst and of src
        rows: u32,         // of dst
        entry_count: u32,
        has_values: u32,   // 0 if each value is 1
        begin: u32,        // the entries of each row that earlier dispatches applied
        most: u32,         // the most entries of each row in this dispatch
        elements: u32,     // of this dispatch
        each: u32,         // elements of a thread: 1 without GUARDED, else at most 31
   }

    /// Gathers, one thread per element or larger unit, or per word of elements that share words.
    Gather = "gather" for Elements;
    /// Gathers elements of one word, four to a thread.
    GatherQuads = "gather" for Words; [Gather] {
        index: IndexFormat,
        entries: Entries,
        fill: [u32; 2], // the element for a skipped entry, repeated to two words
        len: u32,       // elements of dst
   }

    /// Combines two tensors with broadcasting, in integers, then applies an activation.
    Elementwise(Binary, Option<Activation>, Operands) = "elementwise";
    /// Applies an activation to each element of x, alone.
    Activate(Activation) = "elementwise";
    /// Combines two tensors of float32 with broadcasting, by the adapter, then applies an activation.
    Native(Binary, Option<Activation>, Operands) = "elementwise";
    /// Combines two tensors of float32 with broadcasting: by the adapter if the result is certainly right, else in integers.
    Guarded(Binary, Operands) = "guarded"; [Elementwise] {
        loops: [OperandLoop; MAX_OP_RANK], // innermost first; at least three, padded with length 1
        outermost: u32,                    // the number of the last of them
        len: u32,                          // elements of dst
        x_is_whole: u32,                   // 1 if x has the elements of dst in the same places
        quads: u32,                        // per thread of guarded.wgsl, 32 at most
        step: [u32; 3],                    // from one quad of such a thread to its next, in the loops: inner, middle, outer
   }

    /// Finds the smallest and the largest sample of a column.
    MinMax(Samples) = "min_max"; [MinMax] {
        count: u32,        // numbers of the column, or pairs
        first: u32,        // the element of src that is the column's first number; not used for pairs
        stride: u32,       // elements of src from one number of the column to the next; not used for pairs
        is_first: u32,     // 1 if src has numbers, 0 if it has an earlier dispatch's pairs
        element_bits: u32, // of an element, if one pair is left, else 0
        flip: u32,
        has_mask: u32,     // 1 if `index` has a byte for each sample, 0 for a sample that does not count; not used for pairs
        one: u32,          // the high word of the element 1, at the top of the word
   }

    /// Computes edges of bins of equal width between these two.
    Edges = "edges" for Doubles; [Edges] {
        bins: u32,
        exponent_bits: u32, // of the dtype that each operation rounds to
        fraction_bits: u32,
        must_rise: u32,     // 1 if edges must differ from each other
        column: u32,
   }

    /// Turns edges into limits that samples are compared with.
    Limits(Samples) = "limits"; [Limits] {
        columns: [Column; MAX_OP_RANK],
        sample: Format, // of the samples
        double: Format, // of float64
        column_count: u32,
        flip: u32,
   }

    /// Finds the bins of samples: counts the samples per bin, or writes the place of each sample. The flag says that there is one column.
    Bins(Samples, bool) = "bins"; [Bins] {
        columns: [Column; MAX_OP_RANK],
        column_count: u32,
        outside: u32, // the place of samples outside of all bins: the number of places, or SKIPPED
        update: u32,  // 0 to write the places of samples, 1 to count them, 2 to add their weights
        flip: u32,
   }

    /// Counts integers themselves.
    CountIntegers(Layout) = "count_integers"; [CountIntegers] {
        sign: u32,
        places: u32,
        len: u32,         // values
        is_counting: u32, // 0 to look for such values only
        writes: u32,      // 1 to write values to `counts`
        top: u32,         // the sign bit of a value in the highest word that is loaded; 0 of unsigned values
        has_mask: u32,    // 1 if `index` has the mask, a byte for each value
   }

    /// Reads the first integer without a place.
    CountReport(Layout) = "count_report"; [CountReport] { sign: u32 }

    /// Applies a mask to places, and turns places in a group into places in all groups.
    SelectBins = "select_bins" for Words; [SelectBins] {
        outside: u32,  // the number of places of a group
        has_mask: u32, // 0 if all samples count
        len: u32,      // samples of a group
        stride: u32,   // samples from one of a group to the next
   }

    /// Looks for given edges that are wrong.
    CheckEdges = "check_edges" for Words; [CheckEdges] {
        edges: u32, // how many
   }

    /// Finds the ends of segments.
    SegmentEnds = "segment_ends" for Words; [SegmentEnds] {
        words: u32,    // of a value
        rows: u32,
        is_first: u32, // 1 to read values, 0 to read sums from src
        skip: u32,     // values before the first to read
        terms: u32,    // 16, or 1 for offsets
        distance: u32, // from one sum to the next
   }

    /// Looks for offsets or lengths that are wrong.
    SegmentCheck = "segment_check" for Words; [SegmentCheck] {
        words: u32,
        rows: u32,
        segments: u32,
        is_offsets: u32, // 1 for offsets, which are one more than the segments, 0 for lengths
   }

    /// Finds the segment of each row.
    SegmentNumbers = "segment_numbers" for Words; [SegmentNumbers] {
        segments: u32,
        step: u32, // the largest power of two that is not above the number of segments
   }

    /// Divides counts by the widths of bins and by their sum.
    Density = "density" for Doubles; [Density] {
        exponent_bits: u32, // of the edges' dtype
        fraction_bits: u32,
        bins: u32,
   }

    /// Combines parts of the terms of each element of a reduction along dimensions. The flag says that several threads share a part.
    ReduceDims(bool) = "reduce";
    /// The same for elements of this layout, integers that are added in more words.
    WidenDims(bool, Layout) = "reduce";
    /// Finds the first term that equals the largest or smallest one, in the same way.
    Find(bool) = "find"; [Dims] {
        kept: [[u32; 2]; MAX_OP_RANK],    // the loops over columns, outermost first, two in a vector: rounds, and elements from one round to the next
        reduced: [[u32; 2]; MAX_OP_RANK], // the loops over the terms of a column
        kept_count: u32,
        reduced_count: u32,
        columns: u32,
        terms: u32,                       // of a column
        parts: u32,                       // of a column
        lanes: u32,                       // threads of a part: a power of two
        by_columns: u32,                  // 1 if neighbouring threads have neighbouring columns, else they have neighbouring terms of one
        is_first: u32,                    // 1 if src has elements, 0 if it has the terms of an earlier dispatch
        sign: u32,                        // the top bit of an element of src that is signed, else 0
        words: u32,                       // of an element of the result
   }

    /// Converts between any two dtypes.
    Convert = "convert" for Words; [Convert] {
        from_format: Format,
        to_format: Format,
        len: u32, // elements of src, and of dst
   }

    /// Converts between two layouts, four elements to a thread.
    ConvertQuads([Layout; 2]) = "convert_quads"; [ConvertQuads] {
        sign: u32,      // the top bit of an element of src of 8 or 16 bits that is signed, else 0
        is_signed: u32, // 1 if src has signed integers
        most: u32,      // the largest number of an integer dtype of dst
        least: u32,     // the magnitude of its smallest number
        quads: u32,     // the quads of all threads
        len: u32,       // elements
   }

    /// Tries barriers, atomic operations and long loops.
    ProbeWorkgroup = "workgroup" for Words; [ProbeWorkgroup] {
        rounds: u32, // of the long loop: the most that a thread runs on any adapter
        more_rounds: u32, // of the longer loop, after these
   }

    /// Ends a batch.
    EndOfBatch = "end_of_batch" for Words; [EndOfBatch] {}
}

impl Pass {
    /// Threads of a workgroup, as its shader declares it, on a device whose passes have `usual` ones.
    pub(crate) fn workgroup(self, usual: u32) -> u32 {
        match self {
            // Columns are often few. Smaller workgroups spread them over more cores.
            Self::Columns => 64,
            _ => usual,
        }
    }
}
