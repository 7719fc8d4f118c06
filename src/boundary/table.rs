//! The handles that JavaScript holds, for tensors, index plans, exact sums and groups.
//!
//! A handle is a positive number of 31 bits, so that it is a small integer in every engine. The lower 24 bits are the index of a
//! slot. The 7 bits above are the generation of the slot, which changes when the slot is used again. So a freed handle is refused
//! and not taken for another tensor, until its slot was freed 127 times. 0 is never a handle.

#[cfg(feature = "group_by")]
pub(crate) mod groups;
#[cfg(feature = "exact")]
pub(crate) mod sums;

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::boundary::wire::{ALONG, SLICES};
use crate::host::out_of_memory;
use crate::plan::Addressed;
use crate::{Error, ErrorClass, ErrorCode, IndexPlan, Result, Target, Tensor};

const SLOT_BITS: u32 = 24;
const MAX_GENERATION: u32 = 127;

struct Slot {
    /// 1 to 127. Never 0, so no handle is 0.
    generation: u32,
    held: Held,
}

enum Held {
    /// A free slot. It holds the index of the next slot in the list of free slots, if any.
    Nothing(Option<u32>),
    Tensor(Tensor),
    Plan(IndexPlan),
    #[cfg(feature = "exact")]
    Sums(Box<crate::exact::exact_sum::ExactSum>),
    #[cfg(feature = "group_by")]
    Groups(std::rc::Rc<crate::group_by::Groups>),
}

pub(crate) struct Table {
    slots: Vec<Slot>,
    free: Option<u32>,
    /// How many slots hold a tensor, exact sums or groups.
    tensors: u32,
}

thread_local! {
    static TABLE: RefCell<Table> = const { RefCell::new(Table { slots: Vec::new(), free: None, tensors: 0 }) };
}

/// Runs `use_it` with the table. A call inside `use_it` is an error; JavaScript refuses a call inside a call before it reaches
/// this.
pub(crate) fn with<T>(use_it: impl FnOnce(&mut Table) -> Result<T>) -> Result<T> {
    TABLE.with(|table| match table.try_borrow_mut() {
        Ok(mut table) => use_it(&mut table),
        Err(_) => Err(reentrant()),
    })
}

fn reentrant() -> Error {
    Error::new(ErrorClass::Runtime, ErrorCode::ReentrantCall, "Tensor", "another call is running")
}

pub(crate) fn keep(tensor: Tensor) -> Result<u32> {
    with(|table| table.keep(tensor))
}

/// The tensor of a handle: a clone on the same data, so that the table is free again.
pub(crate) fn tensor(handle: u32) -> Result<Tensor> {
    with(|table| table.tensor(handle).cloned())
}

/// The plan of a handle: a clone on the same data, so that the table is free again.
pub(crate) fn plan(handle: u32) -> Result<IndexPlan> {
    with(|table| {
        let Some(Held::Plan(plan)) = table.held(handle) else { return Err(stale()) };
        Ok(plan.clone())
    })
}

pub(crate) fn keep_plan(plan: IndexPlan) -> Result<u32> {
    with(|table| table.insert(Held::Plan(plan)))
}

impl Table {
    /// Puts a new tensor into the table, and returns its handle. A `GPUBuffer` of the caller's belongs to one tensor only. If the
    /// tensor's data is such a buffer and another tensor has it too, the new tensor gets a copy.
    pub(crate) fn keep(&mut self, tensor: Tensor) -> Result<u32> {
        let tensor = Tensor { storage: tensor.storage.owned("Tensor")?, ..tensor };
        let handle = self.insert(Held::Tensor(tensor))?;
        self.tensors += 1;
        Ok(handle)
    }

    pub(crate) fn tensor(&self, handle: u32) -> Result<&Tensor> {
        let Some(Held::Tensor(tensor)) = self.held(handle) else { return Err(stale()) };
        Ok(tensor)
    }

    /// The tensor of a handle, for `with_data` to write to. Refused if its data is a `GPUBuffer` of the caller's that something
    /// else shares: a write would go to a copy, and the caller's buffer would not change.
    pub(crate) fn tensor_mut(&mut self, handle: u32) -> Result<&mut Tensor> {
        match self.held_mut(handle) {
            Some(Held::Tensor(tensor)) if tensor.storage.is_borrowed_twice() => {
                Err(shared_buffer_error("Tensor.with_data"))
            }
            Some(Held::Tensor(tensor)) => Ok(tensor),
            Some(_) | None => Err(stale()),
        }
    }

    /// The tensor that a call of operator `op` writes to. `operands` are the handles of its operands; 0 stands for none. The call
    /// holds these operands itself. A write copies shared data first, so an operand keeps its values.
    pub(crate) fn written(
        &mut self,
        op: &'static str,
        handle: u32,
        operands: [u32; 2],
    ) -> Result<&mut Tensor> {
        if self.shares_borrowed_buffer(self.tensor(handle)?, operands) {
            return Err(shared_buffer_error(op));
        }
        match self.held_mut(handle) {
            Some(Held::Tensor(tensor)) => Ok(tensor),
            Some(_) | None => Err(stale()),
        }
    }

