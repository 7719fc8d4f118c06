//! How a broadcasting multiply runs: a pure function of its plan.

use crate::backend::gpu::Width;
use crate::backend::gpu::params::{Head, Multiply, NEVER_FAILS, OperandLoop, WORKGROUP};
use crate::plan::{BroadcastLoop, BroadcastPlan};

/// Quads of four words that each thread computes, as `shaders/broadcast/operands.wgsl` declares it.
const QUADS_PER_THREAD: usize = 4;

/// How a thread reads a quad of y, that is four words: `shaders/broadcast/access_*.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QuadAccess {
    /// At the position of the result's quad: equal shapes.
    Same,
    /// As one contiguous quad elsewhere in y: rows of whole quads, with y repeated for each row.
    Contiguous,
    /// As one element, repeated: a y of one element, and runs of whole quads that share an element, as in `[N, C, H, W]
    /// × [C]` along axis 1.
    Splat,
    /// Element by element: what does not consist of whole quads, and shapes that are broadcast on both sides.
    Elements,
}

impl QuadAccess {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Same, Self::Contiguous, Self::Splat, Self::Elements];

    /// The parts of a shader for it.
    pub(super) fn parts(self) -> &'static [&'static str] {
        const COORDINATES: &str = shader!("broadcast/coordinates.wgsl");
        const PAIR: &str = shader!("broadcast/pair.wgsl");
        match self {
            Self::Same => &[shader!("broadcast/access_same.wgsl"), PAIR],
            Self::Contiguous => &[COORDINATES, shader!("broadcast/access_contiguous.wgsl"), PAIR],
            Self::Splat => &[COORDINATES, shader!("broadcast/access_splat.wgsl"), PAIR],
            Self::Elements => &[COORDINATES, shader!("broadcast/access_elements.wgsl")],
        }
    }
}

/// How one multiply runs.
pub struct Geometry {
    /// How quads of y are read.
    pub access: QuadAccess,
    /// Whether x has the result's shape.
    pub x_is_whole: bool,
    loops: Vec<BroadcastLoop>,
    len: usize,
    per_quad: usize,
}

impl Geometry {
    /// Decides for elements of a width.
    pub fn new(plan: &BroadcastPlan, width: Width) -> Self {
        let per_quad = width.per_quad();
        let is_whole = |len| len == plan.len();
        let loops = plan.loops().to_vec();
        let x_is_whole = is_whole(plan.x_len());
        let comes_in_quads = match loops.as_slice() {
            [] | [_] => true,
            [.., inner] => inner.len.is_multiple_of(per_quad),
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

    /// The parameters of the pass. `in_place`: the result is written to x.
    pub(super) fn params(&self, in_place: bool) -> Multiply {
        let quads = self.len.div_ceil(self.per_quad);
        let threads = quads.div_ceil(QUADS_PER_THREAD * WORKGROUP as usize) * WORKGROUP as usize;
        let mut params = Multiply {
            head: Head::new(threads, NEVER_FAILS),
            loops: Default::default(),
            outer_loops: self.loops.len().saturating_sub(2) as u32,
            len: self.len as u32,
            quads: quads as u32,
            is_in_place: in_place.into(),
            x_is_whole: self.x_is_whole.into(),
        };
        // How many elements the innermost loop counts as one, and how many of its units a thread steps at a time.
        let (unit, mut step) = match self.access {
            QuadAccess::Elements => (1, WORKGROUP as usize * self.per_quad),
            QuadAccess::Same | QuadAccess::Contiguous | QuadAccess::Splat => {
                (self.per_quad, WORKGROUP as usize)
            }
        };
        let single = BroadcastLoop { len: 1, x_stride: 0, y_stride: 0 };
        let missing = 3usize.saturating_sub(self.loops.len());
        let loops = self.loops.iter().rev().copied().chain(std::iter::repeat_n(single, missing));
        for (at, (slot, l)) in params.loops.iter_mut().zip(loops).enumerate() {
            let len = if at == 0 { l.len.div_ceil(unit) } else { l.len };
            // The third and all further loops share one coordinate.
            let digit = if at < 2 { step % len } else { step };
            let strides = [l.x_stride, l.y_stride].map(|n| n as u32);
            *slot = OperandLoop { len: len as u32, step: digit as u32, strides };
            step /= len;
        }
        params
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::plan::{Op, Operand};
    use crate::shape::Shape;

    fn geometry(x: &[usize], y: &[usize], width: Width) -> (QuadAccess, bool, bool) {
        let [x, y] = [x, y].map(|dims| Shape::new("test", dims).unwrap());
        let operand = |shape| Operand { shape, dtype: DType::Float32 };
        let plan = BroadcastPlan::both_sides(Op::Mul, operand(&x), operand(&y)).unwrap();
        let found = Geometry::new(&plan, width);
        (found.access, plan.operands(false, true).0, found.x_is_whole)
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
        ] {
            assert_eq!(geometry(x, y, width), expected, "{x:?} × {y:?}");
        }
    }
}
