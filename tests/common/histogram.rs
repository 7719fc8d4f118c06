//! Calls of `bincount`, `histogram` and `histogramdd`, their definition as loops, and their conformance vectors.

use scatterwise::{Bins, DType, Reduce, Scalar, Tensor, bincount, histogram, histogramdd};
use serde_json::{Map, Value};

use crate::common::backends::{Backend, Place};
use crate::common::data::Data;
use crate::common::oracle::{self, Places, Updates};
use crate::common::vectors::{scalar, tensor};

/// How a column is divided.
#[derive(Debug, Clone)]
pub(crate) enum Division {
    Count(i64),
    Edges(Data),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// With its minlength.
    Bincount(i64),
    /// With density or without.
    Histogram(bool),
    Histogramdd,
}

#[derive(Debug, Clone)]
pub(crate) struct Counting {
    pub(crate) kind: Kind,
    pub(crate) x: Data,
    pub(crate) bins: Vec<Division>,
    pub(crate) ranges: Vec<Option<[f64; 2]>>,
    pub(crate) weights: Option<Data>,
}

impl Counting {
    pub(crate) fn new(kind: Kind, x: Data, bins: Vec<Division>) -> Self {
        Self { kind, x, ranges: vec![None; bins.len()], bins, weights: None }
    }

    /// The counts, and the edges of each column.
    pub(crate) fn run(&self, backend: &Backend, place: Place) -> scatterwise::Result<Vec<Tensor>> {
        let x = match backend {
            Backend::Cpu => self.x.tensor(),
            // The values that are counted decide where the call runs; weights may be anywhere.
            #[cfg(feature = "webgpu")]
            _ if place == Place::Host => backend.put(&self.x)?,
            #[cfg(feature = "webgpu")]
            _ => backend.put_at(place, &self.x)?,
        };
        let weights = self.weights.as_ref().map(|weights| backend.put_at(place, weights)).transpose()?;
        let bins = self.bins.iter().map(Division::bins);
        let columns: Vec<_> = bins.zip(self.ranges.iter().copied()).collect();
        let (hist, edges) = match self.kind {
            Kind::Bincount(minlength) => (bincount(&x, weights.as_ref(), minlength)?, Vec::new()),
            Kind::Histogram(density) => {
                let (hist, edges) = histogram(&x, &columns[0].0, columns[0].1, weights.as_ref(), density)?;
                (hist, vec![edges])
            }
            Kind::Histogramdd => histogramdd(&x, &columns, weights.as_ref())?,
        };
        Ok([vec![hist], edges].concat())
    }

    /// What the definition says of it, without the density, whose division is the vectors' to check.
    pub(crate) fn expected(&self) -> Vec<Data> {
        if let Kind::Bincount(minlength) = self.kind {
            let values: Vec<u64> = numbers(&self.x).iter().map(|&value| value as u64).collect();
            let places = values.iter().max().map_or(0, |most| most + 1).max(minlength as u64);
            let out = match self.weights.as_ref().map(|weights| weights.dtype) {
                None => DType::Int64,
                Some(DType::Float32) => DType::Float32,
                Some(_) => DType::Float64,
            };
            let weights = self.weights.as_ref().map(|weights| converted(weights, out));
            return vec![add(
                out,
                vec![places as usize],
                &values.into_iter().map(Some).collect::<Vec<_>>(),
                weights,
            )];
        }
        let columns = self.bins.len();
        let rows = self.x.len() / columns.max(1);
        let values = numbers(&self.x);
        let column = |column: usize| (0..rows).map(|row| values[row * columns + column]).collect::<Vec<_>>();
        let edges: Vec<Data> = (0..columns).map(|at| self.edges(at, &column(at))).collect();
        let dims: Vec<usize> = edges.iter().map(|edges| edges.len() - 1).collect();
        let steps: Vec<Vec<f64>> = edges.iter().map(numbers).collect();
        let places: Vec<Option<u64>> = (0..rows)
            .map(|row| {
                let mut place = 0;
                for (at, edges) in steps.iter().enumerate() {
                    place = place * (edges.len() - 1) as u64 + bin(edges, values[row * columns + at])?;
                }
                Some(place)
            })
            .collect();
        let counts = if self.kind == Kind::Histogramdd { DType::Float64 } else { DType::Int64 };
        let out = self.weights.as_ref().map_or(counts, |weights| weights.dtype);
        [vec![add(out, dims, &places, self.weights.clone())], edges].concat()
    }

