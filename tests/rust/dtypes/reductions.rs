//! Reductions, modes and targets that only some operators have, at random: the GPU's bits against the CPU's.

use scatterwise::testing::gpu::testing::{Hooks as _, Strategy};
use scatterwise::{
    DType, Device, ErrorCode, Gather, IndexMode, IndexPlan, Mean, NdReduce, Op, OutOfRange, Reduce, Scalar,
    Scatter, Source, Target, Tensor, Update,
};

use crate::common::backends::Place;
use crate::common::data::tensor;
use crate::common::pairs::Numbers;
use crate::common::report::say;
use crate::dtypes::calls::computed;
use crate::dtypes::devices::{difference, gpu};
use crate::dtypes::elements::{edges, element, reduces, without_zero_divisors};

/// What an entry of the index addresses.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// One element, along a dimension.
    Along,
    /// A slice: all elements at one place of a dimension.
    Slices,
    /// The block that a tuple of coordinates of the first dimensions names.
    Tuples,
}

/// A tensor of the host, at `place`.
fn put_at(place: Place, tensor: &Tensor) -> Tensor {
    match place {
        Place::Host => tensor.clone(),
        Place::Uploaded => tensor.upload().unwrap(),
        Place::Computed => computed(tensor),
    }
}

/// Sizes of a table, the dimension that is addressed, and how many entries the index has along it. Tuples address all dimensions up to
/// this one.
const TABLES: [(&[usize], usize, usize); 8] = [
    // Sixteen rows are all values of one digit of the sort, so that a skipped entry takes a second one.
    (&[16], 0, 200),
    (&[7], 0, 50),
    (&[1], 0, 300),
    (&[5, 3], 0, 9),
    (&[3, 5], 1, 40),
    (&[2, 3, 8], 1, 6),
    (&[4, 3, 5], 2, 30),
    (&[300, 4], 0, 500),
];

/// A table and an index on the CPU, for a scatter or a gather.
struct Case {
    form: Form,
    mode: IndexMode,
    dim: usize,
    table: Tensor,
    index: Tensor,
    /// The shape of a source.
    src: Vec<usize>,
}

impl Case {
    /// A random one. Some index values count from the end; unless the mode is to raise an error, some are out of bounds, near it or
    /// anywhere. In every mode some may be the ignored value, which may be out of bounds too.
    fn new(dtype: DType, mode: IndexMode, numbers: &mut Numbers) -> Self {
        let form = numbers.pick(&[Form::Along, Form::Slices, Form::Tuples]);
        let (dims, dim, len) = numbers.pick(&TABLES);
        // The shape of the table, with another size along `dim`.
        let with_len = |len: usize| {
            let mut dims = dims.to_vec();
            dims[dim] = len;
            dims
        };
        let (index_dims, bounds, src) = match form {
            Form::Along => (with_len(len), vec![dims[dim]], with_len(len)),
            Form::Slices => (vec![len], vec![dims[dim]], with_len(len)),
            Form::Tuples => (vec![len, dim + 1], dims[..=dim].to_vec(), [&[len], &dims[dim + 1..]].concat()),
        };
        let index_dtype = numbers.pick(&[DType::Int32, DType::Int64]);
        let value = |at: usize| {
            // Values of a tuple stand together, each with a bound of its own.
            let bound = bounds[at % bounds.len()] as i64;
            let (mode, ignored) = (mode.out_of_range, mode.ignored);
            match numbers.below(8) {
                4 if ignored.is_some() => ignored.unwrap_or_default(),
                0 if mode != OutOfRange::Raise => bound + numbers.below(9) as i64,
                1 if mode != OutOfRange::Raise => -bound - 1 - numbers.below(9) as i64,
                2 if mode != OutOfRange::Raise && index_dtype == DType::Int64 => numbers.next() as i64,
                2 if mode != OutOfRange::Raise => (numbers.next() as i32).into(),
                3 => -1 - numbers.below(bound as u64) as i64,
                _ => numbers.below(bound as u64) as i64,
            }
        };
        let values: Vec<u64> =
            (0..index_dims.iter().product()).map(value).map(|value| value as u64).collect();
        let bits = draw(dtype, dims.iter().product(), numbers);
        let (table, index) = (tensor(dtype, dims, &bits), tensor(index_dtype, &index_dims, &values));
        Self { form, mode, dim, table, index, src }
    }

    /// The target of a call with an index, which is `self.index` at some place.
    fn target(&self, index: Tensor) -> Target {
        let dim = self.dim as i64;
        match self.form {
            Form::Along => Target::along(dim, &index),
            Form::Slices => Target::slices(dim, &index),
            Form::Tuples => Target::tuples(&index),
        }
    }

