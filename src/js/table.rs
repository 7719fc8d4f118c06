//! What JavaScript holds: tensors and index plans by handle.
//!
//! A handle is a positive number of 31 bits, so that it is a small integer in every engine: 24 bits of place, and above them 7
//! bits of generation, which changes when the place is used again. A handle that was freed is therefore refused, and not
//! taken for another tensor, until its place was freed 127 times. 0 is never a handle.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::host::out_of_memory;
use crate::js::wire::{ALONG, SLICES};
use crate::ops::{IndexPlan, Place};
use crate::plan::{Addressed, Op};
use crate::tensor::Tensor;

const PLACE_BITS: u32 = 24;
const MAX_GENERATION: u32 = 127;

struct Slot {
    /// 1 to 127.
    generation: u32,
    held: Held,
}

enum Held {
    /// Free; the next free place behind it.
    Nothing(Option<u32>),
    /// A tensor that a call is writing to.
    Lent,
    Tensor(Tensor),
    Plan(IndexPlan),
}

pub(super) struct Table {
    slots: Vec<Slot>,
    /// The first free place.
    free: Option<u32>,
    tensors: u32,
}

thread_local! {
    static TABLE: RefCell<Table> = const { RefCell::new(Table { slots: Vec::new(), free: None, tensors: 0 }) };
}

/// Lends the table for one call. JavaScript does not enter while another call runs, so it is never lent twice.
pub(super) fn with<T>(use_it: impl FnOnce(&mut Table) -> Result<T>) -> Result<T> {
    TABLE.with(|table| match table.try_borrow_mut() {
        Ok(mut table) => use_it(&mut table),
        Err(_) => Err(reentrant()),
    })
}

fn reentrant() -> Error {
    Error::new(ErrorClass::Runtime, ErrorCode::ReentrantCall, "Tensor", "another call is running")
}

/// Keeps a new tensor; its handle.
pub(super) fn keep(tensor: Tensor) -> Result<u32> {
    with(|table| table.keep(tensor))
}

/// A tensor, shared.
pub(super) fn tensor(handle: u32) -> Result<Tensor> {
    with(|table| table.tensor(handle).cloned())
}

/// A plan, shared.
pub(super) fn plan(handle: u32) -> Result<IndexPlan> {
    with(|table| {
        let Some(Held::Plan(plan)) = table.held(handle) else { return Err(stale()) };
        Ok(plan.clone())
    })
}

/// Keeps a new plan; its handle.
pub(super) fn keep_plan(plan: IndexPlan) -> Result<u32> {
    with(|table| table.insert(Held::Plan(plan)))
}

impl Table {
    /// A tensor that shares a buffer of the caller's with another one gets a copy.
    pub(super) fn keep(&mut self, tensor: Tensor) -> Result<u32> {
        let tensor = Tensor { storage: tensor.storage.owned("Tensor")?, ..tensor };
        let handle = self.insert(Held::Tensor(tensor))?;
        self.tensors += 1;
        Ok(handle)
    }

    pub(super) fn tensor(&self, handle: u32) -> Result<&Tensor> {
        let Some(Held::Tensor(tensor)) = self.held(handle) else { return Err(stale()) };
        Ok(tensor)
    }

    pub(super) fn tensor_mut(&mut self, handle: u32) -> Result<&mut Tensor> {
        match self.held_mut(handle) {
            Some(Held::Tensor(tensor)) if tensor.storage.is_borrowed_twice() => Err(own_operand()),
            Some(Held::Tensor(tensor)) => Ok(tensor),
            Some(Held::Nothing(_) | Held::Lent | Held::Plan(_)) | None => Err(stale()),
        }
    }

    /// Lends a tensor for writing, and the table for its operands. Where the tensor is one of them, that is a copy, which shares the data
    /// until they are written to.
    pub(super) fn update<T>(
        &mut self,
        handle: u32,
        [one, two]: [u32; 2],
        write: impl FnOnce(&Self, &mut Tensor) -> Result<T>,
    ) -> Result<T> {
        if self.writes_to_operand(self.tensor(handle)?, [one, two]) {
            return Err(own_operand());
        }
        let held = self.held_mut(handle).ok_or_else(stale)?;
        let Held::Tensor(tensor) = held else { return Err(stale()) };
        let operand = if one == handle || two == handle { Held::Tensor(tensor.clone()) } else { Held::Lent };
        let Held::Tensor(mut tensor) = std::mem::replace(held, operand) else { return Err(stale()) };
        let written = write(self, &mut tensor);
        if let Some(held) = self.held_mut(handle) {
            *held = Held::Tensor(tensor);
        }
        written
    }

