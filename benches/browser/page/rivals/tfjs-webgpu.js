import '@tensorflow/tfjs-backend-webgpu';
import { serveTfjs } from './tfjs.js';

// By default it computes small tensors on the CPU; here WebGPU is measured.
serveTfjs('webgpu', (tf) => tf.env().set('WEBGPU_CPU_FORWARD', false));
