import { IndexPlan, Tensor } from 'scatterwise';

/**
 * A value as plain data that can be sent to the page and drawn: a tensor with its numbers, a drawing, or text.
 * @typedef {{ shape: number[], dtype: string, device: string, name: string, values: ArrayLike<number | bigint> }} Shown
 * @typedef {{ id: number, bitmap: ImageBitmap }} Drawing `id` is the same for each drawing on one canvas
 * @typedef {{ tensor: Shown } | { drawing: Drawing } | { text: string }} Described
 */

const HALVES = new Set(['float16', 'bfloat16']);
const MOST_PARTS = 100; // elements of an array that are printed
const MOST_CHARACTERS = 20_000; // characters of a text that are shown
const MOST_LEVELS = 4; // levels of objects in objects: some contain themselves

/** A value as it is now; text stays as it is, anything else is printed. @returns {Promise<Described>} */
export async function describe(value) {
  if (value instanceof Tensor) return { tensor: await describeTensor(value) };
  if (isCanvas(value)) return { drawing: { id: idOf(value), bitmap: await createImageBitmap(value) } };
  const text = typeof value === 'string' ? value : print(value);
  return { text: text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}… (${text.length})` : text };
}

/** Whether this is a canvas that has something to show: Firefox makes no picture of an empty one. */
const isCanvas = (value) => globalThis.OffscreenCanvas && value instanceof OffscreenCanvas && value.width * value.height > 0;

/** The canvases that were shown, with their numbers. */
const canvases = new Map();

/** The number of a canvas. */
function idOf(canvas) {
  if (!canvases.has(canvas)) canvases.set(canvas, canvases.size);
  return canvases.get(canvas);
}

async function describeTensor(tensor) {
  const { shape, dtype, device, name } = tensor;
  // A copy is read, for the next line of the code may change the tensor. Halves are read as float32: their data are bits, not numbers.
  const readable = HALVES.has(dtype) ? tensor.astype('float32') : tensor.clone();
  const values = await readable.data();
  readable.dispose();
  return { shape, dtype, device, name, values };
}

/** A value as text, as a console prints it. `depth` is how many objects it is in. */
function print(value, depth = 0) {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `function ${value.name}`;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Tensor) return `Tensor(${value.shape.join(', ')})`;
  if (value instanceof IndexPlan) return 'IndexPlan';
  return depth > MOST_LEVELS ? '…' : printParts(value, (part) => quote(part, depth + 1));
}

/** An object with what is in it, as text. @param {object} value @param {(part: unknown) => string} each prints a part */
function printParts(value, each) {
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return `${value.constructor.name}(${value.length}) [${parts(value, each)}]`;
  if (Array.isArray(value)) return `[${parts(value, each)}]`;
  if (value instanceof Map) return `Map(${value.size}) { ${parts([...value], ([key, part]) => `${each(key)} => ${each(part)}`)} }`;
  if (value instanceof Set) return `Set(${value.size}) { ${parts([...value], each)} }`;
  return `{ ${parts(Object.entries(value), ([key, part]) => `${key}: ${each(part)}`)} }`;
}

/** The first parts of a list, with commas between them. */
function parts(all, each) {
  const printed = Array.from(all.slice(0, MOST_PARTS), each);
  if (all.length > MOST_PARTS) printed.push('…');
  return printed.join(', ');
}

/** A part of an object as text: strings get quotes there. */
const quote = (value, depth) => (typeof value === 'string' ? `'${value}'` : print(value, depth));
