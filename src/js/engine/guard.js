// A WebAssembly function that fails if the stack is too short for a call of Rust.
//
// JavaScript may call the library at any depth of the stack. If the stack ended inside Rust, Rust's state would be half changed. An
// engine compares the whole frame of a function with the end of the stack when it enters the function. So a function whose frame is as
// large as a whole call of Rust fails before anything has happened. This costs some nanoseconds. The frame is large because an `if` that
// is never taken keeps many values across a call. Without another call before that `if`, an engine could allocate the frame only inside
// it. The values are summed and stored because an engine drops unused values.

/**
 * The bytes of a WebAssembly module that exports the function `guard`, whose frame has room for `values` values of 8 bytes, fewer than 2^17. A
 * call of Rust on the CPU needs some kilobytes of stack, and more where it calls the platform's WebGPU. Every number that depends on
 * `values` takes three bytes, so that the bytes are written once, in their place: a first start waits for this function, and it is not compiled yet.
 */
export function guardModule(values) {
  const start = [0, 0x10, 0, 0x41, 0, 0x28, 2, 0, 0x04, 0x40, 0x41, 0]; // no locals; call leaf; if the i32 at 0, which is 0: the address 0
  const end = [0x37, 3, 0, 0x0b, 0x0b]; // i64.store, end, end
  const loads = 7 * values; // each an i64.load at * 8
  const adds = values - 1;
  const bodySize = start.length + loads + 2 + adds + end.length;
  const leaf = [2, 0, 0x0b]; // 2 bytes: a function that does nothing, without locals
  const head = [
    ...[0, 97, 115, 109, 1, 0, 0, 0],
    ...[1, 4, 1, 0x60, 0, 0], // one type: () → ()
    ...[3, 3, 2, 0, 0], // leaf and guard
    ...[5, 3, 1, 0, 1], // a memory of one page
    ...[7, 9, 1, 5, 103, 117, 97, 114, 100, 0, 1], // 'guard' is the second function
    ...[10, ...unsigned(1 + leaf.length + 3 + bodySize), 2, ...leaf, ...unsigned(bodySize), ...start],
  ];
  const bytes = new Uint8Array(head.length + loads + 2 + adds + end.length);
  bytes.set(head);
  let at = head.length;
  for (let address = 0; address < 8 * values; address += 8) {
    bytes[at] = 0x41; // i32.const 0
    bytes[at + 2] = 0x29; // i64.load, of 8 bytes
    bytes[at + 3] = 3;
    bytes[at + 4] = (address & 127) | 128;
    bytes[at + 5] = ((address >> 7) & 127) | 128;
    bytes[at + 6] = address >> 14;
    at += 7;
  }
  bytes[at] = 0x10; // call leaf
  bytes.fill(0x7c, at + 2, at + 2 + adds); // i64.add
  bytes.set(end, at + 2 + adds);
  return bytes;
}

/** An unsigned integer below 2^21 in three bytes of LEB128, WebAssembly's encoding of integers. */
const unsigned = (value) => [(value & 127) | 128, ((value >> 7) & 127) | 128, value >> 14];

/**
 * A guard in JavaScript, for platforms that compile no generated WebAssembly (edge runtimes). It calls a function with `values`
 * arguments: an engine checks that the stack has room for them. It takes some microseconds.
 */
export function guardFunction(values) {
  const many = new Array(values).fill(0);
  const leaf = () => {};
  return () => Reflect.apply(leaf, undefined, many);
}
