// NumPy's .npy files, in and out. In JavaScript, not in Rust: a header is a line of text, and the same reader as a crate,
// or by hand in Rust, adds several times these bytes to the download.

import { fileBytes } from './arrays.js';
import { failure, ValueError } from './errors.js';
import { MAX_RANK } from './wire.js';

/** descr without its byte order, in the order of DType::ALL. NumPy has no bfloat16. */
const kinds = 'b1 i1 u1 i2 u2 i4 u4 i8 u8 f2 - f4 f8'.split(' ');

/** `'f4'` → `'float32'` */
const dtypeOf = ([letter, size]) => (letter === 'b' ? 'bool' : { i: 'int', u: 'uint', f: 'float' }[letter] + size * 8);

const MAX_HEADER = 10000;

/** The array in a file: dtype, shape, and its values in row-major order, in a typed array of their bits where that is of no use. */
export function parse(bytes) {
  const file = fileBytes('Tensor.from_npy', bytes);
  const { descr, fortran_order, shape, start } = header(file);
  const [, order, kind] = /^([<>|=]?)([biuf][1248])$/.exec(descr) ?? [];
  if (!kinds.includes(kind)) refuse(`dtype '${descr}' has no counterpart here: convert it in NumPy with astype()`);
  const dtype = dtypeOf(kind);
  const size = Number(kind[1]);
  const length = shape.reduce((product, each) => product * each, 1);
  const has = file.length - start;
  if (length * size > has) refuse(`the file ends too early: shape (${shape.join(', ')}) of ${dtype} takes ${length * size} bytes, and there are ${has}`);
  const values = file.slice(start, start + length * size);
  if (order === '>') for (let at = 0; at < values.length; at += size) values.subarray(at, at + size).reverse();
  return { dtype, shape, bytes: fortran_order ? rowMajor(values, size, shape) : values };
}

/** The file of an array; `values` is a typed array in row-major order. */
export function write(dtype, shape, values) {
  const kind = kindOf(dtype);
  const list = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${kind[1] === '1' ? '|' : '<'}${kind}', 'fortran_order': False, 'shape': (${list}), }`;
  // As NumPy: room for the first size to grow, and the data aligned to 64 bytes.
  const room = shape.length > 0 ? 21 - String(shape[0]).length : 0;
  const start = Math.ceil((10 + text.length + room + 1) / 64) * 64;
  const head = `\x93NUMPY\x01\x00${String.fromCharCode((start - 10) & 255, (start - 10) >> 8)}${text.padEnd(start - 11)}\n`;
  const file = new Uint8Array(start + values.byteLength);
  for (let at = 0; at < start; at++) file[at] = head.charCodeAt(at);
  file.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), start);
  return file;
}

/** NumPy's name of a dtype; TypeError where it has none. */
export function kindOf(dtype) {
  const kind = kinds.find((each) => each !== '-' && dtypeOf(each) === dtype);
  if (kind) return kind;
  throw failure(TypeError, 'dtype-mismatch', 'Tensor.to_npy', `NumPy has no ${dtype}: use astype('float32') first`);
}

function refuse(text) {
  throw failure(ValueError, 'invalid-npy', 'Tensor.from_npy', text, { argument: 'bytes' });
}

/** The three facts of the header, and where the data starts. */
function header(file) {
  const text = (from, to) => String.fromCharCode(...file.subarray(from, to));
  if (text(0, 6) !== '\x93NUMPY') refuse('this is no .npy file: it does not start with \\x93NUMPY');
  const version = file[6];
  if (!(version >= 1 && version <= 3)) refuse(`version ${version} of the format is not known; there are 1, 2 and 3`);
  const begin = version === 1 ? 10 : 12;
  const start = begin + file.subarray(8, begin).reduceRight((length, byte) => length * 256 + byte, 0);
  if (file.length < begin || file.length < start) refuse('the file ends within its header');
  if (start - begin > MAX_HEADER) refuse(`the header has ${start - begin} bytes, more than the ${MAX_HEADER} that NumPy reads`);
  const line = text(begin, start).trim();
  if (/["']descr["']\s*:\s*\[/.test(line)) refuse('structured dtypes have no counterpart here: save their fields one by one');
  return { ...facts(line), start };
}

const entry = /\s*(['"])(descr|fortran_order|shape)\1\s*:\s*(?:(['"])([^'"\\]*)\3|(True|False)|\(([\d\s,L]*)\))\s*(?:,|$)/y;

/** Python's literal of a dict, as far as headers have it. */
function facts(line) {
  const malformed = () => refuse(`the header cannot be read: ${line.length > 200 ? `${line.slice(0, 200)}…` : line}`);
  if (line[0] !== '{' || line.at(-1) !== '}') malformed();
  const body = line.slice(1, -1).trim();
  const found = {};
  for (entry.lastIndex = 0; entry.lastIndex < body.length; ) {
    const [, , key, , text, truth, sizes] = entry.exec(body) ?? malformed();
    if (key in found) malformed();
    const isTrue = truth && truth === 'True';
    found[key] = { descr: text, fortran_order: isTrue, shape: sizesOf(sizes) }[key] ?? malformed();
  }
  if (Object.keys(found).length !== 3) malformed();
  if (found.shape.length > MAX_RANK) refuse(`a tensor has at most ${MAX_RANK} dimensions, not ${found.shape.length}`);
  return found;
}

/** The numbers of a Python tuple; Python 2 wrote some with an L. Undefined for text that is no tuple, as `(3)` is none. */
function sizesOf(text) {
  if (text?.trim() === '') return [];
  return /^\s*(\d+L?\s*,\s*)+(\d+L?\s*)?$/.test(text) ? text.match(/\d+/g).map(Number) : undefined;
}

/** Elements of `size` bytes, whose first dimension is the fastest, in row-major order: moved as integers, which keep every bit. */
function rowMajor(bytes, size, shape) {
  const Elements = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array }[size];
  const flat = new Elements(bytes.buffer);
  const out = new Elements(flat.length);
  const at = shape.map(() => 0);
  const strides = shape.map((_, dim) => shape.slice(0, dim).reduce((product, each) => product * each, 1));
  for (let to = 0, from = 0; to < out.length; to++) {
    out[to] = flat[from];
    for (let dim = shape.length - 1; dim >= 0; dim--) {
      from += strides[dim];
      if (++at[dim] < shape[dim]) break;
      from -= strides[dim] * shape[dim];
      at[dim] = 0;
    }
  }
  return new Uint8Array(out.buffer);
}
