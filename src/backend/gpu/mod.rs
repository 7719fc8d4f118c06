//! The GPU backend: records passes on one device, submits them in batches, reads results back.
//!
//! A call is checked and recorded, and returns; the work runs at the next read, `sync()` or full batch. Index values that
//! the host does not know are checked by a pass on the device. If one is out of bounds, the later passes of the operation
//! write nothing, and the next read reports it.

/// The text of a file of `shaders/`, without comments: `build.rs` strips them.
macro_rules! shader {
    ($path:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/shaders/", $path))
    };
}

mod act;
mod buffer;
mod canary;
mod combine;
mod counts;
mod device;
mod dropped;
mod engine;
mod events;
mod histogram;
#[cfg(target_arch = "wasm32")]
mod interop;
mod kernel;
mod memory;
mod multiply;
mod order;
mod pace;
mod params;
mod pass;
mod passes;
mod pipelines;
#[cfg(target_arch = "wasm32")]
mod poll_firefox;
mod pool;
mod probe;
mod readback;
mod scan;
mod scatter;
mod staging;
mod status;
mod strategy;
#[doc(hidden)]
pub mod testing;
mod uploads;

pub use buffer::DeviceBuffer;
pub use device::{AdapterFacts, DeviceOptions, PowerPreference};
pub use order::Orders;
pub use probe::{Arithmetic, Numerics};
pub use readback::Mapped;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures_channel::oneshot;

use crate::backend::gpu::act::Act;
use crate::backend::gpu::combine::Combine;
use crate::backend::gpu::kernel::{ShaderKey, Width};
use crate::backend::gpu::multiply::{Geometry, QuadAccess};
use crate::backend::gpu::scatter::Scatter;
use crate::backend::gpu::staging::Staging;
use crate::backend::gpu::strategy::Strategy;
use crate::backend::{Backend, Index, IndexState, Value};
use crate::dtype::{Bits, DType};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::plan::{Activation, Addressing, BroadcastPlan, OutOfRange, Reduce, Update};
use crate::shape::Shape;

/// One GPU device, with everything that is cached or pending on it.
pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    facts: AdapterFacts,
    limits: wgpu::Limits,
    numerics: Cell<Numerics>,
    canaries: canary::Canaries,
    events: events::Events,
    pipelines: pipelines::Pipelines,
    engine: RefCell<engine::Engine>,
    status: RefCell<status::Status>,
    bytes: Cell<u64>,
    switches: testing::Switches,
}

impl Gpu {
    /// What is known of the adapter.
    pub fn facts(&self) -> &AdapterFacts {
        &self.facts
    }

    /// The limits of the device.
    pub fn limits(&self) -> &wgpu::Limits {
        &self.limits
    }

    /// The passes whose float32 arithmetic turned out not to be the CPU's, and which compute in integers therefore.
    pub fn demoted(&self) -> Vec<String> {
        self.canaries.demoted()
    }

    /// What the start-up probe saw.
    pub fn numerics(&self) -> Numerics {
        self.numerics.get()
    }

    /// Bytes of the largest buffer that a pass can bind.
    fn most_bytes(&self) -> u64 {
        self.limits.max_storage_buffer_binding_size.min(self.limits.max_buffer_size).min(params::MOST)
    }

    /// Bytes in buffers that tensors and calls hold.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// # Errors
    /// `RuntimeError` (`device-lost`) once the device is gone.
    pub fn alive(&self, op: &'static str) -> Result<()> {
        match self.events.lost() {
            None => Ok(()),
            Some(reason) => Err(device_lost(op, &reason)),
        }
    }

    /// # Errors
    /// `RuntimeError`: `device-lost` for a buffer of an earlier device, `out-of-memory` for one that was refused.
    pub fn own(self: &Rc<Self>, op: &'static str, buffer: &DeviceBuffer) -> Result<()> {
        if Rc::ptr_eq(self, &buffer.gpu()) {
            return buffer.usable(op);
        }
        Err(device_lost(op, "an operand was made on an earlier device"))
    }

    /// A device buffer with these bytes.
    ///
    /// # Errors
    /// `RuntimeError` when it is larger than the device allows, or the device is lost.
    pub fn upload(self: &Rc<Self>, op: &'static str, bytes: &[u8]) -> Result<DeviceBuffer> {
        self.alive(op)?;
        DeviceBuffer::holding(self, op, bytes)
    }

    /// Submits everything recorded and waits until it is done.
    ///
    /// # Errors
    /// The first deferred error that was not reported yet; `work-lost` if something did not run to its end.
    pub async fn sync(self: &Rc<Self>) -> Result<()> {
        self.alive("sync")?;
        Staging::new(self, "sync", 0)?.receive("sync", 0).await
    }

