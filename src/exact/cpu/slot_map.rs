//! A map from the places that a call names to numbers, so that a compacted table has these alone.

use crate::error::Result;
use crate::host::{HostBuffer, reserved};
use crate::index::kernels::values::SKIPPED;

/// Places, each with a number, in the order in which they were first named.
pub(crate) struct SlotMap {
    places: Vec<u32>,
    /// A hash table with linear probing: the number of a place, counted from 1, or 0. Its length is a power of two, and twice that of the
    /// places at least, so that there is always a 0.
    slots: Vec<u32>,
}

impl SlotMap {
    /// Room for that many places.
    pub(crate) fn new(op: &'static str, most: usize) -> Result<Self> {
        let len = (2 * most + 1).next_power_of_two();
        let mut slots = reserved(op, len)?;
        slots.resize(len, 0);
        Ok(Self { places: reserved(op, most)?, slots })
    }

    /// The slot of a place: the one that has its number, or the one where it belongs.
    fn slot(&self, place: u32) -> usize {
        let mask = self.slots.len() - 1;
        // Fibonacci hashing: the high bits of the product depend on all bits of the place.
        let mut at = (u64::from(place).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while let Some(&number) = self.slots.get(at) {
            if number == 0 || self.places.get(number as usize - 1) == Some(&place) {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    /// Gives numbers to places that have none. There is room for them. An element that is left out gets none.
    pub(crate) fn add(&mut self, places: &[u32]) {
        for &place in places.iter().filter(|&&place| place != SKIPPED) {
            let slot = self.slot(place);
            let is_full = self.places.len() == self.places.capacity();
            if let Some(number) = self.slots.get_mut(slot).filter(|number| **number == 0 && !is_full) {
                self.places.push(place);
                *number = self.places.len() as u32;
            }
        }
    }

    /// Puts their numbers, counted from 0, in the place of places; `SKIPPED` stays.
    pub(crate) fn replace(&self, places: &mut [u32]) {
        for place in places {
            let number = self.slots.get(self.slot(*place)).copied().unwrap_or(0);
            *place = number.wrapping_sub(1);
        }
    }

    /// The places, in the order of their numbers.
    pub(crate) fn places(&self) -> &[u32] {
        &self.places
    }

    /// The elements of `size` bytes at the places.
    pub(crate) fn gather(&self, op: &'static str, table: &[u8], size: usize) -> Result<HostBuffer> {
        let mut own = HostBuffer::zeroed(op, self.places.len() * size)?;
        for (own, &place) in own.bytes_mut().chunks_exact_mut(size).zip(&self.places) {
            let at = place as usize * size;
            table.get(at..at + size).into_iter().for_each(|element| own.copy_from_slice(element));
        }
        Ok(own)
    }

    /// Writes elements of `size` bytes to their places.
    pub(crate) fn scatter(&self, own: &[u8], table: &mut [u8], size: usize) {
        for (own, &place) in own.chunks_exact(size).zip(&self.places) {
            let at = place as usize * size;
            if let Some(element) = table.get_mut(at..at + size) {
                element.copy_from_slice(own);
            }
        }
    }
}
