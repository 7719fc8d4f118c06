//! One tensor in several places of a call: as index and as src, as self and as either of them.

use scatterwise::{DType, Reduce, Tensor};

use crate::common::backends::{Backend, Place, join_all, on_each_backend, read};
use crate::common::data::Data;
use crate::common::oracle;
use crate::common::report::{Report, same};

/// Which operands of a call are the same tensor; the remaining one is another tensor.
#[derive(Debug, Clone, Copy)]
enum Same {
    IndexAndSrc,
    SelfAndSrc,
    SelfAndIndex,
    All,
}

const WAYS: [Same; 4] = [Same::IndexAndSrc, Same::SelfAndSrc, Same::SelfAndIndex, Same::All];

impl Same {
    /// self, index and src of a call: those that are the same are `one`, the remaining one is `other`.
    fn operands<T: Clone>(self, one: &T, other: &T) -> [T; 3] {
        let [one, other] = [one, other].map(T::clone);
        match self {
            Self::IndexAndSrc => [other, one.clone(), one],
            Self::SelfAndSrc => [one.clone(), other, one],
            Self::SelfAndIndex => [one.clone(), one, other],
            Self::All => [one.clone(), one.clone(), one],
        }
    }

    /// The table after the scatter, in place, of a call with these operands.
    fn scatter(self, one: &Tensor, other: &Tensor, reduce: Reduce) -> scatterwise::Result<Tensor> {
        let [mut table, index, src] = self.operands(one, other);
        // The caller keeps both tensors, so that self shares its data and is copied before it is written to.
        table.scatter_(0, &index, &src, reduce)?;
        Ok(table)
    }

    /// The table after the scatter of a call with these operands, by a loop over the entries.
    fn expected(self, one: &[i32], other: &[i32], reduce: Reduce) -> Data {
        let [mut table, index, src] = self.operands(&one.to_vec(), &other.to_vec());
        for (&at, &value) in index.iter().zip(&src) {
            let at = if at < 0 { at + table.len() as i32 } else { at };
            let element = &mut table[at as usize];
            let [old, new] = [*element, value].map(|value| u64::from(value as u32));
            *element = oracle::combine(reduce, DType::Int32, old, new) as i32;
        }
        Data::new(&[table.len()], &table)
    }
}

/// Lengths below and above a workgroup's 256 threads, and above the 1,024 entries that are taken in one piece.
pub(super) const LENGTHS: [i32; 3] = [12, 300, 5000];

/// Counts rows for all ways with all reductions but division on operands of each length: each call read at once, then all calls in one
/// batch, and last whether the two tensors are still as they were. `name` is put before the name of each row.
pub(super) async fn rows(backend: &Backend, name: &str, lengths: &[i32], report: &mut Report) {
    for &len in lengths {
        // Values of both are positions, some counted from the end: those of `one` with duplicates, those of `other` without.
        let one: Vec<i32> = (0..len).map(|k| k * k % len - k % 2 * len).collect();
        let other: Vec<i32> = (0..len).map(|k| (len - 1 - k) - k % 3 / 2 * len).collect();
        let places: &[Place] = match backend {
            Backend::Cpu => &[Place::Host],
            #[cfg(feature = "webgpu")]
            Backend::WebGpu(_) => &[Place::Uploaded, Place::Computed],
        };
        for &place in places {
            let put = |values: &[i32]| backend.put_at(place, &Data::new(&[len as usize], values));
            let (Ok(one_there), Ok(other_there)) = (put(&one), put(&other)) else {
                unreachable!("valid data")
            };
            // One of the positions is 0, by which integers cannot be divided.
            let reduces = || Reduce::ALL.iter().copied().filter(|&reduce| reduce != Reduce::Divide);
            let calls = || WAYS.into_iter().flat_map(|way| reduces().map(move |reduce| (way, reduce)));
            for (way, reduce) in calls() {
                let outcome = async {
                    let got = read(&way.scatter(&one_there, &other_there, reduce)?).await?;
                    same("result", way.expected(&one, &other, reduce).difference(&got))
                };
                report.row(&format!("{name} {way:?} {reduce:?} {len} {place:?}"), outcome.await);
            }

            let results: Vec<_> = calls()
                .map(|(way, reduce)| (way, reduce, way.scatter(&one_there, &other_there, reduce)))
                .collect();
            let reads = results.into_iter().map(|(way, reduce, result)| {
                let expected = way.expected(&one, &other, reduce);
                async move {
                    let got = read(&result?).await?;
                    same(&format!("{way:?} {reduce:?}"), expected.difference(&got))
                }
            });
            for outcome in join_all(reads).await {
                report.row(&format!("{name} in a batch of {len} {place:?}"), outcome);
            }
            let outcome = async {
                same("one", Data::new(&[len as usize], &one).difference(&read(&one_there).await?))?;
                same("the other", Data::new(&[len as usize], &other).difference(&read(&other_there).await?))
            };
            report.row(&format!("{name} operands of {len} {place:?}"), outcome.await);
        }
    }
}

one_thread!(one_tensor_in_several_places);
async fn one_tensor_in_several_places() {
    on_each_backend("aliases", async |backend, report| {
        rows(backend, "", &LENGTHS, report).await;

        // Nothing but the tensor itself has the data: it is written in place where no operand needs it as it was.
        let outcome = async {
            let mut tensor = backend.put(&Data::new(&[4], &[3i32, 0, -1, 0]))?;
            tensor.scatter_add_(0, &tensor.clone(), tensor.clone())?;
            let gathered = tensor.gather(0, &Tensor::full(&[2], 0, DType::Int32)?)?;
            tensor.mul_(&tensor.clone())?;
            same("gathered", Data::new(&[2], &[3i32, 3]).difference(&read(&gathered).await?))?;
            same("squares", Data::new(&[4], &[9i32, 0, 1, 4]).difference(&read(&tensor).await?))
        };
        report.row("itself and nothing else", outcome.await);
    })
    .await;
}
