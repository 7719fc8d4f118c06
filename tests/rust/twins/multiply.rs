//! The Rust twin of the multiply pass on the GPU, a quad of four words at a time as in `shaders/elementwise`. A change there is a change
//! here. Elements are bits, in the low bits of a u64.

use scatterwise::testing::BroadcastPlan;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::QuadAccess;

/// Four words, the lowest bits first.
pub(crate) type Quad = [u32; 4];

/// Quads of elements of `bits` bits: `quad.wgsl`.
#[derive(Clone, Copy)]
pub(crate) struct Quads {
    /// Bits of an element: 8, 16, 32 or 64.
    pub(crate) bits: usize,
}

impl Quads {
    /// Elements in a quad.
    fn per_quad(self) -> usize {
        128 / self.bits
    }

    /// The bits of an element.
    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// Element e of a quad.
    fn element_of(self, quad: Quad, e: usize) -> u64 {
        let whole = quad.iter().rev().fold(0u128, |whole, &word| whole << 32 | u128::from(word));
        (whole >> (e * self.bits)) as u64 & self.mask()
    }

    /// A quad with this element at place e, and zeros elsewhere.
    fn placed(self, element: u64, e: usize) -> Quad {
        let whole = u128::from(element & self.mask()) << (e * self.bits);
        [0, 1, 2, 3].map(|word| (whole >> (32 * word)) as u32)
    }

    /// A quad in which every element is this one.
    fn repeated(self, element: u64) -> Quad {
        (0..self.per_quad()).fold([0; 4], |quad, e| both(quad, self.placed(element, e)))
    }

    /// The product of each element of a and of b: `looped.wgsl`; the results of `unrolled.wgsl` are the same.
    fn multiplied(self, a: Quad, b: Quad, product: impl Fn(u64, u64) -> u64) -> Quad {
        let one = |e| self.placed(product(self.element_of(a, e), self.element_of(b, e)), e);
        (0..self.per_quad()).fold([0; 4], |quad, e| both(quad, one(e)))
    }
}

/// The elements of two quads. Where one quad is not zero, the other one is.
fn both(one: Quad, two: Quad) -> Quad {
    [0, 1, 2, 3].map(|word| one[word] | two[word])
}

/// The 128 bits that begin at bit `bits` of `a` followed by `b`; `bits` is below 128.
fn shifted(a: Quad, b: Quad, bits: usize) -> Quad {
    let words = [a, b].concat();
    let at = |word: usize| words.get(word).copied().unwrap_or(0);
    [0, 1, 2, 3].map(|word| {
        let (low, high) = (at(word + bits / 32), at(word + bits / 32 + 1));
        ((u64::from(high) << 32 | u64::from(low)) >> (bits % 32)) as u32
    })
}

/// The loops of a plan, and where elements of the result are in them: `operands.wgsl`.
struct Walk<'a> {
    /// Its loops are outermost first.
    plan: &'a BroadcastPlan,
}

impl Walk<'_> {
    /// The coordinate of an element of the result in the innermost loop, and the length of this loop; of a plan without loops (0, 1).
    fn inner(&self, element: usize) -> (usize, usize) {
        let len = self.plan.loops().last().map_or(1, |inner| inner.len);
        (element % len, len)
    }

    /// The element of x and the element of y whose product an element of the result is.
    fn places(&self, element: usize) -> (usize, usize) {
        let (mut rest, mut x, mut y) = (element, 0, 0);
        for l in self.plan.loops().iter().rev() {
            x += rest % l.len * l.x_stride;
            y += rest % l.len * l.y_stride;
            rest /= l.len;
        }
        (x, y)
    }
}

/// The quads of the result: `elementwise.wgsl` with `access_quads.wgsl` or `access_elements.wgsl`. `access` and `x_is_whole`, whether x has the shape of the result, are
/// what `Geometry::new` chose for the plan. The operands are in quads, the last filled up with zeros, and in the plan's order: the plan
/// may have swapped them. `product` multiplies two elements, and may return more bits than an element has.
pub(crate) fn multiply(
    plan: &BroadcastPlan,
    access: QuadAccess,
    x_is_whole: bool,
    quads: Quads,
    [x, y]: [&[Quad]; 2],
    product: impl Fn(u64, u64) -> u64,
) -> Vec<Quad> {
    let walk = Walk { plan };
    let per_quad = quads.per_quad();
    let element = |of: &[Quad], i: usize| quads.element_of(of[i / per_quad], i % per_quad);
    let y_stride = plan.loops().last().map_or(0, |inner| inner.y_stride);
    let make = |q: usize| {
        let first = q * per_quad;
        let (_, y_first) = walk.places(first);
        let (inner, len) = walk.inner(first);
        let mut operands = [if x_is_whole { x[q] } else { [0; 4] }, [0; 4]];
        match access {
            QuadAccess::Same => operands[1] = y[q],
            QuadAccess::Contiguous => operands[1] = y[y_first / per_quad],
            QuadAccess::Splat => operands[1] = quads.repeated(element(y, y_first)),
            // All elements of the quad are in one round of the innermost loop, which stays at one element of y, or walks along y.
            QuadAccess::Elements if x_is_whole && inner + per_quad <= len && y_stride == 0 => {
                operands[1] = quads.repeated(element(y, y_first));
            }
            QuadAccess::Elements if x_is_whole && inner + per_quad <= len => {
                let (a, b) = (y[y_first / per_quad], y[y_first.div_ceil(per_quad)]);
                operands[1] = shifted(a, b, y_first % per_quad * quads.bits);
            }
            QuadAccess::Elements => {
                for e in 0..per_quad.min(plan.len() - first) {
                    let (x_at, y_at) = walk.places(first + e);
                    if !x_is_whole {
                        operands[0] = both(operands[0], quads.placed(element(x, x_at), e));
                    }
                    operands[1] = both(operands[1], quads.placed(element(y, y_at), e));
                }
            }
        }
        quads.multiplied(operands[0], operands[1], &product)
    };
    (0..plan.len().div_ceil(per_quad)).map(make).collect()
}
