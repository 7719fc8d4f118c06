// tfjs on one thread: in Node its wasm backend has no others.

import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-wasm';

await tf.setBackend('wasm');
export { tf };
