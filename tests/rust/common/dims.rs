//! Reductions along dimensions: their calls, and their definition as loops.

use scatterwise::{Along, DType, Reduce, Scalar, Tensor};

use crate::common::data::Data;
use crate::common::exact::quotient;
use crate::common::oracle::combine;

/// A call of one of the reductions.
#[derive(Debug, Clone)]
pub(crate) struct Reduction {
    pub(crate) along: Along,
    pub(crate) input: Data,
    /// The dims as the caller names them. A position takes one or all.
    pub(crate) dims: Option<Vec<i64>>,
    pub(crate) keepdim: bool,
    /// To which dtype elements are converted first.
    pub(crate) dtype: Option<DType>,
}

impl Reduction {
    /// Makes the call on a tensor with the input.
    pub(crate) fn run(&self, tensor: &Tensor) -> scatterwise::Result<Tensor> {
        let (dims, keepdim) = (self.dims.as_deref(), self.keepdim);
        let only = dims.and_then(|dims| dims.first().copied());
        match self.along {
            Along::Sum => tensor.sum(dims, keepdim, self.dtype),
            Along::Prod => tensor.prod(dims, keepdim, self.dtype),
            Along::Mean => tensor.mean(dims, keepdim, self.dtype),
            Along::Amax => tensor.amax(dims, keepdim),
            Along::Amin => tensor.amin(dims, keepdim),
            Along::Argmax => tensor.argmax(only, keepdim),
            Along::Argmin => tensor.argmin(only, keepdim),
        }
    }

    /// The result by the definition. Its elements must have terms where it is a maximum or minimum.
    pub(crate) fn expected(&self) -> Data {
        let (dims, rank) = (&self.input.dims, self.input.dims.len() as i64);
        let is_reduced = |dim: usize| match &self.dims {
            None => true,
            Some(named) => named.iter().any(|&name| (name + rank) % rank == dim as i64),
        };
        let dtype = self.dtype.unwrap_or(match (self.along, self.input.dtype) {
            (Along::Sum | Along::Prod, DType::Bool | DType::Int8 | DType::Int16 | DType::Int32) => {
                DType::Int64
            }
            (Along::Sum | Along::Prod, DType::Uint8 | DType::Uint16 | DType::Uint32) => DType::Uint64,
            (_, dtype) => dtype,
        });
        let kept: Vec<usize> = (0..dims.len()).filter(|&dim| !is_reduced(dim)).map(|dim| dims[dim]).collect();
        let mut terms: Vec<Vec<u64>> = vec![vec![]; kept.iter().product()];
        for k in 0..self.input.len() {
            let (mut place, mut rest, mut stride) = (0, k, 1);
            for dim in (0..dims.len()).rev() {
                if !is_reduced(dim) {
                    place += rest % dims[dim] * stride;
                    stride *= dims[dim];
                }
                rest /= dims[dim];
            }
            let element = self.input.bits(k);
            terms[place].push(match dtype == self.input.dtype {
                true => element,
                false => Scalar::load(element, self.input.dtype).cast(dtype),
            });
        }
        let out = |dim: usize| if is_reduced(dim) { 1 } else { dims[dim] };
        let shape = if self.keepdim { (0..dims.len()).map(out).collect() } else { kept };
        let is_position = matches!(self.along, Along::Argmax | Along::Argmin);
        let out_dtype = if is_position { DType::Int64 } else { dtype };
        Data::from_bits(out_dtype, &shape, terms.iter().map(|terms| self.reduced(dtype, terms)))
    }

    /// The element of the result with these terms.
    fn reduced(&self, dtype: DType, terms: &[u64]) -> u64 {
        let number = |&bits: &u64| Scalar::load(bits, dtype).as_f64();
        let folded = |reduce| terms.iter().copied().reduce(|one, two| combine(reduce, dtype, one, two));
        match self.along {
            Along::Sum | Along::Mean if dtype.is_float() => {
                let numbers: Vec<f64> = terms.iter().map(number).collect();
                match (self.along, terms.len() as u64) {
                    (Along::Sum, 0) => 0,
                    (Along::Sum, _) => quotient(dtype, &numbers, 1),
                    (_, 0) => Scalar::Float(f64::NAN).cast(dtype),
                    (_, count) => quotient(dtype, &numbers, count),
                }
            }
            Along::Sum | Along::Mean => folded(Reduce::Add).unwrap_or(0),
            Along::Prod => folded(Reduce::Multiply).unwrap_or_else(|| Scalar::Int(1).cast(dtype)),
            Along::Amax => folded(Reduce::Maximum).unwrap(),
            Along::Amin => folded(Reduce::Minimum).unwrap(),
            Along::Argmax | Along::Argmin => {
                // Integers of 64 bits are compared as integers.
                let value = |bits: &u64| Scalar::load(*bits, dtype);
                let wins = |one: &u64, two: &u64| {
                    let (is_less, is_greater) = match (value(one), value(two)) {
                        (Scalar::Int(one), Scalar::Int(two)) => (one < two, one > two),
                        (one, two) => (one.as_f64() < two.as_f64(), one.as_f64() > two.as_f64()),
                    };
                    if self.along == Along::Argmax { is_greater } else { is_less }
                };
                let mut best = 0;
                for at in 1..terms.len() {
                    let is_nan = |at: usize| number(&terms[at]).is_nan();
                    if !is_nan(best) && (is_nan(at) || wins(&terms[at], &terms[best])) {
                        best = at;
                    }
                }
                best as u64
            }
        }
    }
}