    /// Whether the data of `tensor` is a `GPUBuffer` of the caller's that something else shares: one of the operands, given by
    /// their handles, or any other tensor or plan. A write could then not go to that buffer.
    fn shares_borrowed_buffer(&self, tensor: &Tensor, operands: [u32; 2]) -> bool {
        let has_same = |&operand: &u32| match self.held(operand) {
            Some(Held::Tensor(operand)) => tensor.storage.borrows_same(&operand.storage),
            Some(_) | None => false,
        };
        tensor.storage.is_borrowed_twice() || operands.iter().any(has_same)
    }

    /// Where a call writes or reads. `index` is the handle of an index or of a plan. `form` is ALONG, TUPLES or SLICES of `wire`.
    /// `dim` is the dimension; for TUPLES it is the number of first dimensions that are batches. A plan has its own form and
    /// dimension, so both parameters are then ignored.
    #[inline(always)]
    pub(crate) fn target(&self, (form, dim): (u32, f64), index: u32) -> Result<Target> {
        let index = match self.held(index) {
            Some(Held::Tensor(index)) => index,
            Some(Held::Plan(plan)) => return Ok(plan.into()),
            Some(_) | None => return Err(stale()),
        };
        let form = match form {
            ALONG => Addressed::Along(dim as i64),
            SLICES => Addressed::Slices(dim as i64),
            _ => Addressed::Tuples(dim.max(0.0) as usize),
        };
        Ok(Target::new(form, index))
    }

    /// The content of a handle's slot; `None` if the handle was freed or never existed. Inlined for the speed of small calls.
    #[inline(always)]
    fn held(&self, handle: u32) -> Option<&Held> {
        let slot = self.slots.get(slot_index(handle))?;
        (slot.generation == handle >> SLOT_BITS).then_some(&slot.held)
    }

    /// [`Table::held`] for writing.
    fn held_mut(&mut self, handle: u32) -> Option<&mut Held> {
        let slot = self.slots.get_mut(slot_index(handle))?;
        (slot.generation == handle >> SLOT_BITS).then_some(&mut slot.held)
    }

    /// Puts a value into the first free slot, or into a new one, and returns its handle. If all 2^24 slots are in use, memory
    /// counts as full.
    fn insert(&mut self, held: Held) -> Result<u32> {
        if let Some(free) = self.free
            && let Some(slot) = self.slots.get_mut(free as usize)
            && let Held::Nothing(next) = slot.held
        {
            self.free = next;
            slot.held = held;
            return Ok(slot.generation << SLOT_BITS | free);
        }
        let at = self.slots.len();
        if at >> SLOT_BITS != 0 {
            return Err(out_of_memory("Tensor", size_of::<Slot>()));
        }
        let more = at.max(64); // doubles the number of slots
        if self.slots.len() == self.slots.capacity() {
            self.slots.try_reserve(more).map_err(|_| out_of_memory("Tensor", more * size_of::<Slot>()))?;
        }
        self.slots.push(Slot { generation: 1, held });
        Ok(1 << SLOT_BITS | at as u32)
    }

    /// Drops the value of a handle. Its slot becomes the first of the free list, with the next generation. A handle that was freed
    /// or never existed is ignored.
    fn free(&mut self, handle: u32) {
        let Some(slot) = self.slots.get_mut(slot_index(handle)) else { return };
        if slot.generation != handle >> SLOT_BITS || matches!(slot.held, Held::Nothing(_)) {
            return;
        }
        let held = std::mem::replace(&mut slot.held, Held::Nothing(self.free));
        slot.generation = slot.generation % MAX_GENERATION + 1; // 127 is followed by 1
        self.free = Some(slot_index(handle) as u32);
        if !matches!(held, Held::Plan(_)) {
            self.tensors -= 1;
        }
    }
}

fn slot_index(handle: u32) -> usize {
    (handle & ((1 << SLOT_BITS) - 1)) as usize
}

/// The error for a write to a `GPUBuffer` of the caller's that an operand or anything else shares. A write to other shared data
/// goes to a copy; here the copy would not be the caller's buffer.
fn shared_buffer_error(op: &'static str) -> Error {
    let text =
        "this tensor borrows a buffer, and is an operand of its own update: give t.clone() as the operand";
    Error::new(ErrorClass::Value, ErrorCode::InvalidArgument, op, text)
}

/// The error for a handle without a tensor or plan. It names neither operator nor argument: JavaScript knows them, and refuses a
/// disposed tensor before the call gets here.
fn stale() -> Error {
    Error::new(ErrorClass::Runtime, ErrorCode::Disposed, "Tensor", "this tensor was disposed of")
}

/// Frees a tensor, a plan, sums or groups. A handle that was freed already is ignored.
#[wasm_bindgen]
pub fn free(handle: u32) {
    _ = with(|table| {
        table.free(handle);
        Ok(())
    });
}

/// How many tensors, exact sums and groups JavaScript holds; plans do not count.
#[wasm_bindgen]
pub fn live_tensors() -> u32 {
    with(|table| Ok(table.tensors)).unwrap_or_default()
}
