import scalar from 'scatterwise/scatterwise_scalar.wasm?url';
import simd from 'scatterwise/scatterwise_simd.wasm?url';
import { hasSimd } from '../../../src/js/simd.js';
import { fetched, once } from '../shared/load.js';

/**
 * The worker, before it has any code. It has the address `data:` and not `blob:`: where the origin is opaque, Chromium
 * offers WebGPU to the first and not to the second.
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
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; worker-src data:" />
<script>
  addEventListener('message', ({ data, ports: [port] }) => {
    const fail = (message) => port.postMessage({ type: 'failed', failure: { name: 'Error', message, facts: {} } });
    try {
      const worker = new Worker(${JSON.stringify(`data:text/javascript;charset=utf-8,${encodeURIComponent(workerText)}`)});
      worker.onmessage = ({ data }) => port.postMessage(data);
      worker.onerror = ({ message }) => fail(message || 'the worker could not be started');
      worker.postMessage(data, [data.start.wasm]);
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

/**
 * Runs code in a frame that is cut off from everything but `hear`. Code from a link is anyone's code: what it says is data
 * to show, never markup and never an instruction. @returns {() => void} closes the frame, whatever runs in it
 */
export function openSandbox({ code, device }, hear) {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.hidden = true;
  frame.srcdoc = frameText;
  const { port1: own, port2: theirs } = new MessageChannel();
  own.onmessage = ({ data }) => hear(data);
  const parts = loadParts();
  parts.catch(() => {}); // said when the frame is there
  frame.addEventListener('load', async () => {
    try {
      const { source, wasm } = await parts;
      // An opaque origin cannot be named; nothing here is a secret.
      frame.contentWindow?.postMessage({ source, start: { code, device, wasm: wasm.slice() } }, '*', [theirs]);
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
