//! Scatters whose result no order can change, by the ways that need none: the CPU's bits for every pair of special values, for many updates of
//! few places, and for few entries. Planted faults are found. Natively only: these tests take many calls, and read after each.

use std::rc::Rc;

use scatterwise::testing::gpu::Gpu;
use scatterwise::testing::gpu::testing::{Apply, Hooks as _, Pass, Rewrite, ShaderKey, Strategy, plant};
use scatterwise::{DType, IndexPlan, Reduce, Reduction, Segments, Sum, Tensor, segment_reduce};

use crate::common::backends::{ForcedStrategy, on_webgpu, read};
use crate::common::call::Planned as _;
use crate::common::data::Data;
use crate::common::pairs::Numbers;
use crate::common::report::{Fault, Row, equal, same};
use crate::suites::faulty_adapters;

/// The reductions whose result no order can change.
const REDUCES: [Reduce; 5] =
    [Reduce::Replace, Reduce::Maximum, Reduce::Minimum, Reduce::Multiply, Reduce::Add];

/// The way that needs no order, if a dtype has one.
fn way_of(dtype: DType, reduce: Reduce) -> Option<Strategy> {
    let is_word = dtype.size() == 4;
    match reduce {
        Reduce::Replace => Some(Strategy::Winner),
        Reduce::Maximum | Reduce::Minimum if is_word || dtype == DType::Bool => Some(Strategy::Atomics),
        Reduce::Maximum | Reduce::Minimum => Some(Strategy::Keys),
        Reduce::Multiply | Reduce::Add if dtype == DType::Bool => Some(Strategy::Atomics),
        Reduce::Add if !dtype.is_float() && dtype.size() >= 4 => Some(Strategy::Atomics),
        Reduce::Multiply | Reduce::Add | Reduce::Divide => None,
    }
}

/// Values at which an order of bits may go wrong. Several numbers of 64 bits share a high word.
fn special(dtype: DType) -> Vec<u64> {
    if dtype == DType::Bool {
        return vec![0, 1];
    }
    let bits = 8 * dtype.size() as u32;
    let sign = 1 << (bits - 1);
    let fraction = match dtype {
        DType::Float16 => 10,
        DType::Bfloat16 => 7,
        DType::Float32 => 23,
        DType::Float64 => 52,
        _ => 0,
    };
    let low_words = [1 << 32, (1 << 32) + 1, (1 << 33) - 1, 0x7fff_ffff, 0x8000_0000];
    let mut values: Vec<u64> = vec![0, 1, 2, 3];
    if fraction == 0 {
        values.extend([sign - 1, sign - 2, 6, 640, 0x5555_5555]);
    } else {
        let infinity = (sign - 1) >> fraction << fraction;
        let one = (sign >> 1) - (1 << fraction);
        values.extend([(1 << fraction) - 1, 1 << fraction, one, one + 1, infinity - 1, infinity]);
        values.extend([infinity + 1, infinity + (1 << (fraction - 1)), sign - 1]);
    }
    if bits == 64 {
        values.extend(low_words);
        values.extend(low_words.map(|low| (sign >> 1) + low));
    }
    let both_signs = values.iter().flat_map(|&value| [value, value | sign]);
    let all: Vec<_> = both_signs.chain(values.iter().map(|&value| value.wrapping_neg())).collect();
    all.into_iter().map(|value| value & (u64::MAX >> (64 - bits))).collect()
}

/// A table, an index of its rows, and a row of values for each entry.
struct Work {
    name: &'static str,
    table: Data,
    index: Vec<i32>,
    src: Data,
}

/// Rows of these bits, each as often as a row has elements; the bits of element k of a row are turned by k.
fn rows(dtype: DType, row: usize, bits: &[u64]) -> Data {
    let turned = |at: usize| bits[(at / row + at % row * 7) % bits.len()];
    Data::from_bits(dtype, &[bits.len(), row], (0..bits.len() * row).map(turned))
}

