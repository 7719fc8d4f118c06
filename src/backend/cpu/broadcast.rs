//! The loops of a multiply: results are made in row-major order, one run of the innermost loop at a time.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::{ptr, slice};

use smallvec::SmallVec;

use crate::backend::cpu::activate::Activate;
use crate::dtype::{DType, Element};
use crate::plan::{Activation, BroadcastLoop, BroadcastPlan};
use crate::shape::MAX_OP_RANK;

/// Results that are made before the activation is applied to them: few enough to stay in the nearest cache,
/// so that memory is passed over once, and enough that dispatching on the activation costs nothing.
const BLOCK: usize = 1024;

/// A row of y that is shorter is repeated into one that is about as long as this.
const ROW: usize = 1024;

/// Runs that are shorter and meet one element of y each are made together.
const COLUMN: usize = 64;

/// Where the products go. All bytes are those of elements, and aligned like them.
pub(super) enum Target<'a> {
    /// Beside this x, into memory that is written for the first time: all of it.
    New(&'a [u8], &'a mut [MaybeUninit<u8>]),
    /// Into x.
    InPlace(&'a mut [u8]),
}

/// [`multiply_run`] on bytes.
type MultiplyRun = fn(&[u8], &[u8], usize, &mut [MaybeUninit<u8>]);

/// What is compiled for each element type. The rest is the same for all of them but for the size, so there is one of
/// it: a call by pointer for each piece costs nothing, and compiling all of it nine times costs several kilobytes.
#[derive(Clone, Copy)]
pub(super) struct Loops {
    size: usize,
    multiply: MultiplyRun,
    multiply_own: fn(&mut [u8], &[u8], usize),
    activate: fn(Activation, DType, &mut [u8]),
}

impl Loops {
    pub(super) const fn of<E: Activate>() -> Self {
        Self {
            size: size_of::<E>(),
            multiply: |x, y, repeat, out| {
                let len = out.len() / size_of::<E>();
                // Aligned like the factors, for which `cast_slice` asks.
                let out = out.as_mut_ptr().cast::<MaybeUninit<E>>();
                assert!(out.is_aligned());
                // SAFETY: the bytes are as many, and borrowed for writing.
                let out = unsafe { slice::from_raw_parts_mut(out, len) };
                multiply_run::<E>(bytemuck::cast_slice(x), bytemuck::cast_slice(y), repeat, out);
            },
            multiply_own: |x, y, repeat| {
                multiply_own::<E>(bytemuck::cast_slice_mut(x), bytemuck::cast_slice(y), repeat);
            },
            activate: |act, dtype, values| E::activate(act, dtype, bytemuck::cast_slice_mut(values)),
        }
    }
}

/// `out[k] = act(x[…] · y[…])` for every element of the result.
pub(super) fn multiply(plan: &BroadcastPlan, dtype: DType, loops: Loops, target: Target<'_>, y: &[u8]) {
    let (x, out) = match target {
        Target::New(x, out) => (Some(x), out),
        // SAFETY: only elements are written to it, below.
        Target::InPlace(x) => (None, unsafe { &mut *(ptr::from_mut(x) as *mut [MaybeUninit<u8>]) }),
    };
    let size = loops.size;
    let len = out.len() / size;
    // What the uninitialised memory relies on, whatever calls this: the plan makes every position in an operand
    // smaller than its length, so every product finds its factors, and is made.
    let x_len = x.map_or(len, |x| x.len() / size);
    assert!(x_len >= plan.x_len() && y.len() / size >= plan.y_len() && len == plan.len());
    let form = Form::new(plan, x.is_none());
    let (x, y) = match x {
        Some(x) if form.is_swapped => (Some(y), x),
        _ => (x, y),
    };
    let row = form.row.map(|(len, rounds)| repeat(y.get(..len * size).unwrap_or_default(), rounds));
    let y =
        row.as_ref().map_or(y, |(words, len)| bytemuck::cast_slice(words).get(..*len).unwrap_or_default());
    let act = plan.activation();
    let bytes = |elements: Range<usize>| elements.start * size..elements.end * size;
    let mut activated = 0;
    walk(&form, len, &mut |piece| {
        let made = piece.out.end;
        let run = out.get_mut(bytes(piece.out)).unwrap_or_default();
        let y = y.get(bytes(piece.y)).unwrap_or_default();
        if let Some(x) = x {
            (loops.multiply)(x.get(bytes(piece.x)).unwrap_or_default(), y, form.repeat, run);
        } else {
            // SAFETY: in place, the result's elements were those of x.
            (loops.multiply_own)(unsafe { run.assume_init_mut() }, y, form.repeat);
        }
        if let Some(act) = act.filter(|_| made - activated >= BLOCK || made == len) {
            let results = out.get_mut(bytes(activated..made)).unwrap_or_default();
            // SAFETY: results are made in order, and those up to here are.
            (loops.activate)(act, dtype, unsafe { results.assume_init_mut() });
            activated = made;
        }
    });
}

