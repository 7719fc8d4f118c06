//! Conversions on a GPU.

use std::rc::Rc;

use crate::convert::backend::ConvertBackend;
use crate::engine::gpu::shaders::pass::{Convert, ConvertQuads};
use crate::engine::gpu::{DeviceBuffer, Format, Gpu, Layout, Pass, ShaderKey, sign_of};
use crate::{DType, Result};

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
        if let Pass::ConvertQuads(layouts) = key.pass {
            let (quads, _) = Layout::quads(layouts);
            let (least, most) = to.int_range().unwrap_or_default();
            let params = ConvertQuads {
                sign: sign_of(from),
                is_signed: from.is_signed_integer().into(),
                most: most as u32,
                least: least.unsigned_abs() as u32,
                quads: len.div_ceil(4) as u32,
                len: len as u32,
            };
            let pass = self.pass(key, &params).dst(&out).src(buffer);
            pass.rounds(4 * quads).record(len.div_ceil(4 * quads));
        } else {
            let (from_format, to_format) = (Format::of(from), Format::of(to));
            let params = Convert { from_format, to_format, len: len as u32 };
            let threads = len.div_ceil(4usize.div_ceil(to.size()));
            self.pass(key, &params).dst(&out).src(buffer).record(threads);
        }
        Ok(out)
    }
}
