//! The definition of the four operators as loops.

use scatterwise::{DType, Length, Reduce, Scalar, Statistic};

use crate::common::data::{Data, is_float, numbers};
use crate::common::exact;
use crate::common::histogram::{Counting, Division, Kind};
use crate::common::oracle::{self, Places, Updates};

impl Counting {
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
    // A skipped sample goes to one more place behind the others, which is cut off at the end.
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
