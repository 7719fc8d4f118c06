// A worker of `scatterwise/threads`: an instance of the kernels on the library's memory.

import { serve } from './chunks.js';

/**
 * Starts on the message of the library, and runs chunks from then on. `answer` posts a message: null if it is ready, else the reason. Tests
 * `wrap` what runs a chunk.
 */
export function start({ module, memory, control, stack, thread }, answer, wrap = (run) => run) {
  let runChunk;
  try {
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    exports.stack.value = stack; // each worker has a stack of its own in the memory
    runChunk = wrap(exports.run_chunk);
  } catch (error) {
    return answer(String(error?.message ?? error));
  }
  answer(null);
  return serve(control, runChunk, thread);
}
