//! docs/DTYPES.md against what the library selects.

#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::Arithmetic;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::{Combine, Kind, Width};
use scatterwise::{DType, Reduce};
use wasm_bindgen_test::wasm_bindgen_test;

const DOCUMENT: &str = include_str!("../../docs/DTYPES.md");

fn technique(combine: Combine) -> &'static str {
    use Kind::{
        Bfloat16, Bool, Float16, Float64, GuardedFloat32, Int, Int64, NativeFloat32, StrictFloat32, Uint,
        Uint64,
    };
    use Reduce::{Add, Divide, Maximum, Minimum, Multiply, Replace};
    match (combine.reduce, combine.kind) {
        (Replace, _) => "bits",
        (Add, Bool) => "native (OR)",
        (Multiply, Bool) => "native (AND)",
        (Add | Multiply | Divide | Maximum | Minimum, Int | Uint) => "native",
        (Add | Multiply | Divide | Maximum | Minimum, Int64 | Uint64) => "two words",
        (Add | Multiply | Divide, Float16 | Bfloat16) => "strict float32, rounded",
        (Add | Multiply | Divide, StrictFloat32) => "strict float32",
        (Add | Multiply | Divide, Float64) => "strict float64",
        (Add | Multiply, NativeFloat32) => "native",
        (Add | Multiply, GuardedFloat32) => "guarded",
        (Maximum | Minimum, Float16 | Bfloat16 | StrictFloat32 | Float64) => "ordered bits",
        (Divide | Maximum | Minimum, Bool | NativeFloat32 | GuardedFloat32) => unreachable!("never selected"),
    }
}

fn cell(dtype: DType, reduce: Reduce) -> String {
    if (dtype, reduce) == (DType::Bool, Reduce::Divide) {
        return "none".into();
    }
    let [native, guarded, strict] =
        Arithmetic::ALL.map(|float32| technique(Combine::select(dtype, reduce, float32)));
    if native == strict { native.into() } else { format!("{native}, {guarded} or {strict}") }
}

#[wasm_bindgen_test(unsupported = test)]
fn the_table_of_dtypes_is_right() {
    let rows: Vec<&str> =
        DOCUMENT.lines().filter(|line| line.starts_with("| ")).skip(2).map(str::trim_end).collect();
    let expected: Vec<String> = DType::ALL
        .iter()
        .map(|&dtype| {
            let in_a_word = match Width::of(dtype) {
                Width::One => "4",
                Width::Two => "2",
                Width::Four => "1",
                Width::Eight => "1/2",
                Width::Sixteen => unreachable!("no element is as wide"),
            };
            let cells: Vec<String> = Reduce::ALL.iter().map(|&reduce| cell(dtype, reduce)).collect();
            format!("| {dtype} | {in_a_word} | {} |", cells.join(" | "))
        })
        .collect();
    assert_eq!(rows, expected);
}
