import scalar from 'scatterwise/scatterwise_scalar.wasm?url';
import simd from 'scatterwise/scatterwise_simd.wasm?url';
import { hasSimd } from '../../../src/js/start/simd.js';
import { fetched, once } from '../shared/load.js';

/**
 * The worker, before it has any code: its first message brings it, and is then handed on to it. Its address is `data:`, to which Chromium
 * offers WebGPU in an opaque origin, or `blob:`, to which it gives shared memory there.
 */
const workerText = `addEventListener('message', ({ data: { source, start } }) => {
  (0, eval)(source);
  dispatchEvent(new MessageEvent('message', { data: start }));
}, { once: true });`;

/**
 * The page around the worker. Its sandbox gives it an origin that nothing else has: code in it reaches neither this site's
 * pages nor its storage, its caches and its service worker. Its policy, which the worker inherits, allows no network at all. What
 * code can still do is use this machine's time, until the limit or the stop button; closing the frame ends it.
 */
const frameText = `<!doctype html>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; worker-src data: blob:" />
<script>
  addEventListener('message', ({ data, ports: [port] }) => {
    const fail = (message) => port.postMessage({ type: 'failed', failure: { name: 'Error', message, facts: {} } });
    try {
      const text = ${JSON.stringify(workerText)};
      const worker = new Worker(data.start.files ? URL.createObjectURL(new Blob([text], { type: 'text/javascript' })) : 'data:text/javascript;charset=utf-8,' + encodeURIComponent(text));
      worker.onmessage = ({ data }) => port.postMessage(data);
      worker.onerror = ({ message }) => fail(message || 'the worker could not be started');
      worker.postMessage(data, data.start.wasm ? [data.start.wasm] : []);
    } catch (error) {
      fail(error.message);
    }
  }, { once: true });
</script>`;

/** The worker's text and the binary that this engine runs, fetched once: the frame can fetch nothing. */
const loadParts = once(async () => {
  const [{ default: source }, wasm] = await Promise.all([
    import('virtual:sandbox'),
    fetched(hasSimd() ? simd : scalar).then((response) => response.arrayBuffer()),
  ]);
  return { source, wasm };
});

/** The same with the library on threads: `files`, by name, are what it loads by address. */
const loadThreads = once(async () => {
  const { default: parts } = await import('virtual:sandbox-threads');
  const files = { 'threads.worker.js': parts.worker };
  for (const [name, url] of Object.entries(parts.binaries)) files[name] = await fetched(url).then((response) => response.arrayBuffer());
  return { source: parts.source, files };
});

/**
 * Runs code in a frame that is cut off from everything but `hear`. Code from a link may be anyone's: what it sends is data to show, never
 * markup and never an instruction.
 * @param {{ code: string, device: 'cpu' | 'webgpu', isTwice: boolean, hasThreads: boolean }} job `code` as `transform` makes it; whether it runs
 *   twice; whether the library runs on several threads, for which this page has to be cross-origin isolated
 * @param {(message: { type: 'ready' | 'output' | 'done' | 'failed' }) => void} hear gets what playground/worker.js posts,
 *   or a 'failed' where that cannot be started
 * @returns {() => void} closes the frame, whatever runs in it
 */
export function openSandbox({ code, device, isTwice, hasThreads }, hear) {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  if (hasThreads) frame.allow = 'cross-origin-isolated';
  frame.hidden = true;
  frame.srcdoc = frameText;
  const { port1: own, port2: theirs } = new MessageChannel();
  own.onmessage = ({ data }) => hear(data);
  const parts = hasThreads ? loadThreads() : loadParts();
  parts.catch(() => {}); // a failure is reported below, once the frame exists; until then it must not count as unhandled
  frame.addEventListener('load', async () => {
    try {
      const { source, wasm, files } = await parts;
      // An opaque origin cannot be named as the one to receive this; nothing in it is a secret.
      frame.contentWindow?.postMessage({ source, start: { code, device, isTwice, wasm: wasm?.slice(), files } }, '*', [theirs]);
    } catch (error) {
      hear({ type: 'failed', failure: { name: 'Error', message: error.message, facts: {} } });
    }
  });
  document.body.append(frame);
  return () => {
    frame.remove();
    own.close();
  };
}
