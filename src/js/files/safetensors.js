// The format safetensors: a header in JSON that describes each tensor, then the bytes of all, little-endian and in row-major order.
// files.d.ts describes the public functions.
//
// A file begins with the length of the header, in 8 bytes. The header is an object with an entry for each tensor: its dtype, its shape,
// and the start and end of its bytes, counted from the end of the header. Under __metadata__ it has texts of the writer. Errors begin
// with `op`, the name of the function, and `file` is the bytes of a file. `refuse(text, cause)` throws the error for an unreadable file,
// and `fail(code, text, cause)` any other error. A `code` is the format's name of a dtype.

import { readOptions, refuseOptions } from '../arguments/arguments.js';
import { fileBytes } from '../engine/arrays.js';
import { failure, MEMORY_WAYS, readable, shortened, wrongKind } from '../engine/errors.js';
import { dispose, failingAs, checkName, naming, plainErrors, readLoadOptions, readTensors, shortenedList, wantedNames } from './loading.js';

/** The format's dtypes that this library has, by code, in the order of the format's own library. */
const dtypes = {
  BOOL: 'bool', U8: 'uint8', I8: 'int8', I16: 'int16', U16: 'uint16', F16: 'float16', BF16: 'bfloat16', I32: 'int32', U32: 'uint32',
  F32: 'float32', F64: 'float64', I64: 'int64', U64: 'uint64',
};
const codes = Object.keys(dtypes);
const isDtype = (code) => Object.hasOwn(dtypes, code);
/** Bytes of an element. A code ends with the number of bits, except BOOL, which takes a byte. */
const widthOf = (code) => Number(/\d+$/.exec(code) ?? 8) / 8;

/** The key of the writer's texts. */
const METADATA = '__metadata__';
/** The size of the length of the header, in bytes. */
const LENGTH_BYTES = 8;
/** The longest header that the format allows, in bytes. */
const MAX_HEADER = 100_000_000;

export function load_safetensors(bytes, options) {
  const op = 'load_safetensors';
  const settings = readLoadOptions(op, 'invalid-safetensors', options);
  const file = fileBytes(op, bytes);
  const { entries, metadata, start } = parse(file, settings.refuse);
  const pairs = [];
  try {
    for (const name of wantedNames(op, settings, [...entries.keys()])) pairs.push([name, load(op, file, start, name, entries, settings)]);
  } catch (error) {
    dispose(pairs);
    throw error;
  }
  return { tensors: Object.fromEntries(pairs), metadata };
}

export function list_safetensors(bytes, options) {
  const op = 'list_safetensors';
  refuseOptions(op, options);
  const { entries, metadata } = parse(fileBytes(op, bytes), plainErrors(op, 'invalid-safetensors').refuse);
  const listed = ([name, { code, shape }]) => (isDtype(code) ? { name, dtype: dtypes[code], shape } : { name, problem: `dtype ${shortened(code)} has no counterpart here: convert it in Python` });
  return { tensors: [...entries].map(listed), metadata };
}

/** The tensor of one of the entries of `parse`. `start` is the end of the header. Errors name the tensor. */
function load(op, file, start, name, entries, { Tensor, device, refuse }) {
  const { code, shape, from, to } = entries.get(name);
  if (!isDtype(code)) {
    const others = [...entries.keys()].filter((each) => isDtype(entries.get(each).code));
    const rest = others.length > 0 ? `, or load the others with { names: [${shortenedList(others)}] }` : '';
    refuse(`'${shortened(name)}' has dtype ${shortened(code)}, which has no counterpart here: convert it in Python${rest}`);
  }
  try {
    return new Tensor(new DataView(file.buffer, file.byteOffset + start + from, to - from), { dtype: dtypes[code], shape, ...(device !== undefined && { device }) });
  } catch (error) {
    throw naming(op, name, error);
  }
}

// ---------------------------------------------------------------- the header

/**
 * The content of a file's header: `entries`, a Map by the names of the tensors, `metadata`, and `start`, the byte after the header.
 * Checked against the file: the data of the tensors has neither gaps nor overlaps.
 */
