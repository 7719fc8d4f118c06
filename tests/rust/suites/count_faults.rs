//! Faults in the counts, conversions and checks of WebGPU: each is planted, and the comparison with the CPU has to find it.

use scatterwise::testing::gpu::testing::plant;
use scatterwise::{
    Bins, DType, Reduction, Segments, Sum, Tensor, bincount, histogram, histogramdd, segment_reduce,
};

use crate::common::backends::{on_webgpu, read};
use crate::common::report::{Fault, equal};
use crate::suites::faulty_adapters::{apart, start};
use crate::suites::given::{Outcome, outcome};

faults! {
    in |_| true;
    rounds_ties_down: "TOP_BITS-(kept&ONES)" => "TOP_BITS";
    extends_no_sign: "(elements^vec4<u32>(params.sign))-vec4<u32>(params.sign)" => "elements";
    extends_no_pairs: "(pairs&vec2<u32>(params.sign*0x10001u))*0x1feu" => "vec2<u32>(0u)";
    limits_are_below: "select(0u,1u,is_below)" => "0u";
    excludes_the_last_edge: "at==column.bins)" => "false)";
    passes_all_limits: "column.bins+1u-index[c]" => "column.bins+1u";
    keeps_both_zeros: "select(key,TOP,all(key== ~TOP))" => "key";
    starts_at_the_second_column: "sample*params.column_count+c" => "sample*params.column_count";
    counts_weights: "update=weights[sample];" => "update=1u;";
    counts_three_of_four: "count(4u*quad+3u,values.w,high.w);" => "";
    misses_negative_values: "atomicMax(&status[params.head.slot*4u],~at);" => "";
    misses_a_decrease: "wide_less(ordered(here),ordered(edge(at-1u)))" => "false";
    misses_long_lengths: "end_of(at+1u)>params.rows" => "false";
    misses_a_lower_offset: "wide_less(number,value(at-1u))" => "false";
    misses_missing_rows: "end_of(params.segments)!=params.rows" => "false";
    adds_too_few_lengths: "k<params.terms" => "k+1u<params.terms";
    finds_the_segment_before: "src[next-1u]<=row" => "src[next-1u]<row";
}

/// What a call gave, read at once: a read reports the first error of any earlier call.
async fn taken(result: scatterwise::Result<Tensor>) -> Outcome {
    outcome(match result {
        Ok(tensor) => read(&tensor).await,
        Err(error) => Err(error),
    })
}

