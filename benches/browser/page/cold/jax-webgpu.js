import { defaultDevice, init, numpy as np } from '@jax-js/jax';
import { finish, x, y } from './first.js';

await init('webgpu');
defaultDevice('webgpu');
finish(await np.array(x, { shape: [3, 5] }).mul(np.array(y)).data());
