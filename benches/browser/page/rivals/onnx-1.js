import * as ort from 'onnxruntime-web/wasm';
import { serveOnnx } from './onnx.js';

serveOnnx(ort, { provider: 'wasm', threads: 1 });
