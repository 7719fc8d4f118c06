// Part e: memory filled to the brim, with tensors of every size down to one byte; refused by typed errors alone. No two live tensors share
// memory, and once they are disposed of all works again. Small: nearly all of the address space is taken first, which costs no memory.

import { attempt, kindOf, say } from './outcome.js';
import { Stage } from './world.js';

/** Bytes of a page of WebAssembly's memory, and the most pages that there can be: 4 GiB. */
const PAGE = 65_536;
const MOST_PAGES = 65_536;
/** How much is left to fill, in pages. */
const ROOM = 256;
/** The most tensors that are made, since each takes some time. */
const MOST_TENSORS = 60_000;
/** Elements of a tensor that is there before memory is filled. */
const LARGE = 1 << 18;

/**
 * Yields `{ name, callable, ran, problems }` for each round: see `parts` in run.js. A round says which sizes memory is filled with: see
 * `sizes`.
 */
export async function* memoryPart(stage, { seed, calls, platform }) {
  const rounds = [...(platform.big ? [{ big: true }] : []), { shrinking: true }, { shrinking: false }, { bytes: true }];
  let left = calls;
  for (const round of rounds) {
    if (left <= 0) return;
    const found = await filled(stage, round, seed, left);
    left -= found.ran;
    yield { name: `filling ${JSON.stringify(round)}`, callable: 'filling memory', ...found };
  }
}

/**
 * Opens a stage by `open`, and resolves to `{ stage, memory }`: the memory of its instance, which the package does not show. It is seen at
 * the functions that start an instance, which are replaced meanwhile. undefined where none was seen.
 */
async function watched(open) {
  const kept = { instantiate: WebAssembly.instantiate, instantiateStreaming: WebAssembly.instantiateStreaming, Instance: WebAssembly.Instance };
  let memory;
  const see = (result) => {
    memory ??= Object.values((result.instance ?? result).exports).find((each) => each instanceof WebAssembly.Memory);
    return result;
  };
  WebAssembly.instantiate = async (...all) => see(await kept.instantiate.apply(WebAssembly, all));
  WebAssembly.instantiateStreaming = async (...all) => see(await kept.instantiateStreaming.apply(WebAssembly, all));
  WebAssembly.Instance = new Proxy(kept.Instance, { construct: (Instance, all) => see(new Instance(...all)) });
  try {
    return { stage: await open(), memory };
  } finally {
    Object.assign(WebAssembly, kept);
  }
}

/**
 * One round, on a fresh copy of the package, with `left` tensors at most. Resolves to `{ ran, problems }`: the tensors tried, and what was
 * wrong.
 */
async function filled(from, round, seed, left) {
  const { stage, memory } = await watched(() => new Stage(from.load, from.device, from.plant).open());
  if (!memory) return { ran: 1, problems: ['the memory of the instance was not seen'] };
  if (!round.big) growAllBut(memory, ROOM);
  const start = stage.memory();
  const problems = [];
  const kept = [];
  let ran = 0;
  const { Tensor } = stage.lib;
  // What works on the large one needs more memory than the allocator sets aside for small allocations.
  const operands = { large: Tensor.zeros([LARGE], { dtype: 'int32' }), none: Tensor.zeros([0]), small: Tensor.zeros([1]) };
  /** Makes a tensor of `size` bytes, and keeps it. False when it is refused, which has to be as out-of-memory. */
  const make = (size) => {
    ran += 1;
    // Every element of a small one has its mark. A large one has it at the beginning, in the middle and at the end: to fill it would take
    // too long.
    const mark = kept.length % 251;
    const { value, error, threw } = attempt(() => (size <= 1 << 20 ? Tensor.full([size], mark, { dtype: 'uint8' }) : Tensor.zeros([size], { dtype: 'uint8' }).scatter_(0, [0, size >> 1, size - 1], mark)));
    const kind = threw ? kindOf(error) : 'value';
    stage.count(kind);
    if (!threw) kept.push({ tensor: value, size, mark });
    else if (kind !== 'typed' || error.code !== 'out-of-memory') problems.push(`${size} bytes: ${kind === 'trap' ? 'throws a trap' : 'is not typed out-of-memory'}: ${say(error)}`);
    return !threw;
  };
  for (const size of sizes(round)) {
    while (ran < left && kept.length < MOST_TENSORS && problems.length === 0 && make(size));
    problems.push(...work(stage, kept, operands));
    if (problems.length > 0) return { ran, problems };
  }
  problems.push(...wrongMarks(kept));
  for (const { tensor } of kept) {
    const { error, threw } = attempt(() => tensor.dispose());
    if (threw) return { ran, problems: [...problems, `dispose() throws ${say(error)} when memory is full`] };
  }
  for (const each of Object.values(operands)) each.dispose();
  problems.push(...(await stage.canary()), ...(await stage.close()));
  // A quarter of the room has to be free in one piece; after tensors of one byte that is not asked for.
  const { threw, error } = attempt(() => Tensor.zeros([ROOM * PAGE >> 2], { dtype: 'uint8' }).dispose());
  if (threw && !round.bytes) problems.push(`after dispose(): ${say(error)}`);
  const now = stage.memory();
  for (const name of ['tensors', 'cpu_bytes']) if (now[name] !== start[name]) problems.push(`memory().${name} was ${start[name]} and is ${now[name]}`);
  return { ran, problems: problems.length > 0 ? problems : null };
}

/**
 * Grows a memory until `room` pages are left: by half of all that there can be, then by ever fewer, where the engine has no room for more.
 */
