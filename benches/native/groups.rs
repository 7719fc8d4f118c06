//! Sorts and groups on the CPU beside a plain loop: `cargo bench -p scatterwise-bench --bench groups [-- --quick] [-- NAME]`.
//!
//! Beside some there is a third contestant in the same rounds: the composition of our own operators that an operator replaces, a histogram with
//! weights, or the standard library's sort of the values alone. A result must be that of the plain loop, or close to it where our sums are
//! exact and those of the loop in order.

use std::cmp::Ordering;
use std::hint::black_box;

use scatterwise::{
    Activation, Bins, CountOptions, DType, Gather, IndexMode, IndexPlan, Item, Length, Op, OutOfRange,
    Reduce, Reduction, Result, Scalar, Scatter, Segments, Spmm, Statistic, Target, Tensor, Weights, activate,
    bincount, binned_statistic, elementwise_sub, histogramdd, scatter_logsumexp, scatter_softmax,
    scatter_softmax_vjp, searchsorted, segment_winners, unique,
};
use scatterwise_bench::clock::{Clock, Effort, race};
use scatterwise_bench::table::{Table, ratio, time};
use scatterwise_bench::workload::{Number, Random};
use yardstick::groups;

/// Elements, entries and points; groups; nodes of a graph, its edges, and the features of a node; bins of each column.
const COUNT: usize = 1 << 20;
const GROUPS: usize = 1 << 16;
const NODES: usize = 50_000;
const EDGES: usize = 1_000_000;
const FEATURES: usize = 16;
const BINS: usize = 512;

/// A contestant: one call, whose result is dropped.
type Call<'a> = Box<dyn FnMut() + 'a>;

fn main() -> Result<()> {
    // With this flag nothing is measured: a run only shows that the program starts.
    if std::env::args().any(|arg| arg == "--test") {
        return Ok(());
    }
    let effort = Effort::from_args();
    println!("{} rounds, interleaved; medians of the thread's own time. Results are new.\n", effort.rounds);
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with("--")).unwrap_or_default();
    let headings =
        ["workload", "ours", "spread", "plain loop", "ours / plain", "beside", "ours / beside", ""];
    let mut bench = Bench { effort, wanted, table: Table::new(&headings, 1) };
    sorts::<f32>(&mut bench, f32::total_cmp)?;
    sorts::<i32>(&mut bench, Ord::cmp)?;
    searches(&mut bench)?;
    winners(&mut bench)?;
    softmaxes(&mut bench)?;
    products(&mut bench)?;
    bins(&mut bench)?;
    counts(&mut bench)?;
    println!("{}", bench.table);
    Ok(())
}

/// What all workloads are measured with, and the rows so far.
struct Bench {
    effort: Effort,
    /// Part of the names of the workloads that are measured.
    wanted: String,
    table: Table,
}

impl Bench {
    /// Whether a workload is measured.
    fn wants(&self, name: &str) -> bool {
        name.contains(&self.wanted)
    }

