import { env, mul, ready, setBackend, tensor } from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-webgpu';
import { finish, x, y } from './first.js';

env().set('WEBGPU_CPU_FORWARD', false);
await setBackend('webgpu');
await ready();
finish(await mul(tensor(x, [3, 5]), tensor(y)).data());