function parse(file, refuse) {
  if (file.length < LENGTH_BYTES) refuse(`the file ends too early: it has ${file.length} bytes, and begins with a length of 8`);
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  if (length > MAX_HEADER) refuse(`the header has ${length} bytes, more than the ${MAX_HEADER} that the format allows; this may be another kind of file`);
  const start = LENGTH_BYTES + length;
  if (file.length < start) refuse(`the file ends within its header: that has ${length} bytes, and there are ${file.length - LENGTH_BYTES}`);
  const { [METADATA]: metadata, ...tensors } = readHeader(file.slice(LENGTH_BYTES, start), refuse);
  const entries = new Map(Object.entries(tensors).map(([name, facts]) => [name, readEntry(name, facts, refuse)]));
  checkCovered(entries, file.length - start, refuse);
  return { entries, metadata: readMetadata(metadata, refuse), start };
}

/** The object of a header's bytes. Refuses a repeated key. */
function readHeader(bytes, refuse) {
  if (bytes[0] !== '{'.charCodeAt(0)) refuse('the header is no JSON object: this may be another kind of file');
  const [text, header] = parseJson(bytes, refuse);
  const twice = repeatedKey(text);
  if (twice !== undefined) refuse(`the header has '${shortened(twice)}' twice`);
  return header;
}

/** The text of some bytes, which must be UTF-8, and its value as JSON. */
function parseJson(bytes, refuse) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return [text, JSON.parse(text)];
  } catch (cause) {
    return refuse(`the header is no JSON in UTF-8: ${shortened(String(cause.message))}`, cause);
  }
}

/**
 * A key that an object in a valid JSON text has more than once; undefined if no key repeats. JSON.parse would silently keep the last one.
 * A string is a key if a colon follows it.
 */
function repeatedKey(text) {
  const objects = []; // the keys so far of the open objects, the innermost last
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') objects.push(new Set());
    else if (text[at] === '}') objects.pop();
    if (text[at] !== '"') continue;
    const from = at;
    for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
    let next = at + 1;
    while (' \t\r\n'.includes(text[next])) next++;
    if (text[next] !== ':') continue;
    const key = JSON.parse(text.slice(from, at + 1));
    if (objects.at(-1).has(key)) return key;
    objects.at(-1).add(key);
  }
  return undefined;
}

/** Whether a value is an integer that is not negative. */
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;

/**
 * A checked entry of the header: `{ code, shape, from, to }`. Its bytes are from `from` to below `to`, counted from the end of the
 * header.
 */
function readEntry(name, facts, refuse) {
  const { dtype: code, shape, data_offsets: offsets } = facts ?? {};
  const isValid = typeof code === 'string' && Array.isArray(shape) && shape.every(isCount) && Array.isArray(offsets) && offsets.length === 2 && offsets.every(isCount);
  if (!isValid) refuse(`the header says of '${shortened(name)}' what cannot be read: it needs dtype, shape and data_offsets`);
  const [from, to] = offsets;
  if (isDtype(code)) {
    const needed = (shape.includes(0) ? 0 : shape.reduce((product, size) => product * size, 1)) * widthOf(code);
    if (needed !== to - from) refuse(`'${shortened(name)}' has ${to - from} bytes of data, and shape [${shape.slice(0, 40).join(', ')}] of ${code} takes ${needed}`);
  }
  return { code, shape, from, to };
}

/**
 * Refuses entries whose bytes have gaps or overlaps, or do not end at the end of the file. `length` is the number of bytes after the
 * header.
 */
function checkCovered(entries, length, refuse) {
  let reached = 0;
  for (const [name, { from, to }] of [...entries].sort(([, a], [, b]) => a.from - b.from || a.to - b.to)) {
    if (from !== reached || to < from) refuse(`the data of '${shortened(name)}' is from ${from} to ${to}, and should begin at ${reached}: there must be no gap and no overlap`);
    reached = to;
  }
  if (reached > length) refuse(`the file ends too early: the tensors take ${reached} bytes, and there are ${length}`);
  if (reached < length) refuse(`the file has ${length - reached} bytes behind the last tensor`);
}

