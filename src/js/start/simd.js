// Whether the engine runs WebAssembly SIMD.

/** Whether this engine runs WebAssembly SIMD: all do since Chrome 91, Firefox 89, Safari 16.4 and Node 16.4. */
export const hasSimd = () => WebAssembly.validate(probe);

/** A module of one function that uses two SIMD instructions. */
const probe = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);
