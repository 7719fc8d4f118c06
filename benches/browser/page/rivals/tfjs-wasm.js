import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { serveTfjs } from './tfjs.js';

serveTfjs('wasm', () => setWasmPaths('/assets/'));
