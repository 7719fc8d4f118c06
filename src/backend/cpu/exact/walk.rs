//! The elements of a scatter in windows: the place and the value of each.

use std::array;

use bytemuck::Pod;
use half::{bf16, f16};

use crate::backend::cpu::exact::sums::ExactSums;
use crate::backend::cpu::kernels::columns::{Odometer, Start};
use crate::backend::cpu::kernels::half_float::HalfFloat;
use crate::backend::cpu::kernels::loops::ONCE;
use crate::backend::cpu::kernels::values::DROPPED;
use crate::dtype::DType;
use crate::error::Result;
use crate::plan::Addressing;

/// Elements of a window: few enough for the stack.
const WINDOW: usize = 256;

/// Whether the places of a plan are its positions, and its values follow each other or are a single one.
pub(super) fn is_flat(plan: &Addressing) -> bool {
    let [only] = plan.loops() else {
        return plan.loops().is_empty() && plan.place_stride() == 1 && plan.row().len == 1;
    };
    let has_unit_strides = only.table_stride == 0 && only.value_stride <= 1 && only.index_stride == 1;
    has_unit_strides && plan.place_stride() == 1 && plan.row().len == 1
}

/// What takes a window: the numbers of its elements in the table and in the values.
pub(super) type Visit<'a> = dyn FnMut(&mut [u32], &[usize]) -> Result<()> + 'a;

/// A window that is being filled.
struct Window {
    places: [u32; WINDOW],
    numbers: [usize; WINDOW],
    len: usize,
}

impl Window {
    const EMPTY: Self = Self { places: [0; WINDOW], numbers: [0; WINDOW], len: 0 };

    /// Appends an element. A full window is handed to `visit`.
    #[inline(always)]
    fn push(&mut self, place: usize, number: usize, visit: &mut Visit<'_>) -> Result<()> {
        if let (Some(to), Some(from)) = (self.places.get_mut(self.len), self.numbers.get_mut(self.len)) {
            (*to, *from) = (place as u32, number);
            self.len += 1;
        }
        if self.len == WINDOW { self.flush(visit) } else { Ok(()) }
    }

    /// Hands what is in the window to `visit`.
    fn flush(&mut self, visit: &mut Visit<'_>) -> Result<()> {
        let len = std::mem::take(&mut self.len);
        let (places, numbers) = (self.places.get_mut(..len), self.numbers.get(..len));
        visit(places.unwrap_or_default(), numbers.unwrap_or_default())
    }
}

/// Hands all elements of a scatter but those that are left out to `visit`, a window at a time. Ends with its first error.
pub(super) fn walk(plan: &Addressing, positions: &[u32], visit: &mut Visit<'_>) -> Result<()> {
    let row = plan.row();
    if plan.entries() == 0 || row.len == 0 {
        return Ok(());
    }
    let (run, outer) = plan.loops().split_last().unwrap_or((&ONCE, &[]));
    let mut outer = Odometer::new(outer, Start::default());
    let mut window = Window::EMPTY;
    loop {
        for at in 0..run.len {
            let start = outer.start.after(at, run);
            let position = positions.get(start.index).copied().unwrap_or(DROPPED);
            if position == DROPPED {
                continue;
            }
            let place = start.table + position as usize * plan.place_stride();
            for l in 0..row.len {
                window.push(place + l, start.value + l * row.value_stride, visit)?;
            }
        }
        if !outer.advance() {
            return window.flush(visit);
        }
    }
}

/// Hands the elements of segments to `visit`: rows of `row` elements each, of which segments end with these numbers.
pub(super) fn segments(ends: &[u32], row: usize, visit: &mut Visit<'_>) -> Result<()> {
    let mut window = Window::EMPTY;
    let mut begin = 0;
    for (segment, &end) in ends.iter().enumerate() {
        for number in begin..end as usize {
            for l in 0..row {
                window.push(segment * row + l, number * row + l, visit)?;
            }
        }
        begin = end as usize;
    }
    window.flush(visit)
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
        fn read<T: Pod, N: Default + Copy>(
            values: &[u8],
            numbers: &[usize],
            wide: impl Fn(T) -> N,
        ) -> [N; WINDOW] {
            let values: &[T] = bytemuck::cast_slice(values);
            let mut window = [N::default(); WINDOW];
            for (slot, &number) in window.iter_mut().zip(numbers) {
                *slot = values.get(number).map_or(N::default(), |&value| wide(value));
            }
            window
        }
        match self.dtype {
            DType::Float16 => sums.add(places, &read(self.values, numbers, wide::<f16>)),
            DType::Bfloat16 => sums.add(places, &read(self.values, numbers, wide::<bf16>)),
            DType::Float64 => sums.add(places, &read(self.values, numbers, |value: f64| value)),
            _ => sums.add(places, &read(self.values, numbers, |value: f32| value)),
        }
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
fn wide<H: HalfFloat>(bits: u16) -> f32 {
    f32::from_bits(H::widen(u32::from(bits)))
}
