//! Gradients: beside central differences in float64, the same bits on every backend, and special cases.

mod calls;
mod groups;
mod masks;
mod pairs;
mod random;
mod special;

use scatterwise::{Activation, DType, Factor, Op, OutOfRange, Reduce, Result, Tensor};

use calls::{Call, Form, Kind};
use random::random_call;

use crate::common::backends::{Backend, Place, on_cpu, on_each_backend, read};
use crate::common::data::Data;
use crate::common::report::{Fault, Row, equal, same};

/// The step h of central differences, which are off by about h² and by roundings of 2⁻⁵²/h: both are the same size at h = 2⁻¹⁷.
const STEP: f64 = 1.0 / 131_072.0;
/// By how much a gradient may be off, relative to 1 or the difference, whichever is more. Values, their products and slopes in these
/// tests are mostly below 2¹⁰.
const BOUND: f64 = 1e-6;

/// Whether each element of each gradient of a call is the central difference of the objective: the sum of the results weighted by the
/// cotangent. The operands are float64 on the CPU.
fn agrees_with_differences(call: &Call) -> Row {
    let operands: Vec<Tensor> = call.operands.iter().map(Data::tensor).collect();
    let (index, cotangent) = (call.index.tensor(), call.cotangent.tensor());
    let numbers = |tensor: &Tensor| tensor.elements::<f64>().unwrap().to_vec();
    let weights = numbers(&cotangent);
    let objective = |operands: &[Tensor]| -> std::result::Result<f64, Fault> {
        let result = numbers(&call.result(operands, &index)?);
        Ok(result.iter().zip(&weights).map(|(value, weight)| value * weight).sum())
    };
    let gradients = call.gradients(&operands, &index, &cotangent)?;
    equal("gradients", gradients.len(), operands.len())?;
    for (which, gradient) in gradients.iter().enumerate() {
        equal("shape", gradient.shape(), operands[which].shape())?;
        for (at, got) in numbers(gradient).into_iter().enumerate() {
            // The objective with this one element moved.
            let moved = |step: f64| {
                let mut elements = numbers(&operands[which]);
                elements[at] += step;
                let mut operands = operands.clone();
                operands[which] = Tensor::from_elements(operands[which].shape().dims(), &elements)?;
                objective(&operands)
            };
            let difference = (moved(STEP)? - moved(-STEP)?) / (2.0 * STEP);
            if (got - difference).abs() > BOUND * (1.0 + difference.abs()) {
                let text = format!(
                    "operand {which}, element {at}: the gradient is {got}, differences say {difference}"
                );
                return Err(Fault::Wrong(format!("{text}\n    in {}", call.text)));
            }
        }
    }
    Ok(())
}

one_thread!(random_gradients_agree_with_central_differences);
async fn random_gradients_agree_with_central_differences() {
    on_cpu("gradients-differences", async |report| {
        for seed in 0..2000 {
            report.row(&seed.to_string(), agrees_with_differences(&random_call(DType::Float64, seed)));
        }
    })
    .await;
}

one_thread!(derivatives_of_activations_agree_with_central_differences);
async fn derivatives_of_activations_agree_with_central_differences() {
    on_cpu("gradients-activations", async |report| {
        for &act in Activation::ALL {
            // Values where it is defined, on both sides of its kinks.
            let x: &[f64] = match act {
                Activation::Acos | Activation::Asin => &[-0.9, -0.3, 0.2, 0.7],
                Activation::Log | Activation::Log1p | Activation::Rsqrt | Activation::Sqrt => {
                    &[0.2, 1.0, 7.5]
                }
                Activation::SoftRelu => &[-41.0, -39.0, -0.4, 0.7, 39.0, 41.0],
                Activation::Exp => &[-7.3, -0.7, 0.2, 2.8],
                _ => &[-30.2, -7.3, -2.7, -2.3, -0.7, -0.3, 0.2, 0.8, 1.3, 2.8, 3.2, 6.4, 23.3, 25.3],
            };
            // x is multiplied by 1 before the activation.
            let operands = vec![Data::new(&[x.len()], x), Data::new(&[1], &[1.0])];
            let cotangent = Data::of(&Tensor::full(&[x.len()], 1.0, DType::Float64).unwrap());
            let index = Data::new::<i32>(&[0], &[]);
            let kind = Kind::Aligned(Op::ElementwiseMul, -1, Some(act));
            let mut call = Call { text: act.name().into(), operands, index, cotangent, kind };
            report.row(act.name(), agrees_with_differences(&call));
            // The activation alone.
            call.operands.truncate(1);
            call.kind = Kind::Activate(act);
            report.row(&format!("{} alone", act.name()), agrees_with_differences(&call));
        }
    })
    .await;
}

// ---------------------------------------------------------------- the same bits everywhere

/// Whether the gradients of a call on a backend are those on the CPU, bit for bit but for NaN. `place` is that of index and cotangent.
async fn has_the_cpus_bits(call: &Call, backend: &Backend, place: Place) -> Row {
    let on_cpu: Vec<Tensor> = call.operands.iter().map(Data::tensor).collect();
    let expected = call.gradients(&on_cpu, &call.index.tensor(), &call.cotangent.tensor())?;
    let operands: Vec<Tensor> =
        call.operands.iter().map(|operand| backend.put(operand)).collect::<Result<_>>()?;
    // The lengths of segments are read before anything runs, so they are on the CPU.
    let index = match call.kind {
        Kind::Segments(..) => call.index.tensor(),
        _ => backend.put_at(place, &call.index)?,
    };
    let gradients = call.gradients(&operands, &index, &backend.put_at(place, &call.cotangent)?)?;
    equal("gradients", gradients.len(), expected.len())?;
    for (got, expected) in gradients.iter().zip(&expected) {
        same(&call.text, Data::of(expected).difference(&read(got).await?))?;
    }
    Ok(())
}

one_thread!(random_gradients_have_the_cpus_bits);
async fn random_gradients_have_the_cpus_bits() {
    const FLOATS: [DType; 4] = [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64];
    on_each_backend("gradients-bits", async |backend, report| {
        for seed in 0..120 {
            // `random_call` takes the kind of call from the remainder by 8. Dtypes repeat every 32 seeds and places every three at most,
            // so that 96 seeds have every combination.
            let (dtype, places) = (FLOATS[seed as usize / 8 % 4], backend.places());
            let call = random_call(dtype, seed);
            let place = places[seed as usize % places.len()];
            report.row(&format!("{seed} {place:?}"), has_the_cpus_bits(&call, backend, place).await);
        }
    })
    .await;
}

one_thread!(long_runs_of_factors);
/// A run of factors that is longer than one dispatch walks. The GPU cuts it, and products go on from where it was cut.
async fn long_runs_of_factors() {
    on_each_backend("gradients-long-runs", async |backend, report| {
        let len = 40_000;
        let factors: Vec<f32> = (0..len).map(|k| 1.0 + (k % 7) as f32 / 4096.0 - 3.0 / 4096.0).collect();
        let index: Vec<i32> = (0..len).map(|k| i32::from(k % 1000 == 0)).collect();
        let call = Call {
            text: "long runs".into(),
            operands: vec![Data::new(&[2], &[1.0f32, 2.0]), Data::new(&[len], &factors)],
            index: Data::new(&[len], &index),
            cotangent: Data::new(&[2], &[1.0f32, 1.0]),
            kind: Kind::Scatter(
                Form::Along(0),
                Reduce::Multiply.into(),
                Factor::One,
                OutOfRange::Raise.into(),
            ),
        };
        report.row("product", has_the_cpus_bits(&call, backend, Place::Host).await);
    })
    .await;
}