    /// Whether a tensor borrows a buffer that one of the operands has too.
    fn writes_to_operand(&self, tensor: &Tensor, operands: [u32; 2]) -> bool {
        let has_same = |&operand: &u32| match self.held(operand) {
            Some(Held::Tensor(operand)) => tensor.storage.borrows_same(&operand.storage),
            Some(Held::Nothing(_) | Held::Lent | Held::Plan(_)) | None => false,
        };
        tensor.storage.is_borrowed_twice() || operands.iter().any(has_same)
    }

    /// Where a call of an operator writes or reads, by the handle of an index or a plan.
    pub(super) fn place(&self, op: Op, (form, dim): (u32, f64), index: u32) -> Result<Place<'_>> {
        let index = match self.held(index) {
            Some(Held::Tensor(index)) => index,
            Some(Held::Plan(plan)) => return Ok(Place::Planned(plan)),
            Some(Held::Nothing(_) | Held::Lent) | None => return Err(stale()),
        };
        Ok(match form {
            ALONG => Place::Index(Addressed::Along(dim as i64), index),
            SLICES => Place::Index(Addressed::Slices(dim as i64), index),
            // Tuples have no dimension: the number counts those that belong together.
            _ => Place::tuples(op, index, dim.max(0.0) as usize),
        })
    }

    #[inline(always)]
    fn held(&self, handle: u32) -> Option<&Held> {
        let slot = self.slots.get(place(handle))?;
        (slot.generation == handle >> PLACE_BITS).then_some(&slot.held)
    }

    fn held_mut(&mut self, handle: u32) -> Option<&mut Held> {
        let slot = self.slots.get_mut(place(handle))?;
        (slot.generation == handle >> PLACE_BITS).then_some(&mut slot.held)
    }

    fn insert(&mut self, held: Held) -> Result<u32> {
        if let Some(free) = self.free
            && let Some(slot) = self.slots.get_mut(free as usize)
            && let Held::Nothing(next) = slot.held
        {
            self.free = next;
            slot.held = held;
            return Ok(slot.generation << PLACE_BITS | free);
        }
        let at = self.slots.len();
        if at >> PLACE_BITS != 0 {
            return Err(out_of_memory("Tensor", size_of::<Slot>()));
        }
        let more = at.max(64);
        if self.slots.len() == self.slots.capacity() {
            self.slots.try_reserve(more).map_err(|_| out_of_memory("Tensor", more * size_of::<Slot>()))?;
        }
        self.slots.push(Slot { generation: 1, held });
        Ok(1 << PLACE_BITS | at as u32)
    }

    fn free(&mut self, handle: u32) {
        let Some(slot) = self.slots.get_mut(place(handle)) else { return };
        if slot.generation != handle >> PLACE_BITS || matches!(slot.held, Held::Nothing(_)) {
            return;
        }
        let held = std::mem::replace(&mut slot.held, Held::Nothing(self.free));
        slot.generation = slot.generation % MAX_GENERATION + 1;
        self.free = Some(place(handle) as u32);
        if let Held::Tensor(_) = held {
            self.tensors -= 1;
        }
    }
}

fn place(handle: u32) -> usize {
    (handle & ((1 << PLACE_BITS) - 1)) as usize
}

/// For a tensor that is also an operand of its own update. Otherwise the write would go to a copy; but this tensor is the caller's buffer,
/// which must be written itself.
fn own_operand() -> Error {
    let text =
        "this tensor borrows a buffer, and is an operand of its own update: give t.clone() as the operand";
    Error::new(ErrorClass::Value, ErrorCode::InvalidArgument, "Tensor", text)
}

/// The error for a handle that was freed. JavaScript refuses such a tensor before, in a text with operator and argument.
fn stale() -> Error {
    Error::new(ErrorClass::Runtime, ErrorCode::Disposed, "Tensor", "this tensor was disposed of")
}

/// Frees a tensor or a plan. Does nothing for a handle that was freed before.
#[wasm_bindgen]
pub fn free(handle: u32) {
    _ = with(|table| {
        table.free(handle);
        Ok(())
    });
}

/// Tensors that JavaScript holds.
#[wasm_bindgen]
pub fn live_tensors() -> u32 {
    with(|table| Ok(table.tensors)).unwrap_or_default()
}