    /// Waits for a callback of the device.
    #[cfg(not(target_arch = "wasm32"))]
    async fn wait<T>(&self, receiver: &mut oneshot::Receiver<T>) -> Option<T> {
        // Natively nothing else runs the device's event loop.
        drop(self.device.poll(wgpu::PollType::wait_indefinitely()));
        receiver.await.ok()
    }

    /// Waits for a callback of the device.
    #[cfg(target_arch = "wasm32")]
    async fn wait<T>(&self, receiver: &mut oneshot::Receiver<T>) -> Option<T> {
        if poll_firefox::is_polled() {
            loop {
                match receiver.try_recv() {
                    Ok(None) => self.queue.submit([]),
                    Ok(done) => return done,
                    Err(oneshot::Canceled) => return None,
                };
                poll_firefox::sleep_1ms().await;
            }
        }
        receiver.await.ok()
    }

    /// Natively the device's event loop has reported a loss already.
    #[cfg(not(target_arch = "wasm32"))]
    async fn hear_of_loss(&self) {}

    /// Gives a browser time to report that the device is lost: it may refuse the device's work first, in Firefox a
    /// tenth of a second before.
    #[cfg(target_arch = "wasm32")]
    async fn hear_of_loss(&self) {
        for _ in 0..100 {
            if self.events.lost().is_some() {
                break;
            }
            poll_firefox::sleep_1ms().await;
        }
    }
}

impl Backend for Rc<Gpu> {
    type Buffer = DeviceBuffer;

    fn scatter(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<DeviceBuffer>,
        index: Index<'_, DeviceBuffer>,
        value: Value<'_, DeviceBuffer>,
    ) -> Result<()> {
        self.scatter_with(plan, dtype, update, table, index, Known::default(), value)
    }

    fn gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &DeviceBuffer,
        index: Index<'_, DeviceBuffer>,
        fill: Bits,
    ) -> Result<DeviceBuffer> {
        let (op, len) = (plan.op().name(), plan.entries() * plan.row().len * dtype.size());
        // The result of a gather that is refused may be read before the refusal is known: it must not show old data.
        let out = match index.state {
            IndexState::Unchecked => DeviceBuffer::new(self, op, "the result", len)?,
            IndexState::Checked | IndexState::Positions | IndexState::Partial => {
                DeviceBuffer::unfilled(self, op, "the result", len)?
            }
        };
        // Without a result the index is checked all the same.
        if plan.index_entries() > 0 {
            let slot = self.check(plan, &index, None);
            passes::gather(self, plan, dtype, table, &index, fill, &out, slot);
        }
        Ok(out)
    }

    fn multiply(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &DeviceBuffer,
        y: &DeviceBuffer,
    ) -> Result<DeviceBuffer> {
        let (key, geometry) = self.multiply_key(plan, dtype)?;
        let out = DeviceBuffer::unfilled(self, plan.op().name(), "the result", plan.len() * dtype.size())?;
        if !plan.is_empty() {
            let (x, y) = plan.operands(x, y);
            passes::multiply(self, key, &geometry, x, y, Some(&out));
        }
        Ok(out)
    }

    /// Where x is not shared, each thread reads the quad of x that it writes, and nothing is allocated.
    fn multiply_in_place(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &mut Rc<DeviceBuffer>,
        y: &DeviceBuffer,
    ) -> Result<()> {
        if Rc::get_mut(x).is_none() {
            *x = Rc::new(self.multiply(plan, dtype, x, y)?);
            return Ok(());
        }
        let (key, geometry) = self.multiply_key(plan, dtype)?;
        if !plan.is_empty() {
            passes::multiply(self, key, &geometry, x, y, None);
        }
        Ok(())
    }

    fn convert(
        &self,
        op: &'static str,
        from: DType,
        to: DType,
        buffer: &DeviceBuffer,
    ) -> Result<DeviceBuffer> {
        let len = buffer.len() / from.size();
        let out = DeviceBuffer::unfilled(self, op, "the result", len * to.size())?;
        if len > 0 {
            passes::convert(self, from, to, len, buffer, &out);
        }
        Ok(out)
    }
}

impl Gpu {
    fn multiply_key(&self, plan: &BroadcastPlan, dtype: DType) -> Result<(ShaderKey, Geometry)> {
        let geometry = Geometry::new(plan, Width::of(dtype));
        let key = ShaderKey::multiply(dtype, self.numerics.get().float32, plan.activation(), geometry.access);
        Ok((key.ok_or_else(|| unsupported(plan, dtype))?, geometry))
    }

