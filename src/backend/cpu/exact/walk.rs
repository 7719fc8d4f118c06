//! The elements of a scatter in windows: the place and the value of each.

use std::array;

use bytemuck::Pod;
use half::{bf16, f16};

use crate::backend::cpu::exact::ExactSums;
use crate::backend::cpu::kernels::columns::{Odometer, Start};
use crate::backend::cpu::kernels::half_float::HalfFloat;
use crate::backend::cpu::kernels::loops::ONCE;
use crate::backend::cpu::kernels::values::DROPPED;
use crate::dtype::DType;
use crate::error::Result;
use crate::plan::Addressing;

/// Elements of a window: few enough for the stack.
pub(super) const WINDOW: usize = 256;

/// Whether the places of a plan are its positions, and its values follow each other or are a single one.
pub(super) fn is_flat(plan: &Addressing) -> bool {
    let [only] = plan.loops() else {
        return plan.loops().is_empty() && plan.place_stride() == 1 && plan.row().len == 1;
    };
    let has_unit_strides = only.table_stride == 0 && only.value_stride <= 1 && only.index_stride == 1;
    has_unit_strides && plan.place_stride() == 1 && plan.row().len == 1
}

/// Calls `visit` for all elements of a scatter but those that are left out, a window at a time, with their numbers in the table and in
/// the values. Ends with the first error of `visit`.
pub(super) fn walk(
    plan: &Addressing,
    positions: &[u32],
    visit: &mut dyn FnMut(&mut [u32], &[usize]) -> Result<()>,
) -> Result<()> {
    let row = plan.row();
    if plan.entries() == 0 || row.len == 0 {
        return Ok(());
    }
    let (run, outer) = plan.loops().split_last().unwrap_or((&ONCE, &[]));
    let (mut places, mut numbers, mut len) = ([0; WINDOW], [0; WINDOW], 0);
    let mut outer = Odometer::new(outer, Start::default());
    loop {
        for at in 0..run.len {
            let start = outer.start.after(at, run);
            let position = positions.get(start.index).copied().unwrap_or(DROPPED);
            if position == DROPPED {
                continue;
            }
            let place = start.table + position as usize * plan.place_stride();
            for l in 0..row.len {
                if let (Some(to), Some(from)) = (places.get_mut(len), numbers.get_mut(len)) {
                    (*to, *from) = ((place + l) as u32, start.value + l * row.value_stride);
                    len += 1;
                }
                if len == WINDOW {
                    visit(&mut places, &numbers)?;
                    len = 0;
                }
            }
        }
        if !outer.advance() {
            break;
        }
    }
    visit(places.get_mut(..len).unwrap_or_default(), numbers.get(..len).unwrap_or_default())
}

/// The values of a call, as terms.
pub(super) struct Terms<'a> {
    dtype: DType,
    /// The bytes of the elements.
    values: &'a [u8],
}

impl<'a> Terms<'a> {
    /// Elements of a float dtype.
    pub(super) fn new(dtype: DType, values: &'a [u8]) -> Self {
        Self { dtype, values }
    }

    /// Adds the values with these numbers to places.
    pub(super) fn add(&self, places: &[u32], numbers: &[usize], sums: &mut ExactSums) -> Result<()> {
        fn read<T: Pod>(values: &[u8], numbers: &[usize], window: &mut [f64], wide: impl Fn(T) -> f64) {
            let values: &[T] = bytemuck::cast_slice(values);
            for (slot, &number) in window.iter_mut().zip(numbers) {
                *slot = values.get(number).map_or(0.0, |&value| wide(value));
            }
        }
        let mut window = [0.0; WINDOW];
        match self.dtype {
            DType::Float16 => read(self.values, numbers, &mut window, wide::<f16>),
            DType::Bfloat16 => read(self.values, numbers, &mut window, wide::<bf16>),
            DType::Float64 => read(self.values, numbers, &mut window, |value: f64| value),
            _ => read(self.values, numbers, &mut window, |value: f32| value.into()),
        }
        sums.add(places, window.get(..numbers.len()).unwrap_or_default())
    }

    /// Adds values that follow each other to places.
    pub(super) fn add_all(&self, places: &[u32], sums: &mut ExactSums) -> Result<()> {
        match self.dtype {
            DType::Float32 => sums.add::<f32>(places, bytemuck::cast_slice(self.values)),
            DType::Float64 => sums.add::<f64>(places, bytemuck::cast_slice(self.values)),
            _ => places.chunks(WINDOW).enumerate().try_for_each(|(window, places)| {
                let numbers: [usize; WINDOW] = array::from_fn(|at| window * WINDOW + at);
                self.add(places, numbers.get(..places.len()).unwrap_or_default(), sums)
            }),
        }
    }

    /// Adds the first value to each place.
    pub(super) fn add_first(&self, places: &[u32], sums: &mut ExactSums) -> Result<()> {
        let numbers = [0; WINDOW];
        let mut windows = places.chunks(WINDOW);
        windows.try_for_each(|places| self.add(places, numbers.get(..places.len()).unwrap_or_default(), sums))
    }
}

/// A number of a half type, given by its bits.
fn wide<H: HalfFloat>(bits: u16) -> f64 {
    f32::from_bits(H::widen(u32::from(bits))).into()
}
