import * as ort from 'onnxruntime-web/webgpu';
import { serveOnnx } from './onnx.js';

serveOnnx(ort, { provider: 'webgpu' });
