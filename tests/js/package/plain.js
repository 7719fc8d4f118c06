// All the script of a page, or of a worker, that uses the package. The test reads what it leaves behind.

import init, { Tensor } from '../../../target/npm/scatterwise/index.js';

const { device } = await init({ device: new URLSearchParams(location.search).get('device') });
const t = Tensor.zeros([2, 3]);
t.scatter_(1, [[0], [2]], 5, { reduce: 'add' });
const result = JSON.stringify({ device, values: await t.tolist() });

if (globalThis.document) document.body.textContent = result;
else postMessage(result);