/// The outcomes of some calls, on WebGPU or on the CPU.
async fn outcomes(is_there: bool) -> Vec<Outcome> {
    let put = |tensor: Tensor| if is_there { tensor.upload() } else { Ok(tensor) };
    let numbers = |numbers: &[f64]| put(Tensor::from_elements(&[numbers.len()], numbers)?);
    let lengths = |values: &[i32]| put(Tensor::from_elements(&[values.len()], values)?);
    let mut made = Vec::new();
    let values: Vec<f64> = (-300..300).map(|at| f64::from(at) * 0.5).collect();
    for (from, to) in [
        (DType::Float32, DType::Float16),
        (DType::Int32, DType::Bfloat16),
        (DType::Int16, DType::Float32),
        (DType::Int8, DType::Int16),
        (DType::Int8, DType::Int32),
        (DType::Float32, DType::Uint8),
    ] {
        let scale = if from == DType::Int8 { 0.4 } else { 8.01 };
        let scaled: Vec<f64> = values.iter().map(|value| value * scale).collect();
        made.push(taken(numbers(&scaled).and_then(|x| x.astype(from)?.astype(to))).await);
    }
    // 2049 and 2051 are midway between two float16, 257 and 259 between two bfloat16.
    let ties = [2049.0, 2051.0, 257.0, 259.0, -2049.0, 2047.0, 5.0];
    for (from, to) in [(DType::Float32, DType::Float16), (DType::Int32, DType::Bfloat16)] {
        made.push(taken(numbers(&ties).and_then(|x| x.astype(from)?.astype(to))).await);
    }
    for x in [&[1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 127.0][..], &[5.0, -7.0, 3.0]] {
        made.push(taken(numbers(x).and_then(|x| bincount(&x.astype(DType::Int8)?, None, 128))).await);
    }
    let edges = |edges: &[f64]| numbers(edges).map(Bins::Edges);
    let count = |dtype: DType, x: &[f64], bins: &[f64]| {
        histogram(&numbers(x)?.astype(dtype)?, &edges(bins)?, None, None, false).map(|(counts, _)| counts)
    };
    let top = f64::from(u32::MAX);
    made.push(
        taken(count(DType::Float32, &[0.1, 0.2, 0.3, -0.0, 0.7], &[0.0, 0.1, 0.3, 0.7f64.next_up(), 1.0]))
            .await,
    );
    made.push(taken(count(DType::Int32, &[-3.0, 0.0, 2.0, 3.0, 4.0], &[-2.5, 0.0, 2.5, 4.0])).await);
    made.push(taken(count(DType::Uint32, &[0.0, top, 7.0], &[0.0, 7.0, top + 1.0, 1e300])).await);
    made.push(taken(count(DType::Float64, &[0.0, -0.0, 1.0, 2.0], &[0.0, 1.0, 2.0])).await);
    made.push(taken(count(DType::Float32, &[0.5], &[0.0, 1.0, 0.5])).await);
    made.push(
        taken(put(Tensor::from_elements(&[2], &[0i64, 1 << 53]).unwrap()).and_then(|bins| {
            let x = put(Tensor::from_elements(&[2], &[0i64, 9])?)?;
            histogram(&x, &Bins::Edges(bins), None, None, false).map(|(counts, _)| counts)
        }))
        .await,
    );
    let columns = [(2.into(), Some([0.0, 1.0])), (3.into(), Some([0.0, 3.0]))];
    let points = Tensor::from_elements(&[3, 2], &[0.2f32, 2.5, 0.9, 0.1, 0.4, 1.5]);
    made.push(
        taken(points.and_then(put).and_then(|x| histogramdd(&x, &columns, None)).map(|(counts, _)| counts))
            .await,
    );
    // Weights of one word, in a buffer of their own and in that of the samples.
    let whole = lengths(&[3, -1, 4, 1, 5, 9]).unwrap();
    for (x, weights) in [(numbers(&[0.5, 1.5, 0.0, 7.0, 2.0, 1.0]).unwrap(), &whole), (whole.clone(), &whole)]
    {
        let range = Some([0.0, 4.0]);
        made.push(
            taken(histogram(&x, &2.into(), range, Some(weights.into()), false).map(|(counts, _)| counts))
                .await,
        );
    }
    let rows = || numbers(&[1.0, 2.0, 3.0, 4.0, 5.0]);
    let sum = |segments: Segments<'_>| segment_reduce(&rows()?, Reduction::Sum, Sum::Ordered, segments, None);
    for values in [&[2, 0, 3][..], &[2, 9], &[2, 2], &[0; 40], &[[0; 17].as_slice(), &[5]].concat()] {
        made.push(taken(lengths(values).and_then(|values| sum(Segments::Lengths(&values)))).await);
    }
    for values in [&[0, 2, 2, 5][..], &[0, 3, 1, 5], &[0, 4]] {
        made.push(taken(lengths(values).and_then(|values| sum(Segments::Offsets(&values)))).await);
    }
    made
}

one_thread!(each_planted_fault_is_found);
async fn each_planted_fault_is_found() {
    on_webgpu("count-faults", async |_, report| {
        let faults = FAULTS.iter().map(|&(name, fault)| (name, Some(fault)));
        for (name, fault) in [("none", None)].into_iter().chain(faults) {
            let row = apart(async move || {
                start().await?;
                plant(fault);
                let (here, there) = (outcomes(false).await, outcomes(true).await);
                let differing = here.iter().zip(&there).enumerate().find(|(_, (one, two))| one != two);
                match (fault, differing) {
                    (None, Some((number, (one, two)))) => equal(&format!("outcome {number}"), two, one),
                    (Some(_), None) => Err(Fault::Wrong("not found".into())),
                    (None, None) | (Some(_), Some(_)) => Ok(()),
                }
            });
            report.row(name, row);
        }
    })
    .await;
}
