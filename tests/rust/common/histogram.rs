//! Calls of `bincount`, `histogram`, `histogramdd` and `binned_statistic`, their definition as loops, and their conformance vectors. A
//! column is one dimension of the samples: `histogramdd` and `binned_statistic` take rows of x by all of their columns, the others have one.

use scatterwise::{
    Bins, CountOptions, DType, Length, Reduce, Scalar, Statistic, Sum, Tensor, Weights, bincount,
    binned_statistic, histogram, histogramdd,
};
use serde_json::{Map, Value};

use crate::common::backends::{Backend, Place};
use crate::common::data::Data;
use crate::common::exact;
use crate::common::oracle::{self, Places, Updates};
use crate::common::vectors::{accepted_errors, scalar, tensor};

/// How a column is divided into bins.
#[derive(Debug, Clone)]
pub(crate) enum Division {
    /// That many bins of equal width.
    Count(i64),
    /// Bins between these ascending edges.
    Edges(Data),
}

/// The function that is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Bincount(Length),
    /// Whether it makes a density of the counts.
    Histogram(bool),
    Histogramdd,
    /// The values are the weights.
    Binned(Statistic),
}

impl Kind {
    /// Whether samples are rows of x.
    fn has_rows(self) -> bool {
        matches!(self, Self::Histogramdd | Self::Binned(_))
    }
}

/// A call of one of the four.
#[derive(Debug, Clone)]
pub(crate) struct Counting {
    pub(crate) kind: Kind,
    /// The samples: rows and columns for `histogramdd`, else a list.
    pub(crate) x: Data,
    /// One for each column; `bincount` ignores them.
    pub(crate) bins: Vec<Division>,
    /// One for each of `bins`: the first and the last edge; `None` where these follow from the values.
    pub(crate) ranges: Vec<Option<[f64; 2]>>,
    /// One for each sample; without them each counts 1.
    pub(crate) weights: Option<Data>,
    /// What the sums of weights are.
    pub(crate) sum: Sum,
    /// Which samples count; all without it.
    pub(crate) mask: Option<Data>,
    /// The dimension along which samples are counted.
    pub(crate) dim: Option<i64>,
    /// The dtype of the result, if it is given.
    pub(crate) dtype: Option<DType>,
}

impl Counting {
    /// A call without ranges and weights.
    pub(crate) fn new(kind: Kind, x: Data, bins: Vec<Division>) -> Self {
        let ranges = vec![None; bins.len()];
        Self { kind, x, ranges, bins, weights: None, sum: Sum::Ordered, mask: None, dim: None, dtype: None }
    }

    /// Makes the call, with its operands at `place`. Returns the counts and behind them the edges of each column, which
    /// `bincount` does not have.
    pub(crate) fn run(&self, backend: &Backend, place: Place) -> scatterwise::Result<Vec<Tensor>> {
        let x = match backend {
            Backend::Cpu => self.x.tensor(),
            // The call runs on the device of x, so that x is uploaded for `Host` too; weights stay where `place` says.
            #[cfg(feature = "webgpu")]
            _ if place == Place::Host => backend.put(&self.x)?,
            #[cfg(feature = "webgpu")]
            _ => backend.put_at(place, &self.x)?,
        };
        let weights = self.weights.as_ref().map(|weights| backend.put_at(place, weights)).transpose()?;
        let mask = self.mask.as_ref().map(|mask| backend.put_at(place, mask)).transpose()?;
        let (values, mask) = (weights.as_ref(), mask.as_ref());
        let weights = values.map(|values| Weights { values, sum: self.sum });
        let options = CountOptions { weights, mask, dim: self.dim, dtype: self.dtype };
        let mut columns = Vec::new();
        for (bins, range) in self.bins.iter().zip(&self.ranges) {
            columns.push((bins.bins(backend, place)?, *range));
        }
        let (hist, edges) = match self.kind {
            Kind::Bincount(length) => (bincount(&x, options, length)?, Vec::new()),
            Kind::Histogram(density) => {
                let (hist, edges) = histogram(&x, &columns[0].0, columns[0].1, options, density)?;
                (hist, vec![edges])
            }
            Kind::Histogramdd => histogramdd(&x, &columns, options)?,
            Kind::Binned(statistic) => binned_statistic(&x, values, statistic, &columns, mask)?,
        };
        Ok([vec![hist], edges].concat())
    }

