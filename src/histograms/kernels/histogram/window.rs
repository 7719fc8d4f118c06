//! A window of samples, and which of them count.

use std::num::NonZero;

use bytemuck::AnyBitPattern;

use crate::DType;
use crate::engine::cpu::kernels::aligned;

/// The number of numbers in a window: a multiple of the eight that `bins::find_bins` takes at a time.
pub(crate) const WINDOW: usize = 512;

/// Memory for the values of a window, of any dtype.
pub(crate) type Room = [u64; WINDOW];

/// The samples of a window that the mask keeps.
#[derive(Clone, Copy)]
pub(crate) struct Window<'a> {
    /// The number of the first sample of the window, which the mask may leave out.
    pub(crate) first: usize,
    /// The bin of each sample.
    pub(crate) flat_bins: &'a [u32],
    /// How far each sample is after the first. `None` without a mask: the samples follow each other.
    pub(crate) offsets: Option<&'a [u32]>,
}

impl Window<'_> {
    /// The values of these samples, one after the other. `values` are those of all samples, of `size` bytes each. `room` is work space.
    #[inline(always)]
    pub(crate) fn values<'v>(&self, values: &'v [u8], size: usize, room: &'v mut Room) -> &'v [u8] {
        let values = values.get(self.first * size..).unwrap_or_default();
        match self.offsets {
            None => values,
            Some(offsets) => {
                pack(values, size, offsets, room);
                bytemuck::cast_slice(room)
            }
        }
    }

    /// How far sample `at` of these, which must exist, is behind number `start`.
    pub(crate) fn distance(&self, at: usize, start: usize) -> usize {
        let offset = self.offsets.and_then(|offsets| offsets.get(at)).map_or(at, |&offset| offset as usize);
        self.first - start + offset
    }
}

/// Copies the values with these offsets, of `size` bytes each.
#[inline(never)]
fn pack(values: &[u8], size: usize, offsets: &[u32], room: &mut Room) {
    match size {
        1 => pack_elements(values, offsets, bytemuck::cast_slice_mut(room)),
        2 => pack_elements::<u16>(aligned(values), offsets, bytemuck::cast_slice_mut(room)),
        4 => pack_elements::<u32>(aligned(values), offsets, bytemuck::cast_slice_mut(room)),
        _ => pack_elements::<u64>(aligned(values), offsets, room),
    }
}

#[inline(always)]
fn pack_elements<T: AnyBitPattern>(values: &[T], offsets: &[u32], packed: &mut [T]) {
    for (slot, &offset) in packed.iter_mut().zip(offsets) {
        if let Some(value) = values.get(offset as usize) {
            *slot = *value;
        }
    }
}

/// How far those of `count` samples that the mask keeps are after the first one. `room` has a number for each.
pub(crate) fn offsets_of<'r>(mask: &[u8], first: usize, count: usize, room: &'r mut [u32]) -> &'r [u32] {
    let mask = mask.get(first..first + count).unwrap_or_default();
    let mut flat_bins = [0; WINDOW];
    let kept = compact(mask, &mut flat_bins, room);
    room.get(..kept).unwrap_or_default()
}

/// Moves the bins of the samples that the mask keeps to the front, in order, and writes how far each is after the first sample. Returns
/// how many there are. A branch for each sample would take several times as long where the mask is irregular.
#[inline(never)]
pub(crate) fn compact(mask: &[u8], flat_bins: &mut [u32], offsets: &mut [u32]) -> usize {
    let len = mask.len().min(flat_bins.len()).min(offsets.len());
    let (flat_bins, offsets) = (flat_bins.as_mut_ptr(), offsets.as_mut_ptr());
    let mut kept = 0;
    for (at, &is_kept) in mask.iter().take(len).enumerate() {
        // SAFETY: `kept` is at most `at`, which is below the lengths of both lists.
        unsafe {
            *flat_bins.add(kept) = *flat_bins.add(at);
            *offsets.add(kept) = at as u32;
        }
        kept += usize::from(is_kept != 0);
    }
    kept
}

pub(crate) fn bytes_of(dtype: DType) -> NonZero<usize> {
    NonZero::new(dtype.size()).unwrap_or(NonZero::<usize>::MIN)
}
