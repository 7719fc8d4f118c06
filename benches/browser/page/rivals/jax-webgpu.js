import { serveJax } from './jax.js';

serveJax('webgpu');