function growAllBut(memory, room) {
  for (let pages = MOST_PAGES / 2; pages >= 1; pages >>= 1) {
    while (memory.buffer.byteLength / PAGE + pages <= MOST_PAGES - room && attempt(() => memory.grow(pages)).value !== undefined);
  }
}

/** The fault of the first tensor that has a wrong mark or cannot be read; an empty list if all are right. */
function wrongMarks(kept) {
  for (const { tensor, size, mark } of kept) {
    const at = [0, size >> 1, size - 1];
    const { value, error } = attempt(() => (size <= 4096 ? tensor.data_sync() : valuesAt(tensor, at)));
    const problems = [];
    // A full memory may refuse the reading; it may not give other values.
    if (error && error.code !== 'out-of-memory') problems.push(`a tensor of ${size} bytes cannot be read: ${say(error)}`);
    if (value?.some((each) => each !== mark)) problems.push(`two tensors share memory: one of ${size} bytes holds ${value.find((each) => each !== mark)}, not ${mark}`);
    if (problems.length > 0) return problems;
  }
  return [];
}

/** The values of some elements. Their tensor is disposed of at once: else it counts as memory until the engine collects it. */
function valuesAt(tensor, at) {
  const some = tensor.gather(0, at);
  try {
    return some.data_sync();
  } finally {
    some.dispose();
  }
}

/**
 * The sizes of a round's tensors, in bytes; each is made until one is refused. With `bytes`, one byte. Else from 3 GiB (`big`) or the room
 * that there is down to a byte; where `shrinking` is false, the six largest of those, the smallest first, which leaves holes of every size.
 */
function sizes({ big, shrinking, bytes }) {
  if (bytes) return [1];
  const all = [];
  for (let size = big ? 3 * 2 ** 30 : ROOM * PAGE; size >= 1; size = Math.floor(size / (size > 4096 ? 4 : 7))) all.push(size);
  return shrinking === false ? all.reverse().slice(-6) : all;
}

/** Calls that need memory in the size of the large tensor. Each gives `keep`, which returns its argument, all that is to be disposed of. */
function onLarge({ lib, table }, { large, none, small }) {
  const { IndexPlan, Tensor } = lib;
  const floats = (keep) => keep(large.astype('float32'));
  const pairs = (keep) => keep(large.reshape([LARGE / 2, 2]));
  const plan = (keep) => keep(IndexPlan.along([LARGE], 0, large));
  return [
    (keep) => keep(lib.segment_reduce(none, 'sum', { lengths: large })),
    (keep) => keep(lib.segment_reduce(large, 'mean', { lengths: [LARGE] })),
    (keep) => keep(lib.bincount(large, { weights: large })),
    (keep) => keep(lib.histogram(large, { bins: 5 })),
    (keep) => keep(lib.histogram(large, { bins: LARGE })),
    (keep) => keep(lib.histogramdd(pairs(keep), { bins: [3, 2] })),
    (keep) => keep(small.scatter_reduce(0, large, floats(keep), 'mean')),
    (keep) => keep(small.scatter_add(0, large, floats(keep))),
    (keep) => keep(small.take_along_dim(large, 0)),
    (keep) => keep(small.index_select(0, large, { mode: 'clip' })),
    (keep) => keep(small.index_select(0, large, { mode: 'drop' })),
    (keep) => keep(small.gather_nd(keep(large.reshape([LARGE, 1])))),
    (keep) => keep(plan(keep).counts),
    (keep) => plan(keep).has_duplicates,
    (keep) => keep(lib.trace('gather', large, 0, large).result),
    () => String(large),
    () => large.data_sync(),
    (keep) => keep(new Tensor(large)),
    (keep) => keep(new Tensor(new Float64Array(LARGE))),
    (keep) => keep(new Tensor(new Array(LARGE).fill(1))),
    (keep) => table.scatter_(0, pairs(keep), floats(keep)),
  ];
}

/** Runs a call, and disposes of all that it gave `keep`: tensors, plans, and objects that hold tensors. */
function disposing(call) {
  const made = [];
  try {
    call((each) => (made.push(each), each));
  } finally {
    for (const each of made) for (const one of 'hist' in each ? Object.values(each).flat() : [each]) one.dispose();
  }
}

/** Makes every kind of call with no memory left. Returns the faults: each must work or be refused by a typed error. */
function work(stage, kept, operands) {
  const { lib } = stage;
  const some = kept.at(-1)?.tensor ?? stage.table;
  const trials = [
    () => some.clone().dispose(),
    () => some.reshape([1, some.size]).dispose(),
    () => some.astype('float64').dispose(),
    () => some.mul(1).dispose(),
    () => some.mul_(1),
    () => some.gather(0, [0, 0]).dispose(),
    () => lib.IndexPlan.along([9], 0, [1, 2]).dispose(),
    () => stage.table.scatter_(1, stage.index, stage.src),
    () => new lib.Tensor([[1, 2], [3]]),
    () => stage.table.scatter_(0, [[9]], 1),
    () => String(stage.table),
    () => lib.trace('scatter_', stage.table, 0, [[0]], 1).result.dispose(),
    () => lib.elementwise_mul(stage.table, stage.table, { act: 'relu' }).dispose(),
    ...onLarge(stage, operands).map((run) => Object.assign(() => disposing(run), { toString: () => String(run) })),
  ];
  const problems = [];
  for (const trial of trials) {
    const { error, threw } = attempt(trial);
    if (threw && kindOf(error) !== 'typed') problems.push(`with memory full ${trial} throws ${kindOf(error) === 'trap' ? 'a trap' : 'a raw error'}: ${say(error)}`);
  }
  return problems;
}
