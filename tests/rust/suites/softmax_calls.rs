//! `scatter_softmax` and `scatter_logsumexp` against the calls that define them, bit for bit, and against the formula in float64: every
//! float dtype, dims, shapes and dtypes of the index, kinds of groups, and numbers that are not ordinary.

use scatterwise::{
    Activation, DType, Device, Op, Reduce, Reduction, Result, Scalar, Scatter, Sum, Target, Tensor, Update,
    activate, elementwise_add, elementwise_div, elementwise_max, elementwise_min, elementwise_sub,
    scatter_logsumexp, scatter_softmax, scatter_softmax_vjp,
};

use crate::common::backends::{Backend, on_each_backend, read};
use crate::common::data::{Data, numbers};
use crate::common::report::{Fault, Row, equal, same};

const FLOATS: [DType; 4] = [DType::Float32, DType::Float64, DType::Float16, DType::Bfloat16];

/// A call: the groups of its entries, row-major in the shape of the index.
struct Case {
    name: &'static str,
    dims: &'static [usize],
    dim: i64,
    /// Of rank 1, or of src's rank.
    index_dims: &'static [usize],
    group: fn(usize) -> usize,
    /// The skipped entries.
    is_ignored: Option<fn(usize) -> bool>,
}

const IGNORED: i64 = -100;

/// A number without a pattern.
fn mixed(k: usize) -> usize {
    (k as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) as usize & 0xffff
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    Case { name: "groups of one", dims: &[70], dim: 0, index_dims: &[70], group: |k| 69 - k, is_ignored: None },
    Case { name: "groups without entries", dims: &[70], dim: -1, index_dims: &[70], group: |k| 3 * (k % 20) + 1, is_ignored: None },
    Case { name: "one group", dims: &[130], dim: 0, index_dims: &[130], group: |_| 0, is_ignored: None },
    Case { name: "one entry", dims: &[1], dim: 0, index_dims: &[1], group: |_| 2, is_ignored: None },
    Case { name: "no entries", dims: &[0], dim: 0, index_dims: &[0], group: |_| 0, is_ignored: None },
    Case { name: "several blocks", dims: &[3000], dim: 0, index_dims: &[3000], group: |k| mixed(k) % 700, is_ignored: None },
    Case { name: "slices of rows", dims: &[700, 5], dim: 0, index_dims: &[700], group: |k| mixed(k) % 90, is_ignored: None },
    Case { name: "long rows", dims: &[5, 1100], dim: 0, index_dims: &[5], group: |k| k % 2, is_ignored: None },
    Case { name: "slices of columns", dims: &[5, 700], dim: 1, index_dims: &[700], group: |k| mixed(k) % 90, is_ignored: None },
    Case { name: "slices between dims", dims: &[3, 41, 4], dim: -2, index_dims: &[41], group: |k| mixed(k) % 6, is_ignored: None },
    Case { name: "an index for each entry", dims: &[3, 41, 4], dim: 1, index_dims: &[3, 41, 4], group: |k| mixed(k) % 6, is_ignored: None },
    Case { name: "an index for each column", dims: &[41, 30], dim: 0, index_dims: &[1, 30], group: |k| mixed(k) % 6, is_ignored: None },
    Case { name: "an index for each row", dims: &[41, 30], dim: 1, index_dims: &[41, 1], group: |k| mixed(k) % 6, is_ignored: None },
    Case { name: "ignored entries", dims: &[3000], dim: 0, index_dims: &[3000], group: |k| mixed(k) % 700, is_ignored: Some(|k| mixed(k + 7).is_multiple_of(3)) },
    Case { name: "ignored rows", dims: &[700, 5], dim: 0, index_dims: &[700], group: |k| mixed(k) % 90, is_ignored: Some(|k| mixed(k + 7).is_multiple_of(2)) },
    Case { name: "ignored at both ends", dims: &[3, 41, 4], dim: 1, index_dims: &[3, 41, 4], group: |k| mixed(k) % 6, is_ignored: Some(|k| !(40..450).contains(&k)) },
    Case { name: "ignored columns", dims: &[41, 30], dim: 0, index_dims: &[1, 30], group: |k| mixed(k) % 6, is_ignored: Some(|k| k % 3 == 0) },
    Case { name: "ignored slices between dims", dims: &[3, 41, 4], dim: -2, index_dims: &[41], group: |k| mixed(k) % 6, is_ignored: Some(|k| k % 4 < 2) },
    Case { name: "ignored slices of columns", dims: &[5, 700], dim: 1, index_dims: &[700], group: |k| mixed(k) % 90, is_ignored: Some(|k| mixed(k + 7).is_multiple_of(3)) },
    Case { name: "one group without its ends", dims: &[130], dim: 0, index_dims: &[130], group: |_| 0, is_ignored: Some(|k| k == 0 || k == 129) },
    Case { name: "no entry is ignored", dims: &[70], dim: 0, index_dims: &[70], group: |k| k % 9, is_ignored: Some(|_| false) },
];