/** The writer's texts, which must be an object of strings; empty if missing or null. */
function readMetadata(given, refuse) {
  const metadata = given ?? {};
  const isValid = typeof metadata === 'object' && !Array.isArray(metadata) && Object.values(metadata).every((value) => typeof value === 'string');
  return isValid ? metadata : refuse(`${METADATA} must be an object of strings`);
}

// ---------------------------------------------------------------- writing

export async function save_safetensors(tensors, options) {
  const op = 'save_safetensors';
  const { metadata } = readOptions(op, options, ['metadata']);
  const texts = metadata === undefined ? undefined : readTexts(op, metadata);
  const pairs = readTensors(op, tensors);
  const taken = pairs.find(([name]) => name === METADATA);
  if (taken) throw failure(TypeError, 'invalid-argument', op, `a tensor cannot be called '${METADATA}': that is where the format keeps the option metadata`, { argument: 'tensors' });
  // Begin all reads now: the file has the values at the time of the call.
  const read = await Promise.all(pairs.map(([name, tensor]) => valuesOf(op, name, tensor)));
  return write(read, texts, failingAs(op, pairs));
}

/** The option metadata, copied; it must be an object of strings that UTF-8 can write. */
function readTexts(op, metadata) {
  const wanted = 'an object of strings';
  const pairs = readable(op, 'metadata', () => {
    if (metadata instanceof Map) throw wrongKind(op, 'metadata', wanted, metadata, ': Object.fromEntries(metadata)');
    if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) throw wrongKind(op, 'metadata', wanted, metadata);
    return Object.entries(metadata);
  });
  for (const [key, value] of pairs) {
    if (typeof value !== 'string') throw wrongKind(op, 'metadata', wanted, value, `: '${shortened(key)}' is one`);
    for (const text of [key, value]) checkName(op, 'metadata', text);
  }
  return Object.fromEntries(pairs);
}

/** The data of a tensor that `write` needs, with the values at the time of the call. */
async function valuesOf(op, name, tensor) {
  try {
    const code = codes.find((each) => dtypes[each] === tensor.dtype);
    return { name, code, shape: tensor.shape, values: await tensor.data() };
  } catch (error) {
    throw naming(op, name, error);
  }
}

/**
 * A JSON object from pairs of a name and a value, which is JSON already. Written by hand: a JavaScript object would put names such as '7'
 * first, and a page may have given arrays and objects a `toJSON`.
 */
const objectOf = (pairs) => `{${pairs.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;

/**
 * The bytes of a file of tensors, each as `valuesOf` returns it. The order is that of the format's own writer: the widest dtypes first,
 * which keeps all elements aligned, then by name. `metadata` may be undefined.
 */
function write(tensors, metadata, fail) {
  tensors.sort((a, b) => codes.indexOf(b.code) - codes.indexOf(a.code) || (a.name < b.name ? -1 : 1));
  let length = 0; // bytes of the tensors so far
  const entries = tensors.map(({ name, code, shape, values }) => {
    const value = `{"dtype":"${code}","shape":[${shape.join()}],"data_offsets":[${length},${(length += values.byteLength)}]}`;
    return [name, value];
  });
  const texts = metadata && Object.entries(metadata).map(([key, text]) => [key, JSON.stringify(text)]);
  const encoded = new TextEncoder().encode(objectOf([...(texts ? [[METADATA, objectOf(texts)]] : []), ...entries]));
  const room = Math.ceil(encoded.length / 8) * 8; // padded with blanks, so that the data is aligned
  if (room > MAX_HEADER) fail('too-large', `the header would have ${room} bytes, and the format allows ${MAX_HEADER}: save the tensors in several files`);
  let file;
  try {
    file = new Uint8Array(LENGTH_BYTES + room + length);
  } catch (cause) {
    fail('out-of-memory', `${length} bytes could not be allocated; ${MEMORY_WAYS}`, cause);
  }
  new DataView(file.buffer).setBigUint64(0, BigInt(room), true);
  file.fill(0x20, LENGTH_BYTES, LENGTH_BYTES + room);
  file.set(encoded, LENGTH_BYTES);
  let at = LENGTH_BYTES + room;
  for (const { values } of tensors) {
    file.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += values.byteLength;
  }
  return file;
}
