// Tells the engine's garbage collector that tensors are large.
//
// A tensor is a small object to the collector: it cannot see the memory behind it, so it would run too seldom. No engine takes a number. But
// all count the bytes of ArrayBuffers, and run soon after many were allocated. So after many bytes of new tensors, one untouched ArrayBuffer
// is allocated, for which the platform reserves addresses and no memory. docs/adr/0041 has what that gains.

/** Bytes that tensors may hold beyond the least since the last time, before the collector is told. */
const STEP = 128 * 2 ** 20;
/** Bytes of the ArrayBuffer: V8 begins to collect after 64 MiB. */
const BALLAST = 72 * 2 ** 20;

/** The least that tensors held since the collector was told, in bytes. */
let least = 0;
/** The ArrayBuffer, until tensors were freed. */
let ballast;

/** Tells the collector if the tensors and plans, which hold `held` bytes now, hold much more than they did. */
export function notice(held) {
  if (held <= least) {
    least = held;
    ballast = undefined;
  } else if (held - least > STEP) {
    least = held;
    try {
      ballast = new ArrayBuffer(BALLAST);
    } catch {
      ballast = undefined; // then memory is full, and the collector runs anyway
    }
  }
}
