//! Products of a sparse matrix and a dense one: the operator beside the calls that it stands for, and a plain loop of float32 on the CPU.

use std::hint::black_box;
use std::rc::Rc;

use pollster::block_on;
use scatterwise::testing::gpu::Gpu;
use scatterwise::{
    DType, Device, Gather, IndexPlan, Op, OutOfRange, Reduce, Reduction, Scatter, Spmm, Target, Tensor,
    Update,
};
use scatterwise_bench::clock::{Clock, Effort, race};
use scatterwise_bench::table::{Table, ratio, time};
use scatterwise_bench::workload::Random;

/// Entries, rows of the result and of the dense matrix, elements of a row; and whether the entries name rows of the result by Zipf's law.
/// Then one row has 6 % of all entries.
const SIZES: [([usize; 3], bool); 6] = [
    ([1 << 20, 50_000, 16], false),
    ([1 << 20, 50_000, 4], false),
    ([1 << 20, 50_000, 1], false),
    ([1 << 16, 50_000, 16], false),
    ([1 << 20, 2_000, 16], false),
    ([1 << 20, 50_000, 16], true),
];

/// A call with its operands on the GPU, and as numbers.
struct Case {
    sizes: [usize; 3],
    indices: [Vec<i32>; 2],
    numbers: [Vec<f32>; 2],
    rows: Target,
    columns: Target,
    values: Tensor,
    column: Tensor,
    dense: Tensor,
    reduction: Reduction,
}

impl Case {
    fn new(
        (sizes, is_hot): ([usize; 3], bool),
        dtype: DType,
        reduction: Reduction,
        is_planned: bool,
    ) -> Self {
        let [entries, size, row] = sizes;
        let mut random = Random::default();
        let indices = [is_hot, false].map(|by_zipf| -> Vec<i32> {
            let mut place = || if by_zipf { random.zipf(size) } else { random.below(size) };
            (0..entries).map(|_| place() as i32).collect()
        });
        let [rows, columns] = indices.each_ref().map(|index| {
            let index = Tensor::from_elements(&[entries], index).expect("an index");
            if is_planned {
                return (&IndexPlan::select(&[size, row], 0, &index, OutOfRange::Raise).expect("a plan"))
                    .into();
            }
            Target::slices(0, &index.upload().expect("an index on the GPU"))
        });
        let dims = [vec![entries], vec![size, row]];
        let numbers = dims.each_ref().map(|dims| {
            (0..dims.iter().product())
                .map(|_: usize| random.below(1 << 20) as f32 / 1024.0)
                .collect::<Vec<f32>>()
        });
        let tensor = |at: usize| {
            let all = Tensor::from_elements(&dims[at], &numbers[at]).and_then(|all| all.astype(dtype));
            all.and_then(|all| all.upload()).expect("an operand on the GPU")
        };
        let (values, dense) = (tensor(0), tensor(1));
        let column = values.reshape(&[entries, 1]).expect("a column");
        Self { sizes, indices, numbers, rows, columns, values, column, dense, reduction }
    }

    fn product(&self) -> Tensor {
        let call = Spmm::new(self.rows.clone(), self.columns.clone(), Some(&self.values));
        let call = Spmm { size: Some(self.sizes[1]), reduction: self.reduction, ..call };
        call.run(&self.dense).expect("a product")
    }

    fn composed(&self) -> Tensor {
        let [_, size, row] = self.sizes;
        let gather = Gather::new(Op::IndexSelect, self.columns.clone());
        let products = gather.run(&self.dense).and_then(|rows| rows.mul(&self.column)).expect("products");
        let zeros = Tensor::zeros(&[size, row], self.dense.dtype());
        let mut out = zeros.and_then(|out| out.upload()).expect("zeros");
        let is_sum = self.reduction == Reduction::Sum;
        let reduce = if is_sum { Reduce::Add } else { Reduce::Maximum };
        let update = Update { include_self: is_sum, ..reduce.into() };
        let scatter = Scatter::new(Op::IndexAddInPlace, self.rows.clone(), products.into(), update);
        scatter.run(&mut out).expect("a result");
        out
    }

    /// The sum by a plain loop.
    fn looped(&self) -> Vec<f32> {
        let ([_, size, row], [rows, columns], [values, dense]) = (self.sizes, &self.indices, &self.numbers);
        let mut out = vec![0f32; size * row];
        for ((&to, &from), value) in rows.iter().zip(columns).zip(values) {
            for at in 0..row {
                out[to as usize * row + at] += value * dense[from as usize * row + at];
            }
        }
        out
    }
}

/// Measures and prints the table.
pub fn measure(gpu: &Rc<Gpu>, (clock, effort): (Clock, Effort)) {
    let headings = [
        "entries, rows, row",
        "dtype",
        "reduce",
        "index",
        "bits",
        "spmm",
        "composed",
        "loop",
        "spmm / composed",
    ];
    let mut table = Table::new(&headings, 5);
    let (float32, int32) = (DType::Float32, DType::Int32);
    for (sizes, is_hot) in SIZES {
        for (dtype, reduction) in
            [(float32, Reduction::Sum), (int32, Reduction::Sum), (float32, Reduction::Amax)]
        {
            for is_planned in [true, false] {
                let case = Case::new((sizes, is_hot), dtype, reduction, is_planned);
                let [ours, theirs] = [case.product(), case.composed()]
                    .map(|out| block_on(out.to(Device::Cpu)).expect("a result"));
                let bits = if ours.bits_equal(&theirs) == Some(true) { "same" } else { "WRONG" };
                let finished = |calls: usize, call: &dyn Fn() -> Tensor| {
                    (0..calls).for_each(|_| drop(call()));
                    block_on(gpu.sync()).expect("no error");
                };
                let mut contestants: [Box<dyn FnMut(usize)>; 3] = [
                    Box::new(|calls| finished(calls, &|| case.product())),
                    Box::new(|calls| finished(calls, &|| case.composed())),
                    Box::new(|calls| (0..calls).for_each(|_| drop(black_box(case.looped())))),
                ];
                let times = race(clock, effort, &mut contestants);
                let [own, other, plain] = [0, 1, 2].map(|at| times[at].median());
                let index = if is_planned { "plans" } else { "tensors" };
                let cells = [
                    format!("{sizes:?}{}", if is_hot { ", Zipf" } else { "" }),
                    dtype.to_string(),
                    format!("{reduction:?}"),
                    index.into(),
                    bits.into(),
                ];
                table.row(cells.into_iter().chain([time(own), time(other), time(plain), ratio(own / other)]));
            }
        }
    }
    println!("## Sparse products\n\n{table}");
}