    fn edges(&self, column: usize, values: &[f64]) -> Data {
        let bins = match &self.bins[column] {
            Division::Edges(edges) => return edges.clone(),
            Division::Count(bins) => *bins as usize,
        };
        let own = if is_float(self.x.dtype) { self.x.dtype } else { DType::Float64 };
        let (ends, steps, dtype) = match self.ranges[column] {
            None if values.is_empty() => (None, DType::Float64, own),
            None => (
                Some((least(values), -least(&values.iter().map(|value| -value).collect::<Vec<_>>()))),
                own,
                own,
            ),
            Some([low, high]) => (Some((low, high)), DType::Float64, own),
        };
        let dtype = if self.kind == Kind::Histogramdd && steps == DType::Float64 { steps } else { dtype };
        let (mut low, mut high) = ends.unwrap_or((0.0, 1.0));
        let round = |value: f64| Scalar::load(Scalar::Float(value).cast(steps), steps).as_f64();
        if low == high {
            (low, high) = (round(low - 0.5), round(high + 0.5));
        }
        let (width, count) = (round(high - low), round(bins as f64));
        let step = round(width / count);
        let from_low = |at: f64| if step == 0.0 { round(at / count) * width } else { at * step };
        let edge = |at: usize| if at == bins { high } else { round(low + round(from_low(round(at as f64)))) };
        Data::from_bits(dtype, &[bins + 1], (0..=bins).map(|at| Scalar::Float(edge(at)).cast(dtype)))
    }
}

/// The least of some numbers; −0 is less than 0.
fn least(values: &[f64]) -> f64 {
    let mut least = values[0];
    for &value in values {
        if value < least || value == least && value.is_sign_negative() {
            least = value;
        }
    }
    least
}

impl Division {
    fn bins(&self) -> Bins {
        match self {
            Self::Count(count) => Bins::Count(*count),
            Self::Edges(edges) => Bins::Edges(edges.tensor()),
        }
    }
}

pub(crate) fn is_float(dtype: DType) -> bool {
    dtype.int_range().is_none()
}

pub(crate) fn numbers(data: &Data) -> Vec<f64> {
    (0..data.len()).map(|k| Scalar::load(data.bits(k), data.dtype).as_f64()).collect()
}

/// The bin of a value: one edge after the other.
fn bin(edges: &[f64], value: f64) -> Option<u64> {
    let last = edges.len() - 1;
    for at in 0..last {
        if edges[at] <= value && value < edges[at + 1] {
            return Some(at as u64);
        }
    }
    (last > 0 && value == edges[last]).then(|| last as u64 - 1)
}

fn converted(data: &Data, dtype: DType) -> Data {
    Data::from_bits(
        dtype,
        &data.dims,
        (0..data.len()).map(|k| Scalar::load(data.bits(k), data.dtype).cast(dtype)),
    )
}

