import { array, multiply } from 'numpy-ts';
import { finish, x, y } from './first.js';

finish(multiply(array(x, 'float32').reshape([3, 5]), array(y, 'float32')).data);