impl Case {
    /// The number of entries.
    fn count(&self) -> usize {
        self.dims.iter().product()
    }

    /// The value of the index that names the group of an entry.
    fn value_of(&self, entry: usize) -> usize {
        let axis = self.dim.rem_euclid(self.dims.len() as i64) as usize;
        let (mut rest, mut coordinates) = (entry, vec![0; self.dims.len()]);
        for (at, &len) in coordinates.iter_mut().zip(self.dims).rev() {
            (*at, rest) = (rest % len, rest / len);
        }
        if self.index_dims.len() != self.dims.len() {
            return coordinates[axis];
        }
        let steps = self.index_dims.iter().zip(&coordinates);
        steps.fold(0, |at, (&len, &coordinate)| at * len + coordinate.min(len - 1))
    }

    fn is_ignored(&self, value: usize) -> bool {
        self.is_ignored.is_some_and(|is_ignored| is_ignored(value))
    }

    fn ignored(&self) -> Option<i64> {
        self.is_ignored.map(|_| IGNORED)
    }

    /// How many groups there are, empty ones too.
    fn groups(&self) -> usize {
        let values = 0..self.index_dims.iter().product();
        values
            .filter(|&value| !self.is_ignored(value))
            .map(|value| (self.group)(value) + 1)
            .max()
            .unwrap_or(0)
    }

    /// The index of the call.
    fn index(&self, dtype: DType) -> Data {
        let values = 0..self.index_dims.iter().product();
        let number = |value| if self.is_ignored(value) { IGNORED } else { (self.group)(value) as i64 };
        Data::from_bits(dtype, self.index_dims, values.map(|value| number(value) as u64))
    }

    /// The index in the shape of src. A skipped entry has a group behind all others.
    fn whole_index(&self) -> Data {
        let number = |value| if self.is_ignored(value) { self.groups() } else { (self.group)(value) };
        let bits = (0..self.count()).map(|entry| number(self.value_of(entry)) as u64);
        Data::from_bits(DType::Int64, self.dims, bits)
    }

    /// The shape of a tensor with a row for each group and the one behind them.
    fn table(&self) -> Vec<usize> {
        let mut dims = self.dims.to_vec();
        let axis = self.dim.rem_euclid(dims.len() as i64) as usize;
        dims[axis] = self.groups() + 1;
        dims
    }
}

/// The entries of a call. Those of `is_hard` have infinities, NaN, and numbers at both ends of the range.
fn entries(dtype: DType, dims: &[usize], is_hard: bool) -> Data {
    let end = if dtype == DType::Float16 { 6e4 } else { 1e30 };
    let number = |k: usize| match mixed(k + 3) % 40 {
        0 if is_hard => f64::NEG_INFINITY,
        1 if is_hard && mixed(k).is_multiple_of(4) => f64::INFINITY,
        2 if is_hard && mixed(k).is_multiple_of(4) => f64::NAN,
        3 if is_hard => end,
        4 if is_hard => -end,
        5 if is_hard => -0.0,
        _ => mixed(k) as f64 / 4096.0 - 8.0,
    };
    let count: usize = dims.iter().product();
    Data::from_bits(dtype, dims, (0..count).map(|k| Scalar::Float(number(k)).cast(dtype)))
}

/// What softmax and logsumexp are made of: the entries in the dtype of the computation, the largest of each group, the exponentials, and
/// their exact sums.
struct Parts {
    index: Tensor,
    maxima: Tensor,
    exponentials: Tensor,
    sums: Tensor,
}

