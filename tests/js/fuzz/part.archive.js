// Part h: archives of the library's own with bytes changed, cut, put in and moved. Whatever is read has to be what was written, under its name: the
// checksum stands for that; all else has to be an error of the library's own.

import { list_npz, load_npz, save_npz } from '../../../target/npm/scatterwise/files.js';
import { attempt, kindOf, say, settled } from './outcome.js';
import { Numbers } from '../../../src/js/verify/numbers.js';

const dtypes = ['bool', 'int8', 'uint16', 'int32', 'int64', 'float16', 'float32', 'float64'];
/** Offsets of fields, from the end of the archive: those of its end record, and of the entry before it. */
const FIELDS = 22 + 46 + 8;

/** Tensors by name: two or three of different dtypes, one of them now and then so large that its checksum is folded. */
function written(lib, numbers) {
  const names = ['a', 'b', 'größe'].slice(0, 2 + numbers.below(2));
  const isLarge = numbers.once(15);
  return Object.fromEntries(names.map((name, k) => {
    const count = isLarge && k === 0 ? 70_000 + numbers.below(9) : numbers.below(40);
    const values = Float32Array.from({ length: count }, () => numbers.below(200) - 70);
    const floats = new lib.Tensor(values);
    const tensor = floats.astype(numbers.pick(dtypes));
    floats.dispose();
    return [name, tensor];
  }));
}

/** Changes to an archive; each returns a new one, or changes it and returns it. */
const changes = [
  (file, numbers) => file.subarray(0, numbers.below(file.length)),
  (file, numbers) => file.subarray(numbers.below(40)),
  (file, numbers) => {
    // The directory once more, or a part of it.
    const again = file.subarray(-1 - numbers.below(FIELDS * 3));
    const longer = new Uint8Array(file.length + again.length);
    longer.set(file);
    longer.set(again, file.length);
    return longer;
  },
  (file, numbers) => {
    const longer = new Uint8Array(file.length + numbers.below(100));
    longer.set(file);
    return longer;
  },
  ...Array(6).fill((file, numbers) => {
    // In the directory, whose fields have more to break than contents.
    const at = file.length - 1 - numbers.below(Math.min(file.length, FIELDS * 3));
    file[at] = numbers.pick([0, 1, 8, 255, file[at] ^ (1 << numbers.below(8)), numbers.below(256)]);
    return file;
  }),
  ...Array(3).fill((file, numbers) => {
    file[numbers.below(file.length)] ^= 1 << numbers.below(8);
    return file;
  }),
];

/** Yields `{ name, callable, problems }` for each archive: see `parts` in run.js. */
export async function* archivePart(stage, { seed, calls }) {
  for (let n = 0; n < calls; n++) {
    const numbers = new Numbers(seed, n);
    const { lib } = stage;
    const before = stage.memory();
    const tensors = written(lib, numbers);
    const compressed = numbers.once(2);
    let file = await save_npz(tensors, { compressed });
    for (let count = 1 + numbers.below(3); count > 0; count--) if (file.length > 0) file = Uint8Array.from(numbers.pick(changes)(file, numbers));
    const problem = await judge(stage, file, tensors);
    for (const tensor of Object.values(tensors)) tensor.dispose();
    const now = stage.memory();
    const leak = now.tensors === before.tensors ? null : `memory() was ${JSON.stringify(before)} and is ${JSON.stringify(now)}`;
    const problems = [problem, leak].filter(Boolean);
    yield { name: `archive ${n}: ${file.length} bytes, ${compressed ? 'compressed' : 'stored'}`, callable: 'load_npz', problems: problems.length > 0 ? problems : null };
  }
}

/** The fault of listing and reading an archive, or null. `tensors` are its contents. */
async function judge(stage, file, tensors) {
  const { Tensor } = stage.lib;
  const kept = file.slice();
  const listed = await settled(list_npz(file));
  const loaded = await settled(load_npz(file, { Tensor }));
  for (const [op, { error, threw }] of [['list_npz', listed], ['load_npz', loaded]]) {
    stage.count(threw ? kindOf(error) : 'value');
    if (threw && kindOf(error) !== 'typed') return `throws a raw error: ${say(error)}`;
    if (threw && error.op !== op) return `the error of ${op} names ${error.op}`;
  }
  if (file.some((byte, at) => byte !== kept[at])) return 'the archive was written to';
  if (loaded.threw) return null;
  const found = Object.entries(loaded.value);
  const wrong = found.find(([name, tensor]) => Object.hasOwn(tensors, name) && !isSame(tensor, tensors[name]));
  const facts = found.map(([name, { dtype, shape }]) => ({ name, dtype, shape }));
  for (const [, tensor] of found) tensor.dispose();
  if (wrong) return `'${wrong[0]}' is not what was written`;
  const list = JSON.stringify(listed.value);
  return list === JSON.stringify(facts) ? null : `list_npz gave ${list}, and load_npz ${JSON.stringify(facts)}`;
}

/** Whether two tensors have the same dtype, shape and bytes. */
function isSame(one, other) {
  const bytes = ({ value: { buffer, byteOffset, byteLength } }) => new Uint8Array(buffer, byteOffset, byteLength);
  const [a, b] = [one, other].map((tensor) => bytes(attempt(() => tensor.data_sync())));
  return one.dtype === other.dtype && one.shape.join() === other.shape.join() && a.every((byte, at) => byte === b[at]);
}
