//! The passes of a product on WebGPU: which calls take them, rows with very many entries, refused indices, and planted faults.

use std::rc::Rc;

use scatterwise::testing::gpu::testing::{Hooks as _, Pass, plant};
use scatterwise::testing::gpu::{Arithmetic, Gpu};
use scatterwise::{DType, ErrorCode, OutOfRange, Reduction, Scalar, Spmm, Sum, Target, Tensor};

use super::Case;
use crate::common::backends::{Backend, ForcedArithmetic, Place, on_webgpu, read};
use crate::common::data::Data;
use crate::common::pairs::Numbers;
use crate::common::report::{Fault, Row, equal, error_of, same};
use crate::suites::faulty_adapters::{apart, start};

/// Whether the call runs its own passes.
fn is_fused(gpu: &Rc<Gpu>, case: &Case, planned: bool) -> Result<bool, Fault> {
    let backend = Backend::WebGpu(gpu.clone());
    let call = case.call(&backend, Place::Host, planned, Sum::Ordered)?;
    let dense = backend.put(&case.dense)?;
    gpu.watch(true);
    let outcome = call.run(&dense);
    let passes = gpu.watch(false);
    outcome?;
    Ok(passes.iter().any(|(pass, _)| matches!(pass, Pass::SparseRows(_))))
}

one_thread!(choice);
/// A call without a plan takes its own passes where the scatter that it stands for would sort; with a plan, also where rows are long and
/// few entries name one. Few rows of many entries never do.
async fn choice() {
    on_webgpu("spmm, choice of passes", async |gpu, report| {
        let mut numbers = Numbers(4);
        for (entries, size, dims, expected) in [
            (6000, 100, &[50, 3][..], [true, true, false, false]),
            (6000, 100, &[50, 8], [true, true, false, false]),
            (6000, 1500, &[50, 8], [true, true, true, false]),
            (6000, 1499, &[50, 8], [true, true, false, false]),
            (6000, 50, &[50, 3], [false; 4]),
            (400, 100, &[50, 8], [true, false, true, false]),
        ] {
            let mut got = [false; 4];
            for (at, dtype) in [DType::Float32, DType::Int32].into_iter().enumerate() {
                let case = Case::random(dtype, entries, size, dims, &mut numbers);
                for planned in [true, false] {
                    match is_fused(gpu, &case, planned) {
                        Ok(fused) => got[2 * at + usize::from(!planned)] = fused,
                        Err(fault) => report.row("a call", Err(fault)),
                    }
                }
            }
            report.row(&format!("{entries} into {size} from {dims:?}"), equal("fused", got, expected));
        }
    })
    .await;
}

/// A case with more entries in one row than two dispatches walk, and rows without entries behind it. The numbers are finite, so that no
/// sum is a NaN from its first entries on.
fn long_row(dtype: DType, reduction: Reduction, numbers: &mut Numbers) -> Case {
    let entries = 20_000;
    let mut case = Case::random(dtype, entries, 5000, &[30, 5], numbers);
    let mut finite = |dims: &[usize]| {
        let mut value = |_: usize| match numbers.below(2000) as i64 - 1000 {
            value if dtype.is_float() => Scalar::Float(value as f64 / 300.0),
            value => Scalar::Int(value.into()),
        };
        let bits: Vec<u64> = (0..dims.iter().product()).map(|at| value(at).cast(dtype)).collect();
        Data::from_bits(dtype, dims, bits)
    };
    case.values = case.values.map(|_| finite(&[entries]));
    case.dense = finite(&[30, 5]);
    let rows: Vec<i64> = (0..entries as i64).map(|at| if at % 13 == 0 { at % 389 } else { 391 }).collect();
    case.rows = Data::new(&[entries], &rows);
    Case { reduction, ..case }
}

/// Rounds of a loop in a dispatch, fewer than the long rows need.
const SHORT_LOOPS: usize = 1 << 14;

