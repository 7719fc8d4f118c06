// luma.gl, by the command graphs of @luma.gl/gpgpu.

import { luma } from '@luma.gl/core';
import { webgpuAdapter } from '@luma.gl/webgpu';
import { serveBench } from '../harness.js';
import { prepareGraph } from './groups/luma.js';

let device;

/** Makes a device with all that the adapter has: subgroups, where there are any. */
async function start() {
  device = await luma.createDevice({ type: 'webgpu', adapters: [webgpuAdapter], featureLevel: 'max' });
  return {};
}

/** See harness.js. Only a workload of groups.js has a list of results. */
function prepare(w, inputs, dtype) {
  const prepared = prepareGraph(device, w, inputs, dtype);
  if (w.group || typeof prepared === 'string') return prepared;
  for (const mode of Object.values(prepared.modes)) {
    const { result } = mode;
    mode.result = async () => (await result())[0];
  }
  return prepared;
}

serveBench({ start, prepare });
