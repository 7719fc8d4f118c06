import '@tensorflow/tfjs-backend-cpu';
import { startTfjs } from './tfjs.js';

/** Starts TensorFlow.js on its backend in JavaScript. @returns {Promise<import('./index.js').Peer>} */
export const start = () => startTfjs('cpu');
