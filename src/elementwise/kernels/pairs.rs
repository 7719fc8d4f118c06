//! The loops of an operation on pairs of elements, for operations on two tensors. Those of an operation that a scatter also has are the
//! scatter's loops over rows.

use bytemuck::Pod;

use crate::engine::cpu::kernels::{
    CombineBits, Lane, Loops, Operation, RowLoop, RowUpdates, VectorOperation, combine_bits, combine_rows,
};

/// Which operands are rows, and in which order the operation takes them.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    /// Each element of a row, then its partner in another row.
    Rows,
    /// Each element of a row, then one element.
    RowAndElement,
    /// One element, then each element of a row.
    ElementAndRow,
}

/// The loops of one operation on one element type.
#[derive(Clone, Copy)]
pub(crate) struct Pairs {
    pub(crate) size: usize,
    combine: CombineBits,
    rows: RowLoop,
    row_and_element: RowLoop,
    element_and_row: RowLoop,
}

/// An operation that takes its operands in the other order.
struct Exchanged<C>(C);

impl<E, C: Operation<E>> Operation<E> for Exchanged<C> {
    #[inline(always)]
    fn combine(value: E, update: E) -> E {
        C::combine(update, value)
    }
}

impl<E, C: VectorOperation<E>> VectorOperation<E> for Exchanged<C> {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    #[inline(always)]
    fn combine_vectors(
        value: core::arch::wasm32::v128,
        update: core::arch::wasm32::v128,
    ) -> core::arch::wasm32::v128 {
        C::combine_vectors(update, value)
    }
}

impl Pairs {
    /// Loops with vectors, for an operation in which the order of the operands counts.
    pub(crate) const fn of<E: Lane, C: VectorOperation<E>>() -> Self {
        Self {
            size: size_of::<E>(),
            combine: combine_bits::<E, C>,
            rows: combine_rows::<E, C, false>,
            row_and_element: combine_rows::<E, C, true>,
            element_and_row: combine_rows::<E, Exchanged<C>, true>,
        }
    }

    /// Loops with vectors, for an operation in which the order of the operands does not count.
    pub(crate) const fn commuting<E: Lane, C: VectorOperation<E>>() -> Self {
        let row_and_element = combine_rows::<E, C, true>;
        Self { row_and_element, element_and_row: row_and_element, ..Self::of::<E, C>() }
    }

    /// Loops without vectors, for an operation in which the order of the operands counts.
    pub(crate) const fn each<E: Pod, C: Operation<E>>() -> Self {
        let rows = combine_each::<E, C>;
        Self {
            size: size_of::<E>(),
            combine: combine_bits::<E, C>,
            rows,
            row_and_element: rows,
            element_and_row: combine_each::<E, Exchanged<C>>,
        }
    }

    /// The same, but with another operation, of the same results, for rows and one second element.
    #[cfg(feature = "loops")]
    pub(crate) fn with_element<E: Lane, C: VectorOperation<E>>(self) -> Self {
        debug_assert_eq!(size_of::<E>(), self.size);
        Self { row_and_element: combine_rows::<E, C, true>, ..self }
    }

    /// Computes a result for each element of the rows, into `out`. `row` is where the first row begins, at positions that `rows` has;
    /// `others` has the other rows, or one element for each row.
    ///
    /// # Safety
    /// As for [`Loops::combine_rows`].
    pub(crate) unsafe fn combine(
        &self,
        order: Order,
        out: *mut u8,
        row: *const u8,
        others: *const u8,
        rows: &RowUpdates<'_>,
    ) {
        let run = match order {
            Order::Rows => self.rows,
            Order::RowAndElement => self.row_and_element,
            Order::ElementAndRow => self.element_and_row,
        };
        // SAFETY: as the caller promises.
        unsafe { run(out, row, others, rows, self.combine) }
    }
}

impl Loops {
    /// The loops for pairs, of an operation in which the order of the operands does not count.
    pub(crate) fn pairs(&self) -> Pairs {
        Pairs {
            size: self.size,
            combine: self.combine,
            rows: self.combine_rows,
            row_and_element: self.combine_rows_with_scalar,
            element_and_row: self.combine_rows_with_scalar,
        }
    }
}

/// # Safety
/// As for [`Loops::combine_rows`].
#[inline(never)]
unsafe fn combine_each<E: Pod, C: Operation<E>>(
    out: *mut u8,
    x: *const u8,
    values: *const u8,
    rows: &RowUpdates<'_>,
    _: CombineBits,
) {
    let (out, x, mut values) = (out.cast::<E>(), x.cast::<E>(), values.cast::<E>());
    for &position in rows.positions {
        let start = position as usize * rows.slot_stride;
        // SAFETY: as the caller promises.
        unsafe {
            for l in 0..rows.row.len {
                *out.add(start + l) = C::combine(*x.add(start + l), *values.add(l * rows.row.value_stride));
            }
            values = values.add(rows.value_stride);
        }
    }
}
