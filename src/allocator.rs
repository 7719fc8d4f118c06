//! The global allocator of the npm package: the standard library's, with a reserve for small requests.
//!
//! Large memory is asked for with `try_reserve`, and not having it is an error. Small allocations (a shape, the text of
//! an error) cannot fail in Rust without a trap, and happen everywhere. So 256 KiB are set aside at the start; when a small request
//! fails, the reserve is given back to the heap, and the request is repeated. `attempt` in `boundary/facts.rs`, which runs every operator,
//! asks [`ready`] before a call begins: while the reserve is gone and cannot be set aside again, the call is refused as
//! `out-of-memory`. A call makes far fewer small allocations than the reserve holds. Freeing always works.

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
    /// Null while it is not set aside.
    reserve: AtomicPtr<u8>,
}

#[global_allocator]
static ALLOCATOR: Reserving = Reserving { reserve: AtomicPtr::new(ptr::null_mut()) };

/// Sets the reserve aside where it is not. Returns whether it is set aside now: if not, memory is exhausted.
///
/// The package runs on one thread. The atomic pointer is there because a static needs one, and not against races.
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
    /// Gives the reserve back to the heap, if a request of `size` bytes is small enough for that to help. Returns whether it did, so
    /// that the request is worth repeating: false also where the reserve was given back before.
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

// SAFETY: every block comes from the system's allocator with the layout that it is asked for, and goes back there.
unsafe impl GlobalAlloc for Reserving {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise about the layout is passed on, here and below.
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
        // SAFETY: as for `dealloc`; where it fails, the old block stays valid and can be passed once more.
        let moved = unsafe { System.realloc(block, layout, size) };
        if !moved.is_null() || !self.give_back(size) {
            return moved;
        }
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }
}