/// The work of a dtype with rows of so many elements.
fn works(dtype: DType, row: usize) -> Vec<Work> {
    let mut numbers = Numbers(7);
    let values = special(dtype);
    let count = values.len();
    let pair = |at: usize| (values[at / count % count], values[at % count]);
    // Place p has one value of a pair and gets the other one once or twice.
    let places = count * count;
    let before: Vec<_> = (0..places).map(|at| pair(at).0).collect();
    let after: Vec<_> = (0..2 * places).map(|at| pair(at % places).1).collect();
    let twice = (0..2 * places).map(|k| (if k % 3 == 0 { k + 1 } else { k } % places) as i32).collect();
    // Few places get many values.
    let many: Vec<_> = (0..4000).map(|_| numbers.pick(&values)).collect();
    let turns = (0..4000).map(|k| k % 40).collect();
    let few: Vec<_> = (0..40).map(|at| values[at % count]).collect();
    let mut all = vec![
        Work { name: "pairs", table: rows(dtype, row, &before), index: twice, src: rows(dtype, row, &after) },
        Work { name: "few", table: rows(dtype, row, &few), index: turns, src: rows(dtype, row, &many) },
    ];
    // One place to 300, so that words and quads are full or not.
    for (name, len, places) in [("1", 1, 1), ("2 of 1", 2, 1), ("5 of 3", 5, 3), ("259 of 300", 259, 300)] {
        let some: Vec<_> = (0..len).map(|_| numbers.pick(&values)).collect();
        let table: Vec<_> = (0..places).map(|_| numbers.pick(&values)).collect();
        let index = (0..len).map(|_| numbers.below(places as u64) as i32 - places).collect();
        all.push(Work { name, table: rows(dtype, row, &table), index, src: rows(dtype, row, &some) });
    }
    all
}

/// Whether a way gives the CPU's bits.
async fn is_right(gpu: &Rc<Gpu>, work: &Work, reduce: Reduce, way: Strategy) -> Row {
    let (table, src) = (work.table.tensor(), work.src.tensor());
    let index = Tensor::from_elements(&[work.index.len(), 1], &work.index)?;
    let plan = IndexPlan::nd(&work.table.dims, &index)?;
    let at = Strategy::ALL.iter().position(|&one| one == way).unwrap();
    let before = gpu.strategies_run()[at];
    let there = table.upload()?.scatter_at(&plan, &src.upload()?, reduce)?;
    equal("went that way", gpu.strategies_run()[at] - before, 1)?;
    let here = table.scatter_at(&plan, &src, reduce)?;
    same("result", Data::of(&here).difference(&read(&there).await?))
}

one_thread!(every_way_without_an_order);
/// All dtypes, with rows of one element, five and 16: these take all passes that there are.
async fn every_way_without_an_order() {
    on_webgpu("without-an-order", async |gpu, report| {
        for &dtype in DType::ALL {
            for reduce in REDUCES {
                let Some(way) = way_of(dtype, reduce) else { continue };
                let _forced = ForcedStrategy::new(gpu, way);
                for row in [1, 5, 16] {
                    for work in works(dtype, row) {
                        let name = format!("{dtype} {reduce:?}, rows of {row}, {}", work.name);
                        report.row(&name, is_right(gpu, &work, reduce, way).await);
                    }
                }
            }
        }
    })
    .await;
}

one_thread!(extremes_of_both_signs);
/// Threads that change the same elements at the same time lose no update: one traverses the slots upwards with numbers of one sign, another
/// one downwards with the other sign. When one pass made maxima and minima of the same words, SwiftShader lost some in three of four runs.
async fn extremes_of_both_signs() {
    const GROUP: usize = 1024; // entries of a workgroup
    const LEN: usize = 256 * GROUP;
    on_webgpu("extremes-of-both-signs", async |gpu, report| {
        let _forced = ForcedStrategy::new(gpu, Strategy::Atomics);
        let entry = |k: usize| {
            let (lane, is_up) = (k % GROUP, (k / GROUP).is_multiple_of(2));
            let slot = k / GROUP / 2 * GROUP + if is_up { lane } else { GROUP - 1 - lane };
            (slot as i32, (1 + k % 37) as f32 * if is_up { -1.0 } else { 1.0 })
        };
        let (index, src): (Vec<_>, Vec<_>) = (0..LEN).map(entry).unzip();
        for (reduction, start) in [(Reduction::Amax, f32::NEG_INFINITY), (Reduction::Amin, f32::INFINITY)] {
            let run = async || -> Row {
                let (index, src) =
                    (Tensor::from_elements(&[LEN], &index)?, Tensor::from_elements(&[LEN], &src)?);
                let table = Tensor::from_elements(&[LEN / 2], &[start; LEN / 2])?;
                let here = Data::of(&table.scatter_reduce(0, &index, &src, reduction, true)?);
                let (index, src, table) = (index.upload()?, src.upload()?, table.upload()?);
                for _ in 0..40 {
                    let there = table.scatter_reduce(0, &index, &src, reduction, true)?;
                    same("result", here.difference(&read(&there).await?))?;
                }
                Ok(())
            };
            report.row(&format!("{reduction:?}"), run().await);
        }
    })
    .await;
}