    /// The target of a call with an `IndexPlan` of an index, which is `self.index` at some place.
    fn planned(&self, index: &Tensor) -> Target {
        let (dims, dim, mode) = (self.table.shape().dims(), self.dim as i64, self.mode);
        let plan = match self.form {
            Form::Along => IndexPlan::along_with(dims, dim, index, mode),
            Form::Slices => IndexPlan::select(dims, dim, index, mode),
            Form::Tuples => IndexPlan::nd_with(dims, index, mode),
        };
        (&plan.unwrap()).into()
    }

    /// The call, by an operator that takes the form, the mode and every update.
    fn scatter(&self, target: Target, src: Source, update: Update) -> Scatter {
        let op = match self.form {
            Form::Along => Op::ScatterReduceInPlace,
            Form::Slices => Op::IndexAddInPlace,
            Form::Tuples => Op::ScatterNdInPlace,
        };
        Scatter { mode: self.mode, ..Scatter::new(op, target, src, update) }
    }

    /// The call, by an operator that takes the form. Left-out entries give `fill_value`.
    fn gather(&self, target: Target, fill_value: Scalar) -> Gather {
        let op = match self.form {
            Form::Along => Op::Gather,
            Form::Slices => Op::IndexSelect,
            Form::Tuples => Op::GatherNd,
        };
        Gather { mode: self.mode, fill_value, ..Gather::new(op, target) }
    }
}

/// Scatters of each dtype, three for each gather. In a browser a software adapter takes a second for some shaders.
const CALLS: usize = if cfg!(target_arch = "wasm32") { 30 } else { 200 };

/// The bits of so many random elements.
fn draw(dtype: DType, len: usize, numbers: &mut Numbers) -> Vec<u64> {
    let edges = edges(dtype);
    (0..len).map(|_| element(dtype, &edges, numbers)).collect()
}

/// Every way to combine that a dtype has: each reduction, with and without self, and means.
fn updates(dtype: DType) -> Vec<Update> {
    let mut all = Vec::new();
    for include_self in [true, false] {
        for reduce in reduces(dtype) {
            all.push(Update { include_self, ..reduce.into() });
        }
        if dtype != DType::Bool {
            let mean = if include_self { Mean::WithSelf } else { Mean::OfUpdates };
            all.push(Update { include_self, mean, ..Reduce::Add.into() });
        }
    }
    all
}

one_thread!(updates_are_the_cpus);
/// Any mode, in half of the cases with an ignored value in or out of bounds.
fn random_mode(numbers: &mut Numbers) -> IndexMode {
    let ignored = [None, None, None, None, Some(0), Some(-1), Some(2), Some(-100)];
    IndexMode { out_of_range: numbers.pick(OutOfRange::ALL), ignored: numbers.pick(&ignored) }
}