    /// [`Backend::scatter`] with more that is known.
    ///
    /// # Errors
    /// As there.
    #[expect(clippy::too_many_arguments, reason = "those of `Backend::scatter`, and one")]
    pub(crate) fn scatter_with(
        self: &Rc<Self>,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<DeviceBuffer>,
        index: Index<'_, DeviceBuffer>,
        known: Known<'_>,
        value: Value<'_, DeviceBuffer>,
    ) -> Result<()> {
        Self::unshare(plan, table)?;
        let divisors = match value {
            Value::Buffer(source) => known.divisors.map(|shape| (shape, dtype, source)),
            Value::Scalar(_) => None,
        };
        let slot = self.check(plan, &index, divisors);
        // Where nothing is written only the check counts.
        let update = if plan.entries() == 0 { update.reduce.into() } else { update };
        let neutral = Value::Scalar(update.reduce.neutral(dtype));
        let walk = |reduce, value| Scatter { gpu: self, plan, dtype, reduce, table, value, slot };
        let mut scatters = Vec::new();
        if !update.include_self {
            scatters.push(walk(Reduce::Replace, &neutral));
        }
        scatters.push(walk(update.reduce, &value));
        // All memory is there before the first write.
        let counts = update.is_mean().then(|| self.count_entries(plan, &index, slot)).transpose()?;
        // What is kept for later calls is right even if this one is refused for its divisors.
        let own = Orders::default();
        let (orders, order_slot) = known.orders.map_or((&own, slot), |kept| (kept, params::NEVER_FAILS));
        let mut prepared = Vec::new();
        for scatter in scatters {
            let strategy = scatter.strategy(orders.is_distinct);
            let order = orders.get(self, plan, &index, order_slot, strategy)?;
            prepared.push((scatter, strategy, order));
        }
        for (scatter, strategy, order) in &prepared {
            scatter.run(*strategy, &index, order.as_deref());
        }
        if let Some(counts) = counts {
            passes::divide_by_counts(self, plan, dtype, table, &counts, update.other_terms(), slot);
        }
        Ok(())
    }

    /// Turns an index, of which only the device knows the values, into positions by a mode other than raise.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn resolve(
        self: &Rc<Self>,
        plan: &Addressing,
        buffer: &DeviceBuffer,
        dtype: DType,
        mode: OutOfRange,
    ) -> Result<DeviceBuffer> {
        let positions = self.scratch(plan, plan.index_entries())?;
        let index = Index { buffer, dtype, state: IndexState::Unchecked };
        passes::resolve(self, plan, &index, mode, &positions);
        Ok(positions)
    }

    /// Copies the table if it is shared.
    fn unshare(plan: &Addressing, table: &mut Rc<DeviceBuffer>) -> Result<()> {
        if Rc::get_mut(table).is_none() {
            *table = Rc::new(table.duplicate(plan.op().name())?);
        }
        Ok(())
    }

    /// Records a check of the index values, unless they are known to be in bounds. Returns the status slot that the
    /// passes of this operation look at.
    fn check(
        self: &Rc<Self>,
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
        divisors: Option<(&Shape, DType, &DeviceBuffer)>,
    ) -> u32 {
        let is_checked = index.state != IndexState::Unchecked || plan.index_len() == 0;
        if is_checked && divisors.is_none() {
            return params::NEVER_FAILS;
        }
        if self.status.borrow().is_full() {
            self.flush();
        }
        let slot = self.status.borrow_mut().take_slot(plan, divisors.map(|(shape, ..)| shape));
        if let Some((_, dtype, divisors)) = divisors {
            passes::divisors(self, dtype, divisors, slot);
        }
        if !is_checked {
            passes::validate(self, plan, index, slot);
        }
        slot
    }
}

/// What is known of a call beside its operands.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known<'a> {
    /// The orders that are kept for its index, which is positions.
    pub(crate) orders: Option<&'a Orders>,
    /// The shape of the source, if it holds integers that are divided by and still have to be checked.
    pub(crate) divisors: Option<&'a Shape>,
}

impl Drop for Gpu {
    /// No tensor uses the device any more. If this were left to a page's garbage collector, the device would keep its
    /// memory and count against the number that a page may have.
    fn drop(&mut self) {
        if !self.facts.adopted {
            self.device.destroy();
        }
    }
}

fn device_lost(op: &'static str, reason: &str) -> Error {
    let text = format!(
        "the GPU device is gone ({reason}); tensors on the CPU live on, and set_device('webgpu') starts a new one"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::DeviceLost, op, text)
}

fn unsupported(plan: &BroadcastPlan, dtype: DType) -> Error {
    let act = plan.activation().map_or("", Activation::name);
    let text = format!(
        "act '{act}' of {dtype} is not done on WebGPU yet: await x.to('cpu') and y.to('cpu'), or use float32 or int32"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::UnsupportedOnDevice, plan.op().name(), text)
        .word("act", dtype.name())
}
