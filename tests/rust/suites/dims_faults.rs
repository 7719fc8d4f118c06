//! Faults in the reductions of WebGPU along dimensions: each is planted, and the comparison with the CPU has to find it.

use scatterwise::testing::gpu::testing::{Hooks as _, Rewrite, plant};
use scatterwise::{DType, Tensor};

use crate::common::backends::{on_webgpu, read};
use crate::common::data::Data;
use crate::common::report::{Fault, equal};
use crate::suites::faulty_adapters::{apart, start};

faults! {
    in |_| true;
    takes_the_last_of_equals: "b.number<a.number" => "b.number>a.number";
    tells_zeros_apart: "without_sign_of_zero(load_src(at))" => "load_src(at)";
    reads_results_as_elements: "if(params.is_first==1u){" => "if(true){";
    loses_a_quarter_of_the_lanes: "state=better(state,states[thread+3u*next*apart]);" => "";
    loses_one_of_two_lanes: "var left=params.lanes;" => "var left=params.lanes>>1u;";
    loses_the_last_round: "at<params.terms;" => "at+1u<params.terms;";
    forgets_the_high_word: "write_word(2u*at+1u,0u);" => "write_word(2u*at+1u,1u);";
    forgets_the_sign: "(x^params.sign)-params.sign" => "x";
    forgets_the_sign_above: "select(0u,0xffffffffu,(x&params.sign)!=0u)" => "0u";
    reads_another_byte: "((at&3u)<<3u)" => "((at&1u)<<3u)";
}

/// How many reductions of floats with many equal ones differ from the CPU's.
async fn wrong_calls() -> Result<usize, Fault> {
    let mut wrong = 0;
    for (shape, dim) in [([3, 70_001], 1), ([70_001, 3], 0), ([300, 700], 0), ([700, 301], 1)] {
        // Few values; zeros of both signs are the largest. The very last term is the smallest.
        let len = shape.iter().product::<usize>();
        let mut values: Vec<f32> =
            (0..len as u64).map(|at| -((at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61) as f32)).collect();
        values.iter_mut().skip(1).step_by(9).for_each(|value| *value = value.abs().min(0.0));
        values[len - 1] = -9.0;
        let here = Tensor::from_elements(&shape, &values)?;
        let there = here.upload()?;
        for reduced in [
            |x: &Tensor, dim: i64| x.argmax(Some(dim), false),
            |x: &Tensor, dim: i64| x.argmin(Some(dim), false),
            |x: &Tensor, dim: i64| x.amax(Some(&[dim]), false),
            |x: &Tensor, dim: i64| x.amin(Some(&[dim]), false),
            |x: &Tensor, dim: i64| x.astype(DType::Int8)?.sum(Some(&[dim]), false, None),
            |x: &Tensor, dim: i64| x.astype(DType::Int32)?.sum(Some(&[dim]), false, None),
        ] {
            let expected = Data::of(&reduced(&here, dim)?);
            wrong += usize::from(expected.difference(&read(&reduced(&there, dim)?).await?).is_some());
        }
    }
    Ok(wrong)
}

one_thread!(each_planted_fault_is_found);
async fn each_planted_fault_is_found() {
    let none: &[(&str, Option<Rewrite>)] = &[("none", None)];
    let faults = FAULTS.iter().map(|&(name, fault)| (name, Some(fault)));
    on_webgpu("dims-faults", async |_, report| {
        for (name, fault) in none.iter().copied().chain(faults.clone()) {
            let outcome = apart(async move || {
                let gpu = start().await?;
                gpu.pose_as_hardware(true);
                plant(fault);
                let wrong = wrong_calls().await?;
                equal(&format!("{wrong} calls differ; none"), wrong == 0, fault.is_none())
            });
            report.row(name, outcome);
        }
    })
    .await;
}