one_thread!(calls_choose_these_ways);
/// Calls of some size choose them by themselves, with the value that is there or without it, along a dimension and in segments; and a mean
/// counts its terms.
async fn calls_choose_these_ways() {
    const LEN: usize = 6000;
    on_webgpu("chosen-without-an-order", async |gpu, report| {
        for &dtype in DType::ALL {
            let mut numbers = Numbers(9);
            let values = special(dtype);
            let mut data = |dims: &[usize]| {
                let len = dims.iter().product();
                Data::from_bits(dtype, dims, (0..len).map(|_| numbers.pick(&values))).tensor()
            };
            let (table, src) = (data(&[8, 750]), data(&[8, 6000]));
            let index: Vec<i32> = (0..8 * LEN).map(|k| (k * 31 % 1499 % 750) as i32).collect();
            let index = Tensor::from_elements(&[8, LEN], &index).unwrap();
            let offsets: Vec<i32> = (0..=30).map(|k| k * k * 6).chain([6000]).collect();
            let offsets = Tensor::from_elements(&[offsets.len()], &offsets).unwrap();
            for (reduce, reduction) in [
                (Reduce::Maximum, Reduction::Amax),
                (Reduce::Minimum, Reduction::Amin),
                (Reduce::Multiply, Reduction::Prod),
            ] {
                let Some(way) = way_of(dtype, reduce) else { continue };
                let at = Strategy::ALL.iter().position(|&one| one == way).unwrap();
                for include_self in [true, false] {
                    let outcome = async {
                        let before = gpu.strategies_run()[at];
                        let call = |table: &Tensor, index: &Tensor, src: &Tensor| {
                            table.scatter_reduce(1, index, src, reduction, include_self)
                        };
                        let there = call(&table.upload()?, &index.upload()?, &src.upload()?)?;
                        let least = 1 + u32::from(!include_self && way == Strategy::Atomics);
                        equal("went that way", gpu.strategies_run()[at] - before, least)?;
                        let here = call(&table, &index, &src)?;
                        same("result", Data::of(&here).difference(&read(&there).await?))
                    };
                    report.row(&format!("{dtype} {reduction:?} {include_self}"), outcome.await);
                }
                let outcome = async {
                    let flat = src.reshape(&[6000, 8])?;
                    let before = gpu.strategies_run()[at];
                    let call = |data: &Tensor, offsets: &Tensor| {
                        segment_reduce(data, reduction, Sum::Ordered, Segments::Offsets(offsets), None)
                    };
                    let there = call(&flat.upload()?, &offsets)?;
                    equal("went that way", gpu.strategies_run()[at] - before, 1)?;
                    same("result", Data::of(&call(&flat, &offsets)?).difference(&read(&there).await?))
                };
                report.row(&format!("{dtype} {reduction:?} of segments"), outcome.await);
            }
        }
    })
    .await;
}

one_thread!(sums_of_one_number);
/// One number added often to special values: in closed form where no addition rounds, else step by step. Every sum is that of the loop.
async fn sums_of_one_number() {
    on_webgpu("sums-of-one-number", async |gpu, report| {
        let _forced = ForcedStrategy::new(gpu, Strategy::CountThenRepeat);
        for dtype in [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64] {
            let values = special(dtype);
            // Place p is named by up to 40 entries, and the first two by thousands.
            let often = |place: usize| if place < 2 { 3000 + place } else { place * 7 % 41 };
            let index: Vec<i32> =
                (0..values.len()).flat_map(|place| vec![place as i32; often(place)]).collect();
            let index = Tensor::from_elements(&[index.len(), 1], &index).unwrap();
            let plan = IndexPlan::nd(&[values.len()], &index).unwrap();
            // Rows of the table begin at each special value, so that the places that are named often do too.
            for first in 0..values.len() {
                let bits = values[first..].iter().chain(&values[..first]).copied();
                let table = Data::from_bits(dtype, &[values.len()], bits).tensor();
                let outcome = async {
                    let mut pending = Vec::new();
                    for scalar in [1.0, -1.0, 0.5, 3.0, -0.0, 0.1, -7.0 / 1024.0, 65_504.0, 2f64.powi(-24)] {
                        let there = table.upload()?.scatter_at(&plan, scalar, Reduce::Add)?;
                        pending.push((table.scatter_at(&plan, scalar, Reduce::Add)?, there));
                    }
                    for (here, there) in pending {
                        same("result", Data::of(&here).difference(&read(&there).await?))?;
                    }
                    Ok(())
                };
                report.row(&format!("{dtype} from {first}"), outcome.await);
            }
        }
    })
    .await;
}

// ---------------------------------------------------------------- faults

/// The text of a shader whose threads do nothing.
fn idle(text: &str) -> Option<String> {
    let after = text.replace("if(!is_idle(thread)){", "if(false){");
    (after != text).then_some(after)
}

fn skips_marks(key: ShaderKey, text: &str) -> Option<String> {
    if matches!(key.pass, Pass::Mark | Pass::MarkQuads) { idle(text) } else { None }
}

fn skips_moves(key: ShaderKey, text: &str) -> Option<String> {
    if matches!(key.pass, Pass::Commit | Pass::CommitQuads) { idle(text) } else { None }
}

