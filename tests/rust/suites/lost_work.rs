//! Work that a GPU drops without an error: it is noticed by the next read, and nothing stale is ever returned.

use std::rc::Rc;

use scatterwise::testing::gpu::Gpu;
use scatterwise::testing::gpu::testing::{Hooks as _, Loss, Strategy};
use scatterwise::{DType, ErrorCode, Reduce, Tensor};

use crate::common::backends::{ForcedStrategy, join_all, on_webgpu, read};
use crate::common::report::{Row, equal, error_of};
use crate::suites::engine::holds;

/// The elements of every operand.
const LEN: usize = 600;

/// A tensor on the CPU: 0, 1, 2 …
fn ramp() -> scatterwise::Result<Tensor> {
    Tensor::from_elements(&[LEN], &(0..LEN).map(|k| k as f32).collect::<Vec<_>>())
}

/// `tensor` multiplied by a number, on its device.
fn times(tensor: &Tensor, factor: f64) -> scatterwise::Result<Tensor> {
    tensor.mul(&Tensor::full(&[1], factor, DType::Float32)?)
}

/// Whether a tensor is lost: every read of it rejects, and so does every call on it. `what` is for the message.
async fn is_lost(what: &str, tensor: &Tensor) -> Row {
    for _ in 0..2 {
        equal(what, error_of(read(tensor).await)?.code(), ErrorCode::WorkLost)?;
    }
    equal(what, error_of(times(tensor, 1.0).map(drop))?.code(), ErrorCode::WorkLost)
}

/// Whether the loss that was asked for has happened, and the device goes on as if it had not.
async fn goes_on(gpu: &Rc<Gpu>) -> Row {
    equal("nothing is left to lose", gpu.lose(None), None)?;
    gpu.sync().await?;
    let doubled = times(&ramp()?.upload()?, 2.0)?;
    holds("the next call", &doubled, &times(&ramp()?, 2.0)?).await
}

/// The sums of `table` and the entries of `src` at `index`: a call that each strategy here can do.
fn scattered(table: &Tensor, index: &Tensor, src: &Tensor) -> scatterwise::Result<Tensor> {
    table.scatter(0, index, src, Reduce::Add)
}

one_thread!(a_lost_dispatch);
/// Each dispatch of a call is lost in turn, until there are no more to lose: its result is refused every time.
async fn a_lost_dispatch() {
    on_webgpu("lost-dispatches", async |gpu, report| {
        let strategies = [
            Strategy::Columns,
            Strategy::RunPerThread,
            Strategy::Small,
            Strategy::RowPerGroup,
            Strategy::Lists,
        ];
        // A page waits for each loss.
        let tried = if cfg!(target_arch = "wasm32") { 2 } else { strategies.len() };
        for &strategy in &strategies[..tried] {
            let outcome = async {
                let _forced = ForcedStrategy::new(gpu, strategy);
                let index: Vec<i32> = (0..LEN as i32).map(|k| k * k % 7).collect();
                let index = Tensor::from_elements(&[LEN], &index)?;
                let expected = scattered(&ramp()?, &index, &ramp()?)?;
                let (table, index, src) = (ramp()?.upload()?, index.upload()?, ramp()?.upload()?);
                gpu.sync().await?;
                for lost in 0.. {
                    gpu.lose(Some(Loss::Dispatch(lost)));
                    let sums = scattered(&table, &index, &src)?;
                    if gpu.lose(None).is_some() {
                        // The loss is still to come, so that the call has no such dispatch.
                        equal("some were lost", lost > 0, true)?;
                        return holds("without a loss", &sums, &expected).await;
                    }
                    is_lost(&format!("without dispatch {lost}"), &sums).await?;
                    holds("what was only read", &table, &ramp()?).await?;
                    goes_on(gpu).await?;
                }
                Ok(())
            };
            report.row(&format!("{strategy:?}"), outcome.await);
        }
    })
    .await;
}

one_thread!(a_lost_submission);
/// The next submission is lost, with different things in it.
async fn a_lost_submission() {
    on_webgpu("lost-submissions", async |gpu, report| {
        let outcome = async {
            let x = ramp()?.upload()?;
            gpu.sync().await?;
            gpu.lose(Some(Loss::Submission));
            let product = times(&x, 3.0)?;
            let outcomes = join_all([read(&product), read(&product)]).await;
            for outcome in outcomes {
                equal("a read of the batch", error_of(outcome)?.code(), ErrorCode::WorkLost)?;
            }
            is_lost("what it was to write", &product).await?;
            holds("what it only read", &x, &ramp()?).await?;
            goes_on(gpu).await
        };
        report.row("with reads", outcome.await);

        let outcome = async {
            let (x, early) = (ramp()?.upload()?, times(&ramp()?.upload()?, 5.0)?);
            gpu.sync().await?;
            gpu.lose(Some(Loss::Submission));
            let product = times(&x, 3.0)?;
            gpu.free_pooled(); // submits
            let next = times(&product, 2.0)?;
            equal("sync", error_of(gpu.sync().await)?.code(), ErrorCode::WorkLost)?;
            is_lost("what it was to write", &product).await?;
            is_lost("what was made of it", &next).await?;
            holds("what was there before", &early, &times(&ramp()?, 5.0)?).await?;
            goes_on(gpu).await
        };
        report.row("that nobody waits for", outcome.await);

        let outcome = async {
            gpu.sync().await?;
            gpu.lose(Some(Loss::Submission));
            let x = ramp()?.upload()?;
            gpu.free_pooled(); // submits
            is_lost("the operand", &x).await?;
            goes_on(gpu).await
        };
        report.row("of an upload", outcome.await);

        let outcome = async {
            let x = ramp()?.upload()?;
            gpu.sync().await?;
            gpu.lose(Some(Loss::Submission));
            equal("a read", error_of(read(&x).await)?.code(), ErrorCode::WorkLost)?;
            holds("the next read", &x, &ramp()?).await?;
            gpu.lose(Some(Loss::Submission));
            equal("sync", error_of(gpu.sync().await)?.code(), ErrorCode::WorkLost)?;
            goes_on(gpu).await
        };
        report.row("of a read", outcome.await);

        let outcome = async {
            // The submission has the check of an index whose values, LEN, are out of range. The refusal is lost with it, and the table must
            // not be taken for written.
            let ones = Tensor::full(&[3], 1, DType::Int32)?.upload()?;
            let mut table = ramp()?.upload()?;
            let index = ones.mul(&Tensor::full(&[3], LEN as i32, DType::Int32)?)?;
            gpu.sync().await?;
            gpu.lose(Some(Loss::Submission));
            table.scatter_add_(0, &index, 1)?;
            is_lost("the table", &table).await?;
            let mut table = ramp()?.upload()?;
            table.scatter_add_(0, &index, 1)?;
            equal("refused", error_of(read(&table).await)?.code(), ErrorCode::IndexOutOfRange)?;
            goes_on(gpu).await
        };
        report.row("of a refusal", outcome.await);
    })
    .await;
}
