//! How an operation on two tensors runs: a pure function of its plan.

use crate::elementwise::plan::broadcast::{BroadcastLoop, BroadcastPlan};
use crate::engine::gpu::shaders::pass::Elementwise;
use crate::engine::gpu::{OperandLoop, QuadAccess, Width};

/// The fewest loops that the shaders accept. A plan with fewer gets outermost loops of length 1.
const LEAST_LOOPS: usize = 3;

/// How one operation runs.
pub struct Geometry {
    /// How quads of y are read.
    pub access: QuadAccess,
    /// Whether x has the result's shape.
    pub x_is_whole: bool,
    /// Outermost first.
    loops: Vec<BroadcastLoop>,
    /// Elements of the result.
    len: usize,
    /// Elements of a quad.
    pub(crate) per_quad: usize,
}

impl Geometry {
    /// How an operation on elements of this width runs.
    pub fn new(plan: &BroadcastPlan, width: Width) -> Self {
        // A quad is four words, 16 bytes.
        let per_quad = 16 / width.bytes();
        let is_whole = |operand_len| operand_len == plan.len();
        let loops = plan.loops().to_vec();
        let x_is_whole = is_whole(plan.x_len());
        // Whether each quad of the result lies within one round of the second loop, and the loops are no more than the quad shaders
        // accept.
        let comes_in_quads = match loops.as_slice() {
            [] | [_] => true,
            [.., inner] => inner.len.is_multiple_of(per_quad) && loops.len() <= LEAST_LOOPS,
        };
        let is_same = x_is_whole && is_whole(plan.y_len());
        let access = match loops.last().map_or(0, |inner| inner.y_stride) {
            _ if is_same => QuadAccess::Same,
            _ if !x_is_whole || !comes_in_quads => QuadAccess::Elements,
            0 => QuadAccess::Splat,
            _ => QuadAccess::Contiguous,
        };
        Self { access, x_is_whole, loops, len: plan.len(), per_quad }
    }

    pub(crate) fn quads(&self) -> usize {
        self.len.div_ceil(self.per_quad)
    }

    /// The parameters of the pass. The innermost loop counts quads; if y is read element by element, it counts elements.
    /// Quads of a thread are `workgroup` apart.
    pub(crate) fn params(&self, workgroup: u32) -> Elementwise {
        let mut params = Elementwise {
            loops: Default::default(),
            outermost: self.loops.len().max(LEAST_LOOPS) as u32 - 1,
            len: self.len as u32,
            x_is_whole: self.x_is_whole.into(),
            quads: 0,
            step: Default::default(),
        };
        // Elements per round of the innermost loop.
        let unit = match self.access {
            QuadAccess::Elements => 1,
            QuadAccess::Same | QuadAccess::Contiguous | QuadAccess::Splat => self.per_quad,
        };
        const SINGLE: BroadcastLoop = BroadcastLoop { len: 1, x_stride: 0, y_stride: 0 };
        let count = self.loops.len();
        // The parameters begin with the innermost loop, the plan ends with it.
        for (at, slot) in params.loops.iter_mut().take(count.max(LEAST_LOOPS)).enumerate() {
            let l = count.checked_sub(at + 1).and_then(|at| self.loops.get(at)).unwrap_or(&SINGLE);
            let unit = if at == 0 { unit } else { 1 };
            let strides = [l.x_stride, l.y_stride].map(|n| (n * unit) as u32);
            *slot = OperandLoop { len: l.len.div_ceil(unit) as u32, unused: 0, strides };
        }
        let [inner, middle, ..] = params.loops;
        // Rounds of the innermost loop between a thread's quad and its next quad.
        let apart = workgroup * (self.per_quad / unit) as u32;
        params.step = [apart % inner.len, apart / inner.len % middle.len, apart / inner.len / middle.len];
        params
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Op, Operand};
    use crate::{DType, Shape};