/// Marks by stores, which race: the last thread wins, not the last entry. Here the first.
fn marks_the_first(key: ShaderKey, text: &str) -> Option<String> {
    let is_mark = matches!(key.pass, Pass::Mark | Pass::MarkQuads);
    let least = |text: &str| text.replace("atomicMax(&marks[", "atomicStore(&marks[");
    is_mark.then(|| least(text)).filter(|after| after != text)
}

fn skips_high_keys(key: ShaderKey, text: &str) -> Option<String> {
    let is_high = matches!(key.pass, Pass::Atomics(Apply::HighKey) | Pass::AtomicsQuads(Apply::HighKey));
    if is_high { idle(text) } else { None }
}

fn skips_keys(key: ShaderKey, text: &str) -> Option<String> {
    let is_key = matches!(key.pass, Pass::Atomics(Apply::Key) | Pass::AtomicsQuads(Apply::Key));
    if is_key { idle(text) } else { None }
}

fn skips_winners(key: ShaderKey, text: &str) -> Option<String> {
    if key.pass == Pass::ApplyKeys { idle(text) } else { None }
}

/// Every low word raises its key, whatever its high word is.
fn compares_no_high_words(_: ShaderKey, text: &str) -> Option<String> {
    let after = text.replace("if(atomicLoad(&atomic_dst[2u*i+1u])==key.y){", "if(true){");
    (after != text).then_some(after)
}

/// Runs `body` on a thread of its own, with a device of its own and a planted fault.
fn apart(fault: Rewrite, body: impl AsyncFnOnce(&Rc<Gpu>) -> Row + Send + 'static) -> Row {
    let run = async move || {
        let gpu = faulty_adapters::start().await?;
        plant(Some(fault));
        body(&gpu).await
    };
    faulty_adapters::apart(run)
}

/// The first wrong result of all work of a dtype.
async fn all_right(gpu: &Rc<Gpu>, dtype: DType, reduce: Reduce) -> Row {
    let way = way_of(dtype, reduce).expect("a way");
    let _forced = ForcedStrategy::new(gpu, way);
    for row in [1, 5] {
        for work in works(dtype, row) {
            is_right(gpu, &work, reduce, way).await?;
        }
    }
    Ok(())
}

one_thread!(faulty_passes_are_found);
/// A pass that is skipped or wrong gives wrong bits, which the comparison of `every_way_without_an_order` finds.
async fn faulty_passes_are_found() {
    use DType::{Float16, Float64, Int8, Int32, Int64};
    use Reduce::{Maximum, Minimum, Replace};
    on_webgpu("faults-without-an-order", async |_, report| {
        let rows: [(&str, Rewrite, DType, Reduce); 8] = [
            ("marks that are skipped", skips_marks, Int32, Replace),
            ("moves that are skipped", skips_moves, Float16, Replace),
            ("marks of the last thread", marks_the_first, Int8, Replace),
            ("high words that are skipped", skips_high_keys, Float64, Maximum),
            ("keys that are skipped", skips_keys, Int64, Minimum),
            ("keys of half a word that are skipped", skips_keys, Float16, Minimum),
            ("winners that are skipped", skips_winners, Int8, Maximum),
            ("low words of other high words", compares_no_high_words, Int64, Maximum),
        ];
        for (name, fault, dtype, reduce) in rows {
            let outcome = apart(fault, async move |gpu| match all_right(gpu, dtype, reduce).await {
                Err(Fault::Wrong(text)) if text.starts_with("result") => Ok(()),
                Ok(()) => Err(Fault::Wrong("not found".into())),
                other => other,
            });
            report.row(name, outcome);
        }
    })
    .await;
}

one_thread!(old_bytes_are_found);
/// A call whose scratch memory is not cleared gives wrong bits: it still has the marks or keys of the call before.
async fn old_bytes_are_found() {
    on_webgpu("old-bytes", async |gpu, report| {
        for (dtype, reduce) in [
            (DType::Int32, Reduce::Replace),
            (DType::Float64, Reduce::Maximum),
            (DType::Uint8, Reduce::Minimum),
        ] {
            let way = way_of(dtype, reduce).expect("a way");
            let _forced = ForcedStrategy::new(gpu, way);
            for (name, keeps) in [("cleared", false), ("not cleared", true)] {
                let outcome = async {
                    gpu.keep_old_bytes(keeps);
                    let mut wrong = 0;
                    for _ in 0..2 {
                        for work in works(dtype, 1) {
                            wrong += usize::from(is_right(gpu, &work, reduce, way).await.is_err());
                        }
                    }
                    gpu.keep_old_bytes(false);
                    equal("some are wrong", wrong > 0, keeps)
                };
                report.row(&format!("{dtype} {reduce:?} {name}"), outcome.await);
            }
        }
    })
    .await;
}
