//! The operations of the backend. Each takes a plan and buffers, and records passes. `scatter/` has the operations of a scatter.

use std::ops::Deref;
use std::rc::Rc;

use crate::dims::plan::DimsPlan;
use crate::dtype::DType;
use crate::elementwise::gpu::geometry::Geometry;
use crate::elementwise::gpu::record::record;
use crate::elementwise::gpu::trials::trusted;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::engine::gpu::buffer::DeviceBuffer;
use crate::engine::gpu::device::Gpu;
use crate::engine::gpu::dispatch::Bindings;
use crate::engine::gpu::shaders::kernel::ShaderKey;
use crate::engine::gpu::shaders::layout::Layout;
use crate::engine::gpu::shaders::operands::Operands;
use crate::engine::gpu::shaders::params::parts::{Entries, Format, Head, IndexFormat};
use crate::engine::gpu::shaders::params::{Convert, ConvertQuads, Gather, NEVER_FAILS};
use crate::engine::gpu::shaders::pass::Pass;
use crate::engine::gpu::shaders::width::Width;
use crate::engine::{Backend, Groups, Masked, Value};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::histograms::plan::binned::BinnedPlan;
use crate::histograms::plan::histogram::HistogramPlan;
use crate::index::gpu::Index;
use crate::index::gpu::entries::{Units, loops_of_quads};
use crate::plan::activation::Activation;
use crate::plan::index::addressing::Addressing;
use crate::plan::op::Op;
use crate::plan::reduce::{Reduce, Update};
use crate::scalar::Bits;
use crate::segments::plan::CheckedSegments;
use crate::sort::plan::{SearchPlan, SortPlan};

impl Backend for Rc<Gpu> {
    type Buffer = DeviceBuffer;
    type Index<'a> = Index;

    fn scatter(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<DeviceBuffer>,
        index: &Index,
        value: Value<&DeviceBuffer>,
    ) -> Result<()> {
        self.scatter(plan, dtype, update, table, index, value)
    }

    fn scatter_winners(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<DeviceBuffer>,
        index: &Index,
        value: Value<&DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        self.scatter_winners(plan, dtype, update, table, index, value)
    }