    fn plan(x: &[usize], y: &[usize]) -> BroadcastPlan {
        let [x, y] = [x, y].map(|dims| Shape::new("test", dims).unwrap());
        let operand = |shape| Operand { shape, dtype: DType::Float32 };
        BroadcastPlan::both_sides(Op::Mul, operand(&x), operand(&y), None).unwrap()
    }

    /// For these shapes: how quads of y are read, whether the plan exchanged x and y, and whether x has the result's shape.
    fn geometry(x: &[usize], y: &[usize], width: Width) -> (QuadAccess, bool, bool) {
        let plan = plan(x, y);
        let found = Geometry::new(&plan, width);
        // False stands for the call's x, true for its y. The result's first entry is the plan's x.
        let (is_exchanged, _) = plan.operands(false, true);
        (found.access, is_exchanged, found.x_is_whole)
    }

    #[test]
    fn quad_accesses() {
        use QuadAccess::{Contiguous, Elements, Same, Splat};
        use Width::{Eight, Four, One};
        for (x, y, width, expected) in [
            (&[3, 5][..], &[3, 5][..], Four, (Same, false, true)),
            (&[3, 5], &[], Four, (Splat, false, true)),
            (&[], &[3, 5], One, (Splat, true, true)),
            (&[], &[], Four, (Same, false, true)),
            (&[3, 5], &[3, 5], One, (Same, false, true)),
            (&[3, 8], &[8], Four, (Contiguous, false, true)),
            (&[8], &[3, 8], Four, (Contiguous, true, true)),
            (&[3, 8], &[8], One, (Elements, false, true)),
            (&[3, 6], &[6], Four, (Elements, false, true)),
            (&[3, 6], &[6], Eight, (Contiguous, false, true)),
            (&[2, 3, 16], &[3, 1], One, (Splat, false, true)),
            (&[2, 3, 15], &[3, 1], Four, (Elements, false, true)),
            (&[4, 1, 8], &[5, 1], Four, (Elements, false, false)),
            (&[2, 3, 2, 8], &[3, 1, 8], Four, (Elements, false, true)),
        ] {
            assert_eq!(geometry(x, y, width), expected, "{x:?} × {y:?}");
        }
    }

    /// The coordinates of a round of the innermost loop in the first three loops, innermost first, as in
    /// `shaders/elementwise/operands.wgsl`.
    fn coordinates(params: &Elementwise, round: u32) -> [u32; 3] {
        let [inner, middle, ..] = params.loops;
        let rows = round / inner.len;
        [round % inner.len, rows % middle.len, rows / middle.len]
    }

    #[test]
    fn a_step_goes_to_the_next_quad_of_a_thread() {
        for (x, y) in [
            (&[4096, 1024][..], &[1024][..]),
            (&[32, 128, 32, 32], &[128, 1, 1]),
            (&[700, 3, 8], &[3, 8]),
            (&[700, 3, 8], &[3, 1]),
            (&[999, 7], &[7]),
            (&[40, 1, 9], &[11, 1]),
            (&[5, 6, 7, 8], &[6, 1, 8]),
            (&[3000], &[3000]),
        ] {
            let geometry = Geometry::new(&plan(x, y), Width::Four);
            let params = geometry.params(128);
            // A quad is one round of the innermost loop, or four.
            let apart = 128 * if geometry.access == QuadAccess::Elements { 4 } else { 1 };
            let [inner, middle, ..] = params.loops;
            for round in 0..2_000 {
                let at = coordinates(&params, round);
                let [mut a, mut b, mut c] = [0, 1, 2].map(|l| at[l] + params.step[l]);
                if a >= inner.len {
                    (a, b) = (a - inner.len, b + 1);
                }
                if b >= middle.len {
                    (b, c) = (b - middle.len, c + 1);
                }
                assert_eq!([a, b, c], coordinates(&params, round + apart), "{x:?} × {y:?}, {round}");
            }
        }
    }
}
