//! `bincount` of every integer dtype.

use scatterwise::{DType, Error, Scalar};

use crate::common::backends::{Backend, Place, on_each_backend};
use crate::common::data::{Data, is_float};
use crate::common::histogram::{Counting, Kind};
use crate::common::report::{Row, equal, same};
use crate::suites::histogram::random::Random;
use crate::suites::histogram::{counted, difference, outcome};

one_thread!(integers_of_every_dtype);
/// `bincount` of every integer dtype, with weights of every dtype and without.
async fn integers_of_every_dtype() {
    on_each_backend("bincount", async |backend, report| {
        let mut random = Random(3);
        let integers = DType::ALL.iter().copied().filter(|&dtype| !is_float(dtype) && dtype != DType::Bool);
        for dtype in integers {
            for rows in [0, 1, 255, 256, 257, 1000] {
                for weights in [None].into_iter().chain(DType::ALL.iter().copied().map(Some)) {
                    if cfg!(target_arch = "wasm32") && random.below(4) > 0 {
                        continue; // a page waits for the GPU after each call
                    }
                    let x = (0..rows).map(|_| random.below(100) as u64).collect::<Vec<_>>();
                    let x = Data::from_bits(dtype, &[rows], x);
                    let minlength = [0, 7, 150][random.below(3)];
                    let mut call = Counting::new(Kind::Bincount(minlength.into()), x, Vec::new());
                    call.weights = weights.map(|dtype| {
                        let numbers = (0..rows).map(|_| Scalar::Float(random.next() * 3.0).cast(dtype));
                        Data::from_bits(dtype, &[rows], numbers.collect::<Vec<_>>())
                    });
                    let places = backend.places();
                    let row = counted(&call, backend, places[rows % places.len()]).await;
                    report.row(&format!("{dtype} {rows} {weights:?}"), row);
                }
            }
        }
    })
    .await;
}

one_thread!(a_minlength_of_all_values_needs_no_read);
/// `bincount` of a dtype whose values all have a place has a known length, wherever x is: sizes around a quad, with weights and without. A
/// negative value gives the CPU's error, on a GPU at the next read.
async fn a_minlength_of_all_values_needs_no_read() {
    on_each_backend("bincount-narrow", async |backend, report| {
        let mut random = Random(13);
        for dtype in [DType::Int8, DType::Uint8, DType::Int16, DType::Uint16] {
            let places = dtype.int_range().unwrap().1 as usize + 1;
            for rows in [0, 1, 3, 4, 5, 1000] {
                for negative in [None, Some(rows / 2), Some(0)] {
                    let is_signed = dtype.int_range().unwrap().0 < 0;
                    let negative = negative.filter(|_| is_signed && rows > 0);
                    let mut values: Vec<f64> = (0..rows).map(|_| random.below(places) as f64).collect();
                    // The first is the least: of an upload, only the least is known.
                    for (count, at) in negative.into_iter().flat_map(|at| at..rows).enumerate() {
                        values[at] = -100.0 + (count % 100) as f64;
                    }
                    let x =
                        Data::from_bits(dtype, &[rows], values.iter().map(|&v| Scalar::Float(v).cast(dtype)));
                    let weights = (0..rows).map(|_| Scalar::Float(random.next()).cast(DType::Float32));
                    let weights = Data::from_bits(DType::Float32, &[rows], weights.collect::<Vec<_>>());
                    for weights in [None, Some(weights)] {
                        let call =
                            Counting::new(Kind::Bincount((places as i64).into()), x.clone(), Vec::new());
                        let call = Counting { weights, ..call };
                        for &place in backend.places() {
                            let row = match negative {
                                None => same_as_defined(&call, backend, place).await,
                                Some(_) => same_error(&call, backend, place).await,
                            };
                            report.row(&format!("{dtype} {rows} {negative:?} {place:?}"), row);
                        }
                    }
                }
            }
        }
    })
    .await;
}

/// Whether a call, which may not be refused, has the result of the definition.
async fn same_as_defined(call: &Counting, backend: &Backend, place: Place) -> Row {
    same("result", difference(&call.expected(), &outcome(call, backend, place).await?))
}

/// Whether a call fails as on the CPU, with all facts.
async fn same_error(call: &Counting, backend: &Backend, place: Place) -> Row {
    let facts = |error: Error| (error.to_string(), error.position_fact().map(<[usize]>::to_vec));
    let expected = outcome(call, &Backend::Cpu, Place::Host).await.map(drop).map_err(facts);
    equal("error", outcome(call, backend, place).await.map(drop).map_err(facts), expected)
}
