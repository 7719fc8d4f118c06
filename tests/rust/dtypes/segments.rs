//! `segment_reduce` of every dtype against the oracle's scatter by the numbers of the segments, on every backend.

use scatterwise::{
    DType, Mean, Op, Reduce, Reduction, Scalar, Scatter, Segments, Sum, Target, Update, segment_reduce,
};

use crate::common::backends::{Backend, Place, join_all, on_each_backend, read};
use crate::common::data::Data;
use crate::common::oracle::{Places, Updates, operation, scatter, start_of_segment};
use crate::common::pairs::Numbers;
use crate::common::report::{Row, same};
use crate::dtypes::elements::{edges, element};

/// Lengths of segments: none, empty ones, and some above and below the widths of vectors and of two of them.
const LENGTHS: [&[i32]; 5] = [&[], &[0, 0], &[1, 0, 3, 2], &[33, 7, 0, 64, 15, 16, 31, 4, 8], &[200, 1, 90]];
/// The shape of a row, which the data has for each place of its first dimension.
const ROWS: [&[usize]; 5] = [&[], &[3], &[0], &[2, 9], &[1]];

struct Case {
    reduction: Reduction,
    /// Rows in each segment.
    lengths: &'static [i32],
    /// The caller's `initial`.
    initial: Option<Scalar>,
    data: Data,
    /// The start value of each segment, in the shape of the result.
    start: Data,
}

impl Case {
    fn name(&self) -> String {
        let Self { reduction, lengths, initial, data, .. } = self;
        format!("{} {reduction:?} of {:?} by {lengths:?}, from {initial:?}", data.dtype, data.dims)
    }

    /// The number of the segment of each row of the data.
    fn numbers(&self) -> Data {
        let numbers = (0..).zip(self.lengths).flat_map(|(number, &length)| vec![number; length as usize]);
        let numbers: Vec<i32> = numbers.collect();
        Data::new(&[numbers.len()], &numbers)
    }

    /// The result by a scatter into `start` in which each row goes to the place of its segment.
    fn expected(&self) -> Data {
        let numbers = self.numbers();
        if self.reduction == Reduction::Mean {
            // The oracle has no mean. The library's scatter has one, which the vectors test.
            let update = Update { mean: Mean::OfUpdates, ..Reduce::Add.into() };
            let target = Target::slices(0, &numbers.tensor());
            let mut out = self.start.tensor();
            let call = Scatter::new(Op::IndexAddInPlace, target, (&self.data.tensor()).into(), update);
            call.run(&mut out).unwrap();
            return Data::of(&out);
        }
        let updates = Updates::Tensor(self.data.clone());
        scatter(&self.start, Places::Rows, &numbers, &updates, operation(self.reduction))
    }

    /// Compares the results by lengths and by offsets.
    async fn check(&self, backend: &Backend) -> Row {
        let data = backend.put(&self.data)?;
        // Offsets: 0, then the end of each segment.
        let mut ends = vec![0i64];
        ends.extend(self.lengths.iter().scan(0, |end, &length| {
            *end += i64::from(length);
            Some(*end)
        }));
        let expected = self.expected();
        // Uploaded or computed is the same: no range is noted of lengths and offsets.
        for &place in backend.places().iter().filter(|&&place| place != Place::Uploaded) {
            let lengths = backend.put_at(place, &Data::new(&[self.lengths.len()], self.lengths))?;
            let offsets = backend.put_at(place, &Data::new(&[ends.len()], &ends))?;
            for segments in [Segments::Lengths(&lengths), Segments::Offsets(&offsets)] {
                let got = segment_reduce(&data, self.reduction, Sum::Ordered, segments, self.initial)?;
                same("result", expected.difference(&read(&got).await?))?;
            }
        }
        Ok(())
    }
}

/// Every reduction that a dtype has, with all lengths and rows, half of them with an initial value.
fn cases(dtype: DType) -> Vec<Case> {
    let mut numbers = Numbers(14);
    let edges = edges(dtype);
    let mut cases = Vec::new();
    for &reduction in Reduction::ALL.iter().filter(|&&r| dtype != DType::Bool || r != Reduction::Mean) {
        for (lengths, row) in LENGTHS.into_iter().flat_map(|lengths| ROWS.map(|row| (lengths, row))) {
            let rows = lengths.iter().sum::<i32>() as usize;
            let initial = (numbers.below(2) == 0).then_some(Scalar::Int(1));
            let dims = [&[rows], row].concat();
            let values = (0..dims.iter().product()).map(|_: usize| element(dtype, &edges, &mut numbers));
            let data = Data::from_bits(dtype, &dims, values);
            let width: usize = row.iter().product();
            let starts = lengths.iter().flat_map(|&length| {
                let start = initial.unwrap_or(start_of_segment(dtype, reduction, length)).cast(dtype);
                vec![start; width]
            });
            let start = Data::from_bits(dtype, &[&[lengths.len()], row].concat(), starts);
            cases.push(Case { reduction, lengths, initial, data, start });
        }
    }
    cases
}

one_thread!(segments_are_a_scatter_in_order);
/// `segment_reduce` is the scatter in which each row goes to the place of its segment, in order.
async fn segments_are_a_scatter_in_order() {
    on_each_backend("segments", async |backend, report| {
        for &dtype in DType::ALL {
            // On a GPU one in seven, since each is several passes.
            let step = if matches!(backend, Backend::Cpu) { 1 } else { 7 };
            let cases: Vec<Case> = cases(dtype).into_iter().step_by(step).collect();
            let rows = join_all(cases.iter().map(|case| case.check(backend))).await;
            for (case, row) in cases.iter().zip(rows) {
                report.row(&case.name(), row);
            }
        }
    })
    .await;
}

one_thread!(a_single_term_is_itself);
/// With `include_self` false a place with one update holds that update, bit for bit: the identity changes nothing, also if the
/// update is −0 or the least integer. Only a NaN may become another NaN.
async fn a_single_term_is_itself() {
    on_each_backend("single-terms", async |backend, report| {
        for &dtype in DType::ALL {
            let bits = edges(dtype);
            let numbers: Vec<i32> = (0..bits.len() as i32).collect();
            let (terms, index) =
                (Data::from_bits(dtype, &[bits.len()], bits.clone()), Data::new(&[bits.len()], &numbers));
            for (reduction, name) in Reduction::ALL.iter().zip(Reduction::NAMES) {
                if *reduction == Reduction::Mean && dtype == DType::Bool {
                    continue; // refused
                }
                let row = async {
                    let (src, mut table) = (backend.put(&terms)?, backend.put(&terms)?);
                    let target = Target::along(0, &index.tensor());
                    Scatter::new(Op::ScatterReduce, target, src.into(), reduction.update(false))
                        .run(&mut table)?;
                    same("result", terms.difference(&read(&table).await?))
                };
                report.row(&format!("{dtype} {name}"), row.await);
            }
        }
    })
    .await;
}
