import { serveJax } from './jax.js';

serveJax('wasm');
