import { Tensor } from 'scatterwise';

/**
 * A value as plain data that can be drawn: a tensor with its numbers, or text.
 * @typedef {{ shape: number[], dtype: string, device: string, name: string, values: ArrayLike<number | bigint> }} Shown
 * @typedef {{ tensor: Shown } | { text: string }} Described
 */

const HALVES = new Set(['float16', 'bfloat16']);
const MOST = 100; // elements of an array that are printed

/** @returns {Promise<Described>} */
export async function describe(value) {
  if (value instanceof Tensor) return { tensor: await describeTensor(value) };
  return { text: typeof value === 'string' ? value : print(value) };
}

async function describeTensor(tensor) {
  const { shape, dtype, device, name } = tensor;
  // As it is now, whatever the next line does to it; the bits of a half are no numbers.
  const readable = HALVES.has(dtype) ? tensor.astype('float32') : tensor.clone();
  const values = await readable.data();
  readable.dispose();
  return { shape, dtype, device, name, values };
}

function print(value) {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `function ${value.name}`;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'object' || value === null) return String(value);
  if (ArrayBuffer.isView(value))
    return `${value.constructor.name}(${value.length}) ${list(Array.from(value.slice(0, MOST)), value.length)}`;
  if (value instanceof Tensor) return `Tensor(${value.shape.join(', ')})`;
  if (Array.isArray(value)) return list(value.slice(0, MOST), value.length);
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key}: ${quote(each)}`)
    .join(', ')} }`;
}

const quote = (value) => (typeof value === 'string' ? `'${value}'` : print(value));
const list = (values, length) => `[${values.map(quote).join(', ')}${length > values.length ? ', …' : ''}]`;
