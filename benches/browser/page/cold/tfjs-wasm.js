import { mul, ready, setBackend, tensor } from '@tensorflow/tfjs-core';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { finish, x, y } from './first.js';

setWasmPaths('/assets/');
await setBackend('wasm');
await ready();
finish(await mul(tensor(x, [3, 5]), tensor(y)).data());
