// Reads and writes NumPy's .npy files. In JavaScript and not in Rust: a header is a line of text, and a reader in Rust, a crate's or by
// hand, adds several times these bytes to the download.
//
// A file begins with the text \x93NUMPY, two bytes for the version of the format, and the length of the header: 2 bytes in version 1, 4
// in later versions. The header is a Python dict with the keys descr (byte order and kind of the elements, as in '<f4'), fortran_order
// and shape, padded with blanks and a line feed. The elements follow.

import { failure, ValueError } from '../engine/errors.js';
import { MAX_RANK } from '../engine/wire.js';

/** The kinds of elements in the order of the dtypes, as in descr but without the byte order. NumPy has no bfloat16, so it has a dash. */
const kinds = /* @__PURE__ */ 'b1 i1 u1 i2 u2 i4 u4 i8 u8 f2 - f4 f8'.split(' ');
/**
 * Other names that NumPy accepts for each kind: a letter, or a word without a byte order. Names whose size depends on the computer are
 * missing.
 */
const letters = '?bBhHiIqQe-fd';
const words = /* @__PURE__ */ 'bool byte ubyte short ushort intc uintc longlong ulonglong half - single double'.split(' ');
const synonyms = { bool_: 'bool', float: 'double' };

/** The name of the dtype of a kind: `'f4'` → `'float32'`. */
const dtypeOf = ([letter, size]) => (letter === 'b' ? 'bool' : { i: 'int', u: 'uint', f: 'float' }[letter] + size * 8);

const forParts = 'save a.real and a.imag';
const forTexts = 'save numbers for texts, such as numpy.unique(a, return_inverse=True)[1]';
/** The advice for a kind without a counterpart, by its letter, or by its name if that says more. */
const waysOut = {
  c: forParts,
  F: forParts,
  D: forParts,
  M: "save a.astype('int64')",
  m: "save a.astype('int64')",
  S: forTexts,
  U: forTexts,
  V: "save a.view('uint8')",
  V1: "save a.astype('float32'); this is how NumPy saves float8",
  V2: "save a.astype('float32'); this is how NumPy saves bfloat16",
};

/** The longest header that NumPy reads, in bytes; with it, the first part of a file has at most `MAX_HEAD` bytes. */
const MAX_HEADER = 10000;
export const MAX_HEAD = MAX_HEADER + 12;

/**
 * The array in a file: the name of its dtype, its shape, the bytes of its elements in row-major order, and whether they are big-endian.
 * The bytes are a part of the file, or a copy if the file is in Fortran's order.
 */
export function parse(file) {
  const { dtype, shape, size, isBigEndian, isFortran, start } = readHeader(file);
  const length = shape.reduce((product, each) => product * each, size);
  const available = file.length - start;
  if (length > available) refuse(`the file ends too early: shape (${shape.join(', ')}) of ${dtype} takes ${length} bytes, and there are ${available}`);
  const bytes = file.subarray(start, start + length);
  // If at most one size is above 1, both orders are the same.
  const isRowMajor = !isFortran || shape.filter((each) => each > 1).length < 2;
  return { dtype, shape, bytes: isRowMajor ? bytes : rowMajor(bytes, size, shape), isBigEndian };
}

/**
 * The content of a file's header: `dtype`, `shape`, bytes of an element (`size`), the order of bytes and of elements, and the elements'
 * `start`.
 */
export function readHeader(file) {
  const { descr, fortran_order: isFortran, shape, start } = header(file);
  const kind = kindOfDescr(descr);
  const size = Number(kind[1]);
  return { dtype: dtypeOf(kind), shape, size, isBigEndian: descr[0] === '>' && size > 1, isFortran, start };
}

/** The kind that a descr names. Refuses a kind without a counterpart. */
function kindOfDescr(descr) {
  const name = descr.replace(/^[<>=|]/, '');
  const names = (kind, k) => [kind, letters[k], ...(name === descr ? [dtypeOf(kind), words[k]] : [])];
  const kind = kinds.find((each, k) => each !== '-' && names(each, k).includes(synonyms[name] ?? name));
  if (kind) return kind;
  const isUnsized = /^([lLnNpP]|u?int|u?int[p_]|u?long)$/.test(name);
  const way = isUnsized ? "its size depends on the computer: save a.astype('int32') or a.astype('int64')" : waysOut[name] ?? waysOut[name[0]] ?? "convert it in NumPy with astype('float64'), for example";
  return refuse(`dtype '${descr}' has no counterpart here: ${way}`);
}

/** The bytes of a version 1 file for an array. `dtype` is a name, `values` a typed array of the elements in row-major order. */
export function write(dtype, shape, values) {
  const kind = kindOf(dtype);
  const list = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${kind[1] === '1' ? '|' : '<'}${kind}', 'fortran_order': False, 'shape': (${list}), }`;
  // As NumPy writes it: the first size has room for 21 digits, and the elements are aligned to 64 bytes. The head is 10 bytes (magic,
  // version 1.0, and the length of the rest in two bytes), the text, blanks, and a line feed.
  const room = shape.length > 0 ? 21 - String(shape[0]).length : 0;
  const start = Math.ceil((10 + text.length + room + 1) / 64) * 64;
  const head = `\x93NUMPY\x01\x00${String.fromCharCode((start - 10) & 255, (start - 10) >> 8)}${text.padEnd(start - 11)}\n`;
  const file = new Uint8Array(start + values.byteLength);
  for (let at = 0; at < start; at++) file[at] = head.charCodeAt(at);
  file.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), start);
  return file;
}