/// `is_of_log`: whether infinite maxima become the ends of the range of finite numbers.
fn parts(case: &Case, src: &Tensor, backend: &Backend, is_of_log: bool) -> Result<Parts> {
    let dtype = if src.dtype().size() == 2 { DType::Float32 } else { src.dtype() };
    let (src, index) = (src.astype(dtype)?, backend.put(&case.whole_index())?);
    let filled = |number: f64| {
        let count = case.table().iter().product::<usize>();
        let bits = vec![Scalar::Float(number).cast(dtype); count];
        backend.put(&Data::from_bits(dtype, &case.table(), bits))
    };
    let mut maxima = filled(f64::NEG_INFINITY)?;
    maxima.scatter_reduce_(case.dim, &index, &src, Reduction::Amax, true)?;
    if is_of_log {
        let most = if dtype == DType::Float32 { f32::MAX.into() } else { f64::MAX };
        maxima =
            elementwise_min(&elementwise_max(&maxima, &filled(-most)?, -1, None)?, &filled(most)?, -1, None)?;
    }
    let gathered = maxima.gather(case.dim, &index)?;
    let exponentials = elementwise_sub(&src, &gathered, -1, Some(Activation::Exp))?;
    let mut sums = filled(0.0)?;
    let exact = Update { sum: Sum::Exact, ..Reduce::Add.into() };
    let target = Target::along(case.dim, &index);
    Scatter::new(Op::ScatterAddInPlace, target, (&exponentials).into(), exact).run(&mut sums)?;
    Ok(Parts { index, maxima, exponentials, sums })
}

/// The result of softmax by those calls, on the device of the backend.
async fn composed_softmax(case: &Case, src: &Tensor, backend: &Backend) -> Result<Data> {
    let Parts { index, exponentials, sums, .. } = parts(case, src, backend, false)?;
    let result = elementwise_div(&exponentials, &sums.gather(case.dim, &index)?, -1, None)?;
    let mut result = read(&result.astype(src.dtype())?).await?;
    for entry in (0..case.count()).filter(|&entry| case.is_ignored(case.value_of(entry))) {
        result.set_bits(entry, 0);
    }
    Ok(result)
}

/// The same for logsumexp. No entry is skipped.
async fn composed_logsumexp(case: &Case, src: &Tensor, backend: &Backend) -> Result<Data> {
    let Parts { maxima, sums, .. } = parts(case, src, backend, true)?;
    let result = elementwise_add(&maxima, &activate(&sums, Activation::Log)?, -1, None)?;
    read(&result.astype(src.dtype())?).await
}

one_thread!(bits);
/// The bits are those of the calls, on the same device.
async fn bits() {
    on_each_backend("softmax by its parts", async |backend, report| {
        for case in CASES {
            for dtype in FLOATS {
                for (index_dtype, is_hard) in
                    [(DType::Int32, false), (DType::Int64, false), (DType::Int32, true)]
                {
                    let id = format!("{}, {dtype} by {index_dtype}, hard: {is_hard}", case.name);
                    report.row(&id, compare(case, dtype, index_dtype, is_hard, backend).await);
                }
            }
        }
    })
    .await;
}

async fn compare(case: &Case, dtype: DType, index_dtype: DType, is_hard: bool, backend: &Backend) -> Row {
    let src = backend.put(&entries(dtype, case.dims, is_hard))?;
    if dtype == DType::Float64 && src.device() != Device::Cpu {
        return Err(Fault::Skipped("float64 is refused on WebGPU".into()));
    }
    // On WebGPU the index comes from host memory: of an uploaded one not every ignored value is known.
    let index = case.index(index_dtype).tensor();
    let got = read(&scatter_softmax(&src, &index, case.dim, case.ignored(), None)?).await?;
    same("softmax", composed_softmax(case, &src, backend).await?.difference(&got))?;
    if case.is_ignored.is_some() {
        return Ok(());
    }
    // The table of the definition has a row behind those of the groups.
    let got = read(&scatter_logsumexp(&src, &index, case.dim, None, Some(case.groups() + 1))?).await?;
    same("logsumexp", composed_logsumexp(case, &src, backend).await?.difference(&got))
}

one_thread!(values);
/// The values are near those of the formula.
async fn values() {
    on_each_backend("softmax by the formula", async |backend, report| {
        for case in CASES {
            for dtype in FLOATS {
                report.row(&format!("{}, {dtype}", case.name), formula(case, dtype, backend).await);
            }
        }
    })
    .await;
}

