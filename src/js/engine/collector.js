// Makes the engine's garbage collector free forgotten tensors in time. docs/decisions/boundary.md has what that gains.
//
// A tensor is a small object to the collector: it cannot see the memory behind it, so it would run too seldom. No engine takes a number. But
// all count the bytes of ArrayBuffers, and run soon after many were allocated. So after many bytes of new tensors, one untouched ArrayBuffer
// is allocated, for which the platform reserves addresses and no memory. Then, and after many small tensors, the task has to end (task.js).

import { endTask } from './task.js';

/** Bytes that tensors may hold beyond the least since the last time, before the collector is told. */
const STEP = 128 * 2 ** 20;
/** Bytes of the ArrayBuffer: V8 begins to collect after 64 MiB. */
const BALLAST = 72 * 2 ** 20;
/** How many tasks a read may wait for a collection. */
const COLLECTION = 20;
/** After so many new tensors and plans the task ends, however small they are: a collection of small objects has often run by itself. */
const MANY = 10_000;

/** The least that tensors held since the collector was told, in bytes. */
let least = 0;
/** The ArrayBuffer, until tensors were freed. */
let ballast;
/** The number of new tensors and plans since the last MANY. */
let count = 0;

/** Tells the collector if the tensors and plans, which hold `held` bytes now, hold much more than they did. Call it for each new one. */
export function notice(held) {
  count++;
  if (count === MANY) {
    count = 0;
    endTask(1);
  }
  if (held <= least) {
    least = held;
    ballast = undefined;
  } else if (held - least > STEP) {
    least = held;
    endTask(COLLECTION);
    press();
  }
}

function press() {
  const { Bun } = globalThis;
  if (typeof Bun?.gc === 'function') {
    Bun.gc(true); // its engine counts WebAssembly's memory too, and one ArrayBuffer is little beside that
    return;
  }
  try {
    ballast = new ArrayBuffer(BALLAST);
  } catch {
    ballast = undefined; // then memory is full, and the collector runs anyway
  }
}