/// Bytes again and again, aligned for every element, and how many there are.
fn repeat(bytes: &[u8], rounds: usize) -> (Vec<u64>, usize) {
    let len = bytes.len() * rounds;
    let mut words = vec![0u64; len.div_ceil(8)];
    for slot in
        bytemuck::cast_slice_mut::<u64, u8>(&mut words).chunks_exact_mut(bytes.len().max(1)).take(rounds)
    {
        slot.copy_from_slice(bytes);
    }
    (words, len)
}

/// How the loops of a plan are run. What is not generic is apart from what is: there is one of it for all
/// dtypes.
struct Form {
    loops: SmallVec<[BroadcastLoop; MAX_OP_RANK]>,
    /// Whether x and y change places: products commute, and with the larger operand first there are fewer forms.
    is_swapped: bool,
    /// The length of a short row of y that every run meets, and how often it is repeated to make longer runs.
    row: Option<(usize, usize)>,
    /// For how many results in a row an element of y serves, where runs of that length are made together.
    repeat: usize,
    /// How many elements are made at a time.
    block: usize,
}

impl Form {
    fn new(plan: &BroadcastPlan, in_place: bool) -> Self {
        let block = match plan.activation() {
            Some(_) => BLOCK,
            None => usize::MAX,
        };
        let is_swapped = !in_place && plan.x_len() < plan.y_len();
        let mut form = Self { loops: plan.loops().into(), is_swapped, row: None, repeat: 1, block };
        if is_swapped {
            for l in &mut form.loops {
                std::mem::swap(&mut l.x_stride, &mut l.y_stride);
            }
        }
        form.repeat_short_row();
        form.fold_short_columns();
        form
    }

    /// Where each run meets the same short row of y, it meets the row several times: the three channels of a
    /// picture would be runs of three. The last run may then be longer than what is left.
    fn repeat_short_row(&mut self) {
        if let [outer, row] = self.loops.as_mut_slice()
            && (row.x_stride, row.y_stride, outer.y_stride) == (1, 1, 0)
            && row.len < ROW
        {
            let rounds = ROW.div_ceil(row.len).min(outer.len);
            self.row = Some((row.len, rounds));
            row.len *= rounds;
            *outer = BroadcastLoop { len: outer.len.div_ceil(rounds), x_stride: row.len, y_stride: 0 };
        }
    }

    /// Where short runs meet one element of y each, and the next ones its neighbours, they become one run.
    fn fold_short_columns(&mut self) {
        if let [.., column, run] = self.loops.as_mut_slice()
            && (run.x_stride, run.y_stride, column.y_stride) == (1, 0, 1)
            && column.x_stride == run.len
            && run.len < COLUMN
        {
            self.repeat = run.len;
            *column = BroadcastLoop { len: column.len * run.len, x_stride: 1, y_stride: 1 };
            self.loops.pop();
        }
    }
}

