// NumPy's .npy format, read once more by itself: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Nothing here is
// the library's. A header is a literal of Python; `literal` reads the part of Python that NumPy's own writer can make, and a little more.

const kinds = { b1: 'bool', i1: 'int8', u1: 'uint8', i2: 'int16', u2: 'uint16', i4: 'int32', u4: 'uint32', i8: 'int64', u8: 'uint64', f2: 'float16', f4: 'float32', f8: 'float64' };
/** Kinds by a letter, in any order of bytes, and by a word, in none. NumPy reads them and does not write them. */
const letters = { '?': 'b1', b: 'i1', B: 'u1', h: 'i2', H: 'u2', i: 'i4', I: 'u4', q: 'i8', Q: 'u8', e: 'f2', f: 'f4', d: 'f8' };
const words = {
  ...Object.fromEntries(Object.entries(kinds).map(([kind, dtype]) => [dtype, kind])),
  bool_: 'b1', byte: 'i1', ubyte: 'u1', short: 'i2', ushort: 'u2', intc: 'i4', uintc: 'u4', longlong: 'i8', ulonglong: 'u8',
  half: 'f2', single: 'f4', float: 'f8', double: 'f8',
};
/** Limits of NumPy 1: bytes of a header's text, and dimensions. */
const MAX_HEADER = 10_000;
const MAX_RANK = 32;

/** Why Python and NumPy do not read a file. */
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

/**
 * As `parse`; throws Refused where a file cannot be read. A file is the magic, two bytes of version, the length of the header's text (2
 * bytes in version 1, else 4), that text, and the elements.
 */
function read(file) {
  const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
  if (file.length < 10 || magic.some((byte, at) => file[at] !== byte)) refuse('no magic');
  const version = file[6];
  if (![1, 2, 3].includes(version)) refuse('version');
  const lengthBytes = version > 1 ? 4 : 2;
  let length = 0;
  for (let at = lengthBytes - 1; at >= 0; at--) length = length * 256 + (file[8 + at] ?? refuse('cut off'));
  const start = 8 + lengthBytes + length;
  if (start > file.length) refuse('cut off');
  if (length > MAX_HEADER) refuse('too long');
  const text = Array.from(file.subarray(8 + lengthBytes, start), (byte) => String.fromCharCode(byte)).join('');
  const { value: facts, unusual } = literal(text);
  const { descr, fortran_order, shape } = facts;
  if (typeof descr !== 'string' || typeof fortran_order !== 'boolean' || !Array.isArray(shape)) refuse('facts');
  // A descr may lack the letter for the order of bytes ('f4'): NumPy reads that, but does not write it.
  const [, order, name] = /^([<>|=]?)(.*)$/s.exec(descr);
  const kind = Object.hasOwn(letters, name) ? letters[name] : order === '' && Object.hasOwn(words, name) ? words[name] : name;
  const dtype = Object.hasOwn(kinds, kind) ? kinds[kind] : refuse('dtype');
  if (shape.length > MAX_RANK) refuse('rank');
  const width = Number(kind[1]);
  const size = shape.reduce((product, each) => product * each, 1);
  if (size * width > file.length - start) refuse('too short');
  const bytes = file.slice(start, start + size * width);
  const little = littleEndian(bytes, width, order);
  // NumPy writes '|' where an element has one byte, and only there.
  const isUsualOrder = order !== '' && (order === '|') === (width === 1);
  const isUsualVersion = file[7] === 0; // the second number of the version
  const isUnusual = unusual || !isUsualOrder || !isUsualVersion || kind !== name;
  return { dtype, shape, bytes: fortran_order ? rowMajor(little, shape, width) : little, unusual: isUnusual };
}

/** The bytes of elements of `width` bytes, turned round in place where their order is '>', the big-endian one. */
function littleEndian(bytes, width, order) {
  if (order === '>') for (let at = 0; at < bytes.length; at += width) bytes.subarray(at, at + width).reverse();
  return bytes;
}

/** Elements in Fortran's order, in which the first coordinate changes fastest, put in row-major order. `width` is their size in bytes. */
function rowMajor(bytes, shape, width) {
  const out = new Uint8Array(bytes.length);
  const count = bytes.length / width;
  for (let k = 0; k < count; k++) {
    let rest = k;
    let from = 0; // the place of element k in Fortran's order
    for (let d = shape.length - 1; d >= 0; d--) {
      const stride = shape.slice(0, d).reduce((product, each) => product * each, 1);
      from += (rest % shape[d]) * stride;
      rest = Math.floor(rest / shape[d]);
    }
    for (let i = 0; i < width; i++) out[k * width + i] = bytes[from * width + i];
  }
  return out;
}

/**
 * Reads a literal of Python: a dict of some of the three names, with strings, True, False and tuples of whole numbers. Returns it as
 * `{ value, unusual }`: see `parse`. Each function inside reads one thing from `at` on, leaves `at` behind it, and refuses anything else.
 */
function literal(text) {
  let at = 0;
  let unusual = false;
  /** Blanks, or none. NumPy writes single spaces. */
  const blank = () => {
    const from = at;
    // \s takes more for a blank than Python does; a header with one of those is unusual in any case. At the end of the text there is none.
    while (/\s/.test(text[at] ?? 'x')) at += 1;
    if (at - from > 1 || (at > from && text[from] !== ' ')) unusual = true;
  };
  /** Blanks, and then this letter. */
  const take = (letter) => {
    blank();
    if (text[at] !== letter) refuse(`no ${letter} at ${at}`);
    at += 1;
  };
  /** Whether a string begins here. */
  const isString = () => /^[uU]?['"]/.test(text.slice(at, at + 2));
  /** A string without escapes, from its quote on, or from a u that Python 2 wrote before it. NumPy writes single quotes. */
  const string = () => {
    if (`uU`.includes(text[at])) {
      unusual = true;
      at += 1;
    }
    const quote = text[at++];
    if (quote === '"') unusual = true;
    const end = text.indexOf(quote, at);
    if (end < 0) refuse('quote');
    const found = text.slice(at, end);
    if (/[\\\n\r\0]/.test(found)) refuse('escape');
    at = end + 1;
    return found;
  };
  /** A tuple of whole numbers, as a list. NumPy writes a comma behind the last number only where there is one alone. */
  const tuple = () => {
    take('(');
    const found = [];
    let commas = 0;
    for (blank(); text[at] !== ')'; blank()) {
      const [number, digits, long] = /^(\d+)(L?)/.exec(text.slice(at)) ?? refuse('number');
      // NumPy writes no number with zeros in front, and hardly one so large. Python 2 wrote an L behind some.
      if (digits.length > 9 || (digits.length > 1 && digits[0] === '0') || long) unusual = true;
      found.push(Number(digits));
      at += number.length;
      blank();
      if (text[at] !== ',') break;
      commas += 1;
      at += 1;
    }
    take(')');
    if (found.length === 1 && commas === 0) refuse('a number in brackets'); // (3) is a number in Python, (3,) a tuple
    if (found.length > 1 && commas === found.length) unusual = true;
    return found;
  };
  /** True or False. */
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
    if (!isString()) refuse('key');
    const key = string();
    if (key in value || !['descr', 'fortran_order', 'shape'].includes(key)) refuse('key');
    take(':');
    blank();
    value[key] = text[at] === '(' ? tuple() : isString() ? string() : word();
    blank();
    if (text[at] !== ',') break;
    at += 1;
  }
  take('}');
  const rest = text.slice(at);
  if (rest.trim() !== '') refuse('something behind it');
  return { value, unusual: unusual || !/^ *\n$/.test(rest) };
}