one_thread!(long_rows);
async fn long_rows() {
    on_webgpu("spmm, rows of many entries", async |gpu, report| {
        gpu.force_rounds(Some(SHORT_LOOPS));
        let backend = Backend::WebGpu(gpu.clone());
        let mut numbers = Numbers(5);
        for dtype in [DType::Float32, DType::Uint8, DType::Int64, DType::Bfloat16] {
            for reduction in [Reduction::Sum, Reduction::Mean, Reduction::Amin] {
                let case = long_row(dtype, reduction, &mut numbers);
                let name = format!("{dtype} {reduction:?}");
                report.row(&name, is_fused(gpu, &case, true).and_then(|fused| equal("fused", fused, true)));
                report.row(&name, case.compare(&backend, Place::Host, true).await);
            }
        }
        gpu.force_rounds(None);
    })
    .await;
}

one_thread!(arithmetic);
/// Products by the adapter, guarded, and in integers, with many entries in a row and with about one, where a guarded thread has several
/// elements.
async fn arithmetic() {
    on_webgpu("spmm, arithmetic", async |gpu, report| {
        let backend = Backend::WebGpu(gpu.clone());
        let probed = gpu.numerics().float32;
        for float32 in Arithmetic::ALL {
            if float32 != probed && probed != Arithmetic::Native && float32 != Arithmetic::Strict {
                report.row(float32.name(), Err(Fault::Skipped("this adapter's own products differ".into())));
                continue;
            }
            let _forced = ForcedArithmetic::new(gpu, float32);
            let mut numbers = Numbers(6);
            for (entries, size, reduction) in [
                (6000, 300, Reduction::Sum),
                (6000, 300, Reduction::Mean),
                (5000, 4000, Reduction::Sum),
                (5000, 4000, Reduction::Mean),
                (5000, 4000, Reduction::Amax),
            ] {
                let case = Case::random(DType::Float32, entries, size, &[50, 5], &mut numbers);
                let case = Case { reduction, ..case };
                let name = format!("{} {reduction:?} {entries} into {size}", float32.name());
                report.row(&name, is_fused(gpu, &case, true).and_then(|fused| equal("fused", fused, true)));
                report.row(&name, case.compare(&backend, Place::Host, true).await);
            }
        }
    })
    .await;
}

one_thread!(refused);
/// An index value that only the device knows: the error comes with the read, and the result has no bytes of other buffers.
async fn refused() {
    on_webgpu("spmm, refused", async |gpu, report| {
        let backend = Backend::WebGpu(gpu.clone());
        for reduction in [Reduction::Sum, Reduction::Mean, Reduction::Amax] {
            for planned in [false, true] {
                for (argument, value) in
                    [("rows", 300), ("rows", i64::MIN), ("columns", -51), ("columns", i64::MAX)]
                {
                    let name = format!("{reduction:?} {argument} {value} planned: {planned}");
                    report.row(&name, refusal(&backend, reduction, planned, argument, value).await);
                }
            }
        }
    })
    .await;
}

async fn refusal(backend: &Backend, reduction: Reduction, planned: bool, argument: &str, value: i64) -> Row {
    let mut case = Case::random(DType::Float32, 6000, 300, &[50, 3], &mut Numbers(7));
    let index = if argument == "rows" { &mut case.rows } else { &mut case.columns };
    let mut values: Vec<i64> = (0..index.len()).map(|at| index.index(at)).collect();
    values[4321] = value;
    *index = Data::new(&[values.len()], &values);
    let case = Case { reduction, ..case };
    let call = case.call(backend, Place::Computed, planned, Sum::Ordered)?;
    let out = call.run(&backend.put(&case.dense)?)?;
    let error = error_of(read(&out).await)?;
    equal("code", error.code(), ErrorCode::IndexOutOfRange)?;
    let text = error.to_string();
    equal(&text, text.starts_with(&format!("spmm: {argument}[4321] is {value}, out of range")), true)?;
    let zeros = Data::from_bits(DType::Float32, &[300, 3], vec![0; 900]);
    same("result", zeros.difference(&read(&out).await?))
}

