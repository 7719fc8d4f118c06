//! The end of a call: its result, or the facts of its failure. Also the block: numbers in this memory, through which JavaScript and Rust
//! exchange arguments, sizes and addresses. `wire.rs` defines the words of the block.

use std::cell::{Cell, RefCell};
use std::fmt::Write;

use wasm_bindgen::prelude::*;

use crate::boundary::wire;
use crate::boundary::wire::{ADDRESS, BLOCK_ARGUMENTS, BLOCK_WORDS, IGNORED_HIGH, IGNORED_LOW, LENGTH};
use crate::plan::IndexMode;
use crate::{Allowed, Error, FactValue, Result, list};

#[cfg(feature = "npm")]
use crate::allocator::ready;

/// Whether small allocations cannot fail. Without the feature `npm` the allocator is the program's own, and has no reserve.
#[cfg(not(feature = "npm"))]
fn ready() -> bool {
    true
}

/// Words, and behind them the arguments of a call.
#[repr(C, align(8))]
struct Block {
    words: [Cell<u32>; BLOCK_WORDS],
    arguments: [Cell<f64>; BLOCK_ARGUMENTS],
}

thread_local! {
    static BLOCK: Block = const {
        Block {
            words: [const { Cell::new(0) }; BLOCK_WORDS],
            arguments: [const { Cell::new(0.0) }; BLOCK_ARGUMENTS],
        }
    };
    /// The facts of the last failed call, as JSON; empty if memory was full before the call began.
    static FACTS: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The address of the block. It never changes while the library runs.
#[wasm_bindgen]
pub fn block() -> u32 {
    BLOCK.with(|block| block.words.as_ptr() as u32)
}

pub(crate) fn word(at: usize) -> u32 {
    BLOCK.with(|block| block.words.get(at).map_or(0, Cell::get))
}

/// Argument number `at` of the call; 0 if the block has no such argument.
pub(crate) fn argument(at: usize) -> f64 {
    BLOCK.with(|block| block.arguments.get(at).map_or(0.0, Cell::get))
}

pub(crate) fn set_word(at: usize, value: u32) {
    BLOCK.with(|block| {
        if let Some(word) = block.words.get(at) {
            word.set(value);
        }
    });
}

pub(crate) fn words(start: usize, count: u32) -> impl Iterator<Item = usize> {
    (0..count as usize).map(move |at| word(start + at) as usize)
}

/// The mode of a call by its number, with the index value in the block that it ignores.
#[inline(always)]
pub(crate) fn mode(number: u32) -> IndexMode {
    wire::mode(number, || (i64::from(word(IGNORED_HIGH)) << 32) | i64::from(word(IGNORED_LOW)))
}

pub(crate) fn set_span<T>(elements: &[T]) {
    set_word(ADDRESS, elements.as_ptr() as u32);
    set_word(LENGTH, size_of_val(elements) as u32);
}

/// Runs a call and returns its result. If the call fails, keeps the facts of its error and returns the default: 0, false or
/// undefined. This value tells JavaScript of the failure.
pub(crate) fn attempt<T: Default>(call: impl FnOnce() -> Result<T>) -> T {
    if !has_memory() {
        return T::default();
    }
    call().unwrap_or_else(|error| {
        keep(&error);
        T::default()
    })
}

/// Whether small allocations cannot fail, because the allocator has its reserve. Without the reserve the facts become empty, which
/// tells JavaScript that memory is full. Not inlined, because `attempt` is compiled once for each exported function.
#[inline(never)]
fn has_memory() -> bool {
    let is_ready = ready();
    if !is_ready {
        FACTS.with_borrow_mut(String::clear);
    }
    is_ready
}

#[cold]
#[inline(never)]
fn keep(error: &Error) {
    FACTS.set(facts_json(error));
}

/// Puts the address and length of the last failure's facts into the block: JSON in UTF-8. The length is 0 if memory was full before
/// the call began.
#[wasm_bindgen]
pub fn facts() {
    FACTS.with_borrow(|facts| set_span(facts.as_bytes()));
}

/// The facts of an error as JSON, which `errorOf` in errors.js reads. A JSON number can hold neither every int64 nor NaN, so a numeric value
/// crosses as text: an integer by its digits, a float64 by those of its bits.
pub(crate) fn facts_json(error: &Error) -> String {
    let mut out = String::from("{");
    let mut field = |name: &str, json: &str| _ = write!(out, "\"{name}\":{json},"); // writing to a String never fails
    if let Some(argument) = error.argument_name() {
        field("argument", &quoted(argument));
    }
    if let Some(dim) = error.dim_fact() {
        field("dim", &dim.to_string());
    }
    if let Some(position) = error.position_fact() {
        field("position", &list(position));
    }
    match error.value_fact() {
        Some(FactValue::Int(value)) => field("integer", &quoted(&value.to_string())),
        Some(FactValue::Float(value)) => field("bits", &quoted(&value.to_bits().to_string())),
        Some(FactValue::Text(text)) => field("value", &quoted(text)),
        None => {}
    }
    match error.allowed_fact() {
        Some(Allowed::Range(min, max)) => field("allowed", &format!("[{min},{max}]")),
        Some(Allowed::Words(words)) => {
            let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            field("allowed", &format!("[{}]", words.join(",")));
        }
        None => {}
    }
    if !error.shapes().is_empty() {
        let shapes = error.shapes().iter();
        let shapes: Vec<String> =
            shapes.map(|(name, shape)| format!("{}:{}", quoted(name), list(shape))).collect();
        field("shapes", &format!("{{{}}}", shapes.join(",")));
    }
    field("code", &quoted(error.code().name()));
    field("op", &quoted(error.op()));
    field("class", &quoted(error.class().name()));
    _ = write!(out, "\"message\":{}}}", quoted(&error.to_string()));
    out
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\0'..' ' => _ = write!(out, "\\u00{:02x}", letter as u8),
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}