    /// Whether each sample counts.
    fn kept(&self) -> Vec<bool> {
        let samples = if self.kind.has_rows() { self.x.dims[0] } else { self.x.len() };
        self.mask
            .as_ref()
            .map_or(vec![true; samples], |mask| mask.bytes.iter().map(|&byte| byte != 0).collect())
    }

    /// For each sample its group, and the sizes of the dimensions that come before the bins.
    fn groups(&self) -> (Vec<usize>, Vec<usize>) {
        let Some(dim) = self.dim else { return (vec![0; self.kept().len()], Vec::new()) };
        let rank = self.x.dims.len();
        let dim = if dim < 0 { (dim + rank as i64) as usize } else { dim as usize };
        let others: Vec<usize> = (0..rank).filter(|&at| at != dim).map(|at| self.x.dims[at]).collect();
        let group_of = |sample: usize| {
            // The coordinates of the sample, without that along dim, in row-major order.
            let (mut rest, mut place) = (sample, vec![0; rank]);
            for at in (0..rank).rev() {
                (rest, place[at]) = (rest / self.x.dims[at], rest % self.x.dims[at]);
            }
            (0..rank).filter(|&at| at != dim).fold(0, |group, at| group * self.x.dims[at] + place[at])
        };
        ((0..self.x.len()).map(group_of).collect(), others)
    }

    /// The counts and the edges of each column by the definition. No density is made: only the vectors check that division.
    pub(crate) fn expected(&self) -> Vec<Data> {
        if let Kind::Bincount(length) = self.kind {
            return vec![self.expected_bincount(length)];
        }
        let columns = self.bins.len();
        let rows = self.x.len() / columns.max(1); // x may have no columns
        let (values, kept) = (numbers(&self.x), self.kept());
        let column =
            |at: usize| (0..rows).filter(|&row| kept[row]).map(|row| values[row * columns + at]).collect();
        let edges: Vec<Data> = (0..columns).map(|at| self.edges(at, &column(at) as &Vec<f64>)).collect();
        let dims: Vec<usize> = edges.iter().map(|edges| edges.len() - 1).collect();
        let edge_values: Vec<Vec<f64>> = edges.iter().map(numbers).collect();
        // For each row the row-major position of its bin, `None` where a column is outside of all bins.
        let places: Vec<Option<u64>> = (0..rows)
            .map(|row| {
                let mut place = 0;
                for (at, edges) in edge_values.iter().enumerate() {
                    place = place * (edges.len() - 1) as u64 + bin(edges, values[row * columns + at])?;
                }
                Some(place)
            })
            .collect();
        if let Kind::Binned(statistic) = self.kind {
            let places =
                places.iter().zip(&kept).map(|(place, &is_kept)| place.filter(|_| is_kept)).collect();
            return [vec![self.expected_statistic(statistic, &dims, places)], edges].concat();
        }
        let counts = if self.kind == Kind::Histogramdd { DType::Float64 } else { DType::Int64 };
        let out = self.weights.as_ref().map_or(counts, |weights| weights.dtype);
        [vec![self.sums(out, &dims, places)], edges].concat()
    }

    /// The counts, or the sums of weights, of the values from 0 to the largest, or as many as the length says.
    fn expected_bincount(&self, length: Length) -> Data {
        let values: Vec<u64> = numbers(&self.x).iter().map(|&value| value as u64).collect();
        let kept = values.iter().zip(self.kept()).filter(|(_, is_kept)| *is_kept);
        let needed = kept.map(|(value, _)| value + 1).max().unwrap_or(0);
        let len = match length {
            Length::AtLeast(least) => needed.max(least as u64),
            Length::Exactly(len) => len as u64,
        };
        let out = match self.weights.as_ref().map(|weights| weights.dtype) {
            None => DType::Int64,
            Some(DType::Float32) => DType::Float32,
            Some(_) => DType::Float64,
        };
        let places = values.into_iter().map(|value| Some(value).filter(|&value| value < len));
        self.sums(out, &[len as usize], places.collect())
    }