async fn formula(case: &Case, dtype: DType, backend: &Backend) -> Row {
    let entries = entries(dtype, case.dims, false);
    let src = backend.put(&entries)?;
    if dtype == DType::Float64 && src.device() != Device::Cpu {
        return Err(Fault::Skipped("float64 is refused on WebGPU".into()));
    }
    let index = case.index(DType::Int32).tensor();
    let got = numbers(&read(&scatter_softmax(&src, &index, case.dim, case.ignored(), None)?).await?);
    let zeros = backend.put(&Data::from_bits(dtype, case.dims, vec![0; case.count()]))?;
    let gradient = scatter_softmax_vjp(&src, &index, case.dim, case.ignored(), None, &zeros)?;
    // Of a cotangent of zeros no entry has a gradient.
    equal("a gradient", numbers(&read(&gradient).await?).iter().any(|&number| number != 0.0), false)?;
    let x = numbers(&entries);
    // Entries in one line along dim, by their group.
    let axis = case.dim.rem_euclid(case.dims.len() as i64) as usize;
    let inside: usize = case.dims[axis + 1..].iter().product();
    let place = |entry: usize| {
        let around = inside * case.dims[axis];
        (entry / around.max(1), entry % inside.max(1), (case.group)(case.value_of(entry)))
    };
    let mut sums = std::collections::HashMap::new();
    let counts = |entry: &usize| !case.is_ignored(case.value_of(*entry));
    for entry in (0..case.count()).filter(counts) {
        *sums.entry(place(entry)).or_insert(0.0) += x[entry].exp();
    }
    let unit = match dtype {
        DType::Float64 => 1e-14,
        DType::Float32 => 2e-6,
        DType::Float16 => 1e-3,
        _ => 8e-3,
    };
    for entry in 0..case.count() {
        let expected = if counts(&entry) { x[entry].exp() / sums[&place(entry)] } else { 0.0 };
        // float16 has no smaller normal number than 6.1e-5.
        let is_near = (got[entry] - expected).abs()
            <= unit * expected + if dtype == DType::Float16 { 1e-7 } else { 0.0 };
        equal(&format!("entry {entry}: {} is near {expected}", got[entry]), is_near, true)?;
    }
    Ok(())
}

one_thread!(hot);
/// A million entries in one group. Each gets the same share, a power of two, so that no rounding hides a lost term.
async fn hot() {
    const COUNT: usize = 1 << 20;
    on_each_backend("softmax of a million in one group", async |backend, report| {
        let run = async || -> Row {
            let src = backend.put(&Data::new(&[COUNT], &vec![-3.5f32; COUNT]))?;
            let index = Data::new(&[COUNT], &vec![1i32; COUNT]).tensor();
            let share = 1.0 / COUNT as f32;
            let got = read(&scatter_softmax(&src, &index, 0, None, None)?).await?;
            same("softmax", Data::new(&[COUNT], &vec![share; COUNT]).difference(&got))?;
            let got = numbers(&read(&scatter_logsumexp(&src, &index, 0, None, Some(3))?).await?);
            equal("empty groups", [got[0], got[2]], [f64::NEG_INFINITY; 2])?;
            equal("logsumexp", (got[1] - ((COUNT as f64).ln() - 3.5)).abs() < 2e-6, true)
        };
        report.row("hot", run().await);
    })
    .await;
}

#[test]
fn a_call_does_not_change_its_index_and_sees_its_changes() {
    let src = Tensor::from_elements(&[4], &[0.0f32; 4]).unwrap();
    let mut index = Tensor::from_elements(&[4], &[0, 0, 1, 1]).unwrap();
    let shares = |index: &Tensor| Data::of(&scatter_softmax(&src, index, 0, None, None).unwrap());
    assert!(Data::new(&[4], &[0.5f32; 4]).difference(&shares(&index)).is_none());
    // The first call noted the range of the index. A larger value is new, and so is a negative one.
    index
        .scatter_reduce_(0, &Tensor::from_elements(&[1], &[3]).unwrap(), 900, Reduction::Sum, false)
        .unwrap();
    assert!(Data::new(&[4], &[0.5f32, 0.5, 1.0, 1.0]).difference(&shares(&index)).is_none());
    index.scatter_reduce_(0, &Tensor::from_elements(&[1], &[2]).unwrap(), -1, Reduction::Sum, false).unwrap();
    let error = scatter_softmax(&src, &index, 0, None, None).map(|_| ()).unwrap_err();
    assert_eq!(error.position_fact(), Some(&[2][..]));
}