one_thread!(wrong_devices);
/// A call on the CPU with an operand on WebGPU.
async fn wrong_devices() {
    on_webgpu("spmm, wrong devices", async |gpu, report| {
        let backend = Backend::WebGpu(gpu.clone());
        let refused = |outcome: scatterwise::Result<Tensor>, argument: &str| {
            let error = error_of(outcome)?;
            equal("code", error.code(), ErrorCode::WrongDevice)?;
            equal("argument", error.argument_name(), Some(argument))
        };
        let case = Case::random(DType::Float32, 6000, 300, &[50, 3], &mut Numbers(9));
        let here = |data: &Data| Target::slices(0, &data.tensor());
        let there = |data: &Data| backend.put(data).map(|index| Target::slices(0, &index));
        let call = |rows: Target, columns: Target, values: Option<&Tensor>| {
            Spmm { size: Some(300), ..Spmm::new(rows, columns, values) }.run(&case.dense.tensor())
        };
        let values = backend.put(&Data::from_bits(DType::Float32, &[6000], vec![0; 6000])).ok();
        report.row("values", refused(call(here(&case.rows), here(&case.columns), values.as_ref()), "values"));
        let rows = there(&case.rows).and_then(|rows| call(rows, here(&case.columns), None));
        report.row("rows", refused(rows, "rows"));
        let columns = there(&case.columns).and_then(|columns| call(here(&case.rows), columns, None));
        report.row("columns", refused(columns, "columns"));
    })
    .await;
}

faults! {
    in |key| matches!(key.pass, Pass::SparseRows(_) | Pass::SparseEntries);
    walks_backwards:
        "for(var at=run.first;;at++)" => "for(var at=run.stop-1u;;at--)",
        "if(at+1u>=run.stop)" => "if(at<=run.first)";
    forgets_the_last_entry: "words[2u*row+1u]=at+1u;" => "words[2u*row+1u]=at;";
    never_continues: "if(run.first>=run.stop){" => "if(run.first>=run.stop||params.begin>0u){";
    forgets_the_sum: "params.begin>0u||params.is_neutral==0u" => "params.begin==0u&&params.is_neutral==0u";
    reads_what_is_skipped: "start!=SKIPPED" => "true";
    begins_with_zero: "params.is_neutral==0u" => "true";
    takes_the_next_value: "value_at(at)" => "value_at(at+1u)";
}

one_thread!(planted_faults_are_found);
/// Each fault gives wrong bits in a comparison of these tests.
async fn planted_faults_are_found() {
    on_webgpu("spmm, planted faults", async |_, report| {
        for &(name, fault) in FAULTS {
            let outcome = apart(async move || {
                let gpu = start().await?;
                // The self-test of the adapter's products would find some of them first.
                gpu.force_arithmetic(Arithmetic::Strict);
                // So that the rows continue on every adapter.
                gpu.force_rounds(Some(SHORT_LOOPS));
                let backend = Backend::WebGpu(gpu);
                plant(Some(fault));
                let mut numbers = Numbers(8);
                let mut cases = Vec::new();
                for reduction in [Reduction::Sum, Reduction::Amax] {
                    cases.push(long_row(DType::Float32, reduction, &mut numbers));
                }
                let mut dropping = Case::random(DType::Float32, 6000, 300, &[50, 3], &mut numbers);
                dropping.mode = OutOfRange::Drop.into();
                dropping.columns = super::with_others(&dropping.columns, dropping.mode, &mut numbers);
                cases.push(dropping);
                for case in cases {
                    match case.compare(&backend, Place::Host, true).await {
                        Err(Fault::Wrong(text)) if text.starts_with("result: ") => return Ok(()),
                        row => row?,
                    }
                }
                Err(Fault::Wrong("no comparison found it".into()))
            });
            report.row(name, outcome);
        }
    })
    .await;
}
