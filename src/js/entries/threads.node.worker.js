// The script of the workers of `scatterwise/threads` in Node.

import { parentPort } from 'node:worker_threads';
import { start } from '../start/worker.js';

parentPort.once('message', (message) => start(message, (answer) => parentPort.postMessage(answer)));
