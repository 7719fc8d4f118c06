//! A map from the slots that a call names to numbers, so that a compacted table has these alone.

use crate::index::kernels::SKIPPED;
use crate::{HostBuffer, Result, reserved};

/// Slots, each with a number, in the order in which they were first named.
pub(crate) struct SlotMap {
    slots: Vec<u32>,
    /// A hash table with linear probing: the number of a slot, counted from 1, or 0. Its length is a power of two, and twice that of the
    /// slots at least, so that there is always a 0.
    buckets: Vec<u32>,
}

impl SlotMap {
    /// Room for that many slots.
    pub(crate) fn new(op: &'static str, most: usize) -> Result<Self> {
        let len = (2 * most + 1).next_power_of_two();
        let mut buckets = reserved(op, len)?;
        buckets.resize(len, 0);
        Ok(Self { slots: reserved(op, most)?, buckets })
    }

    /// The bucket of a slot: the one that has its number, or the one where it belongs.
    fn bucket(&self, slot: u32) -> usize {
        let mask = self.buckets.len() - 1;
        // Fibonacci hashing: the high bits of the product depend on all bits of the slot.
        let mut at = (u64::from(slot).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while let Some(&number) = self.buckets.get(at) {
            if number == 0 || self.slots.get(number as usize - 1) == Some(&slot) {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    /// Gives numbers to slots that have none. There is room for them. An element that is left out gets none.
    pub(crate) fn add(&mut self, slots: &[u32]) {
        for &slot in slots.iter().filter(|&&slot| slot != SKIPPED) {
            let bucket = self.bucket(slot);
            let is_full = self.slots.len() == self.slots.capacity();
            if let Some(number) = self.buckets.get_mut(bucket).filter(|number| **number == 0 && !is_full) {
                self.slots.push(slot);
                *number = self.slots.len() as u32;
            }
        }
    }

    /// Puts their numbers, counted from 0, in the place of slots; `SKIPPED` stays.
    pub(crate) fn replace(&self, slots: &mut [u32]) {
        for slot in slots {
            let number = self.buckets.get(self.bucket(*slot)).copied().unwrap_or(0);
            *slot = number.wrapping_sub(1);
        }
    }

    /// The slots, in the order of their numbers.
    pub(crate) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The elements of `size` bytes at the slots.
    pub(crate) fn gather(&self, op: &'static str, table: &[u8], size: usize) -> Result<HostBuffer> {
        let mut own = HostBuffer::zeroed(op, self.slots.len() * size)?;
        for (own, &slot) in own.bytes_mut().chunks_exact_mut(size).zip(&self.slots) {
            let at = slot as usize * size;
            table.get(at..at + size).into_iter().for_each(|element| own.copy_from_slice(element));
        }
        Ok(own)
    }

    /// Writes elements of `size` bytes to their slots.
    pub(crate) fn scatter(&self, own: &[u8], table: &mut [u8], size: usize) {
        for (own, &slot) in own.chunks_exact(size).zip(&self.slots) {
            let at = slot as usize * size;
            if let Some(element) = table.get_mut(at..at + size) {
                element.copy_from_slice(own);
            }
        }
    }
}
