import { ExactSum, init, Tensor } from 'scatterwise';

// Terms of both signs, large and small: the last digits survive only where nothing is rounded on the way.
const terms = Float32Array.from({ length: 400_000 }, (_, i) => (i % 2 ? -1 : 1) * (i % 7 ? 1e-3 : 1e6) * (1 + (i % 1000)));
const groups = Int32Array.from(terms, (_, i) => i % 3);

await init({ device: 'cpu' });
const total = new ExactSum([3]);
const parts = 4;
const size = terms.length / parts;
await Promise.all(
  Array.from({ length: parts }, async (_, part) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    const [index, src] = [groups, terms].map((array) => array.slice(part * size, (part + 1) * size));
    const answer = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
    worker.postMessage({ index, src }, [index.buffer, src.buffer]);
    total.merge(ExactSum.from_bytes(await answer));
    worker.terminate();
  }),
);

const inOneCall = (options) => Tensor.zeros([3]).scatter_add(0, groups, terms, options).data();
const [merged, exact, ordered] = [await total.sum().data(), await inOneCall({ sum: 'exact' }), await inOneCall()];
const isSame = merged.every((value, at) => value === exact[at]);
document.querySelector('output').textContent = `${merged.join(' ')} (in one call ${isSame ? 'the same' : exact.join(' ')}; in order ${ordered.join(' ')})`;