    /// Rows move in the largest possible units. Elements that share words are gathered a word at a time.
    fn gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &DeviceBuffer,
        index: &Index,
        fill: Bits,
    ) -> Result<DeviceBuffer> {
        let (op, elements) = (plan.op().name(), plan.entries() * plan.row().len);
        // A read may return the result of a refused gather before the refusal is known. The result must not show old data.
        let make = if index.is_unchecked() { DeviceBuffer::new } else { DeviceBuffer::unfilled };
        let out = make(self, op, "the result", elements * dtype.size())?;
        if plan.index_entries() == 0 {
            return Ok(out);
        }
        let slot = self.check(plan, index, None);
        // Rows without elements: the index was checked all the same.
        if elements == 0 {
            return Ok(out);
        }
        let units = Units::of(plan, dtype);
        let (mut format, mut entries) = (IndexFormat::new(plan, index), Entries::new(plan));
        units.apply(&mut entries);
        format.place_stride = units.count(plan.place_stride()) as u32;
        let len = units.count(elements);
        let threads = match units.width {
            // A thread per word; several elements share the word.
            Width::One | Width::Two => len.div_ceil(4 / dtype.size()),
            Width::Four | Width::Eight | Width::Sixteen => len,
        };
        // The element for an entry that is left out, repeated to eight bytes: a unit of a row may hold several elements.
        let fill = (0..8 / dtype.size()).fold(0, |all, at| all | fill << (8 * dtype.size() * at));
        let fill = [fill as u32, (fill >> 32) as u32];
        let mut params =
            Gather { head: Head::new(threads, slot), index: format, entries, fill, len: len as u32 };
        let bindings = Bindings { index: Some(&index.buffer), dst: Some(&out), src: Some(table) };
        match loops_of_quads(&format, entries) {
            // A thread per four words of the result.
            Some(entries) if units.width == Width::Four => {
                params.head.threads = params.head.threads.div_ceil(4);
                params.entries = entries;
                self.dispatch_rounds(ShaderKey::words(Pass::GatherQuads), params, 4, &bindings);
            }
            _ => self.dispatch(ShaderKey::gather(units.width), params, &bindings),
        }
        Ok(out)
    }

    fn elementwise(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &DeviceBuffer,
        y: &DeviceBuffer,
    ) -> Result<DeviceBuffer> {
        let (key, geometry) = self.elementwise_key(plan, dtype, false)?;
        // A read may return the result of a refused quotient before the refusal is known. The result must not show old data.
        let is_checked = plan.binary().refuses_zeros(dtype);
        let make = if is_checked { DeviceBuffer::new } else { DeviceBuffer::unfilled };
        let out = make(self, plan.op().name(), "the result", plan.len() * dtype.size())?;
        let slot = if is_checked { self.check_second(plan, dtype, y) } else { NEVER_FAILS };
        if !plan.is_empty() {
            // The plan may exchange the operands.
            let (x, y) = plan.operands(x, y);
            record(self, trusted(self, key), &geometry, x, y, Some(&out), slot);
        }
        Ok(out)
    }

    /// If x is not shared, each thread overwrites the quad of x (four words) that it read. Nothing is allocated.
    fn elementwise_in_place(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &mut Rc<DeviceBuffer>,
        y: &DeviceBuffer,
    ) -> Result<()> {
        let is_checked = plan.binary().refuses_zeros(dtype);
        if Rc::get_mut(x).is_none() {
            // A refused quotient must leave x as it is.
            if is_checked {
                *x = Rc::new(x.duplicate(plan.op().name())?);
            } else {
                *x = Rc::new(self.elementwise(plan, dtype, x, y)?);
                return Ok(());
            }
        }
        let (key, geometry) = self.elementwise_key(plan, dtype, true)?;
        let slot = if is_checked { self.check_second(plan, dtype, y) } else { NEVER_FAILS };
        if !plan.is_empty() {
            record(self, trusted(self, key), &geometry, x, y, None, slot);
        }
        Ok(())
    }

    /// The general shader has a thread per word of the result, or per element of two words.
    fn convert(
        &self,
        op: &'static str,
        from: DType,
        to: DType,
        buffer: &DeviceBuffer,
    ) -> Result<DeviceBuffer> {
        let len = buffer.len() / from.size();
        let out = DeviceBuffer::unfilled(self, op, "the result", len * to.size())?;
        if len == 0 {
            return Ok(out);
        }
        let key = ShaderKey::convert(from, to);
        let bindings = Bindings { index: None, dst: Some(&out), src: Some(buffer) };
        if let Pass::ConvertQuads(layouts) = key.pass {
            let (quads, _) = Layout::quads(layouts);
            self.dispatch_rounds(key, ConvertQuads::new(from, to, len, quads), 4 * quads, &bindings);
        } else {
            let head = Head::new(len.div_ceil(4usize.div_ceil(to.size())), NEVER_FAILS);
            let (from_format, to_format) = (Format::of(from), Format::of(to));
            let params = Convert { head, from_format, to_format, len: len as u32 };
            self.dispatch(key, params, &bindings);
        }
        Ok(out)
    }

    fn scan_both_ways(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        index: &Index,
        values: &DeviceBuffer,
    ) -> Result<[DeviceBuffer; 2]> {
        self.scan_both_ways(plan, dtype, reduce, index, values)
    }

    fn spmm(
        &self,
        plans: [&Addressing; 2],
        dtype: DType,
        update: Update,
        indices: [&Index; 2],
        values: Option<&DeviceBuffer>,
        dense: &DeviceBuffer,
    ) -> Result<Option<DeviceBuffer>> {
        self.spmm(plans, dtype, update, indices, values, dense).map(Some)
    }

    fn combine_segments(
        &self,
        segments: &CheckedSegments,
        dtype: DType,
        update: Update,
        out: &mut Rc<DeviceBuffer>,
        data: &DeviceBuffer,
    ) -> Result<()> {
        self.combine_segments(segments, dtype, update, out, data)
    }

    fn segment_winners(
        &self,
        segments: &CheckedSegments,
        dtype: DType,
        update: Update,
        out: &mut Rc<DeviceBuffer>,
        data: &DeviceBuffer,
    ) -> Result<DeviceBuffer> {
        self.segment_winners(segments, dtype, update, out, data)
    }

    fn reduce_dims(&self, plan: &DimsPlan, data: &DeviceBuffer) -> Result<DeviceBuffer> {
        self.reduce_dims(plan, data)
    }

    fn edges_of_extent(
        &self,
        plan: &HistogramPlan,
        samples: Masked<'_, DeviceBuffer>,
        columns: &[usize],
    ) -> Result<Vec<DeviceBuffer>> {
        self.edges_of_extent(plan, samples, columns)
    }

    fn histogram(
        &self,
        plan: &HistogramPlan,
        edges: &[impl Deref<Target = DeviceBuffer>],
        samples: Masked<'_, DeviceBuffer>,
        weights: Option<&DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        match edges {
            [edges] => self.histogram(plan, edges, samples, weights),
            columns => self.histogram(plan, &self.joined(plan.op(), columns)?, samples, weights),
        }
    }

    fn binned_statistic(
        &self,
        plan: &BinnedPlan,
        edges: &[impl Deref<Target = DeviceBuffer>],
        samples: Masked<'_, DeviceBuffer>,
        values: Option<&DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        match edges {
            [edges] => self.binned_statistic(plan, edges, samples, values),
            columns => self.binned_statistic(plan, &self.joined(plan.bins().op(), columns)?, samples, values),
        }
    }

    fn density(
        &self,
        op: Op,
        hist: (&DeviceBuffer, DType),
        edges: (&DeviceBuffer, DType),
    ) -> Result<DeviceBuffer> {
        self.density(op, hist, edges)
    }

    fn argsort(&self, plan: &SortPlan, data: &DeviceBuffer) -> Result<DeviceBuffer> {
        self.argsort(plan, data)
    }

    fn groups(&self, plan: &SortPlan, data: &DeviceBuffer) -> Result<Groups<DeviceBuffer>> {
        self.groups(plan, data)
    }

    fn search(&self, plan: &SearchPlan, edges: &DeviceBuffer, x: &DeviceBuffer) -> Result<DeviceBuffer> {
        self.search(plan, edges, x)
    }
}

impl Gpu {
    /// The shader of an operation on two tensors, and how it runs. `in_place`: the result overwrites x.
    ///
    /// # Errors
    /// `RuntimeError` (`unsupported-on-device`) if no shader does the activation of the dtype yet.
    fn elementwise_key(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        in_place: bool,
    ) -> Result<(ShaderKey, Geometry)> {
        let geometry = Geometry::new(plan, Width::of(dtype));
        let operands = Operands { y: geometry.access, in_place, x_is_second: plan.takes_x_second() };
        let float32 = self.numerics().float32;
        let key = ShaderKey::elementwise(dtype, plan.binary(), float32, plan.activation(), operands);
        Ok((key.ok_or_else(|| unsupported(plan, dtype))?, geometry))
    }
}

/// The error if no shader does the plan's activation for a dtype.
fn unsupported(plan: &BroadcastPlan, dtype: DType) -> Error {
    let act = plan.activation().map_or("", Activation::name);
    let text = format!(
        "act '{act}' of {dtype} is not done on WebGPU yet: await x.to('cpu') and y.to('cpu'), or use float32 or int32"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::UnsupportedOnDevice, plan.op().name(), text)
        .word("act", dtype.name())
}
