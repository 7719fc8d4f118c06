//! A scalar with a fraction that meets integers or bools as a term, factor or divisor is refused, and nothing is written. Only `scatter_`,
//! `scatter` and replacements cut it.

use scatterwise::{
    DType, ErrorClass, ErrorCode, FactValue, NdReduce, Reduce, Reduction, Scalar, Segments, Sum, Tensor,
    scatter_div, scatter_max, scatter_mul, scatter_sub, scatter_update, segment_reduce,
};

use crate::common::backends::{Backend, on_each_backend, read};
use crate::common::data::Data;
use crate::common::report::{Fault, Row, equal, error_of, same};

type Outcome = scatterwise::Result<()>;
/// A call on a table of two, and an index that names its last element.
type Replacement = fn(&mut Tensor, &Tensor) -> Outcome;

/// A call of a term on a table, an index for its first dimension, the index as tuples, and a scalar.
struct Term {
    name: &'static str,
    class: ErrorClass,
    run: fn(&mut Tensor, &Tensor, &Tensor, f64) -> Outcome,
}

const TERMS: [Term; 10] = [
    Term {
        name: "scatter_add",
        class: ErrorClass::Type,
        run: |t, index, _, value| t.scatter_add_(0, index, value),
    },
    Term {
        name: "scatter_add_nd",
        class: ErrorClass::Type,
        run: |t, _, tuples, value| t.scatter_add_nd_(tuples, value),
    },
    Term {
        name: "scatter_reduce",
        class: ErrorClass::Type,
        run: |t, index, _, value| t.scatter_reduce_(0, index, value, Reduction::Amax, false),
    },
    Term {
        name: "scatter_nd",
        class: ErrorClass::Type,
        run: |t, _, tuples, value| t.scatter_nd_(tuples, value, NdReduce::Multiply),
    },
    Term {
        name: "scatter_mul",
        class: ErrorClass::Runtime,
        run: |t, index, _, value| scatter_mul(t, index, value),
    },
    Term {
        name: "scatter_sub",
        class: ErrorClass::Runtime,
        run: |t, index, _, value| scatter_sub(t, index, value),
    },
    Term {
        name: "scatter_div",
        class: ErrorClass::Runtime,
        run: |t, index, _, value| scatter_div(t, index, value),
    },
    Term {
        name: "scatter_max",
        class: ErrorClass::Runtime,
        run: |t, index, _, value| scatter_max(t, index, value),
    },
    Term {
        name: "alpha",
        class: ErrorClass::Type,
        run: |t, index, _, value| t.index_add_(0, index, t.clone(), Scalar::Float(value)),
    },
    Term {
        name: "initial",
        class: ErrorClass::Type,
        run: |t, _, _, value| {
            let lengths = Tensor::from_elements(&[1], &[t.shape().dims()[0] as i32])?;
            let (segments, initial) = (Segments::Lengths(&lengths), Some(Scalar::Float(value)));
            segment_reduce(t, Reduction::Prod, Sum::Ordered, segments, initial).map(drop)
        },
    },
];

/// Whether a term refuses a value for a table of `dtype` and `size` elements, or for floats takes it.
async fn term(backend: &Backend, term: &Term, dtype: DType, size: usize, value: f64) -> Row {
    let table = Data::from_bits(dtype, &[size], vec![1; size]);
    let places: Vec<i32> = (0..size as i32).collect();
    let index = Tensor::from_elements(&[size], &places)?;
    let mut tensor = backend.put(&table)?;
    let outcome = (term.run)(&mut tensor, &index, &index.reshape(&[size, 1])?, value);
    if dtype.is_float() {
        return outcome.map_err(Fault::from);
    }
    let error = error_of(outcome)?;
    let lacks_op = dtype == DType::Bool && matches!(term.name, "scatter_sub" | "scatter_div");
    if !lacks_op {
        equal("class", error.class(), term.class)?;
        equal("code", error.code(), ErrorCode::InvalidArgument)?;
        equal("way out", error.to_string().contains(".astype('float32')"), true)?;
        let same_value =
            matches!(error.value_fact(), Some(FactValue::Float(said)) if said.to_bits() == value.to_bits());
        equal("value", same_value, true)?;
    }
    same("self afterwards", table.difference(&read(&tensor).await?))
}

one_thread!(fractions_are_refused);
/// By every operator that computes with a scalar, for every dtype, with sizes 0, 1 and 3.
async fn fractions_are_refused() {
    on_each_backend("fractions", async |backend, report| {
        for each in &TERMS {
            for &dtype in DType::ALL {
                for (size, value) in [(3, 0.5), (1, 1.75), (0, -0.25), (3, f64::NAN), (1, f64::INFINITY)] {
                    let outcome = term(backend, each, dtype, size, value).await;
                    report.row(&format!("{} {dtype} {size} {value}", each.name), outcome);
                }
            }
        }
    })
    .await;
}

one_thread!(replacements_cut_fractions);
/// `scatter_` also cuts terms and factors.
async fn replacements_cut_fractions() {
    on_each_backend("cut-fractions", async |backend, report| {
        let index = Tensor::from_elements(&[1], &[1]);
        let table = Data::new(&[2], &[1i32, 3]);
        let calls: [(&str, Replacement, i32); 5] = [
            ("replace", |t, index| t.scatter_(0, index, 2.9, Reduce::Replace), 2),
            ("add", |t, index| t.scatter_(0, index, 2.9, Reduce::Add), 5),
            ("multiply", |t, index| t.scatter_(0, index, -2.9, Reduce::Multiply), -6),
            ("scatter_update", |t, index| scatter_update(t, index, 2.9), 2),
            ("index_fill", |t, index| t.index_fill_(0, index, Scalar::Float(2.9)), 2),
        ];
        for (name, run, expected) in calls {
            let outcome = async {
                let mut tensor = backend.put(&table)?;
                run(&mut tensor, index.as_ref().map_err(Clone::clone)?)?;
                same("self", Data::new(&[2], &[1, expected]).difference(&read(&tensor).await?))
            };
            report.row(name, outcome.await);
        }
    })
    .await;
}
