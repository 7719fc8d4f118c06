// NumPy's .npz: a zip archive of .npy files. files.d.ts describes the public functions.
//
// Errors begin with `op`, the name of the function. `settings` is the result of `readLoadOptions` of loading.js: its `refuse` throws the
// error for an unreadable file, and `fail` any other error.

import { flag, readOptions, refuseOptions } from '../arguments/arguments.js';
import { fileBytes } from '../engine/arrays.js';
import { failure, shortened } from '../engine/errors.js';
import { dispose, endTask, failingAs, naming, plainErrors, readLoadOptions, readTensors, shortenedList, wantedNames } from './loading.js';
import { isNpy, MAX_HEAD, readHeader } from './npy.js';
import { beginningOf, contentOf, isStored, readDirectory, writeArchive } from './zip.js';

const SUFFIX = '.npy';
/** Whether a file of an archive has the name of an array. */
const isArray = ({ name }) => name.endsWith(SUFFIX);
/** The name under which a file of an archive is loaded. As in NumPy, the name of an array has no suffix. */
const nameOf = (entry) => (isArray(entry) ? entry.name.slice(0, -SUFFIX.length) : entry.name);
/** Whether a file is loaded as it is, in uint8. As in NumPy, that are those without the name and without the beginning of an array. */
const areBytes = (entry, content) => !isArray(entry) && !isNpy(content);

export async function load_npz(bytes, options) {
  const op = 'load_npz';
  const settings = readLoadOptions(op, 'invalid-npz', options);
  const { file, entries } = readEntries(fileBytes(op, bytes), settings.refuse);
  const names = wantedNames(op, settings, [...entries.keys()]);
  const pairs = [];
  try {
    for (const name of names) {
      const content = contentFor(file, name, entries.get(name), settings);
      // No `await` for stored files: they are parts of the caller's own memory, which may change during an await.
      pairs.push([name, tensorOf(op, name, entries.get(name), content instanceof Uint8Array ? content : await content, settings)]);
    }
    await endTask(settings.Tensor);
  } catch (error) {
    dispose(pairs);
    throw settings.names === undefined ? await withOthers(op, error, names[pairs.length], file, entries, settings) : error;
  }
  return Object.fromEntries(pairs);
}

export async function list_npz(bytes, options) {
  const op = 'list_npz';
  refuseOptions(op, options);
  const { refuse, fail } = plainErrors(op, 'invalid-npz');
  const { file, entries } = readEntries(fileBytes(op, bytes), refuse);
  return listed(file, entries, refuse, fail);
}

/**
 * The files of an archive, a Map from the names to load to the entries of `readDirectory`; and the archive's bytes. The bytes are a copy
 * if anything must be decompressed, because the caller's may change during an await.
 */
function readEntries(bytes, refuse) {
  if (bytes[0] === 0x93) refuse('this is a .npy file, of one array: use Tensor.from_npy(bytes)');
  const entries = new Map();
  for (const entry of readDirectory(bytes, refuse)) {
    const name = nameOf(entry);
    if (entries.has(name)) refuse(`the archive has two files for the name '${shortened(name)}'`);
    entries.set(name, entry);
  }
  return { file: [...entries.values()].every(isStored) ? bytes : bytes.slice(), entries };
}

/** The content of one file of an archive, or a promise of it. */
function contentFor(file, name, entry, { refuse, fail }) {
  return contentOf(file, entry, (text, cause) => refuse(`'${shortened(name)}': ${text}`, cause), fail);
}

/** The tensor of one file of an archive. Errors name it. */
function tensorOf(op, name, entry, content, { Tensor, device }) {
  const options = device === undefined ? undefined : { device };
  try {
    return areBytes(entry, content) ? new Tensor(content, options) : Tensor.from_npy(content, options);
  } catch (error) {
    throw naming(op, name, error);
  }
}

/**
 * The content of an archive, in its order: `{ name, dtype, shape }` for each array that can be loaded, `{ name, problem }` for other
 * files.
 */
async function listed(file, entries, refuse, fail) {
  const list = [];
  for (const [name, entry] of entries) {
    try {
      const begun = beginningOf(file, entry, MAX_HEAD, refuse, fail);
      const beginning = begun instanceof Uint8Array ? begun : await begun;
      const { dtype, shape } = areBytes(entry, beginning) ? { dtype: 'uint8', shape: [entry.size] } : readHeader(beginning);
      list.push({ name, dtype, shape });
    } catch (error) {
      if (!/^invalid-np[yz]$/.test(error?.code)) throw error;
      list.push({ name, problem: error.message.replace(`${error.op}: `, '') });
    }
  }
  return list;
}

/** Adds the names that can be loaded to the text of an error, if the file `name` cannot be loaded. Returns any other error unchanged. */
async function withOthers(op, error, name, file, entries, { refuse, fail }) {
  const list = error.op === op ? await listed(file, entries, refuse, fail).catch(() => []) : [];
  const others = list.filter(({ dtype }) => dtype).map((each) => each.name);
  if (others.length === 0 || others.includes(name)) return error;
  const { code, op: _, ...facts } = error;
  const text = `${error.message.slice(`${op}: `.length)}; load the others with { names: [${shortenedList(others)}] }`;
  return failure(error.constructor, code, op, text, { ...facts, cause: error.cause });
}

export async function save_npz(tensors, options) {
  const op = 'save_npz';
  const { compressed = false } = readOptions(op, options, ['compressed']);
  flag(op, 'compressed', compressed);
  const pairs = readTensors(op, tensors);
  const [cut] = pairs.find(([name]) => name.includes('\0')) ?? [];
  if (cut !== undefined) throw failure(TypeError, 'invalid-argument', op, `the name ${JSON.stringify(shortened(cut))} has the character U+0000, where NumPy ends names`, { argument: 'tensors' });
  // Begin all reads now: the file has the values at the time of the call.
  const files = await Promise.all(pairs.map(([name, tensor]) => npyOf(op, name, tensor)));
  return writeArchive(files, compressed, failingAs(op, pairs));
}

/** A file for an archive: its name, and the .npy file of a tensor with the values at the time of the call. */
async function npyOf(op, name, tensor) {
  try {
    return { name: `${name}${SUFFIX}`, bytes: await tensor.to_npy() };
  } catch (error) {
    throw naming(op, name, error);
  }
}
