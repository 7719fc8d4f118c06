// The script of the workers of `scatterwise/threads`, in browsers, Deno and Bun.

import { start } from '../start/worker.js';

globalThis.onmessage = ({ data }) => start(data, (answer) => postMessage(answer));
