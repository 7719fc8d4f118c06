import { mul, ready, setBackend, tensor } from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';
import { finish, x, y } from './first.js';

await setBackend('cpu');
await ready();
finish(await mul(tensor(x, [3, 5]), tensor(y)).data());
