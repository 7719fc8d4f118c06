// What threads.testing.js imports in Node alone.

export { nodeThreads } from '../start/workers.node.js';
