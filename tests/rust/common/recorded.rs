//! Tensors of the vectors: recorded element by element, or by the generator that makes them.

use scatterwise::{DType, Scalar};
use serde_json::Value;

use crate::common::data::Data;
use crate::common::vectors::tensor;

/// A recorded tensor, whose elements may be those of a generator; `None` of any other value.
pub(crate) fn data(value: &Value) -> Option<Data> {
    match value.get("gen") {
        None => tensor(value),
        Some(generator) => generated(value, generator),
    }
}

/// A large tensor, recorded as dtype, shape, seed and kind of numbers. The elements come from xorshift32, as in the recording.
fn generated(value: &Value, generator: &Value) -> Option<Data> {
    let dtype = DType::from_name(value["dtype"].as_str()?)?;
    let dims: Vec<usize> =
        value["shape"].as_array()?.iter().map(|size| size.as_u64().unwrap() as usize).collect();
    let mut state = generator["seed"].as_u64()? as u32;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let bits = (0..dims.iter().product()).map(|_: usize| {
        let drawn = draw();
        let value = match generator["kind"].as_str().unwrap() {
            // From the upper 24 bits: −1 to 1, and 1 give or take 1/128.
            "pm1" => Scalar::Float(f64::from(drawn >> 8) / 8_388_608.0 - 1.0),
            "near1" => Scalar::Float(1.0 + (f64::from(drawn >> 8) / 16_777_216.0 - 0.5) / 64.0),
            "mod" => {
                let offset = generator.get("offset").map_or(0, |offset| offset.as_i64().unwrap());
                Scalar::Int((i64::from(drawn) % generator["mod"].as_i64().unwrap() + offset).into())
            }
            // A sign, an exponent from `lo` on, and a significand from 1 to 2.
            "spread" => {
                let number = |name: &str| generator[name].as_i64().unwrap();
                let bits = match dtype {
                    DType::Float16 => 1 << 10,
                    DType::Bfloat16 => 1 << 7,
                    _ => 1 << 16,
                };
                let significand = 1.0 + f64::from(drawn & (bits - 1)) / f64::from(bits);
                let exponent = number("lo") + i64::from(drawn >> 16 & 32767) % number("span");
                let sign = if drawn >> 31 == 1 { -1.0 } else { 1.0 };
                Scalar::Float(sign * significand * 2f64.powi(exponent as i32))
            }
            "bits32" => Scalar::Int((drawn as i32).into()),
            other => panic!("{other}"),
        };
        value.cast(dtype)
    });
    let bits: Vec<u64> = bits.collect();
    Some(Data::from_bits(dtype, &dims, bits))
}
