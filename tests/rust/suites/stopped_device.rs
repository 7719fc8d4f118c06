//! A thread that lets go of its device by `stop_gpu`.

use std::rc::Rc;

use scatterwise::Tensor;

use crate::common::backends::on_webgpu;
use crate::common::report::equal;
use crate::suites::engine::holds;
use crate::suites::faulty_adapters::{apart, start};

one_thread!(a_stopped_device);
/// The thread has no device then, and starts another one. A tensor of the first keeps its device.
async fn a_stopped_device() {
    on_webgpu("stopped-device", async |_, report| {
        let row = apart(async || {
            let first = start().await?;
            let here = Tensor::from_elements(&[3], &[1i32, 2, 3])?;
            let there = here.upload()?;
            scatterwise::stop_gpu();
            equal("no device", scatterwise::current_gpu().is_none(), true)?;
            holds("its tensor", &there, &here).await?;
            equal("the same device", Rc::ptr_eq(&first, &start().await?), false)
        });
        report.row("and the next", row);
    })
    .await;
}