    /// The sums of samples in places of their group: of their weights, or of 1 each. `own` is the dtype of the result if none is given.
    fn sums(&self, own: DType, dims: &[usize], places: Vec<Option<u64>>) -> Data {
        let (groups, others) = self.groups();
        let len: usize = dims.iter().product();
        let place = |(sample, place): (usize, Option<u64>)| Some((groups[sample] * len) as u64 + place?);
        let kept = self.kept();
        let places: Vec<Option<u64>> =
            places.into_iter().enumerate().map(|sample| place(sample).filter(|_| kept[sample.0])).collect();
        let out = self.dtype.unwrap_or(own);
        // Counts are converted at the end.
        let dtype = if self.weights.is_some() { out } else { DType::Int64 };
        let weights = self.weights.as_ref().map(|weights| converted(weights, dtype));
        converted(&sums_at(dtype, [&others, dims].concat(), &places, weights), out)
    }

    /// The statistic of each row of values in the places.
    fn expected_statistic(&self, statistic: Statistic, dims: &[usize], places: Vec<Option<u64>>) -> Data {
        let samples = places.len();
        let one = Data::new(&[samples], &vec![1.0; samples]);
        let values = self.weights.as_ref().unwrap_or(&one);
        let rows: Vec<usize> = values.dims[..values.dims.len() - 1].to_vec();
        let dtype = if statistic == Statistic::Count { DType::Float64 } else { values.dtype };
        let mut all = Vec::new();
        for row in 0..rows.iter().product() {
            for place in 0..dims.iter().product::<usize>() as u64 {
                let own = (0..samples).filter(|&sample| places[sample] == Some(place));
                let own: Vec<u64> = own.map(|sample| values.bits(row * samples + sample)).collect();
                all.push(statistic_of(statistic, dtype, &own));
            }
        }
        Data::from_bits(dtype, &[&rows, dims].concat(), all)
    }

    /// The edges of a column that has these values, one more than it has bins: as given, or at equal distances from the first to the
    /// last, each operation rounded as NumPy rounds it.
    fn edges(&self, column: usize, values: &[f64]) -> Data {
        let bins = match &self.bins[column] {
            Division::Edges(edges) => return edges.clone(),
            Division::Count(bins) => *bins as usize,
        };
        let float_of_x = if is_float(self.x.dtype) { self.x.dtype } else { DType::Float64 };
        // Only edges that follow from the values are computed in their dtype.
        let (mut low, mut high, arithmetic) = match self.ranges[column] {
            Some([low, high]) => (low, high, DType::Float64),
            // Only if there are no samples at all; a mask that keeps none is like a sample from 0 to 1.
            None if values.is_empty() && self.x.len() == 0 => (0.0, 1.0, DType::Float64),
            None if values.is_empty() => (0.0, 1.0, float_of_x),
            None => (least(values), greatest(values), float_of_x),
        };
        // `histogram` converts edges that were computed in float64; `histogramdd` returns them as they are.
        let dtype = if self.kind.has_rows() { arithmetic } else { float_of_x };
        let round = |value: f64| Scalar::load(Scalar::Float(value).cast(arithmetic), arithmetic).as_f64();
        // All values are the same: a range of width 1 around them.
        if low == high {
            (low, high) = (round(low - 0.5), round(high + 0.5));
        }
        let (width, count) = (round(high - low), round(bins as f64));
        let step = round(width / count);
        // Where the width of a bin rounds to 0, the fraction of the range is rounded first. The last edge is `high` itself.
        let from_low = |at: f64| if step == 0.0 { round(at / count) * width } else { at * step };
        let edge = |at: usize| if at == bins { high } else { round(low + round(from_low(round(at as f64)))) };
        Data::from_bits(dtype, &[bins + 1], (0..=bins).map(|at| Scalar::Float(edge(at)).cast(dtype)))
    }
}

