import '@tensorflow/tfjs-backend-cpu';
import { startTfjs } from './tfjs.js';

export const start = () => startTfjs('cpu');
