//! The vectors of exact sums, `precise.json`, on each backend.

use scatterwise::{
    DType, ErrorClass, ExactSum, Factor, NdReduce, Op, OutOfRange, Reduction, Scatter, Segments, Source, Sum,
    Target, Tensor, Update, segment_reduce,
};
use serde_json::Value;

use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::data::Data;
use crate::common::histogram;
use crate::common::recorded::data as tensor;
use crate::common::report::{Fault, Row, equal};
use crate::common::vectors::{accepted_errors, scalar};
use crate::everywhere;

const VECTORS: &str = include_str!("../../vectors/precise.json");

/// A call as the file has it.
struct Case<'a>(&'a Value);

impl Case<'_> {
    fn argument(&self, name: &str) -> Tensor {
        tensor(&self.0["args"][name]).unwrap().tensor()
    }

    fn option(&self, name: &str) -> Option<&Value> {
        self.0["kwargs"].get(name)
    }

    fn word(&self, name: &str) -> &str {
        self.option(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// How updates are combined, and what they are multiplied by; `None` for a word that only JavaScript refuses.
    fn update(&self) -> Option<(Update, Factor)> {
        let reduction = |word| Reduction::NAMES.iter().position(|&name| name == word);
        let nd =
            |word| NdReduce::NAMES.iter().position(|&name| name == word).map(|at| NdReduce::ALL[at].parts());
        let include_self = self.option("include_self").is_none_or(|value| value == true);
        let (update, factor) = match self.0["op"].as_str().unwrap() {
            "scatter_reduce" => {
                (Reduction::ALL[reduction(self.word("reduce"))?].update(include_self), Factor::One)
            }
            "scatter_" | "scatter_nd" if self.option("reduce").is_none() => {
                (NdReduce::Replace.parts().0.into(), Factor::One)
            }
            "scatter_" | "scatter_nd" => {
                nd(self.word("reduce")).map(|(reduce, factor)| (reduce.into(), factor))?
            }
            "ops_scatter_sub" => nd("sub").map(|(reduce, factor)| (reduce.into(), factor))?,
            _ => (NdReduce::Add.parts().0.into(), Factor::One),
        };
        let factor = self.option("alpha").map_or(factor, |alpha| Factor::Alpha(scalar(alpha).unwrap()));
        Some((Update { sum: self.sum()?, ..update }, factor))
    }

    fn sum(&self) -> Option<Sum> {
        let word = self.option("sum").map_or(Some("ordered"), Value::as_str)?;
        Sum::NAMES.iter().position(|&name| name == word).map(|at| Sum::ALL[at])
    }

    /// Makes the call on a backend; `None` for one that only JavaScript can make.
    fn run(&self, backend: &Backend) -> Option<scatterwise::Result<Tensor>> {
        let mut table = backend.put(&tensor(&self.0["self"])?).unwrap();
        let dim = || self.0["args"]["dim"].as_i64().unwrap();
        let (op, target, source) = match self.0["op"].as_str().unwrap() {
            "scatter_add_axis" => (Op::ScatterAdd, Target::along(dim(), &self.argument("index")), "src"),
            "scatter_" => (Op::ScatterInPlace, Target::along(dim(), &self.argument("index")), "src"),
            "scatter_reduce" => (Op::ScatterReduce, Target::along(dim(), &self.argument("index")), "src"),
            "index_add" => (Op::IndexAdd, Target::slices(dim(), &self.argument("index")), "src"),
            "scatter_add_nd" => (Op::ScatterAdd, Target::tuples(&self.argument("indices")), "updates"),
            "scatter_nd" => (Op::ScatterNd, Target::tuples(&self.argument("indices")), "updates"),
            "ops_scatter_add" => (Op::ScatterAddRows, Target::tuples(&self.argument("indices")), "updates"),
            "ops_scatter_sub" => (Op::ScatterSub, Target::tuples(&self.argument("indices")), "updates"),
            "segment_reduce" => return self.segments(&table),
            other => panic!("{other}"),
        };
        let src = &self.0["args"][source];
        let src: Source = match tensor(src) {
            Some(data) => data.tensor().into(),
            None => scalar(src)?.into(),
        };
        let (update, factor) = self.update()?;
        let call = Scatter { factor, ..Scatter::new(op, target, src, update) };
        Some(call.run(&mut table).map(|()| table))
    }

    fn segments(&self, data: &Tensor) -> Option<scatterwise::Result<Tensor>> {
        let given = |name| self.option(name).map(|value| tensor(value).unwrap().tensor());
        let (offsets, lengths) = (given("offsets"), given("lengths"));
        let segments = match (&offsets, &lengths) {
            (Some(offsets), _) => Segments::Offsets(offsets),
            (None, lengths) => Segments::Lengths(lengths.as_ref()?),
        };
        let at = Reduction::NAMES.iter().position(|&name| name == self.word("reduce"))?;
        let initial = self.option("initial").map(|value| scalar(value).unwrap());
        Some(segment_reduce(data, Reduction::ALL[at], self.sum()?, segments, initial))
    }
}

one_thread!(calls);
async fn calls() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    on_each_backend("precise", async |backend, report| {
        let mut run = 0;
        for value in file["cases"].as_array().unwrap() {
            let (id, op) = (value["id"].as_str().unwrap(), value["op"].as_str().unwrap());
            if ["ExactSum", "bincount", "histogram", "histogramdd"].contains(&op) {
                continue;
            }
            let Some(done) = Case(value).run(backend) else { continue };
            run += 1;
            let outcome = match done {
                Ok(out) => read(&out).await,
                Err(error) => Err(error),
            };
            report.row(id, compare(value, outcome));
        }
        assert!(run > 130, "{run}");
    })
    .await;
}

