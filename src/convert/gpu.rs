//! Conversions on a GPU.

use std::rc::Rc;

use crate::convert::backend::ConvertBackend;
use crate::dtype::DType;
use crate::engine::gpu::buffer::DeviceBuffer;
use crate::engine::gpu::device::Gpu;
use crate::engine::gpu::dispatch::Bindings;
use crate::engine::gpu::shaders::kernel::ShaderKey;
use crate::engine::gpu::shaders::layout::Layout;
use crate::engine::gpu::shaders::params::parts::{Format, Head};
use crate::engine::gpu::shaders::params::{Convert, ConvertQuads, NEVER_FAILS};
use crate::engine::gpu::shaders::pass::Pass;
use crate::error::Result;

impl ConvertBackend for Rc<Gpu> {
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
}
