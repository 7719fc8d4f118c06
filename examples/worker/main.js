const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => {
  document.querySelector('output').textContent = `counts: ${data.join(' ')}`;
};

const samples = Uint8Array.from({ length: 100_000 }, (_, i) => (i * i) % 10);
worker.postMessage(samples, [samples.buffer]);
