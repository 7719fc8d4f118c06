import { init, Tensor } from 'scatterwise';
import { finish, x, y } from './first.js';

await init({ device: 'webgpu' });
finish(await new Tensor(x, { shape: [3, 5] }).mul(y).data());
