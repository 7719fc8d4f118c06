//! Faults in the exact sums of WebGPU: each is planted, and the comparison with the definition has to find it.

use scatterwise::testing::gpu::Gpu;
use scatterwise::testing::gpu::testing::{ExactStrategy, Hooks as _, Pass, Rewrite, ShaderKey, plant};
use scatterwise::{Along, DType, Device};

use crate::common::backends::{on_webgpu, read};
use crate::common::dims::Reduction;
use crate::common::pairs::Numbers;
use crate::common::report::{Fault, equal};
use crate::suites::exact::Terms;
use crate::suites::exact_calls::{Case, updates};
use crate::suites::faulty_adapters::{apart, noted, start};

/// No addition carries.
fn loses_carries(_: ShaderKey, text: &str) -> Option<String> {
    noted(
        text,
        text.replace("return select(0u,1u,select(biased+part", "return select(0u,0u,select(biased+part"),
    )
}

/// Only carries beyond the second word are lost.
fn loses_rare_carries(_: ShaderKey, text: &str) -> Option<String> {
    noted(text, text.replace("exact_carry(at+2u*places,end,carry,term.sign);", ""))
}

/// All tiles but the first get no terms.
fn skips_tiles(_: ShaderKey, text: &str) -> Option<String> {
    noted(
        text,
        text.replace("if(place>=params.tile.places)", "if(place>=params.tile.places||params.tile.first>0u)"),
    )
}

/// The copies of a tile are not merged.
fn skips_copies(key: ShaderKey, text: &str) -> Option<String> {
    let skipped = text.replace("if(!is_idle(thread)){", "if(false){");
    if key.pass == Pass::ExactMerge { noted(text, skipped) } else { None }
}

/// No flag says that a term other than −0 came.
fn loses_flags(key: ShaderKey, text: &str) -> Option<String> {
    let lost = text.replace("const EXACT_OTHER:u32=4u;", "const EXACT_OTHER:u32=0u;");
    if key.pass == Pass::ExactRound { None } else { noted(text, lost) }
}

/// Half floats are rounded to float32 first.
fn rounds_twice(_: ShaderKey, text: &str) -> Option<String> {
    let once = "half_round_pack(sign&SIGN,bits-23,leading)";
    noted(text, text.replace(once, "half_round(round_pack(sign&SIGN,bits-23,leading))"))
}

/// Rows of neighbouring terms lose what is below their first window.
fn skips_windows(_: ShaderKey, text: &str) -> Option<String> {
    noted(text, text.replace("extent.x>0&&top+23>=extent.y", "extent.x>0&&top==extent.x"))
}

/// Rows of neighbouring terms lose the lowest digit of each window.
fn loses_a_digit(_: ShaderKey, text: &str) -> Option<String> {
    noted(text, text.replace("add_digit(top+23-75,sum.w);", ""))
}

/// A bit below the leading words does not count.
fn forgets_low_words(_: ShaderKey, text: &str) -> Option<String> {
    noted(text, text.replace("((second<<zeros)|rest)!=0u", "(second<<zeros)!=0u"))
}

one_thread!(each_planted_fault_is_found);
async fn each_planted_fault_is_found() {
    let ways = ExactStrategy::default();
    let tiles = ExactStrategy { places: Some(3), ..ways };
    let rows: [(&str, Option<Rewrite>, ExactStrategy); 11] = [
        ("none", None, tiles),
        ("a lost carry", Some(loses_carries), ways),
        (
            "a lost carry between upper words",
            Some(loses_rare_carries),
            ExactStrategy { copies: Some(1), ..ways },
        ),
        ("a tile that is skipped", Some(skips_tiles), tiles),
        ("copies that are not merged", Some(skips_copies), ExactStrategy { copies: Some(4), ..ways }),
        ("a flag that is not set", Some(loses_flags), ways),
        ("sums that are not cleared", None, ExactStrategy { keeps: true, ..tiles }),
        ("a half float that is rounded twice", Some(rounds_twice), ways),
        ("low words that do not count", Some(forgets_low_words), ways),
        ("a window that is skipped", Some(skips_windows), ways),
        ("a digit that is lost", Some(loses_a_digit), ways),
    ];
    on_webgpu("exact-faults", async |_, report| {
        for (name, fault, ways) in rows {
            let is_sound = fault.is_none() && !ways.keeps;
            let outcome = apart(async move || {
                let gpu = start().await?;
                plant(fault);
                gpu.force_exact(ways);
                let wrong = wrong_calls(&gpu).await?;
                equal(&format!("{wrong} calls differ; none"), wrong == 0, is_sound)
            });
            report.row(name, outcome);
        }
    })
    .await;
}

/// How many calls with exact sums on WebGPU differ from the definition.
async fn wrong_calls(gpu: &Gpu) -> Result<usize, Fault> {
    let mut numbers = Numbers(47);
    let mut wrong = 0;
    for dtype in [DType::Float16, DType::Bfloat16, DType::Float32] {
        for kind in Terms::ALL {
            for (round, update) in updates().into_iter().cycle().take(16).enumerate() {
                // Many terms carry; few leave sums near the middle between two numbers.
                let shape = if round < 4 { [7, 300] } else { [1, 3] };
                let mut case = Case::flat(dtype, kind, shape, &mut numbers);
                if matches!(kind, Terms::Uniform) && round < 4 {
                    case = Case::carrying(dtype, &mut numbers);
                }
                let mut table = case.table.tensor().upload()?;
                case.call(&case.index.tensor(), case.values.tensor().into(), update).run(&mut table)?;
                debug_assert_eq!(table.device(), Device::WebGpu);
                let expected = case.expected(update, |number| case.values.bits(number));
                wrong += usize::from(expected.difference(&read(&table).await?).is_some());
            }
            let input = kind.rows(dtype, [3, 300], &mut numbers);
            let sum =
                Reduction { along: Along::Sum, input, dims: Some(vec![1]), keepdim: false, dtype: None };
            gpu.pose_as_hardware(true);
            let result = sum.run(&sum.input.tensor().upload()?);
            gpu.pose_as_hardware(false);
            let got = read(&result?).await?;
            wrong += usize::from(sum.expected().difference(&got).is_some());
        }
    }
    Ok(wrong)
}
