//! One step of each program of `benches/programs` at its large size: the same calls in the same order, from data that is on the GPU already. What a
//! program reads before it goes on is read here too. Numbers and small lists come from host memory in every call, as in JavaScript.

use pollster::block_on;
use scatterwise::{
    Activation, CountOptions, DType, Device, ExactSum, Gather, GroupOptions, GroupStatistic, Item, Op,
    OutOfRange, Reduce, Reduction, Result, Rounding, Scatter, Spmm, Target, Tensor, activate, activate_vjp,
    bincount, flatnonzero, group_by, histogramdd,
};

use crate::{Cases, below, bytes};

/// Whole numbers from 0 to 2^24, as parts of 1.
fn unit(at: usize) -> f32 {
    below(at, 1 << 24) as f32 / (1 << 24) as f32
}

/// A tensor on the GPU, of elements from `of(k)`.
fn made<T: Item>(dims: &[usize], of: impl Fn(usize) -> T) -> Tensor {
    let elements: Vec<T> = (0..dims.iter().product()).map(of).collect();
    Tensor::from_elements(dims, &elements).and_then(|tensor| tensor.upload()).expect("an operand")
}

/// A list in host memory.
fn list<T: Item>(elements: &[T]) -> Result<Tensor> {
    Tensor::from_elements(&[elements.len()], elements)
}

/// A number as an operand.
fn number<T: Item>(value: T) -> Result<Tensor> {
    Tensor::from_elements(&[], &[value])
}

/// A column of a matrix, as a list.
fn column(matrix: &Tensor, at: i32) -> Result<Tensor> {
    matrix.index_select(1, &list(&[at])?)?.reshape(&[matrix.shape().dims()[0]])
}

/// For each column, the parts that the cell of a place's corner and the next cell get.
fn shares(beyond: &Tensor) -> Result<Vec<[Tensor; 2]>> {
    (0..beyond.shape().dims()[1])
        .map(|axis| {
            let part = column(beyond, axis as i32)?;
            let mut rest = part.mul(&number(-1f32)?)?;
            rest.add_(&number(1f32)?)?;
            Ok([rest, part])
        })
        .collect()
}

/// Adds weights to the cells of a table.
fn add_at(table: &mut Tensor, cells: &Tensor, weights: &Tensor, mode: OutOfRange) -> Result<()> {
    let call = Scatter::new(Op::ScatterAddInPlace, Target::tuples(cells), weights.into(), Reduce::Add);
    Scatter { mode: mode.into(), ..call }.run(table)
}

impl Cases {
    pub(crate) fn programs(&mut self) {
        self.groups();
        self.density();
        self.picture();
        self.page_rank();
        self.graph_layer();
        self.embedding();
        self.particles();
        self.filter();
        self.chunks();
    }

    fn groups(&mut self) {
        const ROWS: usize = 1_000_000;
        const GROUPS: usize = 50;
        let group = made(&[ROWS], |k| if below(k + ROWS, 20) == 0 { -1 } else { below(k, GROUPS) });
        let price = made(&[ROWS], |k| if below(k + 2 * ROWS, 20) == 0 { f32::NAN } else { 200.0 * unit(k) });
        let skip_nan = GroupOptions { skip_nan: true, ..GroupOptions::default() };
        let select = |from: &Tensor, index: &Tensor| {
            let mut call = Gather::new(Op::IndexSelect, Target::slices(0, index));
            call.mode.ignored = Some(-1);
            call.run(from)
        };
        self.step("Group-by with missing values", bytes(&[&price, &group]), || {
            use GroupStatistic::{Count, Max, Mean, Min};
            let groups = group_by(&group, GROUPS, Some(-1), None)?;
            let mut results = groups.agg(&price, &[Count, Mean, Min, Max], &skip_nan)?;
            let (count, mean) = (results[0].clone(), &results[1]);
            let apart = price.sub(&select(mean, &group)?)?;
            let variance = groups.reduce(&apart.mul(&apart)?, Mean, &skip_nan)?;
            let deviation = activate(&variance, Activation::Sqrt)?;

            let by_price = price.sort(0, false)?;
            let places = by_price.indices.astype(DType::Int32)?;
            let sorted = group_by(&group.index_select(0, &places)?, GROUPS, Some(-1), None)?;
            let all = Tensor::arange(0.0, GROUPS as f64, 1.0, DType::Int32)?.upload()?;
            let begins = sorted.offsets().index_select(0, &all)?;
            let middle = |less: i32| {
                let half = count.sub(&number(less)?)?.div(&number(2)?, Some(Rounding::Floor))?;
                let rows = sorted.order()?.index_select(0, &begins.add(&half)?)?;
                by_price.values.index_select(0, &rows)
            };
            let median = middle(1)?.add(&middle(0)?)?.div(&number(2f32)?, None)?;
            results.extend([deviation, median]);
            Ok(results)
        });
    }

