// NumPy's .npz: a zip archive of .npy files. files.d.ts says what the public functions do.
//
// `op` is the name of the function, with which errors begin. `settings` is what `readLoadOptions` of loading.js returns; its `refuse` throws the error
// for a file that cannot be read, and `fail` any other.

import { readOptions } from '../arguments/arguments.js';
import { fileBytes } from '../engine/arrays.js';
import { shortened, wrongKind } from '../engine/errors.js';
import { dispose, failingAs, naming, readLoadOptions, readTensors, wantedNames } from './loading.js';
import { contentOf, readDirectory, writeArchive } from './zip.js';

const SUFFIX = '.npy';
/** Whether a file of an archive is an array. */
const isArray = ({ name }) => name.endsWith(SUFFIX);
/** The name under which a file of an archive is loaded: as in NumPy, that of an array has no suffix. */
const nameOf = (entry) => (isArray(entry) ? entry.name.slice(0, -SUFFIX.length) : entry.name);

export async function load_npz(bytes, options) {
  const op = 'load_npz';
  const settings = readLoadOptions(op, 'invalid-npz', options);
  const file = fileBytes(op, bytes).slice(); // a copy, since the caller's bytes may change while they are unpacked
  const entries = readEntries(file, settings.refuse);
  const pairs = [];
  try {
    for (const name of wantedNames(op, settings, [...entries.keys()])) pairs.push([name, await load(op, file, name, entries.get(name), settings)]);
  } catch (error) {
    dispose(pairs);
    throw error;
  }
  return Object.fromEntries(pairs);
}

/** A Map of the files of an archive, as `readDirectory` returns them, by the names under which they are loaded. */
function readEntries(file, refuse) {
  if (file[0] === 0x93) refuse('this is a .npy file, of one array: use Tensor.from_npy(bytes)');
  const entries = new Map();
  for (const entry of readDirectory(file, refuse)) {
    const name = nameOf(entry);
    if (entries.has(name)) refuse(`the archive has two files for the name '${shortened(name)}'`);
    entries.set(name, entry);
  }
  return entries;
}

/** The tensor of one file of an archive. Errors, but for those of `fail`, have the name of the array in them. */
async function load(op, file, name, entry, { Tensor, device, refuse, fail }) {
  const quoted = `'${shortened(name)}'`;
  if (!isArray(entry)) refuse(`${quoted} is no array (.npy): say which to load with { names: […] }`);
  const refuseThis = (text, cause) => refuse(`${quoted}: ${text}`, cause);
  const array = await contentOf(file, entry, refuseThis, fail);
  try {
    return device === undefined ? Tensor.from_npy(array) : Tensor.from_npy(array, { device });
  } catch (error) {
    throw naming(op, name, error);
  }
}

export async function save_npz(tensors, options) {
  const op = 'save_npz';
  const { compressed = false } = readOptions(op, options, ['compressed']);
  if (typeof compressed !== 'boolean') throw wrongKind(op, 'compressed', 'true or false', compressed);
  const pairs = readTensors(op, tensors);
  // All reads begin now: the file has the values of the time of the call.
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
