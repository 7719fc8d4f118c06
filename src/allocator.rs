//! The global allocator of the npm package: the standard library's, with a reserve for small requests.
//!
//! Tensor data is allocated with `try_reserve`, and a failure is an error. Small allocations (a shape, the text of an error) happen
//! everywhere, and Rust traps when one fails. So the library sets 256 KiB aside at the start. When a small request fails, the
//! allocator gives this reserve back to the heap and repeats the request. `attempt` in `boundary/facts.rs` runs every operator, and
//! calls [`ready`] first: if the reserve is gone and cannot be allocated again, `attempt` refuses the call as `out-of-memory`. The
//! small requests of one call are far smaller than the reserve. Freeing always works.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// The largest request, in bytes, for which the reserve is given back.
const SMALL: usize = 16 << 10;
const RESERVE: Layout = match Layout::from_size_align(256 << 10, 16) {
    Ok(layout) => layout,
    Err(_) => Layout::new::<u128>(), // never: 16 is a power of two, and the size is far from the largest one
};

struct Reserving {
    /// Null while no reserve is set aside.
    reserve: AtomicPtr<u8>,
}

#[global_allocator]
static ALLOCATOR: Reserving = Reserving { reserve: AtomicPtr::new(ptr::null_mut()) };

/// Sets the reserve aside, unless it is already. Returns whether it is set aside now; if not, memory is exhausted.
///
/// The package runs on one thread. The pointer is atomic because a static must be `Sync`.
pub(crate) fn ready() -> bool {
    if !ALLOCATOR.reserve.load(Relaxed).is_null() {
        return true;
    }
    // SAFETY: the layout has a size.
    let block = unsafe { System.alloc(RESERVE) };
    ALLOCATOR.reserve.store(block, Relaxed);
    !block.is_null()
}

impl Reserving {
    /// Gives the reserve back to the heap if a request of `size` bytes is small. Returns whether it did: the request is then worth
    /// repeating. Returns false if the reserve was given back before.
    #[cold]
    fn give_back(&self, size: usize) -> bool {
        if size > SMALL {
            return false;
        }
        let block = self.reserve.swap(ptr::null_mut(), Relaxed);
        if !block.is_null() {
            // SAFETY: `ready` allocated it with this layout, and no other code has it.
            unsafe { System.dealloc(block, RESERVE) };
        }
        !block.is_null()
    }
}

// SAFETY: the system's allocator allocates and frees every block, with the layout of the request.
unsafe impl GlobalAlloc for Reserving {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise about the layout also holds for the system's allocator, here and below.
        let block = unsafe { System.alloc(layout) };
        if !block.is_null() || !self.give_back(layout.size()) {
            return block;
        }
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block came from this allocator, and so from the system's, with this layout.
        unsafe { System.dealloc(block, layout) };
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as for `dealloc`. If it fails, the old block stays valid and can be passed again.
        let moved = unsafe { System.realloc(block, layout, size) };
        if !moved.is_null() || !self.give_back(size) {
            return moved;
        }
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }
}