/// Compares the outcome of a call with those that the file accepts.
fn compare(value: &Value, outcome: scatterwise::Result<Data>) -> Row {
    let others = value.get("also_accept").and_then(Value::as_array).into_iter().flatten();
    let accepted: Vec<Data> = [&value["expect"]].into_iter().chain(others).filter_map(tensor).collect();
    match outcome {
        Ok(out) => {
            let differences: Vec<_> = accepted.iter().map(|expected| expected.difference(&out)).collect();
            let is_right = differences.iter().any(Option::is_none);
            if is_right { Ok(()) } else { Err(Fault::Wrong(format!("{differences:?}"))) }
        }
        Err(error) => {
            let classes = accepted_errors(&value["expect"]).unwrap_or_default();
            let has = |name: &str| classes.contains(&name);
            let is_index = error.class() == ErrorClass::Index && has("RuntimeError");
            equal(&error.to_string(), is_index || has(error.class().name()), true)
        }
    }
}

one_thread!(counts);
async fn counts() {
    on_each_backend("precise-counts", async |backend, report| {
        let mut run = 0;
        for case in histogram::vectors::cases(VECTORS) {
            let call = case.call().unwrap();
            let outcome = async {
                let mut got = vec![];
                for tensor in call.run(backend, Place::Host)? {
                    got.push(read(&tensor).await?);
                }
                let is_right = |expected: &Vec<Data>| {
                    expected.iter().zip(&got).all(|(expected, got)| expected.difference(got).is_none())
                };
                equal(&format!("{got:?}"), case.accepted(&call).iter().any(is_right), true)
            };
            report.row(case.id(), outcome.await);
            run += 1;
        }
        assert_eq!(run, 13);
    })
    .await;
}

/// Three parts, merged in every order, one of them through its bytes.
#[everywhere::test]
fn parts() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    let mut run = 0;
    for value in file["cases"].as_array().unwrap().iter().filter(|value| value["op"] == "ExactSum") {
        let case = Case(value);
        let id = value["id"].as_str().unwrap();
        let dtype = DType::from_name(case.word("dtype")).unwrap();
        let sizes = case.option("shape").unwrap().as_array().unwrap();
        let shape: Vec<usize> = sizes.iter().map(|size| size.as_u64().unwrap() as usize).collect();
        let part = |number: usize| {
            let (index, src) =
                (case.argument(&format!("index{number}")), case.argument(&format!("src{number}")));
            let mut part = ExactSum::new(&shape, dtype).unwrap();
            part.add(Target::along(0, &index), &src, OutOfRange::Raise).unwrap();
            part
        };
        let mut bytes = vec![];
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let [mut all, mut second, third] = order.map(part);
            all.merge(&ExactSum::from_bytes(&second.to_bytes().unwrap()).unwrap()).unwrap();
            all.merge(&third).unwrap();
            for (name, got) in [("sum", all.sum()), ("mean", all.mean()), ("count", all.count())] {
                let expected = tensor(&value["expect"]["outputs"][name]).unwrap();
                assert_eq!(expected.difference(&Data::of(&got.unwrap())), None, "{id} {name} {order:?}");
            }
            bytes.push(all.to_bytes().unwrap());
        }
        assert!(bytes.iter().all(|each| *each == bytes[0]), "{id}");
        run += 1;
    }
    assert_eq!(run, 12);
}
