// A WebAssembly function that fails if the stack is too short for a call of Rust.
//
// JavaScript may call the library at any depth of the stack. If the stack ended inside Rust, Rust's state would be half changed. An
// engine compares the whole frame of a function with the end of the stack when it enters the function. So a function whose frame is as
// large as a whole call of Rust fails before anything has happened. This costs some nanoseconds. The frame is large because an `if` that
// is never taken keeps many values across a call. Without another call before that `if`, an engine could allocate the frame only inside
// it. The values are summed and stored because an engine drops unused values.

/**
 * The bytes of a WebAssembly module that exports the function `guard`, whose frame has room for `values` values of 8 bytes. A call of Rust
 * on the CPU needs some kilobytes of stack, and more where it calls the platform's WebGPU.
 */
export function guardModule(values) {
  const body = [0, 0x10, 0, 0x41, 0, 0x28, 2, 0, 0x04, 0x40, 0x41, 0]; // no locals; call leaf; if the i32 at 0, which is 0: the address 0
  for (let at = 0; at < values; at++) {
    body.push(0x41, 0, 0x29, 3); // i64.load at * 8
    pushUnsigned(body, at * 8);
  }
  body.push(0x10, 0); // call leaf
  for (let at = 1; at < values; at++) body.push(0x7c); // i64.add
  body.push(0x37, 3, 0, 0x0b, 0x0b); // i64.store, end, end
  const leaf = [0, 0x0b]; // a function that does nothing: no locals; end

  const bytes = [0, 97, 115, 109, 1, 0, 0, 0];
  pushSection(bytes, 1, [1, 0x60, 0, 0]); // one type: () → ()
  pushSection(bytes, 3, [2, 0, 0]); // leaf and guard
  pushSection(bytes, 5, [1, 0, 1]); // a memory of one page
  pushSection(bytes, 7, [1, 5, 103, 117, 97, 114, 100, 0, 1]); // 'guard' is the second function
  const code = [2];
  for (const each of [leaf, body]) pushSized(code, each);
  pushSection(bytes, 10, code);
  return Uint8Array.from(bytes);
}

/**
 * A guard in JavaScript, for platforms that compile no generated WebAssembly (edge runtimes). It calls a function with `values`
 * arguments: an engine checks that the stack has room for them. It takes some microseconds.
 */
export function guardFunction(values) {
  const many = new Array(values).fill(0);
  const leaf = () => {};
  return () => Reflect.apply(leaf, undefined, many);
}

/** Appends a section of a WebAssembly module: its number, the length of its content, and its content. */
function pushSection(bytes, id, content) {
  bytes.push(id);
  pushSized(bytes, content);
}

/** Appends the length of some bytes, and the bytes. */
function pushSized(bytes, content) {
  pushUnsigned(bytes, content.length);
  for (const byte of content) bytes.push(byte);
}

/** Appends an unsigned integer as LEB128, WebAssembly's encoding of integers. */
function pushUnsigned(bytes, value) {
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  bytes.push(value);
}
