//! The engine of the GPU: records passes on one device, submits them in batches, reads results back. The `gpu` of a family says which
//! passes a call is.
//!
//! A call checks its arguments, records its passes, and returns. The work runs at the next read, `sync()` or full batch. A *batch* is
//! the work between two submissions. If the host does not know the index values, a pass on the device checks them. If one is out of
//! bounds, the later passes of the operation write nothing, and the next read reports the fault.
//!
//! A parameter `op` is the operator's name for the text of an error.

pub(crate) mod buffer;
pub(crate) mod current;
pub(crate) mod device;
pub(crate) mod dispatch;
pub(crate) mod faults;
pub(crate) mod hooks;
#[cfg(target_arch = "wasm32")]
pub(crate) mod interop;
pub(crate) mod memory;
pub(crate) mod on_device;
#[cfg(target_arch = "wasm32")]
pub(crate) mod poll_firefox;
pub(crate) mod reads;
pub(crate) mod record;
pub(crate) mod shaders;

pub(crate) use crate::engine::gpu::buffer::DeviceBuffer;
pub use crate::engine::gpu::current::{current_gpu, stop_gpu};
pub(crate) use crate::engine::gpu::current::{require_gpu, set_gpu};
pub(crate) use crate::engine::gpu::device::Numerics;
pub use crate::engine::gpu::device::{AdapterFacts, Gpu};
pub(crate) use crate::engine::gpu::dispatch::Dispatch;
pub(crate) use crate::engine::gpu::faults::dropped::{Cause, Dropped};
pub(crate) use crate::engine::gpu::faults::events::Events;
pub(crate) use crate::engine::gpu::faults::pending::Pending;
pub(crate) use crate::engine::gpu::faults::status::{Fault, SLOT_BYTES, STATUS_BYTES, Slots};
pub(crate) use crate::engine::gpu::faults::verified::{State, Verified};
pub(crate) use crate::engine::gpu::hooks::{Loss, Recorded, count, hook, list, poses_as_hardware};
pub(crate) use crate::engine::gpu::memory::allocate::{Memory, Purpose};
pub(crate) use crate::engine::gpu::memory::pool::{Pool, Use};
pub(crate) use crate::engine::gpu::on_device::OnDevice;
pub(crate) use crate::engine::gpu::reads::staging::Staging;
pub(crate) use crate::engine::gpu::record::budget::Budget;
pub(crate) use crate::engine::gpu::record::recorder::{Bound, DATA, ExpectedCount, Recorder};
pub(crate) use crate::engine::gpu::record::uploads::{MOST_GATHERED, Uploads};
pub(crate) use crate::engine::gpu::shaders::apply::Apply;
pub(crate) use crate::engine::gpu::shaders::arithmetic::Arithmetic;
pub(crate) use crate::engine::gpu::shaders::assemble::{Assembly, Variant};
pub(crate) use crate::engine::gpu::shaders::combine::{Combine, Kind, WithoutOrder};
pub(crate) use crate::engine::gpu::shaders::kernel::ShaderKey;
pub(crate) use crate::engine::gpu::shaders::layout::{Layout, Samples};
pub(crate) use crate::engine::gpu::shaders::operands::{Operands, QuadAccess};
pub(crate) use crate::engine::gpu::shaders::params::parts::{
    Block, Column, ElementOrder, Entries, EntryLoop, Format, Head, Ignored, IndexFormat, OperandLoop, PARTS,
    Tile, Update, float_bits, is_aligned, sign_of,
};
pub(crate) use crate::engine::gpu::shaders::params::{
    BLOCK_ALIGNMENT, BLOCK_BYTES, File, Keys, LONG_ROUNDS, MOST_BYTES, MOST_THREADS, NEVER_FAILS, ROUNDS,
    SMALL_WORKGROUP, WORKGROUP, passes,
};
pub(crate) use crate::engine::gpu::shaders::pass::Pass;
pub(crate) use crate::engine::gpu::shaders::pipelines::{Pipelines, workgroup};
pub(crate) use crate::engine::gpu::shaders::width::Width;