    fn density(&mut self) {
        const POINTS: usize = 1_000_000;
        const SIDE: usize = 512;
        let points = made(&[POINTS, 2], |k| SIDE as f32 * (1.25 * unit(k) - 0.125));
        let weights = made(&[POINTS], |k| 0.5 + unit(k));
        let palette = made(&[256, 4], |k| (k / 4) as u8);
        self.step("Bilinear density", bytes(&[&points, &weights, &palette]), || {
            let corner = activate(&points, Activation::Floor)?;
            let (cell, beyond) = (corner.astype(DType::Int32)?, points.sub(&corner)?);
            let parts = shares(&beyond)?;
            let mut density = Tensor::zeros(&[SIDE, SIDE], DType::Float32)?.upload()?;
            for [i, j] in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                let mut part = parts[0][i].mul(&parts[1][j])?;
                part.mul_(&weights)?;
                let cells = cell.add(&list(&[i as i32, j as i32])?)?;
                add_at(&mut density, &cells, &part, OutOfRange::Inside)?;
            }
            let most = density.amax(None, false)?;
            let light = activate(&density.div(&most, None)?, Activation::Sqrt)?;
            let level = light.mul(&number(255f32)?)?.astype(DType::Int32)?.reshape(&[SIDE * SIDE])?;
            let picture = palette.index_select(0, &level)?.reshape(&[SIDE, SIDE, 4])?;
            Ok(vec![density, picture])
        });
    }

    fn picture(&mut self) {
        // Half of the program's: a software adapter binds 128 MiB at most.
        const PIXELS: usize = 3000 * 2000;
        let pixels = made(&[PIXELS, 4], |k| if k % 4 == 3 { 255 } else { 60 + below(k, 90) as u8 });
        self.step("Picture equalisation and its colours", bytes(&[&pixels]), || {
            let dtype = Some(DType::Int32);
            let options = CountOptions { dim: Some(0), dtype, ..CountOptions::default() };
            // The program makes the curves of these counts.
            drop(block_on(bincount(&pixels, options, 256)?.to(Device::Cpu))?);
            let curves: Vec<u8> = (0..1024).map(|k| (k / 4) as u8).collect();
            let equal = Tensor::from_elements(&[256, 4], &curves)?.upload()?.gather(0, &pixels)?;
            let range = Some([0.0, 256.0]);
            let columns = [32, 32, 32, 1].map(|bins: i64| (bins.into(), range));
            let (cube, _) =
                histogramdd(&pixels, &columns, CountOptions { dtype, ..CountOptions::default() })?;
            Ok(vec![equal, cube])
        });
    }

    fn page_rank(&mut self) {
        let (from, to) = links();
        let product = neighbours(&from, &to, Reduction::Sum);
        let (rank, share) = (made(&[NODES], |_| 1.0 / NODES as f32), made(&[NODES], |k| 0.1 * unit(k)));
        let dangling = made(&[NODES], |k| if below(k, 20) == 0 { 1f32 } else { 0.0 });
        self.step("PageRank, one round", bytes(&[&from, &to, &rank, &share, &dangling]), || {
            let mut next = product.run(&rank.mul(&share)?)?;
            let rest = rank.mul(&dangling)?.sum(None, false, None)?;
            let rest = rest.mul(&number(0.85 / NODES as f32)?)?.add(&number(0.15 / NODES as f32)?)?;
            next.add_(&rest)?;
            Ok(vec![next])
        });
    }

    fn graph_layer(&mut self) {
        const CHANNELS: usize = 16;
        let (from, to) = links();
        let product = neighbours(&from, &to, Reduction::Mean);
        let [wanted, mut features] = [0, 1].map(|seed| made(&[NODES, CHANNELS], |k| unit(2 * k + seed)));
        let [mut weight, mut bias] = [0, 1].map(|seed| made(&[CHANNELS], |k| unit(2 * k + seed)));
        let begin = bytes(&[&from, &to, &wanted, &features, &weight, &bias]);
        self.step("A graph layer, one training step", begin, || {
            let around = product.run(&features)?;
            let mut before = around.mul(&weight)?;
            before.add_(&bias)?;
            let mut apart = activate(&before, Activation::Relu)?;
            apart.sub_(&wanted)?;
            let slope = activate_vjp(&before, Activation::Relu, &apart)?;
            let of_features = product.vjp(&features, &slope.mul(&weight)?)?.dense;
            descend(&mut features, of_features)?;
            descend(&mut weight, slope.mul(&around)?.mean(Some(&[0]), false, None)?)?;
            descend(&mut bias, slope.mean(Some(&[0]), false, None)?)?;
            Ok(vec![features.clone(), weight.clone(), bias.clone()])
        });
    }

    fn embedding(&mut self) {
        const WORDS: usize = 50_000;
        const BAGS: usize = 8192;
        const LENGTH: usize = 32;
        const CHANNELS: usize = 64;
        // Bags of 0 to `LENGTH` words, the rest of each is padding.
        let text = made(&[BAGS * LENGTH], |k| {
            let is_word = below(k / LENGTH, LENGTH + 1) > (k % LENGTH) as i32;
            if is_word { below(k, WORDS) } else { -1 }
        });
        let owner = made(&[BAGS * LENGTH], |k| (k / LENGTH) as i32);
        let mut table = made(&[WORDS, CHANNELS], unit);
        let wanted = made(&[BAGS, CHANNELS], |k| unit(k + 1));
        let mut bags = Spmm::new(Target::slices(0, &owner), Target::slices(0, &text), None);
        bags = Spmm { size: Some(BAGS), reduction: Reduction::Mean, ..bags };
        bags.mode.ignored = Some(-1);
        self.step("An embedding bag, one training step", bytes(&[&text, &owner, &table, &wanted]), || {
            let mut slope = bags.run(&table)?;
            slope.sub_(&wanted)?;
            let of_table = bags.vjp(&table, &slope)?.dense;
            descend(&mut table, of_table)?;
            Ok(vec![table.clone()])
        });
    }

    fn particles(&mut self) {
        const PARTICLES: usize = 200_000;
        const SIDE: usize = 128;
        let mut place = made(&[PARTICLES, 3], |k| SIDE as f32 * unit(k));
        let mut speed = made(&[PARTICLES, 3], |_| 0f32);
        let mut density = made(&[SIDE, SIDE, SIDE], |_| 0f32);
        let [before, after] = [-1, 1].map(|apart| made(&[SIDE], |k| k as i32 + apart));
        let corners = (0..8).map(|at| [at >> 2, (at >> 1) & 1, at & 1]);
        let begin = bytes(&[&place, &speed, &density, &before, &after]);
        let wrap = OutOfRange::Wrap;
        self.step("Particles to a grid and back, one step", begin, || {
            let corner = activate(&place, Activation::Floor)?;
            let (cell, beyond) = (corner.astype(DType::Int32)?, place.sub(&corner)?);
            let parts = shares(&beyond)?;
            let shares = corners.clone().map(|[i, j, l]| {
                let cells = cell.add(&list(&[i, j, l])?)?;
                let mut weights = parts[0][i as usize].mul(&parts[1][j as usize])?;
                weights.mul_(&parts[2][l as usize])?;
                Ok((cells, weights))
            });
            let shares = shares.collect::<Result<Vec<_>>>()?;
            density.mul_(&number(0f32)?)?;
            for (cells, weights) in &shares {
                add_at(&mut density, cells, weights, wrap)?;
            }
            for dim in 0..3 {
                let select = |index: &Tensor| {
                    let call = Gather::new(Op::IndexSelect, Target::slices(dim, index));
                    Gather { mode: wrap.into(), ..call }.run(&density)
                };
                let mut slope = select(&before)?;
                slope.sub_(&select(&after)?)?;
                let mut force = Tensor::zeros(&[PARTICLES], DType::Float32)?.upload()?;
                for (cells, weights) in &shares {
                    let call = Gather::new(Op::GatherNd, Target::tuples(cells));
                    let mut part = Gather { mode: wrap.into(), ..call }.run(&slope)?;
                    part.mul_(weights)?;
                    force.add_(&part)?;
                }
                let push = [0, 1, 2].map(|axis| if axis == dim { 0.05f32 } else { 0.0 });
                speed.add_(&force.reshape(&[PARTICLES, 1])?.mul(&list(&push)?)?)?;
            }
            place.add_(&speed)?;
            Ok(vec![density.clone(), place.clone(), speed.clone()])
        });
    }

    fn filter(&mut self) {
        const POINTS: usize = 1_000_000;
        let (kind, zone) = (made(&[POINTS], |k| below(k, 4)), made(&[POINTS], |k| below(k + 1, 3)));
        let (places, value) = (made(&[POINTS, 2], unit), made(&[POINTS], |k| 100.0 * unit(k)));
        self.step("Filter by a box and two categories", bytes(&[&kind, &zone, &places, &value]), || {
            let mut mask = kind.eq(&number(2)?)?.logical_and(&zone.eq(&number(1)?)?)?;
            for (axis, [low, high]) in [[0.2f32, 0.7], [0.1, 0.8]].into_iter().enumerate() {
                let column = column(&places, axis as i32)?;
                mask = mask.logical_and(&column.ge(&number(low)?)?)?;
                mask = mask.logical_and(&column.lt(&number(high)?)?)?;
            }
            let found = flatnonzero(&mask, None, true)?;
            let mut rows = found.positions;
            if let Some(count) = found.count {
                let count = block_on(count.to(Device::Cpu))?;
                let count = count.elements::<i32>().and_then(|count| count.first().copied());
                rows = rows.first(Op::Flatnonzero, count.unwrap_or_default() as usize)?;
            }
            let (left, values) = (places.index_select(0, &rows)?, value.index_select(0, &rows)?);
            Ok(vec![values.mean(None, false, None)?, rows, left])
        });
    }

    fn chunks(&mut self) {
        const ROWS: usize = 100_000;
        const GROUPS: usize = 64;
        let group = (0..ROWS).map(|k| below(k, GROUPS)).collect::<Vec<_>>();
        let value = (0..ROWS).map(unit).collect::<Vec<_>>();
        let sums = ExactSum::new_on(&[GROUPS], DType::Float32, Device::WebGpu);
        let mut sums = sums.expect("sums");
        self.step("Exact sums in chunks, one chunk", (8 * ROWS) as u64, || {
            let (group, value) = (list(&group)?.upload()?, list(&value)?.upload()?);
            sums.add(Target::along(0, &group), &value, OutOfRange::Raise)?;
            Ok(Vec::new())
        });
    }
}

/// Nodes of the graph.
const NODES: usize = 100_000;

/// The ends of its links.
fn links() -> (Tensor, Tensor) {
    let (from, to) = (|k| below(k, NODES * 19 / 20), |k| below(2 * k + 1, NODES));
    (made(&[1_000_000], from), made(&[1_000_000], to))
}

/// What each node gets from those that link to it.
fn neighbours(from: &Tensor, to: &Tensor, reduction: Reduction) -> Spmm {
    let call = Spmm::new(Target::slices(0, to), Target::slices(0, from), None);
    Spmm { size: Some(NODES), reduction, ..call }
}

/// A step against a slope.
fn descend(parameter: &mut Tensor, mut slope: Tensor) -> Result<()> {
    slope.mul_(&number(0.1f32)?)?;
    parameter.sub_(&slope)
}