    /// Adds a row: `ours` beside `plain`, and beside another contestant with its name, if there is one.
    fn row(&mut self, name: &str, ours: Call<'_>, plain: Call<'_>, other: Option<(&str, Call<'_>)>) {
        let (title, other) = other.map_or(("", None), |(title, call)| (title, Some(call)));
        let mut contestants: Vec<Box<dyn FnMut(usize) + '_>> = Vec::new();
        for mut call in [Some(ours), Some(plain), other].into_iter().flatten() {
            contestants.push(Box::new(move |calls| (0..calls).for_each(|_| call())));
        }
        let times = race(Clock::Thread, self.effort, &mut contestants);
        let [ours, plain, other] = [0, 1, 2].map(|at| times.get(at).map_or(f64::NAN, |times| times.median()));
        let spread = format!("{:.0} %", 100.0 * times[0].spread());
        let ratios = [ratio(ours / plain), ratio(ours / other)];
        let [by_plain, by_other] = ratios;
        let cells =
            [name.into(), time(ours), spread, time(plain), by_plain, time(other), by_other, title.into()];
        self.table.row(cells);
    }
}

/// A contestant that makes a call of the library.
fn ours<'a, T: 'a>(mut call: impl FnMut() -> Result<T> + 'a) -> Call<'a> {
    Box::new(move || drop(black_box(call().expect("a result"))))
}

/// A contestant by hand.
fn by_hand<'a, T: 'a>(mut call: impl FnMut() -> T + 'a) -> Call<'a> {
    Box::new(move || drop(black_box(call())))
}

/// Panics unless a tensor has these elements.
fn check<T: Item + PartialEq>(name: &str, ours: &Tensor, right: impl IntoIterator<Item = T>) {
    let right: Vec<T> = right.into_iter().collect();
    assert!(ours.elements::<T>() == Some(&right[..]), "{name}: another result than the plain loop's");
}

/// Panics unless a tensor has about these elements: the same, NaN at NaN, or within 2^-10, or in parts of the larger.
fn check_near(name: &str, ours: &Tensor, right: &[f32]) {
    let ours = ours.elements::<f32>().expect("float32");
    let is_near = |(a, b): (&f32, &f32)| {
        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= b.abs().max(1.0) / 1024.0
    };
    assert!(
        ours.len() == right.len() && ours.iter().zip(right).all(is_near),
        "{name}: far from the plain loop's"
    );
}

/// Floats from −1 to 1.
fn units(random: &mut Random, len: usize) -> Vec<f32> {
    (0..len).map(|_| random.unit() as f32 * 2.0 - 1.0).collect()
}

/// Places of a table; by Zipf's law if `is_hot`.
fn places(random: &mut Random, len: usize, size: usize, is_hot: bool) -> Vec<i32> {
    (0..len).map(|_| if is_hot { random.zipf(size) } else { random.below(size) } as i32).collect()
}

/// Sorts of random, sorted and few values, beside the standard library's sort of the values alone; and distinct values.
fn sorts<T: Number + PartialEq>(bench: &mut Bench, compare: fn(&T, &T) -> Ordering) -> Result<()> {
    let mut random = Random::default();
    let any: Vec<T> = (0..COUNT).map(|_| T::from_i32((random.below(1 << 32) as u32).cast_signed())).collect();
    let mut sorted = any.clone();
    sorted.sort_by(compare);
    let reversed: Vec<T> = sorted.iter().rev().copied().collect();
    let few = (0..COUNT).map(|_| any[random.zipf(256)]).collect();
    let many = (0..COUNT).map(|_| T::from_i32(random.below(COUNT) as i32)).collect();
    for (values, x) in [
        ("random", &any),
        ("sorted before", &sorted),
        ("sorted before, descending", &reversed),
        ("256 values, Zipf", &few),
    ] {
        let name = format!("argsort, {}, {values}", T::DTYPE.name());
        if bench.wants(&name) {
            let t = Tensor::from_elements(&[COUNT], x)?;
            check(&name, &t.argsort(0, false)?, groups::argsort(x, compare).into_iter().map(i64::from));
            let alone = by_hand(|| {
                let mut values = x.clone();
                values.sort_unstable_by(compare);
                values
            });
            let plain = by_hand(|| groups::argsort(x, compare));
            bench.row(
                &name,
                ours(|| t.argsort(0, false)),
                plain,
                Some(("sort_unstable of the values", alone)),
            );
        }
    }
    for (values, x) in [("as many values as elements", &many), ("256 values, Zipf", &few)] {
        let name = format!("unique, {}, {values}", T::DTYPE.name());
        if bench.wants(&name) {
            let t = Tensor::from_elements(&[COUNT], x)?;
            let (found, right) = (unique(&t)?, groups::unique(x, compare));
            check(&name, &found.values, right.values);
            check(&name, &found.index, right.first.into_iter().map(i64::from));
            check(&name, &found.inverse, right.inverse.into_iter().map(i64::from));
            check(&name, &found.counts, right.counts.into_iter().map(i64::from));
            bench.row(&name, ours(|| unique(&t)), by_hand(|| groups::unique(x, compare)), None);
        }
    }
    Ok(())
}

/// Searches in sorted edges.
fn searches(bench: &mut Bench) -> Result<()> {
    let name = "searchsorted, 65,536 edges";
    let mut random = Random::default();
    let (mut edges, x) = (units(&mut random, GROUPS), units(&mut random, COUNT));
    edges.sort_by(f32::total_cmp);
    let (of_edges, of_x) = (Tensor::from_elements(&[GROUPS], &edges)?, Tensor::from_elements(&[COUNT], &x)?);
    let plain = || {
        let mut out = vec![0; COUNT];
        groups::search(&mut out, &edges, &x);
        out
    };
    check(name, &searchsorted(&of_edges, &of_x, false)?, plain().into_iter().map(i64::from));
    if bench.wants(name) {
        bench.row(name, ours(|| searchsorted(&of_edges, &of_x, false)), by_hand(plain), None);
    }
    Ok(())
}

/// Maxima of groups and of segments, with their positions.
fn winners(bench: &mut Bench) -> Result<()> {
    let mut random = Random::default();
    let src = units(&mut random, COUNT);
    let of_src = Tensor::from_elements(&[COUNT], &src)?;
    let update = Reduction::Amax.update(false);
    for (name, is_hot) in [("winners of 65,536 groups", false), ("winners of 65,536 groups, Zipf", true)] {
        let index = places(&mut random, COUNT, GROUPS, is_hot);
        let of_index = Tensor::from_elements(&[COUNT], &index)?;
        let call = || {
            let mut table = Tensor::zeros(&[GROUPS], DType::Float32)?;
            let target = Target::along(0, &of_index);
            let places = Scatter::new(Op::ScatterReduce, target, (&of_src).into(), update)
                .run_for_winners(&mut table)?;
            Ok((table, places))
        };
        let plain = || {
            let (mut values, mut places) = (vec![0.0; GROUPS], vec![0; GROUPS]);
            groups::winners(&mut values, &mut places, &index, &src);
            (values, places)
        };
        check(name, &call()?.0, plain().0);
        check(name, &call()?.1, plain().1.into_iter().map(i64::from));
        if bench.wants(name) {
            bench.row(name, ours(call), by_hand(plain), None);
        }
    }
    let name = "winners of 10,000 segments";
    let offsets: Vec<i32> = (0..=10_000).map(|at| (at * COUNT / 10_000) as i32).collect();
    let of_offsets = Tensor::from_elements(&[10_001], &offsets)?;
    let call = || segment_winners(&of_src, Reduction::Amax, Segments::Offsets(&of_offsets), None);
    let plain = || {
        let (mut values, mut places) = (vec![0.0; 10_000], vec![0; 10_000]);
        groups::segment_winners(&mut values, &mut places, &offsets, &src);
        (values, places)
    };
    check(name, &call()?.1, plain().1.into_iter().map(i64::from));
    if bench.wants(name) {
        bench.row(name, ours(call), by_hand(plain), None);
    }
    Ok(())
}

/// Softmax and logsumexp beside the composition of other operators, whose sums are in order.
fn softmaxes(bench: &mut Bench) -> Result<()> {
    let mut random = Random::default();
    let src = units(&mut random, COUNT);
    let of_src = Tensor::from_elements(&[COUNT], &src)?;
    for (groups_of, is_hot) in [("65,536 groups", false), ("65,536 groups, Zipf", true)] {
        let index = places(&mut random, COUNT, GROUPS, is_hot);
        let of_index = Tensor::from_elements(&[COUNT], &index)?;
        let parts = || {
            let mut most = Tensor::full(&[GROUPS], f64::NEG_INFINITY, DType::Float32)?;
            most.scatter_reduce_(0, &of_index, &of_src, Reduction::Amax, true)?;
            let terms = elementwise_sub(&of_src, &most.gather(0, &of_index)?, -1, Some(Activation::Exp))?;
            let mut sums = Tensor::zeros(&[GROUPS], DType::Float32)?;
            sums.scatter_add_(0, &of_index, &terms)?;
            Ok((most, sums, terms))
        };
        let name = format!("softmax in {groups_of}");
        let plain = || {
            let mut out = vec![0.0; COUNT];
            groups::softmax(&mut out, GROUPS, &index, &src);
            out
        };
        let composed = || {
            let (_, sums, mut terms) = parts()?;
            terms.div_(&sums.gather(0, &of_index)?, None)?;
            Ok(terms)
        };
        check_near(&name, &scatter_softmax(&of_src, &of_index, 0, None, None)?, &plain());
        if bench.wants(&name) {
            let call = ours(|| scatter_softmax(&of_src, &of_index, 0, None, None));
            bench.row(&name, call, by_hand(plain), Some(("composition", ours(composed))));
        }
        let name = format!("logsumexp in {groups_of}");
        let plain = || {
            let mut out = vec![0.0; GROUPS];
            groups::logsumexp(&mut out, &index, &src);
            out
        };
        let composed = || {
            let (mut most, sums, _) = parts()?;
            most.add_(&activate(&sums, Activation::Log)?)?;
            Ok(most)
        };
        let call = || scatter_logsumexp(&of_src, &of_index, 0, None, Some(GROUPS));
        check_near(&name, &call()?, &plain());
        if bench.wants(&name) {
            bench.row(&name, ours(call), by_hand(plain), Some(("composition", ours(composed))));
        }
    }
    ignoring(bench)
}

/// Softmax that leaves out entries at random, and its gradient, beside the same without such entries.
fn ignoring(bench: &mut Bench) -> Result<()> {
    let mut random = Random::default();
    let (src, cotangent) = (units(&mut random, COUNT), units(&mut random, COUNT));
    let [of_src, of_cotangent] = [&src, &cotangent].map(|numbers| Tensor::from_elements(&[COUNT], numbers));
    let (of_src, of_cotangent) = (of_src?, of_cotangent?);
    let all = places(&mut random, COUNT, GROUPS, false);
    let of_all = Tensor::from_elements(&[COUNT], &all)?;
    let mut index = all;
    index.iter_mut().filter(|_| random.below(10) < 3).for_each(|at| *at = -1);
    let of_index = Tensor::from_elements(&[COUNT], &index)?;
    let name = "softmax in 65,536 groups, 3 of 10 ignored";
    let plain = || {
        let mut out = vec![0.0; COUNT];
        groups::softmax_ignoring(&mut out, GROUPS, &index, &src);
        out
    };
    check_near(name, &scatter_softmax(&of_src, &of_index, 0, Some(-1), None)?, &plain());
    if bench.wants(name) {
        let call = ours(|| scatter_softmax(&of_src, &of_index, 0, Some(-1), None));
        let without = ours(|| scatter_softmax(&of_src, &of_all, 0, None, None));
        bench.row(name, call, by_hand(plain), Some(("none ignored", without)));
    }
    let name = "gradient of that softmax";
    let gradient = |index, ignored| scatter_softmax_vjp(&of_src, index, 0, ignored, None, &of_cotangent);
    let plain = || {
        let (mut softmax, mut out) = (vec![0.0; COUNT], vec![0.0; COUNT]);
        groups::softmax_ignoring(&mut softmax, GROUPS, &index, &src);
        groups::softmax_gradient_ignoring(&mut out, GROUPS, &index, &softmax, &cotangent);
        out
    };
    check_near(name, &gradient(&of_index, Some(-1))?, &plain());
    if bench.wants(name) {
        let without = ours(|| gradient(&of_all, None));
        let call = ours(|| gradient(&of_index, Some(-1)));
        bench.row(name, call, by_hand(plain), Some(("none ignored", without)));
    }
    Ok(())
}

/// Products of a sparse and a dense matrix beside the composition, with plans and without.
fn products(bench: &mut Bench) -> Result<()> {
    let mut random = Random::default();
    let (values, dense) = (units(&mut random, EDGES), units(&mut random, NODES * FEATURES));
    let of_values = Tensor::from_elements(&[EDGES], &values)?;
    let of_dense = Tensor::from_elements(&[NODES, FEATURES], &dense)?;
    let column = of_values.reshape(&[EDGES, 1])?;
    for (name, is_hot, is_planned) in
        [("spmm", false, false), ("spmm, with plans", false, true), ("spmm, with plans, Zipf", true, true)]
    {
        let rows = places(&mut random, EDGES, NODES, is_hot);
        let columns = places(&mut random, EDGES, NODES, false);
        let target = |index: &[i32]| -> Result<Target> {
            let index = Tensor::from_elements(&[EDGES], index)?;
            let shape = [NODES, FEATURES];
            Ok(if is_planned {
                (&IndexPlan::select(&shape, 0, &index, OutOfRange::Raise)?).into()
            } else {
                Target::slices(0, &index)
            })
        };
        let (of_rows, of_columns) = (target(&rows)?, target(&columns)?);
        let mut call = Spmm::new(of_rows.clone(), of_columns.clone(), Some(&of_values));
        call.size = Some(NODES);
        let plain = || {
            let mut out = vec![0.0; NODES * FEATURES];
            groups::spmm(&mut out, FEATURES, &rows, &columns, &values, &dense);
            out
        };
        let composed = || {
            let mut products = Gather::new(Op::IndexSelect, of_columns.clone()).run(&of_dense)?;
            products.mul_(&column)?;
            let mut table = Tensor::zeros(&[NODES, FEATURES], DType::Float32)?;
            Scatter::index_add(Op::IndexAdd, of_rows.clone(), (&products).into(), Scalar::Int(1))
                .run(&mut table)?;
            Ok(table)
        };
        check(name, &call.run(&of_dense)?, plain());
        check(name, &composed()?, plain());
        if bench.wants(name) {
            bench.row(
                name,
                ours(|| call.run(&of_dense)),
                by_hand(plain),
                Some(("composition", ours(composed))),
            );
        }
    }
    Ok(())
}

/// Statistics of bins beside a histogram with weights.
fn bins(bench: &mut Bench) -> Result<()> {
    let mut random = Random::default();
    let (sample, values) = (units(&mut random, 2 * COUNT), units(&mut random, COUNT));
    let of_sample = Tensor::from_elements(&[COUNT, 2], &sample)?;
    let of_values = Tensor::from_elements(&[COUNT], &values)?;
    let columns: [(Bins, _); 2] =
        [((BINS as i64).into(), Some([-1.0, 1.0])), ((BINS as i64).into(), Some([-1.0, 1.0]))];
    for (name, statistic, by_loop) in [
        ("binned_statistic, mean", Statistic::Mean, groups::Statistic::Mean),
        ("binned_statistic, sum", Statistic::Sum, groups::Statistic::Sum),
        ("binned_statistic, count", Statistic::Count, groups::Statistic::Count),
    ] {
        let plain = || {
            let mut out = vec![0.0; BINS * BINS];
            groups::binned(&mut out, BINS, &sample, &values, by_loop, (-1.0, BINS as f64 / 2.0));
            out
        };
        let call = || binned_statistic(&of_sample, Some(&of_values), statistic, &columns, None);
        check_near(name, &call()?.0.astype(DType::Float32)?, &plain());
        if bench.wants(name) {
            let weighted = ours(|| histogramdd(&of_sample, &columns, Some(Weights::from(&of_values))));
            bench.row(name, ours(call), by_hand(plain), Some(("histogramdd, weights", weighted)));
        }
    }
    Ok(())
}

/// Counts under a mask, and sums that leave entries out.
fn counts(bench: &mut Bench) -> Result<()> {
    let mut random = Random::default();
    let name = "bincount, 256 bins, Zipf, with a mask";
    let index = places(&mut random, 4 * COUNT, 256, true);
    let mask: Vec<u8> = (0..4 * COUNT).map(|_| random.below(2) as u8).collect();
    let of_index = Tensor::from_elements(&[4 * COUNT], &index)?;
    let of_mask = Tensor::from_elements(&[4 * COUNT], &mask)?.astype(DType::Bool)?;
    let plain = || {
        let mut out = vec![0; 256];
        groups::bincount_masked(&mut out, &index, &mask);
        out
    };
    let call = || {
        bincount(
            &of_index,
            CountOptions { mask: Some(&of_mask), ..CountOptions::default() },
            Length::from(256),
        )
    };
    check(name, &call()?, plain().into_iter().map(i64::from));
    if bench.wants(name) {
        bench.row(name, ours(call), by_hand(plain), None);
    }

    let name = "add, a quarter ignored";
    let src = units(&mut random, COUNT);
    let mut index = places(&mut random, COUNT, GROUPS, false);
    index.iter_mut().filter(|_| random.below(4) == 0).for_each(|at| *at = -1);
    let (of_index, of_src) =
        (Tensor::from_elements(&[COUNT], &index)?, Tensor::from_elements(&[COUNT], &src)?);
    let call = || {
        let mut table = Tensor::zeros(&[GROUPS], DType::Float32)?;
        let mut add =
            Scatter::new(Op::ScatterAdd, Target::along(0, &of_index), (&of_src).into(), Reduce::Add);
        add.mode = IndexMode { ignored: Some(-1), ..IndexMode::default() };
        add.run(&mut table)?;
        Ok(table)
    };
    let plain = || {
        let mut out = vec![0.0; GROUPS];
        groups::add_ignoring(&mut out, &index, &src);
        out
    };
    check(name, &call()?, plain());
    if bench.wants(name) {
        bench.row(name, ours(call), by_hand(plain), None);
    }
    Ok(())
}