/// The statistic of the values with these bits, which are in one bin.
fn statistic_of(statistic: Statistic, dtype: DType, values: &[u64]) -> u64 {
    let count = values.len();
    if statistic == Statistic::Count {
        return Scalar::Int(count as i128).cast(dtype);
    }
    let data = Data::from_bits(dtype, &[count], values.to_vec());
    if !is_float(dtype) {
        return sums_at(dtype, vec![1], &vec![Some(0); count], Some(data)).bits(0);
    }
    let terms = numbers(&data);
    let reduce = match statistic {
        // The exact sum begins with +0.
        Statistic::Sum | Statistic::Count => {
            return exact::quotient(dtype, &[&[0.0], &terms[..]].concat(), 1);
        }
        Statistic::Mean | Statistic::Min | Statistic::Max if count == 0 => {
            return Scalar::Float(f64::NAN).cast(dtype);
        }
        Statistic::Mean => return exact::quotient(dtype, &terms, count as u64),
        Statistic::Min => Reduce::Minimum,
        Statistic::Max => Reduce::Maximum,
    };
    let first = Data::from_bits(dtype, &[1], vec![values[0]]);
    let updates = Updates::Tensor(Data::from_bits(dtype, &[count - 1], values[1..].to_vec()));
    let index = Data::new(&[count - 1], &vec![0i64; count - 1]);
    oracle::scatter(&first, Places::Along(0), &index, &updates, reduce).bits(0)
}

/// The least of one number or more; −0 is less than 0.
fn least(values: &[f64]) -> f64 {
    let mut least = values[0];
    for &value in values {
        if value < least || value == least && value.is_sign_negative() {
            least = value;
        }
    }
    least
}

/// The greatest of one number or more; 0 is greater than −0.
fn greatest(values: &[f64]) -> f64 {
    -least(&values.iter().map(|value| -value).collect::<Vec<_>>())
}

impl Division {
    /// The bins of a call, with edges at `place`.
    fn bins(&self, backend: &Backend, place: Place) -> scatterwise::Result<Bins> {
        Ok(match self {
            Self::Count(count) => Bins::Count(*count),
            Self::Edges(edges) => Bins::Edges(backend.put_at(place, edges)?),
        })
    }
}

/// Whether elements are floats; bool counts as an integer.
pub(crate) fn is_float(dtype: DType) -> bool {
    dtype.int_range().is_none()
}

/// The elements as float64, rounded where that is needed.
pub(crate) fn numbers(data: &Data) -> Vec<f64> {
    (0..data.len()).map(|k| Scalar::load(data.bits(k), data.dtype).as_f64()).collect()
}

/// The bin that a value is in; `None` outside of all bins and for NaN. A bin includes its lower edge, the last bin its upper edge
/// too. There is at least one edge.
fn bin(edges: &[f64], value: f64) -> Option<u64> {
    let last = edges.len() - 1;
    for at in 0..last {
        if edges[at] <= value && value < edges[at + 1] {
            return Some(at as u64);
        }
    }
    (last > 0 && value == edges[last]).then(|| last as u64 - 1)
}

/// The elements converted to another dtype.
fn converted(data: &Data, dtype: DType) -> Data {
    Data::from_bits(
        dtype,
        &data.dims,
        (0..data.len()).map(|k| Scalar::load(data.bits(k), data.dtype).cast(dtype)),
    )
}

/// The sums in a tensor of shape `dims`: each sample adds its weight, or 1, at its row-major place, in the order of the samples. A
/// sample whose place is `None` is left out.
fn sums_at(dtype: DType, dims: Vec<usize>, places: &[Option<u64>], weights: Option<Data>) -> Data {
    let len: usize = dims.iter().product();
    // A sample that is left out goes to one more place behind the others, which is cut off at the end.
    let places: Vec<i64> =
        places.iter().map(|place| place.map_or(len as i64, |place| place as i64)).collect();
    let index = Data::new(&[places.len()], &places);
    let flat = |data: Data| Data { dims: vec![places.len()], ..data };
    let updates = weights.map_or(Updates::Scalar(Scalar::Int(1)), |weights| Updates::Tensor(flat(weights)));
    let table = Data::from_bits(dtype, &[len + 1], (0..=len).map(|_| 0));
    let mut out = oracle::scatter(&table, Places::Along(0), &index, &updates, Reduce::Add);
    out.bytes.truncate(len * dtype.size());
    Data { dims, ..out }
}

