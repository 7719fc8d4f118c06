import '@tensorflow/tfjs-backend-cpu';
import { serveTfjs } from './tfjs.js';

serveTfjs('cpu');
