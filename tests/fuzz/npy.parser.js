// NumPy's .npy format, read once more by itself: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Nothing here is the
// library's. A header is a literal of Python; `literal` reads the part of Python that NumPy's own writer can make, and a little more.

const kinds = { b1: 'bool', i1: 'int8', u1: 'uint8', i2: 'int16', u2: 'uint16', i4: 'int32', u4: 'uint32', i8: 'int64', u8: 'uint64', f2: 'float16', f4: 'float32', f8: 'float64' };
const MAX_HEADER = 10_000;
const MAX_RANK = 32;

class Refused extends Error {}
const refuse = (why) => {
  throw new Refused(why);
};

/**
 * `{ dtype, shape, bytes }` of a file, its elements little-endian and in row-major order; or `{ refused }`, why it cannot be read.
 * `unusual` says that Python would read it, but NumPy does not write such a header: a reader may refuse it.
 */
export function parse(file) {
  try {
    return read(file);
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message };
    throw error;
  }
}

function read(file) {
  const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
  if (file.length < 10 || magic.some((byte, at) => file[at] !== byte)) refuse('no magic');
  const version = file[6];
  if (![1, 2, 3].includes(version)) refuse('version');
  const wide = version > 1 ? 4 : 2;
  let length = 0;
  for (let at = wide - 1; at >= 0; at--) length = length * 256 + (file[8 + at] ?? refuse('cut off'));
  const start = 8 + wide + length;
  if (start > file.length) refuse('cut off');
  if (length > MAX_HEADER) refuse('too long');
  const text = Array.from(file.subarray(8 + wide, start), (byte) => String.fromCharCode(byte)).join('');
  const { value: facts, unusual } = literal(text);
  if (file[7] !== 0) facts.unusual = true;
  const { descr, fortran_order, shape } = facts;
  if (typeof descr !== 'string' || typeof fortran_order !== 'boolean' || !Array.isArray(shape)) refuse('facts');
  const [, order, kind] = /^([<>|=])([biuf][1248])$/.exec(descr) ?? [null, '', descr];
  const dtype = Object.hasOwn(kinds, kind) ? kinds[kind] : refuse('dtype');
  if (shape.length > MAX_RANK) refuse('rank');
  const width = Number(kind[1]);
  const size = shape.reduce((product, each) => product * each, 1);
  if (size * width > file.length - start) refuse('too short');
  const bytes = file.slice(start, start + size * width);
  return { dtype, shape, bytes: fortran_order ? rowMajor(swapped(bytes, width, order), shape, width) : swapped(bytes, width, order), unusual: unusual || !order || (order === '|') !== (width === 1) };
}

function swapped(bytes, width, order) {
  if (order === '>') for (let at = 0; at < bytes.length; at += width) bytes.subarray(at, at + width).reverse();
  return bytes;
}

/** Elements whose first coordinate is the fastest, in the order in which the last one is. */
function rowMajor(bytes, shape, width) {
  const out = new Uint8Array(bytes.length);
  const count = bytes.length / width;
  for (let k = 0; k < count; k++) {
    let rest = k;
    let from = 0;
    for (let d = shape.length - 1; d >= 0; d--) {
      const stride = shape.slice(0, d).reduce((product, each) => product * each, 1);
      from += (rest % shape[d]) * stride;
      rest = Math.floor(rest / shape[d]);
    }
    for (let i = 0; i < width; i++) out[k * width + i] = bytes[from * width + i];
  }
  return out;
}

/** A dict of the three names, of strings, True, False and tuples of whole numbers. */
function literal(text) {
  let at = 0;
  let unusual = false;
  const blank = () => {
    const from = at;
    while (/\s/.test(text[at] ?? 'x')) at += 1; // more than Python's, which is as clear
    if (at - from > 1 || (at > from && text[from] !== ' ')) unusual = true;
  };
  const take = (letter) => {
    blank();
    if (text[at] !== letter) refuse(`no ${letter} at ${at}`);
    at += 1;
  };
  const string = () => {
    const quote = text[at++];
    if (quote === '"') unusual = true;
    const end = text.indexOf(quote, at);
    if (end < 0) refuse('quote');
    const found = text.slice(at, end);
    if (/[\\\n\r\0]/.test(found)) refuse('escape');
    at = end + 1;
    return found;
  };
  const tuple = () => {
    take('(');
    const found = [];
    let commas = 0;
    for (blank(); text[at] !== ')'; blank()) {
      const [digits] = /^\d+/.exec(text.slice(at)) ?? refuse('number');
      if (digits.length > 9 || (digits.length > 1 && digits[0] === '0')) unusual = true;
      found.push(Number(digits));
      at += digits.length;
      blank();
      if (text[at] !== ',') break;
      commas += 1;
      at += 1;
    }
    take(')');
    if (found.length === 1 && commas === 0) refuse('a number in brackets');
    if (found.length > 1 && commas === found.length) unusual = true;
    return found;
  };
  const word = () => {
    const [found] = /^(True|False)\b/.exec(text.slice(at)) ?? refuse('word');
    at += found.length;
    return found === 'True';
  };
  const value = {};
  blank();
  unusual = unusual || at > 0;
  take('{');
  for (blank(); text[at] !== '}'; blank()) {
    if (!`'"`.includes(text[at])) refuse('key');
    const key = string();
    if (key in value || !['descr', 'fortran_order', 'shape'].includes(key)) refuse('key');
    take(':');
    blank();
    value[key] = text[at] === '(' ? tuple() : `'"`.includes(text[at] ?? 'x') ? string() : word();
    blank();
    if (text[at] !== ',') break;
    at += 1;
  }
  take('}');
  const odd = unusual;
  const rest = text.slice(at);
  if (rest.trim() !== '') refuse('something behind it');
  return { value, unusual: odd || !/^ *\n$/.test(rest) };
}