/** NumPy's kind for the name of a dtype, such as `'f4'`. Throws a TypeError for bfloat16, which NumPy lacks. */
export function kindOf(dtype) {
  const kind = kinds.find((each) => each !== '-' && dtypeOf(each) === dtype);
  if (kind) return kind;
  throw failure(TypeError, 'dtype-mismatch', 'Tensor.to_npy', `NumPy has no ${dtype}: use astype('float32') first`);
}

const MAGIC = '\x93NUMPY';
/** Whether bytes begin as a file does. */
export const isNpy = (bytes) => String.fromCharCode(...bytes.subarray(0, MAGIC.length)) === MAGIC;

function refuse(text) {
  throw failure(ValueError, 'invalid-npy', 'Tensor.from_npy', text, { argument: 'bytes' });
}

/** The three facts of a file's header, and the byte at which its elements start. */
function header(file) {
  const text = (from, to) => String.fromCharCode(...file.subarray(from, to));
  if (!isNpy(file)) refuse('this is no .npy file: it does not start with \\x93NUMPY');
  if (file.length < 8) refuse('the file ends within its header');
  const version = file[6];
  if (!(version >= 1 && version <= 3)) refuse(`version ${version} of the format is not known; there are 1, 2 and 3`);
  const begin = version === 1 ? 10 : 12; // the start of the header, after its length, which is little-endian
  const start = begin + file.subarray(8, begin).reduceRight((length, byte) => length * 256 + byte, 0);
  if (file.length < begin || file.length < start) refuse('the file ends within its header');
  if (start - begin > MAX_HEADER) refuse(`the header has ${start - begin} bytes, more than the ${MAX_HEADER} that NumPy reads`);
  const line = text(begin, start).trim();
  if (/["']descr["']\s*:\s*\[/.test(line)) refuse("structured dtypes have no counterpart here: save their fields one by one, as in a['x']");
  return { ...facts(line), start };
}

/** One entry of the header: its key, then a text, True or False, or a tuple; and a comma, or the end. Python 2 wrote a u before some texts. */
const entry = /\s*[uU]?(['"])(descr|fortran_order|shape)\1\s*:\s*(?:[uU]?(['"])([^'"\\]*)\3|(True|False)|\(([\d\s,L]*)\))\s*(?:,|$)/y;

/** The three entries of a header, `{ descr, fortran_order, shape }`. This understands only those Python dicts that headers have. */
function facts(line) {
  const malformed = () => refuse(`the header cannot be read: ${line.length > 200 ? `${line.slice(0, 200)}…` : line}`);
  if (line[0] !== '{' || line.at(-1) !== '}') malformed();
  const body = line.slice(1, -1).trim();
  const found = {};
  for (entry.lastIndex = 0; entry.lastIndex < body.length; ) {
    const [, , key, , text, truth, sizes] = entry.exec(body) ?? malformed();
    if (key in found) malformed();
    const isTrue = truth && truth === 'True'; // undefined if the value is neither True nor False
    found[key] = { descr: text, fortran_order: isTrue, shape: sizesOf(sizes) }[key] ?? malformed();
  }
  if (Object.keys(found).length !== 3) malformed();
  if (found.shape.length > MAX_RANK) refuse(`a tensor has at most ${MAX_RANK} dimensions, not ${found.shape.length}`);
  return found;
}

/**
 * The numbers of a Python tuple, from the text in its brackets; undefined if that is no tuple, as in `(3)`. Python 2 wrote an L after
 * some numbers.
 */
function sizesOf(text) {
  if (text?.trim() === '') return [];
  return /^\s*(\d+L?\s*,\s*)+(\d+L?\s*)?$/.test(text) ? text.match(/\d+/g).map(Number) : undefined;
}

/**
 * Turns elements from Fortran's order, where neighbours differ in the first coordinate, into row-major order. An element has `size`
 * bytes, and moves as an integer, which keeps every bit.
 */
function rowMajor(bytes, size, shape) {
  const Elements = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array }[size];
  const isAligned = bytes.byteOffset % size === 0;
  const flat = isAligned ? new Elements(bytes.buffer, bytes.byteOffset, bytes.length / size) : new Elements(bytes.slice().buffer);
  const out = new Elements(flat.length);
  const strides = shape.map((_, dim) => shape.slice(0, dim).reduce((product, each) => product * each, 1));
  const last = shape.length - 1;
  const at = shape.map(() => 0); // the coordinates of the row to write next
  for (let to = 0, row = 0; to < out.length; ) {
    for (let from = row, end = to + shape[last]; to < end; from += strides[last]) out[to++] = flat[from];
    for (let dim = last - 1; dim >= 0; dim--) {
      row += strides[dim];
      if (++at[dim] < shape[dim]) break;
      row -= strides[dim] * shape[dim];
      at[dim] = 0;
    }
  }
  return new Uint8Array(out.buffer);
}
