//! The boundary to JavaScript: free functions over numbers, for the JavaScript in `src/js`.
//!
//! JavaScript reads, converts and checks the arguments of its callers. A function here receives handles, numbers of [`wire`], and
//! sizes in the block. It returns a handle, or whether it succeeded. After a failure [`facts`] has the facts of the error, and
//! JavaScript builds the typed error from them. Only functions in `gpu.rs` call JavaScript, and nothing stays borrowed across an
//! await.

#[cfg_attr(not(test), allow(dead_code, reason = "some of the numbers are for JavaScript alone"))]
pub(crate) mod wire;

#[cfg(target_arch = "wasm32")]
pub(crate) mod arguments;
#[cfg(target_arch = "wasm32")]
pub(crate) mod call;
#[cfg(target_arch = "wasm32")]
pub(crate) mod facts;
#[cfg(all(target_arch = "wasm32", feature = "webgpu"))]
pub(crate) mod gpu;
#[cfg(target_arch = "wasm32")]
pub(crate) mod memory;
#[cfg(target_arch = "wasm32")]
pub(crate) mod operators;
#[cfg(target_arch = "wasm32")]
pub(crate) mod results;
#[cfg(target_arch = "wasm32")]
pub(crate) mod table;
#[cfg(target_arch = "wasm32")]
pub(crate) mod tensors;

#[cfg(target_arch = "wasm32")]
pub(crate) use crate::boundary::{
    arguments::Arguments,
    facts::{attempt, set_span, set_word, word, words},
    operators::{Run, no_operator, operator},
    results::keep_all,
    table::Table,
    tensors::{block_shape, scalar, set_dims},
};

/// The identity of this binary. JavaScript compares it before it starts the binary.
#[cfg(target_arch = "wasm32")]
#[unsafe(link_section = "scatterwise")]
#[used]
static IDENTITY: [u8; IDENTITY_TEXT.len()] = match IDENTITY_TEXT.as_bytes().first_chunk() {
    Some(bytes) => *bytes,
    None => [0; IDENTITY_TEXT.len()], // never taken: the text has exactly this many bytes
};

/// The version and the families, from `build.rs`.
#[cfg(target_arch = "wasm32")]
const IDENTITY_TEXT: &str = env!("SCATTERWISE_IDENTITY");