// ---------------------------------------------------------------- vectors

/// A case of a file of vectors.
pub(crate) struct Case {
    value: Value,
}

/// The four functions.
const OPS: [&str; 4] = ["bincount", "histogram", "histogramdd", "binned_statistic"];

/// The cases of the four functions in a file, which may have others.
pub(crate) fn cases(text: &str) -> Vec<Case> {
    let file: Value = serde_json::from_str(text).unwrap();
    let cases = file["cases"].as_array().unwrap().iter();
    let ours = cases.filter(|case| OPS.contains(&case["op"].as_str().unwrap()));
    ours.map(|value| Case { value: value.clone() }).collect()
}

impl Case {
    pub(crate) fn id(&self) -> &str {
        self.value["id"].as_str().unwrap()
    }

    /// Whether a test fails where the case does; else it is recorded for information.
    pub(crate) fn required(&self) -> bool {
        self.value["required"].as_bool().unwrap()
    }

    /// The call; `None` where an argument is of a kind that only JavaScript can pass.
    pub(crate) fn call(&self) -> Option<Counting> {
        let options: &Map<String, Value> = self.value["kwargs"].as_object().unwrap();
        let get = |name: &str| options.get(name);
        let x = data(&self.value["self"])?;
        let division =
            |value: &Value| data(value).map(Division::Edges).or(value.as_i64().map(Division::Count));
        let columns = x.dims.get(1).copied().unwrap_or(1);
        let kind = match self.value["op"].as_str().unwrap() {
            "bincount" => Kind::Bincount(get("minlength").map_or(Some(0), Value::as_i64)?.into()),
            "histogram" => Kind::Histogram(get("density").map_or(Some(false), Value::as_bool)?),
            "binned_statistic" => {
                let word = get("statistic").and_then(Value::as_str)?;
                Kind::Binned(Statistic::ALL[Statistic::NAMES.iter().position(|&name| name == word)?])
            }
            _ => Kind::Histogramdd,
        };
        // One division, or no range, stands for every column. A list gives the number of columns, else x does.
        let len = |name| get(name).and_then(Value::as_array).map(Vec::len);
        let count = if kind.has_rows() { len("bins").or(len("range")).unwrap_or(columns) } else { 1 };
        let bins = match get("bins") {
            None => vec![Division::Count(10); count], // the default of NumPy
            Some(Value::Array(list)) => list.iter().map(division).collect::<Option<_>>()?,
            Some(one) => vec![division(one)?; count],
        };
        let ranges = match get("range") {
            None => vec![None; count],
            Some(list) if kind.has_rows() => list.as_array()?.iter().map(ends).collect::<Option<_>>()?,
            Some(one) => vec![ends(one)?],
        };
        let named = |value: Option<&Value>| match value {
            None => Some(None),
            Some(value) => data(value).map(Some),
        };
        let weights = named(get("weights").or(self.value["args"].get("values").filter(|v| !v.is_null())))?;
        let mask = named(get("mask"))?;
        let dtype = match get("dtype").and_then(Value::as_str) {
            None => None,
            Some(name) => Some(DType::from_name(name)?),
        };
        let dim = get("dim").and_then(Value::as_i64);
        let sum = get("sum").map_or(Some("ordered"), Value::as_str)?;
        let sum = Sum::NAMES.iter().position(|&name| name == sum).map(|at| Sum::ALL[at])?;
        Some(Counting { kind, x, bins, ranges, weights, sum, mask, dim, dtype })
    }

    /// Whether the call must fail.
    pub(crate) fn must_fail(&self) -> bool {
        self.value["expect"].get("accept").is_some()
    }

    /// The results that pass, each as counts and edges. For a large result this is the definition's: recorded are only its hash and
    /// its first and last elements, which are compared here.
    pub(crate) fn accepted(&self, call: &Counting) -> Vec<Vec<Data>> {
        let none = Vec::new();
        let others = self.value.get("also_accept").map_or(&none, |others| others.as_array().unwrap());
        // Other results that are recorded only as a hash are left out: the definition gives only the first result.
        let others = others.iter().filter(|other| other.get("sha256").is_none());
        [&self.value["expect"]].into_iter().chain(others).map(|one| outputs(one, call)).collect()
    }

