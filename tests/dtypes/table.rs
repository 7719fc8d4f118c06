//! docs/DTYPES.md against what the library selects.

#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::Arithmetic;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::{Combine, Kind, Width};
use scatterwise::{DType, Reduce};
use wasm_bindgen_test::wasm_bindgen_test;

const DOCUMENT: &str = include_str!("../../docs/DTYPES.md");

fn technique(combine: Combine) -> &'static str {
    match (combine.reduce, combine.kind) {
        (Reduce::Replace, _) => "bits",
        (Reduce::Add, Kind::Bool) => "native (OR)",
        (Reduce::Multiply, Kind::Bool) => "native (AND)",
        (Reduce::Add | Reduce::Multiply, Kind::Int | Kind::NativeFloat32) => "native",
        (Reduce::Add | Reduce::Multiply, Kind::Int64) => "two words",
        (Reduce::Add | Reduce::Multiply, Kind::Float16 | Kind::Bfloat16) => "strict float32, rounded",
        (Reduce::Add | Reduce::Multiply, Kind::StrictFloat32) => "strict float32",
        (Reduce::Add | Reduce::Multiply, Kind::Float64) => "strict float64",
    }
}

fn cell(dtype: DType, reduce: Reduce) -> String {
    let [native, strict] = [Arithmetic::Native, Arithmetic::Strict]
        .map(|float32| technique(Combine::select(dtype, reduce, float32)));
    if native == strict { native.into() } else { format!("{native} or {strict}") }
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
