import { init, Tensor } from 'scatterwise/cpu/inline';
import { finish, x, y } from './first.js';

await init({ device: 'cpu' });
finish(await new Tensor(x, { shape: [3, 5] }).mul(y).data());