/// A part of a run, and where in the operands it begins and ends. One element of an operand serves all of it
/// where that one is repeated along the run.
struct Piece {
    x: Range<usize>,
    y: Range<usize>,
    out: Range<usize>,
}

/// Calls `make` for pieces of at most `block` elements, in row-major order, until the result is full.
fn walk(form: &Form, len: usize, make: &mut dyn FnMut(Piece)) {
    let single = BroadcastLoop { len: 1, x_stride: 0, y_stride: 0 };
    let (inner, outer) = form.loops.split_last().map_or((single, &[][..]), |(inner, outer)| (*inner, outer));
    let block = form.block.min(inner.len) / form.repeat * form.repeat;
    // `BroadcastPlan` makes every position in an operand smaller than its length, and the innermost stride 0 or 1.
    let part = |start: usize, stride: usize, begin: usize, end: usize| {
        if stride == 0 { start..start + 1 } else { start + begin..start + end }
    };
    let mut start = Start::new(outer);
    let mut made = 0;
    while made < len {
        for begin in (0..inner.len).step_by(block) {
            let end = inner.len.min(begin + block).min(begin + len - made);
            make(Piece {
                x: part(start.x, inner.x_stride, begin, end),
                y: part(start.y, inner.y_stride, begin / form.repeat, end / form.repeat),
                out: made..made + end - begin,
            });
            made += end - begin;
        }
        start.advance(outer);
    }
}

/// The products of a piece. Besides as many elements as the piece has, an operand may have one for all of
/// it, and y one for every `repeat` of them.
#[inline(always)]
fn multiply_run<E: Element>(x: &[E], y: &[E], repeat: usize, out: &mut [MaybeUninit<E>]) {
    // Products commute.
    let (x, y) = if x.len() < out.len() { (y, x) } else { (x, y) };
    if let [y] = y {
        for (out, x) in out.iter_mut().zip(x) {
            out.write(x.multiply(*y));
        }
    } else if repeat > 1 {
        let runs = out.chunks_exact_mut(repeat).zip(x.chunks_exact(repeat));
        for ((out, x), y) in runs.zip(y) {
            for (out, x) in out.iter_mut().zip(x) {
                out.write(x.multiply(*y));
            }
        }
    } else {
        for (out, (x, y)) in out.iter_mut().zip(x.iter().zip(y)) {
            out.write(x.multiply(*y));
        }
    }
}

/// The products of a piece in the place of x. They need loops of their own: the others are vectorised because the result is
/// other memory than x.
#[inline(always)]
fn multiply_own<E: Element>(x: &mut [E], y: &[E], repeat: usize) {
    if let [y] = y {
        for x in x {
            *x = x.multiply(*y);
        }
    } else if repeat > 1 {
        for (x, y) in x.chunks_exact_mut(repeat).zip(y) {
            for x in x {
                *x = x.multiply(*y);
            }
        }
    } else {
        for (x, y) in x.iter_mut().zip(y) {
            *x = x.multiply(*y);
        }
    }
}

/// Where in the operands a run starts.
struct Start {
    x: usize,
    y: usize,
    coordinates: SmallVec<[usize; MAX_OP_RANK]>,
}

impl Start {
    fn new(outer: &[BroadcastLoop]) -> Self {
        Self { x: 0, y: 0, coordinates: outer.iter().map(|_| 0).collect() }
    }

    /// On to the next run, in row-major order.
    fn advance(&mut self, outer: &[BroadcastLoop]) {
        for (l, coordinate) in outer.iter().zip(&mut self.coordinates).rev() {
            *coordinate += 1;
            self.x += l.x_stride;
            self.y += l.y_stride;
            if *coordinate < l.len {
                break;
            }
            *coordinate = 0;
            self.x -= l.len * l.x_stride;
            self.y -= l.len * l.y_stride;
        }
    }
}
