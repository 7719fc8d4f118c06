//! The multiply pass on the GPU against its Rust twin.

use std::rc::Rc;

use scatterwise::testing::ElementwiseBackend;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::Gpu;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::{Geometry, Width};
use scatterwise::testing::{BroadcastPlan, Operand};
use scatterwise::{Activation, DType, Op, Shape};

use crate::common::backends::on_webgpu;
use crate::common::report::{Row, equal};
use crate::twins::multiply::{self, Quad, Quads};
use crate::twins::passes::words_of;

/// A shape; its argument `"test"` is the operator that an error would name.
fn shape(dims: &[usize]) -> Shape {
    Shape::new("test", dims).unwrap()
}

one_thread!(multiply_equals_its_twin);
/// Shapes that are equal, that repeat rows, single values or runs, and that have more loops than the fast paths; a dtype for each width
/// of elements.
async fn multiply_equals_its_twin() {
    on_webgpu("multiply-pass", async |gpu, report| {
        let shapes: [(&[usize], &[usize]); 12] = [
            (&[3, 37], &[3, 37]),
            (&[], &[]),
            (&[5], &[1]),
            (&[4, 64], &[64]),
            (&[2, 3, 64], &[3, 1]),
            (&[3, 37], &[37]),
            (&[2, 3, 17], &[3, 1]),
            (&[8, 2, 3, 2], &[8, 1, 3, 1]),
            (&[4, 1, 9], &[5, 1]),
            (&[3, 1, 2, 1], &[1, 5, 1, 7]),
            (&[37], &[3, 37]),
            // More quads than a workgroup has threads; each thread computes one.
            (&[70, 1030], &[1030]),
        ];
        for (x, y) in shapes {
            for dtype in [DType::Uint8, DType::Int16, DType::Uint32, DType::Int64] {
                report.row(&format!("{x:?} × {y:?} {dtype}"), multiply(gpu, x, y, dtype).await);
            }
        }
    })
    .await;
}

/// Whether products of operands of the shapes `x` and `y` are the twin's, bit for bit: into new memory, in place where x has the shape of
/// the result, and with an activation. The shaders without an activation are unrolled for the elements of a quad of four words; the
/// one with an activation, here the square, loops over them.
async fn multiply(gpu: &Rc<Gpu>, x: &[usize], y: &[usize], dtype: DType) -> Row {
    let quads = Quads { bits: 8 * dtype.size() };
    let (x, y) = (shape(x), shape(y));
    let [x_operand, y_operand] = [&x, &y].map(|shape| Operand { shape, dtype });
    let [x_words, y_words] = [(5, &x), (6, &y)].map(|(seed, of)| words_of(seed, of.size(), dtype));
    let upload = |words: &[u32]| gpu.upload("test", bytemuck::cast_slice(words));
    let (on_gpu_x, on_gpu_y) = (upload(&x_words)?, upload(&y_words)?);
    // Filled up with zeros, as the twin reads whole quads.
    let in_quads = |words: &[u32]| -> Vec<Quad> {
        let quad = |chunk: &[u32]| [0, 1, 2, 3].map(|word| chunk.get(word).copied().unwrap_or(0));
        words.chunks(4).map(quad).collect()
    };
    // The words of the result by the twin, where `product` combines the bits of two elements. The plan may exchange x and y.
    let expected = |plan: &BroadcastPlan, product: &dyn Fn(u64, u64) -> u64| {
        let geometry = Geometry::new(plan, Width::of(dtype));
        let (x, y) = plan.operands(in_quads(&x_words), in_quads(&y_words));
        multiply::multiply(plan, geometry.access, geometry.x_is_whole, quads, [&x, &y], product).concat()
    };
    // The bytes of the result, without the padding of the last word.
    let bytes = |words: &[u32], plan: &BroadcastPlan| {
        bytemuck::cast_slice::<_, u8>(words)[..plan.len() * dtype.size()].to_vec()
    };

    let plan = BroadcastPlan::both_sides(Op::Mul, x_operand, y_operand, None)?;
    let right = bytes(&expected(&plan, &u64::wrapping_mul), &plan);
    let product = gpu.elementwise(&plan, dtype, &on_gpu_x, &on_gpu_y)?;
    equal("unrolled", product.read("test").await?.bytes(), &right[..])?;
    if *plan.out_shape() == x {
        let mut in_place = Rc::new(upload(&x_words)?);
        gpu.elementwise_in_place(&plan, dtype, &mut in_place, &on_gpu_y)?;
        let got = in_place.read("test").await?;
        equal("in place", &got.bytes()[..right.len()], &right[..])?;
    }
    // Only `elementwise_mul` has activations, and its rule, Paddle's, does not align all of the shapes.
    let square = Some(Activation::Square);
    let Ok(plan) = BroadcastPlan::along_axis(Op::ElementwiseMul, x_operand, y_operand, -1, square) else {
        return Ok(());
    };
    let squared = |a: u64, b: u64| a.wrapping_mul(b).wrapping_mul(a.wrapping_mul(b));
    let product = gpu.elementwise(&plan, dtype, &on_gpu_x, &on_gpu_y)?;
    equal("looped", product.read("test").await?.bytes(), &bytes(&expected(&plan, &squared), &plan)[..])
}
