import '@tensorflow/tfjs-backend-webgpu';
import { serveTfjs } from './tfjs.js';

// Its own choice for small tensors is to compute on the CPU; here WebGPU is what is measured.
serveTfjs('webgpu', (tf) => tf.env().set('WEBGPU_CPU_FORWARD', false));