/// Adds a weight or 1 at each place that there is, in order.
fn add(dtype: DType, dims: Vec<usize>, places: &[Option<u64>], weights: Option<Data>) -> Data {
    let len: usize = dims.iter().product();
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

/// A case of `histogram.json` or `errors_more.json`.
pub(crate) struct Case {
    value: Value,
}

pub(crate) fn cases(text: &str) -> Vec<Case> {
    let file: Value = serde_json::from_str(text).unwrap();
    let cases = file["cases"].as_array().unwrap().iter();
    let ours =
        cases.filter(|case| ["bincount", "histogram", "histogramdd"].contains(&case["op"].as_str().unwrap()));
    ours.map(|value| Case { value: value.clone() }).collect()
}

impl Case {
    pub(crate) fn id(&self) -> &str {
        self.value["id"].as_str().unwrap()
    }

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
            "bincount" => Kind::Bincount(get("minlength").map_or(Some(0), Value::as_i64)?),
            "histogram" => Kind::Histogram(get("density").map_or(Some(false), Value::as_bool)?),
            _ => Kind::Histogramdd,
        };
        // A value that is no list holds for every column.
        let list = |name| get(name).and_then(Value::as_array).map(Vec::len);
        let many =
            if kind == Kind::Histogramdd { list("bins").or(list("range")).unwrap_or(columns) } else { 1 };
        let bins = match get("bins") {
            None => vec![Division::Count(10); many],
            Some(Value::Array(list)) => list.iter().map(division).collect::<Option<_>>()?,
            Some(one) => vec![division(one)?; many],
        };
        let ranges = match get("range") {
            None => vec![None; many],
            Some(list) if kind == Kind::Histogramdd => {
                list.as_array()?.iter().map(ends).collect::<Option<_>>()?
            }
            Some(one) => vec![ends(one)?],
        };
        let weights = match get("weights") {
            None => None,
            Some(weights) => Some(data(weights)?),
        };
        Some(Counting { kind, x, bins, ranges, weights })
    }

    /// The results that pass: of a large one the definition's, with the recorded ends.
    pub(crate) fn accepted(&self, call: &Counting) -> Vec<Vec<Data>> {
        let none = Vec::new();
        let others = self.value.get("also_accept").map_or(&none, |others| others.as_array().unwrap());
        // Of a large result only the ends are recorded: those of other systems cannot be compared with it.
        let others = others.iter().filter(|other| other.get("sha256").is_none());
        [&self.value["expect"]].into_iter().chain(others).map(|one| outputs(one, call)).collect()
    }

    pub(crate) fn accepted_errors(&self) -> Vec<&str> {
        let classes = self.value["expect"]["accept"].as_array().unwrap();
        classes.iter().map(|class| class.as_str().unwrap()).collect()
    }
}

fn outputs(value: &Value, call: &Counting) -> Vec<Data> {
    let Some(outputs) = value.get("outputs") else { return vec![recorded(value, call, 0)] };
    let edges = match &outputs["edges"] {
        Value::Array(list) => list.iter().map(|edges| data(edges).unwrap()).collect(),
        one => vec![data(one).unwrap()],
    };
    [vec![recorded(&outputs["hist"], call, 0)], edges].concat()
}

fn recorded(value: &Value, call: &Counting, at: usize) -> Data {
    if value.get("sha256").is_none() {
        return data(value).unwrap();
    }
    let expected = call.expected().swap_remove(at);
    let [head, tail] = ["head", "tail"].map(|end| data(&value[end]).unwrap().bytes);
    assert!(expected.bytes.starts_with(&head) && expected.bytes.ends_with(&tail), "the definition as loops");
    expected
}

fn ends(value: &Value) -> Option<Option<[f64; 2]>> {
    if value.is_null() {
        return Some(None);
    }
    let [low, high] = value.as_array()?.as_slice() else { return None };
    Some(Some([scalar(low)?.as_f64(), scalar(high)?.as_f64()]))
}

/// A tensor, recorded or made by the generator of large ones.
fn data(value: &Value) -> Option<Data> {
    let Some(made) = value.get("gen") else { return tensor(value) };
    let dtype = DType::from_name(value["dtype"].as_str()?)?;
    let dims: Vec<usize> =
        value["shape"].as_array()?.iter().map(|size| size.as_u64().unwrap() as usize).collect();
    let mut state = made["seed"].as_u64()? as u32;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let bits = (0..dims.iter().product()).map(|_: usize| {
        let drawn = draw();
        let value = match made["kind"].as_str().unwrap() {
            "pm1" => Scalar::Float(f64::from(drawn >> 8) / 8_388_608.0 - 1.0),
            "near1" => Scalar::Float(1.0 + (f64::from(drawn >> 8) / 16_777_216.0 - 0.5) / 64.0),
            "mod" => {
                let offset = made.get("offset").map_or(0, |offset| offset.as_i64().unwrap());
                Scalar::Int((i64::from(drawn) % made["mod"].as_i64().unwrap() + offset).into())
            }
            "bits32" => Scalar::Int((drawn as i32).into()),
            other => panic!("{other}"),
        };
        value.cast(dtype)
    });
    let bits: Vec<u64> = bits.collect();
    Some(Data::from_bits(dtype, &dims, bits))
}
