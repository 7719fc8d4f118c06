//! 64-bit samples between 64-bit edges, compared by their values, on every backend and from every place.

use scatterwise::{
    Bins, CountOptions, DType, ErrorClass, Statistic, Tensor, binned_statistic, histogram, histogramdd,
};

use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::data::Data;
use crate::common::report::{Row, equal, error_of, same};
use crate::everywhere;
use crate::suites::histogram::random::Random;

/// A 64-bit integer by its value.
fn value(dtype: DType, bits: u64) -> i128 {
    if dtype == DType::Int64 { i128::from(bits as i64) } else { i128::from(bits) }
}

/// The bin of a value between edges that do not decrease.
fn bin_of(edges: &[i128], value: i128) -> Option<usize> {
    let bins = edges.len() - 1;
    if bins > 0 && Some(&value) == edges.last() {
        return Some(bins - 1);
    }
    (0..bins).rev().find(|&bin| edges[bin] <= value && value < edges[bin + 1])
}

/// Numbers around a few large ones, in which float64 tells no neighbours apart, and some small ones.
fn bits(random: &mut Random, dtype: DType, len: usize) -> Vec<u64> {
    let mut bits: Vec<u64> = (0..len)
        .map(|_| {
            let near = [1 << 53, 1 << 62, (1 << 63) - 20, 1 << 20][random.below(4)] + random.below(9) as u64;
            if dtype == DType::Int64 && random.below(3) == 0 { near.wrapping_neg() } else { near }
        })
        .collect();
    // Some beyond the largest number with a sign.
    if dtype == DType::Uint64 {
        bits.iter_mut().step_by(5).for_each(|bits| *bits |= 1 << 63);
    }
    bits
}

one_thread!(edges_beyond_2_to_the_53);
async fn edges_beyond_2_to_the_53() {
    on_each_backend("histogram-wide", async |backend, report| {
        let mut random = Random(3);
        for round in 0..60 {
            let places = backend.places();
            let row = row(&mut random, backend, places[round % places.len()]).await;
            report.row(&format!("round {round}"), row);
        }
    })
    .await;
}

async fn row(random: &mut Random, backend: &Backend, place: Place) -> Row {
    let wide = [DType::Int64, DType::Uint64];
    let (dtype, of_edges) = (wide[random.below(2)], wide[random.below(2)]);
    let samples = bits(random, dtype, 40);
    let count = 1 + random.below(9);
    let mut edges = bits(random, of_edges, count);
    edges.sort_by_key(|&bits| value(of_edges, bits));
    let wanted: Vec<i128> = edges.iter().map(|&bits| value(of_edges, bits)).collect();
    let bins = edges.len() - 1;
    let given = Bins::Edges(backend.put_at(place, &Data::from_bits(of_edges, &[bins + 1], edges.clone()))?);
    let x = Data::from_bits(dtype, &[40], samples.clone());

    let mut counts = vec![0i64; bins];
    for &bits in &samples {
        if let Some(bin) = bin_of(&wanted, value(dtype, bits)) {
            counts[bin] += 1;
        }
    }
    let x = backend.put(&x)?;
    let (hist, own) = histogram(&x, &given, None, CountOptions::default(), false)?;
    same("counts", Data::new(&[bins], &counts).difference(&read(&hist).await?))?;
    same("edges", Data::from_bits(of_edges, &[bins + 1], edges).difference(&read(&own).await?))?;

    // Beside a column with a range.
    let second: Vec<u64> = (0..40).map(|_| random.below(6) as u64).collect();
    let pairs: Vec<u64> = samples.iter().zip(&second).flat_map(|(&one, &two)| [one, two]).collect();
    let mut table = vec![0f64; 3 * bins];
    let mut sums = vec![0f32; 3 * bins];
    for (at, (&one, &two)) in samples.iter().zip(&second).enumerate() {
        // 0 to 6 in three bins.
        if let Some(bin) = bin_of(&wanted, value(dtype, one)) {
            table[3 * bin + two as usize / 2] += 1.0;
            sums[3 * bin + two as usize / 2] += at as f32;
        }
    }
    let sample = backend.put(&Data::from_bits(dtype, &[40, 2], pairs))?;
    let columns = [(given, None), (3.into(), Some([0.0, 6.0]))];
    let (hist, _) = histogramdd(&sample, &columns, CountOptions::default())?;
    same("table", Data::new(&[bins, 3], &table).difference(&read(&hist).await?))?;
    let values: Vec<f32> = (0..40).map(|at| at as f32).collect();
    let values = backend.put(&Data::new(&[40], &values))?;
    let (sum, _) = binned_statistic(&sample, Some(&values), Statistic::Sum, &columns, None)?;
    same("sums", Data::new(&[bins, 3], &sums).difference(&read(&sum).await?))
}

/// Edges that only their integers tell apart must not decrease either.
#[everywhere::test]
fn edges_that_decrease_by_one() {
    let x = Tensor::from_elements(&[1], &[1i64 << 53]).unwrap();
    let edges = Tensor::from_elements(&[3], &[1i64, (1 << 53) + 1, 1 << 53]).unwrap();
    let outcome = histogram(&x, &(&edges).into(), None, CountOptions::default(), false);
    let error = outcome.map(|_| ()).unwrap_err();
    assert_eq!((error.class(), error.position_fact()), (ErrorClass::Value, Some(&[2][..])));
    assert_eq!(error.argument_name(), Some("bins"));
}

one_thread!(densities);
/// The widths of a density are those of the edges.
async fn densities() {
    on_each_backend("histogram-wide-density", async |backend, report| {
        let outcome = async {
            let start = 1i64 << 60;
            let x = backend.put(&Data::new(&[4], &[start, start + 1, start + 300, start + 600]))?;
            let edges = Tensor::from_elements(&[3], &[start, start + 512, start + 1024])?;
            let (density, _) = histogram(&x, &(&edges).into(), None, CountOptions::default(), true)?;
            same(
                "density",
                Data::new(&[2], &[0.75 / 512.0, 0.25 / 512.0]).difference(&read(&density).await?),
            )?;
            let wrong = Tensor::from_elements(&[2], &[start, start - 1])?;
            let outcome = histogram(&x, &(&wrong).into(), None, CountOptions::default(), false);
            equal("class", error_of(outcome.map(|_| ()))?.class(), ErrorClass::Value)
        };
        report.row("density", outcome.await);
    })
    .await;
}
