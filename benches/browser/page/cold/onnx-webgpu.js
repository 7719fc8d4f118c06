import * as ort from 'onnxruntime-web/webgpu';
import { encodeModel } from '../onnx-model.js';
import { finish, x, y } from './first.js';

ort.env.wasm.wasmPaths = '/assets/';
ort.env.wasm.numThreads = 1;
const [a, b] = [{ name: 'x', dtype: 'float32', shape: [3, 5] }, { name: 'y', dtype: 'float32', shape: [5] }];
const model = { nodes: [{ op: 'Mul', inputs: ['x', 'y'], outputs: ['z'] }], inputs: [a, b], outputs: [{ ...a, name: 'z' }] };
const session = await ort.InferenceSession.create(encodeModel(model), { executionProviders: ['webgpu'] });
const { z } = await session.run({ x: new ort.Tensor('float32', x, [3, 5]), y: new ort.Tensor('float32', y, [5]) });
finish(z.data);
