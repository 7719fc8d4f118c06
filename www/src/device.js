import init, * as scatterwise from 'scatterwise';
import { byId } from './dom.js';

const listeners = new Set();

/** Why WebGPU cannot be chosen on this machine, in one sentence; null when it can. */
async function whyNoWebgpu() {
  if (!isSecureContext) return 'WebGPU is only offered to pages served over https or from this machine.';
  if (!navigator.gpu) return 'This browser does not offer WebGPU.';
  const adapter = await navigator.gpu.requestAdapter().catch(() => null);
  return adapter ? null : 'This browser knows WebGPU but has no graphics adapter to offer.';
}

/** Calls `listener(device)` once the library runs, and after each switch. */
export function onDevice(listener) {
  listeners.add(listener);
}

/** What runs and why, in one sentence. The library's reason may name the device first, as this sentence does. */
function describe({ device, webgpu, simd, reason }) {
  const adapter = [webgpu?.vendor, webgpu?.architecture, webgpu?.description].filter(Boolean).join(' ') || 'unnamed';
  const what =
    device === 'webgpu'
      ? `WebGPU (${webgpu?.software ? 'software ' : ''}adapter: ${adapter})`
      : `the CPU (WebAssembly ${simd ? 'with' : 'without'} SIMD)`;
  return sentence(`Running on ${what}: ${reason.replace(/^(the CPU|WebGPU): /, '')}`);
}

const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Shows what `backend()` says in the switch and the status line, then lets the page run everything again. */
function show(info, remark = '') {
  byId(`device-${info.device}`).checked = true;
  byId('status').textContent = [describe(info), remark].filter(Boolean).join(' ');
  for (const listener of listeners) listener(info.device);
}

async function choose(device) {
  const controls = byId('device');
  controls.disabled = true; // one switch at a time
  byId('status').textContent = device === 'webgpu' ? 'Starting WebGPU …' : 'Switching to the CPU …';
  try {
    show(await scatterwise.set_device(device));
  } catch (error) {
    const [firstLine] = error.message.split('\n'); // drivers explain themselves at length
    show(scatterwise.backend(), `WebGPU could not be started: ${sentence(firstLine)}`);
  } finally {
    controls.disabled = false;
    controls.querySelector('input:checked').focus({ preventScroll: true }); // disabling took the focus away
  }
}

/** Starts the library and wires the switch. */
export async function startDevice() {
  const [info, obstacle] = await Promise.all([init(), whyNoWebgpu()]);
  const webgpu = byId('device-webgpu');
  webgpu.disabled = obstacle !== null;
  for (const device of ['cpu', 'webgpu']) byId(`device-${device}`).addEventListener('change', () => choose(device));
  byId('device').disabled = false;
  show(info, obstacle ? `${obstacle} Everything works all the same; only speed differs.` : '');
}
