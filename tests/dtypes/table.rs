//! docs/DTYPES.md against what the library selects.

use scatterwise::testing::gpu::{Arithmetic, Combine, Width};
use scatterwise::{DType, Reduce};
use wasm_bindgen_test::wasm_bindgen_test;

const DOCUMENT: &str = include_str!("../../docs/DTYPES.md");

fn technique(combine: Combine) -> &'static str {
    match combine {
        Combine::Replace => "bits",
        Combine::AddBool => "native (OR)",
        Combine::MultiplyBool => "native (AND)",
        Combine::AddInt | Combine::MultiplyInt => "native",
        Combine::AddInt64 | Combine::MultiplyInt64 => "two words",
        Combine::AddFloat16 | Combine::MultiplyFloat16 => "strict float32, rounded",
        Combine::AddBfloat16 | Combine::MultiplyBfloat16 => "strict float32, rounded",
        Combine::AddFloat | Combine::MultiplyFloat => "native",
        Combine::AddStrict | Combine::MultiplyStrict => "strict float32",
        Combine::MultiplyGuarded => "guarded float32",
        Combine::AddFloat64 | Combine::MultiplyFloat64 => "strict float64",
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
            let [replace, add, multiply] =
                [Reduce::Replace, Reduce::Add, Reduce::Multiply].map(|reduce| cell(dtype, reduce));
            format!("| {dtype} | {in_a_word} | {replace} | {add} | {multiply} |")
        })
        .collect();
    assert_eq!(rows, expected);
}