/// Random scatters: every way to combine in turn, with any form, mode and source, an index at any place, prepared or not, and natively two
/// of three calls by a strategy that is forced.
async fn updates_are_the_cpus() {
    let Some(gpu) = gpu().await else { return };
    let mut numbers = Numbers(11);
    let (mut calls, mut failures) = (0, Vec::new());
    for &dtype in DType::ALL {
        for (round, update) in updates(dtype).into_iter().cycle().take(CALLS).enumerate() {
            let mode = random_mode(&mut numbers);
            let case = Case::new(dtype, mode, &mut numbers);
            let bits = draw(dtype, case.src.iter().product(), &mut numbers);
            let bits = without_zero_divisors(dtype, update.reduce, &bits);
            let src = tensor(dtype, &case.src, &bits);
            let is_scalar = numbers.below(4) == 0;
            // A scalar, or else the tensor that is given: `src` itself for the CPU, at another place for the GPU.
            let source =
                |src| if is_scalar { Scalar::load(bits[0], dtype).into() } else { Source::Tensor(src) };
            let mut expected = case.table.clone();
            case.scatter(case.target(case.index.clone()), source(src.clone()), update)
                .run(&mut expected)
                .unwrap();

            let (place, src_place) = (numbers.pick(&Place::ALL), numbers.pick(&Place::ALL));
            let index = put_at(place, &case.index);
            let is_planned = numbers.below(2) == 0;
            let target = if is_planned { case.planned(&index) } else { case.target(index) };
            let is_forced = cfg!(not(target_arch = "wasm32")) && round % 3 != 0;
            let forced = is_forced.then(|| numbers.pick(Strategy::ALL));
            gpu.force_strategy(forced);
            let mut result = case.table.upload().unwrap();
            let outcome = case.scatter(target, source(put_at(src_place, &src)), update).run(&mut result);
            gpu.force_strategy(None);
            let name = format!(
                "{dtype} {update:?} {:?} {mode:?} {:?} {place:?} planned: {is_planned}, scalar: {is_scalar}, \
                 {forced:?}",
                case.form,
                case.table.shape()
            );
            calls += 1;
            let text = match outcome {
                Ok(()) => difference(&expected, &result, update.reduce == Reduce::Replace).await,
                Err(error) => Some(error.to_string()),
            };
            failures.extend(text.map(|text| format!("{name}: {text}")));
        }
    }
    say(&format!("{}: {calls} scatters", gpu.facts().description));
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

one_thread!(gathers_of_every_mode_are_the_cpus);
/// Random gathers, with any form, mode and fill value, an index at any place, prepared or not.
async fn gathers_of_every_mode_are_the_cpus() {
    let Some(gpu) = gpu().await else { return };
    let mut numbers = Numbers(12);
    let (mut calls, mut failures) = (0, Vec::new());
    for &dtype in DType::ALL {
        for _ in 0..CALLS / 3 {
            let mode = random_mode(&mut numbers);
            let case = Case::new(dtype, mode, &mut numbers);
            let fill = Scalar::load(element(dtype, &edges(dtype), &mut numbers), dtype);
            let expected = case.gather(case.target(case.index.clone()), fill).run(&case.table).unwrap();
            let place = numbers.pick(&Place::ALL);
            let index = put_at(place, &case.index);
            let target = if numbers.below(2) == 0 { case.planned(&index) } else { case.target(index) };
            let result = case.gather(target, fill).run(&case.table.upload().unwrap()).unwrap();
            calls += 1;
            if let Some(text) = difference(&expected, &result, true).await {
                let (form, shape) = (case.form, case.table.shape());
                failures.push(format!("{dtype} {form:?} {mode:?} {shape:?} {place:?}: {text}"));
            }
        }
    }
    say(&format!("{}: {calls} gathers", gpu.facts().description));
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

one_thread!(zero_divisors_on_the_device);
/// A zero divisor that only the device sees: the error names the first one, even if an index value is bad too, and nothing is written. One
/// that the host sees is refused at once.
async fn zero_divisors_on_the_device() {
    if gpu().await.is_none() {
        return;
    }
    for &dtype in DType::ALL.iter().filter(|&&dtype| !dtype.is_float() && dtype != DType::Bool) {
        // The second index has a value that is out of bounds. The host would refuse it at once, so only the device may see it.
        for index in [[1i32, 0, 1, 2, 0, 1], [1, 0, 1, 2, 0, 7]] {
            let is_good = index[5] == 1;
            for place in Place::ALL.into_iter().filter(|_| is_good).chain([Place::Computed]) {
                let table = tensor(dtype, &[3], &[5, 6, 7]);
                // The first zero is at 3.
                let src = put_at(Place::Computed, &tensor(dtype, &[2, 3], &[3, 2, 1, 0, 0, 9]));
                let index = put_at(place, &Tensor::from_elements(&[6, 1], &index).unwrap());
                let src = src.reshape(&[6]).unwrap();
                let mut on_gpu = table.upload().unwrap();
                on_gpu.scatter_nd_(&index, &src, NdReduce::Div).unwrap();
                let error = on_gpu.to(Device::Cpu).await.err().unwrap();
                assert_eq!(
                    (error.code(), error.position_fact()),
                    (ErrorCode::ZeroDivisor, Some(&[3][..])),
                    "{error}"
                );
                assert_eq!(difference(&table, &on_gpu, true).await, None, "{dtype}");
            }
        }
        let mut on_gpu = tensor(dtype, &[3], &[5, 6, 7]).upload().unwrap();
        let (index, src) = (Tensor::from_elements(&[1], &[0i32]).unwrap(), tensor(dtype, &[1], &[0]));
        for src in [Source::from(&src), Source::from(0)] {
            let error = on_gpu.scatter_(0, &index, src, Reduce::Divide).err().unwrap();
            assert_eq!(error.code(), ErrorCode::ZeroDivisor);
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
one_thread!(long_runs_of_divisors);
/// More divisors of one place than a thread takes in one dispatch, by each strategy that applies, as a tensor and as a scalar.
#[cfg(not(target_arch = "wasm32"))]
async fn long_runs_of_divisors() {
    const LEN: usize = 40_000;
    let Some(gpu) = gpu().await else { return };
    for dtype in [DType::Float32, DType::Float64, DType::Int64, DType::Float16] {
        // Quotients stay in range and change up to the last divisor: eight are 2, the last among them, and the others near 1.
        let divisor = |k: usize| match k % 5000 {
            4999 => 2.0,
            _ if dtype.is_float() => 1.0 + (k % 11) as f64 / 1024.0 - 5.0 / 1024.0,
            _ => 1.0,
        };
        let src: Vec<f64> = (0..LEN).map(divisor).collect();
        let src = Tensor::from_elements(&[LEN], &src).unwrap().astype(dtype).unwrap();
        let index = Tensor::zeros(&[LEN], DType::Int32).unwrap();
        let table = Tensor::from_elements(&[2], &[1234.5f64, -77.0]).unwrap().astype(dtype).unwrap();
        // The scalar is 1 in float16 too.
        let scalar = if dtype.is_float() { 1.0001 } else { 1.0 };
        for source in [Source::from(&src), Source::from(scalar)] {
            let expected =
                table.scatter_nd(&index.reshape(&[LEN, 1]).unwrap(), source.clone(), NdReduce::Div);
            let expected = expected.unwrap();
            for &strategy in Strategy::ALL {
                gpu.force_strategy(Some(strategy));
                let indices = index.reshape(&[LEN, 1]).unwrap();
                let result = table.upload().unwrap().scatter_nd(&indices, source.clone(), NdReduce::Div);
                gpu.force_strategy(None);
                let text = difference(&expected, &result.unwrap(), false).await;
                assert_eq!(text, None, "{dtype} {strategy:?}");
            }
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
one_thread!(means_of_many);
/// Means of 2^24 + 4 zeros and the element that is there: 2^24 + 5 terms, a number that float32 does not have. For two dtypes of integers
/// and two of floats: each takes a second, and the number of terms is found the same way for all.
#[cfg(not(target_arch = "wasm32"))]
async fn means_of_many() {
    const LEN: usize = (1 << 24) + 4; // zeros: the element is one more term
    if gpu().await.is_none() {
        return;
    }
    let index = Tensor::zeros(&[LEN], DType::Int32).unwrap();
    let on_gpu = index.upload().unwrap();
    let mut numbers = Numbers(13);
    for dtype in [DType::Int32, DType::Uint64, DType::Bfloat16, DType::Float32] {
        let table = tensor(dtype, &[1], &draw(dtype, 1, &mut numbers));
        let mean = |table: &Tensor, index: &Tensor| {
            table.scatter_reduce(0, index, 0, scatterwise::Reduction::Mean, true).unwrap()
        };
        let (expected, result) = (mean(&table, &index), mean(&table.upload().unwrap(), &on_gpu));
        assert_eq!(difference(&expected, &result, false).await, None, "{dtype}");
    }
}

one_thread!(nothing_to_write);
/// Calls on a table without elements write nothing, and check their index all the same. Where the mode leaves entries out, the table needs
/// no place for them, and a gather gives the fill value.
async fn nothing_to_write() {
    if gpu().await.is_none() {
        return;
    }
    let bad = put_at(Place::Computed, &Tensor::from_elements(&[2], &[0i32, 4]).unwrap());
    let empty = Tensor::zeros(&[0, 4], DType::Float32).unwrap();
    for update in updates(DType::Float32) {
        let mut table = empty.upload().unwrap();
        let src = Tensor::zeros(&[0, 2], DType::Float32).unwrap();
        let call = Scatter::new(Op::IndexAddInPlace, Target::slices(1, &bad), src.into(), update);
        call.run(&mut table).unwrap();
        let error = table.to(Device::Cpu).await.err().unwrap();
        assert_eq!((error.code(), error.position_fact()), (ErrorCode::IndexOutOfRange, Some(&[1][..])));

        let src = Tensor::zeros(&[2, 4], DType::Float32).unwrap();
        for place in Place::ALL {
            let index = put_at(place, &Tensor::from_elements(&[2], &[0i32, 4]).unwrap());
            let (target, mode) = (Target::slices(0, &index), OutOfRange::Drop.into());
            let call = Scatter::new(Op::IndexAddInPlace, target, (&src).into(), update);
            Scatter { mode, ..call }.run(&mut table).unwrap();
            assert!(table.to(Device::Cpu).await.is_ok());
        }
    }
    let read = empty.upload().unwrap().index_select(1, &bad).unwrap();
    assert!(read.to(Device::Cpu).await.is_err());
    for place in Place::ALL {
        let index = put_at(place, &Tensor::from_elements(&[2], &[0i32, 4]).unwrap());
        let call = Gather::new(Op::IndexSelect, Target::slices(0, &index));
        let call = Gather { mode: OutOfRange::Drop.into(), fill_value: 2.5.into(), ..call };
        let filled = call.run(&empty.upload().unwrap()).unwrap().to(Device::Cpu).await.unwrap();
        assert_eq!(filled.elements::<f32>(), Some(&[2.5; 8][..]), "{place:?}");
    }
}
