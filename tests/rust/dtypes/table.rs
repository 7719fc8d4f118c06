//! docs/DTYPES.md against what the library selects.

#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::{Combine, Kind, Width};
use scatterwise::{DType, Reduce, Scalar};

use crate::common::oracle::combine;
use crate::everywhere;

const DOCUMENT: &str = include_str!("../../../docs/DTYPES.md");

/// Whether a reduction compares, so that its result is always one of the two values. A sum, product or quotient of these is neither.
fn compares(reduce: Reduce) -> bool {
    let values = [2.0, -3.0, 5.0].map(|value| Scalar::Float(value).cast(DType::Float64));
    let mut pairs = values.iter().flat_map(|&old| values.map(|new| (old, new)));
    pairs.all(|(old, new)| {
        let result = combine(reduce, DType::Float64, old, new);
        result == old || result == new
    })
}

/// The document's word for how a combination is computed.
fn technique(combine: Combine) -> String {
    let words = match (combine.reduce, combine.kind) {
        (Reduce::Replace, _) => "bits",
        (Reduce::Add, Kind::Bool) => "native (OR)",
        (Reduce::Multiply, Kind::Bool) => "native (AND)",
        (_, Kind::Bool) => unreachable!("never selected: {combine:?}"),
        (_, Kind::Int | Kind::Uint) => "native",
        (_, Kind::Int64 | Kind::Uint64) => "two words",
        (reduce, _) if compares(reduce) => "ordered bits",
        (_, Kind::Float16 | Kind::Bfloat16) => "strict float32, rounded",
        (_, Kind::Float32) => "strict float32",
        (_, Kind::Float64) => "strict float64",
    };
    words.into()
}

/// A cell of the document's table: how a reduction of a dtype is computed.
fn cell(dtype: DType, reduce: Reduce) -> String {
    if (dtype, reduce) == (DType::Bool, Reduce::Divide) {
        return "none".into();
    }
    technique(Combine::select(dtype, reduce))
}

/// Each row has the dtype, how many elements are in a word, and a cell for each reduction.
#[everywhere::test]
fn the_table_of_dtypes_is_right() {
    // Behind the head of the first table and its rule.
    let is_row = |line: &&str| line.starts_with("| ");
    let table = DOCUMENT.lines().skip_while(|line| !is_row(line)).take_while(is_row);
    let rows: Vec<&str> = table.skip(2).map(str::trim_end).collect();
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
