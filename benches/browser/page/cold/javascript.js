import { finish, x, y } from './first.js';

finish(x.map((value, i) => value * y[i % 5]));