    /// The classes of error that pass, for a case of `errors_more.json`.
    pub(crate) fn accepted_errors(&self) -> Vec<&str> {
        accepted_errors(&self.value["expect"]).unwrap()
    }
}

/// A recorded result of a call: the counts, and the edges if the function returns them.
fn outputs(value: &Value, call: &Counting) -> Vec<Data> {
    let Some(outputs) = value.get("outputs") else { return vec![recorded_counts(value, call)] };
    let edges = match &outputs["edges"] {
        Value::Array(list) => list.iter().map(|edges| data(edges).unwrap()).collect(),
        one => vec![data(one).unwrap()],
    };
    [vec![recorded_counts(outputs.get("hist").unwrap_or(&outputs["statistic"]), call)], edges].concat()
}

/// Recorded counts. Of large ones only the first and the last elements are in the file (`head` and `tail`): then those of the
/// definition, which must begin and end like them.
fn recorded_counts(value: &Value, call: &Counting) -> Data {
    if value.get("sha256").is_none() {
        return data(value).unwrap();
    }
    let expected = call.expected().swap_remove(0);
    let [head, tail] = ["head", "tail"].map(|end| data(&value[end]).unwrap().bytes);
    assert!(expected.bytes.starts_with(&head) && expected.bytes.ends_with(&tail), "the definition as loops");
    expected
}

/// A recorded range: `Some(None)` for null, which means the range of the values; `None` if it is no range.
fn ends(value: &Value) -> Option<Option<[f64; 2]>> {
    if value.is_null() {
        return Some(None);
    }
    let [low, high] = value.as_array()?.as_slice() else { return None };
    Some(Some([scalar(low)?.as_f64(), scalar(high)?.as_f64()]))
}

/// A recorded tensor, whose elements may be those of a generator; `None` of any other value.
pub(crate) fn data(value: &Value) -> Option<Data> {
    match value.get("gen") {
        None => tensor(value),
        Some(generator) => generated(value, generator),
    }
}

/// A large tensor, recorded as dtype, shape, seed and kind of numbers. The elements come from xorshift32, as in the recording.
fn generated(value: &Value, generator: &Value) -> Option<Data> {
    let dtype = DType::from_name(value["dtype"].as_str()?)?;
    let dims: Vec<usize> =
        value["shape"].as_array()?.iter().map(|size| size.as_u64().unwrap() as usize).collect();
    let mut state = generator["seed"].as_u64()? as u32;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let bits = (0..dims.iter().product()).map(|_: usize| {
        let drawn = draw();
        let value = match generator["kind"].as_str().unwrap() {
            // From the upper 24 bits: −1 to 1, and 1 give or take 1/128.
            "pm1" => Scalar::Float(f64::from(drawn >> 8) / 8_388_608.0 - 1.0),
            "near1" => Scalar::Float(1.0 + (f64::from(drawn >> 8) / 16_777_216.0 - 0.5) / 64.0),
            "mod" => {
                let offset = generator.get("offset").map_or(0, |offset| offset.as_i64().unwrap());
                Scalar::Int((i64::from(drawn) % generator["mod"].as_i64().unwrap() + offset).into())
            }
            // A sign, an exponent from `lo` on, and a significand from 1 to 2.
            "spread" => {
                let number = |name: &str| generator[name].as_i64().unwrap();
                let bits = match dtype {
                    DType::Float16 => 1 << 10,
                    DType::Bfloat16 => 1 << 7,
                    _ => 1 << 16,
                };
                let significand = 1.0 + f64::from(drawn & (bits - 1)) / f64::from(bits);
                let exponent = number("lo") + i64::from(drawn >> 16 & 32767) % number("span");
                let sign = if drawn >> 31 == 1 { -1.0 } else { 1.0 };
                Scalar::Float(sign * significand * 2f64.powi(exponent as i32))
            }
            "bits32" => Scalar::Int((drawn as i32).into()),
            other => panic!("{other}"),
        };
        value.cast(dtype)
    });
    let bits: Vec<u64> = bits.collect();
    Some(Data::from_bits(dtype, &dims, bits))
}
